"""The draws behind tests: made once, they serve all systems, metrics, pairs and parts of a test set.

Two systems are compared on the segments that both have. So where one lacks some, the pair has tables of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.inference.comparison import Settings
from plainly.inference.estimates import Estimate
from plainly.inference.paired import (
    Blocked,
    Difference,
    Direction,
    Shared,
    Standardised,
    centred,
    difference_of,
    standardised,
    subtracted,
    swapped_differences,
    swapped_totals,
)
from plainly.inference.resampling import (
    Resampled,
    Rows,
    Statistics,
    cluster_numbers,
    interval,
    pooled,
    resample_tables,
    total,
)
from plainly.inference.runs import over_runs, score_interval
from plainly.metrics import Array, Metric

Key = TypeVar("Key", bound=Hashable)
Names = tuple[str, ...]  # a table: of a run by a metric, and of which pair where not all of its segments count


@dataclass(frozen=True)
class Side(Generic[Key]):
    """A system, and the keys of the tables of its runs."""

    system: str
    runs: Sequence[Key]


class Draws(Generic[Key]):
    """Tables of rows by their keys, on the same resamples, and with the same swaps where the test swaps.

    A segment that does not count in a table has a row of zeros there. `numbers` are those of the segments' clusters.
    """

    def __init__(
        self,
        tables: Mapping[Key, Rows],
        numbers: NDArray[np.int64] | None,
        settings: Settings,
        components: bool = False,
    ) -> None:
        self._tables = tables
        self._settings = settings
        self._drawn = resample_tables(tables, numbers, settings.resampling, settings.trials, components)
        self._moved: dict[Key, Array] = {}
        if settings.method == "randomisation":
            pools = [pooled(rows, numbers) for _, rows, _ in tables.values()]
            moved = swapped_totals(pools, settings.trials, settings.resampling.seed)
            self._moved = dict(zip(tables, moved, strict=True))

    def score(self, side: Side[Key]) -> Resampled:
        """The score of a system, over its runs."""
        return over_runs(side.system, [self._drawn[key] for key in side.runs], self._settings.resampling.seed)

    def estimate(self, side: Side[Key]) -> Estimate:
        """The score of a system with its interval."""
        return score_interval(self.score(side), self._metric(side), self._settings.resampling)

    def components(self, side: Side[Key]) -> dict[str, Estimate]:
        """The components of a score with their intervals; those that it is the mean of lie where it can."""
        metric, drawn = self._metric(side), self._settings.resampling
        found = {name: interval(part, drawn) for name, part in self.score(side).components.items()}
        return found | {name: found[name].within(metric.facts.range) for name in metric.parts if name in found}

    def of_runs(self, side: Side[Key]) -> list[float]:
        """The score of each run."""
        return [self._drawn[key].observed for key in side.runs]

    def segments(self, side: Side[Key]) -> int:
        """That were scored for a system, in all of its runs."""
        tables = [self._tables[key] for key in side.runs]
        return min(int(rows[:, 0].sum() if exact is None else exact[0]) for _, rows, exact in tables)

    def difference(
        self, first: Side[Key], second: Side[Key], direction: Direction, units: int | None = None
    ) -> Difference:
        """The test of two systems; `units` where a row holds several."""
        settings = self._settings
        found = difference_of(
            self.score(first),
            self.score(second),
            direction=direction,
            method=settings.method,
            units=units,
            swapped=self._swapped(first.runs[0], second.runs[0]) if self._moved else None,
            resampling=settings.resampling,
            power=settings.power,
            heavy_tails=max(len(first.runs), len(second.runs)) > 1,
        )
        low, high = self._metric(first).facts.range
        return replace(found, estimate=found.estimate.within((low - high, high - low)))

    def standardised(self, first: Side[Key], second: Side[Key]) -> Standardised:
        """The same test, for those that are corrected together."""
        apart = subtracted(self.score(first), self.score(second))
        null = self._swapped(first.runs[0], second.runs[0]) if self._moved else centred(apart.values)
        several = max(len(first.runs), len(second.runs)) > 1
        alpha = 1 - self._settings.resampling.confidence
        return standardised(apart, null, self._settings.method, alpha, several)

    def _metric(self, side: Side[Key]) -> Metric:
        return self._tables[side.runs[0]][0]

    def _swapped(self, first: Key, second: Key) -> Array:
        metric, _, _ = self._tables[first]
        wholes = (self._whole(first), self._whole(second))
        return swapped_differences(metric, wholes, (self._moved[first], self._moved[second]))

    def _whole(self, key: Key) -> Array:
        _, rows, exact = self._tables[key]
        return total(rows) if exact is None else exact


@dataclass(frozen=True)
class Together:
    """Two systems on the segments that both have."""

    draws: Draws[Names]
    first: Side[Names]
    second: Side[Names]
    apart: bool
    """Whether these are not all segments of both."""
    units: int | None
    """Segments or documents, where a row holds several."""

    @property
    def segments(self) -> int:
        return min(map(self.draws.segments, (self.first, self.second)))

    @property
    def scores(self) -> tuple[Resampled, Resampled]:
        return self.draws.score(self.first), self.draws.score(self.second)

    def difference(self, direction: Direction) -> Difference:
        return self.draws.difference(self.first, self.second, direction, self.units)


class SystemDraws:
    """What was drawn of systems by metrics: of each alone, and of two together."""

    def __init__(
        self,
        statistics: Statistics,
        metrics: Mapping[str, Metric],
        members: Mapping[str, tuple[str, ...]],
        numbers: NDArray[np.int64] | None,
        blocked: Blocked | None,
        settings: Settings,
        components: bool,
    ) -> None:
        self._members = members
        self._order = {system: place for place, system in enumerate(members)}
        self._units = blocked.units if blocked else None
        tables: dict[Names, Rows] = {
            (label, run): (metric, by_label[label], blocked.totals[run][label] if blocked else None)
            for run, by_label in statistics.items()
            for label, metric in metrics.items()
        }
        pairs = list(combinations(members, 2))
        uneven = {} if blocked else _uneven_tables(tables, list(metrics), members, pairs)
        self._draws: Draws[Names] = Draws({**tables, **uneven}, numbers, settings, components)
        self._apart: dict[Names, tuple[Draws[Names], int | None]] = {
            (label, *pair): (self._draws, None) for label, _, *pair in uneven
        }
        if blocked:
            for label, (first, second) in product(blocked.uneven, pairs):
                shared = blocked.common(label, [*members[first], *members[second]])
                if shared is not None:
                    draws = _shared_draws(shared, metrics[label], (label, first, second), settings)
                    self._apart[label, first, second] = draws, shared.units

    def alone(self, label: str, system: str) -> tuple[Draws[Names], Side[Names]]:
        """A system on all segments that it has."""
        return self._draws, self._side(label, system)

    def together(self, label: str, first: str, second: str) -> Together:
        """Two systems on the segments that both have."""
        names = sorted((first, second), key=self._order.__getitem__)
        found = self._apart.get((label, *names))
        draws, units = found or (self._draws, self._units)
        own = names if found else []
        sides = self._side(label, first, own), self._side(label, second, own)
        return Together(draws, *sides, found is not None, units)

    def _side(self, label: str, system: str, pair: Sequence[str] = ()) -> Side[Names]:
        return Side(system, [(label, run, *pair) for run in self._members[system]])


def _shared_draws(shared: Shared, metric: Metric, names: Names, settings: Settings) -> Draws[Names]:
    """Draws of their own for a pair whose blocks hold other segments than those of other pairs."""
    label, *pair = names
    tables: dict[Names, Rows] = {(label, run, *pair): (metric, rows, None) for run, rows in shared.rows.items()}
    clusters = shared.clusters
    return Draws(tables, None if clusters is None else cluster_numbers(clusters, len(clusters)), settings)


def _uneven_tables(
    tables: Mapping[Names, Rows],
    labels: Sequence[str],
    members: Mapping[str, tuple[str, ...]],
    pairs: Sequence[tuple[str, str]],
) -> dict[Names, Rows]:
    """Of pairs of which one system lacks segments that the other has: the rows of those that both have."""
    found: dict[Names, Rows] = {}
    for label in labels:
        scored = {system: tables[label, runs[0]][1][:, 0] > 0 for system, runs in members.items()}
        for first, second in pairs:
            if (scored[first] == scored[second]).all():
                continue
            both = (scored[first] & scored[second])[:, None]
            for run in (*members[first], *members[second]):
                metric, rows, _ = tables[label, run]
                found[label, run, first, second] = (metric, rows * both, None)
    return found
