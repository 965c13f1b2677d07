"""`plainly gaming`: the study's numbers in every format, and what is refused."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from plainly.demo import demo_corpus
from plainly.gaming import names, study
from plainly.metrics import get

FEW = ["--trials", "5", "--edits", "random-period,replace-longest", "--metrics", "fkgl,sari"]


def test_numbers_are_those_of_the_study(plainly: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("gaming", "--demo", *FEW, "--format", "csv").printed)))
    metrics = [get("fkgl"), get("sari")]
    found = study(demo_corpus("en"), metrics=metrics, edits=["random-period", "replace-longest"], trials=5)
    assert len(rows) == 2 * 6 * 2
    for row in rows:
        spreads = found.curves[row["system"]][row["edit"]][row["metric"]].spreads()
        assert [float(row[f"{level} %"]) for level in (0, 10, 50, 100)] == [spread.mean for spread in spreads]


def test_fkgl_is_fooled_and_says_so(plainly: Any) -> None:
    printed = plainly("gaming", "--demo", *FEW, "--verdicts").printed
    lines = [line.split() for line in printed.splitlines() if line.startswith("fkgl") and "random-period" in line]
    assert [line[-1] for line in lines] == ["NO"] * 6
    assert "60 segments, 5 trials, seed 0, levels nested" in printed
    assert "fkgl|lang:en|" in printed


def test_the_cheapest_deception(plainly: Any) -> None:
    printed = plainly("gaming", "--demo", *FEW, "--deceive", "splitter,hasty-model").printed
    assert "fkgl    random-period  splitter  hasty-model" in printed


def test_json(plainly: Any) -> None:
    content = plainly("gaming", "--demo", *FEW, "--format", "json").json
    assert content["signatures"]["sari"].startswith("sari|lang:en|tok:13a|case:lower|refs:3|")
    assert content["levels"] == [0, 10, 50, 100]


def test_edits_are_listed(plainly: Any) -> None:
    printed = plainly("gaming", "--list", "--format", "csv").printed
    assert [row["edit"] for row in csv.DictReader(io.StringIO(printed))] == names()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--edits", "random-perod"], "did you mean 'random-period'"),
        (["--levels", "0,ten"], "--levels takes numbers from 0 to 100"),
        (["--levels", "0,101"], "levels must be per cents from 0 to 100"),
        (["--trials", "0"], "trials"),
        (["--profile", "tanprasert"], "unknown profile 'tanprasert'"),
        (["--deceive", "splitter", "--trials", "1", "--edits", "lower-case"], "--deceive takes two"),
        (["--baselines", "identity"], "--baselines are not edited"),
    ],
)
def test_bad_input(plainly: Any, arguments: list[str], message: str) -> None:
    assert message in plainly("gaming", "--demo", *arguments).refusal
