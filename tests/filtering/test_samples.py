"""Samples of a stream: whole while it is short, fair when it is long, the same however it comes."""

from __future__ import annotations

import numpy as np
import pytest

from plainly.filtering.samples import Items, Values


def test_a_short_stream_is_its_own_sample() -> None:
    sample = Values(2, 100, [0])
    rows = np.arange(60.0).reshape(30, 2)
    for start in range(0, 30, 7):
        sample.add(rows[start : start + 7])
    assert np.array_equal(sample.rows, rows)
    assert sample.seen == 30


@pytest.mark.parametrize("piece", [1, 64, 1000])
def test_pieces_do_not_matter(piece: int) -> None:
    rows = np.arange(1000.0)[:, None]
    whole, pieces = Values(1, 50, [4]), Values(1, 50, [4])
    whole.add(rows)
    for start in range(0, 1000, piece):
        pieces.add(rows[start : start + piece])
    assert np.array_equal(whole.rows, pieces.rows)
    assert len(whole.rows) == 50


def test_every_row_has_the_same_chance() -> None:
    """In 2000 draws of 10 of 40, each comes up 500 times, with a standard deviation of 19.4 (binomial)."""
    times = np.zeros(40)
    for seed in range(2000):
        sample = Values(1, 10, [seed])
        sample.add(np.arange(25.0)[:, None])
        sample.add(np.arange(25.0, 40.0)[:, None])
        times[sample.rows[:, 0].astype(int)] += 1
    assert times.sum() == 20_000
    assert abs(times - 500).max() < 4.5 * 19.4


def test_only_what_is_drawn_is_made() -> None:
    sample: Items[int] = Items(3, [1])
    made = 0
    for start in range(0, 1000, 100):
        for place in sample.choose(100):
            sample.add(start + place)
            made += 1
    assert len(sample.items) == 3
    assert sample.items == sorted(sample.items)
    assert made < 40
