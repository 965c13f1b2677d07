"""Runs by the API: the numbers of the command line, who may do what, and what is said of bad files."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import plainly
from plainly.cli import main
from plainly.corpus import catalogue
from plainly.studio.scoring import files as run_files

from .conftest import DEMO, SYSTEMS, good, line_files

Done = Callable[..., Any]
RECORDS = [
    {
        "source": "The feline reposed.",
        "references": ["The cat slept.", "A cat slept."],
        "outputs": {"a": "The cat slept."},
    },
    {
        "source": "It rained heavily.",
        "references": ["It rained a lot.", "Much rain fell."],
        "outputs": {"a": "It rained."},
    },
]


def command_line(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What `plainly score --format json` prints."""
    assert main(["score", *arguments, "--format", "json", "--quiet"]) in (0, None)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.service
def test_the_numbers_are_those_of_the_command_line(done: Done, capsys: pytest.CaptureFixture[str]) -> None:
    run = done(line_files("splitter", "substituter"), metrics="", baselines="identity,truncate")
    arguments = ["--sources", str(DEMO.sources)]
    for path in DEMO.references:
        arguments += ["--references", path]
    for name in ("splitter", "substituter"):
        arguments += ["--system", f"{name}={SYSTEMS[name]}"]
    assert run["evaluation"] == command_line(capsys, *arguments, "--baselines", "identity,truncate")
    assert set(run["evaluation"]["systems"]) == {"splitter", "substituter", "identity", "truncate"}
    assert run["systems"] == ["splitter", "substituter"]


def test_a_run_has_charts(owner: httpx.Client, done: Done) -> None:
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")
    run = done(line_files("splitter"), metrics="fkgl", baselines="identity")
    home = f"/api/runs/{run['id']}/pictures"
    picture = owner.get(f"{home}/scores-0.svg", params={"width": 500})
    assert picture.text.startswith("<svg")
    assert all(words in picture.text for words in ("splitter", "identity", "lower is better"))
    assert "sandbox" in picture.headers["Content-Security-Policy"]
    assert owner.get(f"{home}/scores-1.svg").status_code == 404


