"""How well does each metric agree with people, output by output?

Signs are kept: a metric by which less is better (FKGL) that agrees with people has a negative correlation. Only the
accuracy asks which of two outputs a metric prefers, so there, and only there, its direction turns it round. The tau
of WMT 10 subtracts ties of the metric as mistakes. So it is counted in the metric's own direction, and then gets the
sign of the others: ties bring it nearer to 0, or across. Of a metric without a direction nobody can say what a
mistake is, so it has neither.

Of fewer than ten outputs there are no intervals: resamples of so few say too little, and promise too much.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.inference.correlation import Coefficient, Correlation, correlate, tamed
from plainly.inference.estimates import ROUNDING, Estimate, as_data
from plainly.inference.paired import Direction
from plainly.inference.partials import partial
from plainly.inference.resampling import NO_RESAMPLING, USUAL, Clusters, Resampling, cluster_numbers
from plainly.inference.ties import Accuracy, TauVariant, pairwise_accuracy, snapped, wmt_taus
from plainly.metrics import Array

COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
FEWEST = 3
"""Outputs (or systems) that a correlation needs: two always lie on a line."""
PEOPLE_ALIKE = "metaeval.why.people"
FEWEST_DRAWN = 10
"""Outputs that an interval needs."""


@dataclass(frozen=True)
class Pairs:
    """Which of two outputs a metric prefers, and which people prefer."""

    accuracy: Accuracy
    taus: Mapping[TauVariant, Correlation]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return as_data(self)


@dataclass(frozen=True)
class Agreement:
    """A metric beside people, on outputs or on systems. `n` counts those that have both a score and a judgement."""

    metric: str
    direction: Direction
    n: int
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    accuracy: Accuracy
    taus: Mapping[TauVariant, Correlation] = field(default_factory=dict)
    within: Pairs | None = None
    """Over pairs of outputs of one source; `accuracy` and `taus` take all pairs. None where no source has two."""
    partial: Correlation | None = None
    """Pearson's coefficient with the controls removed; None without controls."""
    reason: Message | None = None
    """Why there is no correlation, in words."""

    def coefficient(self, name: Coefficient) -> Correlation:
        """One of the three, by name."""
        found: Correlation = getattr(self, name)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return as_data(self)


def orientation(metric: Direction, human: Direction = "higher") -> int:
    """1 where agreement means a positive correlation, -1 where it means a negative one, 0 where nobody can say."""
    signs = {"higher": 1, "lower": -1, "none": 0}
    return signs[metric] * signs[human]


def segment_level(
    scores: Mapping[str, Array],
    human: Array,
    directions: Mapping[str, Direction],
    *,
    human_direction: Direction = "higher",
    clusters: Clusters | None = None,
    groups: Clusters | None = None,
    controls: Array | None = None,
    resampling: Resampling = USUAL,
) -> dict[str, Agreement]:
    """Every metric beside people, one value a row on both sides; NaN is a missing one.

    Rows of a cluster are not independent. `groups` are the sources: with them, pairs within a source are counted as
    well. `controls` are columns, such as the number of words.
    """
    check_lengths(scores, human, clusters, groups, controls)
    if not scores:
        return {}
    enough = int(np.isfinite(human).sum()) >= FEWEST_DRAWN
    options: dict[str, Any] = {"clusters": clusters}
    options["resampling"] = resampling if enough else replace(resampling, resamples=0)
    scores, human = cleaned(scores, human)
    table = np.column_stack([*scores.values()])
    found = {name: correlate(table, human, coefficient=name, **options) for name in COEFFICIENTS}
    agreements = {}
    for place, (metric, values) in enumerate(scores.items()):
        direction = directions.get(metric, "higher")
        reason = why_not(values, human)
        if reason is not None:
            agreements[metric] = without(metric, direction, values, human, reason)
            continue
        sign, n = orientation(direction, human_direction), found["pearson"][place][0].n
        agreements[metric] = Agreement(
            metric=metric,
            direction=direction,
            n=n,
            pearson=found["pearson"][place][0],
            spearman=found["spearman"][place][0],
            kendall=found["kendall"][place][0],
            accuracy=pairwise_accuracy(sign * values, human, **options) if sign else no_accuracy(n),
            taus=_taus(values, human, sign, options),
            within=None if groups is None else _within(values, human, sign, groups, options),
            partial=None if controls is None else partial(values, human, controls, **options),
            reason=None,
        )
    return agreements


