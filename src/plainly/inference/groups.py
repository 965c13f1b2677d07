"""Do the values of one group tend to be larger than those of another? Mann and Whitney's test, and five numbers each.

U counts the pairs (one value of each group) in which the first is larger, ties half (Mann and Whitney 1947). The
share U / (n m) is the chance that a random value of the first group is the larger one; one half: no difference.

p is two-sided. For two groups of which one has at most eight values, and without ties, it is exact: the share of all
ways to deal the ranks that give a U as far from the middle. Else it comes from the normal distribution, with the
variance that ties leave and Yates's correction of one half.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from plainly.base.errors import PlainlyError
from plainly.inference.correlation import average_ranks
from plainly.metrics import Array

EXACT_UP_TO = 8
WHISKER = 1.5


@dataclass(frozen=True)
class MannWhitney:
    """The test of two groups."""

    u: float
    share: float
    """Of the pairs in which the value of the first group is larger, ties half."""
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
    x, y = _finite(first), _finite(second)
    n, m = len(x), len(y)
    together = np.concatenate([x, y])
    u = float(average_ranks(together[:, None])[:n].sum() - n * (n + 1) / 2)
    ties = np.unique(together, return_counts=True)[1].astype(np.float64)
    if min(n, m) <= EXACT_UP_TO and len(ties) == n + m:
        p = _exact(min(u, n * m - u), n, m)
    else:
        total = n + m
        left = float((ties**3 - ties).sum()) / (total * (total - 1))
        variance = n * m / 12 * (total + 1 - left)
        distance = max(abs(u - n * m / 2) - 0.5, 0.0)
        p = math.erfc(distance / math.sqrt(2 * variance)) if variance > 0 else 1.0
    return MannWhitney(u, u / (n * m), min(p, 1.0))


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


def _exact(u: float, n: int, m: int) -> float:
    """Twice the share of deals of the ranks with a U not above this one, which is the smaller one of both."""
    # ways[k, s]: choices of k of the ranks so far whose U is s, built up one rank after the other.
    small, large = min(n, m), max(n, m)
    ways = np.zeros((small + 1, small * large + 1))
    ways[0, 0] = 1.0
    for rank in range(small + large):
        for chosen in range(min(small, rank + 1), 0, -1):
            gain = rank - (chosen - 1)  # so many of the ranks below are in the other group
            if gain <= large:
                ways[chosen, gain:] += ways[chosen - 1, : small * large + 1 - gain]
    return float(2 * ways[small, : math.floor(u) + 1].sum() / ways[small].sum())
