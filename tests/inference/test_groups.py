"""Mann and Whitney's test against scipy, and box plots against numpy and hand-worked numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from plainly.base.errors import PlainlyError
from plainly.inference.groups import box, mann_whitney

group = st.lists(st.integers(0, 12).map(float), min_size=1, max_size=25)


@given(group, group)
def test_as_scipy(first: list[float], second: list[float]) -> None:
    if len({*first, *second}) == 1:
        assert mann_whitney(first, second).p == 1.0  # scipy divides by zero here
        return
    found, peer = mann_whitney(first, second), mannwhitneyu(first, second)
    assert found.u == peer.statistic
    assert math.isclose(found.p, peer.pvalue, rel_tol=1e-9)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 3), (8, 8), (8, 40), (9, 9), (46, 48), (400, 300)])
def test_as_scipy_without_ties(n: int, m: int) -> None:
    draw = np.random.default_rng(n)
    first, second = draw.normal(size=n), draw.normal(0.3, size=m)
    found, peer = mann_whitney(first, second), mannwhitneyu(first, second)
    assert found.u == peer.statistic
    assert math.isclose(found.p, peer.pvalue, rel_tol=1e-9)


def test_by_hand() -> None:
    """Of the 6 ways to deal ranks 1 to 4 to two groups of 2, one gives U = 0 and one U = 4: p = 2 / 6."""
    found = mann_whitney([3, 4], [1, 2])
    assert (found.u, found.share) == (4, 1)
    assert math.isclose(found.p, 1 / 3)


def test_box() -> None:
    """1 to 9 and 100: quartiles 3.25, 5.5, 7.75 (linear); whiskers within 3.25 - 6.75 and 7.75 + 6.75: 1 and 9."""
    found = box([9, 1, 2, 3, 4, 5, 6, 7, 8, 100])
    assert (found.lower, found.median, found.upper) == (3.25, 5.5, 7.75)
    assert (found.whisker_low, found.whisker_high, found.outliers) == (1, 9, (100,))
    assert (found.n, found.mean) == (10, 14.5)


def test_nothing_to_compare() -> None:
    with pytest.raises(PlainlyError, match="without values"):
        mann_whitney([], [1])
    with pytest.raises(PlainlyError, match="missing or infinite"):
        mann_whitney([1, math.nan], [1])
