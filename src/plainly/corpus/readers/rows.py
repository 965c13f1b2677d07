"""Rows of a table with columns of any names: CSV, TSV, JSONL or Parquet by the file's ending, or a data frame."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainly.base.errors import Place, PlainlyError, Remedy
from plainly.base.messages import plural
from plainly.base.records import as_written
from plainly.corpus.readers.columns import refuse_missing
from plainly.corpus.readers.files import MAX_RECORD, InputFile, LineFile, open_input, shown
from plainly.corpus.readers.frames import NAME, frame_rows
from plainly.corpus.readers.jsonl import parse_object
from plainly.corpus.readers.parquet import opened
from plainly.corpus.readers.releases import PlacedRow, Use, release_of
from plainly.corpus.readers.tables import Rows, csv_rows, tsv_rows

Row = tuple[int, dict[str, Any]]
"""The number of its line, and its cells by the names of their columns."""
_WORDS = re.compile(r"[\W_]+")
_ANSWER = "answer."  # how Mechanical Turk begins the names of columns that hold what was answered
_LONG = 60  # characters that no name of a column has


@dataclass(frozen=True)
class Needed:
    """The columns that a table must have, each with other words for it that files are known to use.

    A table has one of them at least, or one of `also`; the rest is for its reader to check, row by row.
    """

    names: Mapping[str, Sequence[str]]
    also: Sequence[str] = ()
    nameable: bool = False  # whether the reader takes `columns`: what the columns are called in a file
    use: Use | None = None  # whether it takes releases that are known by their headers

    @classmethod
    def of(cls, *names: str, also: Sequence[str] = (), other: Mapping[str, Sequence[str]] | None = None) -> Needed:
        """Columns that have one name; with `other` words for them, the reader takes `columns`."""
        return cls({name: (other or {}).get(name, ()) for name in names}, also, nameable=other is not None)

    def check(self, name: str, header: Sequence[str]) -> None:
        """Refuses a header that has none of the names."""
        there = {column.strip().casefold() for column in header}
        if any(known.casefold() in there for known in (*self.names, *self.also)):
            return
        if self.use is None or release_of(name, header, self.use) is None:
            raise self.lacking(name, header)

    def lacking(self, name: str, header: Sequence[str]) -> PlainlyError:
        """What is needed, what was found, and which of the columns found may be meant."""
        *most, last = self.names
        needed = f"{', '.join(most)} and {last}" if most else last
        named = header[1:] if header[:1] == [""] else header  # pandas writes its index so
        doubt = "; is this line a header?" if any(map(_is_data, named)) else ""
        guess = tuple(self._guess(header)) if self.nameable and not doubt else ()
        return PlainlyError(
            f"needs {needed}; found {', '.join(map(shown, header))}{doubt}",
            place=Place(name),
            remedy=Remedy("columns", guess) if guess else None,
        )

    def _guess(self, header: Sequence[str]) -> Iterator[tuple[str, str]]:
        there = {column.strip().casefold() for column in header}
        left = [column for column in header if column.strip().casefold() not in self.names]
        for name, others in self.names.items():
            ways = (column for word in (name, *others) for column in left if _called(column, word))
            if name.casefold() not in there and (column := next(ways, None)):
                left.remove(column)
                yield name, column
        for column in left:
            if column.lower().startswith(_ANSWER):
                yield column[len(_ANSWER) :], column


def _is_data(cell: str) -> bool:
    """Whether a cell looks like one of a row, not like the name of a column."""
    return not cell.strip() or len(cell) > _LONG or cell.strip().replace(".", "", 1).isdecimal()


def _called(column: str, word: str) -> bool:
    """Whether a column is called so: its whole name, or the last of its words."""
    words = [part for part in _WORDS.split(column.casefold()) if part]
    return "".join(words) == word or words[-1:] == [word]


def table_rows(
    table: Any, needed: Needed | None = None, columns: Mapping[str, str] | None = None
) -> Iterator[PlacedRow]:
    """The rows of any table, with their places: a CSV, TSV, JSONL or Parquet file by its name, or a data frame.

    `columns` says what columns are called in the table, by our names.
    """
    if columns:
        yield from _renamed_rows(table, needed, columns)
    elif not isinstance(table, (str, Path)):
        names, frame = frame_rows(table)
        yield from _checked_rows(NAME, names, frame, needed)
    elif str(table).lower().endswith(".parquet"):
        yield from _parquet_rows(str(table), needed)
    else:
        with open_input(str(table)) as file:
            for number, row in read_table(file, str(table), needed):
                yield Place(file.name, number), row


def _renamed_rows(table: Any, needed: Needed | None, columns: Mapping[str, str]) -> Iterator[PlacedRow]:
    """The rows by our names. A column of one of these names that is not meant is left out."""
    header: tuple[str, ...] = ()
    unread = {*columns, *columns.values()}
    for place, row in table_rows(table):
        if header != tuple(row):  # records of JSONL may differ
            header = tuple(row)
            refuse_missing(place.file, header, tuple(columns.items()))
            if needed:
                needed.check(place.file, [*columns, *(name for name in header if name not in unread)])
        own = {name: value for name, value in row.items() if name not in unread}
        yield place, {**own, **{name: row[column] for name, column in columns.items()}}


def _checked_rows(
    name: str, header: Sequence[str], rows: Iterable[dict[str, Any]], needed: Needed | None
) -> Iterator[PlacedRow]:
    if needed:
        needed.check(name, header)
    for number, row in enumerate(rows, 1):
        yield Place(name, row=number), {key: None if value != value else value for key, value in row.items()}


def _parquet_rows(path: str, needed: Needed | None) -> Iterator[PlacedRow]:
    with opened(path) as file:
        batches = file.iter_batches(use_threads=False)
        rows = (row for batch in batches for row in batch.to_pylist(maps_as_pydicts="strict"))
        yield from _checked_rows(shown(path), file.schema_arrow.names, rows, needed)


def read_table(file: InputFile, path: str, needed: Needed | None = None) -> Iterator[Row]:
    """Rows of an open CSV, TSV or JSONL file with their line numbers, as tables of cells by name."""
    ending = path.lower().removesuffix(".gz").rpartition(".")[2]
    if ending in ("jsonl", "ndjson", "json"):
        for number, line in enumerate(LineFile(file, MAX_RECORD), 1):
            yield number, parse_object(Place(file.name, number), line)
        return
    rows = CELLS.get(ending, _csv_rows)(file)
    _, header = next(rows)
    if ending != "tsv" and len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        remedy = "name it .tsv" if "\t" in header[0] else "export it as CSV UTF-8 with commas"
        raise PlainlyError(
            f"columns must be separated by commas; the header is {shown(header[0])}; {remedy}", place=Place(file.name)
        )
    if needed:
        needed.check(file.name, header)
    for place, name in enumerate(header):
        if name in header[:place]:
            raise PlainlyError(f"in the header: {shown(name)} is there twice", place=Place(file.name))
    for number, cells in rows:
        if len(cells) != len(header):
            said = f"{plural(len(cells), 'cell')}, but the header has {len(header)}"
            raise PlainlyError(said, place=Place(file.name, number))
        yield number, dict(zip(header, cells, strict=True))


def _csv_rows(file: InputFile) -> Rows:
    """Rows of CSV. An apostrophe that keeps a spreadsheet from running a text as a formula is no part of the text."""
    for number, cells in csv_rows(file):
        yield number, [as_written(cell) for cell in cells]


CELLS = {"csv": _csv_rows, "tsv": tsv_rows}
"""The cells of a table, by the ending of its file; files of other endings are read as CSV."""


def any_text(value: Any, place: Place | str, name: str) -> str:
    """A cell of any kind as text: what is neither text nor a whole number as JSON."""
    if isinstance(value, (float, bool, list, dict)):
        value = json.dumps(value, ensure_ascii=False)
    return cell_text(value, place, name)


def cell_text(value: Any, place: Place | str, name: str) -> str:
    """A cell as text: ids may be numbers in JSON."""
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise PlainlyError(f"{place}: {shown(name)} must be text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise PlainlyError(f"{place}: half a character in {shown(name)}; was it cut in two?") from None
    return value.strip()
