"""Outputs on which raters differ most."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plainly.cli import main
from plainly.ratings import Rating, gathered
from plainly.ratings.contested import contested

VALUES = {
    ("1", "a"): {"ann": 5.0, "ben": 1.0, "cem": 3.0},
    ("1", "b"): {"ann": 5.0, "ben": 1.0, "cem": 5.0},
    ("2", "a"): {"ann": 2.0, "ben": 2.0, "cem": 2.0},
    ("2", "b"): {"ann": 2.0, "ben": 3.0},
    ("3", "a"): {"ann": 1.0},
}
ROWS = [
    Rating(rater, item, system, "fluency", value)
    for (item, system), own in VALUES.items()
    for rater, value in own.items()
]


def test_the_widest_range_comes_first_then_the_largest_deviation() -> None:
    found = contested(gathered(ROWS))
    assert [(row.item, row.system, row.range) for row in found] == [("1", "b", 4), ("1", "a", 4), ("2", "b", 1)]
    # by hand: 5, 1, 5 has mean 11/3 and squares 16/9 + 64/9 + 16/9 = 96/9, over 2; 5, 1, 3 has 8 over 2
    assert [row.deviation for row in found] == pytest.approx([(96 / 18) ** 0.5, 2.0, 0.5**0.5])
    assert list(found[1].ratings.items()) == [("ben", 1.0), ("cem", 3.0), ("ann", 5.0)]


def test_the_best_known_are_enough_and_checks_and_the_unjudged_do_not_count() -> None:
    more = [
        Rating("ann", "4", "check", "fluency", 1.0, role="check"),
        Rating("ben", "4", "check", "fluency", 5.0, role="check"),
        Rating("cem", "2", "b", "fluency", None),
    ]
    assert [row.item for row in contested(gathered([*ROWS, *more]))] == ["1", "1", "2"]
    assert [row.system for row in contested(gathered(ROWS), 1)] == ["b"]


def test_the_command_line_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"{row.rater},{row.item},{row.system},{row.scale},{row.value:g}" for row in ROWS]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["rater,item,system,scale,value", *lines]) + "\n", "utf-8")
    assert main(["ratings", "score", str(path), "--table", "contested", "--format", "csv"]) == 0
    told = capsys.readouterr().out
    assert "ben 1, ann 5, cem 5" in told
    assert main(["ratings", "score", str(path), "--format", "json"]) == 0
    (first, *_) = json.loads(capsys.readouterr().out)["contested"]
    assert first == {
        "scale": "fluency",
        "item": "1",
        "system": "b",
        "role": "output",
        "range": 4.0,
        "deviation": pytest.approx((96 / 18) ** 0.5),
        "ratings": {"ben": 1.0, "ann": 5.0, "cem": 5.0},
    }
