"""Aligned text for a terminal: columns padded with blanks, each table under its question."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from plainly.findings.printing import (
    BEST,
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
from plainly.findings.shape import Cell, Findings, Table

NARROW = 12  # the narrowest that a column of texts gets, where a table must fit a screen
BOLD, NORMAL = "\x1b[1m", "\x1b[0m"


@dataclass(frozen=True)
class Screen:
    """A terminal: so many columns, and whether it may show what is best in bold; a file has no such bounds.

    `elsewhere` says where columns are that do not fit.
    """

    width: int
    bold: bool = False
    elsewhere: str = ""


def write(findings: Findings, lang: str, screen: Screen | None = None) -> str:
    """The text; on a screen, wide texts are broken into lines, and columns that do not fit are named."""
    tables = told(findings)
    parts = [_table(table, len(tables) > 1, lang, screen) for table in tables]
    lines = lines_above(findings, lang, warned=False), lines_below(findings, lang)  # warnings: on standard error
    above, below = ("".join(f"{line}\n" for line in part) for part in lines)
    return "\n".join(filter(None, [above, *parts, below]))


def _table(table: Table, titled: bool, lang: str, screen: Screen | None) -> str:
    columns, rows = seen(table)
    lines = [
        [heading(column, lang) for column in columns],
        *([shown(cell, column, lang) for cell, column in zip(row, columns, strict=True)] for row in rows),
    ]
    right = [right_aligned(column) for column in columns]
    natural = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    widths = natural if screen is None else _fitted(natural, right, screen.width)
    kept = [place for place, width in enumerate(widths) if width]
    best = {
        (line, place)
        for line, row in enumerate(rows, 1)
        for place, cell in enumerate(row)
        if screen is not None and screen.bold and isinstance(cell, Cell) and BEST in cell.marks
    }
    out = []
    for number, line in enumerate(lines):
        broken = [_broken(line[place], widths[place]) for place in kept]
        for part in zip_longest(*broken, fillvalue=""):
            padded = [_padded(text, widths[place], right[place]) for place, text in zip(kept, part, strict=True)]
            marked = [
                f"{BOLD}{text}{NORMAL}" if (number, place) in best else text
                for place, text in zip(kept, padded, strict=True)
            ]
            out.append("  ".join(marked).rstrip())
        if number == 0:
            out.append("  ".join("-" * widths[place] for place in kept))
    title = f"{printable(table.question.text(lang))}\n\n" if titled else ""
    legend = "".join(f"{printable(line.text(lang))}\n" for line in table.legend)
    away = ", ".join(lines[0][place] for place in range(len(columns)) if place not in kept)
    hint = f"Too wide for this screen: {away}. {screen.elsewhere}\n" if away and screen is not None else ""
    return title + "\n".join(out) + "\n" + (f"\n{legend}" if legend else "") + (f"\n{hint}" if hint else "")


def _fitted(natural: Sequence[int], right: Sequence[bool], width: int) -> list[int]:
    """Widths that fit: texts give way first, the widest most; then the last columns go, which leaves a width of 0."""
    widths = list(natural)
    kept = len(widths)
    while kept > 1:
        gaps = 2 * (kept - 1)
        texts = [place for place in range(kept) if not right[place]]
        while sum(widths[:kept]) + gaps > width:
            widest = max(texts, key=lambda place: widths[place], default=0)
            if not texts or widths[widest] <= NARROW:
                break
            widths[widest] -= 1
        if sum(widths[:kept]) + gaps <= width:
            break
        kept -= 1
        widths = [*natural[:kept], *([0] * (len(natural) - kept))]
    return widths


def _broken(text: str, width: int) -> list[str]:
    """The lines of a cell."""
    return [text] if _width(text) <= width else textwrap.wrap(text, max(width, 1)) or [""]


def _padded(text: str, width: int, right: bool) -> str:
    pad = " " * (width - _width(text))
    return pad + text if right else text + pad


def _width(text: str) -> int:
    """Columns on a terminal: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


PRINTER = Printer(("txt",), write)
