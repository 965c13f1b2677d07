"""The tables of `plainly comprehension score` and `report`: tests of groups, rows kept apart, and guessing."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from plainly.comprehension.formats import write_records
from plainly.comprehension.simulation import made_up_experiment, simulated


@pytest.fixture
def answers(tmp_path: Path) -> list[str]:
    write_records(simulated(made_up_experiment(), 30, seed=2).answers, tmp_path / "a.csv")
    return [str(tmp_path / "a.csv"), "--resamples", "50"]


@pytest.mark.slow
def test_tests_of_groups(plainly: Any, answers: list[str]) -> None:
    asked = ["--by", "age:45", "--by", "level"]
    out = plainly("comprehension", "report", *answers, *asked, "--table", "group-tests", "--format", "csv").printed
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["column"] for row in rows} == {"age:45", "level"}
    found = plainly("comprehension", "report", *answers, *asked, "--format", "json").json["group_tests"]
    assert [float(row["p (Holm)"]) for row in rows] == [
        test["p_holm"] for name in ("age:45", "level") for test in found[name]
    ]
    text = plainly("comprehension", "report", *answers, *asked).printed
    assert "Do groups of readers differ?" in text
    assert "correct answers of under 45 against 45 and over (age:45): " in text


def test_rows_kept_apart(plainly: Any, answers: list[str]) -> None:
    with Path(answers[0]).open("a", encoding="utf-8") as out:
        out.write("20,native,99,1,complex,1-1,0,-5,1,1,0\n")
    for action in ("score", "report"):
        text = plainly("comprehension", action, *answers, "--faults", "apart", "--table", "apart").printed
        (row,) = (line for line in text.splitlines() if "a.csv" in line)
        assert row.split()[1:4] == ["542", "99", "time"]
        assert "|faults:apart|" in text
    (apart,) = plainly("comprehension", "score", *answers, "--faults", "apart", "--format", "json").json["counts"][
        "apart"
    ]
    assert apart["row"] == 542


def test_a_page_has_every_table(plainly: Any, answers: list[str]) -> None:
    for more in (["--table", "texts"], ["--format", "json"]):
        assert "a page has every table" in plainly("comprehension", "report", *answers, *more, "-o", "x.html").refusal
        assert not Path("x.html").exists()
