"""Tables in colour, as Vega-Lite charts: a cell a row and column, with a number or a mark in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainly.report.labels import shortened
from plainly.report.specs import BESIDE, WORDS, Spec, in_full, labelled, named_rows, single, tooltip

ABOVE = 120  # pixels for a name above a column
FONT: Spec = {"fontSize": 12}


@dataclass(frozen=True)
class Columns:
    """A column a value of the field, under a title; each has a name that may be turned, and `room` pixels for it."""

    field: str
    values: Sequence[str]
    title: str | None = None
    angle: int = 0
    room: int = ABOVE

    def axis(self) -> Spec:
        look: Spec = {"title": self.title, "orient": "top", "labelAngle": self.angle, "ticks": False, "domain": False}
        look |= {"labelLimit": 1.3 * self.room, "labelOverlap": False, "labelFlush": False}
        look |= labelled(self.short())
        return {"field": self.field, "type": "nominal", "sort": list(self.values), "axis": look}

    def short(self) -> dict[str, str]:
        return shortened(self.values, self.room)


def score_grid(
    systems: Sequence[str], title: str, groups: Sequence[str], where: dict[str, Any], decimals: int, best: str
) -> Spec:
    """The score of every system in every group. Columns: system, group, score, low, high."""
    return _grid(
        systems,
        Columns("group", groups, title),
        tooltip("system", "group", "score", "low", "high", "segments"),
        _tinted("score", {"range": [0.06, 0.5], "zero": False, "reverse": best == "lower"}),
        {"field": "score", "type": "quantitative", "format": f".{decimals}f"},
        where,
    )


def share_grid(systems: Sequence[str], operations: Sequence[str]) -> Spec:
    """How often every system does what. Columns: system, operation, percent, low, high, count."""
    spec = _grid(
        systems,
        Columns("operation", operations, angle=-45, room=WORDS),
        tooltip("system", "operation", "percent", "low", "high", "count", "pairs"),
        _tinted("percent", {"range": [0.0, 0.5], "domain": [0, 100]}),  # the same in all panels
        {"field": "percent", "type": "quantitative", "format": ".0f"},
        {},
    )
    return {**spec, "transform": [{"filter": {"field": "operation", "oneOf": list(operations)}}]}


def slice_grid(
    systems: Sequence[str],
    title: str,
    groups: Sequence[str],
    where: dict[str, Any],
    decimals: int,
    looks: Mapping[str, str],
) -> Spec:
    """Differences on slices. Columns: system, slice, verdict, difference, p. `looks` are the colours of verdicts."""
    return _grid(
        systems,
        Columns("slice", groups, title),
        tooltip("first", "second", "slice", "segments", "verdict", "difference", "low", "high", "corrected p"),
        _judged(looks),
        {"field": "difference", "type": "quantitative", "format": f"+.{decimals}f"},
        where,
    )


def difference_grid(
    systems: Sequence[str], where: dict[str, Any], letters: Mapping[str, str], looks: Mapping[str, str]
) -> Spec:
    """Row against column. Columns: row, column, verdict, mark, difference, p. `looks` are the colours of verdicts.

    Rows are named with the letters of their groups, which are never cut off.
    """
    columns = Columns("column", systems, angle=-60 if len(systems) > 3 else 0)
    spec = _grid(
        systems,
        columns,
        tooltip("row", "column", "verdict", "difference", "low", "high", "p", "corrected p"),
        _judged(looks),
        {"field": "mark"},
        where,
        {"fontSize": 13, "fontWeight": "bold"},
    )
    short = shortened(systems, BESIDE)
    named = {system: f"{short.get(system, system)}  {letters.get(system, '')}".rstrip() for system in systems}
    y = spec["encoding"]["y"]
    y = {**y, "field": "row", "axis": {**y["axis"], **labelled(named), "labelLimit": 0}}
    full = in_full({system: named[system] for system in short}, columns.short())
    return {**spec, **full, "encoding": {**spec["encoding"], "y": y}}


def _grid(
    rows: Sequence[str],
    columns: Columns,
    told: Sequence[Spec],
    cell: Spec,
    text: Spec,
    where: dict[str, Any],
    font: Spec = FONT,
) -> Spec:
    written = {
        "transform": [{"filter": f"isValid(datum['{text['field']}'])"}],
        "mark": {"type": "text", "fill": "var(--ink)", **font},
        "encoding": {"text": text},
    }
    axes = {"y": named_rows(rows, grid=False), "x": columns.axis()}
    body = {"encoding": {**axes, "tooltip": told}, "layer": [cell, written]}
    return single(where, body, len(rows), shortened(rows, BESIDE), columns.short())


def _tinted(field: str, scale: Spec) -> Spec:
    """Cells in a stronger colour where the number is higher."""
    tint = {"field": field, "type": "quantitative", "legend": None, "scale": scale}
    return {"mark": {"type": "rect", "fill": "var(--accent)"}, "encoding": {"fillOpacity": tint}}


def _judged(looks: Mapping[str, str]) -> Spec:
    """Cells in the colours of their verdicts."""
    scale = {"domain": list(looks), "range": list(looks.values())}
    fill = {"field": "verdict", "type": "nominal", "scale": scale, "legend": None}
    return {"mark": {"type": "rect", "stroke": "var(--paper)", "strokeWidth": 2}, "encoding": {"fill": fill}}
