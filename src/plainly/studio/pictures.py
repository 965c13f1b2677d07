"""Charts as SVG pictures, in the colours of the studio, light or dark as the reader's browser wants it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from plainly.base.errors import MissingResource
from plainly.report.assets import stylesheet
from plainly.studio.kinds.base import Json

NARROW = 480
_FONT = "Arial, Liberation Sans, Helvetica, sans-serif"
"""Fonts of the same widths: labels are measured here, and drawn by the reader's browser."""
MOST_SPOTS = 300
"""More points lie on each other."""
ROOM = 6
"""The part of the longest label that is free beside it, for readers who have none of these fonts: one in so many."""
_VARIABLES = re.compile(r"(--[\w-]+): (#\w+);")


def draw(spec: Json, width: int) -> str:
    """The picture of a Vega-Lite specification, that many pixels wide.

    Several views in one picture have sizes of their own: it is as wide as they are, and the page makes it smaller.
    """
    frame = _frame(width)
    fitted = {"config": frame["config"]} if "vconcat" in spec else frame
    return _drawn(json.dumps({**spec, **fitted}, allow_nan=False), width)


def spots(spec: Json, width: int) -> list[dict[str, Any]]:
    """Where the points of a chart are that tell the wording of a text: parts of its width and height, from 0 to 1.

    A picture on a page answers no pointer, so the page lays these over it.
    """
    rows = spec.get("data", {}).get("values", ())
    if not 0 < len(rows) <= MOST_SPOTS or "wording" not in rows[0]:
        return []
    import vl_convert

    found = vl_convert.vegalite_to_scenegraph(json.dumps({**spec, **_frame(width)}, allow_nan=False))
    left, top = found["origin"]
    points = list(_points(found["scenegraph"], left, top))
    if len(points) != len(rows):
        return []
    return [
        {"x": x / found["width"], "y": y / found["height"], "words": f"{row['text']}: {row['wording']}"}
        for (x, y), row in zip(points, rows, strict=True)
    ]


def _points(mark: Json, left: float, top: float) -> Iterator[tuple[float, float]]:
    """The points of a drawing, in the order of its rows."""
    for item in mark.get("items", ()):
        x, y = left + (item.get("x") or 0), top + (item.get("y") or 0)
        if mark.get("marktype") == "symbol" and mark.get("role") == "mark":
            yield x, y
        for inner in item.get("items", ()):
            yield from _points(inner, x, y)


@cache
def style() -> str:
    """The style sheet within each picture: what the names of colours stand for."""
    light, _, rest = stylesheet().partition("@media screen and (prefers-color-scheme: dark)")
    dark = rest.partition("}\n}")[0]
    sets = [" ".join(f"{name}: {color};" for name, color in _VARIABLES.findall(part)) for part in (light, dark)]
    return f":root {{ {sets[0]} }} @media (prefers-color-scheme: dark) {{ :root {{ {sets[1]} }} }}"


@lru_cache(maxsize=64)
def _drawn(spec: str, width: int) -> str:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingResource("pictures need vl-convert-python; run: pip install 'plainly[studio]'") from error
    svg: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    head, bracket, body = svg.partition(">")
    return f"{head}{bracket}<style>{style()}</style>{body}"


def _frame(width: int) -> dict[str, object]:
    """How the picture fits its place; the same look as in reports."""
    text = {
        "labelColor": "var(--ink)",
        "titleColor": "var(--muted)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    axis = {**text, "gridColor": "var(--grid)", "domainColor": "var(--rule)", "tickColor": "var(--rule)"}
    narrow = width < NARROW
    longest = 104 if narrow else 190
    return {
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": {
            "aria": False,
            "background": "transparent",
            "font": _FONT,
            "padding": {"left": longest // ROOM, "right": 10, "top": 4, "bottom": 4},
            "view": {"stroke": None},
            "axis": {**axis, "labelLimit": longest, "tickCount": 5},
            "axisX": {"labelFlush": True},
            "legend": {**text, "orient": "top", "symbolSize": 70, "columns": 2 if narrow else 0},
            "text": {"font": _FONT},
        },
    }
