"""`plainly operations correlate`, as its users run it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

ADJECTIVES = ("huge", "vast", "large", "big", "great", "wide", "tall", "long")
CORRELATE = ("operations", "correlate", "--resamples", 50, "--quiet")


@pytest.fixture(autouse=True)
def _files() -> None:
    """Eight sources; of each a copy, one with a synonym, one with a synonym and deletions."""
    with Path("refs.jsonl").open("w", encoding="utf-8") as out:
        for i, adjective in enumerate(ADJECTIVES):
            source = f"The {adjective} edifice number {i} collapsed during the night".split()
            shorter = f"The building {i} collapsed".split()
            synonym = {"source": [2], "target": [2], "label": "synonym"}
            deletions = [
                {"source": [1, 3], "target": [], "label": "delmod"},
                {"source": [6, 7, 8], "target": [], "label": "deloth"},
                {"source": [2], "target": [1], "label": "synonym"},
            ]
            replaced = [*source[:2], "building", *source[3:]]
            for origin, target, groups in (
                ("copy", source, []),
                ("synonym", replaced, [synonym]),
                ("short", shorter, deletions),
            ):
                record = {"id": str(i), "origin": origin, "source": source, "target": target, "groups": groups}
                out.write(json.dumps(record) + "\n")
    Path("ref.0").write_text("".join(f"Building {i} fell at night .\n" for i in range(8)), "utf-8")


def test_table(plainly: Any) -> None:
    printed = plainly(*CORRELATE, "--annotations", "refs.jsonl").printed
    lines = printed.splitlines()
    assert lines[0].split()[:5] == ["score", "operation", "pairs", "with", "it"]
    assert "24 pairs of 8 sources, each judged by the other targets of its source" in printed
    rows = [line.split() for line in lines if line.startswith("sari")]
    assert len([row for row in rows if "|" not in row[0]]) == 12  # 3 operations that occur, SARI and its three parts
    assert "Holm, 5 tests" in printed  # the others have the same rho in each resample, so no p by source
    assert "|refs:2|" in printed


def test_json_has_both_p_values(plainly: Any) -> None:
    content = plainly(*CORRELATE, "--annotations", "refs.jsonl", "--format", "json").json
    first = content["correlations"][0]
    assert (first["score"], first["operation"], first["pairs"], first["n"]) == ("sari", "synonym", 16, 24)
    assert first["low"] <= first["value"] <= first["high"]
    assert {"p", "p_resampled", "p_corrected"} <= first.keys()
    assert content["regressions"] == []


def test_csv_has_all_digits_of_p_and_nothing_where_there_is_none(plainly: Any) -> None:
    given = ("operations", "correlate", "--quiet", "--annotations", "refs.jsonl", "--resamples", 0)
    rows = list(csv.DictReader(io.StringIO(plainly(*given, "--format", "csv").printed)))
    found = plainly(*given, "--format", "json").json["correlations"]
    assert [float(row["p"]) if row["p"] else None for row in rows] == [finding["p"] for finding in found]
    assert {row["p by source"] for row in rows} == {row["rho low"] for row in rows} == {""}
    assert {row["verdict"] for row in rows} == {"", "rewarded"}


def test_references_with_ids_are_noted(plainly: Any) -> None:
    lines = Path("ref.0").read_text("utf-8").splitlines()
    Path("ref.0").write_text("".join(f"{i}\t{line}\n" for i, line in enumerate(lines)), "utf-8")
    given = ("operations", "correlate", "--annotations", "refs.jsonl", "--references", "ref.0", "--resamples", 0)
    assert "note: references begin with a number and a tab, as '0\\tBuilding 0 fell at'" in plainly(*given).err


def test_outputs_judged_by_references(plainly: Any) -> None:
    arguments = ("--annotations", "refs.jsonl", "--references", "ref.0", "--metrics", "bleu,fkgl", "--parts", "")
    printed = plainly(*CORRELATE, *arguments, "--classes", "--presence").printed
    assert "judged by the references given" in printed
    assert "bleu|" in printed
    assert "refs:1" in printed
    assert "delete" in printed
    assert "fkgl components" not in printed


def test_regressions(plainly: Any) -> None:
    pytest.importorskip("sklearn", reason="needs plainly[learn]")
    arguments = ("--annotations", "refs.jsonl", "--regress", "lasso,tree", "--folds", 4, "--folds-by", "both")
    content = plainly(*CORRELATE, *arguments, "--penalty", 0.1, "--format", "json").json
    assert len(content["regressions"]) == 2 * 2 * 4
    assert {row["folding"]: row["folds"] for row in content["regressions"]} == {"source": 4, "reference": 3}
    table = plainly(*CORRELATE, *arguments, "--table", "coefficients", "--format", "csv").printed
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["operation"] for row in rows][:2] == ["synonym", "hyperonym"]
    assert float(rows[0]["sari (lasso)"]) > 0
    printed = plainly(*CORRELATE, *arguments).printed
    assert "How much of a score do operations explain?" in printed
    assert "regressions: 24 pairs of 8 sources, 4 folds" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--regress", "ridge"], "unknown model 'ridge'"),
        (["--table", "regressions"], "--table regressions needs --regress"),
        (["--regress", "lasso", "--format", "csv"], "one file holds one table"),
        (["--metrics", ""], "--metrics names no metric"),
        (["--metrics", "sarri"], "did you mean 'sari'"),
        (["--parts", "kept"], "unknown component of sari 'kept'"),
        (["--references", "nowhere"], "nowhere: no such file"),
        (["--references", "short.ref"], "8 sources, but the references have 2 lines"),
        (["--references", "blank.ref"], "blank.ref:2: empty reference"),
        (["--raw-targets", "ref.0"], "3 origins (copy, synonym, short), but untokenised targets are given for 1"),
        (["--resamples", "-1"], "resamples must be at least 0"),
        (["--confidence", "2"], "the confidence must lie between 0 and 1"),
        (["--regress", "lasso", "--folds", "1"], "at least 2 folds"),
        (["--regress", "lasso", "--penalty", "nan"], "alpha must be above 0"),
    ],
)
def test_refusals(plainly: Any, arguments: list[str], message: str) -> None:
    Path("short.ref").write_text("One .\nTwo .\n", "utf-8")
    Path("blank.ref").write_text("One .\n\n" + "More .\n" * 6, "utf-8")
    given = ["--quiet", "--annotations", "refs.jsonl", *arguments]
    assert message in plainly("operations", "correlate", *given).refusal


def test_raw_texts_that_are_others_are_noted(plainly: Any) -> None:
    run = plainly(
        "operations", "correlate", "--annotations", "refs.jsonl", "--raw-sources", "ref.0", "--resamples", 0
    )
    assert run.status == 0
    assert "note: 8 untokenised texts differ from the annotated ones in more than white space" in run.err
