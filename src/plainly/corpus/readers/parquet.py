"""Records as rows of a Parquet file, read through pyarrow batch by batch: all of them, or a range of rows."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from plainly.base import places
from plainly.base.errors import BadInput, Place, PlainlyError
from plainly.base.records import arrow
from plainly.corpus.corpus import Corpus
from plainly.corpus.readers.columnar import Odd, corpus_of
from plainly.corpus.readers.columns import Columns, layout, refuse_missing, view
from plainly.corpus.readers.files import open_path, refuse_changed, shown
from plainly.corpus.readers.records import LeaveOut, Record, Rules, as_corpus, check_record, make_record, refused

BATCH = 2048
LISTS = ("list<", "large_list<")
BUFFER = 1 << 20
MAGIC = b"PAR1"


@dataclass(frozen=True)
class Described:
    """What the footer of a file says of it: its rows, the types of its columns, and the rows of its row groups."""

    rows: int
    columns: dict[str, str]
    row_groups: tuple[int, ...]


def describe(path: str, columns: Columns = ()) -> Described:
    """What the file holds, without reading it, by our names."""
    with opened(path) as file:
        schema = file.schema_arrow
        seen = _checked(shown(path), schema.names, columns)
        kinds = {name: str(schema.field(own).type) for name, own in seen}
        return Described(file.metadata.num_rows, kinds, tuple(_group_sizes(file)))


def parquet_records(path: str, rules: Rules) -> Generator[Record, None, None]:
    """The records of the file in order."""
    name = shown(path)
    with opened(path) as file:
        seen = _checked(name, file.schema_arrow.names, rules.columns)
        rules = rules._replace(columns=())
        bounds = list(accumulate(_group_sizes(file), initial=0))
        for group, (before, end) in enumerate(pairwise(bounds)):
            try:
                for batch in _batches(name, file, group, seen):
                    yield from _records(name, batch, before, rules)
                    before += batch.num_rows
            except _Broken as error:
                if not rules.lenient:
                    raise error.of_rows(before, end) from None
                for place in _places(name, before, end):
                    yield refused(place, error, rules.lenient)


def read_rows(
    path: str,
    start: int,
    stop: int,
    rules: Rules,
    systems: Sequence[str],
    has_ids: bool,
    leave_out: LeaveOut | None = None,
    metadata: bool = True,
    unchanged: tuple[int, str] | None = None,
) -> Iterator[Corpus]:
    """The rows start .. stop - 1 in order, in chunks of at most `BATCH`; only what they need is read.

    `systems` and `has_ids` are what the first records of the run have. Every row has a segment. With `leave_out`,
    a row that cannot be read is told there, and its segment has no text at all, so that the others keep their places.
    `unchanged` are the size and the time that the file had when its rows were counted: of another file, none is read.
    """
    rows = _Rows(shown(path), rules._replace(columns=()), systems, has_ids, leave_out)
    key = (path, refuse_changed(path, unchanged), tuple(systems), metadata, rules.columns)
    cursor = _resting.pop(key, None) or _Cursor(path, systems, metadata, rules.columns)
    for group, first, end in cursor.groups(start, stop):
        number = first  # of the next row
        try:
            for batch in cursor.read(group, first, end):
                yield from rows.corpora(batch, number)
                number += batch.num_rows
        except _Broken as error:
            yield from rows.leave_out(number, end, error)
    _resting.clear()
    _resting[key] = cursor


class _Cursor:
    """An open file that is read forwards. Whoever reads ranges of rows one after the other decodes them once."""

    def __init__(self, path: str, systems: Collection[str], metadata: bool, columns: Columns) -> None:
        self._name = shown(path)
        self._file = opened(path)
        self._columns = _wanted(view(tuple(self._file.schema_arrow.names), columns), systems, metadata)
        self._bounds = list(accumulate(_group_sizes(self._file), initial=0))
        self._group = -1
        self._batches: Iterator[Any] = iter(())
        self._batch: Any = None  # the last one, and the numbers of its first row and of the row after it
        self._first = self._end = 0

    def groups(self, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """The row groups that hold these rows: the number of each, and which of the rows it holds."""
        if stop > self._bounds[-1]:
            raise PlainlyError(f"{self._name}: it has {self._bounds[-1]:,} rows now, so there is no row {stop:,}")
        for group, (first, end) in enumerate(pairwise(self._bounds)):
            if max(first, start) < min(end, stop):
                yield group, max(first, start), min(end, stop)

    def read(self, group: int, start: int, stop: int) -> Iterator[Any]:
        """Some rows of one row group."""
        if group != self._group or start < self._first:
            self._group, self._batch = group, None
            self._first = self._end = self._bounds[group]
            self._batches = _batches(self._name, self._file, group, self._columns)
        while start < stop:
            if start < self._end:
                rows = self._batch.slice(start - self._first, min(stop, self._end) - start)
                yield rows
                start += rows.num_rows
                continue
            try:
                self._batch = next(self._batches)
            except (StopIteration, _Broken) as error:
                self._group = -1
                raise error if isinstance(error, _Broken) else _Broken(self._name, "rows are missing") from None
            self._first, self._end = self._end, self._end + self._batch.num_rows


_resting: dict[Any, _Cursor] = {}
"""The cursor that was used last, by what it reads. Who uses it takes it away, so no two threads share one."""


class _Broken(PlainlyError):
    """The file, or one of its row groups, cannot be read."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"broken Parquet file: {shown(why)}", place=Place(name))
        self._name = name

    def of_rows(self, start: int, stop: int) -> BadInput:
        """What is wrong with the rows that are lost: start .. stop - 1."""
        return BadInput(self.message, place=Place(self._name, row=start + 1, last_row=stop))


