"""Where rows go: a file of the same format, or JSONL, that appears when all of it is there."""

from __future__ import annotations

import io
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.files import writing_bytes
from plainly.base.records import csv_rows
from plainly.corpus.readers.inputs import FORMATS
from plainly.filtering.file_rows import CellRows, More, Numbers, Rows, TableRows
from plainly.filtering.sources import ParquetSource, Source

if TYPE_CHECKING:
    import pyarrow

Cells = Iterable[Sequence[str]]
ROW_GROUP = 65_536
INTO = {
    "parquet": ("parquet", "jsonl"),
    "jsonl": ("jsonl",),
    "csv": ("csv", "tsv", "jsonl"),
    "tsv": ("tsv", "csv", "jsonl"),
}
"""What each format can become without a guess at types."""


class Writer(ABC):
    """Takes rows, some at a time."""

    @abstractmethod
    def write(self, rows: Rows, numbers: Numbers, more: More) -> None:
        """Write some of the rows, with more columns."""

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """Write what is left."""


def output_format(path: str, given: str) -> str:
    """The format of a file that is written, by its ending."""
    found = next((kind for ending, kind in FORMATS.items() if path.lower().endswith(ending)), None)
    if found is None:
        raise PlainlyError(f"{path}: which format shall it have? End its name in .{' or .'.join(INTO[given])}")
    if found not in INTO[given]:
        raise PlainlyError(f"{path}: rows of {given} files can become {' or '.join(INTO[given])}, not {found}")
    return found


@contextmanager
def writing_rows(path: str | None, source: Source, given: str, added: Mapping[str, str]) -> Iterator[Writer | None]:
    """A writer of rows into a file; None without a path. `added` are more columns: "double" or "string"."""
    if path is None:
        yield None
        return
    kind = output_format(path, given)
    with _whole(path) as stream:
        writer = _writer(kind, stream, source, added)
        try:
            yield writer
        except BaseException:
            with suppress(Exception):  # what was written is thrown away; pyarrow wants to end it all the same
                writer.close()
            raise
        writer.close()


@contextmanager
def _whole(path: str) -> Iterator[IO[bytes]]:
    here = places.local(path)
    if here is not None:
        with writing_bytes(str(here)) as stream:
            yield stream
        return
    with tempfile.TemporaryFile() as held:
        yield held
        held.seek(0)
        places.write_whole(path, lambda out: shutil.copyfileobj(held, out, 1 << 20))


def _writer(kind: str, stream: IO[bytes], source: Source, added: Mapping[str, str]) -> Writer:
    if isinstance(source, ParquetSource) and kind == "parquet":
        return _ParquetWriter(stream, source.schema, added)
    if kind == "jsonl":
        return _LineWriter(stream)
    return _CellWriter(stream, CELLS[kind], [*source.columns, *added])


class _ParquetWriter(Writer):
    """Row groups of a size that others read well, however few rows come at a time."""

    def __init__(self, stream: IO[bytes], schema: pyarrow.Schema, added: Mapping[str, str]) -> None:
        import pyarrow.parquet

        for name, kind in added.items():
            schema = schema.append(pyarrow.field(name, {"double": pyarrow.float64, "string": pyarrow.string}[kind]()))
        self._schema = schema
        self._file: Any = pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd")
        self._held: list[pyarrow.Table] = []
        self._rows = 0

    def write(self, rows: Rows, numbers: Numbers, more: More) -> None:
        assert isinstance(rows, TableRows)
        self._held.append(rows.chosen(numbers, more, self._schema))
        self._rows += len(numbers)
        if self._rows >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        import pyarrow

        if self._rows:
            self._file.write_table(pyarrow.concat_tables(self._held), ROW_GROUP)
        self._held, self._rows = [], 0


class _LineWriter(Writer):
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def write(self, rows: Rows, numbers: Numbers, more: More) -> None:
        for line in rows.lines(numbers, more):
            self._stream.write(line.encode(errors="backslashreplace"))  # half a character, as JSON writes it


class _CellWriter(Writer):
    """CSV as in RFC 4180, or TSV, which has no quotes."""

    def __init__(self, stream: IO[bytes], written: Callable[[Cells, IO[str]], None], header: list[str]) -> None:
        self._stream = stream
        self._written = written
        self._put([header])

    def write(self, rows: Rows, numbers: Numbers, more: More) -> None:
        assert isinstance(rows, CellRows)
        self._put(rows.chosen(numbers, more))

    def _put(self, table: Cells) -> None:
        text = io.StringIO(newline="")
        self._written(table, text)
        self._stream.write(text.getvalue().encode())


def _as_csv(table: Cells, out: IO[str]) -> None:
    put = csv_rows(out)
    for cells in table:
        put(cells)


def _as_tsv(table: Cells, out: IO[str]) -> None:
    for cells in table:
        if any(mark in cell for cell in cells for mark in "\t\n\r"):
            raise PlainlyError("a cell has a tab or a line break, which TSV cannot hold; write CSV")
        out.write("\t".join(cells) + "\n")


CELLS = {"csv": _as_csv, "tsv": _as_tsv}
"""Formats that have nothing but texts."""
