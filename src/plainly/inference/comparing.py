"""All systems by all metrics, from one set of resamples: scores with intervals, ranks, and every pair tested."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, message
from plainly.inference.comparison import FEW_UNITS, Comparison, Family, Pair, Settings, Standing
from plainly.inference.multiple import holm, rank_intervals, ranks, resamples_needed
from plainly.inference.paired import (
    POWER,
    Blocked,
    Difference,
    Direction,
    TestMethod,
    check_method,
    difference_of,
    enough_units,
    paired_test,
    swapped_differences,
    swapped_totals,
    typical,
)
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
    pooled,
    resample_tables,
    total,
)
from plainly.inference.runs import NO_RUNS, Members, members_of, over_runs
from plainly.metrics import Array, Metric

FEW_RESAMPLES = 100
Names = tuple[str, ...]  # a table: of a run by a metric, and of which pair where not all of its segments count


def compare(
    statistics: Statistics | Blocked,
    metrics: Mapping[str, Metric],
    *,
    directions: Mapping[str, Direction] | None = None,
    baseline: str | None = None,
    baselines: Collection[str] = (),
    runs: Members = NO_RUNS,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
    trials: int | None = None,
    method: TestMethod = "bootstrap",
    power: float = POWER,
    family: Family = "metric",
    components: bool = False,
) -> Comparison:
    """Compare systems by metrics; `statistics` and `metrics` are those of an `Evaluation`.

    With a `baseline` every other system is tested against it, else every pair is tested. `baselines` are what anybody
    can do without a system: they take no rank, and tests against them are corrected apart, so that they move no
    number of a system. `runs` names, for a system that ran several times, the statistics of its runs. Corrected
    p-values count the tests of one metric as a family; with `family="all"`, those of all metrics together.
    `directions` says which end of a metric is better where that is not what the metric says. `clusters` is the
    document of each segment. `statistics` may also be `Blocked`. Intervals are from the resamples; tests may have
    more `trials`.
    """
    blocked = None
    if isinstance(statistics, Blocked):
        blocked, statistics = statistics, statistics.statistics
    members = members_of(statistics, runs)
    check_method(method)
    if method == "randomisation" and len(members) < len(statistics):
        raise PlainlyError("randomisation swaps single outputs; systems of several runs need the bootstrap")
    if family not in get_args(Family):
        raise UnknownName("family of tests", family, get_args(Family))
    if baseline is not None and baseline not in members:
        raise UnknownName("system", baseline, members)
    clustered = blocked.clustered if blocked else clusters is not None
    resampling = replace(resampling, unit="document" if clustered else "segment")
    trials = max(trials or 0, resampling.resamples)
    settings = Settings(method, trials, resampling, baseline, family, power)
    segments = check_statistics(statistics, metrics)
    numbers = None if clusters is None else cluster_numbers(clusters, segments)
    rows = segments if numbers is None else int(numbers.max()) + 1
    among = tuple(system for system in members if system in baselines)
    towards = {label: (directions or {}).get(label, metric.facts.direction) for label, metric in metrics.items()}
    chosen = _chosen(list(members), baseline, among)
    drawing = _Drawing(statistics, metrics, members, numbers, blocked, settings)
    drawing.draw(chosen, components)
    pairs = [drawing.pair(label, *names, towards[label]) for label in metrics for names in chosen]
    standings = {label: drawing.standings(label, towards[label], among) for label in metrics}
    pairs = _corrected(pairs, settings, among)
    not_even = blocked.uneven if blocked else uneven(statistics, metrics)
    units = blocked.units if blocked else rows
    return Comparison(
        settings=settings,
        segments=blocked.segments if blocked else segments,
        units=units,
        baselines=among,
        directions=towards,
        systems={system: {label: standings[label][system] for label in metrics} for system in members},
        pairs=tuple(pairs),
        typical_mdd={label: _typical(pairs, label, among) for label in metrics},
        notes=(*_notes(pairs, units, settings, among), *map(_about_uneven, not_even)),
    )


@dataclass
class _Drawing:
    """The draws: made once, they serve all systems, metrics and pairs."""

    statistics: Statistics
    metrics: Mapping[str, Metric]
    members: Mapping[str, tuple[str, ...]]
    numbers: NDArray[np.int64] | None
    blocked: Blocked | None
    settings: Settings
    tables: dict[Names, Rows] = field(default_factory=dict)
    common: dict[Names, NDArray[np.bool_]] = field(default_factory=dict)
    """Of a metric and a pair, the segments that both systems have, where that is not all of both."""
    drawn: dict[Names, Resampled] = field(default_factory=dict)
    moved: dict[Names, Array] = field(default_factory=dict)
    """The totals of what each trial of a randomisation swaps."""

    def draw(self, pairs: Sequence[tuple[str, str]], components: bool) -> None:
        totals = self.blocked.totals if self.blocked else None
        for run, by_label in self.statistics.items():
            for label, metric in self.metrics.items():
                self.tables[label, run] = (metric, by_label[label], totals[run][label] if totals else None)
        if self.blocked is None:
            self._draw_uneven(pairs)
        settings = self.settings
        self.drawn = resample_tables(self.tables, self.numbers, settings.resampling, settings.trials, components)
        if settings.method == "randomisation":
            pools = [pooled(rows, self.numbers) for _, rows, _ in self.tables.values()]
            moved = swapped_totals(pools, settings.trials, settings.resampling.seed)
            self.moved = dict(zip(self.tables, moved, strict=True))

    def _draw_uneven(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Where two systems were not scored on the same segments, they are compared on those that both have."""
        for label, metric in self.metrics.items():
            rows = {run: by_label[label] for run, by_label in self.statistics.items()}
            scored = {
                system: np.logical_and.reduce([rows[run][:, 0] > 0 for run in runs])
                for system, runs in self.members.items()
            }
            for first, second, both in uneven_pairs(scored, pairs):
                self.common[label, first, second] = both
                for run in (*self.members[first], *self.members[second]):
                    self.tables[label, run, first, second] = (metric, rows[run] * both[:, None], None)

    def pair(self, label: str, first: str, second: str, direction: Direction) -> Pair:
        """A pair that is still without correction."""
        difference = self._difference(label, first, second, direction)
        known = {spec.name: getattr(difference, spec.name) for spec in fields(difference)}
        return Pair(**known, metric=label, first=first, second=second, p_holm=math.nan, significant=False)

    def _difference(self, label: str, first: str, second: str, direction: Direction) -> Difference:
        settings = self.settings
        single = len(self.members[first]) == len(self.members[second]) == 1
        if self.blocked and label in self.blocked.uneven and single:
            apart = self.blocked.common(label, first, second)
            if apart is not None:
                difference = paired_test(
                    self.metrics[label],
                    apart.first,
                    apart.second,
                    method=settings.method,
                    clusters=apart.clusters,
                    resampling=settings.resampling,
                    power=settings.power,
                    units=apart.units,
                    trials=settings.trials,
                )
                return replace(difference, direction=direction)
        both = self.common.get((label, first, second))
        rows = self._units(both)
        names = () if both is None else (first, second)
        return difference_of(
            self._score(label, first, names),
            self._score(label, second, names),
            direction=direction,
            units=self.blocked.units if self.blocked else rows,
            drawn=rows,
            swapped=self._swapped((label, first, *names), (label, second, *names)) if self.moved else None,
            resampling=settings.resampling,
            power=settings.power,
            heavy_tails=any(len(self.members[system]) > 1 for system in (first, second)),
        )

    def _units(self, both: NDArray[np.bool_] | None) -> int:
        """Segments, or documents, that count for both systems of a pair."""
        if both is None:
            both = np.ones(len(next(iter(self.tables.values()))[1]), dtype=np.bool_)
        return int(both.sum()) if self.numbers is None else len(np.unique(self.numbers[both]))

    def _score(self, label: str, system: str, names: Names = ()) -> Resampled:
        keys = [(label, run, *names) for run in self.members[system]]
        return over_runs(system, [self.drawn[key] for key in keys], self.settings.resampling.seed)

    def _swapped(self, first: Names, second: Names) -> Array:
        wholes = []
        for _, rows, exact in (self.tables[first], self.tables[second]):
            wholes.append(total(rows) if exact is None else exact)
        moved = (self.moved[first], self.moved[second])
        return swapped_differences(self.metrics[first[0]], (wholes[0], wholes[1]), moved)

    def standings(self, label: str, direction: Direction, baselines: Collection[str]) -> dict[str, Standing]:
        """Systems are ranked among each other, and each baseline among the systems."""
        scores = {system: self._score(label, system) for system in self.members}
        systems = [system for system in scores if system not in baselines]
        placed = self._placed(scores, systems, direction)
        for baseline in baselines:
            placed[baseline] = self._placed(scores, [baseline, *systems], direction)[baseline]
        return {system: self._standing(label, system, scores[system], placed[system], baselines) for system in scores}

    def _standing(
        self,
        label: str,
        system: str,
        score: Resampled,
        placed: tuple[int, tuple[int, int] | None],
        baselines: Collection[str],
    ) -> Standing:
        rank, between = placed
        runs = self.members[system]
        scored = min(int(self.tables[label, run][1][:, 0].sum()) for run in runs)
        segments = self.blocked.segments if self.blocked else len(self.tables[label, runs[0]][1])
        drawn = self.settings.resampling
        return Standing(
            estimate=interval(score, drawn),
            scored=scored,
            unscored=segments - scored,
            rank=rank or None,
            rank_interval=between if rank else None,
            best=rank == 1 and system not in baselines,
            components={name: interval(part, drawn) for name, part in score.components.items()},
            runs={run: self.drawn[label, run].observed for run in runs} if len(runs) > 1 else {},
        )

    def _placed(
        self, scores: Mapping[str, Resampled], systems: Sequence[str], direction: Direction
    ) -> dict[str, tuple[int, tuple[int, int] | None]]:
        """The rank of each of these systems, and between which ranks it stays."""
        if not systems:
            return {}
        drawn = self.settings.resampling
        observed, _ = ranks(np.array([scores[system].observed for system in systems]), direction)
        values = np.stack([scores[system].values[: drawn.resamples] for system in systems])
        between = rank_intervals(values, direction, drawn.confidence)
        return dict(zip(systems, zip(observed.tolist(), between, strict=True), strict=True))


