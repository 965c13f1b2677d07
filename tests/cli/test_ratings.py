"""`plainly ratings score`: every table in every format, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from plainly.inference import Resampling
from plainly.ratings import analyse, read_ratings

HEADER = "rater,item,system,scale,value,seconds,role,expected\n"
QUICK = ("--resamples", "50")


@pytest.fixture(autouse=True)
def ratings() -> str:
    rows = []
    for place, rater in enumerate(("ann", "ben", "cem")):
        for item in range(8):
            for system, good in (("copy", 2), ("mine", 3), ("human", 4)):
                role = "reference" if system == "human" else ""
                for scale in ("fluency", "meaning"):
                    value = good + (item + place) % 2
                    rows.append(f"{rater},i{item},{system},{scale},{value},{9 + place},{role},\n")
        rows.append(f"{rater},k1,check,fluency,{5 if rater == 'cem' else 1},9,check,1..2\n")
    Path("r.csv").write_text(HEADER + "".join(rows))
    return "r.csv"


def test_json_is_the_study(plainly: Any) -> None:
    content = plainly("ratings", "score", "r.csv", *QUICK, "--format", "json").json
    assert content == analyse(read_ratings("r.csv"), resampling=Resampling(resamples=50)).to_dict()
    settings = (
        "--draw",
        "items",
        "--seed",
        3,
        "--confidence",
        0.9,
        "--values",
        "z",
        "--checks",
        "drop",
        "--most-failed",
        1,
    )
    content = plainly("ratings", "score", "r.csv", *QUICK, "--format", "json", *settings).json
    expected = "ratings|values:z|checks:drop>1|alpha:auto|draw:items|confidence:0.9|resamples:50|seed:3|plainly:"
    assert content["signature"].startswith(expected)


def test_the_table_of_systems(plainly: Any) -> None:
    out = plainly("ratings", "score", "r.csv", *QUICK).printed
    assert out.splitlines()[0].split()[:6] == ["scale", "system", "role", "items", "raters", "ratings"]
    # Half of the ratings are one higher: 2.5 and 3.5; the reference has 4.5.
    rows = [line.split() for line in out.splitlines()[2:8]]
    assert [(row[0], row[1], row[7], row[10]) for row in rows[:2]] == [
        ("fluency", "copy", "2.50", "-2.00"),
        ("fluency", "mine", "3.50", "-1.00"),
    ]
    assert "attention checks: 3, failed: 1\nattention checks failed by cem\n" in out
    assert "in brackets: 95% intervals, 50 resamples of items and raters" in out
    assert out.splitlines()[-1].startswith("ratings|values:raw|checks:keep|")


@pytest.mark.parametrize(
    ("table", "rows", "column"),
    [((), 6, "mean"), ("pairs", 6, "p (Holm)"), ("agreement", 2, "alpha"), ("raters", 3, "flags")],
)
def test_every_table_in_every_format(plainly: Any, table: Any, rows: int, column: str) -> None:
    chosen = ["--table", table] if table else []
    out = plainly("ratings", "score", "r.csv", *QUICK, *chosen, "--format", "csv").printed
    found = list(csv.DictReader(io.StringIO(out)))
    assert len(found) == rows
    assert all(column in row and row["signature"].startswith("ratings|") for row in found)
    for form, mark in (
        ("table", "---"),
        ("markdown", "| --- |"),
        ("latex", r"\begin{tabular}"),
        ("html", "<caption>"),
    ):
        assert mark in plainly("ratings", "score", "r.csv", *QUICK, *chosen, "--format", form).printed


def test_raters_are_shown_when_they_are_dropped(plainly: Any) -> None:
    out = plainly(
        "ratings", "score", "r.csv", *QUICK, "--checks", "drop", "--table", "raters", "--format", "csv"
    ).printed
    found = {row["rater"]: row for row in csv.DictReader(io.StringIO(out))}
    assert {name: row["counts"] for name, row in found.items()} == {"ann": "yes", "ben": "yes", "cem": "no"}
    assert found["cem"]["flags"] == "failed checks"
    assert found["cem"]["with others: fluency"] == ""


def test_files_of_others(plainly: Any) -> None:
    Path("w.csv").write_text("who,id,sys,f\na,1,x,3\nb,1,x,4\na,1,h,5\nb,1,h,5\n")
    options = ("--scales", "f", "--columns", "rater=who,item=id,system=sys", "--reference", "h", "--range", "f=1..5")
    content = plainly("ratings", "score", "w.csv", *QUICK, *options, "--format", "json").json
    assert [(row["system"], row["role"], row["mean"]["value"]) for row in content["systems"]] == [
        ("x", "output", 3.5),
        ("h", "reference", 5.0),  # references come last
    ]
    assert (
        plainly("ratings", "score", "w.csv", *options[:-2], "--range", "1..4").refusal
        == "w.csv:4: f must be 1..4, not 5"
    )


def test_several_files_and_an_output(plainly: Any) -> None:
    lines = Path("r.csv").read_text().splitlines(keepends=True)
    Path("a.csv").write_text("".join(lines[:50]))
    Path("b.csv").write_text("".join([lines[0], *lines[50:]]))
    whole = plainly("ratings", "score", "r.csv", *QUICK).printed
    assert plainly("ratings", "score", "a.csv", "b.csv", *QUICK, "-o", "out.txt").printed == ""
    assert Path("out.txt").read_text() == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv"], "none.csv: no such file"),
        (["r.csv", "--columns", "who=x"], "--columns who=x: who is none of rater, item,"),
        (["r.csv", "--columns", "rater"], "--columns takes NAME=COLUMN"),
        (["r.csv", "--range", "low..high"], "--range needs LOW..HIGH or SCALE=LOW..HIGH, as 1..5, not 'low..high'"),
        (["r.csv", "--table", "rater"], "unknown value of --table 'rater'; did you mean 'raters'?"),
        (["r.csv", "--resamples", "0"], "resamples must be at least 1, not 0"),
        (["r.csv", "--confidence", "2"], "the confidence must lie between 0 and 1"),
        (["r.csv", "--reference", "humans"], "unknown system 'humans'; did you mean 'human'?"),
        (["r.csv", "r.csv"], "is given twice; its ratings would count twice"),
        (["r.csv", "-o", "r.csv"], "r.csv is an input of this run"),
        (["r.csv", "--scales", "speed"], "r.csv:2: speed is missing"),
    ],
)
def test_what_is_refused(plainly: Any, arguments: list[str], message: str) -> None:
    assert message in plainly("ratings", "score", *arguments).refusal


def test_of_few_raters_it_is_said_what_that_means(plainly: Any) -> None:
    """Three may differ more than they seem to; one differs from nobody."""
    few = plainly("ratings", "score", "r.csv", *QUICK)
    assert "only 3 raters: where they differ much, " in few.out + few.err
    alone = [row for row in Path("r.csv").read_text().splitlines() if not row.startswith(("ben", "cem"))]
    Path("alone.csv").write_text("\n".join(alone) + "\n")
    said = plainly("ratings", "score", "alone.csv", *QUICK)
    assert "one rating an output: how far raters differ is not known, " in said.out + said.err
    assert "1 raters" not in said.out + said.err


def test_groups_of_raters(plainly: Any) -> None:
    liked = {("kids", "short"): 4, ("kids", "full"): 2, ("adults", "short"): 3, ("adults", "full"): 4}
    rows = [
        f"{who}{rater},i{item},{system},simplicity,{value + (item + rater + len(system)) % 2},{who}"
        for (who, system), value in liked.items()
        for rater in range(3)
        for item in range(8)
    ]
    Path("a.csv").write_text("rater,item,system,scale,value,audience\n" + "\n".join(rows))
    command = ("ratings", "score", "a.csv", "--resamples", "200", "--by", "audience")
    out = plainly(*command).printed
    assert out.startswith("simplicity, audience adults: full suits best (4.50), beyond chance.\n")
    assert "|by:audience|" in out
    for table, count in (("groups", 4), ("group-pairs", 2), ("contrasts", 1), ("texts", 32)):
        printed = plainly(*command, "--table", table, "--format", "csv").printed
        assert len(printed.splitlines()) == 1 + count, table
    (contrast,) = plainly(*command, "--format", "json").json["contrasts"]
    assert contrast["difference"]["value"] == pytest.approx(3)  # adults: full 1 more; kids: 2 less
    refused = plainly("ratings", "score", "a.csv", "--table", "contrasts")
    assert refused.refusal.startswith("--table contrasts needs --by")
    assert "age is missing" in plainly("ratings", "score", "a.csv", "--by", "age").refusal
