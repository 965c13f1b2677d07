"""All systems by all metrics, from one set of resamples: scores with intervals, ranks, and every pair tested."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, message
from plainly.inference.estimates import Estimate, finite
from plainly.inference.multiple import holm, rank_intervals, ranks, resamples_needed
from plainly.inference.paired import (
    POWER,
    Blocked,
    Difference,
    Direction,
    Sharing,
    TestMethod,
    check_method,
    difference_of,
    enough_units,
    paired_test,
    shared_blocks,
    shared_rows,
    swapped_differences,
    swapped_totals,
    typical,
)
from plainly.inference.resampling import (
    USUAL,
    Clusters,
    Resampled,
    Resampling,
    Statistics,
    check_statistics,
    cluster_numbers,
    interval,
    pooled,
    resample,
    total,
)
from plainly.metrics import Array, Metric

Family = Literal["metric", "all"]
Swapper = Callable[[str, str], Array]  # two systems -> their differences in all trials
FEW_RESAMPLES = 100
FEW_UNITS = 20  # below this the bootstrap's intervals are known to be too short


@dataclass(frozen=True)
class Settings:
    """What the numbers of a comparison depend on, besides the statistics. A test has so many `trials`."""

    method: TestMethod
    trials: int
    resampling: Resampling
    baseline: str | None
    family: Family
    power: float

    @property
    def alpha(self) -> float:
        """A corrected p below this counts as significant."""
        return round(1 - self.resampling.confidence, 12)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**vars(self), "resampling": self.resampling.to_dict(), "alpha": self.alpha}


@dataclass(frozen=True)
class Standing:
    """One system by one metric. `rank` and `rank_interval` are None without a score or without a better end."""

    estimate: Estimate
    scored: int
    unscored: int
    rank: int | None
    rank_interval: tuple[int, int] | None
    best: bool
    components: Mapping[str, Estimate]

    @property
    def score(self) -> float:
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "score": self.estimate.to_dict(),
            "scored": self.scored,
            "unscored": self.unscored,
            "rank": self.rank,
            "rank_interval": self.rank_interval and list(self.rank_interval),
            "best": self.best,
            "components": {name: part.to_dict() for name, part in self.components.items()},
        }


@dataclass(frozen=True, kw_only=True)
class Pair(Difference):
    """One pair of systems by one metric: `first` minus `second`."""

    metric: str
    first: str
    second: str
    p_holm: float
    significant: bool

    @property
    def better(self) -> str | None:
        """The system with the better score, significantly so or not; None where neither is."""
        first = self.first_is_better
        return None if first is None else self.first if first else self.second

    def flipped(self) -> Pair:
        """The same pair as `second` minus `first`."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            estimate=-self.estimate,
            z=-self.z,
            effect=-self.effect,
            superiority=1 - self.superiority,
        )

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        names = {"metric": self.metric, "first": self.first, "second": self.second, "better": self.better}
        return {**names, **super().to_dict(), "p_holm": finite(self.p_holm), "significant": self.significant}


@dataclass(frozen=True)
class Comparison:
    """Systems compared. `notes` says in plain words what a reader of the numbers should know."""

    settings: Settings
    segments: int
    units: int
    directions: Mapping[str, Direction]
    systems: Mapping[str, Mapping[str, Standing]]
    pairs: tuple[Pair, ...]
    typical_mdd: Mapping[str, float]
    notes: tuple[Message, ...]

    def __getitem__(self, system: str) -> Mapping[str, Standing]:
        return self.systems[system]

    def pair(self, first: str, second: str, metric: str) -> Pair:
        """The pair as `first` minus `second`, whichever way round it was computed."""
        for pair in self.pairs:
            if pair.metric == metric and {pair.first, pair.second} == {first, second}:
                return pair if pair.first == first else pair.flipped()
        raise PlainlyError(f"{first!r} and {second!r} were not compared by {metric!r}")

    def best(self, metric: str) -> tuple[str, ...]:
        """The system with the best score; several if they are equal, none if the metric has no better end."""
        return tuple(system for system, by_label in self.systems.items() if by_label[metric].best)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "settings": self.settings.to_dict(),
            "segments": self.segments,
            "units": self.units,
            "directions": dict(self.directions),
            "systems": {
                system: {label: standing.to_dict() for label, standing in by_label.items()}
                for system, by_label in self.systems.items()
            },
            "pairs": [pair.to_dict() for pair in self.pairs],
            "typical_mdd": {label: finite(value) for label, value in self.typical_mdd.items()},
            "notes": list(map(str, self.notes)),
        }


