"""Where the best system is better than the others, and where it is not: in words, as a map, and in numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plainly.base.groups import grouped
from plainly.findings import Findings
from plainly.inference.estimates import Estimate
from plainly.inference.slices import SliceDifference
from plainly.metrics import Metric
from plainly.report import grids
from plainly.report.charts import LOOKS, NO_BETTER_END, Chart, Panel, Value
from plainly.report.compared import Compared
from plainly.report.slice_scores import scores_by
from plainly.report.tables import Bounded, copies
from plainly.report.words import NOTHING, joined, number_for, plural, verdict
from plainly.scoring.slices import LENGTH, Grouping, Slices, by_fields, by_source_length, slices

CHARTED = 8
"""Pairs in the map; the table has all."""
AT_ONCE = 2
"""Pairs whose numbers are shown; those of more unfold."""
NAMED = 3

Found = SliceDifference[tuple[str, str]]


@dataclass(frozen=True)
class Numbers:
    """Pairs of systems, each with a row a slice: name, segments, both scores, the difference, p, which is better."""

    title: str
    heads: Sequence[str]
    pairs: Mapping[str, Sequence[Sequence[str | Bounded]]]
    legend: Sequence[str]
    copies: Mapping[str, str]

    @property
    def folded(self) -> bool:
        return len(self.pairs) > AT_ONCE


@dataclass(frozen=True)
class Section:
    """What the template shows; `numbers` is None where there are no two systems."""

    question: str
    answer: str
    charts: Sequence[Chart]
    numbers: Numbers | None = None


def section(compared: Compared) -> Section | None:
    """By the length of sources and by each field of the records, as far as these cut the test set.

    As `plainly compare --by` has it: the best system against every other one, or all against the one asked for.
    """
    length = [*filter(None, [by_source_length(compared.corpus)])]
    fields = [grouping for grouping in by_fields(compared.corpus) if not (length and grouping.field == LENGTH)]
    groupings = [*length, *fields]
    if compared.evaluation.statistics is None or not groupings:
        return None
    scores = [
        *(scores_by(compared, grouping, "by-length", "the length of the source") for grouping in length),
        *(scores_by(compared, grouping, f"by-field-{n}", grouping.field) for n, grouping in enumerate(fields)),
    ]
    comparison = compared.against or compared.comparison
    against = comparison.settings.baseline
    others = [system for system in compared.verdict.order if system != against]
    found = slices(comparison, groupings, compared.first) if len(others) > (against is None) else None
    if found is None or not found.differences:
        return Section("Where are the scores high?", "", scores)
    pairs = _Pairs(compared.metric, found, against)
    answer = " ".join(pairs.answer())
    return Section(pairs.question(), answer, [pairs.map(groupings), *scores], pairs.numbers(groupings))


class _Pairs:
    """Pairs of systems on slices. One system is in all of them: the one that was asked for, or the best."""

    def __init__(self, metric: Metric, found: Slices, against: str | None) -> None:
        self.metric, self.found, self.against = metric, found, against
        self.shared = against or found.differences[0].first
        self.ways = ("higher", "lower") if metric.facts.direction == "none" else ("better", "worse")
        self.by_other = grouped(found.differences, self.other)
        self.turned = sorted(filter(self._turns, self.by_other), key=lambda other: -_spread(self.by_other[other]))

    def other(self, one: Found) -> str:
        """The system of the pair that is not in all of them."""
        return one.second if one.first == self.shared else one.first

    def _turns(self, other: str) -> bool:
        """Whether two systems change places between slices of one kind, both beyond chance."""
        kinds = grouped(self.by_other[other], lambda one: one.slice[0]).values()
        return any({*self.ways} <= set(map(_way, kind)) for kind in kinds)

    # ---- in words

    def question(self) -> str:
        up, _ = self.ways
        if self.against:
            return f"Where are systems {up} than {self.against}?"
        (other, *more) = self.by_other
        return f"Where is {self.shared} {up} than {'the others' if more else other}?"

    def answer(self) -> Iterator[str]:
        """First where a system is better here and worse there; then where it is worse elsewhere; then how often."""
        up, down = self.ways
        if self.turned:
            yield from self._turning(self.by_other[self.turned[0]])
        if len(self.turned) > 1:
            yield f"It also turns round {'for' if self.against else 'against'} {_some(self.turned[1:])}."
        every = self.found.differences
        elsewhere = [one for one in every if _way(one) == down and self.other(one) not in self.turned]
        if elsewhere:
            elsewhere.sort(key=lambda one: -abs(one.difference.difference))
            said = [f"{one.first} is {down} than {one.second} on {self._where(one)}" for one in elsewhere]
            yield f"{_some(said)}."
        counts = [sum(_way(one) == way for one in every) for way in self.ways]
        cuts = plural(len({one.slice for one in every}), "slice")
        tests = f"{plural(len(every), 'test')} ({plural(len(self.by_other), 'pair')} of systems, {cuts})"
        whose = "a system" if self.against else self.shared
        if any(counts):
            yield f"Of {tests}, {whose} is {up} in {counts[0]} and {down} in {counts[1]}, beyond chance."
        else:
            yield f"None of {tests} shows a difference beyond chance."

    def _turning(self, every: Sequence[Found]) -> Iterator[str]:
        up, down = self.ways
        for by, own in grouped(every, lambda one: one.slice[0]).items():
            said = {way: joined([self._where(one) for one in own if _way(one) == way]) for way in self.ways}
            if all(said.values()):
                pair = f"{own[0].first} is {up} than {own[0].second} on {said[up]}, but {down} on {said[down]}"
                yield f"It turns round with the {by}: {pair}."

    def _where(self, one: Found) -> str:
        by, name = one.slice
        slice_ = f"sources of {name} words" if by == LENGTH else f"{by} {name}"
        return f"{slice_} (by {number_for(self.metric, abs(one.difference.difference))})"

    # ---- as a map

    def map(self, groupings: Sequence[Grouping]) -> Chart:
        """The most telling pairs, in the order of their scores."""
        chosen = sorted(self.by_other, key=self._tells, reverse=True)[:CHARTED]
        others = [other for other in self.by_other if other in chosen]
        digits = self.metric.facts.decimals
        looks = NO_BETTER_END if self.metric.facts.direction == "none" else LOOKS
        rows: list[list[Value]] = []
        panels = []
        for grouping in groupings:
            own = [one for other in others for one in self.by_other[other] if one.slice[0] == grouping.field]
            for one in own:
                found = one.difference.estimate
                numbers = [one.segments, found.value, found.low, found.high, one.p_corrected]
                rows.append([self.other(one), *one.slice, one.first, one.second, _way(one), *numbers])
            told = "; ".join(
                f"{one.first} is {_way(one)} than {one.second} on {self._where(one)}"
                for one in own
                if _way(one) in self.ways
            )
            alt = f"Differences in {self.metric.title} by {grouping.title}. {told or 'None is beyond chance'}."
            spec = grids.slice_grid(others, grouping.title, grouping.names, {"by": grouping.field}, digits, looks)
            panels.append(Panel(grouping.title, alt, spec, 130 + grouping.width * len(grouping.names)))
        many = len(self.by_other)
        difference = (
            f"the row’s system minus {self.shared}" if self.against else f"{self.shared} minus the row’s system"
        )
        note = f"{self.metric.title} of {difference}. Colours mark what is beyond chance."
        if many > len(others):
            note += f" Here are the {len(others)} most telling of {plural(many, 'pair')}; the table has all."
        columns = ("system", "by", "slice", "first", "second", "verdict", "segments", "difference", "low", "high")
        question = f"How far apart are they on each slice? ({self.metric.title})"
        return Chart("slices", question, "", note, (*columns, "corrected p"), rows, panels)

    def _tells(self, other: str) -> tuple[bool, bool, bool, float]:
        """What turns round tells most, then what speaks against the rest; then the next best, and how much varies."""
        own = self.by_other[other]
        against = any(_way(one) == self.ways[1] for one in own)
        return other in self.turned, against, other == next(iter(self.by_other)), _spread(own)

    # ---- in numbers

    def numbers(self, groupings: Sequence[Grouping]) -> Numbers:
        first, second = ("system", self.shared) if self.against else (self.shared, "other system")
        several = len(groupings) > 1
        table = self.found.table()
        return Numbers(
            table.question.text(),
            [
                "slice" if several else groupings[0].title,
                "segments",
                first,
                second,
                "difference",
                "corrected p",
                self.ways[0],
            ],
            {
                f"{own[0].first} against {own[0].second}": [self._row(one, several) for one in own]
                for own in self.by_other.values()
            },
            [line.text() for line in table.legend],
            copies(Findings([table])),
        )

    def _row(self, one: Found, several: bool) -> list[str | Bounded]:
        by, name = one.slice
        estimates = (one.first_score, one.second_score, one.difference.estimate)
        shown = [_bounded(self.metric, estimate) for estimate in estimates]
        p = f"{one.p_corrected:.2g}" if math.isfinite(one.p_corrected) else NOTHING
        ahead = {self.ways[0]: one.first, self.ways[1]: one.second}.get(_way(one), "no difference shown")
        return [f"{by} {name}" if several else name, f"{one.segments:,}", *shown, p, ahead]


def _way(one: Found) -> str:
    """The first system against the second, on this slice."""
    return verdict(one.difference, one.significant)


def _spread(own: Sequence[Found]) -> float:
    """How far the differences of a pair lie apart."""
    values = [one.difference.difference for one in own]
    return max(values) - min(values)


def _some(said: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = len(said) - NAMED
    return joined(said) if more <= 0 else f"{', '.join(said[:NAMED])} and {more} more"


def _bounded(metric: Metric, found: Estimate) -> Bounded:
    low, high = (number_for(metric, bound) for bound in (found.low, found.high))
    return Bounded(number_for(metric, found.value), f"{low} to {high}" if found.has_interval else "")