@dataclass(frozen=True)
class _Rows:
    """What becomes of rows: corpora, whether there is something odd in them or not."""

    name: str
    rules: Rules
    systems: Sequence[str]
    has_ids: bool
    tell: LeaveOut | None

    def corpora(self, batch: Any, before: int) -> Iterator[Corpus]:
        """The rows, with `before` others before them. Those that must be left out are found by halving."""
        try:
            yield self._corpus(batch, before)
        except PlainlyError as error:
            if batch.num_rows == 1 or self.tell is None:
                yield from self.leave_out(before, before + 1, error)
                return
            half = batch.num_rows // 2
            yield from self.corpora(batch.slice(0, half), before)
            yield from self.corpora(batch.slice(half), before + half)

    def leave_out(self, start: int, stop: int, error: PlainlyError) -> Iterator[Corpus]:
        """Segments without texts for these rows, which are told; where nobody wants to be told, the error."""
        if self.tell is None:
            raise (error.of_rows(start, stop) if isinstance(error, _Broken) else BadInput.of(error)) from None
        for row, place in enumerate(_places(self.name, start, stop), start):
            self.tell(row, str(place), error.message)
        for first in range(start, stop, BATCH):
            count = min(BATCH, stop - first)
            yield Corpus(
                [None] * count,
                outputs={system: [None] * count for system in self.systems},
                ids=[""] * count if self.has_ids else None,
                lang=self.rules.lang,
            )

    def _corpus(self, batch: Any, before: int) -> Corpus:
        try:
            return corpus_of(columns_of(batch), self.rules, self.systems, self.has_ids)
        except Odd:
            records = list(_records(self.name, batch, before, self.rules))
        for record in records:
            check_record(record, self.systems, self.has_ids)
        return as_corpus(records, self.systems, self.has_ids, self.rules.lang)


def columns_of(batch: Any) -> dict[str, list[Any]]:
    """The columns of a batch as Python values; raises `Odd` where some cannot be had."""
    names = batch.schema.names
    if "outputs" in names:  # maps and structs, which take long
        raise Odd
    try:
        return {
            name: _lists(array) if name == "references" and str(array.type).startswith(LISTS) else array.to_pylist()
            for name, array in zip(names, batch.columns, strict=True)
        }
    except (ValueError, OverflowError):  # not UTF-8, or a time that Python cannot hold
        raise Odd from None


def _lists(array: Any) -> list[list[Any]]:
    flat = array.flatten().to_pylist()
    ends = accumulate((length or 0 for length in array.value_lengths().to_pylist()), initial=0)
    return [flat[start:end] for start, end in pairwise(ends)]


def opened(path: str) -> Any:
    """The file as a `ParquetFile`."""
    _, parquet = arrow()
    name, here = shown(path), places.local(path)
    stream = places.open_binary(path) if here is None else open_path(str(here))
    head = stream.read(len(MAGIC))
    if head != MAGIC:
        stream.close()
        raise PlainlyError(f"{name} is {'not a Parquet file' if head else 'empty'}")
    if here is not None:
        stream.close()  # pyarrow reads files of this machine by itself
    try:
        # A buffer, because a column of a row group is otherwise read as a whole.
        return parquet.ParquetFile(here or stream, buffer_size=BUFFER, pre_buffer=False)
    except Exception as error:  # a damaged file makes pyarrow raise almost anything
        raise _Broken(name, _first_line(error)) from None


