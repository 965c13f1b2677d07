"""Partial correlations against pingouin, against residuals, and on resamples made by repeating rows."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import Resampling
from plainly.inference.correlation import pearson
from plainly.inference.partials import partial
from plainly.inference.resampling import bootstrap_weights


def pingouin_partial(x: Any, y: Any, controls: Any, method: str) -> tuple[float, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the packages that pingouin imports
        pingouin = pytest.importorskip("pingouin", reason="pingouin is not installed")
        pandas = pytest.importorskip("pandas", reason="pandas is not installed")
        frame = pandas.DataFrame({"x": x, "y": y, **{f"c{i}": column for i, column in enumerate(controls.T)}})
        names = [name for name in frame if name.startswith("c")]
        row = pingouin.partial_corr(frame, x="x", y="y", covar=names, method=method).iloc[0]
    return float(row["r"]), float(row["p_val"] if "p_val" in row else row["p-val"])


def residual_correlation(x: Any, y: Any, controls: Any) -> float:
    design = np.column_stack([np.ones(len(x)), controls])
    left = [values - design @ np.linalg.lstsq(design, values, rcond=None)[0] for values in (x, y)]
    return float(stats.pearsonr(*left)[0])


def made_up(n: int, controls: int, seed: int) -> tuple[Any, Any, Any]:
    draw = np.random.default_rng(seed)
    others = draw.normal(size=(n, controls))
    others[:, 0] = draw.poisson(3, n)  # with ties
    x = others.sum(axis=1) + draw.normal(size=n)
    return x, others[:, 0] - 0.5 * x + draw.normal(size=n), others


@pytest.mark.parametrize("method", ["pearson", "spearman"])
@pytest.mark.parametrize(("n", "controls"), [(12, 1), (60, 1), (60, 3), (500, 2)])
def test_equals_pingouin(method: Any, n: int, controls: int) -> None:
    x, y, others = made_up(n, controls, n + controls)
    value, p = pingouin_partial(x, y, others, method)
    found = partial(x, y, others, coefficient=method, resampling=Resampling(resamples=0))
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.p == pytest.approx(p, rel=1e-6)
    assert found.n == n


@given(st.lists(st.tuples(*[st.integers(-5, 5)] * 4), min_size=6, max_size=40))
def test_equals_the_correlation_of_residuals(rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=float)
    found = partial(table[:, 0], table[:, 1], table[:, 2:], resampling=Resampling(resamples=0))
    design = np.column_stack([np.ones(len(table)), table[:, 2:]])
    left = [values - design @ np.linalg.lstsq(design, values, rcond=None)[0] for values in table[:, :2].T]
    if min(float(np.abs(values).max()) for values in left) < 1e-9:
        assert math.isnan(found.value)
    else:
        assert found.value == pytest.approx(np.clip(stats.pearsonr(*left)[0], -1, 1), abs=1e-7)


def test_by_hand() -> None:
    # r_xy = .8, r_xc = .6, r_yc = .5 would give (.8 - .3) / sqrt(.64 * .75); data with exactly these correlations:
    target = np.array([[1, 0.8, 0.6], [0.8, 1, 0.5], [0.6, 0.5, 1]])
    noise = np.random.default_rng(5).normal(size=(50, 3))
    noise -= noise.mean(axis=0)
    white = noise @ np.linalg.inv(np.linalg.cholesky(noise.T @ noise)).T
    x, y, c = (white @ np.linalg.cholesky(target).T).T
    assert pearson(x, y).value == pytest.approx(0.8)
    assert partial(x, y, c, resampling=Resampling(resamples=0)).value == pytest.approx(0.5 / math.sqrt(0.64 * 0.75))


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_resamples_repeat_whole_clusters(method: Any) -> None:
    x, y, others = made_up(40, 2, 3)
    clusters = np.repeat(np.arange(10), 4)
    found = partial(
        x,
        y,
        others,
        coefficient=method,
        clusters=clusters.tolist(),
        resampling=Resampling(resamples=60, seed=5),
    )
    values = []
    for row in np.concatenate(list(bootstrap_weights(10, 60, 5))).astype(int):
        rows = np.repeat(np.arange(40), row[clusters])
        table = np.column_stack([x, y, others])[rows]
        if method == "spearman":
            table = stats.rankdata(table, axis=0)
        values.append(residual_correlation(table[:, 0], table[:, 1], table[:, 2:]))
    assert found.estimate.has_interval
    assert (found.estimate.low, found.estimate.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))
    z = abs(np.arctanh(found.value)) / np.std(np.arctanh(values), ddof=1)
    assert found.p_resampled == pytest.approx(2 * stats.norm.sf(z))


def test_what_says_the_same_twice_counts_once() -> None:
    x, y, others = made_up(30, 1, 8)
    once = partial(x, y, others, resampling=Resampling(resamples=0))
    twice = partial(
        x, y, np.column_stack([others, 2 * others + 1, np.full(30, 7.0)]), resampling=Resampling(resamples=0)
    )
    assert (twice.value, twice.p) == pytest.approx((once.value, once.p))


def test_a_control_itself_has_no_partial_correlation() -> None:
    _, y, others = made_up(30, 2, 8)
    assert math.isnan(partial(others[:, 0], y, others).value)
    assert math.isnan(partial(np.ones(30), y, others).value)
    assert math.isnan(partial(y, np.full(30, 0.1), others, coefficient="spearman").value)


def test_missing_values_and_far_scales() -> None:
    x, y, others = made_up(30, 1, 4)
    whole = partial(x[2:], y[2:], others[2:], resampling=Resampling(resamples=0))
    x[0], others[1, 0] = math.nan, math.inf
    found = partial(x * 1e200, y * 1e-200 + 0, others, resampling=Resampling(resamples=0))
    assert found.n == 28
    assert (found.value, found.p) == pytest.approx((whole.value, whole.p))


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_too_few_rows(n: int) -> None:
    found = partial(np.arange(n), np.arange(n) ** 2, np.arange(n) % 2)
    assert math.isnan(found.p)


def test_refuses_what_makes_no_sense() -> None:
    with pytest.raises(PlainlyError, match="not 2, 3 and 2"):
        partial([1, 2], [1, 2, 3], [1, 2])
    with pytest.raises(UnknownName, match="pearson"):
        partial([1, 2], [1, 2], [1, 2], coefficient="pearsn")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="as columns"):
        partial([[1, 2]], [1, 2], [1, 2])
