"""All systems by all metrics, from one set of resamples: scores with intervals, ranks, and every pair tested."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import combinations
from typing import get_args

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, message
from plainly.inference.comparison import FEW_UNITS, Comparison, Family, Pair, Settings
from plainly.inference.drawing import SystemDraws
from plainly.inference.multiple import holm, resamples_needed
from plainly.inference.paired import Blocked, Direction, TestMethod, check_method, enough_units
from plainly.inference.power import POWER, typical
from plainly.inference.resampling import (
    MOST_RESAMPLES,
    USUAL,
    Clusters,
    Resampling,
    Statistics,
    check_statistics,
    cluster_numbers,
)
from plainly.inference.runs import NO_RUNS, Members, like_with_like, members_of
from plainly.inference.standings import standings
from plainly.metrics import Metric

FEW_RESAMPLES = 100


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
    if blocked is None:
        statistics = like_with_like(statistics, members)
    numbers = None if clusters is None else cluster_numbers(clusters, segments)
    rows = segments if numbers is None else int(numbers.max()) + 1
    among = tuple(system for system in members if system in baselines)
    towards = {label: (directions or {}).get(label, metric.facts.direction) for label, metric in metrics.items()}
    chosen = _chosen(list(members), baseline, among)
    drawn = SystemDraws(statistics, metrics, members, numbers, blocked, settings, components)
    pairs = [_pair(drawn, label, *names, towards[label]) for label in metrics for names in chosen]
    systems = [system for system in members if system not in among]
    whole = blocked.segments if blocked else segments
    standing = {
        label: standings(drawn, label, systems, among, towards[label], whole, resampling) for label in metrics
    }
    pairs = _corrected(pairs, settings, among)
    not_even = blocked.uneven if blocked else uneven(statistics, metrics)
    units = blocked.units if blocked else rows
    return Comparison(
        settings=settings,
        segments=whole,
        units=units,
        baselines=among,
        directions=towards,
        systems={system: {label: standing[label][system] for label in metrics} for system in members},
        pairs=tuple(pairs),
        typical_mdd={label: _typical(pairs, label, among) for label in metrics},
        notes=(*_notes(pairs, units, settings, among), *map(_about_uneven, not_even)),
    )


def _pair(drawn: SystemDraws, label: str, first: str, second: str, direction: Direction) -> Pair:
    """A pair that is still without correction."""
    together = drawn.together(label, first, second)
    found = together.difference(direction)
    known = {spec.name: getattr(found, spec.name) for spec in fields(found)}
    return Pair(
        **known,
        metric=label,
        first=first,
        second=second,
        segments=together.segments,
        tests=0,
        p_holm=math.nan,
        significant=False,
    )


def _chosen(systems: Sequence[str], baseline: str | None, among: Collection[str]) -> list[tuple[str, str]]:
    """The pairs that are tested: all with one system, or all but those of two baselines."""
    if baseline is not None:
        return [(system, baseline) for system in systems if system != baseline]
    return [(first, second) for first, second in combinations(systems, 2) if not {first, second} <= {*among}]


def _corrected(pairs: Sequence[Pair], settings: Settings, among: Collection[str]) -> list[Pair]:
    """Pairs with a baseline are a family of their own: baselines move no number of a system."""
    corrected = np.full(len(pairs), np.nan)
    tests = np.zeros(len(pairs), dtype=np.int64)
    families = np.array([_family(pair, settings, among) for pair in pairs])
    p = np.array([pair.p for pair in pairs])
    for family in np.unique(families):
        corrected[families == family] = holm(p[families == family])
        tests[families == family] = np.isfinite(p[families == family]).sum()
    return [
        replace(pair, tests=int(count), p_holm=float(value), significant=bool(value < settings.alpha))
        for pair, count, value in zip(pairs, tests, corrected, strict=True)
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


def _notes(pairs: Sequence[Pair], units: int, settings: Settings, among: Collection[str]) -> Iterator[Message]:
    between = [pair for pair in pairs if {pair.first, pair.second}.isdisjoint(among)] or pairs
    tests = max(Counter(_family(pair, settings, among) for pair in between).values(), default=0)
    needed = resamples_needed(tests, settings.alpha, units if settings.method == "bootstrap" else None)
    enough = enough_units(units, settings.alpha / max(1, tests)) and needed <= MOST_RESAMPLES
    drawn = settings.resampling
    if enough and settings.trials < needed:
        yield message(
            "inference.few-trials",
            "{resamples:,} resamples are too few for {tests:,} tests: after the correction nothing can be "
            "significant. Use at least {needed:,}.",
            resamples=settings.trials,
            tests=tests,
            needed=needed,
        )
    if drawn.resamples < FEW_RESAMPLES:
        english = "{resamples:,} resamples are too few: intervals and p-values are rough."
        yield message("inference.few-resamples", english, resamples=drawn.resamples)
    there = _only(units, drawn.unit)
    if units == 1:
        yield message("inference.one-unit", "{there} That is too few for intervals and tests.", there=there)
    elif not enough and tests > 1:
        english = "{there} That is too few to find a difference in {tests:,} tests."
        yield message("inference.too-few-for-tests", english, there=there, tests=tests)
    elif not enough:
        yield message("inference.too-few-units", "{there} That is too few to find a difference.", there=there)
    if 1 < units < FEW_UNITS:
        english = "Intervals of fewer than {few} {unit}s are too short."
        yield message(f"inference.few-{drawn.unit}s", english.replace("{unit}", drawn.unit), few=FEW_UNITS)


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
        "Scores may differ for that; pairs are tested and ranked on the segments that both have.",
        metric=label,
    )