def _chosen(systems: Sequence[str], baseline: str | None, among: Collection[str]) -> list[tuple[str, str]]:
    """The pairs that are tested: all with one system, or all but those of two baselines."""
    if baseline is not None:
        return [(system, baseline) for system in systems if system != baseline]
    return [(first, second) for first, second in combinations(systems, 2) if not {first, second} <= {*among}]


def _corrected(pairs: Sequence[Pair], settings: Settings, among: Collection[str]) -> list[Pair]:
    """Pairs with a baseline are a family of their own: baselines move no number of a system."""
    corrected = np.full(len(pairs), np.nan)
    families = np.array([_family(pair, settings, among) for pair in pairs])
    p = np.array([pair.p for pair in pairs])
    for family in np.unique(families):
        corrected[families == family] = holm(p[families == family])
    return [
        replace(pair, p_holm=float(value), significant=bool(value < settings.alpha))
        for pair, value in zip(pairs, corrected, strict=True)
    ]


def _typical(pairs: Sequence[Pair], label: str, among: Collection[str]) -> float:
    """What pairs of systems must differ by; where there are none, pairs with a baseline."""
    own = [pair for pair in pairs if pair.metric == label]
    between = [pair for pair in own if {pair.first, pair.second}.isdisjoint(among)]
    return typical(pair.mdd for pair in between or own)


