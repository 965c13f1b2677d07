"""Files that readers make of published ones, as CSV of a pickle: other bytes than the catalogue's, same content."""

from __future__ import annotations

from plainly.base.errors import PlainlyError
from plainly.base.messages import plural
from plainly.corpus.catalogue import store
from plainly.corpus.catalogue.entries import Entry, File
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.rows import cell_text, table_rows

OF_TEXTS = ("text_id", "first_id", "second_id", "winner_id")
"""Columns that hold ids of texts: numbers from 0 on."""


def unfit(entry: Entry, file: File) -> str:
    """Why a file that is there cannot stand in for that of the catalogue; empty if it can."""
    if not file.records:
        return "wrong checksum"
    path = str(store.place(file))
    ids = {str(number) for number in range(entry.segments)}
    named = [column for column in OF_TEXTS if column in file.columns and file.role != "scores"]
    try:
        rows = list(table_rows(path))
        if len(rows) != file.records:
            return f"{plural(len(rows), 'record')}, not {file.records:,}"
        for place, row in rows:
            if lacking := [column for column in file.columns if column not in row]:
                return f"no {lacking[0]}; found {', '.join(map(shown, row))}"
            for column in named:
                if (text := cell_text(row[column], place, column)) not in ids:
                    return f"{place}: {column} is {shown(text)}, but texts have the numbers 0 to {entry.segments - 1}"
    except PlainlyError as fault:
        return str(fault)
    return ""
