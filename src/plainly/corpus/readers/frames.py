"""Data frames as rows of plain values: pandas, polars, pyarrow, Hugging Face's datasets, or columns and records.

None of these packages is imported here: a table is known by what it can do. Others come by Arrow's stream protocol or
the data-frame protocol, for which pyarrow is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.messages import plural
from plainly.base.records import arrow
from plainly.corpus.readers.files import shown

NAME = "data frame"
"""What a table without a file is called in messages."""
Rows = Iterator[dict[str, Any]]


def frame_rows(table: Any) -> tuple[list[str], Rows]:
    """The names of the columns, and the rows; a value that is missing, as NaN, is None."""
    if hasattr(table, "collect") and hasattr(table, "collect_schema") and not hasattr(table, "to_dicts"):
        table = table.collect()  # of polars, where it was put off
    found = next((read for fits, read in KINDS if fits(table)), None)
    if found is None:
        raise PlainlyError(f"a table is a data frame, a mapping of columns or a list of records, not {_kind(table)}")
    names, rows = found(table)
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise PlainlyError(f"{NAME}: the name of a column must be text, not {name!r}")
        if name in names[:place]:
            raise PlainlyError(f"{NAME}: {shown(name)!r} is there twice")
    return names, ({name: _plain(value) for name, value in row.items()} for row in rows)


def tables_of(given: Any) -> list[Any]:
    """One table, or several in a list; a list of records is one."""
    several = isinstance(given, (list, tuple)) and not (given and all(isinstance(one, Mapping) for one in given))
    return list(given) if several else [given]


def _plain(value: Any) -> Any:
    """A value as Python has it."""
    if hasattr(value, "tolist"):  # of numpy, alone or in rows
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and value != value else value


def _of_columns(table: Mapping[str, Any]) -> tuple[list[str], Rows]:
    splits = [name for name, values in table.items() if hasattr(values, "column_names")]
    if splits:
        raise PlainlyError(
            f"this holds several tables: choose one, as data[{splits[0]!r}]; there are {', '.join(splits)}"
        )
    for name, values in table.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise PlainlyError(f"{NAME}: the column {name!r} must be a list, not {_kind(values)}")
    columns = {name: list(values) for name, values in table.items()}
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{shown(name)} {plural(count, 'row')}" for name, count in lengths.items())
        raise PlainlyError(f"{NAME}: columns differ in length: {said}")
    return list(columns), (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def _of_records(table: Sequence[Mapping[str, Any]]) -> tuple[list[str], Rows]:
    return list(dict.fromkeys(chain.from_iterable(table))), (dict(row) for row in table)


def _of_polars(table: Any) -> tuple[list[str], Rows]:
    return list(table.columns), table.iter_rows(named=True)


def _of_arrow(table: Any) -> tuple[list[str], Rows]:
    batches = table.to_batches() if hasattr(table, "to_batches") else [table]
    rows = (row for batch in batches for row in batch.to_pylist(maps_as_pydicts="strict"))
    return list(table.schema.names), rows


def _of_datasets(table: Any) -> tuple[list[str], Rows]:
    rows: Iterable[dict[str, Any]] = iter(table)
    if table.column_names is not None:
        return list(table.column_names), iter(rows)
    held = list(rows)  # of a stream that does not know yet
    return _of_records(held)


def _of_pandas(table: Any) -> tuple[list[str], Rows]:
    names = list(table.columns)
    if len(set(names)) < len(names):
        return names, iter(())  # which is refused
    columns = [table[name].astype(object).where(table[name].notna(), None).tolist() for name in names]
    return names, (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def _of_stream(table: Any) -> tuple[list[str], Rows]:
    pyarrow, _ = arrow()
    return _of_arrow(pyarrow.table(table))


def _of_protocol(table: Any) -> tuple[list[str], Rows]:
    arrow()
    from pyarrow.interchange import from_dataframe

    return _of_arrow(from_dataframe(table))


def _has(*names: str) -> Any:
    return lambda table: all(hasattr(table, name) for name in names)


KINDS = (
    (lambda table: isinstance(table, Mapping), _of_columns),
    (lambda table: isinstance(table, (list, tuple)) and all(isinstance(row, Mapping) for row in table), _of_records),
    (_has("to_dicts", "iter_rows"), _of_polars),
    (_has("to_pylist", "schema"), _of_arrow),
    (_has("column_names", "features"), _of_datasets),
    (_has("columns", "notna"), _of_pandas),
    (_has("__arrow_c_stream__"), _of_stream),
    (_has("__dataframe__"), _of_protocol),
)
"""What a table can do, and how such a table is read; the first that fits."""


def _kind(table: Any) -> str:
    return f"{type(table).__module__}.{type(table).__name__}".removeprefix("builtins.")
