"""Means with items and raters drawn anew, against working by hand and a formula for the variance."""

from __future__ import annotations

import numpy as np
import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.two_way_bootstrap import crossed_means

NONE = np.nan


def test_means_are_those_of_items() -> None:
    # Item means 3, 4 and 2 (the second has one rating); by ratings it would be (2 + 4 + 4 + 1 + 3) / 5 = 2.8.
    table = np.array([[2.0, 4.0], [4.0, NONE], [1.0, 3.0]])
    found = crossed_means([table], resamples=10, seed=1)
    assert found.observed.tolist() == [3.0]
    assert found.drawn.shape == (10, 1)


def test_differences_are_over_items_that_both_have() -> None:
    first = np.array([[5.0, 5.0], [3.0, NONE], [NONE, NONE]])
    second = np.array([[4.0, 2.0], [NONE, 1.0], [1.0, 1.0]])
    found = crossed_means([first, second], [(0, 1)], resamples=10, seed=1)
    # Items: 5 - 3 = 2 and 3 - 1 = 2; the third has no rating of the first.
    assert found.observed.tolist() == [4.0, pytest.approx(5 / 3), 2.0]


def test_variance_of_a_full_table() -> None:
    """With x = m + a_i + b_r + e_ir, parts that add up to 0 over items and raters, the resampled mean varies by
    sum a² / I² + sum b² / R² + sum e² / (I R)²: drawn counts have the covariance of a multinomial distribution, whose
    constant part meets sums of 0. (The share of e is what Owen 2007 finds.)"""
    draw = np.random.default_rng(3)
    table = draw.normal(size=(12, 1)) + draw.normal(size=(1, 7)) + draw.normal(size=(12, 7))
    whole = table.mean()
    items, raters = table.mean(1, keepdims=True) - whole, table.mean(0, keepdims=True) - whole
    rest = table - whole - items - raters
    parts = {
        "items": float((items**2).sum()) / 12**2,
        "raters": float((raters**2).sum()) / 7**2,
    }
    parts["both"] = parts["items"] + parts["raters"] + float((rest**2).sum()) / (12 * 7) ** 2
    for name, expected in parts.items():
        found = crossed_means([table], resamples=20_000, seed=5, draw=name)  # type: ignore[arg-type]
        assert found.drawn.var() == pytest.approx(expected, rel=0.04), name


def test_a_rater_nobody_drew() -> None:
    """One item is known from one rater alone: without that rater it does not count, and the mean is the other's."""
    table = np.array([[1.0, NONE], [NONE, 9.0]])
    drawn = crossed_means([table], resamples=400, seed=2, draw="raters").drawn
    assert set(drawn[:, 0].tolist()) == {1.0, 5.0, 9.0}
    both = crossed_means([table], resamples=400, seed=2).drawn
    assert np.isnan(both).any()  # the item drawn, its rater not
    assert {1.0, 9.0} <= set(both[~np.isnan(both)].tolist())


def test_the_seed_decides_and_blocks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.arange(12.0).reshape(4, 3)
    found = crossed_means([table], resamples=50, seed=7)
    assert (found.drawn == crossed_means([table], resamples=50, seed=7).drawn).all()
    assert (found.drawn != crossed_means([table], resamples=50, seed=8).drawn).any()
    monkeypatch.setattr("plainly.inference.two_way_bootstrap.BLOCK", 8)
    assert (found.drawn == crossed_means([table], resamples=50, seed=7).drawn).all()


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="kind of draw"):
        crossed_means([np.ones((2, 2))], resamples=5, seed=1, draw="rater")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="resamples must be at least 1"):
        crossed_means([np.ones((2, 2))], resamples=0, seed=1)


def test_other_raters_would_have_said_something_else() -> None:
    """Two equal systems, rated by people who favour one or the other: how often does a 95 % interval hold 0?"""
    draw = np.random.default_rng(11)
    held = {"both": 0, "items": 0}
    for trial in range(120):
        first, second = (
            draw.normal(size=(40, 1)) + draw.normal(scale=0.5, size=(1, 10)) + draw.normal(size=(40, 10))
            for _ in range(2)
        )
        for name in held:
            found = crossed_means([first, second], [(0, 1)], resamples=200, seed=trial, draw=name)  # type: ignore[arg-type]
            low, high = np.quantile(found.drawn[:, 2], [0.025, 0.975])
            held[name] += bool(low <= 0 <= high)
    assert held["both"] > 0.9 * 120
    assert held["items"] < 0.85 * 120