def _group_sizes(file: Any) -> list[int]:
    return [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]


def _batches(name: str, file: Any, group: int, seen: Columns) -> Iterator[Any]:
    """Fields of a row group as record batches. One thread: the cores are busy with other partitions."""
    arrays, _ = arrow()
    own = [column for _, column in seen]
    try:
        for batch in file.iter_batches(BATCH, row_groups=[group], columns=own, use_threads=False):
            # For pyarrow, "output.a" is a part of "output", so that it may read more than it was asked for.
            columns = [batch.column(column) for column in own]
            yield arrays.RecordBatch.from_arrays(columns, names=[field for field, _ in seen])
    except Exception as error:
        raise _Broken(name, _first_line(error)) from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _wanted(seen: Columns, systems: Collection[str], metadata: bool) -> Columns:
    """The fields that are read."""
    plan = layout(tuple(name for name, _ in seen))
    unread = {name for system, name in plan.outputs if system not in systems}
    if not metadata:
        unread.update(plan.metadata)
    return tuple(field for field in seen if field[0] not in unread)


def _checked(name: str, names: list[str], columns: Columns) -> Columns:
    """The fields of records, each with its column; refuses columns that no record can have."""
    refuse_missing(name, names, columns)
    seen = view(tuple(names), columns)
    try:
        layout(tuple(field for field, _ in seen))
    except PlainlyError as error:
        said = f"among the columns: {error.message}"
        raise PlainlyError(said, place=Place(name), remedy=error.remedies) from None
    return seen


def _records(name: str, batch: Any, before: int, rules: Rules) -> Iterator[Record]:
    """The records of a batch; `before` is the number of rows before it. Bad values are found by halving."""
    try:
        columns = {
            column: _values(name, column, array, before)
            for column, array in zip(batch.schema.names, batch.columns, strict=True)
        }
    except PlainlyError as error:
        if not rules.lenient:
            raise
        if batch.num_rows == 1:
            yield refused(Place(name, row=before + 1), error, lenient=True)
            return
        half = batch.num_rows // 2
        yield from _records(name, batch.slice(0, half), before, rules)
        yield from _records(name, batch.slice(half), before + half, rules)
        return
    cells = zip(*columns.values(), strict=True)
    for place, values in zip(_places(name, before, before + batch.num_rows), cells, strict=False):
        try:
            record = make_record(place, dict(zip(columns, values, strict=True)), rules)
        except PlainlyError as error:
            record = refused(place, error, rules.lenient)
        yield record


def _places(name: str, start: int, stop: int) -> Iterator[Place]:
    return (Place(name, row=row + 1) for row in range(start, stop))


def _values(name: str, column: str, array: Any, before: int) -> list[Any]:
    """The column as Python values; a map becomes a dict."""
    try:
        values: list[Any] = array.to_pylist()
    except (ValueError, OverflowError):  # not UTF-8, or a time that Python cannot hold
        raise _bad_value(name, column, array, before) from None
    if column == "outputs" and str(array.type).startswith("map<"):
        return [_as_dict(Place(name, row=row), pairs) for row, pairs in enumerate(values, before + 1)]
    return values


def _as_dict(place: Place, pairs: list[tuple[Any, Any]] | None) -> dict[Any, Any] | None:
    if pairs is None:
        return None
    outputs = dict(pairs)
    if len(outputs) < len(pairs):
        raise PlainlyError("outputs name a system twice", place=place)
    if wrong := [key for key in outputs if not isinstance(key, str)]:
        raise PlainlyError(f"the name of a system in outputs must be text, not {wrong[0]!r}", place=place)
    return outputs


def _bad_value(name: str, column: str, array: Any, before: int) -> PlainlyError:
    for row, scalar in enumerate(array, before + 1):
        try:
            scalar.as_py()
        except UnicodeDecodeError:
            return PlainlyError(f"{shown(column)} is not UTF-8", place=Place(name, row=row))
        except (ValueError, OverflowError) as error:
            return PlainlyError(f"{shown(column)}: {shown(str(error))}", place=Place(name, row=row))
    return PlainlyError(f"{shown(column)} cannot be read", place=Place(name))
