"""Where one system is better than another: the same difference on parts of the test set.

Every part meets the same draws of all segments; segments outside it weigh nothing. So the parts of a test set and the
whole are about the same resamples. Whoever looks at many parts of many pairs finds something in one of them. So
p-values are corrected for all tests of the table, and where its pairs were chosen by their scores, for those that
might have been chosen. These tests are many and much alike: `max_t` knows from the draws how much.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.inference.comparison import Settings
from plainly.inference.drawing import Draws, Side
from plainly.inference.estimates import Estimate
from plainly.inference.multiple import max_t
from plainly.inference.paired import Difference, Direction
from plainly.inference.resampling import Clusters, Rows, Statistics, check_statistics, cluster_numbers
from plainly.inference.runs import NO_RUNS, Members, like_with_like, members_of
from plainly.metrics import Metric

Slice = TypeVar("Slice", bound=Hashable)
Mask = NDArray[np.bool_]

TRIALS = 10_000
"""A corrected p of 0.05 then has a standard error of 0.002."""


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
    p_corrected: float
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
    settings: Settings,
    *,
    direction: Direction | None = None,
    runs: Members = NO_RUNS,
    clusters: Clusters | None = None,
    among: Sequence[tuple[str, str]] = (),
) -> list[SliceDifference[Slice]]:
    """The difference of each pair of systems on each slice, by one metric.

    Where the pairs were chosen `among` others, p-values are corrected for the tests of all of those.
    """
    segments = check_statistics(statistics, {label: metric})
    numbers = None if clusters is None else cluster_numbers(clusters, segments)
    members = members_of(statistics, runs)
    rows = {run: by_label[label] for run, by_label in like_with_like(statistics, members).items()}
    scored = {system: rows[own[0]][:, 0] > 0 for system, own in members.items()}
    tables: dict[tuple[bytes, str], Rows] = {}  # by segments and run: pairs share those of their systems
    sides: dict[tuple[Slice, str, str], tuple[Side[tuple[bytes, str]], Side[tuple[bytes, str]]]] = {}
    for name, inside in slices.items():
        for first, second in dict.fromkeys([*pairs, *among]):
            both = inside & scored[first] & scored[second]
            if both.any():
                where = both.tobytes()
                own, other = (Side(system, [(where, run) for run in members[system]]) for system in (first, second))
                sides[name, first, second] = own, other
                for _, run in (*own.runs, *other.runs):
                    if (where, run) not in tables:
                        tables[where, run] = (metric, rows[run] * both[:, None], None)
    if not tables:
        return []
    draws = Draws(tables, numbers, settings)
    every = list(sides)
    tested = [draws.standardised(*sides[key]).observed for key in every]
    p = max_t(np.array(tested), lambda place: draws.standardised(*sides[every[place]]).by_chance)
    corrected = dict(zip(every, p.tolist(), strict=True))
    found = []
    for name, (first, second) in product(slices, pairs):
        if (name, first, second) in sides:
            own, other = sides[name, first, second]
            difference = draws.difference(own, other, direction or metric.facts.direction)
            scores = draws.estimate(own), draws.estimate(other)
            p_one = max(difference.p, corrected[name, first, second])
            found.append(
                SliceDifference(
                    name, first, second, draws.segments(own), *scores, difference, p_one, p_one < settings.alpha
                )
            )
    return found
