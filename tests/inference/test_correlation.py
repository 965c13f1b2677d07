"""Correlations against scipy; resampled ones against resamples made by repeating observations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import Resampling
from plainly.inference.correlation import average_ranks, beta_share, correlate, kendall, pearson, spearman
from plainly.inference.resampling import bootstrap_weights


def _kendalltau(x: Any, y: Any) -> Any:
    return stats.kendalltau(x, y, method="asymptotic")


ORACLES = [(spearman, stats.spearmanr), (pearson, stats.pearsonr), (kendall, _kendalltau)]
VALUES = st.lists(st.tuples(st.integers(-3, 3), st.integers(-50, 50)), min_size=4, max_size=60)


@pytest.mark.parametrize(("ours", "theirs"), ORACLES)
@given(pairs=VALUES)
def test_equals_scipy_with_ties(ours: Any, theirs: Any, pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=float).T
    found = ours(x, y)
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert math.isnan(found.value)
        assert math.isnan(found.p)
        return
    value, p = theirs(x, y)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.n == len(x)
    assert found.p == pytest.approx(p, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(("ours", "theirs"), ORACLES)
def test_equals_scipy_on_many(ours: Any, theirs: Any) -> None:
    draw = np.random.default_rng(7)
    x = draw.poisson(1.2, 4000).astype(float)
    y = draw.normal(size=4000) + 0.15 * x
    value, p = theirs(x, y)
    found = ours(x, y)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.p == pytest.approx(p, rel=1e-8)


def test_by_hand() -> None:
    # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: centred products 2.25 + 0 + 0 + 2.25, roots of 4.5 and 5.
    assert spearman([10, 20, 20, 30], [1, 2, 3, 4]).value == pytest.approx(4.5 / math.sqrt(4.5 * 5))
    assert kendall([1, 2, 3, 4], [10, 20, 20, 30]) == kendall([10, 20, 20, 30], [1, 2, 3, 4])
    # Six pairs, one tied in x, none discordant: 5 / sqrt(5 * 6).
    assert kendall([10, 20, 20, 30], [1, 2, 3, 4]).value == pytest.approx(5 / math.sqrt(30))


def test_missing_values_do_not_count() -> None:
    x, y = [1, 2, math.nan, 4, 5, 7], [2, 1, 5, math.inf, 4, 9]
    found = spearman(x, y)
    assert found == spearman([1, 2, 5, 7], [2, 1, 4, 9])
    assert found.n == 4


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0]])
def test_too_few_have_no_p(values: list[float]) -> None:
    assert math.isnan(spearman(values, values).p)


@pytest.mark.parametrize("x", [1e-12, 0.01, 0.3, 0.5, 0.9, 0.999999])
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1, 0.5), (24, 0.5), (1794, 0.5), (2, 3)])
def test_beta_equals_scipy(x: float, a: float, b: float) -> None:
    assert beta_share(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-9)


def test_weighted_ranks_are_those_of_repeated_rows() -> None:
    draw = np.random.default_rng(3)
    values, weights = draw.integers(0, 4, (30, 3)).astype(float), draw.integers(0, 4, 30)
    repeated = np.repeat(values, weights, axis=0)
    expected = np.stack([stats.rankdata(column) for column in repeated.T], axis=1)
    assert np.repeat(average_ranks(values, weights.astype(float)), weights, axis=0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("coefficient", "theirs"), [("spearman", stats.spearmanr), ("pearson", stats.pearsonr), ("kendall", _kendalltau)]
)
def test_resamples_repeat_whole_clusters(coefficient: Any, theirs: Any) -> None:
    draw = np.random.default_rng(11)
    clusters = np.repeat(np.arange(8), 5)
    x = draw.integers(0, 3, 40).astype(float)
    y = draw.normal(size=40) + x
    ((found,),) = correlate(
        x,
        y,
        coefficient=coefficient,
        clusters=clusters.tolist(),
        resampling=Resampling(resamples=50, seed=5),
    )
    weights = np.concatenate(list(bootstrap_weights(8, 50, 5)))
    values = []
    for row in weights.astype(int):
        rows = np.repeat(np.arange(40), row[clusters])
        values.append(theirs(x[rows], y[rows])[0])
    assert found.estimate.has_interval
    assert (found.estimate.low, found.estimate.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
    z = abs(np.arctanh(found.value)) / np.std(np.arctanh(values), ddof=1)
    assert found.p_resampled == pytest.approx(2 * stats.norm.sf(z))


def test_gaps_in_one_column_leave_the_others_alone() -> None:
    draw = np.random.default_rng(2)
    xs, ys = draw.integers(0, 5, (30, 2)).astype(float), draw.normal(size=(30, 2))
    ys[:7, 1] = np.nan
    grid = correlate(xs, ys, resampling=Resampling(resamples=20))
    assert [[cell.n for cell in row] for row in grid] == [[30, 23], [30, 23]]
    for i in range(2):
        alone = correlate(xs[:, i], ys[:, 0], resampling=Resampling(resamples=20))[0][0]
        assert grid[i][0].value == pytest.approx(alone.value)
        assert grid[i][1].value == pytest.approx(stats.spearmanr(xs[7:, i], ys[7:, 1])[0])


def test_scales_may_differ_by_far() -> None:
    draw = np.random.default_rng(4)
    xs = draw.normal(size=(50, 2)) * [1e-9, 1e9] + [0.1, 1e6]
    ys = draw.normal(size=50)
    grid = correlate(
        np.column_stack([xs, np.full(50, 0.1)]), ys, coefficient="pearson", resampling=Resampling(resamples=0)
    )
    for i in range(2):
        assert grid[i][0].value == pytest.approx(stats.pearsonr(xs[:, i], ys)[0], abs=1e-6)
    assert math.isnan(grid[2][0].value)


def test_refuses_what_makes_no_sense() -> None:
    with pytest.raises(PlainlyError, match="not 2 and 3"):
        spearman([1, 2], [1, 2, 3])
    with pytest.raises(UnknownName, match="spearman"):
        correlate([1, 2], [1, 2], coefficient="spearmann")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="clusters have 1"):
        correlate([1, 2], [1, 2], clusters=["a"])


@pytest.mark.parametrize("unit", [1e300, 1e-300])
@pytest.mark.parametrize(("ours", "theirs"), ORACLES)
def test_squares_are_not_lost(ours: Any, theirs: Any, unit: float) -> None:
    draw = np.random.default_rng(6)
    x = draw.normal(size=30)
    y = x + draw.normal(size=30)
    assert ours(x * unit, y / unit).value == pytest.approx(theirs(x, y)[0])
