"""Runs side by side: only what can be compared stands in one row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from plainly.studio.scoring.comparing import RunScores, compared

from .conftest import good, line_files

SIGNATURE = "sari|lang:en|tok:{tok}|case:lower|refs:3|empty:zero|plainly:0.1.0"


def run(
    number: int, score: float | None, system: str = "mine", tok: str = "13a", data: str = "A", **more: Any
) -> RunScores:
    signature = SIGNATURE.format(tok=tok)
    result = {
        "score": {"value": score, "low": 1.0, "high": 9.0},
        "unscored": 0,
        "signature": signature,
        "long_signature": signature,
    }
    systems = {system: {"sari": result}, "identity": {"sari": result}, **more}
    request = {"fingerprint": data, "own": [system], "lang": "en"}
    return RunScores(
        f"r{number}", f"Run {number}", f"2026-01-0{number}", request, {"segments": 2, "systems": systems}
    )


def test_differences_are_to_the_earliest_run() -> None:
    [found] = compared([run(3, 44.0), run(1, 40.0), run(2, 41.5)])
    assert [one.id for one in found.runs] == ["r1", "r2", "r3"]
    assert [column.system for column in found.columns] == ["mine"] * 3  # baselines are the same in all of them
    [row] = found.rows
    assert [cell and cell.difference for cell in row.cells] == [None, 1.5, 4.0]
    assert [cell and cell.against for cell in row.cells] == [None, 0, 0]


def test_a_system_with_a_new_name_is_compared_where_runs_have_one_each() -> None:
    [found] = compared([run(1, 40.0, "v1"), run(2, 41.0, "v2")])
    assert [cell and cell.difference for cell in found.rows[0].cells] == [None, 1.0]


def test_other_signatures_stand_in_other_rows_with_words() -> None:
    [found] = compared([run(1, 40.0), run(2, 50.0, tok="intl"), run(3, 41.0)])
    assert len(found.rows) == 2
    first, second = found.rows
    assert [cell and cell.score.value for cell in first.cells] == [40.0, None, 41.0]
    assert [cell and cell.score.value for cell in second.cells] == [None, 50.0, None]
    assert second.cells[1] is not None
    assert second.cells[1].difference is None
    [apart] = found.apart
    assert [one["field"] for one in apart.differences] == ["tokenizer"]
    assert "other tokens" in apart.differences[0]["meaning"]


def test_other_test_sets_have_other_tables() -> None:
    found = compared([run(1, 40.0), run(2, 50.0, data="B"), run(3, 41.0)])
    assert [[one.id for one in same.runs] for same in found] == [["r1", "r3"], ["r2"]]


def test_what_is_no_number_and_no_signature() -> None:
    broken = run(2, None)
    broken.evaluation["systems"]["mine"]["sari"]["long_signature"] = "nonsense with spaces"
    [found] = compared([run(1, None), broken])
    assert [cell and cell.difference for row in found.rows for cell in row.cells] == [None] * 4
    assert len(found.rows) == 2


@pytest.mark.slow
def test_compare_by_the_api(done: Callable[..., Any], owner: httpx.Client) -> None:
    first = done(line_files("splitter"), name="One", metrics="sari,fkgl")
    second = done(line_files("splitter", "substituter"), name="Two <b>&", metrics="sari,fkgl")
    third = done([], name="Other", test_set="demo-de", metrics="sari")
    assert good(owner.get(f"/api/runs/{first['id']}"))["same"] == [second["id"]]
    ids = ",".join(one["id"] for one in (third, second, first))
    found = good(owner.get("/api/runs/compare", params={"ids": ids}))
    assert [[one["name"] for one in same["runs"]] for same in found["sets"]] == [["One", "Two <b>&"], ["Other"]]
    table = found["sets"][0]
    assert [(column["run"], column["system"]) for column in table["columns"]] == [
        (0, "splitter"),
        (1, "splitter"),
        (1, "substituter"),
    ]
    sari = table["rows"][0]
    before = first["evaluation"]["systems"]["splitter"]["sari"]
    assert sari["signature"] == before["signature"]
    assert sari["cells"][0]["score"] == before["score"]["value"]
    assert [cell["difference"] for cell in sari["cells"]] == [None, 0.0, None]
    assert [one["name"] for one in table["pictures"]] == ["0-0", "0-1"]
    picture = owner.get("/api/runs/compare/0-0.svg", params={"ids": ids, "width": 320})
    assert picture.status_code == 200
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert "<b>" not in picture.text
    assert owner.get("/api/runs/compare/0-9.svg", params={"ids": ids}).status_code == 404
    assert owner.get("/runs/compare", params={"ids": ids}).status_code == 200
    for bad, status in ((first["id"], 422), ("", 422), ("zzz,yyy", 404), ("a;b", 422), (",".join("x" * 21), 422)):
        assert owner.get("/api/runs/compare", params={"ids": bad}).status_code == status, bad


def test_runs_without_scores_are_not_compared(
    done: Callable[..., Any], ended: Callable[[str], Any], start: Callable[..., Any], owner: httpx.Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    first = done()
    with monkeypatch.context() as patch:
        patch.setattr("plainly.studio.scoring.worker.score_apart", lambda *_: 1 / 0)
        failed = ended(start(name="Broken")["id"])
    assert failed["status"] == "failed"
    reply = owner.get("/api/runs/compare", params={"ids": f"{first['id']},{failed['id']}"})
    assert reply.status_code == 409
    assert "Broken" in reply.json()["error"]
    assert owner.get(f"/runs/{failed['id']}").status_code == 200
    assert owner.get(f"/runs/{failed['id']}/report").status_code == 404
