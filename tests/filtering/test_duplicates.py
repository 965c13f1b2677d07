"""Repeated rows are found as Python's own set finds them, in whatever pieces they come."""

from __future__ import annotations

import random

import pytest

from plainly.filtering.duplicates import Seen, hash_of


@pytest.mark.parametrize("piece", [1, 7, 500, 5000])
def test_finds_what_a_set_finds(piece: int) -> None:
    chance = random.Random(3)
    rows = [(f"source {chance.randrange(800)}", chance.choice([None, "", "x"])) for _ in range(5000)]
    before: set[tuple[str, str | None]] = set()
    expected = []
    for row in rows:
        expected.append(row in before)
        before.add(row)
    seen = Seen()
    found: list[bool] = []
    for start in range(0, len(rows), piece):
        found += seen.repeated(rows[start : start + piece]).tolist()
    assert found == expected


def test_nothing_is_seen_in_nothing() -> None:
    assert Seen().repeated([]).tolist() == []


def test_where_one_text_ends_and_the_next_begins_matters() -> None:
    rows = [("ab", "c"), ("a", "bc"), ("abc", ""), ("abc", None), (None, "abc"), ("", "abc"), ("-", ""), (None, "")]
    assert len({hash_of(row) for row in rows}) == len(rows)
