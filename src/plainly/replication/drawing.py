"""The figures of a recipe as charts: lines, bars or boxes, drawn from the rows that were computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from plainly.findings import SERIES, Chart, message, plain
from plainly.replication.recipe import Picture
from plainly.replication.replicating import Line, Replicated

Spec = dict[str, Any]
PANEL = ": "
"""Between the panel and the line in the name of a row."""
SIZE = {"width": 260, "height": 180}
BOX = ("low", "q1", "median", "q3", "high")
"""The columns of boxes: both ends of the whiskers, the quartiles and the median."""


def chart_of(figure: Replicated) -> Chart:
    """The picture of a figure that was computed."""
    picture = figure.table.chart
    assert picture is not None  # a recipe has no figure without one
    values = [value for line in figure.lines for value in _values(line, picture)]
    spec = {"data": {"values": values}, **_panels(DRAWN[picture.kind](picture), picture)}
    words = message(
        "replication.figure", "{title}: {count} values", title=figure.table.title, count=len(figure.cells)
    )
    return Chart(f"figure-{figure.table.name}", plain(figure.table.title), words, spec)


def _values(line: Line, picture: Picture) -> Iterator[Mapping[str, Any]]:
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


def _panels(spec: Spec, picture: Picture) -> Spec:
    if not picture.panels:
        return {**spec, **SIZE}
    return {
        "facet": {"field": "panel", "type": "nominal", "title": None, "sort": None},
        "columns": 3,
        "spec": {**spec, **SIZE},
    }


def _lines(picture: Picture) -> Spec:
    across = {"field": "column", "type": "quantitative", "title": picture.x or None}
    up = {"field": "value", "type": "quantitative", "title": picture.y or None, "scale": {"zero": False}}
    whose: Spec = {
        "color": {"field": "row", "type": "nominal", "title": None, "sort": None, "scale": {"range": SERIES}},
        "strokeDash": {"field": "row", "type": "nominal", "title": None, "sort": None},
    }
    return {
        "layer": [
            {"mark": {"type": "line"}, "encoding": {"x": across, "y": up, **whose}},
            {
                "transform": [{"filter": "datum.low != null"}],
                "mark": {"type": "errorbar"},
                "encoding": {
                    "x": across,
                    "y": {**up, "field": "low"},
                    "y2": {"field": "high"},
                    "color": whose["color"],
                },
            },
            {
                "mark": {"type": "point", "filled": True},
                "encoding": {"x": across, "y": up, "color": whose["color"], "shape": whose["strokeDash"]},
            },
        ]
    }


def _bars(picture: Picture) -> Spec:
    across = {"field": "row", "type": "nominal", "title": picture.x or None, "sort": None}
    up = {"field": "value", "type": "quantitative", "title": picture.y or None}
    group = {"field": "column", "type": "nominal", "title": None, "sort": None}
    return {
        "layer": [
            {
                "mark": {"type": "bar"},
                "encoding": {
                    "x": across,
                    "y": up,
                    "xOffset": group,
                    "color": {**group, "scale": {"range": SERIES}},
                },
            },
            {
                "transform": [{"filter": "datum.low != null"}],
                "mark": {"type": "errorbar"},
                "encoding": {"x": across, "xOffset": group, "y": {**up, "field": "low"}, "y2": {"field": "high"}},
            },
        ]
    }


def _boxes(picture: Picture) -> Spec:
    across = {"field": "row", "type": "nominal", "title": picture.x or None, "sort": None}
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


DRAWN: Mapping[str, Callable[[Picture], Spec]] = {"lines": _lines, "bars": _bars, "boxes": _boxes}
"""What draws each kind of chart."""
