"""Outputs that people judged: the texts, who made them, and the numbers people gave."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, message
from plainly.corpus import Corpus
from plainly.inference.estimates import ROUNDING
from plainly.metrics import Array

T = TypeVar("T")

MOST_CELLS = 50_000_000  # of a table of single ratings: 400 MB
OUTPUT = "output"  # the one system of `JudgedSet.corpus`: all outputs, in row order

Scale = Literal["raw", "z", "label"]
HumanDirection = Literal["higher", "lower"]
Values = Literal["raw", "z"]


@dataclass(frozen=True)
class Beside:
    """Another measure of the same outputs that is held against what was judged, as metrics are."""

    scores: Array
    """One a row; NaN: not known."""
    direction: HumanDirection = "higher"
    signature: str = ""


@dataclass(frozen=True)
class JudgedSet:
    """One row an output. Rows of one cluster share their source or document, so they are not independent."""

    name: str
    lang: str
    segments: tuple[str, ...]  # ids of the sources, as annotations name them
    systems: tuple[str, ...]
    sources: tuple[str | None, ...]
    outputs: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    values: Mapping[str, Array]  # dimension -> one number a row; NaN: not judged
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what rows can be grouped by
    ratings: Mapping[str, Array] = field(default_factory=dict)  # dimension -> (rows, raters), NaN: not rated
    directions: Mapping[str, HumanDirection] = field(default_factory=dict)  # "higher" values are better, unless named
    scale: Mapping[str, Scale] = field(default_factory=dict)
    reference_sets: Mapping[str, tuple[tuple[str, ...], ...]] = field(
        default_factory=dict
    )  # other references, by name
    clusters: tuple[str, ...] = ()  # of each row: its document or source; () where segments say as much
    positions: tuple[int, ...] = ()  # of each row: the line, from 0, of its source in the test set, if it has one
    lines: int = 0  # how many the test set has
    beside: Mapping[str, Beside] = field(default_factory=dict)  # other measures of the outputs, by name
    no_ceiling: Message | None = None  # why nobody can say how far people agree
    notes: tuple[Message, ...] = ()
    paper: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        n = len(self.outputs)
        columns: dict[str, Sequence[object] | Array] = {
            "segments": self.segments,
            "systems": self.systems,
            "sources": self.sources,
            "references": self.references,
            **{f"values of {name!r}": column for name, column in self.values.items()},
            **{f"field {name!r}": column for name, column in self.fields.items()},
            **{f"ratings of {name!r}": column for name, column in self.ratings.items()},
            **{f"references {name!r}": column for name, column in self.reference_sets.items()},
            **{name: one.scores for name, one in self.beside.items()},
            **({"clusters": self.clusters} if self.clusters else {}),
            **({"positions": self.positions} if self.positions else {}),
        }
        for name, column in columns.items():
            if len(column) != n:
                raise PlainlyError(f"{self.name}: there are {n} outputs, but the {name} have {len(column)} entries")

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What was judged, in the order of the data."""
        return tuple(self.values)

    @property
    def units(self) -> tuple[str, ...]:
        """What is drawn anew as a whole: the cluster of each row."""
        return self.clusters or self.segments

    def direction(self, dimension: str) -> HumanDirection:
        """Whether "higher" or "lower" values of a dimension are the better ones."""
        return self.directions.get(dimension, "higher")

    def less_is_better(self, dimensions: Iterable[str]) -> JudgedSet:
        """The same, where low values of these dimensions are the good ones."""
        for name in dimensions:
            if name not in self.values:
                raise UnknownName("dimension", name, self.values)
        return replace(self, directions={**self.directions, **dict.fromkeys(dimensions, "lower")})

    def corpus(self, references: Sequence[Sequence[str]] | None = None) -> Corpus:
        """The texts as a corpus with one system, `output`, in row order; with these references, or its own."""
        own = self.references if references is None else tuple(tuple(texts) for texts in references)
        return Corpus(self.sources, own, {OUTPUT: self.outputs}, lang=self.lang)

    def with_reference_set(self, name: str, texts: Sequence[Sequence[str]]) -> JudgedSet:
        """The same with one more set of references: those of each line of the test set."""
        if not self.positions:
            raise PlainlyError(f"{self.name} is no part of a test set whose lines references could go with")
        if len(texts) != self.lines:
            raise PlainlyError(f"the references {name!r} have {len(texts)} lines, but the texts have {self.lines}")
        own = tuple(tuple(texts[position]) for position in self.positions)
        return replace(self, reference_sets={**self.reference_sets, name: own})

    def select(self, rows: NDArray[np.bool_] | Sequence[int] | NDArray[np.int64]) -> JudgedSet:
        """Some of the rows, as a set of their own."""
        numbers = np.arange(len(self))[np.asarray(rows)]

        def of(column: tuple[T, ...]) -> tuple[T, ...]:
            return tuple(column[i] for i in numbers) if column else ()

        return replace(
            self,
            segments=of(self.segments),
            systems=of(self.systems),
            sources=of(self.sources),
            outputs=of(self.outputs),
            references=of(self.references),
            values={name: column[numbers] for name, column in self.values.items()},
            fields={name: of(column) for name, column in self.fields.items()},
            ratings={name: column[numbers] for name, column in self.ratings.items()},
            beside={name: replace(one, scores=one.scores[numbers]) for name, one in self.beside.items()},
            reference_sets={name: of(column) for name, column in self.reference_sets.items()},
            clusters=of(self.clusters),
            positions=of(self.positions),
        )