def _within(values: Array, human: Array, sign: int, groups: Clusters, options: Mapping[str, Any]) -> Pairs | None:
    """Pairs of the same group. Groups are drawn for intervals, so there are none where clusters are larger."""
    clusters = options["clusters"]
    sources, drawn = (cluster_numbers(own, len(values)) for own in (groups, groups if clusters is None else clusters))
    resampling = options["resampling"] if np.array_equal(sources, drawn) else NO_RESAMPLING
    options = {**options, "groups": groups, "resampling": resampling}
    accuracy = pairwise_accuracy((sign or 1) * values, human, **options)
    if not accuracy.pairs:
        return None
    if not sign:
        accuracy = replace(no_accuracy(0), pairs=accuracy.pairs)
    return Pairs(accuracy, _taus(values, human, sign, options))


def _taus(values: Array, human: Array, sign: int, options: Mapping[str, Any]) -> dict[TauVariant, Correlation]:
    """Counted in the direction of agreement, then with the sign as it was."""
    found = wmt_taus((sign or 1) * values, human, **options)
    if sign < 0:
        found = {variant: _negated(tau) for variant, tau in found.items()}
    return {variant: tau for variant, tau in found.items() if sign or variant != "10"}


def _negated(tau: Correlation) -> Correlation:
    return replace(tau, estimate=-tau.estimate)


def no_accuracy(n: int) -> Accuracy:
    """Of something that prefers no output to another, or nobody knows which."""
    return Accuracy(Estimate(math.nan), n * (n - 1) // 2, "none", math.nan)


def without(metric: str, direction: Direction, values: Array, human: Array, reason: Message) -> Agreement:
    """No number at all, and why: what pairs would say of a constant is true, but nothing of the metric."""
    n = int((np.isfinite(values) & np.isfinite(human)).sum())
    nothing = Correlation(Estimate(math.nan), n, math.nan)
    return Agreement(metric, direction, n, nothing, nothing, nothing, no_accuracy(n), reason=reason)


def cleaned(scores: Mapping[str, Array], human: Array) -> tuple[dict[str, Array], Array]:
    """Numbers without traps: none so large that its square is lost, none apart from another by rounding only."""

    def clean(values: Array) -> Array:
        return snapped(tamed(values[:, None])[:, 0])

    return {metric: clean(values) for metric, values in scores.items()}, clean(human)


def why_not(values: Array, human: Array, *, things: str = "outputs") -> Message | None:
    """Why two columns have no correlation, in words; None where they have one."""
    kept = np.isfinite(values) & np.isfinite(human)
    n = int(kept.sum())
    named = message(f"metaeval.why.{things}", things)
    if n < FEWEST:
        counted = "only {n} {things} have" if n > 1 else "only one of the {things} has" if n else "no {things} have"
        said = f"{counted} both a score and a judgement; a correlation needs {{least}}"
        return message(f"metaeval.why.few-{min(n, 2)}", said, n=n, things=named, least=FEWEST)
    if _constant(human[kept]):
        said = "people judged all {n} {things} the same, so nothing can agree with them"
        return message(PEOPLE_ALIKE, said, n=n, things=named)
    if _constant(values[kept]):
        return message("metaeval.why.constant", "the metric gives all {n} {things} the same score", n=n, things=named)
    return None


def _constant(values: Array) -> bool:
    """Whether values differ by rounding only."""
    return bool(values.max() - values.min() <= ROUNDING * np.abs(values).max())


def check_lengths(scores: Mapping[str, Array], human: Array, *others: Sequence[Any] | Array | None) -> None:
    """As many entries everywhere as there are judged rows."""
    for name, values in scores.items():
        if len(values) != len(human):
            raise PlainlyError(f"{name} has {len(values)} scores, but {len(human)} outputs were judged")
    for other in others:
        if other is not None and len(other) != len(human):
            raise PlainlyError(f"{len(human)} outputs were judged, but what describes them has {len(other)} entries")
