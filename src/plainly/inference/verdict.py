"""The answer that a comparison gives: who is best by the first metric, by how much, how sure that is, and why.

A verdict claims no more than the tests behind it. A system is best where it is better than every other one after the
correction for the number of tests; where it is not, the verdict names those that it cannot be told apart from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from plainly.base.messages import Message, joined, message, plain
from plainly.inference.comparison import FEW_UNITS, Comparison, Pair
from plainly.inference.estimates import Estimate, finite
from plainly.metrics import Metric

NO_COMPONENTS: Mapping[str, Mapping[str, float]] = MappingProxyType({})
MOST_NAMED = 3
"""Of more systems or pairs than this, the others are counted."""


@dataclass(frozen=True)
class Disagreement:
    """Pairs that another metric puts the other way round, both beyond chance: `worse` is better by that metric."""

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
    margin: Pair | None
    """The best system minus the next one."""
    equals: tuple[str, ...]
    """Systems that the best one cannot be told apart from."""
    letters: Mapping[str, str]
    """Systems that share a letter cannot be told apart; empty where not all pairs were tested."""
    disagreements: tuple[Disagreement, ...]
    deceptions: tuple[Deception, ...]
    parts: Mapping[str, float]
    """What each part of the first metric adds to the margin."""
    reasons: tuple[Message, ...] = ()
    """What other studies of the same texts say on it, as which operations the best system makes more often."""

    @property
    def best(self) -> str | None:
        """The system that is better than every other one beyond chance; None where there is none."""
        return self.order[0] if self.margin is not None and not self.equals else None

    @property
    def detectable(self) -> float:
        """A true difference of this size would be found in 4 of 5 test sets like this one."""
        return self.comparison.typical_mdd.get(self.metric, math.nan)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "metric": self.metric,
            "best": self.best,
            "order": list(self.order),
            "margin": self.margin and self.margin.to_dict(),
            "not_told_apart_from_best": list(self.equals),
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

    def sentences(self) -> list[Message]:
        """The verdict for people, the answer first."""
        return [*self._answer(), *self._why(), *self.reasons, *self._others(), *self._limits()]

    # ---- who is best

    def _answer(self) -> Iterator[Message]:
        title = self._title(self.metric)
        if not self.order:
            yield message("inference.no-score", "No system has a {metric} score.", metric=title)
            return
        top = self.order[0]
        score = self._score(top)
        if self.comparison.directions[self.metric] == "none":
            english = "{metric} has no better end, so it says which systems differ, not which is best."
            yield message("inference.no-better-end", english, metric=title)
            return
        if self.comparison.settings.baseline is not None:
            yield from self._against(self.comparison.settings.baseline)
            return
        if self.margin is None:
            if len(self.order) == 1:
                english = "{system} has {metric} {score}. There is no other system to compare it with."
                yield message("inference.one-system", english, system=top, metric=title, score=score)
            return
        count = len(self.order)
        if self.best:
            english = "{system} has the best {metric} of {count} systems: {margin} better than {next} ({p})."
            values = {"system": top, "metric": title, "count": count, "margin": self._margin()}
            yield message("inference.best", english, **values, next=self.order[1], p=_corrected(self.margin))
            return
        english = "No system is shown to be best by {metric}. {system} has the best score, {score}."
        yield message("inference.none-best", english, metric=title, system=top, score=score)
        named = _named([plain(name) for name in self.equals])
        if self.margin.difference == 0:
            scores = {name: self.comparison[name][self.metric].score for name in self.order}
            same = _named([plain(name) for name in self.order[1:] if scores[name] == scores[top]])
            english = "It cannot be told apart from {systems}. The same score: {same}."
            yield message("inference.same-score", english, systems=named, same=same)
        elif self.order[1] in self.equals:
            english = "It cannot be told apart from {systems}: {margin} better than {next} ({p})."
            values = {"systems": named, "margin": self._margin(), "next": self.order[1]}
            yield message("inference.not-told-apart", english, **values, p=_corrected(self.margin))
        else:
            english = "It is better than {next}, but cannot be told apart from {systems}."
            yield message("inference.told-apart-from-next", english, next=self.order[1], systems=named)

    def _against(self, baseline: str) -> Iterator[Message]:
        """All systems against one: which are better, which are worse, which cannot be told apart from it."""
        pairs = [self.comparison.pair(system, baseline, self.metric) for system in self.order if system != baseline]
        better = [pair for pair in pairs if pair.significant and pair.better == pair.first]
        worse = [pair for pair in pairs if pair.significant and pair.better == baseline]
        apart = {pair.first for pair in (*better, *worse)}
        values = {"baseline": baseline, "metric": self._title(self.metric)}
        for key, english, found in (
            ("better-than", "Better than {baseline} by {metric}: {systems}.", better),
            ("worse-than", "Worse than {baseline} by {metric}: {systems}.", worse),
        ):
            if found:
                yield message(f"inference.{key}", english, **values, systems=_named(list(map(self._by, found))))
        if same := [plain(pair.first) for pair in pairs if pair.first not in apart]:
            english = "Not told apart from {baseline} by {metric}: {systems}."
            yield message("inference.same-as", english, **values, systems=_named(same))

    def _by(self, pair: Pair) -> Message:
        english = "{system} by {difference} (p = {p})"
        better = pair.estimate if (pair.difference > 0) else -pair.estimate
        said = self._estimate(better, self.metric)
        return message("inference.by", english, system=pair.first, difference=said, p=_p(pair.p_holm))

    def _margin(self) -> Message:
        assert self.margin is not None
        better = self.margin.estimate if self.margin.direction == "higher" else -self.margin.estimate
        return self._estimate(better, self.metric)

    # ---- why

    def _why(self) -> Iterator[Message]:
        if self.margin is None or not any(self.parts.values()):
            return
        digits = self.metrics[self.metric].facts.decimals
        ordered = sorted(self.parts.items(), key=lambda item: -item[1])
        said = joined(
            [
                message(f"inference.part-{name}", f"{name} {{value:+.{digits}f}}", value=float(value))
                for name, value in ordered
            ]
        )
        english = "Where the difference to {next} comes from: {parts}."
        yield message("inference.why", english, next=self.order[1], parts=said)

    # ---- what speaks against it

    def _others(self) -> Iterator[Message]:
        first = self._title(self.metric)
        for one in self.disagreements:
            pairs = _named([_above(worse, better) for better, worse in one.pairs])
            english = "{other} disagrees with {metric} on {count} of {tested} pairs: it puts {pairs}."
            values = {"other": self._title(one.metric), "metric": first, "count": len(one.pairs)}
            yield message("inference.disagrees", english, **values, tested=one.tested, pairs=pairs)
        everyone = message("inference.every-system", "every system")
        beaten = plain(self.order[0]) if len(self.order) == 1 else everyone
        for found in self.deceptions:
            if found.beats_all:
                english = "By {metric}, {what} beats {systems}: do not trust {metric} alone here."
                key = "beats-all"
            else:
                english = "By {metric}, {what} has a better score than {systems}: do not trust {metric} alone here."
                key = "scores-above-all"
            values = {"metric": self._title(found.metric), "what": BASELINE_WORDS[found.baseline]}
            yield message(f"inference.{key}", english, **values, systems=beaten)

    # ---- how much this test set can show

    def _limits(self) -> Iterator[Message]:
        units = self.comparison.units
        unit = self.comparison.settings.resampling.unit
        if self.margin is not None and self.margin.units < units:
            yield message(
                f"inference.on-common-{unit}s",
                f"{{first}} and {{second}} are compared on the {{common:,}} of {{units:,}} {unit}s that both have.",
                first=self.order[0],
                second=self.order[1],
                common=self.margin.units,
                units=units,
            )
        if self.margin is not None and units < FEW_UNITS:
            yield message(f"inference.too-few-{unit}s-to-trust", f"With so few {unit}s no test can be trusted.")
        if math.isfinite(self.detectable):
            yield message(
                "inference.detectable",
                "For a typical pair of systems, this test set finds a true difference of {difference} in {metric}"
                " in {power:.0%} of cases; smaller ones are often missed.",
                difference=_number(self.detectable, self.metrics[self.metric].facts.decimals),
                metric=self._title(self.metric),
                power=self.comparison.settings.power,
            )

    def _score(self, system: str) -> Message:
        return self._estimate(self.comparison[system][self.metric].estimate, self.metric)

    def _estimate(self, estimate: Estimate, label: str) -> Message:
        digits = self.metrics[label].facts.decimals
        if math.isnan(estimate.low):
            return _number(estimate.value, digits)
        english = "{value} [{low}, {high}]"
        low, high = (_number(bound, digits) for bound in (estimate.low, estimate.high))
        return message("inference.with-interval", english, value=_number(estimate.value, digits), low=low, high=high)

    def _title(self, label: str) -> str:
        return self.metrics[label].title


BASELINE_WORDS = {
    "identity": message("inference.copying", "copying the source"),
    "truncate": message("inference.cutting", "cutting the source short"),
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
    order = best_first(comparison, first)
    tested = {(pair.first, pair.second) for pair in comparison.pairs if pair.metric == first}
    versus = {
        other: comparison.pair(order[0], other, first)
        for other in order[1:]
        if (order[0], other) in tested or (other, order[0]) in tested
    }
    complete = len(versus) == len(order) - 1 and comparison.directions[first] != "none"
    margin = versus[order[1]] if complete and versus else None
    return Verdict(
        comparison=comparison,
        metrics=metrics,
        metric=first,
        order=order,
        margin=margin,
        equals=tuple(other for other, pair in versus.items() if not pair.significant) if complete else (),
        letters=group_letters(comparison, first),
        disagreements=tuple(_disagreements(comparison, chosen)),
        deceptions=tuple(_deceptions(comparison, chosen)),
        parts=_parts(metrics[first], components, order) if margin is not None else {},
        reasons=tuple(reasons),
    )


def best_first(comparison: Comparison, metric: str) -> tuple[str, ...]:
    """The systems that have a score, the best first; where neither end is better, the highest. No baselines."""
    sign = 1 if comparison.directions[metric] == "lower" else -1
    scores = {system: comparison[system][metric].score for system in comparison.ranked}
    there = [system for system, score in scores.items() if math.isfinite(score)]
    return tuple(sorted(there, key=lambda system: sign * scores[system]))


def group_letters(comparison: Comparison, metric: str) -> dict[str, str]:
    """Letters such that two systems share one exactly if they cannot be told apart (Piepho 2004).

    The best system has an a. Without tests of all pairs there are no letters.
    """
    order = best_first(comparison, metric)
    pairs = [pair for pair in comparison.pairs if pair.metric == metric and {pair.first, pair.second} <= set(order)]
    if len(order) < 2 or len(pairs) < len(order) * (len(order) - 1) // 2:
        return {}
    groups = [frozenset(order)]
    for pair in pairs:
        if not pair.significant:
            continue
        apart = {pair.first, pair.second}
        cut = [group for group in groups if apart <= group]
        groups = [group for group in groups if group not in cut]
        for part in (group - {name} for group in cut for name in (pair.first, pair.second)):
            if not any(part <= group for group in groups):
                groups = [group for group in groups if not group < part] + [part]
    place = {system: number for number, system in enumerate(order)}
    groups.sort(key=lambda group: sorted(place[system] for system in group))
    return {
        system: "".join(_letter(number) for number, group in enumerate(groups) if system in group) for system in order
    }


def _letter(number: int) -> str:
    """a to z, then a1 to z1, and so on."""
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")


def letter_ranges(letters: str) -> str:
    """Letters for people: of three or more in a row, the first and the last, as c-h."""
    found = re.findall(r"[a-z]\d*", letters)
    numbers = [ascii_lowercase.index(letter[0]) + len(ascii_lowercase) * int(letter[1:] or 0) for letter in found]
    runs = [list(run) for _, run in groupby(range(len(found)), lambda i: numbers[i] - i)]
    return "".join(
        f"{found[run[0]]}-{found[run[-1]]}" if len(run) > 2 else "".join(found[i] for i in run) for run in runs
    )


def _disagreements(comparison: Comparison, labels: Sequence[str]) -> Iterator[Disagreement]:
    ranked = set(comparison.ranked)
    by_metric: dict[str, dict[frozenset[str], Pair]] = {}
    for pair in comparison.pairs:
        if {pair.first, pair.second} <= ranked:
            by_metric.setdefault(pair.metric, {})[frozenset({pair.first, pair.second})] = pair
    first = by_metric.get(labels[0], {})
    for label in labels[1:]:
        opposed = [
            (pair.better, other.better)
            for names, pair in first.items()
            if pair.significant
            and (other := by_metric.get(label, {}).get(names)) is not None
            and other.significant
            and None not in (pair.better, other.better)
            and pair.better != other.better
        ]
        if opposed:
            yield Disagreement(label, tuple((str(a), str(b)) for a, b in opposed), len(first))


def _deceptions(comparison: Comparison, labels: Sequence[str]) -> Iterator[Deception]:
    """Baselines with a better score than every system. That of a person may well be better, and deceives nobody."""
    for label in labels:
        order = best_first(comparison, label)
        if comparison.directions[label] == "none" or not order:
            continue
        for baseline in (name for name in comparison.baselines if name in BASELINE_WORDS):
            pair = comparison.find(baseline, order[0], label)
            if pair is not None and pair.better == baseline:
                others = [comparison.find(baseline, system, label) for system in order]
                beats_all = all(one is not None and one.significant and one.better == baseline for one in others)
                yield Deception(label, baseline, pair, beats_all)


def _parts(metric: Metric, components: Mapping[str, Mapping[str, float]], order: Sequence[str]) -> dict[str, float]:
    """What each part adds to the difference of the two best; only for a metric that is the mean of its parts."""
    best, other = (components.get(system, {}) for system in order[:2])
    return {
        name: (best[name] - other[name]) / len(metric.parts)
        for name in metric.parts
        if name in best and name in other and math.isfinite(best[name] - other[name])
    }


def _above(better: str, worse: str) -> Message:
    return message("inference.above", "{better} above {worse}", better=better, worse=worse)


def _named(parts: Sequence[Message]) -> Message:
    """The first few, and how many more."""
    shown = joined(parts[:MOST_NAMED])
    more = len(parts) - MOST_NAMED
    return shown if more <= 0 else message("inference.and-more", "{shown} and {more} more", shown=shown, more=more)


def _number(value: float, digits: int) -> Message:
    return message("", f"{{value:.{digits}f}}", value=float(value))


def _corrected(pair: Pair) -> Message:
    """The p-value, and whether it was corrected: an interval is of one pair alone, and may exclude 0 beside it."""
    if pair.p_holm == pair.p or math.isnan(pair.p_holm):
        return message("inference.p", "p = {p}", p=_p(pair.p_holm))
    return message("inference.p-corrected", "p = {p} after correction", p=_p(pair.p_holm))


def _p(p: float) -> Message:
    if math.isnan(p):
        return message("inference.no-p", "not computable")
    return message("", "{value:.2g}", value=float(p))
