"""LaTeX with the rules of booktabs; questions and what stands below are comments."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.findings.printing import Printer, heading, lines_below, printable, right_aligned, seen, shown, told
from plainly.findings.shape import Findings, Table

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
    }
)


def write(findings: Findings, lang: str) -> str:
    tables = told(findings)
    parts = [_table(table, len(tables) > 1, lang) for table in tables]
    return "\n".join(parts) + "".join(f"% {line}\n" for line in lines_below(findings, lang))


def _table(table: Table, titled: bool, lang: str) -> str:
    columns, rows = seen(table)
    lines = [
        *([f"% {printable(table.question.text(lang))}"] if titled else []),
        rf"\begin{{tabular}}{{{''.join('r' if right_aligned(column) else 'l' for column in columns)}}}",
        r"  \toprule",
        _line([heading(column, lang) for column in columns]),
        r"  \midrule",
        *(_line([shown(cell, column, lang) for cell, column in zip(row, columns, strict=True)]) for row in rows),
        r"  \bottomrule",
        r"\end{tabular}",
        *(f"% {printable(line.text(lang))}" for line in table.legend),
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "  " + " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"


PRINTER = Printer(("tex",), write)
