"""Charts as pictures of their own, for pages that run no script."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from plainly.base.errors import MissingResource
from plainly.report.assets import stylesheet
from plainly.report.charts import Chart
from plainly.report.specs import Spec

_PLACES = re.compile(r' (?:d|transform|points|x\d?|y\d?|width|height)="[^"]*"')
_DIGITS = re.compile(r"(\d\.\d\d)\d+")  # a hundredth of a pixel is enough; numbers that are read keep their digits
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def svg(spec: Spec) -> str:
    """A Vega-Lite chart that brings its data, drawn in the colours of the light page."""
    drawn: str = _library().vegalite_to_svg(_with_colors(json.dumps({"$schema": SCHEMA, **spec})))
    return _PLACES.sub(lambda place: _DIGITS.sub(r"\1", place[0]), drawn) + "\n"


def pdf(drawn: str) -> bytes:
    """A picture that is drawn as SVG, as a page of its size; its text stays text."""
    page: bytes = _library().svg_to_pdf(drawn)
    return page


def side_by_side(chart: Chart, width: int, columns: int) -> Spec:
    """All panels of a chart in one picture, each under its title."""
    data = chart.data()
    rows = [dict(zip(data["columns"], row, strict=True)) for row in data["rows"]]
    titled = [
        {**panel.spec, "title": panel.title, "data": {"values": rows}, "width": width} for panel in chart.panels
    ]
    return {"concat": titled, "columns": columns, "config": {"background": "white", "aria": False}}


def with_legend(spec: Any) -> Any:
    """On a page the legend is made of HTML; a picture must bring its own."""
    if isinstance(spec, dict):
        return {key: with_legend(value) for key, value in spec.items() if (key, value) != ("legend", None)}
    return (
        [with_legend(value) for value in spec] if isinstance(spec, Sequence) and not isinstance(spec, str) else spec
    )


def _library() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingResource("pictures need vl-convert-python; run: pip install 'plainly[report]'") from error
    return vl_convert


def _with_colors(spec: str) -> str:
    """The colours of the light page in place of their names."""
    light = stylesheet().partition("@media")[0]
    colors = dict(re.findall(r"(--[\w-]+): (#\w+);", light))
    return re.sub(r"var\((--[\w-]+)\)", lambda name: colors[name[1]], spec)