def compare(
    statistics: Statistics | Blocked,
    metrics: Mapping[str, Metric],
    *,
    directions: Mapping[str, Direction] | None = None,
    baseline: str | None = None,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
    trials: int | None = None,
    method: TestMethod = "bootstrap",
    power: float = POWER,
    family: Family = "metric",
    components: bool = False,
) -> Comparison:
    """Compare systems by metrics; `statistics` and `metrics` are those of an `Evaluation`.

    With a `baseline` every other system is tested against it, else every pair is tested. Corrected p-values count
    the tests of one metric as a family; with `family="all"`, those of all metrics together. `directions` says which
    end of a metric is better where that is not what the metric says. `clusters` is the document of each segment.
    `statistics` may also be `Blocked`. Intervals are from the resamples; tests may have more `trials`.
    """
    blocked = None
    if isinstance(statistics, Blocked):
        blocked, statistics = statistics, statistics.statistics
    check_method(method)
    if family not in get_args(Family):
        raise UnknownName("family of tests", family, get_args(Family))
    if baseline is not None and baseline not in statistics:
        raise UnknownName("system", baseline, statistics)
    clustered = blocked.clustered if blocked else clusters is not None
    resampling = replace(resampling, unit="document" if clustered else "segment")
    trials = max(trials or 0, resampling.resamples)
    settings = Settings(method, trials, resampling, baseline, family, power)
    segments = check_statistics(statistics, metrics)
    numbers = None if clusters is None else cluster_numbers(clusters, segments)
    units = drawn = segments if numbers is None else int(numbers.max()) + 1
    if blocked:
        segments, units = blocked.segments, blocked.units
    towards = {label: (directions or {}).get(label, metric.facts.direction) for label, metric in metrics.items()}
    resampled = resample(
        statistics,
        metrics,
        clusters=clusters,
        resampling=resampling,
        trials=trials,
        components=components,
        totals=blocked.totals if blocked else None,
    )
    pairs: list[Pair] = []
    for label, metric in metrics.items():
        rows = {system: by_label[label] for system, by_label in statistics.items()}
        scores = {system: by_label[label] for system, by_label in resampled.items()}
        swapped = None
        if method == "randomisation":
            sums = {system: blocked.totals[system][label] if blocked else total(rows[system]) for system in rows}
            swapped = _swapper(metric, rows, sums, numbers, settings)
        shared = shared_blocks(blocked, label) if blocked else shared_rows(rows, clusters)
        pairs += _pairs(label, metric, scores, towards[label], units, drawn, settings, swapped, shared)
    pairs = _corrected(pairs, settings)
    standings = {
        label: _standings(label, statistics, segments, resampled, towards[label], settings) for label in metrics
    }
    not_even = blocked.uneven if blocked else uneven(statistics, metrics)
    return Comparison(
        settings=settings,
        segments=segments,
        units=units,
        directions=towards,
        systems={system: {label: standings[label][system] for label in metrics} for system in statistics},
        pairs=tuple(pairs),
        typical_mdd={label: typical(pair.mdd for pair in pairs if pair.metric == label) for label in metrics},
        notes=(*_notes(pairs, units, settings), *map(_about_uneven, not_even)),
    )


