"""The figures of a recipe as charts: lines, bars or boxes, drawn from the rows that were computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from plainly.findings import SERIES, Chart, message, plain
from plainly.replication.recipe import Picture
from plainly.replication.replicating import Line, Replicated

Spec = dict[str, Any]
Value = Mapping[str, Any]
PANEL = ": "
"""Between the panel and the line in the name of a row."""
SIZE = {"width": 420, "height": 280}
OF_PANELS = {"width": 260, "height": 180}
LEGEND = {"labelLimit": 0}
PADDING = {"left": 5, "top": 5, "right": 40, "bottom": 5}
"""Fonts of the reader may be wider than those that the picture was measured with."""
BOX = ("low", "q1", "median", "q3", "high")
"""The columns of boxes: both ends of the whiskers, the quartiles and the median."""


def chart_of(figure: Replicated) -> Chart:
    """The picture of a figure that was computed."""
    picture = figure.table.chart
    assert picture is not None  # a recipe has no figure without one
    values = [value for line in figure.lines for value in _values(line, picture)]
    spec = {"data": {"values": values}, "padding": PADDING, **_panels(picture, values)}
    words = message(
        "replication.figure", "{title}: {count} values", title=figure.table.title, count=len(figure.cells)
    )
    return Chart(f"figure-{figure.table.name}", plain(figure.table.title), words, spec)


def _values(line: Line, picture: Picture) -> Iterator[Value]:
    panel, mark, name = line.row.name.partition(PANEL) if picture.panels else ("", "", line.row.name)
    place = {"panel": panel, "row": name if mark or not picture.panels else panel}
    if picture.kind == "boxes":
        yield {**place, **{title: cell.value for title, cell in line.cells.items()}}
        return
    for title, cell in line.cells.items():
        yield {**place, "column": _number(title), **cell.found.estimate.to_dict()}


def _number(title: str) -> float | str:
    try:
        return float(title)
    except ValueError:
        return title


def _each(values: Sequence[Value], field: str) -> list[str]:
    """What a field holds, in the order in which it comes."""
    return list(dict.fromkeys(value[field] for value in values))


def _panels(picture: Picture, values: Sequence[Value]) -> Spec:
    spec = DRAWN[picture.kind](picture, values)
    if not picture.panels:
        return {**spec, **SIZE}
    own_names = {"resolve": {"scale": {"x": "independent"}}} if picture.kind == "boxes" else {}
    return {
        "facet": {"field": "panel", "type": "nominal", "title": None, "sort": _each(values, "panel")},
        "columns": 3,
        "spec": {**spec, **OF_PANELS},
        **own_names,
    }


def _lines(picture: Picture, values: Sequence[Value]) -> Spec:
    names = _each(values, "row")
    numbers = all(isinstance(value["column"], float) for value in values)
    kind = {"type": "quantitative"} if numbers else {"type": "ordinal", "sort": None}
    across = {"field": "column", **kind, "title": picture.x or None, "axis": {"labelFlush": False}}
    up = {"field": "value", "type": "quantitative", "title": picture.y or None, "scale": {"zero": False}}
    # Legends become one where field, domain and labels are the same.
    whose = {"field": "row", "type": "nominal", "title": None, "legend": LEGEND}
    color = {**whose, "scale": {"domain": names, "range": SERIES}}
    other = {**whose, "scale": {"domain": names}}
    return {
        "layer": [
            {"mark": {"type": "line"}, "encoding": {"x": across, "y": up, "color": color, "strokeDash": other}},
            _whiskers({"x": across, "color": color}, up),
            {
                "mark": {"type": "point", "filled": True, "opacity": 1},
                "encoding": {"x": across, "y": up, "color": color, "shape": other},
            },
        ]
    }


def _whiskers(encoding: Spec, up: Spec) -> Spec:
    """Error bars, where values have intervals."""
    return {
        "transform": [{"filter": "datum.low != null"}],
        "mark": {"type": "errorbar", "ticks": {"size": 6}},
        "encoding": {**encoding, "y": {**up, "field": "low"}, "y2": {"field": "high"}},
    }


def _names(picture: Picture) -> Spec:
    """The rows side by side."""
    axis = {"labelAngle": -40, "labelLimit": 0}
    return {"field": "row", "type": "nominal", "title": picture.x or None, "sort": None, "axis": axis}


def _bars(picture: Picture, values: Sequence[Value]) -> Spec:
    across = _names(picture)
    up = {"field": "value", "type": "quantitative", "title": picture.y or None}
    group = {"field": "column", "type": "nominal", "title": None, "sort": None}
    color = {**group, "scale": {"range": SERIES}, "legend": LEGEND}
    return {
        "layer": [
            {"mark": {"type": "bar"}, "encoding": {"x": across, "y": up, "xOffset": group, "color": color}},
            _whiskers({"x": across, "xOffset": group}, up),
        ]
    }


def _boxes(picture: Picture, values: Sequence[Value]) -> Spec:
    across = _names(picture)
    low, first, middle, third, high = BOX

    def up(field: str) -> Spec:
        return {"field": field, "type": "quantitative", "title": picture.y or None, "scale": {"zero": False}}

    return {
        "layer": [
            {"mark": {"type": "rule"}, "encoding": {"x": across, "y": up(low), "y2": {"field": high}}},
            {
                "mark": {"type": "bar", "size": 24, "color": SERIES[0]},
                "encoding": {"x": across, "y": up(first), "y2": {"field": third}},
            },
            {
                "mark": {"type": "tick", "size": 24, "thickness": 2, "color": "black"},
                "encoding": {"x": across, "y": up(middle)},
            },
        ]
    }


DRAWN: Mapping[str, Callable[[Picture, Sequence[Value]], Spec]] = {"lines": _lines, "bars": _bars, "boxes": _boxes}
"""What draws each kind of chart."""
