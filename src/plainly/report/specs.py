"""Vega-Lite charts as plain dictionaries. Each draws rows that the page hands it under the name `rows`.

Colours are names of CSS variables, so the stylesheet alone decides on light, dark and print. A mark is never told
apart by colour alone: shapes, dashes or words go with it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plainly.findings import SERIES
from plainly.report.labels import shortened

Spec = dict[str, Any]

SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"]
DASHES = ((1, 0), (6, 3), (2, 3), (8, 3, 2, 3))
ROW = 26  # pixels for a system
DENSE = 14  # for one of many
TALL = 360  # pixels that a chart of many systems should not pass
BESIDE = 140  # pixels for a name beside a row
WORDS = 180  # for the words of an operation


@dataclass(frozen=True)
class LineStyle:
    """How one of many lines is told from the others: by colour, dashes and the shape of its points."""

    color: str
    dash: tuple[int, ...]
    shape: str


REWARDS = {
    "rewarded": LineStyle("var(--series-3)", (), "triangle-up"),
    "punished": LineStyle("var(--series-2)", (), "triangle-down"),
    "not sure": LineStyle("var(--muted)", (), "circle"),
}
"""What a metric does with an operation."""


def intervals(
    systems: Sequence[str],
    title: str,
    where: dict[str, Any],
    row: str = "system",
    styles: Mapping[str, LineStyle] | None = None,
    ends: tuple[float, float] | None = None,
    apart: int = 0,
    beside: int = BESIDE,
    lines: bool = True,
    told: Sequence[str] = (),
) -> Spec:
    """A point and its interval a row. Columns: system (or `row`), kind, score, low, high.

    Where no row has an interval, there are no `lines` to draw.

    The axis goes as far as the numbers do, or from one of `ends` to the other. The last systems may stand `apart`.
    Names have `beside` pixels. Who points at a row is told the columns `told`, too.

    A kind is `system` or `baseline`, or one of `styles`, where these are given; the page shows their legend.
    """
    looks = styles or {
        "system": LineStyle("var(--accent)", (), "circle"),
        "baseline": LineStyle("var(--muted)", (), "diamond"),
    }
    kind = {"field": "kind", "type": "nominal", "legend": None}
    color = {**kind, "scale": {"domain": list(looks), "range": [style.color for style in looks.values()]}}
    shape = {**kind, "scale": {"domain": list(looks), "range": [style.shape for style in looks.values()]}}
    scale: Spec = {"zero": False, "padding": 8}
    if ends:
        scale = {"domain": list(ends), "nice": False, "clamp": True}
    x = {"field": "score", "type": "quantitative", "title": title, "scale": scale}
    y = {**named_rows(systems, beside=beside), "field": row}
    if 0 < apart < len(systems):
        y["scale"] = {"domain": [*systems[:-apart], "", *systems[-apart:]]}
    line = {
        "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
        "mark": {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round"},
        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
    }
    point = {
        "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
        "encoding": {"x": x, "shape": shape},
    }
    encoding = {"y": y, "color": color, "tooltip": tooltip(row, "score", "low", "high", *told)}
    body = {"encoding": encoding, "layer": [line, point] if lines else [point]}
    return single(where, body, len(systems) + (apart > 0), shortened(systems, beside))


def dots(systems: Sequence[str], title: str, series: str, values: Sequence[str], where: dict[str, Any]) -> Spec:
    """Several points a system, told apart by colour and shape. Columns: system, `series`, score."""
    domain = list(values)
    named = {"field": series, "type": "nominal", "title": None, "sort": domain}
    color = {**named, "scale": {"domain": domain, "range": SERIES[: len(domain)]}}
    shape = {**named, "scale": {"domain": domain, "range": SHAPES[: len(domain)]}}
    x = {"field": "score", "type": "quantitative", "title": title, "scale": {"padding": 9, "nice": False}}
    return single(
        where,
        {
            "encoding": {"y": named_rows(systems), "x": x, "tooltip": tooltip("system", series, "score")},
            "layer": [
                {
                    "mark": {"type": "line", "stroke": "var(--rule)", "strokeWidth": 1.5},
                    "encoding": {"detail": {"field": "system"}, "order": {"field": "score"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 75, "opacity": 1},
                    "encoding": {"color": color, "shape": shape},
                },
            ],
        },
        len(systems),
        shortened(systems, BESIDE),
    )


def ridges(systems: Sequence[str], title: str) -> Spec:
    """One small histogram a system, its tallest bar as high as the row. Columns: system, from, to, share, mean."""
    names, short = json.dumps(list(systems)), shortened(systems, BESIDE)
    labels = json.dumps([short.get(system, system) for system in systems])
    axis = {
        "values": [-i for i in range(len(systems))],
        "tickCount": len(systems),
        "labelExpr": f"{labels}[-datum.value]",
        "labelOverlap": False,
        "labelBaseline": "bottom",
        "title": None,
        "grid": True,
        "ticks": False,
        "domain": False,
    }
    scale = {"domain": [-len(systems) + 1, 1], "nice": False, "zero": False}
    x = {"type": "quantitative", "title": title, "scale": {"zero": False, "nice": True}}
    base = f"-indexof({names}, datum.system)"
    return {
        "data": {"name": "rows"},
        **in_full(short),
        "transform": [
            {"calculate": base, "as": "base"},
            {"joinaggregate": [{"op": "max", "field": "share", "as": "tallest"}], "groupby": ["system"]},
            {"calculate": f"{base} + 0.84 * datum.share / max(datum.tallest, 1e-9)", "as": "top"},
            {"calculate": f"{base} + 0.9", "as": "above"},
        ],
        "height": max(60, 36 * len(systems)),
        "layer": [
            {
                "transform": [{"filter": "datum.share > 0"}],
                "mark": {"type": "rect", "fill": "var(--bar)", "stroke": "var(--accent)", "strokeWidth": 0.5},
                "encoding": {
                    "x": {**x, "field": "from"},
                    "x2": {"field": "to"},
                    "y": {"field": "base", "type": "quantitative", "scale": scale, "axis": axis},
                    "y2": {"field": "top"},
                    "tooltip": tooltip("system", "from", "to", "segments"),
                },
            },
            {
                "transform": [
                    {
                        "aggregate": [{"op": "min", "field": "mean", "as": "mean"}],
                        "groupby": ["system", "base", "above"],
                    },
                    {"filter": "isValid(datum.mean)"},
                ],
                "mark": {"type": "rule", "stroke": "var(--ink)", "strokeWidth": 2, "strokeDash": [3, 2]},
                "encoding": {
                    "x": {**x, "field": "mean"},
                    "y": {"field": "base", "type": "quantitative", "scale": scale, "axis": axis},
                    "y2": {"field": "above"},
                    "tooltip": tooltip("system", "mean"),
                },
            },
        ],
    }


def ladder(title: str, score: str) -> Spec:
    """Texts in rising order, each with its interval. Columns: place, score, low, high, text, wording."""
    scale = {"zero": False, "nice": False, "padding": 6}
    x = {"field": "place", "type": "quantitative", "title": title, "scale": scale}
    y = {"field": "score", "type": "quantitative", "title": score, "scale": {"zero": False}}
    body = {
        "encoding": {"x": x, "tooltip": tooltip("text", "place", "score", "low", "high", "wording")},
        "layer": [
            {
                "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
                "mark": {"type": "rule", "stroke": "var(--bar)", "strokeWidth": 2},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": {"type": "point", "filled": True, "size": 30, "fill": "var(--accent)"}, "encoding": {"y": y}},
        ],
    }
    return single({}, body, 12)


def correlations(operations: Sequence[str], title: str, where: dict[str, Any], verdicts: Collection[str]) -> Spec:
    """A point and its interval an operation. Columns: operation, verdict, correlation, low, high."""
    looks = {verdict: look for verdict, look in REWARDS.items() if verdict in verdicts}
    kind = {"field": "verdict", "type": "nominal", "title": None}
    color = {**kind, "scale": {"domain": list(looks), "range": [look.color for look in looks.values()]}}
    shape = {**kind, "scale": {"domain": list(looks), "range": [look.shape for look in looks.values()]}}
    x = {"field": "correlation", "type": "quantitative", "title": title, "scale": {"padding": 8}}
    y = {**named_rows(operations, beside=WORDS), "field": "operation"}
    body = {
        "encoding": {"y": y, "tooltip": tooltip("operation", "verdict", "correlation", "low", "high", "pairs")},
        "layer": [
            {
                "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": color},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {"x": x, "color": color, "shape": shape},
            },
        ],
    }
    return single(where, body, len(operations), shortened(operations, WORDS))


def line_styles(count: int) -> list[LineStyle]:
    """Colours begin anew after seven, with other dashes and other shapes."""
    return [
        LineStyle(
            SERIES[i % len(SERIES)],
            DASHES[i // len(SERIES) % len(DASHES)],
            SHAPES[(i + i // len(SERIES)) % len(SHAPES)],
        )
        for i in range(count)
    ]


def curves(series: Sequence[str], title: str, where: dict[str, Any]) -> Spec:
    """A line and a band a series. Columns: edit, strength, mean, low, high, sd. The page shows the legend."""
    styles = line_styles(len(series))
    named = {"field": "edit", "type": "nominal", "legend": None}
    color = {**named, "scale": {"domain": list(series), "range": [style.color for style in styles]}}
    dash = {**named, "scale": {"domain": list(series), "range": [list(style.dash) for style in styles]}}
    shape = {**named, "scale": {"domain": list(series), "range": [style.shape for style in styles]}}
    x = {"field": "strength", "type": "quantitative", "title": "% of the outputs edited"}
    y = {"field": "mean", "type": "quantitative", "title": title, "scale": {"zero": False}}
    band = {"y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": color}
    shown = tooltip("edit", "strength", "mean", "low", "high", "sd")
    body = {
        "encoding": {"x": x},
        "layer": [
            {"mark": {"type": "area", "opacity": 0.18}, "encoding": band},
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"y": y, "color": color, "strokeDash": dash}},
            {
                "mark": {"type": "point", "filled": True, "size": 45, "opacity": 1},
                "encoding": {"y": y, "color": color, "shape": shape, "tooltip": shown},
            },
        ],
    }
    return single(where, body, 9)


def growth(series: Sequence[str]) -> Spec:
    """Lines that flatten, with bands, beside effort that grows. Columns: raters, pairs, rho, low, high, minutes."""
    styles = line_styles(len(series))
    named = {"field": "raters", "type": "nominal", "legend": None}
    color = {**named, "scale": {"domain": list(series), "range": [style.color for style in styles]}}
    shape = {**named, "scale": {"domain": list(series), "range": [style.shape for style in styles]}}
    x = {"field": "pairs", "type": "quantitative", "title": "pairs judged"}
    y = {"field": "rho", "type": "quantitative", "title": "rank correlation with the truth"}
    effort = {"field": "minutes", "type": "quantitative", "title": "minutes a rater (dashed)"}
    body = {
        "encoding": {"x": x},
        "resolve": {"scale": {"y": "independent"}},
        "layer": [
            {
                "layer": [
                    {
                        "mark": {"type": "area", "opacity": 0.15},
                        "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": color},
                    },
                    {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"y": y, "color": color}},
                    {
                        "mark": {"type": "point", "filled": True, "size": 45, "opacity": 1},
                        "encoding": {
                            "y": y,
                            "color": color,
                            "shape": shape,
                            "tooltip": tooltip("raters", "pairs", "rho", "low", "high", "minutes"),
                        },
                    },
                ]
            },
            {
                "mark": {"type": "line", "strokeDash": [6, 4], "color": "var(--ink)", "strokeWidth": 1.5},
                "encoding": {"y": {**effort, "aggregate": "mean", "axis": {"grid": False}}},
            },
        ],
    }
    return single({}, body, 12)


def scatter(axes: tuple[str, str], series: Sequence[str], legend: bool = True) -> Spec:
    """A point a row, told apart by colour and shape. Columns: x, y, series, name. Or the page shows the legend."""
    styles = line_styles(len(series))
    named: Spec = {"field": "series", "type": "nominal", "title": None, "sort": list(series)}
    if not legend:
        named["legend"] = None
    color = {**named, "scale": {"domain": list(series), "range": [style.color for style in styles]}}
    shape = {**named, "scale": {"domain": list(series), "range": [style.shape for style in styles]}}
    x, y = (
        {"field": field, "type": "quantitative", "title": title, "scale": {"zero": False, "padding": 9}}
        for field, title in zip("xy", axes, strict=True)
    )
    body = {
        "mark": {"type": "point", "filled": True, "size": 60},
        "encoding": {"x": x, "y": y, "color": color, "shape": shape, "tooltip": tooltip("name", "series", "x", "y")},
    }
    return single({}, body, rows=12)


def single(where: dict[str, Any], body: Spec, rows: int, *short: Mapping[str, str]) -> Spec:
    """A picture of some of the rows. `short` are names of its axes that had to be shortened."""
    conditions = [{"filter": {"field": field, "equal": value}} for field, value in where.items()]
    return {"data": {"name": "rows"}, **in_full(*short), "transform": conditions, "height": _height(rows), **body}


def in_full(*short: Mapping[str, str]) -> Spec:
    """Where the page finds what a shortened label stands for."""
    names = {label: name for labels in short for name, label in labels.items()}
    return {"usermeta": {"names": names}} if names else {}


def _height(rows: int) -> int:
    """Many rows stand closer together."""
    return max(2 * ROW, rows * min(ROW, max(DENSE, TALL // max(rows, 1))))


def named_rows(systems: Sequence[str], grid: bool = True, beside: int = BESIDE) -> Spec:
    """An axis of names, one a row, in this order; long ones are shortened."""
    axis: Spec = {"title": None, "grid": grid, "ticks": False, "domain": False, "labelOverlap": False}
    axis |= {"labelLimit": 1.3 * beside, **labelled(shortened(systems, beside))}  # fonts differ
    return {"field": "system", "type": "nominal", "sort": list(systems), "axis": axis}


def labelled(labels: Mapping[str, str]) -> Spec:
    """What an axis says in place of some names."""
    return {"labelExpr": f"{json.dumps(labels)}[datum.label] || datum.label"} if labels else {}


def tooltip(*fields: str) -> list[Spec]:
    """What is said where one points."""
    return [{"field": field} for field in fields]
