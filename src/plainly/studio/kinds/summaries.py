"""What a study found, as the dashboard shows it: the one way from findings to a summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainly.findings import Cell, Findings, Message, Table
from plainly.findings.printing import heading, seen
from plainly.findings.shape import Value
from plainly.inference.estimates import Estimate, finite
from plainly.studio.kinds.base import Grid, Picture, Summary


def summary_of(findings: Findings, lang: str) -> Summary:
    """Tables, charts, verdict, notes and signatures in the reader's language; numbers stay numbers."""
    return Summary(
        tables=tuple(grid_of(table, lang) for table in findings.tables if table.rows),
        pictures=tuple(
            Picture(chart.name, chart.question.text(lang), chart.words.text(lang), chart.spec)
            for chart in findings.charts
        ),
        message=tuple(sentence.text(lang) for sentence in findings.verdict),
        notes=tuple(note.message.text(lang) for note in findings.notes),
        signatures=tuple(findings.signatures),
    )


def grid_of(table: Table, lang: str) -> Grid:
    """One table; an estimate is one cell with its value and bounds."""
    columns, rows = seen(table)
    return Grid(
        table.question.text(lang),
        tuple(heading(column, lang) for column in columns),
        tuple(tuple(_cell(value, lang) for value in row) for row in rows),
        "; ".join(line.text(lang) for line in table.legend),
        tuple(column.digits if column.kind in ("number", "estimate") else None for column in columns),
    )


def _cell(cell: Cell | Value, lang: str) -> str | float | Mapping[str, Any] | None:
    value = cell.value if isinstance(cell, Cell) else cell
    if isinstance(value, Message):
        return value.text(lang)
    if isinstance(value, Estimate):
        return value.to_dict()
    if isinstance(value, float):
        return finite(value)
    if value is None or isinstance(value, (str, int)):
        return value
    return ", ".join(value)
