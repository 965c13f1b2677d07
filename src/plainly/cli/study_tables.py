"""Several tables of one study, printed together or one alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plainly.base.tables import Cell, render, with_lines
from plainly.inference.estimates import Estimate


@dataclass(frozen=True)
class Table:
    """What `plainly.base.tables.render` takes, and what the table is about."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    decimals: int | Sequence[int] = 1


def estimate_cells(estimate: Estimate) -> list[Cell]:
    return [estimate.value, estimate.low, estimate.high]


def p_cell(p: float | None, form: str) -> Cell:
    """A p-value as people read it; CSV has all of its digits."""
    return p if p is None or p != p or form == "csv" else f"{p:.2g}"


def printed(tables: Mapping[str, Table], chosen: str | None, form: str, lines: Sequence[str]) -> str:
    """The chosen table, or all of them under their titles; `lines` below explain them."""
    texts = {name: render(table.headers, table.rows, form, table.decimals) for name, table in tables.items()}
    if chosen:
        return with_lines(texts[chosen], lines, form)
    title = {"markdown": "## {}\n\n", "latex": "% {}\n"}.get(form, "{}\n\n")
    parts = [title.format(tables[name].title) + text for name, text in texts.items()]
    return with_lines("\n".join(parts), lines, form)
