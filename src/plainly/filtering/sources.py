"""Where the rows of the input come from: the files are read a second time, beside those who measure.

So nothing but scores has to wait for its turn, however many partitions are on their way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.corpus.readers.columns import Columns
from plainly.corpus.readers.files import MAX_RECORD, LineFile, open_input, shown
from plainly.corpus.readers.parquet import BATCH, BUFFER, describe
from plainly.corpus.readers.records import LOOK_AHEAD
from plainly.corpus.readers.tables import ROWS, check_header
from plainly.filtering.file_rows import CellRows, LineRows, Rows, TableRows
from plainly.scoring.partitions import Partition

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


def open_source(path: str, kind: str, files: tuple[str, ...], stack: ExitStack, columns: Columns) -> Source:
    """The source of rows for a file of this format; what it opens is closed with the stack."""
    if kind == "parquet":
        return ParquetSource(files, columns)
    if kind == "jsonl":
        return JsonlSource(path, stack)
    return TableSource(path, kind, stack, columns)


class ParquetSource(Source):
    """Rows of Parquet files, row group by row group. All have the types of the first file."""

    def __init__(self, files: tuple[str, ...], columns: Columns) -> None:
        import pyarrow.parquet

        first = next(path for path in files if _readable(path, columns))
        self.schema: pyarrow.Schema = pyarrow.parquet.read_schema(_opened(first))
        self.columns = list(self.schema.names)
        self._path: str | None = None
        self._stretches: Iterator[_Stretch] = iter(())
        self._held: _Stretch | None = None

    def first(self) -> Rows:
        return TableRows("", 1, self.schema.empty_table())

    def take(self, partition: Partition) -> Rows:
        import pyarrow

        if partition.path != self._path:
            self._path, self._held = partition.path, None
            self._stretches = self._read(partition.path)
        tables: list[pyarrow.Table] = []
        broken: dict[int, str] = {}
        have = 0
        while have < len(partition):
            stretch = self._held or next(self._stretches, None)
            if stretch is None:
                raise PlainlyError(f"{shown(partition.path)}: it has changed while it was read")
            taken, self._held = stretch.cut(len(partition) - have)
            tables.append(taken.table)
            if taken.why is not None:
                broken |= dict.fromkeys(range(have, have + taken.table.num_rows), taken.why)
            have += taken.table.num_rows
        whole = pyarrow.concat_tables(tables) if tables else self.schema.empty_table()
        return TableRows(shown(partition.path), partition.start + 1, whole, broken)

    def _read(self, path: str) -> Iterator[_Stretch]:
        """The rows. Those that cannot be decoded are nulls, and it is said why; a disc that fails is an error."""
        import pyarrow.parquet

        row = 0
        try:
            with pyarrow.parquet.ParquetFile(_opened(path), buffer_size=BUFFER, pre_buffer=False) as file:
                for group in range(file.num_row_groups):
                    end = row + file.metadata.row_group(group).num_rows
                    try:
                        for batch in file.iter_batches(BATCH, row_groups=[group], use_threads=False):
                            yield _Stretch(self._as_first_file(pyarrow.Table.from_batches([batch])))
                            row += batch.num_rows
                    except (pyarrow.ArrowException, ValueError, OSError) as error:
                        if isinstance(error, OSError) and not _of_the_decoder(error):
                            raise
                        nothing = [pyarrow.nulls(end - row, field.type) for field in self.schema]
                        why = f"broken Parquet file: {shown(_first_line(error))}"
                        yield _Stretch(pyarrow.Table.from_arrays(nothing, schema=self.schema), why)
                    row = end
        except (pyarrow.ArrowException, OSError) as error:
            raise PlainlyError(f"{shown(path)}: row {row + 1}: cannot be read: {shown(_first_line(error))}") from None

    def _as_first_file(self, table: pyarrow.Table) -> pyarrow.Table:
        """The columns of a file, which may stand in another order there."""
        return table.select(self.columns).cast(self.schema)


@dataclass(frozen=True)
class _Stretch:
    """Some rows of a file; where they could not be read, nulls, and the reason."""

    table: pyarrow.Table
    why: str | None = None

    def cut(self, rows: int) -> tuple[_Stretch, _Stretch | None]:
        """Its first rows, and the others if there are any."""
        if rows >= self.table.num_rows:
            return self, None
        return _Stretch(self.table.slice(0, rows), self.why), _Stretch(self.table.slice(rows), self.why)


def _of_the_decoder(error: OSError) -> bool:
    """Whether pyarrow complains of the bytes that it got. What a disc or a network says has a number or a kind."""
    return type(error) is OSError and error.errno is None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _readable(path: str, columns: Columns) -> bool:
    """Whether a file is a Parquet file at all; where those that are not shall be left out, the plan has said so."""
    try:
        describe(path, columns)
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

    def __init__(self, path: str, kind: str, stack: ExitStack, columns: Columns) -> None:
        file = stack.enter_context(open_input(path))
        self._name = file.name
        self._rows = ROWS[kind](file)
        _, self.columns = next(self._rows)
        check_header(file.name, self.columns, columns)
        self._peeked = list(islice(self._rows, PEEKED))

    def first(self) -> Rows:
        return CellRows(self._name, self.columns, self._peeked)

    def take(self, partition: Partition) -> Rows:
        held, self._peeked = self._peeked[: len(partition)], self._peeked[len(partition) :]
        return CellRows(self._name, self.columns, [*held, *islice(self._rows, len(partition) - len(held))])
