"""LaTeX for a paper: a table that fits a column, with the rules of booktabs and a caption that says what it shows.

The best value is bold; groups and other marks stand beside their numbers; the verdict and signatures are comments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from plainly.base.messages import Message, message
from plainly.findings.printers._paper import SIZES, USUAL_GAP, Printed, layout, lines_of
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
    columns = [columns[place] for place in places]
    cells = [
        [_printed(row[place], column, table, lang) for place, column in zip(places, columns, strict=True)]
        for row in rows
    ]
    wide = [any(row[place].bounds or row[place].marks for row in cells) for place in range(len(columns))]
    heads = [_lines(column, [row[place] for row in cells], lang) for place, column in enumerate(columns)]
    chosen = layout(heads, cells)
    environment = "table*" if chosen.both_columns else "table"
    above = ["% wider than a page: leave columns out, or turn it"] if chosen.too_wide else []
    alignment = "".join(map(_alignment, columns, wide))
    lines = [
        *above,
        rf"\begin{{{environment}}}",
        r"\centering",
        rf"\{chosen.size.name}",
        *([rf"\setlength{{\tabcolsep}}{{{chosen.size.gap:g}pt}}"] if chosen.size.gap != USUAL_GAP else []),
        rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}",
        r"  \toprule",
        _line(map(_head, heads, columns, wide)),
        r"  \midrule",
        *(_line(map(_cell, row, wide)) for row in cells),
        r"  \bottomrule",
        r"\end{tabular}",
        rf"\caption{{{escaped(_caption(table, cells, below, lang))}}}",
        rf"\end{{{environment}}}",
    ]
    return "\n".join(lines) + "\n"


def _caption(table: Table, cells: Sequence[Sequence[Printed]], below: Sequence[Message], lang: str) -> str:
    legend = [line for line in table.legend if line not in table.on_detail]
    bounded = any(cell.bounds for row in cells for cell in row)
    return " ".join(
        _sentence(line, lang) for line in (table.question, *legend, *([BOUNDS] if bounded else []), *below)
    )


def _printed(cell: Cell | Value, column: Column, table: Table, lang: str) -> Printed:
    """The bounds of an estimate stand one above the other, which takes half the width of brackets."""
    value = cell.value if isinstance(cell, Cell) else cell
    beside = cell.marks - table.detail_marks if isinstance(cell, Cell) else frozenset[str]()
    text, bounds = shown(value, column, lang), list[str]()
    if isinstance(value, Estimate):
        text = shown(value.value, column, lang)
        if math.isfinite(value.value) and math.isfinite(value.low):
            bounds = [shown(bound, column, lang) for bound in (value.low, value.high)]
    return Printed(text, bounds, " ".join(marks(Cell(value, beside))), BEST in beside)


def _lines(column: Column, cells: Sequence[Printed], lang: str) -> list[str]:
    """The head of a column, in several lines where it is wider than what stands below it."""
    size = SIZES[0]
    return lines_of(
        heading(column, lang), max((sum(cell.widths(size)) for cell in cells), default=0.0) / size.letters
    )


def _alignment(column: Column, wide: bool) -> str:
    """Numbers stand to the right, so that their digits are one below the other; what is beside them, to the left."""
    return ("r" if right_aligned(column) else "l") + ("@{}l" if wide else "")


def _head(lines: Sequence[str], column: Column, wide: bool) -> str:
    side = "l" if not right_aligned(column) else "c" if wide else "r"
    text = escaped(lines[0])
    if len(lines) > 1:
        text = rf"\shortstack[{side}]{{" + r" \\ ".join(map(escaped, lines)) + "}"
    return rf"\multicolumn{{2}}{{{side}}}{{{text}}}" if wide else text


def _cell(cell: Printed, wide: bool) -> str:
    text = re.sub(r"^-(?=\d)", "$-$", escaped(cell.text))
    if cell.best:
        text = rf"\textbf{{{text}}}"
    if not wide:
        return text
    beside = ""
    if cell.bounds:
        low, high = (bound.replace(",", "{,}") for bound in cell.bounds)
        beside = f"$_{{{low}}}^{{{high}}}$"
    return f"{text} & {beside}" + (rf"\,{escaped(cell.marks)}" if cell.marks else "")


def _sentence(line: Message, lang: str) -> str:
    """With a capital, unless it begins with a name, or with a letter that stands for itself, as p or c-f."""
    text = printable(line.text(lang))
    first = text.split(" ")[0].rstrip(":,")
    named = line.key and line.english.startswith("{")
    if not named and first.isalpha() and (len(first) > 1 or first == "a"):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _line(cells: Iterable[str]) -> str:
    return "  " + " & ".join(cells) + r" \\"


PRINTER = Printer(("tex",), write)
