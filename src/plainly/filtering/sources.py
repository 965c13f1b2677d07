"""Where the rows of the input come from: the files are read a second time, beside those who measure.

So nothing but scores has to wait for its turn, however many partitions are on their way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any

from plainly import places
from plainly.cluster.partitions import Partition
from plainly.corpus.readers.files import open_input, shown
from plainly.corpus.readers.lines import MAX_RECORD, LineFile
from plainly.corpus.readers.parquet import BUFFER, describe
from plainly.corpus.readers.records import LOOK_AHEAD
from plainly.corpus.readers.tables import check_header, csv_rows, tsv_rows
from plainly.errors import PlainlyError
from plainly.filtering.rows import CellRows, LineRows, Rows, TableRows

if TYPE_CHECKING:
    import pyarrow

PEEKED = LOOK_AHEAD
"""Rows that say which columns a JSONL file has, and which systems."""


class Source(ABC):
    """The rows of all partitions, taken in their order."""

    columns: list[str]

    @abstractmethod
    def first(self) -> Rows:
        """The first rows, which show what the columns hold; of Parquet files none, as their types are known."""

    @abstractmethod
    def take(self, partition: Partition) -> Rows:
        """The rows of the next partition."""


def open_source(path: str, kind: str, files: tuple[str, ...], stack: ExitStack) -> Source:
    """The source of rows for a file of this format; what it opens is closed with the stack."""
    if kind == "parquet":
        return ParquetSource(files)
    if kind == "jsonl":
        return JsonlSource(path, stack)
    return TableSource(path, kind, stack)


class ParquetSource(Source):
    """Rows of Parquet files, row group by row group. All have the types of the first file."""

    def __init__(self, files: tuple[str, ...]) -> None:
        import pyarrow.parquet

        self.schema: pyarrow.Schema = pyarrow.parquet.read_schema(_opened(next(filter(_readable, files))))
        self.columns = list(self.schema.names)
        self._path: str | None = None
        self._tables: Iterator[Any] = iter(())
        self._held: list[Any] = []

    def first(self) -> Rows:
        return TableRows("", 1, self.schema.empty_table())

    def take(self, partition: Partition) -> Rows:
        import pyarrow

        if partition.path != self._path:
            self._path, self._held = partition.path, []
            self._tables = self._read(partition.path)
        while (have := sum(table.num_rows for table in self._held)) < len(partition):
            more = next(self._tables, None)
            if more is None:
                raise PlainlyError(f"{shown(partition.path)}: it has changed while it was read")
            self._held.append(more)
        whole = pyarrow.concat_tables(self._held)
        self._held = [whole.slice(len(partition))] if have > len(partition) else []
        return TableRows(shown(partition.path), partition.start + 1, whole.slice(0, len(partition)))

    def _read(self, path: str) -> Iterator[pyarrow.Table]:
        """The rows; empty ones where they cannot be read: those who measured have said so, and nobody keeps them."""
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(_opened(path), buffer_size=BUFFER, pre_buffer=False) as file:
            for group in range(file.num_row_groups):
                left = file.metadata.row_group(group).num_rows
                try:
                    for batch in file.iter_batches(8192, row_groups=[group], use_threads=False):
                        left -= batch.num_rows
                        yield pyarrow.Table.from_batches([batch]).cast(self.schema)
                except (pyarrow.ArrowException, OSError, ValueError):
                    nothing = [pyarrow.nulls(left, field.type) for field in self.schema]
                    yield pyarrow.Table.from_arrays(nothing, schema=self.schema)


def _readable(path: str) -> bool:
    """Whether a file is a Parquet file at all; where those that are not shall be left out, the plan has said so."""
    try:
        describe(path)
    except PlainlyError:
        return False
    return True


def _opened(path: str) -> Any:
    """What pyarrow reads: a path of this machine, or a stream from elsewhere."""
    here = places.local(path)
    return places.open_binary(path) if here is None else str(here)


class JsonlSource(Source):
    """The lines of a file of JSON objects."""

    def __init__(self, path: str, stack: ExitStack) -> None:
        file = stack.enter_context(open_input(path))
        self._name = file.name
        self._lines = LineFile(file, MAX_RECORD)
        self._peeked = self._lines.take(PEEKED)
        self.columns = list(dict.fromkeys(name for fields in self.first().readable() for name in fields))

    def first(self) -> Rows:
        return LineRows(self._name, 1, self._peeked)

    def take(self, partition: Partition) -> Rows:
        held, self._peeked = self._peeked[: len(partition)], self._peeked[len(partition) :]
        return LineRows(self._name, partition.first + 1, held + self._lines.take(len(partition) - len(held)))


class TableSource(Source):
    """The rows of a table of texts."""

    def __init__(self, path: str, kind: str, stack: ExitStack) -> None:
        file = stack.enter_context(open_input(path))
        self._name = file.name
        self._rows = csv_rows(file) if kind == "csv" else tsv_rows(file)
        _, self.columns = next(self._rows)
        check_header(file.name, self.columns)
        self._peeked = list(islice(self._rows, PEEKED))

    def first(self) -> Rows:
        return CellRows(self._name, self.columns, self._peeked)

    def take(self, partition: Partition) -> Rows:
        held, self._peeked = self._peeked[: len(partition)], self._peeked[len(partition) :]
        return CellRows(self._name, self.columns, [*held, *islice(self._rows, len(partition) - len(held))])
