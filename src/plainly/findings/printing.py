"""Findings in the form that is asked for, and values as people read them; programs get values as they are.

Each form is a module of `plainly.findings.printers`, whose name is the name of the form. A new one is one file there
with a `PRINTER`, or an entry point of the group `plainly.printers` in another package.
"""

from __future__ import annotations

import csv
import io
import math
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, decimal, message
from plainly.base.records import safe
from plainly.base.registry import Registry
from plainly.findings.shape import Cell, Column, Findings, Row, Table, Value
from plainly.inference.estimates import Estimate

ARROWS = {"": "", "higher": " ↑", "lower": " ↓"}
BEST = "best"
DIFFERS, LACKS = "differs", "lacks"
MARKS = {BEST: "", DIFFERS: "*", LACKS: "†"}
"""How marks look; others, as letters of groups, look as they are called, and come last."""
NONE = "-"


@dataclass(frozen=True)
class Printer:
    """One form: the endings of its files, and what writes it. The first ending is the usual one."""

    endings: tuple[str, ...]
    write: Callable[[Findings, str], str]
    """Findings and the reader's language -> the text, which ends in a line feed."""
    one_table: bool = False
    """Whether it holds one table alone."""


PRINTERS: Registry[Printer] = Registry(
    "format",
    {
        module.name: f"plainly.findings.printers.{module.name}:PRINTER"
        for module in pkgutil.iter_modules([str(Path(__file__).with_name("printers"))])
        if not module.name.startswith("_")
    },
    "plainly.printers",
    "a plainly.findings.Printer",
    lambda loaded: isinstance(loaded, Printer),
)
"""All forms that findings can be printed in, by name."""


def forms() -> list[str]:
    """The names of all forms."""
    return PRINTERS.names()


def form_of(path: str, others: Iterable[str] = ()) -> str:
    """The form that the ending of a file names; `others` could have stood there as well."""
    ending = path.rpartition(".")[2].lower()
    for name in PRINTERS:
        if ending in PRINTERS[name].endings:
            return name
    known = [end for name in PRINTERS for end in PRINTERS[name].endings]
    raise UnknownName("ending of a file", ending, [*known, *(other.lstrip(".") for other in others)])


def printed(findings: Findings, form: str = "table", lang: str = "en") -> str:
    """The findings as a text."""
    return PRINTERS[form].write(findings, lang)


def shown(cell: Cell | Value, column: Column, lang: str = "en") -> str:
    """A cell as people read it; a dash where there is no value."""
    if isinstance(cell, Cell):
        return shown(cell.value, column, lang) + "".join(f" {mark}" for mark in marks(cell))
    return printable(_shown(cell, column, lang))


def marks(cell: Cell) -> list[str]:
    """The marks of a cell as they look; that of the best is left to forms that can make it bold."""
    others = sorted(mark for mark in cell.marks if mark not in MARKS)
    return [look for name, look in MARKS.items() if name in cell.marks and look] + others


def heading(column: Column, lang: str = "en") -> str:
    """The head of a column, with an arrow to the better end."""
    title = column.name if column.title is None else column.title.text(lang)
    return printable(title) + ARROWS[column.better]


def seen(table: Table) -> tuple[list[Column], list[list[Cell | Value]]]:
    """The columns that people see, with the rows cut to them."""
    places = [place for place, column in enumerate(table.columns) if column.for_people]
    return [table.columns[place] for place in places], [[row[place] for place in places] for row in table.rows]


def told(findings: Findings) -> list[Table]:
    """The tables that people see: an empty one says nothing where a verdict does."""
    return [table for table in findings.tables if table.rows or not findings.verdict]


def right_aligned(column: Column) -> bool:
    """Whether the column holds numbers."""
    return column.kind in ("count", "number", "estimate", "p")


def lines_above(findings: Findings, lang: str = "en", warned: bool = True) -> list[str]:
    """What stands above all tables: warnings, unless they are said beside; then the verdict."""
    warnings = [message("findings.warning", "Warning: {what}", what=what) for what in findings.warnings if warned]
    return [printable(sentence.text(lang)) for sentence in (*warnings, *findings.verdict)]


