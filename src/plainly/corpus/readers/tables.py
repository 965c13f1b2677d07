"""Records as rows of a table with a header: CSV as in RFC 4180, and TSV without quotes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from plainly.base.errors import Place, PlainlyError
from plainly.base.messages import plural
from plainly.corpus.readers.columns import Columns, layout, refuse_missing, view
from plainly.corpus.readers.files import MAX_LINE, MAX_RECORD, InputFile, LineFile
from plainly.corpus.readers.records import Record, Rules, make_record, refused

Rows = Iterator[tuple[int, list[str]]]
NO_TEXT = ("id", "document", "lang")
"""Columns in which an empty cell means that nothing is said; a table has no other way to leave it open."""
LONE = "reference"
"""What one column of references is: a cell holds one text."""
CSV_FAULTS = {
    "field larger": f"a cell is longer than {MAX_LINE:,} characters; is a quote left open?",
    "unexpected end": "a quote is left open",
    "new-line character": "a carriage return outside quotes; save the file with LF or CRLF line ends",
}


def table_records(file: InputFile, rules: Rules, kind: str) -> Iterator[Record]:
    """The records of a "csv" or "tsv" file in order."""
    rows = ROWS[kind](file)
    _, header = next(rows)
    check_header(file.name, header, rules.columns)
    seen = view(tuple(header), rules.columns, LONE) if rules.columns else ()
    own = rules._replace(columns=())
    for number, cells in rows:
        place = Place(file.name, number)
        try:
            record = make_record(place, _fields(header, cells, seen), own)
        except PlainlyError as error:
            record = refused(place, error, rules.lenient)
        yield record


def _fields(header: Sequence[str], cells: Sequence[str], seen: Columns) -> dict[str, str | None]:
    if len(cells) != len(header):
        raise PlainlyError(f"{plural(len(cells), 'cell')}, but the header has {len(header)}")
    fields: dict[str, str | None] = dict(zip(header, cells, strict=True))
    if seen:
        fields = {name: fields[column] for name, column in seen}
    for name in NO_TEXT:
        if fields.get(name) == "":
            fields[name] = None
    return fields


def check_header(name: str, header: Sequence[str], columns: Columns = ()) -> None:
    """Refuses a header that no record can have."""
    refuse_missing(name, header, columns)
    seen = [own for own, _ in view(tuple(header), columns, LONE)]
    try:
        layout(tuple(seen))
    except PlainlyError as error:
        said = f"in the header: {error.message}"
        raise PlainlyError(said, place=Place(name), remedy=error.remedies) from None
    for many, names in {"references": "reference.0, reference.1", "outputs": "output.NAME"}.items():
        if many in seen:
            raise PlainlyError(f"{name}: in the header: {many!r} must be one column per text: {names}")


def tsv_rows(file: InputFile) -> Rows:
    for number, line in enumerate(LineFile(file, MAX_RECORD), 1):
        yield number, line.split("\t")


def csv_rows(file: InputFile) -> Rows:
    # The limit belongs to the whole process; it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE))
    lines = (line + "\n" for line in LineFile(file, MAX_RECORD, keep_return=True))
    reader = csv.reader(lines, strict=True)
    number = 1
    try:
        for cells in reader:
            yield number, cells or [""]
            number = reader.line_num + 1
    except csv.Error as error:
        said = str(error)
        fault = next((fault for start, fault in CSV_FAULTS.items() if said.startswith(start)), None)
        raise PlainlyError(fault or f"bad quotes: {said}", place=Place(file.name, line=number)) from None


ROWS = {"csv": csv_rows, "tsv": tsv_rows}
"""The rows of a table, by its kind."""
