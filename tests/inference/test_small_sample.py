"""Widened levels and calibrated p-values: against SciPy's distributions and its t-test, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from plainly.inference.small_sample import calibrated, widened

from ..cases import each


@pytest.mark.parametrize("units", [2, 3, 4, 5, 6, 10, 21, 52, 103, 1000, 100_000])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_against_scipy(units: int, level: float) -> None:
    tail = stats.norm.cdf(math.sqrt(units / (units - 1)) * stats.t.ppf((1 - level) / 2, units - 1))
    assert widened(level, units) == pytest.approx(1 - 2 * tail, abs=1e-10)


def test_many_units_need_no_widening_and_one_has_none() -> None:
    assert widened(0.95, 10**6) == pytest.approx(0.95, abs=1e-5)
    assert 0.95 < widened(0.95, 50) < widened(0.95, 20) < widened(0.95, 5) < 1
    with pytest.raises(ValueError, match="one unit"):
        widened(0.95, 1)


@each("units, p", [(units, p) for units in (6, 7, 12, 30, 359) for p in (0.001, 0.03, 0.05, 0.4, 1.0)])
def test_a_calibrated_p_against_scipy(units: int, p: float) -> None:
    t = stats.norm.isf(p / 2) * math.sqrt((units - 1) / units)
    assert calibrated(p, units) == pytest.approx(max(2 * stats.t.sf(t, units - 1), 2 / 2**units), rel=1e-9)


@each("confidence, units", [(0.9, 7), (0.95, 12), (0.95, 30), (0.99, 100)])
def test_a_p_is_calibrated_as_intervals_are_widened(confidence: float, units: int) -> None:
    """An interval that just excludes 0 has a test that just finds it."""
    assert calibrated(1 - widened(confidence, units), units) == pytest.approx(1 - confidence, rel=1e-9)


def test_a_calibrated_p_of_a_mean_is_that_of_the_t_test() -> None:
    # The bootstrap's standard error of a mean is s sqrt((n - 1) / n) / sqrt(n); its p is normal at that.
    values = np.random.default_rng(4).normal(0.5, 1, size=15)
    plain = 2 * stats.norm.sf(abs(values.mean()) / (values.std() / math.sqrt(15)))
    assert calibrated(float(plain), 15) == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=1e-9)


def test_the_ends_of_a_calibrated_p() -> None:
    assert calibrated(1.0, 6) == 1
    assert calibrated(0.0, 10) == 2 / 2**10  # all ten segments for one system: 2 of 2^10 swaps
    assert calibrated(1e-12, 6) == 2 / 2**6
    assert calibrated(0.001, 10**6) == pytest.approx(0.001, rel=1e-4)
    assert math.isnan(calibrated(math.nan, 50))
    assert math.isnan(calibrated(0.5, 1))  # one segment says nothing
