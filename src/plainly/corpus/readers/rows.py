"""Rows of a table with columns of any names, as CSV, TSV or JSONL by the ending of the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from plainly.base.errors import Place, PlainlyError
from plainly.base.records import as_written
from plainly.corpus.readers.checks import plural
from plainly.corpus.readers.files import MAX_RECORD, InputFile, LineFile, shown
from plainly.corpus.readers.jsonl import parse_object
from plainly.corpus.readers.tables import Rows, csv_rows, tsv_rows

Row = tuple[int, dict[str, Any]]
"""The number of its line, and its cells by the names of their columns."""


def read_table(file: InputFile, path: str, known: Sequence[str] = ()) -> Iterator[Row]:
    """Rows with their line numbers, as tables of cells by name. If names are known, the header has one at least."""
    ending = path.lower().removesuffix(".gz").rpartition(".")[2]
    if ending in ("jsonl", "json"):
        for number, line in enumerate(LineFile(file, MAX_RECORD), 1):
            yield number, parse_object(Place(file.name, number), line)
        return
    rows = tsv_rows(file) if ending == "tsv" else _csv_rows(file)
    _, header = next(rows)
    if ending != "tsv" and len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        remedy = "name it .tsv" if "\t" in header[0] else "export it as CSV UTF-8 with commas"
        raise PlainlyError(
            f"{file.name}: columns must be separated by commas; the header is {shown(header[0])}; {remedy}"
        )
    names = {name.strip().casefold() for name in header}
    if known and not any(name.casefold() in names for name in known):
        raise PlainlyError(f"{file.name}: no header: the first line must name the columns, as {', '.join(known)}")
    for place, name in enumerate(header):
        if name in header[:place]:
            raise PlainlyError(f"{file.name}: in the header: {shown(name)} is there twice")
    for number, cells in rows:
        if len(cells) != len(header):
            raise PlainlyError(
                f"{file.name}:{number}: {plural(len(cells), 'cell')}, but the header has {len(header)}"
            )
        yield number, dict(zip(header, cells, strict=True))


def _csv_rows(file: InputFile) -> Rows:
    """Rows of CSV. An apostrophe that keeps a spreadsheet from running a text as a formula is no part of the text."""
    for number, cells in csv_rows(file):
        yield number, [as_written(cell) for cell in cells]


def any_text(value: Any, place: str, name: str) -> str:
    """A cell of any kind as text: what is neither text nor a whole number as JSON."""
    if isinstance(value, (float, bool, list, dict)):
        value = json.dumps(value, ensure_ascii=False)
    return cell_text(value, place, name)


def cell_text(value: Any, place: str, name: str) -> str:
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