def test_records_and_a_renamed_system(done: Done, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    outputs = tmp_path / "mine.txt"
    outputs.write_text("The cat slept.\nRain fell.\n", encoding="utf-8")
    sent = [("data", ("two.jsonl", path.read_bytes())), ("system", ("mine.txt", outputs.read_bytes()))]
    run = done(sent, system_names=json.dumps(["Mine & <b>"]))
    assert run["evaluation"] == command_line(
        capsys, "--data", str(path), "--system", f"Mine & <b>={outputs}", "--metrics", "sari,bleu,fkgl"
    )
    assert run["systems"] == ["a", "Mine & <b>"]


def test_the_command_that_is_shown_gives_the_same(
    done: Done, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shlex

    run = done(line_files("splitter"), baselines="possible", metrics="sari,chrf", empty_reference="missing")
    for _, (name, content) in line_files("splitter"):
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(run["command"])[1:]) in (0, None)
    assert json.loads(capsys.readouterr().out) == run["evaluation"]
    assert run["baselines"] == ["identity", "truncate", "reference"]


def test_the_demo_set(done: Done, capsys: pytest.CaptureFixture[str]) -> None:
    run = done([], test_set="demo-de", metrics="")
    assert run["evaluation"] == command_line(capsys, "--demo", "--lang", "de")
    assert run["lang"] == "de"
    more = done([("system", ("mine.txt", Path(DEMO.systems["identity"]).read_bytes()))], test_set="demo-en")
    assert more["systems"] == ["mine"]
    assert more["command"] == ""


def test_a_test_set_of_the_catalogue(
    done: Done,
    owner: httpx.Client,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    here = [one["name"] for one in good(owner.get("/api/runs/choices"))["test_sets"] if one["here"]]
    assert "asset-test" in here
    outputs = tmp_path / "copy.txt"
    outputs.write_text("".join(f"{text}\n" for text in catalogue.load("asset-test").sources), encoding="utf-8")
    run = done([("system", ("copy.txt", outputs.read_bytes()))], test_set="asset-test", metrics="bleu")
    expected = command_line(capsys, "--test-set", "asset-test", "--system", f"copy={outputs}", "--metrics", "bleu")
    assert run["evaluation"] == expected
    assert run["files"]["Licence"].startswith("CC BY-NC")


def test_test_sets_that_are_not_here(owner: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path))
    sets = good(owner.get("/api/runs/choices"))["test_sets"]
    assert [one["name"] for one in sets if one["here"]] == ["demo-de", "demo-en"]
    reply = owner.post("/api/runs", data={"name": "x", "test_set": "asset-test"})
    assert reply.status_code == 422
    assert "plainly data fetch asset-test" in reply.json()["error"]


def test_the_report_is_kept_and_shut_in(done: Done, owner: httpx.Client, analyst: httpx.Client) -> None:
    run = done(name="</title><script>alert(1)</script>")
    assert run["report"] is True
    for path in (f"/api/runs/{run['id']}/page", f"/runs/{run['id']}/report"):
        reply = analyst.get(path)
        assert reply.status_code == 200
        assert "SARI" in reply.text
        assert "<script>alert(1)" not in reply.text
        assert "sandbox allow-scripts" in reply.headers["Content-Security-Policy"]
        assert reply.headers["Content-Type"].startswith("text/html")


def test_files_are_gone_when_the_run_is_over(done: Done, app: Any) -> None:
    from plainly.studio.store.tables import Run

    run = done()
    with app.state.database.reading() as session:
        row = session.get(Run, run["id"])
        assert row.files is None
        assert row.page is not None


def test_roles(owner: httpx.Client, analyst: httpx.Client, done: Done, client: httpx.Client) -> None:
    run = done()
    for path in ("/api/runs", f"/api/runs/{run['id']}", "/api/runs/choices", "/runs", f"/runs/{run['id']}"):
        assert analyst.get(path).status_code == 200, path
    assert analyst.post("/api/runs", data={"name": "x"}, files=line_files("splitter")).status_code == 403
    assert analyst.delete(f"/api/runs/{run['id']}").status_code == 403
    assert 'id="new-run"' not in analyst.get("/runs").text
    assert 'id="delete"' not in analyst.get(f"/runs/{run['id']}").text
    with httpx.Client(base_url=owner.base_url) as stranger:
        assert stranger.get("/api/runs").status_code == 401
        assert stranger.post("/api/runs", data={"name": "x"}).status_code == 401
        assert stranger.get(f"/api/runs/{run['id']}/page").status_code == 401
        assert stranger.get("/runs").status_code == 303
    assert owner.delete(f"/api/runs/{run['id']}", headers={"X-CSRF-Token": "wrong"}).status_code == 403


def test_delete(done: Done, owner: httpx.Client) -> None:
    run = done()
    good(owner.delete(f"/api/runs/{run['id']}"), 204)
    for path in (f"/api/runs/{run['id']}", f"/api/runs/{run['id']}/page", f"/runs/{run['id']}"):
        assert owner.get(path).status_code == 404
    assert owner.delete(f"/api/runs/{run['id']}").status_code == 404
    assert good(owner.get("/api/runs"))["runs"] == []


SOURCE = ("source", ("s.txt", b"One.\nTwo.\n"))
SYSTEM = ("system", ("out.txt", b"One.\nTwo.\n"))
SHORT = ("reference", ("short.txt", b"One.\n"))
BLANK = ("reference", ("blank.txt", b"One.\n\n"))
LATIN = ("system", ("latin.txt", b"One.\nTw\xf6.\n"))
RECORD = ("data", ("r.jsonl", b'{"source": "a", "outputs": {"x": "b"}}\n{"source": 3}\n'))


WRONG: list[tuple[list[Any], dict[str, str], str]] = [
    ([SOURCE, SYSTEM, SHORT], {}, "short.txt"),
    ([SOURCE, SYSTEM, BLANK], {}, "blank.txt, line 2: "),
    ([SOURCE, LATIN], {}, "latin.txt, line 2: "),
    ([RECORD], {}, "r.jsonl, line 2: "),
    ([("system", ("empty.txt", b""))], {}, "empty.txt is empty"),
    ([SOURCE, SYSTEM], {"metrics": "bleu"}, "needs references"),
    ([SOURCE, SYSTEM], {"metrics": "blau"}, "did you mean 'bleu'"),
    ([SOURCE, SYSTEM], {"metrics": "judge"}, "judge"),
    ([SOURCE, SYSTEM], {"lang": "xx"}, "xx"),
    ([SOURCE, SYSTEM], {"name": "  "}, "name is empty"),
    ([SOURCE, SYSTEM], {"name": "a\nb"}, "one line"),
    ([SOURCE, SYSTEM], {"name": "x" * 201}, "200"),
    ([SOURCE], {"metrics": "fkgl"}, "give the outputs of a system"),
    ([], {}, "give source, reference and system files"),
    ([SOURCE, SYSTEM], {"test_set": "asset-test"}, "brings sources"),
    ([SYSTEM], {"test_set": "asset"}, "asset"),
    ([SYSTEM], {"test_set": "demo-xx"}, "demo-xx"),
    ([SYSTEM], {"test_set": "demo-en"}, "line"),
    ([SOURCE, RECORD], {}, "records bring"),
    ([SOURCE, SOURCE, SYSTEM], {}, "one file"),
    ([SOURCE, SYSTEM, SYSTEM], {}, "'out' is given twice"),
    ([("data", ("r.xlsx", b"PK\x03\x04"))], {}, "r.xlsx: a file of records must end in"),
    ([("data", ("r.parquet", b"nonsense"))], {}, "r.parquet"),
    ([SOURCE, ("system", ("x.gz", b"\x1f\x8bnonsense"))], {}, "x.gz: the gzip file is damaged"),
    ([SOURCE, SYSTEM], {"baselines": "magic"}, "magic"),
    ([SOURCE, SYSTEM], {"empty_reference": "x"}, "empty references"),
    ([SOURCE, SYSTEM], {"system_names": "[1]"}, "must be a text"),
    ([SOURCE, SYSTEM], {"system_names": "{}"}, "list"),
    ([SOURCE, SYSTEM], {"system_names": "[" * 9000}, "no JSON"),
    ([SOURCE, SYSTEM], {"published": "no"}, "published"),
    ([SOURCE, SYSTEM], {"unheard": "of"}, "unheard"),
    ([SOURCE, ("unheard", ("x.txt", b"x"))], {}, "unheard"),
]  # fmt: skip


def test_what_is_wrong_is_said_at_once(owner: httpx.Client) -> None:
    for sent, fields, said in WRONG:
        reply = owner.post("/api/runs", data={"name": "x", "metrics": "fkgl", **fields}, files=sent)
        assert reply.status_code == 422, (said, reply.text)
        error = reply.json()["error"]
        assert said in error, (said, error)
        assert "/tmp" not in error
        assert str(Path(plainly.__file__).parent) not in error
        assert "\n" not in error
    assert good(owner.get("/api/runs"))["runs"] == []


def test_names_of_files_lead_nowhere(done: Done, tmp_path: Path) -> None:
    sent = [
        ("source", ("../../../etc/passwd", b"One.\n")),
        ("system", ("..", b"One.\n")),
        ("system", ("a/b\\c.txt", b"One.\n")),
    ]
    run = done(sent, metrics="fkgl", system_names='["x", ""]')
    assert run["systems"] == ["x", "c"]
    assert run["files"]["Sources"] == "passwd"


def test_gzipped_files_are_read_and_bombs_refused(
    done: Done, owner: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = ("system", ("out.txt.gz", gzip.compress(b"One.\nTwo.\n")))
    assert done([SOURCE, packed], metrics="fkgl")["systems"] == ["out.txt"]
    monkeypatch.setattr("plainly.studio.scoring.form.UNPACKED", 1 / 64)  # 1 MiB
    bomb = ("system", ("bomb.gz", gzip.compress(b"x" * (2 << 20))))
    reply = owner.post("/api/runs", data={"name": "x"}, files=[SOURCE, bomb])
    assert reply.status_code == 413
    assert "bomb.gz" in reply.json()["error"]


def test_too_many_segments(owner: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "MOST_SEGMENTS", 1)
    assert owner.post("/api/runs", data={"name": "x"}, files=[SOURCE, SYSTEM]).status_code == 413


def test_too_large(owner: httpx.Client, app: Any) -> None:
    big = ("system", ("big.txt", os.urandom(1 << 20) * 65))
    assert owner.post("/api/runs", data={"name": "x"}, files=[SOURCE, big]).status_code == 413


def test_choices(owner: httpx.Client) -> None:
    found = good(owner.get("/api/runs/choices", params={"lang": "de"}))
    usual = [metric["name"] for metric in found["metrics"] if metric["usual"]]
    assert usual[:2] == ["sari", "bleu"]
    names = [metric["name"] for metric in found["metrics"]]
    assert "wstf1" in names
    assert "fkgl" not in names  # not defined for German
    assert "judge" not in names  # nobody named a server
    assert owner.get("/api/runs/choices", params={"lang": "nonsense"}).status_code == 422


def test_what_the_numbers_do_not_say_is_noted(done: Done) -> None:
    run = done([SOURCE, SYSTEM], metrics="")
    assert "bleu is left out: it needs references" in run["said"]["notes"]
    assert list(run["evaluation"]["systems"]["out"]) == ["fkgl"]
