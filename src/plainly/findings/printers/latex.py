"""LaTeX for a paper: a table that fits a column, with the rules of booktabs and a caption that says what it shows.

The best value is bold; groups and other marks stand beside their numbers; the verdict and signatures are comments.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainly.base.messages import Message, message
from plainly.findings.printing import (
    BEST,
    Printer,
    heading,
    lines_above,
    marks,
    printable,
    right_aligned,
    seen,
    shown,
    told,
)
from plainly.findings.shape import Cell, Column, Findings, Table, Value
from plainly.inference.estimates import Estimate

BOUNDS = message("findings.bounds", "The interval of a number stands beside it, its lower bound below.")

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "†": r"$\dagger$",
    }
)


def escaped(text: str) -> str:
    """A text in which LaTeX finds no commands."""
    return text.translate(_LATEX)


def write(findings: Findings, lang: str) -> str:
    tables = told(findings)
    below = [note.message for note in findings.notes if not note.aside]
    above = "".join(f"% {line}\n" for line in lines_above(findings, lang))
    parts = [_table(table, below, lang) for table in tables]
    signed = "".join(f"% {printable(line)}\n" for line in dict.fromkeys(findings.signatures))
    return above + "\n".join(parts) + signed


def _table(table: Table, below: Sequence[Message], lang: str) -> str:
    columns, rows = seen(table)
    places = [place for place, column in enumerate(columns) if not column.detail]
    columns, rows = [columns[place] for place in places], [[row[place] for place in places] for row in rows]
    wide = [any(_beside(row[place], column, lang) for row in rows) for place, column in enumerate(columns)]
    bounded = any(_bounded(cell) for row in rows for cell in row)
    legend = [line for line in table.legend if line not in table.on_detail]
    said = [table.question, *legend, *([BOUNDS] if bounded else []), *below]
    caption = " ".join(_sentence(line.text(lang)) for line in said)
    lines = [
        r"\begin{table}",
        r"\centering",
        r"\small",
        rf"\begin{{tabular}}{{{''.join(map(_alignment, columns, wide))}}}",
        r"  \toprule",
        _line([_head(column, two, lang) for column, two in zip(columns, wide, strict=True)]),
        r"  \midrule",
        *(
            _line([_cell(cell, column, two, lang) for cell, column, two in zip(row, columns, wide, strict=True)])
            for row in rows
        ),
        r"  \bottomrule",
        r"\end{tabular}",
        rf"\caption{{{escaped(caption)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _alignment(column: Column, wide: bool) -> str:
    """Numbers stand to the right, so that their digits are one below the other; what is beside them, to the left."""
    return ("r" if right_aligned(column) else "l") + ("@{}l" if wide else "")


def _head(column: Column, wide: bool, lang: str) -> str:
    text = escaped(heading(column, lang))
    return rf"\multicolumn{{2}}{{{'c' if right_aligned(column) else 'l'}}}{{{text}}}" if wide else text


def _cell(cell: Cell | Value, column: Column, wide: bool, lang: str) -> str:
    value = cell.value if isinstance(cell, Cell) else cell
    text = escaped(shown(value.value if isinstance(value, Estimate) else value, column, lang))
    if isinstance(cell, Cell) and BEST in cell.marks:
        text = rf"\textbf{{{text}}}"
    return f"{text} & {_beside(cell, column, lang)}" if wide else text


def _beside(cell: Cell | Value, column: Column, lang: str) -> str:
    """The bounds of an estimate, one above the other, which takes half the width of brackets; then the marks."""
    value = cell.value if isinstance(cell, Cell) else cell
    bounds = ""
    if isinstance(value, Estimate) and _bounded(value):
        low, high = (shown(bound, column, lang).replace(",", "{,}") for bound in (value.low, value.high))
        bounds = f"$_{{{low}}}^{{{high}}}$"
    beside = escaped(" ".join(marks(cell))) if isinstance(cell, Cell) else ""
    return rf"{bounds}\,{beside}" if beside else bounds


def _bounded(cell: Cell | Value) -> bool:
    value = cell.value if isinstance(cell, Cell) else cell
    return isinstance(value, Estimate) and math.isfinite(value.value) and math.isfinite(value.low)


def _sentence(text: str) -> str:
    text = printable(text[:1].upper() + text[1:])
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _line(cells: Sequence[str]) -> str:
    return "  " + " & ".join(cells) + r" \\"


PRINTER = Printer(("tex",), write)