@dataclass(frozen=True)
class SingleRatings:
    """Who gave which value to which row. A list: a table of many raters who rated little each is almost empty."""

    size: int  # rows of the set
    rows: NDArray[np.int64]
    raters: NDArray[np.int64]  # numbered in the order of appearance
    values: Array

    @classmethod
    def of(cls, entries: Iterable[tuple[int, str, float]], size: int) -> SingleRatings:
        """From (row, rater, value). What is not a number does not count, and of two ratings of a row the last one."""
        given = {(row, rater): value for row, rater, value in entries}
        known = [(row, rater, value) for (row, rater), value in given.items() if math.isfinite(value)]
        numbers = {rater: number for number, rater in enumerate(dict.fromkeys(rater for _, rater, _ in known))}
        return cls(
            size,
            np.array([row for row, _, _ in known], dtype=np.int64),
            np.array([numbers[rater] for _, rater, _ in known], dtype=np.int64),
            np.array([value for _, _, value in known], dtype=np.float64),
        )

    @property
    def people(self) -> int:
        """How many raters there are."""
        return len(np.unique(self.raters))

    def means(self) -> Array:
        """The mean rating of each row; NaN where nobody rated it."""
        return _means(self.values, self.rows, self.size)

    def z_scores(self) -> SingleRatings:
        """See `z_scores`; raters who have none are left out."""
        found = _z_scores(self.values, self.raters)
        kept = np.isfinite(found)
        return SingleRatings(self.size, self.rows[kept], self.raters[kept], found[kept])

    def table(self) -> Array | None:
        """(rows, raters), NaN where a rater did not rate; None where it would have more than `MOST_CELLS`."""
        people, columns = np.unique(self.raters, return_inverse=True)
        if self.size * len(people) > MOST_CELLS:
            return None
        table = np.full((self.size, len(people)), np.nan)
        table[self.rows, columns.reshape(-1)] = self.values
        return table


def rating_table(entries: Iterable[tuple[int, str, float]], rows: int) -> Array:
    """(rows, raters) from (row, rater, value); NaN where a rater did not rate. Raters in the order of appearance."""
    listed = SingleRatings.of(entries, rows)
    table = listed.table()
    if table is None:
        raise PlainlyError(f"{listed.people:,} raters of {rows:,} outputs are too many for a table of single ratings")
    return table


def row_means(ratings: Array) -> Array:
    """The mean rating of each row; NaN where nobody rated it."""
    there = np.isfinite(ratings)
    return _means(ratings[there], np.nonzero(there)[0], len(ratings))


def z_scores(ratings: Array) -> Array:
    """(value - mean) / sd of each rater (column), sd with n in the denominator.

    A rater who always says the same has no z-scores: NaN.
    """
    there = np.isfinite(ratings)
    found = np.full(ratings.shape, np.nan)
    found[there] = _z_scores(ratings[there], np.nonzero(there)[1])
    return found


def standardised(tables: Mapping[str, Array]) -> tuple[dict[str, Array], list[Message]]:
    """The z-scores of each dimension, and notes on raters who have none."""
    found = {name: z_scores(table) for name, table in tables.items()}
    lost = {name: _raters(table) - _raters(found[name]) for name, table in tables.items()}
    return found, [_without_z_scores(name, count) for name, count in lost.items() if count]


def rated(
    entries: Mapping[str, Iterable[tuple[int, str, float]]], rows: int, values: Values
) -> tuple[dict[str, Array], dict[str, Array], list[Message]]:
    """The mean of each row and the table of single ratings, by dimension, and notes.

    A table of more than `MOST_CELLS` is left out: means do not need it.
    """
    means, tables, notes = {}, {}, []
    for name, listed in entries.items():
        given = SingleRatings.of(listed, rows)
        if values == "z":
            people, given = given.people, given.z_scores()
            if people > given.people:
                notes.append(_without_z_scores(name, people - given.people))
        means[name] = given.means()
        table = given.table()
        if table is None:
            said = (
                "{name} has {raters} of {outputs}: too many to compare them with each other, so only the means of "
                "their ratings are used"
            )
            counts = {"raters": many(given.people, "rater"), "outputs": many(rows, "output")}
            notes.append(message("metaeval.note.many-raters", said, name=name, **counts))
        else:
            tables[name] = table
    return means, tables, notes


def _raters(table: Array) -> int:
    return int(np.isfinite(table).any(axis=0).sum())


def _without_z_scores(name: str, count: int) -> Message:
    said = "{raters} of {name} always gave the same value: no z-scores"
    return message("metaeval.note.no-z-scores", said, raters=many(count, "rater"), name=name)


def many(count: int, thing: str, form: str = ",") -> Message:
    """So many of them: 1 output, 1,000 outputs."""
    things = thing + "s" * (count != 1)
    return message(f"metaeval.{things}", f"{{count:{form}}} {things}", count=count)


def _means(values: Array, places: NDArray[np.int64], size: int) -> Array:
    counts = np.bincount(places, minlength=size)
    return np.where(counts > 0, np.bincount(places, values, minlength=size) / np.maximum(counts, 1), np.nan)


def _z_scores(values: Array, raters: NDArray[np.int64]) -> Array:
    counts = np.maximum(np.bincount(raters), 1)
    means = np.bincount(raters, values) / counts
    centred = values - means[raters]
    deviations = np.sqrt(np.bincount(raters, centred**2) / counts)
    varies = deviations > ROUNDING * np.maximum(1.0, np.abs(means))
    return np.where(varies[raters], centred / np.where(varies, deviations, 1.0)[raters], np.nan)
