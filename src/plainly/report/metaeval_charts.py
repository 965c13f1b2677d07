"""The charts of a meta-evaluation: how sure each agreement is, and what it looks like."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainly.inference.correlation import Coefficient
from plainly.metaeval import Row, Study, Table
from plainly.metaeval.collection import Points
from plainly.report import specs
from plainly.report.charts import Chart, Panel, Value
from plainly.report.words import number, plural

LOOKS = {
    "best": specs.LineStyle("var(--series-1)", (), "diamond"),
    "tied with the best": specs.LineStyle("var(--series-3)", (), "square"),
    "within noise of the best": specs.LineStyle("var(--series-4)", (), "triangle-up"),
    "behind": specs.LineStyle("var(--muted)", (), "circle"),
    "no direction": specs.LineStyle("var(--series-5)", (), "cross"),
}
LABEL = 190  # pixels for the name of a metric
NAMES = {"pearson": "Pearson’s r", "spearman": "Spearman’s rho", "kendall": "Kendall’s tau-b"}


def standing(row: Row) -> str:
    """Which of `LOOKS` a metric has."""
    if not row.standing.takes_part:
        return "no direction" if not row.orientation else "behind"
    if row.standing.best:
        return "best"
    if row.tied:
        return "tied with the best"
    return "within noise of the best" if row.standing.within_noise else "behind"


def forest(found: Study, name: str) -> Chart | None:
    """The coefficient of every metric with its interval, one panel a dimension, the best metric on top."""
    rows: list[list[Value]] = []
    panels = []
    for table in found.chosen("segment", ""):
        ranked = best_first(table, found.coefficient)
        if not ranked:
            continue
        for row in ranked:
            value = row.agreement.coefficient(found.coefficient)
            ends = [value.estimate.low, value.estimate.high]
            rows.append([table.dimension, row.contender, standing(row), value.value, *ends])
        told = "; ".join(
            f"{row.contender} {number(row.agreement.coefficient(found.coefficient).value, 2)}" for row in ranked
        )
        alt = f"{NAMES[found.coefficient]} of each metric with {table.dimension}: {told}.{_ceiling_words(table)}"
        panels.append(Panel(table.dimension, alt, _forest_spec(table, [row.contender for row in ranked], found)))
    if not panels:
        return None
    note = (
        f"Lines are {found.resampling.confidence:.0%} intervals. The best metric in its own direction stands on top. "
        "Dashed lines: how far a rater agrees with the mean of the others."
    )
    columns = ("dimension", "metric", "kind", "score", "low", "high")
    shown = {kind: style for kind, style in LOOKS.items() if any(row[2] == kind for row in rows)}
    return Chart(name, "How sure is each agreement?", "", note, columns, rows, panels, shown)


def best_first(table: Table, coefficient: Coefficient) -> list[Row]:
    """Metrics that have a coefficient, by how well they agree in their own direction; without one, at the end."""
    known = [row for row in table.rows if math.isfinite(row.agreement.coefficient(coefficient).value)]
    return sorted(
        known, key=lambda row: (not row.orientation, -row.orientation * row.agreement.coefficient(coefficient).value)
    )


def _ceiling_words(table: Table) -> str:
    ceiling = table.ceiling.with_others.value
    return f" A rater with the mean of the others: {number(ceiling, 2)}." if math.isfinite(ceiling) else ""


def _forest_spec(table: Table, order: Sequence[str], found: Study) -> specs.Spec:
    spec = specs.intervals(
        order, NAMES[found.coefficient], {"dimension": table.dimension}, "metric", LOOKS, beside=LABEL
    )
    layers = [{"mark": {"type": "rule", "stroke": "var(--ink)"}, "encoding": {"x": {"datum": 0}, "y": None}}]
    ceiling = table.ceiling.with_others.value
    if math.isfinite(ceiling):
        dashed = {"type": "rule", "stroke": "var(--ink)", "strokeDash": [5, 4]}
        signs = {row.orientation for row in table.rows if row.orientation}
        layers += [{"mark": dashed, "encoding": {"x": {"datum": sign * ceiling}, "y": None}} for sign in signs]
    return {**spec, "layer": [*layers, *spec["layer"]]}


def scatter(found: Study, drawn: Sequence[Points], name: str) -> Chart | None:
    """Every output as a point: what a metric gives it, what people gave it, and the line that fits best."""
    rows: list[list[Value]] = []
    panels = []
    for one in drawn:
        if len(one.people) < 3:
            continue
        label = f"{one.dimension}: {one.contender}"
        places = zip(one.scores.tolist(), one.people.tolist(), one.systems, one.segments, strict=True)
        rows += [[label, score, people, system, segment] for score, people, system, segment in places]
        r = next(
            row.agreement.pearson.value
            for table in found.chosen("segment", "")
            if table.dimension == one.dimension
            for row in table.rows
            if row.contender == one.contender
        )
        alt = (
            f"{plural(len(one.people), 'output')} by {one.contender} and {one.dimension}, with a fitted line; "
            f"Pearson’s r is {number(r, 2)}."
        )
        panels.append(Panel(label, alt, _scatter_spec(one.contender, one.dimension, label)))
    if not panels:
        return None
    note = "Each point is an output. The line is the straight line that fits best (least squares)."
    columns = ("panel", "metric", "people", "system", "segment")
    return Chart(name, "What does agreement look like?", "", note, columns, rows, panels)


def _scatter_spec(metric: str, dimension: str, label: str) -> specs.Spec:
    x, y = (
        {"field": field, "type": "quantitative", "title": title, "scale": {"zero": False, "padding": 6}}
        for field, title in (("metric", metric), ("people", dimension))
    )
    tooltip = [{"field": field} for field in ("system", "segment", "metric", "people")]
    point = {"type": "point", "filled": True, "size": 22, "color": "var(--accent)", "opacity": 0.45}
    line = {"type": "line", "color": "var(--series-2)", "strokeWidth": 2.5}
    return {
        "data": {"name": "rows"},
        "transform": [{"filter": {"field": "panel", "equal": label}}],
        "height": 240,
        "layer": [
            {"mark": point, "encoding": {"x": x, "y": y, "tooltip": tooltip}},
            {
                "transform": [{"regression": "people", "on": "metric"}],
                "mark": line,
                "encoding": {"x": x, "y": y},
            },
        ],
    }
