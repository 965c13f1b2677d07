"""Aligned text for a terminal: columns padded with blanks, each table under its question."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from plainly.findings.printing import (
    Printer,
    heading,
    lines_above,
    lines_below,
    printable,
    right_aligned,
    seen,
    shown,
    told,
)
from plainly.findings.shape import Findings, Table


def write(findings: Findings, lang: str) -> str:
    tables = told(findings)
    parts = [_table(table, len(tables) > 1, lang) for table in tables]
    lines = lines_above(findings, lang, warned=False), lines_below(findings, lang)  # warnings: on standard error
    above, below = ("".join(f"{line}\n" for line in part) for part in lines)
    return "\n".join(filter(None, [above, *parts, below]))


def _table(table: Table, titled: bool, lang: str) -> str:
    columns, rows = seen(table)
    lines = [
        [heading(column, lang) for column in columns],
        *([shown(cell, column, lang) for cell, column in zip(row, columns, strict=True)] for row in rows),
    ]
    right = [right_aligned(column) for column in columns]
    title = f"{printable(table.question.text(lang))}\n\n" if titled else ""
    legend = "".join(f"{printable(line.text(lang))}\n" for line in table.legend)
    return title + _aligned(lines, right) + (f"\n{legend}" if legend else "")


def _aligned(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    out = ["  ".join(map(_padded, line, widths, right)).rstrip() for line in lines]
    out.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(out) + "\n"


def _padded(text: str, width: int, right: bool) -> str:
    pad = " " * (width - _width(text))
    return pad + text if right else text + pad


def _width(text: str) -> int:
    """Columns on a terminal: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


PRINTER = Printer(("txt",), write)