def _family(pair: Pair, settings: Settings, among: Collection[str]) -> str:
    """The name of the tests that a pair is corrected with."""
    metric = pair.metric if settings.family == "metric" else ""
    tested = {pair.first, pair.second} - {settings.baseline}
    return f"{metric}\0{not tested.isdisjoint(among)}"


def _notes(pairs: Sequence[Pair], units: int, settings: Settings, among: Collection[str]) -> list[Message]:
    notes = []
    tests = max(Counter(_family(pair, settings, among) for pair in pairs).values(), default=0)
    needed = resamples_needed(tests, settings.alpha)
    if settings.trials < needed:
        notes.append(
            message(
                "inference.few-trials",
                "{resamples:,} resamples are too few for {tests:,} tests: after the correction nothing can be "
                "significant. Use at least {needed:,}.",
                resamples=settings.trials,
                tests=tests,
                needed=needed,
            )
        )
    drawn = settings.resampling
    if drawn.resamples < FEW_RESAMPLES:
        english = "{resamples:,} resamples are too few: intervals and p-values are rough."
        notes.append(message("inference.few-resamples", english, resamples=drawn.resamples))
    if units < FEW_UNITS:
        there = _only(units, drawn.unit)
        if enough_units(units, settings.alpha):
            english = "{there} Intervals are too short and tests too bold at that size."
            notes.append(message("inference.few-units", english, there=there))
        else:
            english = "{there} That is too few to find a difference, and intervals are too short."
            notes.append(message("inference.too-few-units", english, there=there))
    return notes


def _only(units: int, unit: str) -> Message:
    if units == 1:
        return message(f"inference.only-1-{unit}", f"There is only 1 {unit}.")
    return message(f"inference.only-{unit}s", f"There are only {{units}} {unit}s.", units=units)


def uneven(statistics: Statistics, metrics: Iterable[str]) -> Iterator[str]:
    """The metrics that did not score the same segments of all systems."""
    for label in metrics:
        scored = [by_label[label][:, 0] for by_label in statistics.values()]
        if any((one != scored[0]).any() for one in scored):
            yield label


def uneven_pairs(
    scored: Mapping[str, NDArray[np.bool_]], pairs: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    """The pairs of which one system lacks segments that the other has, and which segments both have."""
    for first, second in pairs:
        both = scored[first] & scored[second]
        if (scored[first] != scored[second]).any():
            yield first, second, both


def _about_uneven(label: str) -> Message:
    return message(
        "inference.uneven",
        "{metric} did not score the same segments of all systems. "
        "Scores may differ for that; pairs are tested on the segments that both have.",
        metric=label,
    )
