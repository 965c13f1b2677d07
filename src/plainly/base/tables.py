"""Tables for people and programs: the same rows as aligned text, CSV, Markdown or LaTeX."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from plainly.base.errors import PlainlyError
from plainly.base.records import as_text, write_csv

FORMS = ("table", "json", "csv", "tsv", "markdown", "latex", "html")
Cell = str | float | int | None


def render(
    headers: Sequence[str], rows: Sequence[Sequence[Cell]], form: str, decimals: int | Sequence[int] = 2
) -> str:
    """The table in one of the formats table, csv, markdown, latex, ending in a line feed.

    `decimals` says how many digits numbers have after the point, in all columns or in each.
    """
    if form not in FORMS:
        raise PlainlyError(f"this cannot be printed as {form}; use one of {', '.join(FORMS)}")
    if form == "csv":
        return _csv(headers, rows)
    places = [decimals] * len(headers) if isinstance(decimals, int) else decimals
    texts = [[shown(cell, digits) for cell, digits in zip(row, places, strict=True)] for row in rows]
    numeric = [
        any(isinstance(row[i], (int, float)) for row in rows)
        and all(row[i] is None or isinstance(row[i], (int, float)) for row in rows)
        for i in range(len(headers))
    ]
    if form == "markdown":
        return _markdown(headers, texts, numeric)
    if form == "latex":
        return _latex(headers, texts, numeric)
    return _aligned(headers, texts, numeric)


def with_lines(table: str, lines: Sequence[str], form: str) -> str:
    """The table with lines below that explain it: in LaTeX as comments, in CSV not at all."""
    if form == "csv":
        return table
    if form == "latex":
        return table + "".join(f"% {line}\n" for line in lines)
    if form == "markdown":
        return table + "\n" + "".join(f"- {line}\n" for line in _code(lines))
    return table + "\n" + "".join(f"{line}\n" for line in lines)


def shown(cell: Cell, decimals: int) -> str:
    """A cell as people read it; a dash where there is no value."""
    if cell is None or cell != cell:  # NaN is not equal to itself
        return "-"
    if isinstance(cell, float):
        return f"{cell:.{decimals}f}"
    # Names come from data: no control character may reach a terminal.
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(cell))


def _code(lines: Sequence[str]) -> list[str]:
    """Signatures hold bars, which Markdown would take for a table."""
    return [f"`{line}`" if "|" in line else line for line in lines]


def _csv(headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    cells = [["" if cell is None or cell != cell else cell for cell in row] for row in rows]
    return as_text(lambda out: write_csv(headers, cells, out))


def _aligned(headers: Sequence[str], rows: list[list[str]], numeric: list[bool]) -> str:
    widths = [max(map(_width, column)) for column in zip(headers, *rows, strict=True)]
    lines = [list(headers), *rows]
    out = []
    for line in lines:
        cells = []
        for text, width, right in zip(line, widths, numeric, strict=True):
            pad = " " * (width - _width(text))
            cells.append(pad + text if right else text + pad)
        out.append("  ".join(cells).rstrip())
    out.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(out) + "\n"


def _width(text: str) -> int:
    """Columns on a terminal: wide East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _markdown(headers: Sequence[str], rows: list[list[str]], numeric: list[bool]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    rule = "|" + "|".join(" ---: " if right else " --- " for right in numeric) + "|"
    return "\n".join([line(headers), rule, *(line(row) for row in rows)]) + "\n"


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


def _latex(headers: Sequence[str], rows: list[list[str]], numeric: list[bool]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "  " + " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"

    columns = "".join("r" if right else "l" for right in numeric)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"  \toprule",
            line(headers),
            r"  \midrule",
            *(line(row) for row in rows),
            r"  \bottomrule",
            r"\end{tabular}",
            "",
        ]
    )
