"""Streams of rows: records that go to a file one by one, as CSV, JSONL or Parquet, and no result to be shown.

Here, too, is what cells of CSV need: spreadsheets run texts that look like formulas, and readers stumble over
carriage returns outside quotes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from plainly.base.errors import MissingResource
from plainly.base.files import writing

Record = Mapping[str, Any]
"""Cells by the names of their columns. What is not known is left out; None is a value that was not given."""
Target = str | Path | IO[str] | None
"""A file to be written as a whole or not at all, standard output (None), or a stream that is open."""

# Where a cell may begin for a spreadsheet: at the start, and after a semicolon, a tab or a line break. Some cut
# there, which take no comma for a separator, as in much of Europe. Full-width signs begin formulas, too.
_BEGIN = r"(\A(?='*[\t\r])|(?:\A|[;\t\r\n])(?='*(?:[^\S\t\r\n]|\")*[=+\-@\uff1d\uff0b\uff0d\uff20]))"
_FORMULA = re.compile(_BEGIN)
_GUARDED = re.compile(_BEGIN + "'")
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")


def write_records(records: Sequence[Record], columns: Sequence[str], target: Target) -> None:
    """Write them as CSV, or as JSONL if the name of the file ends so."""
    with opened(target) as out:
        if is_jsonl(target):
            write_lines(records, out)
        else:
            write_csv(columns, ([record.get(name, "") for name in columns] for record in records), out)


def is_jsonl(target: Target) -> bool:
    """Whether a file is JSONL by its name."""
    return isinstance(target, (str, Path)) and str(target).endswith(".jsonl")


def write_lines(records: Iterable[Record], out: IO[str]) -> None:
    """One JSON object a line."""
    for record in records:
        out.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], out: IO[str]) -> None:
    """A header and its rows. Where a cell has a carriage return, which Python does not quote, all are quoted."""
    table = [columns, *rows]
    returns = any("\r" in str(cell) for row in table for cell in row)
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL).writerows(table)


def csv_rows(out: IO[str]) -> Callable[[Sequence[Any]], object]:
    """What writes rows of CSV as they come, where there are too many to look at first."""
    return csv.writer(out, lineterminator="\n").writerow


def as_text(write: Callable[[IO[str]], object]) -> str:
    """What is written to a stream."""
    out = io.StringIO()
    write(out)
    return out.getvalue()


@contextmanager
def opened(target: Target) -> Iterator[IO[str]]:
    """A stream for what is written. One that is open already stays open."""
    if target is None or isinstance(target, (str, Path)):
        with writing(None if target is None else str(target)) as out:
            yield out
    else:
        yield target


def safe(text: str) -> str:
    """A text as a cell of CSV that no spreadsheet takes for a formula: an apostrophe stands where one would begin.

    Numbers stay as they are. `as_written` gives any text back.
    """
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'", text)


def as_written(cell: str) -> str:
    """The text of a cell that `safe` made."""
    text = _GUARDED.sub(r"\1", cell)
    return text if safe(text) == cell else cell


def arrow() -> tuple[Any, Any]:
    """pyarrow and pyarrow.parquet."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingResource("Parquet files need pyarrow: pip install pyarrow") from None
    return pyarrow, pyarrow.parquet
