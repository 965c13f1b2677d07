"""Where one system is better than another: the same difference on parts of the test set.

Every part meets the same draws of all segments; segments outside it weigh nothing. So the parts of a test set and the
whole are about the same resamples. Whoever looks at many parts finds something in one of them, so p-values of a pair
are corrected for the number of parts.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.inference.estimates import Estimate
from plainly.inference.multiple import holm
from plainly.inference.paired import POWER, Difference, difference_of
from plainly.inference.resampling import (
    USUAL,
    Clusters,
    Resampled,
    Resampling,
    Rows,
    Statistics,
    check_statistics,
    cluster_numbers,
    interval,
    resample_tables,
)
from plainly.inference.runs import NO_RUNS, Members, members_of, over_runs
from plainly.metrics import Metric

Slice = TypeVar("Slice", bound=Hashable)
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class SliceDifference(Generic[Slice]):
    """Two systems on one part of the test set."""

    slice: Slice
    first: str
    second: str
    segments: int
    """Scored for both systems."""
    first_score: Estimate
    second_score: Estimate
    difference: Difference
    p_holm: float
    significant: bool

    @property
    def better(self) -> str | None:
        """The system with the better score there, beyond chance; None where that is not shown."""
        first = self.difference.first_is_better
        if first is None or not self.significant:
            return None
        return self.first if first else self.second


def compare_slices(
    statistics: Statistics,
    label: str,
    metric: Metric,
    slices: Mapping[Slice, Mask],
    pairs: Sequence[tuple[str, str]],
    *,
    runs: Members = NO_RUNS,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
    trials: int | None = None,
) -> list[SliceDifference[Slice]]:
    """The difference of each pair of systems on each slice, by one metric."""
    segments = check_statistics(statistics, {label: metric})
    numbers = None if clusters is None else cluster_numbers(clusters, segments)
    members = members_of(statistics, runs)
    masks: dict[tuple[Slice, str, str], Mask] = {}
    tables: dict[tuple[bytes, str], Rows] = {}  # a system may be in many pairs; on the same segments it is drawn once
    for name, inside in slices.items():
        for first, second in pairs:
            taking_part = (*members[first], *members[second])
            scored = np.logical_and.reduce([statistics[run][label][:, 0] > 0 for run in taking_part])
            both = inside & scored
            if not both.any():
                continue
            masks[name, first, second] = both
            for run in taking_part:
                if (both.tobytes(), run) not in tables:
                    tables[both.tobytes(), run] = (metric, statistics[run][label] * both[:, None], None)
    if not tables:
        return []
    drawn = resample_tables(tables, numbers, resampling, trials)

    def score(both: Mask, system: str) -> Resampled:
        own = [drawn[both.tobytes(), run] for run in members[system]]
        return over_runs(system, own, resampling.seed)

    found = []
    for (name, first, second), both in masks.items():
        scores = [score(both, system) for system in (first, second)]
        units = int(both.sum()) if numbers is None else len(np.unique(numbers[both]))
        difference = difference_of(
            scores[0],
            scores[1],
            direction=metric.facts.direction,
            units=units,
            drawn=units,
            resampling=resampling,
            power=POWER,
            heavy_tails=max(len(members[first]), len(members[second])) > 1,
        )
        first_score, second_score = (interval(one, resampling) for one in scores)
        found.append(
            SliceDifference(
                *(name, first, second, int(both.sum()), first_score, second_score, difference), math.nan, False
            )
        )
    return _corrected(found, pairs, round(1 - resampling.confidence, 12))


def _corrected(
    found: Sequence[SliceDifference[Slice]], pairs: Sequence[tuple[str, str]], alpha: float
) -> list[SliceDifference[Slice]]:
    corrected: dict[tuple[Slice, str, str], float] = {}
    for pair in pairs:
        own = [one for one in found if (one.first, one.second) == pair]
        p = holm(np.array([one.difference.p for one in own]))
        corrected |= {(one.slice, pair[0], pair[1]): float(value) for one, value in zip(own, p, strict=True)}
    p_holm = [corrected[one.slice, one.first, one.second] for one in found]
    return [replace(one, p_holm=p, significant=p < alpha) for one, p in zip(found, p_holm, strict=True)]
