"""The answer that a comparison gives: who is best by the first metric, by how much, how sure that is, and why.

A verdict claims no more than the tests behind it. A system is best where every test finds it better than the other
one after the correction for the number of tests, and where it lacks no segment that others have. Where that is not
so, the verdict names those that it cannot be told apart from. `verdict_sentences` says all of it in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from plainly.base.messages import Message
from plainly.inference.comparison import Comparison, Pair
from plainly.inference.estimates import finite
from plainly.inference.letters import group_letters
from plainly.inference.verdict_sentences import BASELINE_WORDS, answer, remarks
from plainly.metrics import Metric

NO_COMPONENTS: Mapping[str, Mapping[str, float]] = MappingProxyType({})


@dataclass(frozen=True)
class Disagreement:
    """Pairs that another metric puts the other way round, both beyond chance; the most telling first."""

    metric: str
    pairs: tuple[tuple[str, str], ...]
    """(better by the first metric, better by this one)."""
    tested: int


@dataclass(frozen=True)
class Deception:
    """A baseline that scores above every system by a metric, so that this metric must not be trusted alone."""

    metric: str
    baseline: str
    pair: Pair
    """The baseline minus the best system by that metric."""
    beats_all: bool
    """Whether it is better than every system beyond chance."""


@dataclass(frozen=True)
class Verdict:
    """What a comparison comes to."""

    comparison: Comparison
    metrics: Mapping[str, Metric]
    metric: str
    """The first metric: the one that decides."""
    order: tuple[str, ...]
    """The systems with a score, the best first; baselines are not among them."""
    versus: Mapping[str, Pair]
    """The first of them minus every other one; empty where not all of these pairs were tested."""
    letters: Mapping[str, str]
    """Systems that share a letter cannot be told apart; empty where not all pairs were tested."""
    disagreements: tuple[Disagreement, ...]
    deceptions: tuple[Deception, ...]
    parts: Mapping[str, float]
    """What each part of the first metric adds to the margin, where that is beyond chance."""
    reasons: tuple[Message, ...] = ()
    """What other studies of the same texts say on it, as which operations the best system makes more often."""

    @property
    def best(self) -> str | None:
        """The system that is better than every other one beyond chance; None where there is none."""
        if not self.versus or self.comparison[self.order[0]][self.metric].lacking:
            return None
        top = self.order[0]
        return top if all(pair.significant and pair.better == top for pair in self.versus.values()) else None

    @property
    def margin(self) -> Pair | None:
        """The best system minus the next one; None where these share no segment."""
        pair = self.versus.get(self.order[1]) if len(self.order) > 1 else None
        return None if pair is None or math.isnan(pair.difference) else pair

    @property
    def equals(self) -> tuple[str, ...]:
        """Systems that the best one cannot be told apart from."""
        return tuple(other for other, pair in self.versus.items() if not pair.significant)

    @property
    def strangers(self) -> tuple[str, ...]:
        """Those of them that share no segment with the best one, so that no test is possible."""
        return tuple(other for other, pair in self.versus.items() if not pair.segments)

    @property
    def detectable(self) -> float:
        """A true difference of this size would be found in 4 of 5 test sets like this one."""
        return self.comparison.typical_mdd.get(self.metric, math.nan)

    def answer(self) -> list[Message]:
        """Who is best, for people."""
        return list(answer(self))

    def sentences(self) -> list[Message]:
        """The verdict for people, the answer first."""
        return [*answer(self), *remarks(self)]

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "metric": self.metric,
            "best": self.best,
            "order": list(self.order),
            "margin": self.margin and self.margin.to_dict(),
            "not_told_apart_from_best": list(self.equals),
            "no_segment_in_common_with_best": list(self.strangers),
            "groups": dict(self.letters),
            "disagreements": [
                {"metric": one.metric, "pairs": [list(pair) for pair in one.pairs], "tested": one.tested}
                for one in self.disagreements
            ],
            "baselines_above_all": [
                {"baseline": one.baseline, "beats_all": one.beats_all, **one.pair.to_dict()}
                for one in self.deceptions
            ],
            "detectable": finite(self.detectable),
            "parts": {name: finite(value) for name, value in self.parts.items()},
            "sentences": list(map(str, self.sentences())),
        }


def verdict(
    comparison: Comparison,
    metrics: Mapping[str, Metric],
    labels: Sequence[str] | None = None,
    components: Mapping[str, Mapping[str, float]] = NO_COMPONENTS,
    reasons: Sequence[Message] = (),
) -> Verdict:
    """The verdict of a comparison by the first of the metrics; the others may disagree.

    `labels` are the metrics that were asked for, the first one first; by default, all. `components` are those of the
    first metric, by system. `reasons` are what other studies say on it.
    """
    chosen = list(metrics if labels is None else labels)
    first = chosen[0]
    order = comparison.order(first)
    found = {other: comparison.find(order[0], other, first) for other in order[1:]}
    versus = {other: pair for other, pair in found.items() if pair is not None}
    complete = len(versus) == len(found) and comparison.directions[first] != "none"
    return Verdict(
        comparison=comparison,
        metrics=metrics,
        metric=first,
        order=order,
        versus=versus if complete else {},
        letters=group_letters(comparison, first),
        disagreements=tuple(_disagreements(comparison, chosen, order[:1])),
        deceptions=tuple(_deceptions(comparison, chosen)),
        parts=_parts(metrics[first], components, versus[order[1]], comparison) if complete and versus else {},
        reasons=tuple(reasons),
    )


def _disagreements(comparison: Comparison, labels: Sequence[str], top: Sequence[str]) -> Iterator[Disagreement]:
    """The pairs with the best system first, then those that differ most by both metrics, in standard errors."""
    ranked = set(comparison.ranked)
    by_metric: dict[str, dict[frozenset[str], Pair]] = {}
    for pair in comparison.pairs:
        if {pair.first, pair.second} <= ranked:
            by_metric.setdefault(pair.metric, {})[frozenset({pair.first, pair.second})] = pair
    first = by_metric.get(labels[0], {})
    for label in labels[1:]:
        opposed = [
            (pair, other)
            for names, pair in first.items()
            if pair.significant
            and (other := by_metric.get(label, {}).get(names)) is not None
            and other.significant
            and None not in (pair.better, other.better)
            and pair.better != other.better
        ]
        opposed.sort(key=lambda both: (both[0].better not in top, -min(abs(pair.z) for pair in both)))
        if opposed:
            yield Disagreement(label, tuple((str(a.better), str(b.better)) for a, b in opposed), len(first))


def _deceptions(comparison: Comparison, labels: Sequence[str]) -> Iterator[Deception]:
    """Baselines with a better score than every system. That of a person may well be better, and deceives nobody."""
    for label in labels:
        order = comparison.order(label)
        if comparison.directions[label] == "none" or not order:
            continue
        for baseline in (name for name in comparison.baselines if name in BASELINE_WORDS):
            pair = comparison.find(baseline, order[0], label)
            if pair is not None and pair.better == baseline:
                others = [comparison.find(baseline, system, label) for system in order]
                beats_all = all(one is not None and one.significant and one.better == baseline for one in others)
                yield Deception(label, baseline, pair, beats_all)


def _parts(
    metric: Metric, components: Mapping[str, Mapping[str, float]], margin: Pair, comparison: Comparison
) -> dict[str, float]:
    """What each part adds to the margin; only for a metric that is the mean of its parts.

    Components are of all segments of a system, so they explain no margin on fewer; and none that may be chance.
    """
    if not margin.significant or comparison.uneven(margin) or comparison.settings.baseline is not None:
        return {}
    best, other = (components.get(system, {}) for system in (margin.first, margin.second))
    return {
        name: (best[name] - other[name]) / len(metric.parts)
        for name in metric.parts
        if name in best and name in other and math.isfinite(best[name] - other[name])
    }
