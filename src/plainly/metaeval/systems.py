"""How well does each metric agree with people on systems?

A system is the mean of its outputs, by the metric and by people. Only outputs count that have both. Both the segments
and the systems are a sample, so both are drawn anew: a resample draws segments, takes the means of what is left of
each system, and draws systems (Boot-Both of Deutsch, Dror and Roth 2021, TACL 9). A resample with fewer than three
different systems says nothing, as two always lie on a line. It is dropped.

Percentiles of so few systems promise too much, so intervals are widened (`plainly.inference.small_sample`). p takes
systems as independent and the means as exact. A handful of systems cannot show what other systems would do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from plainly.base.messages import Message, message
from plainly.inference.correlation import VARIES, Coefficient, Correlation, correlate, p_resampled
from plainly.inference.estimates import Estimate
from plainly.inference.paired import Direction
from plainly.inference.resampling import (
    NO_RESAMPLING,
    USUAL,
    Resampled,
    Resampling,
    bootstrap_weights,
    cluster_numbers,
    interval,
)
from plainly.inference.small_sample import widened
from plainly.inference.ties import pairwise_accuracy, snapped
from plainly.metaeval.correlations import (
    COEFFICIENTS,
    FEWEST,
    Agreement,
    check_lengths,
    cleaned,
    no_accuracy,
    orientation,
    why_not,
    without,
)
from plainly.metaeval.judged_set import many
from plainly.metrics import Array, ratio

FEW_SYSTEMS = 8
CELLS_AT_A_TIME = 1 << 21  # resamples times pairs of systems


@dataclass(frozen=True)
class OverSystems:
    """Agreement on systems. `drawn` holds the coefficients of each metric on the resamples, which all share."""

    systems: tuple[str, ...]
    agreements: Mapping[str, Agreement]
    notes: tuple[Message, ...]
    drawn: Mapping[str, Mapping[Coefficient, Array]] = field(repr=False, compare=False)


def system_level(
    scores: Mapping[str, Array],
    human: Array,
    directions: Mapping[str, Direction],
    *,
    systems: Sequence[str],
    segments: Sequence[str],
    human_direction: Direction = "higher",
    resampling: Resampling = USUAL,
) -> OverSystems:
    """Every metric beside people on the means of systems. One row an output, as over segments."""
    check_lengths(scores, human, systems, segments)
    scores, human = cleaned(scores, human)
    names = tuple(dict.fromkeys(systems))
    outputs = _Outputs(cluster_numbers(systems, len(human)), cluster_numbers(segments, len(human)), len(names))
    agreements, drawn = {}, {}
    for metric, values in scores.items():
        direction = directions.get(metric, "higher")
        of_metric, of_people, on_draws = outputs.means(values, human, resampling)
        agreements[metric] = _agreement(
            metric, direction, human_direction, of_metric, of_people, on_draws, resampling
        )
        drawn[metric] = {name: on_draws[name] for name in COEFFICIENTS}
    return OverSystems(names, agreements, _notes(names), drawn)


def system_interval(resampled: Resampled, systems: int, resampling: Resampling) -> Estimate:
    """The interval of what rests on so few systems: widened, as plain percentiles would promise too much."""
    wide = interval(resampled, replace(resampling, confidence=widened(resampling.confidence, systems)))
    return replace(wide, confidence=resampling.confidence)


def _agreement(
    metric: str,
    direction: Direction,
    human_direction: Direction,
    of_metric: Array,
    of_people: Array,
    drawn: Mapping[str, Array],
    resampling: Resampling,
) -> Agreement:
    of_metric, of_people = snapped(of_metric), snapped(of_people)
    reason = why_not(of_metric, of_people, things="systems")
    if reason is not None:
        return without(metric, direction, of_metric, of_people, reason)
    own: dict[str, Correlation] = {}
    for name in COEFFICIENTS:
        ((found,),) = correlate(of_metric, of_people, coefficient=name, resampling=NO_RESAMPLING)
        estimate = system_interval(Resampled(found.value, drawn[name]), found.n, resampling)
        own[name] = Correlation(estimate, found.n, found.p, p_resampled(found.value, drawn[name]))
    sign, n = orientation(direction, human_direction), own["pearson"].n
    accuracy = no_accuracy(n)
    if sign:
        accuracy = pairwise_accuracy(sign * of_metric, of_people, ties="none")
        right = drawn["accuracy"] if sign > 0 else drawn["accuracy turned"]
        accuracy = replace(accuracy, estimate=system_interval(Resampled(accuracy.value, right), n, resampling))
    return Agreement(
        metric=metric,
        direction=direction,
        n=n,
        pearson=own["pearson"],
        spearman=own["spearman"],
        kendall=own["kendall"],
        accuracy=accuracy,
    )


def _notes(systems: Sequence[str]) -> tuple[Message, ...]:
    n = len(systems)
    if n >= FEW_SYSTEMS:
        return ()
    if n < FEWEST:
        said = "there is no correlation over {systems}: it takes {least}"
        return (message("metaeval.note.no-systems", said, systems=many(n, "system"), least=FEWEST),)
    said = "only {n} systems: a correlation over fewer than {few} says little, whatever its interval"
    return (message("metaeval.note.few-systems", said, n=n, few=FEW_SYSTEMS),)


@dataclass(frozen=True)
class _Outputs:
    """Whose output each row is, of which segment."""

    systems: NDArray[np.int64]
    segments: NDArray[np.int64]
    count: int

    def means(self, values: Array, human: Array, resampling: Resampling) -> tuple[Array, Array, dict[str, Array]]:
        """The means of each system by metric and people, and what their agreement is on each resample."""
        kept = np.isfinite(values) & np.isfinite(human)
        tables = [self._by_segment(column, kept) for column in (np.ones(len(values)), values, human)]
        counts, *sums = (table.sum(axis=0) for table in tables)
        of_metric, of_people = (ratio(part, counts) for part in sums)
        if not len(human):
            return of_metric, of_people, _statistics(*np.empty((3, resampling.resamples, 0)))
        seeds = np.random.SeedSequence(resampling.seed).generate_state(2, np.uint64).tolist()
        step = max(1, CELLS_AT_A_TIME // max(self.count**2, len(tables[0])))
        blocks: list[dict[str, Array]] = []
        for chosen, repeated in zip(
            bootstrap_weights(len(tables[0]), resampling.resamples, seeds[0], step * len(tables[0])),
            bootstrap_weights(self.count, resampling.resamples, seeds[1], step * self.count),
            strict=True,
        ):
            counts = chosen @ tables[0]
            x, y = (ratio(chosen @ table, counts) for table in tables[1:])
            there = counts > 0
            blocks.append(_statistics(np.where(there, x, 0.0), np.where(there, y, 0.0), repeated * there))
        return of_metric, of_people, {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}

    def _by_segment(self, values: Array, kept: NDArray[np.bool_]) -> Array:
        """Sums by segment and system."""
        size = int(self.segments.max(initial=-1)) + 1
        cells = self.segments[kept] * self.count + self.systems[kept]
        sums: Array = np.bincount(cells, values[kept], minlength=size * self.count).astype(np.float64)
        return sums.reshape(size, self.count)


def _statistics(x: Array, y: Array, weights: Array) -> dict[str, Array]:
    """The coefficients and accuracies of systems that stand there several times: each argument (draws, systems)."""
    above_x, above_y = (np.sign(values[:, :, None] - values[:, None, :]) for values in (x, y))
    pairs = weights[:, :, None] * weights[:, None, :]
    product = (pairs * above_x * above_y).sum(axis=(1, 2))
    untied = [(pairs * np.abs(above)).sum(axis=(1, 2)) for above in (above_x, above_y)]
    # A rank is the number of systems below, and half of those beside: sum of (1 + sign) / 2.
    ranks = [(weights[:, None, :] * (1 + above) / 2).sum(axis=2) for above in (above_x, above_y)]
    apart = pairs * (1 - np.eye(x.shape[1]))
    total = apart.sum(axis=(1, 2))
    found = {
        "pearson": _pearson(x, y, weights),
        "spearman": _pearson(ranks[0], ranks[1], weights),
        "kendall": ratio(product, np.sqrt(untied[0] * untied[1])),
        "accuracy": ratio((apart * (above_x == above_y)).sum(axis=(1, 2)), total),
        "accuracy turned": ratio((apart * (above_x == -above_y)).sum(axis=(1, 2)), total),
    }
    enough = (weights > 0).sum(axis=1) >= FEWEST
    return {name: np.where(enough, values, np.nan) for name, values in found.items()}


def _pearson(x: Array, y: Array, weights: Array) -> Array:
    (x, spread_x), (y, spread_y) = (_centred(values, weights) for values in (x, y))
    return np.clip(ratio((weights * x * y).sum(axis=1), np.sqrt(spread_x * spread_y)), -1.0, 1.0)


def _centred(values: Array, weights: Array) -> tuple[Array, Array]:
    """Values less their mean, and the sum of their squares: 0 where they vary by rounding only."""
    totals = weights.sum(axis=1)
    means = np.nan_to_num(ratio((weights * values).sum(axis=1), totals))
    centred = values - means[:, None]
    spread = (weights * centred**2).sum(axis=1)
    return centred, np.where(spread > VARIES * totals * means**2, spread, 0.0)
