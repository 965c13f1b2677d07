"""Records as rows of a Parquet file, read through pyarrow batch by batch."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from typing import Any

from plainly.corpus.readers.columns import layout
from plainly.corpus.readers.files import open_path, shown
from plainly.corpus.readers.records import Record, Rules, make_record
from plainly.errors import MissingResource, PlainlyError

BATCH = 2048
BUFFER = 1 << 20
MAGIC = b"PAR1"


def parquet_records(path: str, rules: Rules) -> Generator[Record, None, None]:
    """The records of the file in order."""
    name = shown(path)
    number = 0
    for columns in _batches(path):
        for cells in zip(*columns.values(), strict=True):
            number += 1
            yield make_record(f"{name}: row {number}", dict(zip(columns, cells, strict=True)), rules)


def _batches(path: str) -> Iterator[dict[str, list[Any]]]:
    """The columns of each batch as Python values."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingResource("Parquet files need pyarrow: pip install pyarrow") from None
    name = shown(path)
    with open_path(path) as stream:
        head = stream.read(len(MAGIC))
    if head != MAGIC:
        raise PlainlyError(f"{name} is {'not a Parquet file' if head else 'empty'}")
    with ExitStack() as stack:
        try:
            # A buffer, because a column of a row group is otherwise read as a whole.
            file = pyarrow.parquet.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False)
            stack.enter_context(file)
            names = file.schema_arrow.names
            batches = file.iter_batches(batch_size=BATCH)
        except Exception as error:  # a damaged file makes pyarrow raise almost anything
            raise _broken(name, error) from None
        _check_names(name, names)
        number = 0
        while True:
            try:
                batch = next(batches, None)
            except Exception as error:
                raise _broken(name, error) from None
            if batch is None:
                return
            columns = zip(batch.schema.names, batch.columns, strict=True)
            yield {column: _values(name, column, array, number) for column, array in columns}
            number += batch.num_rows


def _check_names(name: str, columns: list[str]) -> None:
    try:
        layout(tuple(columns))
    except PlainlyError as error:
        raise PlainlyError(f"{name}: among the columns: {error}") from None


def _values(name: str, column: str, array: Any, before: int) -> list[Any]:
    """The column as Python values; a map becomes a dict."""
    try:
        values: list[Any] = array.to_pylist()
    except ValueError:  # not UTF-8, or a time that Python cannot hold
        raise PlainlyError(_bad_value(name, column, array, before)) from None
    if column == "outputs" and str(array.type).startswith("map<"):
        return [_as_dict(f"{name}: row {row}", pairs) for row, pairs in enumerate(values, before + 1)]
    return values


def _as_dict(place: str, pairs: list[tuple[Any, Any]] | None) -> dict[Any, Any] | None:
    if pairs is None:
        return None
    outputs = dict(pairs)
    if len(outputs) < len(pairs):
        raise PlainlyError(f"{place}: outputs name a system twice")
    if wrong := [key for key in outputs if not isinstance(key, str)]:
        raise PlainlyError(f"{place}: the name of a system in outputs must be text, not {wrong[0]!r}")
    return outputs


def _bad_value(name: str, column: str, array: Any, before: int) -> str:
    for row, scalar in enumerate(array, before + 1):
        try:
            scalar.as_py()
        except UnicodeDecodeError:
            return f"{name}: row {row}: {shown(column)} is not UTF-8"
        except ValueError as error:
            return f"{name}: row {row}: {shown(column)}: {shown(str(error))}"
    return f"{name}: {shown(column)} cannot be read"


def _broken(name: str, error: Exception) -> PlainlyError:
    lines = str(error).splitlines() or [type(error).__name__]
    return PlainlyError(f"{name}: broken Parquet file: {shown(lines[0])}")
