"""Pairs counted by sorting are those counted one by one."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.inference import Resampling, ties
from plainly.inference.sorted_pairs import WIDE, SortedPairs
from plainly.inference.ties import pairwise_accuracy, wmt_taus

Row = tuple[float, float, int]  # the measure, people, how often the row stands in the draw
ROWS = st.lists(
    st.tuples(
        st.one_of(st.integers(-3, 3).map(lambda i: i / 10), st.floats(-1e308, 1e308)),
        st.integers(0, 5).map(float),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=25,
)


def one_by_one(rows: list[Row], epsilon: float) -> list[float]:
    """C, D, H, M, B, as the top of `ties` defines them."""
    counts = [0.0] * 5
    for (x, y, w), (u, v, z) in combinations(rows, 2):
        tied, tied_human = abs(x - u) <= epsilon, y == v
        kind = (4 if tied_human else 3) if tied else 2 if tied_human else int((x > u) != (y > v))
        counts[kind] += w * z
    return counts


@given(rows=ROWS, epsilon=st.sampled_from([0.0, 0.1, 0.2, 0.30000000000000004, 1e300, math.inf]))
def test_as_counted_one_by_one(rows: list[Row], epsilon: float) -> None:
    metric, human, weights = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    pairs = SortedPairs(metric, human, epsilon)
    found = pairs.kinds(np.stack([weights, np.ones(len(rows))]))
    assert found[0].tolist() == one_by_one(rows, epsilon)
    assert found[1].tolist() == one_by_one([(x, y, 1) for x, y, _ in rows], epsilon)
    assert (pairs.kinds(np.tile(weights, (WIDE, 1))) == found[0]).all()  # many draws are summed in another way


def test_resamples_compare_no_two_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("every row is compared with every other")

    monkeypatch.setattr(ties, "_kinds", refused)
    draw = np.random.default_rng(8)
    human = draw.integers(0, 2, 300).astype(float)
    metric = human + draw.normal(size=300)
    taus = wmt_taus(metric, human, resampling=Resampling(resamples=20))
    accuracy = pairwise_accuracy(metric, human, resampling=Resampling(resamples=20))
    assert all(found.estimate.has_interval for found in taus.values())
    assert accuracy.epsilon > 0
    assert accuracy.estimate.has_interval
    assert accuracy.estimate.low < accuracy.value < accuracy.estimate.high
