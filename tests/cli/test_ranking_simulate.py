"""`plainly ranking simulate`, as its users run it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

SIMULATE = ("ranking", "simulate", "--count", 10, "--runs", 20)


def test_the_crowds_of_the_paper(plainly: Any) -> None:
    printed = plainly(*SIMULATE, "--format", "csv").printed
    found = list(csv.DictReader(printed.splitlines()))
    assert len(found) == 4 * 9
    assert {row["raters"] for row in found} == {
        "oracle",
        "one rater, 90 %",
        "one rater, 75 %",
        "majority of 16, 75 %",
    }
    eight_rounds = [row for row in found if row["pairs"] == "40"]
    assert [row["judgements"] for row in eight_rounds] == ["40", "40", "40", "640"]
    assert {row["minutes a rater"] for row in eight_rounds} == {"10.0"}  # 40 times 15 s


def test_table_says_how_it_was_made(plainly: Any) -> None:
    printed = plainly(*SIMULATE, "--pair-counts", "5,40", "--seed", 3).printed
    assert "elo, random pairs, of several votes the majority; 10 texts, constant error, 15 s a judgement" in printed
    assert "20 runs, seed 3" in printed


def test_raters_of_ones_own(plainly: Any) -> None:
    run = plainly(*SIMULATE, "--accuracy", "0.8,1", "--per-pair", 3, "--pair-counts", 20, "--format", "json")
    assert [(crowd["name"], crowd["votes"]) for crowd in run.json["crowds"]] == [("3 raters, 80 %", 3), ("oracle", 3)]
    assert run.json["crowds"][0]["points"][0]["judgements"] == 60
    assert run.json["setting"]["combination"] == "majority"
    run = plainly(*SIMULATE, "--method", "bradley-terry", "--pair-counts", 20, "--format", "json")
    assert run.json["setting"]["combination"] == "votes"


def test_how_many_judgements(plainly: Any) -> None:
    arguments = ("--target-rho", 0.7, "--raters", 5, "--per-pair", 2, "--accuracy", 0.9, "--seconds", 36)
    found = plainly(*SIMULATE, *arguments, "--format", "json").json
    assert [(plan["method"], plan["pairing"]) for plan in found["plans"]] == [
        ("elo", "random"),
        ("elo", "balanced"),
        ("bradley-terry", "balanced"),
        ("bradley-terry", "swiss"),
    ]
    for plan in found["plans"]:
        assert plan["reached"]
        assert plan["rho"] >= 0.7
        assert plan["judgements"] == 2 * plan["pairs"]
        assert plan["hours"] == pytest.approx(plan["judgements"] / 100)
        assert plan["hours_a_rater"] == pytest.approx(plan["hours"] / 5)
    printed = plainly(*SIMULATE, *arguments, "--method", "elo", "--pairing", "balanced").printed
    assert "raters: 5, votes a pair: 2, each right in 90 % of the pairs" in printed


def test_a_plan_that_fails_beside_others(plainly: Any) -> None:
    """All 45 pairs of 10 texts are not enough for Swiss rounds; with repeats, Bradley-Terry gets there."""
    arguments = ("--target-rho", 0.93, "--accuracy", 0.8, "--method", "bradley-terry")
    printed = plainly(*SIMULATE, *arguments).printed
    assert "not reached" in printed


def test_caution_against_elo_with_adaptive_pairs(plainly: Any) -> None:
    assert "Elo's order can get worse" in plainly(*SIMULATE, "--pairing", "swiss", "--pair-counts", 10).err
    assert plainly(*SIMULATE, "--pairing", "swiss", "--method", "bradley-terry", "--pair-counts", 10).err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--count", 2], "--count is given twice"),
        (["--target-rho", 1.5], "the target must lie between 0 and 1, not 1.5"),
        (["--target-rho", 0.999, "--accuracy", 0.6, "--pairing", "swiss"], "0.999 is not reached: with 45 pairs"),
        (["--target-rho", 0.5, "--raters", 2, "--per-pair", 3], "3 votes a pair need as many raters, not 2"),
        (["--target-rho", 0.5, "--pair-counts", 10], "leave --pair-counts out"),
        (["--raters", 3], "--raters goes with --target-rho"),
        (["--accuracy", "most"], "--accuracy takes shares"),
        (["--accuracy", "0.4"], "accuracy must lie above 0.5"),
        (["--pair-counts", "ten"], "--pair-counts takes whole numbers"),
        (["--pair-counts", "46", "--pairing", "swiss"], "10 texts make 45 pairs"),
        (["--seconds", "0"], "--seconds must be above 0"),
        (["--k", "0"], "k must be above 0"),
        (["--threads", "0"], "threads must be at least 1"),
        (["--pair-counts", "10000000000"], "at most 20000 texts and 1000000 pairs"),
        (["--accuracy", "0.9", "--per-pair", "10000000000"], "1 to 1000 votes a pair"),
    ],
)
def test_refused(plainly: Any, arguments: list[object], message: str) -> None:
    assert message in plainly(*SIMULATE, *arguments).refusal


def test_too_few_texts(plainly: Any) -> None:
    for texts in (0, 1, 2):
        assert f"at least 3 texts, not {texts}" in plainly("ranking", "simulate", "--count", texts).refusal


def test_a_page_with_a_chart(plainly: Any) -> None:
    assert plainly(*SIMULATE, "--pair-counts", "5,10", "-o", "plan.html").printed == ""
    assert Path("plan.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    run = plainly(*SIMULATE, "--target-rho", 0.5, "-o", "plan.html")
    assert run.refusal == "plan.html: a page shows curves; with --target-rho choose another ending"
