"""By what the segments of a statistics folder are put into groups: values of fields, or bands of numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from plainly.base.conditions import as_number, shown
from plainly.base.errors import Argument, PlainlyError
from plainly.scoring.statistics.conditions import Selection
from plainly.scoring.statistics.folder import Column, Folder, Piece
from plainly.scoring.statistics.units import Numbers

LENGTH = "length"
BANDS = 4
MOST_BANDS = 100
MOST_VALUES = 1_000_000  # of a field that is cut into bands
MOST_GROUPS = 1_000
NO_VALUE = "(none)"
IDENTITY = "identity"  # the baseline whose words are those of the sources

Key = tuple[str, ...]


@dataclass(frozen=True)
class By:
    """One thing to group by: a field, into bands of about as many segments each where `bands` says how many."""

    name: str
    bands: int | None = None

    @classmethod
    def of(cls, folder: Folder, text: str) -> By:
        """From NAME, or NAME:N for N bands. `length` is the number of words of the source."""
        name, colon, number = text.rpartition(":")
        if not colon or text in folder.fields or not number.isdecimal():
            name, number = text, ""
        if name == LENGTH and LENGTH not in folder.fields:
            length_column(folder)
            number = number or str(BANDS)
        else:
            folder.check_field(name)
        if number and not 2 <= int(number) <= MOST_BANDS:
            raise PlainlyError(f"there must be from 2 to {MOST_BANDS} bands", place=Argument("by", text))
        return cls(name, int(number) if number else None)


def length_column(folder: Folder) -> tuple[str, int]:
    """The metric and the column that hold the words of the sources: those of outputs that are the sources."""
    if IDENTITY in folder.systems:
        for label, metric in folder.manifest.metrics.items():
            if "words" in metric.columns:
                return label, metric.columns.index("words")
    raise PlainlyError(
        f"{folder.path} does not say how long sources are: score them with the baseline identity and a metric that "
        "counts words (fkgl), or keep their length in a column of the data"
    )


@dataclass
class Groups:
    """The groups of a selection of segments, numbered in the order in which they come."""

    folder: Folder
    by: Sequence[By]
    selection: Selection
    numbers: dict[Key, int] = field(default_factory=dict)
    _edges: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for one in self.by:
            if one.bands:
                self._edges[one.name] = self._band_edges(one.name, one.bands)

    @property
    def fields(self) -> list[str]:
        """What `assign` looks at."""
        named = [one.name for one in self.by if one.name in self.folder.fields]
        return list(dict.fromkeys([*self.selection.fields, *named]))

    @property
    def metrics(self) -> list[str]:
        """The metrics whose statistics `assign` looks at."""
        return [length_column(self.folder)[0]] if self._by_length else []

    @property
    def systems(self) -> list[str]:
        """The systems whose statistics `assign` looks at."""
        return [IDENTITY] if self._by_length else []

    def assign(self, piece: Piece) -> Numbers:
        """The number of the group of each segment; -1 for one that is not selected."""
        chosen = np.flatnonzero(self.selection.which(piece)).tolist()
        columns = [self._names(one, self._values(one.name, piece)) for one in self.by]
        groups = np.full(len(piece), -1, dtype=np.int64)
        for i in chosen:
            key = tuple(column[i] for column in columns)
            number = self.numbers.setdefault(key, len(self.numbers))
            if number >= MOST_GROUPS:
                names = ", ".join(one.name for one in self.by)
                raise PlainlyError(f"more than {MOST_GROUPS:,} groups", place=Argument("by", names))
            groups[i] = number
        return groups

    def ordered(self) -> list[tuple[Key, int]]:
        """The groups as a table lists them: bands by size, numbers by size, texts by the alphabet."""
        orders = [
            {name: i for i, name in enumerate(self._band_names(one.name))} if one.bands else {} for one in self.by
        ]

        def place(item: tuple[Key, int]) -> list[tuple[int, float, str]]:
            return [_place(name, order) for name, order in zip(item[0], orders, strict=True)]

        return sorted(self.numbers.items(), key=place)

    @property
    def _by_length(self) -> bool:
        return any(one.name == LENGTH and LENGTH not in self.folder.fields for one in self.by)

    def _values(self, name: str, piece: Piece) -> Column:
        if name in self.folder.fields:
            return piece.fields[name]
        label, column = length_column(self.folder)
        rows = piece.statistics[IDENTITY][label]
        return [value if scored else None for scored, value in rows[:, [0, column]].tolist()]

    def _names(self, by: By, values: Column) -> list[str]:
        if not by.bands:
            return [NO_VALUE if value is None else shown(value) for value in values]
        edges, names = self._edges[by.name], self._band_names(by.name)
        numbers = np.array([np.nan if value is None else as_number(value) for value in values], dtype=np.float64)
        bands = np.searchsorted(edges[1:-1], numbers, side="left")
        return [NO_VALUE if number != number else names[band] for number, band in zip(numbers, bands, strict=True)]

    def _band_names(self, name: str) -> list[str]:
        """9-14 and 15-20 for whole numbers; else each band begins where the one before ends."""
        edges = self._edges[name]
        whole = all(edge == int(edge) for edge in edges)
        short = len({f"{edge:g}" for edge in edges}) == len(set(edges))
        names = []
        for i, (low, high) in enumerate(pairwise(edges)):
            first = low + 1 if whole and i else low
            ends = (f"{first:g}", f"{high:g}") if short else (repr(first), repr(high))
            names.append(ends[1] if whole and first >= high else "–".join(ends))
        return names

    def _band_edges(self, name: str, bands: int) -> list[float]:
        counts: Counter[float] = Counter()
        for piece in self._selected():
            for value in self._values(name, piece):
                if value is None:
                    continue
                number = as_number(value)
                if number is None:
                    said = f"{shown(value)[:40]!r} is no number, so there are no bands"
                    raise PlainlyError(said, place=Argument("by", name))
                counts[number] += 1
            if len(counts) > MOST_VALUES:
                said = f"more than {MOST_VALUES:,} different values; round them first"
                raise PlainlyError(said, place=Argument("by", name))
        if not counts:
            raise PlainlyError("no segment has a value", place=Argument("by", name))
        values = np.array(sorted(counts), dtype=np.float64)
        ranks = np.cumsum([counts[value] for value in sorted(counts)])
        shares = np.linspace(0, 1, bands + 1) * (ranks[-1] - 1)
        edges = np.unique(values[np.searchsorted(ranks, shares, side="right").clip(max=len(values) - 1)]).tolist()
        return edges if len(edges) > 1 else [edges[0], edges[0]]

    def _selected(self) -> Iterator[Piece]:
        for piece in self.folder.pieces(self.metrics, self.systems or self.folder.systems[:1], self.fields):
            yield piece.chosen(self.selection.which(piece))


def _place(name: str, order: dict[str, int]) -> tuple[int, float, str]:
    """Where the name of a group stands: after all others where there is no value."""
    if name == NO_VALUE:
        return 2, 0.0, name
    if name in order:
        return 0, float(order[name]), name
    number = as_number(name)
    return (1, 0.0, name) if number is None else (0, number, name)
