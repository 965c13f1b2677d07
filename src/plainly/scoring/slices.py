"""Where one system is better than another: slices of a test set by the length of its sources, or by a column of it.

A slice comes from the source, the references or a column, never from an output, so that two systems stand in the same
slice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.findings import Column, Message, Table, message, plain
from plainly.findings.shape import Kind
from plainly.inference import Settings
from plainly.inference.estimates import finite
from plainly.inference.slices import TRIALS, SliceDifference, compare_slices
from plainly.scoring.comparison import Comparison, words_of_test

BANDS = 4
MOST_VALUES = 6  # the most frequent values of a field have a slice of their own, the rest share one
LENGTH, OPERATION = "length", "operation"
REST = "all others"


@dataclass(frozen=True)
class Grouping:
    """A way to cut the test set into slices: `members[i]` says which segments belong to the slice `names[i]`.

    A segment may belong to several slices, or to none.
    """

    field: str
    title: str
    names: Sequence[str]
    members: Sequence[NDArray[np.bool_]]
    without: int = 0
    """Segments that have no value, and so belong to none."""

    @property
    def width(self) -> int:
        """Pixels that the name of a slice needs."""
        return max(48, *(min(110, 8 * len(name)) for name in self.names))


@dataclass(frozen=True)
class Slices:
    """Pairs of systems on every slice, by one metric."""

    metric: str
    title: str
    digits: int
    settings: Settings
    tests: int
    """For which p-values are corrected."""
    differences: Sequence[SliceDifference[tuple[str, str]]]
    without: Mapping[str, int]
    """Segments that have no value, by field; they are in no slice of it."""

    def table(self) -> Table:
        """As every face prints it."""
        number: tuple[Kind, int] = ("estimate", self.digits)
        return Table(
            "slices",
            message("scoring.slices", "Where is one system better than the other by {metric}?", metric=self.title),
            [
                *(_column("by"), _column("slice"), _column("segments", "count"), _column("first"), _column("second")),
                *(_column("first score", *number), _column("second score", *number), _column("difference", *number)),
                *(Column("p", "p"), Column("p (corrected)", "p"), _column("better")),
            ],
            [
                [
                    *(*one.slice, one.segments, one.first, one.second, one.first_score, one.second_score),
                    *(one.difference.estimate, one.difference.p, one.p_corrected),
                    one.better or message("scoring.not-shown", "no difference shown"),
                ]
                for one in self.differences
            ],
            legend=[
                message(
                    "scoring.slices-corrected",
                    "p (corrected) is how often chance takes any of {tests:,} tests as far, all pairs of systems on "
                    "all slices, and must be below {alpha:g}; {test}",
                    tests=self.tests,
                    alpha=self.settings.alpha,
                    test=words_of_test(self.settings),
                ),
                *(_no_value(field, count) for field, count in self.without.items() if count),
            ],
        )

    def to_dict(self) -> list[dict[str, Any]]:
        """As it stands in JSON: the differences. `without` is said beside them."""
        return [
            {
                **{"by": one.slice[0], "slice": one.slice[1], "metric": self.metric, "segments": one.segments},
                **{"first": one.first, "second": one.second, "better": one.better},
                "first_score": one.first_score.to_dict(),
                "second_score": one.second_score.to_dict(),
                **one.difference.to_dict(),
                **{"p_corrected": finite(one.p_corrected), "significant": one.significant},
            }
            for one in self.differences
        ]


def slices(comparison: Comparison, groupings: Sequence[Grouping], metric: str | None = None) -> Slices:
    """The best system by the metric, the first one by default, against every other one, on every slice.

    Where the comparison has a baseline, every system against it. p-values are corrected for all pairs and slices.
    The best system is found by the same scores, so all pairs of systems count that it might have come from.
    """
    evaluation = comparison.evaluation
    label = metric or next(iter(evaluation.metrics))
    against = comparison.settings.baseline
    order = comparison.order(label)
    if against is not None:
        pairs = [(system, against) for system in order if system != against]
    else:
        pairs = [(order[0], other) for other in order[1:]]
    if not pairs:
        raise PlainlyError("slices need two systems to compare")
    possible = pairs if against is not None else list(combinations(order, 2))
    members = {
        (grouping.field, name): inside
        for grouping in groupings
        for name, inside in zip(grouping.names, grouping.members, strict=True)
    }
    settings = replace(comparison.settings, trials=max(comparison.settings.resampling.resamples, TRIALS))
    chosen = evaluation.metrics[label]
    found = compare_slices(
        evaluation.kept_statistics,
        label,
        chosen,
        members,
        pairs,
        settings,
        direction=comparison.directions[label],
        runs=evaluation.runs,
        clusters=evaluation.documents,
        among=possible,
    )
    without = {grouping.field: grouping.without for grouping in groupings}
    return Slices(label, chosen.title, chosen.facts.decimals, settings, len(possible) * len(members), found, without)


def groupings(corpus: Corpus, names: Sequence[str], more: Mapping[str, Grouping] | None = None) -> list[Grouping]:
    """The groupings asked for: `length`, a column of the records, or one of `more` by its name."""
    known = {grouping.field: grouping for grouping in by_fields(corpus)} | dict(more or {})
    length = by_source_length(corpus)
    if length is not None:
        known[LENGTH] = length
    columns = fields(corpus)
    for name in names:
        if name in columns and name not in known:
            raise PlainlyError(f"{name} does not cut the test set: it has one value, or another one in every segment")
        if name == LENGTH and length is None:
            raise PlainlyError("the test set cannot be cut by length: there are no sources, or all are of one length")
        if name not in known:
            raise UnknownName("slice", name, [*known, *([] if OPERATION in known else [OPERATION])])
    return [known[name] for name in dict.fromkeys(names)]


def by_members(field: str, title: str, belongs: Mapping[str, NDArray[np.bool_]], least: int = 1) -> Grouping:
    """Slices that may overlap, as the operations of the references; those of fewer segments are left out."""
    kept = {name: inside for name, inside in belongs.items() if inside.sum() >= least}
    none = ~np.logical_or.reduce(list(belongs.values()))
    return Grouping(field, title, list(kept), list(kept.values()), int(none.sum()))


def source_words(corpus: Corpus) -> NDArray[np.int64]:
    """The number of words of each source: what stands between blanks."""
    return corpus.encoded("none", True).source.lengths


def by_source_length(corpus: Corpus) -> Grouping | None:
    """Bands of about as many segments each; None where all sources are of one length or there are none."""
    words = source_words(corpus)
    present = np.array([text is not None for text in corpus.sources], dtype=bool)
    if not present.any():
        return None
    edges = np.unique(np.quantile(words[present], np.linspace(0, 1, BANDS + 1), method="nearest"))
    if len(edges) < 3:
        return None
    names, members = [], []
    for low, high in pairwise([edges[0] - 1, *edges[1:]]):
        low = low + 1
        names.append(f"{low}–{high}" if low < high else f"{low}")
        members.append(present & (words >= low) & (words <= high))
    return Grouping(LENGTH, "words of the source", names, members, int((~present).sum()))


def by_fields(corpus: Corpus) -> list[Grouping]:
    """One grouping a field of the records, the document first, where a field tells segments apart."""
    found = []
    for field, values in fields(corpus).items():
        counts = Counter(value for value in values if value is not None)
        if len(counts) < 2 or max(counts.values()) < 2:
            continue  # one part only, or every segment for itself
        frequent = [value for value, _ in counts.most_common(MOST_VALUES)]
        names = [*frequent, *([REST] if len(counts) > MOST_VALUES else [])]
        placed = [None if value is None else value if value in frequent else REST for value in values]
        members = [np.array([value == name for value in placed], dtype=bool) for name in names]
        found.append(Grouping(field, field, names, members, sum(value is None for value in values)))
    return found


def fields(corpus: Corpus) -> dict[str, list[str | None]]:
    """The document and the metadata of each segment as text, field by field; what is no single value is left out.

    An empty text is no value.
    """
    columns: dict[str, list[str | None]] = {}
    if corpus.documents is not None and any(corpus.documents):
        columns["document"] = list(map(_value, corpus.documents))
    if corpus.metadata is None:
        return columns
    names = dict.fromkeys(name for record in corpus.metadata for name in record)
    for name in names:
        values = [record.get(name) for record in corpus.metadata]
        if all(value is None or isinstance(value, str | int | float | bool) for value in values):
            columns[str(name)] = list(map(_value, values))
    return columns


def _value(value: object) -> str | None:
    text = "" if value is None or value != value else str(value)  # NaN is what tables have for nothing
    return text if text.strip() else None


def _no_value(field: str, count: int) -> Message:
    """So many segments are in no slice of a field."""
    if count == 1:
        return message("scoring.no-value-1", "{by}: 1 segment has no value and is in no slice", by=field)
    english = "{by}: {count:,} segments have no value and are in no slice"
    return message("scoring.no-value", english, by=field, count=count)


def _column(name: str, kind: Kind = "text", digits: int = 2) -> Column:
    return Column(name, kind, digits, _title(name))


def _title(name: str) -> Message:
    return message(f"scoring.column.{name.replace(' ', '-')}", name) if name else plain("")