def lines_below(findings: Findings, lang: str = "en", asides: bool = False) -> list[str]:
    """What stands below all tables: the notes, the signatures. Where nobody speaks aside, all notes."""
    notes = [note for note in findings.notes if note.kind != "warning" and (asides or not note.aside)]
    said = [note.message.text(lang) for note in notes]
    return [printable(line) for line in (*said, *dict.fromkeys(findings.signatures))]


def separated(findings: Findings, mark: str) -> str:
    """The findings for programs: one table, with `mark` between cells and the signature in every row."""
    names, rows = rows_for_programs(findings)
    if not names:
        return ""
    out = io.StringIO()
    returns = any("\r" in cell for row in rows for cell in row if isinstance(cell, str))
    # Python quotes no carriage return of its own accord.
    quoting: Literal[0, 1] = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=mark, lineterminator="\n", quoting=quoting)
    writer.writerow(names)
    writer.writerows([[safe(cell) if isinstance(cell, str) else cell for cell in row] for row in rows])
    return out.getvalue()


def rows_for_programs(findings: Findings) -> tuple[list[str], list[list[float | int | str | None]]]:
    """The columns and rows of the one table that there is: long by its key columns, with bare values."""
    if len(findings.names) > 1:
        raise PlainlyError(f"one file holds one table: {', '.join(findings.names)}")
    parts = [_long(table.long or table, findings.signatures) for table in findings.tables]
    if any(names != parts[0][0] for names, _ in parts):
        raise ValueError(f"tables named {findings.names[0]!r} have different columns")
    return (parts[0][0] if parts else []), [row for _, rows in parts for row in rows]


def _long(table: Table, signatures: Sequence[str]) -> tuple[list[str], list[list[float | int | str | None]]]:
    """The names of columns and the rows: an estimate takes three, what all rows share comes first."""
    keys = [_raw(value) for value in table.keys.values()]
    names = [*table.keys, *(name for column in table.columns for name in _names(column))]
    signed = list(signatures) if len(signatures) == 1 and "signature" not in names else []
    rows = [[*keys, *_spread(row, table.columns), *signed] for row in table.rows]
    return [*names, *(["signature"] if signed else [])], rows


def printable(text: str) -> str:
    """Names come from data: no control character may reach a terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _shown(value: Value, column: Column, lang: str) -> str:
    if value is None:
        return NONE
    if isinstance(value, Message):
        return value.text(lang)
    if isinstance(value, Estimate):
        return _estimate(value, column.digits, lang)
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value, column, lang)
    return ", ".join(value)


def _number(value: float, column: Column, lang: str) -> str:
    if math.isnan(value):
        return NONE
    return decimal(f"{value:.2g}" if column.kind == "p" else f"{value:.{column.digits}f}", lang)


def _estimate(value: Estimate, digits: int, lang: str) -> str:
    if math.isnan(value.value):
        return NONE
    number = decimal(f"{value.value:.{digits}f}", lang)
    if math.isnan(value.low):
        return number
    low, high = (decimal(f"{bound:.{digits}f}", lang) for bound in (value.low, value.high))
    return f"{number} [{low}{'; ' if ',' in low else ', '}{high}]"


def _names(column: Column) -> list[str]:
    return [column.name, f"{column.name} low", f"{column.name} high"] if column.kind == "estimate" else [column.name]


def _spread(row: Row, columns: Sequence[Column]) -> Iterator[float | int | str | None]:
    for cell, column in zip(row, columns, strict=True):
        value = cell.value if isinstance(cell, Cell) else cell
        if column.kind != "estimate":
            yield _raw(value)
        elif isinstance(value, Estimate):
            yield from map(_raw, (value.value, value.low, value.high))
        else:
            yield from (_raw(value), None, None)


def _raw(value: Value) -> float | int | str | None:
    if isinstance(value, Message):
        return value.text()
    if isinstance(value, Estimate):
        return _raw(value.value)
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if value is None or isinstance(value, (str, int)):
        return value
    return ", ".join(value)