def _swapper(
    metric: Metric,
    rows: Mapping[str, Array],
    totals: Mapping[str, Array],
    numbers: NDArray[np.int64] | None,
    settings: Settings,
) -> Swapper:
    """Randomisation of all pairs by one metric: what each trial swaps is added up once a system, not once a pair."""
    pools = [pooled(table, numbers) for table in rows.values()]
    moved = dict(zip(rows, swapped_totals(pools, settings.trials, settings.resampling.seed), strict=True))

    def differences(first: str, second: str) -> Array:
        return swapped_differences(metric, (totals[first], totals[second]), (moved[first], moved[second]))

    return differences


def _pairs(
    label: str,
    metric: Metric,
    scores: Mapping[str, Resampled],
    direction: Direction,
    units: int,
    drawn: int,
    settings: Settings,
    swapped: Swapper | None,
    shared: Sharing,
) -> list[Pair]:
    """Every pair that is asked for, still without correction.

    Where the two systems were not scored on the same segments, they are compared on those that both have.
    """
    baseline = settings.baseline
    if baseline is None:
        chosen = list(combinations(scores, 2))
    else:
        chosen = [(system, baseline) for system in scores if system != baseline]
    pairs = []
    for first, second in chosen:
        both = shared(first, second)
        if both is None:
            difference = difference_of(
                scores[first],
                scores[second],
                direction=direction,
                units=units,
                drawn=drawn,
                swapped=None if swapped is None else swapped(first, second),
                resampling=settings.resampling,
                power=settings.power,
            )
        else:
            difference = paired_test(
                metric,
                both.first,
                both.second,
                method=settings.method,
                clusters=both.clusters,
                resampling=settings.resampling,
                power=settings.power,
                units=both.units,
                trials=settings.trials,
            )
            difference = replace(difference, direction=direction)
        known = {spec.name: getattr(difference, spec.name) for spec in fields(difference)}
        pairs.append(Pair(**known, metric=label, first=first, second=second, p_holm=math.nan, significant=False))
    return pairs


def _corrected(pairs: Sequence[Pair], settings: Settings) -> list[Pair]:
    corrected = np.full(len(pairs), np.nan)
    labels = np.array([pair.metric if settings.family == "metric" else "" for pair in pairs])
    p = np.array([pair.p for pair in pairs])
    for label in np.unique(labels):
        corrected[labels == label] = holm(p[labels == label])
    return [
        replace(pair, p_holm=float(value), significant=bool(value < settings.alpha))
        for pair, value in zip(pairs, corrected, strict=True)
    ]


def _standings(
    label: str,
    statistics: Statistics,
    segments: int,
    resampled: Mapping[str, Mapping[str, Resampled]],
    direction: Direction,
    settings: Settings,
) -> dict[str, Standing]:
    scores = [by_label[label] for by_label in resampled.values()]
    observed, _ = ranks(np.array([score.observed for score in scores]), direction)
    chosen = settings.resampling
    drawn = np.stack([score.values[: chosen.resamples] for score in scores])
    between = rank_intervals(drawn, direction, chosen.confidence)
    standings = {}
    for system, score, rank, rank_interval in zip(statistics, scores, observed.tolist(), between, strict=True):
        rows = statistics[system][label]
        scored = int(rows[:, 0].sum())
        standings[system] = Standing(
            estimate=interval(score, chosen),
            scored=scored,
            unscored=segments - scored,
            rank=rank or None,
            rank_interval=rank_interval if rank else None,
            best=rank == 1,
            components={name: interval(part, chosen) for name, part in score.components.items()},
        )
    return standings


def _notes(pairs: Sequence[Pair], units: int, settings: Settings) -> list[Message]:
    notes = []
    labels = {pair.metric for pair in pairs}
    tests = len(pairs) if settings.family == "all" else len(pairs) // max(len(labels), 1)
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


def _about_uneven(label: str) -> Message:
    return message(
        "inference.uneven",
        "{metric} did not score the same segments of all systems. "
        "Scores may differ for that; pairs are tested on the segments that both have.",
        metric=label,
    )
