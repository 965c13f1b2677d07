"""Many systems at once: p-values that stay honest, and ranks that say how firm they are."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from plainly.inference.estimates import CONFIDENCE
from plainly.inference.paired import Direction
from plainly.inference.resampling import RESAMPLES
from plainly.metrics import Array

MARGIN = 10
MOST = 20_000  # what the margin may cost


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
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    return corrected


def resamples_needed(tests: int, alpha: float) -> int:
    """So many resamples are needed for Holm's smallest p, tests / (resamples + 1), to get below alpha.

    >>> resamples_needed(190, 0.05)
    3800
    """
    return math.floor(tests / alpha + 1e-9)


def resamples_for(systems: int, baseline: str | None, confidence: float) -> int:
    """How many resamples a comparison of so many systems should have, all in pairs or all with a baseline.

    `MARGIN` times as many as the correction for the number of tests needs at least, so that another seed hardly ever
    changes what is significant.
    """
    tests = systems * (systems - 1) // 2 if baseline is None else systems - 1
    needed = resamples_needed(tests, 1 - confidence) if 0 < confidence < 1 else 0
    return max(RESAMPLES, needed, min(MARGIN * needed, MOST))


def ranks(values: Array, direction: Direction) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Best and worst rank of each system: (systems, ...) -> two of the same shape, 1 is best, 0 is "no rank".

    Systems with the same value share all ranks that they could have: the best is the number of better systems
    plus 1, the worst the number of systems that are at least as good. A system without a value has no rank.
    """
    if direction == "none":
        none = np.zeros(values.shape, dtype=np.int64)
        return none, none
    goodness = values if direction == "higher" else -values
    best = np.stack([(goodness > own).sum(axis=0) + 1 for own in goodness])
    worst = np.stack([(goodness >= own).sum(axis=0) for own in goodness])
    there = np.isfinite(values)
    return np.where(there, best, 0), np.where(there, worst, 0)


def rank_intervals(
    values: Array, direction: Direction, confidence: float = CONFIDENCE
) -> list[tuple[int, int] | None]:
    """Between which ranks each system stays, from joint resamples (systems, resamples): (1, 3) for "rank 1-3".

    The bounds are whole ranks such that at most (1 - confidence) / 2 of the resamples lie beyond each.
    """
    best, worst = ranks(values, direction)
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
