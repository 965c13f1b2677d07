"""Widened levels: against SciPy's Student's t and normal distributions, and by hand."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from plainly.inference.small_sample import widened


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
