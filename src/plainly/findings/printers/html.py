"""HTML: a page of its own; `fragment` is the same without the frame, for reports, the studio and notebooks."""

from __future__ import annotations

from html import escape

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

_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}caption{text-align:left;font-weight:600}"
    "th,td{padding:.25rem .75rem;border-bottom:1px solid #8888;text-align:left}.number{text-align:right}"
)


def write(findings: Findings, lang: str) -> str:
    title = findings.tables[0].question.text(lang) if findings.tables else "plainly"
    return page(title, fragment(findings, lang), lang)


def page(title: str, body: str, lang: str = "en") -> str:
    """The frame: a page with these fragments."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="{lang}">\n<head>{head}</head>\n<body>\n{body}</body>\n</html>\n'


def fragment(findings: Findings, lang: str = "en") -> str:
    """The tables, with what stands below them. A page has no terminal beside it, so that all notes are on it."""
    below = "<br>".join(escape(line) for line in lines_below(findings, lang, asides=True))
    above = "".join(f"<p>{escape(line)}</p>\n" for line in lines_above(findings, lang))
    return above + "".join(table_html(table, lang) for table in told(findings)) + f"<p><small>{below}</small></p>\n"


def table_html(table: Table, lang: str = "en") -> str:
    """One table under its question."""
    columns, rows = seen(table)
    classes = [' class="number"' if right_aligned(column) else "" for column in columns]
    heads = "".join(
        f'<th scope="col"{kind}>{escape(heading(column, lang))}</th>'
        for column, kind in zip(columns, classes, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{_cell(cell, column, lang)}</td>"
            for cell, column, kind in zip(row, columns, classes, strict=True)
        )
        + "</tr>\n"
        for row in rows
    )
    legend = "".join(f"<p><small>{escape(line.text(lang))}</small></p>\n" for line in table.legend)
    caption = escape(table.question.text(lang))
    return (
        f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>\n{body}</tbody></table>\n{legend}"
    )


def _cell(cell: Cell | Value, column: Column, lang: str) -> str:
    text = escape(shown(cell, column, lang))
    return f"<strong>{text}</strong>" if isinstance(cell, Cell) and BEST in cell.marks else text


PRINTER = Printer(("html", "htm"), write)
