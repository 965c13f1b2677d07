"""Many systems at once: p-values that stay honest, and ranks that say how firm they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from plainly.inference.estimates import CONFIDENCE, ROUNDING
from plainly.inference.paired import Direction
from plainly.inference.resampling import MOST_RESAMPLES, RESAMPLES
from plainly.inference.small_sample import widened
from plainly.metrics import Array

MARGIN = 10
HUNDRED = 100
MOST = 20_000  # what the margin may cost
Apart = Mapping[tuple[int, int], tuple[Array, Array]]
NOTHING: Apart = MappingProxyType({})


def holm(p: Array) -> Array:
    """p-values corrected for their number (Holm 1979): the chance of even one false find stays below alpha.

    With p(1) <= ... <= p(m): corrected p(i) = max over j <= i of min(1, (m - j + 1) p(j)). A missing p (NaN) stays
    missing and does not count.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    corrected = np.full(len(p), np.nan)
    there = np.flatnonzero(~np.isnan(p))
    order = there[np.argsort(p[there], kind="stable")]
    factors = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return corrected


def max_t(observed: Array, by_chance: Callable[[int], Array]) -> Array:
    """p-values corrected for their number by what they have in common (step-down maxT, Westfall and Young 1993).

    `observed` are differences in standard deviations, and `by_chance` gives, by place, what each of them is on every
    draw if nothing differs; all from the same draws. With t(1) the largest |observed|, and so on:

        p(i) = max over j <= i of (1 + number of draws on which a |by chance| of j, j + 1, ... >= t(j)) / (draws + 1)

    Holm's rule takes tests for as far apart as can be; this one knows that pairs share systems and slices segments.
    And its smallest p is 1 / (draws + 1), however many tests there are. A missing one (NaN) stays missing.

    >>> chance = np.array([[0.1, 2.5, 0.3, 1.2], [0.2, 2.4, 1.9, 0.4]])
    >>> max_t(np.array([2.0, -1.0]), chance.__getitem__).tolist()
    [0.4, 0.6]
    """
    corrected = np.full(len(observed), np.nan)
    largest_first = [place for place in np.argsort(-np.abs(observed), kind="stable") if not np.isnan(observed[place])]
    largest: Array = np.zeros(1)
    for place in reversed(largest_first):
        largest = np.fmax(largest, np.abs(by_chance(place)))
        corrected[place] = (1 + (largest >= abs(observed[place])).sum()) / (1 + len(largest))
    corrected[largest_first] = np.maximum.accumulate(corrected[largest_first])
    return corrected


def resamples_needed(tests: int, alpha: float, units: int | None = None) -> int:
    """So many resamples are needed for Holm's smallest p, tests / (resamples + 1), to get below alpha.

    With `units`, what the bootstrap needs for a p that is calibrated for so few of them.

    >>> resamples_needed(190, 0.05), resamples_needed(190, 0.05, units=100)
    (3800, 7037)
    """
    if not tests:
        return 0
    if units is None or units < 2:
        return math.floor(tests / alpha + 1e-9)
    return math.floor(1 / (1 - widened(1 - alpha / tests, units)) + 1e-9)


def resamples_for(tests: int, alpha: float, units: int | None = None) -> int:
    """How many resamples so many tests should have.

    Ten times as many as the correction for the number of tests needs at least, so that another seed hardly ever
    changes what is significant. Where no number would do, the usual one.
    """
    needed = resamples_needed(tests, alpha, units)
    if needed > MOST_RESAMPLES:
        return RESAMPLES
    wanted = max(RESAMPLES, needed, min(MARGIN * needed, MOST))
    return min(math.ceil(wanted / HUNDRED) * HUNDRED, MOST_RESAMPLES)


def ranks(
    values: Array, direction: Direction, apart: Apart = NOTHING, first: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Best and worst rank of each system: (systems, ...) -> two of the same shape, 1 is best, 0 is "no rank".

    Systems with the same value share all ranks that they could have: the best is the number of better systems
    plus 1, the worst the number of systems that are at least as good. A system without a value has no rank. `apart`
    holds, for places (i, j), the values of two systems that must be compared by others than those that they are
    shown with, as those on the segments that both have; where these are missing, neither is better for sure. With
    `first`, only so many systems are ranked among all: the first ones.
    """
    ranked = values[:first]
    if direction == "none":
        none = np.zeros(ranked.shape, dtype=np.int64)
        return none, none
    sign = 1 if direction == "higher" else -1
    there = np.isfinite(values)
    best, worst = (there[:first].astype(np.int64) for _ in range(2))
    for i, j in product(range(len(ranked)), range(len(values))):
        if i == j:
            continue
        own, other = apart[i, j] if (i, j) in apart else (values[i], values[j])
        ahead = sign * (other - own)
        same = np.abs(ahead) <= ROUNDING * (np.abs(own) + np.abs(other))
        both = there[i] & there[j]
        best[i] += both & (ahead > 0) & ~same
        worst[i] += both & ~((ahead < 0) & ~same)
    return best, worst


def rank_intervals(
    values: Array,
    direction: Direction,
    confidence: float = CONFIDENCE,
    apart: Apart = NOTHING,
    first: int | None = None,
) -> list[tuple[int, int] | None]:
    """Between which ranks each system stays, from joint resamples (systems, resamples): (1, 3) for "rank 1-3".

    The bounds are whole ranks such that at most (1 - confidence) / 2 of the resamples lie beyond each. For `apart`
    and `first` see `ranks`.
    """
    best, worst = ranks(values, direction, apart, first)
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    intervals: list[tuple[int, int] | None] = []
    for low, high in zip(best, worst, strict=True):
        there = low > 0
        if not there.any():
            intervals.append(None)
            continue
        first = np.quantile(low[there], tails[0], method="inverted_cdf")
        last = np.quantile(high[there], tails[1], method="inverted_cdf")
        intervals.append((int(first), int(last)))
    return intervals
