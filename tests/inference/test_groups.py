"""Mann and Whitney's test and box plots, against hand-worked numbers."""

from __future__ import annotations

import math

import pytest

from plainly.base.errors import PlainlyError
from plainly.inference.groups import box, mann_whitney, shapiro_wilk


def test_values_that_are_all_the_same_do_not_differ() -> None:
    assert (mann_whitney([2, 2], [2]).p, mann_whitney([2, 2], [2]).share) == (1.0, 0.5)


def test_ties_count_half() -> None:
    """Of the four pairs 1-1, 1-2, 2-1, 2-2 the first is larger in one, and two are ties."""
    found = mann_whitney([1, 2], [1, 2])
    assert (found.u, found.share, found.p) == (2, 0.5, 1.0)


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


def test_normality() -> None:
    """Shapiro and Wilk (1965), their example of the weights of eleven men: W = .79."""
    found = shapiro_wilk([148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236])
    assert found.w == pytest.approx(0.79, abs=0.005)
    assert found.p < 0.01
    assert math.isnan(shapiro_wilk([1, 2]).p)
    assert math.isnan(shapiro_wilk([3, 3, 3, 3]).p)
