"""Do the values of one group tend to be larger than those of another? Mann and Whitney's test, and five numbers each.

U counts the pairs (one value of each group) in which the first is larger, ties half (Mann and Whitney 1947). The
share U / (n m) is the chance that a random value of the first group is the larger one; one half: no difference.

p is two-sided. For two groups of which one has at most eight values, and without ties, it is exact: the share of all
ways to deal the ranks that give a U as far from the middle. Else it comes from the normal distribution, with the
variance that ties leave and Yates's correction of one half.

Whether values look normal is Shapiro and Wilk's test (1965): W is near 1 where they do, and a small p says that they
do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from plainly.base.errors import PlainlyError
from plainly.metrics import Array

WHISKER = 1.5
FEWEST_FOR_SHAPE = 3


@dataclass(frozen=True)
class MannWhitney:
    """The test of two groups."""

    u: float
    share: float
    """Of the pairs in which the value of the first group is larger, ties half."""
    p: float


@dataclass(frozen=True)
class ShapiroWilk:
    """The test of normality; NaN for fewer than three values, or where all are equal."""

    w: float
    p: float


@dataclass(frozen=True)
class Box:
    """What a box plot draws. Whiskers end at the last values within 1.5 times the height of the box (Tukey 1977)."""

    n: int
    mean: float
    median: float
    lower: float
    """The first quartile."""
    upper: float
    whisker_low: float
    whisker_high: float
    outliers: tuple[float, ...]


def mann_whitney(first: ArrayLike, second: ArrayLike) -> MannWhitney:
    """The two-sided test.

    >>> mann_whitney([1, 2], [3, 4]).u
    0.0
    """
    from scipy.stats import mannwhitneyu

    x, y = _finite(first), _finite(second)
    pairs = len(x) * len(y)
    if len(np.unique(np.concatenate([x, y]))) == 1:
        return MannWhitney(pairs / 2, 0.5, 1.0)
    found = mannwhitneyu(x, y)
    return MannWhitney(float(found.statistic), float(found.statistic) / pairs, float(found.pvalue))


def shapiro_wilk(values: ArrayLike) -> ShapiroWilk:
    """Whether values look as if drawn from a normal distribution.

    >>> shapiro_wilk([1, 2]).p
    nan
    """
    from scipy.stats import shapiro

    data = _finite(values)
    if len(data) < FEWEST_FOR_SHAPE or np.ptp(data) == 0:
        return ShapiroWilk(np.nan, np.nan)
    found = shapiro(data)
    return ShapiroWilk(float(found.statistic), float(found.pvalue))


def box(values: ArrayLike) -> Box:
    """Quartiles by linear interpolation, whiskers and what lies beyond them."""
    data = np.sort(_finite(values))
    lower, median, upper = (float(value) for value in np.quantile(data, [0.25, 0.5, 0.75]))
    reach = WHISKER * (upper - lower)
    inside = data[(data >= lower - reach) & (data <= upper + reach)]
    beyond = data[(data < lower - reach) | (data > upper + reach)]
    ends = float(inside[0]), float(inside[-1])
    return Box(len(data), float(data.mean()), median, lower, upper, *ends, tuple(beyond.tolist()))


def _finite(values: ArrayLike) -> Array:
    data = np.asarray(values, dtype=np.float64).reshape(-1)
    if not len(data):
        raise PlainlyError("a group without values cannot be compared")
    if not np.isfinite(data).all():
        raise PlainlyError("groups are compared by numbers; one value is missing or infinite")
    return data
