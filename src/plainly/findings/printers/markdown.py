"""Markdown: tables with aligned columns, questions as headings, signatures as code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainly.base.messages import plain
from plainly.findings.printing import (
    BEST,
    Printer,
    heading,
    lines_above,
    lines_below,
    right_aligned,
    seen,
    shown,
    told,
)
from plainly.findings.shape import Cell, Column, Findings, Table, Value

_SPECIAL = re.compile(r"[\\`*_\[\]<>#~]")


def write(findings: Findings, lang: str) -> str:
    tables = told(findings)
    parts = [_table(table, len(tables) > 1, lang) for table in tables]
    below = "".join(f"- {_escaped(line)}\n" for line in lines_below(findings, lang))
    above = "".join(f"{escaped(line)}\n" for line in lines_above(findings, lang))
    return "\n".join(filter(None, [above, *parts, below]))


def _table(table: Table, titled: bool, lang: str) -> str:
    columns, rows = seen(table)
    title = f"## {escaped(table.question.text(lang))}\n\n" if titled else ""
    rule = "|" + "|".join(" ---: " if right_aligned(column) else " --- " for column in columns) + "|"
    lines = [
        _line([heading(column, lang) for column in columns]),
        rule,
        *(_line([_cell(cell, column, lang) for cell, column in zip(row, columns, strict=True)]) for row in rows),
    ]
    legend = "".join(f"- {_escaped(line.text(lang))}\n" for line in table.legend)
    return title + "\n".join(lines) + "\n" + (f"\n{legend}" if legend else "")


def _cell(cell: Cell | Value, column: Column, lang: str) -> str:
    text = shown(cell, column, lang)
    return f"**{text}**" if isinstance(cell, Cell) and BEST in cell.marks else text


def _line(cells: Sequence[str]) -> str:
    texts = (cell.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ") for cell in cells)
    return "| " + " | ".join(texts) + " |"


def escaped(text: str) -> str:
    """A text with names from the data, which Markdown shall take for nothing but text."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _escaped(line: str) -> str:
    """Signatures hold bars, which Markdown would take for a table."""
    return f"`{line}`" if "|" in line else line


def plain_table(headers: Sequence[str], rows: Sequence[Sequence[str | int | None]]) -> str:
    """Texts and counts that no study found."""
    counts = [all(isinstance(row[place], int) for row in rows) for place in range(len(headers))]
    columns = [Column(head, "count" if count else "text") for head, count in zip(headers, counts, strict=True)]
    return write(Findings([Table("", plain(""), columns, rows)]), "en")


PRINTER = Printer(("md", "markdown"), write)
