"""The rows of the input as they stand in the file, some at a time, in order: what is kept must not change."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plainly.base.errors import Place, PlainlyError
from plainly.base.messages import plural
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.jsonl import parse_object
from plainly.corpus.readers.tables import NO_TEXT

if TYPE_CHECKING:
    import polars
    import pyarrow

More = Mapping[str, Sequence[Any]]
"""Columns that are added, with one entry for each row that is written."""
Numbers = Sequence[int]
"""Which rows, from 0 on."""


class Rows(ABC):
    """Some consecutive rows of the input."""

    broken: Mapping[int, str] = MappingProxyType({})
    """Which of them could not be read, and why. Whatever is in their place is not what the file holds."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def place(self, number: int) -> Place:
        """Where a row stands, for messages."""

    @abstractmethod
    def frame(self, columns: Mapping[str, str]) -> polars.DataFrame:
        """Columns of the file, by the names that they have in the frame."""

    @abstractmethod
    def fields(self, number: int) -> dict[str, Any]:
        """One row as a record's fields."""

    def readable(self) -> Iterator[dict[str, Any]]:
        """The fields of every row; none of a row that is broken. Whoever measures says so, and nobody keeps it."""
        for number in range(len(self)):
            try:
                yield self.fields(number)
            except PlainlyError:
                yield {}

    def lines(self, numbers: Numbers, more: More) -> Iterator[str]:
        """Rows as JSON, one a line."""
        for place, number in enumerate(numbers):
            yield _line(self.fields(number), more, place)


@dataclass(frozen=True)
class TableRows(Rows):
    """Rows of a Parquet file; `first` is the number of the first one."""

    name: str
    first: int
    table: pyarrow.Table
    broken: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def place(self, number: int) -> Place:
        return Place(self.name, row=self.first + number)

    def frame(self, columns: Mapping[str, str]) -> polars.DataFrame:
        import polars

        chosen = self.table.select(list(columns.values())).rename_columns(list(columns))
        found: polars.DataFrame = polars.from_arrow(chosen)  # type: ignore[assignment]
        return found

    def fields(self, number: int) -> dict[str, Any]:
        row: dict[str, Any] = self.table.slice(number, 1).to_pylist(maps_as_pydicts="strict")[0]
        return row

    def lines(self, numbers: Numbers, more: More) -> Iterator[str]:
        import pyarrow

        chosen = self.table.take(pyarrow.array(numbers, pyarrow.int64()))
        for place, row in enumerate(chosen.to_pylist(maps_as_pydicts="strict")):
            yield _line(row, more, place)

    def chosen(self, numbers: Numbers, more: More, schema: pyarrow.Schema) -> pyarrow.Table:
        """Some rows with more columns, whose types the schema names."""
        import pyarrow

        table = self.table.take(pyarrow.array(numbers, pyarrow.int64()))
        for name, values in more.items():
            table = table.append_column(schema.field(name), pyarrow.array(values, schema.field(name).type))
        return table


@dataclass(frozen=True)
class LineRows(Rows):
    """Lines of a JSONL file; `first` is the number of the first one."""

    name: str
    first: int
    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)

    def place(self, number: int) -> Place:
        return Place(self.name, self.first + number)

    def frame(self, columns: Mapping[str, str]) -> polars.DataFrame:
        rows = list(self.readable()) if columns else []
        return _frame({key: (name, [row.get(name) for row in rows]) for key, name in columns.items()}, self.name)

    def fields(self, number: int) -> dict[str, Any]:
        return parse_object(self.place(number), self.texts[number])

    def lines(self, numbers: Numbers, more: More) -> Iterator[str]:
        for place, number in enumerate(numbers):
            yield _with_more(self.texts[number], more, place) + "\n"


@dataclass(frozen=True)
class CellRows(Rows):
    """Rows of a CSV or TSV file: texts, all of them, with the number of the line on which each begins."""

    name: str
    header: Sequence[str]
    cells: Sequence[tuple[int, Sequence[str]]]

    def __len__(self) -> int:
        return len(self.cells)

    def place(self, number: int) -> Place:
        return Place(self.name, self.cells[number][0])

    def frame(self, columns: Mapping[str, str]) -> polars.DataFrame:
        found = {}
        for key, name in columns.items():
            place = self.header.index(name)
            found[key] = name, [row[place] if place < len(row) else None for _, row in self.cells]
        return _frame(found, self.name)

    def fields(self, number: int) -> dict[str, Any]:
        _, cells = self.cells[number]
        if len(cells) != len(self.header):
            raise PlainlyError(
                f"{plural(len(cells), 'cell')}, but the header has {len(self.header)}", place=self.place(number)
            )
        row: dict[str, Any] = dict(zip(self.header, cells, strict=True))
        return row | {name: None for name in NO_TEXT if row.get(name) == ""}

    def chosen(self, numbers: Numbers, more: More) -> Iterator[list[str]]:
        """Some rows with more cells."""
        for place, number in enumerate(numbers):
            added = (values[place] for values in more.values())
            yield [*self.cells[number][1], *("" if value is None else str(value) for value in added)]


def _added(more: More, place: int) -> dict[str, Any]:
    return {name: values[place] for name, values in more.items()}


def _with_more(line: str, more: More, place: int) -> str:
    """A JSON object with more fields. What was there stays as it was written."""
    if not more:
        return line
    fields = json.dumps(_added(more, place), ensure_ascii=False)[1:]
    before = line.rstrip()[:-1].rstrip()
    return f"{before}{'' if before == '{' else ', '}{fields}"


def _line(row: dict[str, Any], more: More, place: int) -> str:
    """A row as JSON, which knows neither NaN nor infinity; dates and the like become texts."""
    whole = {name: _json_value(value) for name, value in (row | _added(more, place)).items()}
    return json.dumps(whole, ensure_ascii=False, default=_as_text) + "\n"


def _json_value(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value


def _as_text(value: Any) -> str:
    if isinstance(value, bytes):
        raise PlainlyError("a column holds bytes, which JSONL cannot hold; write Parquet")
    return str(value)


def _frame(columns: Mapping[str, tuple[str, list[Any]]], file: str) -> polars.DataFrame:
    import polars

    frame = {}
    for key, (name, values) in columns.items():
        kinds = set(map(type, values)) - {type(None)}
        if kinds == {int, float}:
            values = [None if value is None else float(value) for value in values]
        try:
            frame[key] = polars.Series(key, values)
        except (TypeError, OverflowError, ValueError, polars.exceptions.PolarsError):
            raise PlainlyError(
                f"{file}: {shown(name)!r} holds values of different kinds, or too large ones: no filter can use it"
            ) from None
    return polars.DataFrame(frame)
