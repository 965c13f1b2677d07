"""The pictures of the docs, each drawn from a run on the demo set."""

from __future__ import annotations

import json
import re
from typing import Any

import vl_convert

from plainly.demo import demo_corpus
from plainly.gaming import names, study
from plainly.metrics import get
from plainly.report.assets import stylesheet
from plainly.report.gaming import section


def why_not_fkgl() -> str:
    """FKGL, BLEU and SARI of one system as more of its outputs are edited, one line an edit, as SVG."""
    corpus = demo_corpus("en")
    trivial = [name for name in names() if name.startswith(("random", "replace"))]
    metrics = [get("fkgl"), get("bleu"), get("sari")]
    found = study(corpus, ["hasty-model"], metrics, trivial, levels=range(0, 101, 10))
    panels = []
    for chart in section(found, corpus).charts:
        rows = [dict(zip(chart.columns, row, strict=True)) for row in chart.rows]
        panels.append({**_with_legend(chart.panels[0].spec), "data": {"values": rows}, "width": 230, "height": 230})
    spec = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "hconcat": panels}
    spec["config"] = {"legend": {"orient": "bottom", "columns": 3, "title": None}, "background": "white"}
    svg: str = vl_convert.vegalite_to_svg(_with_colors(json.dumps(spec)))
    return svg + "\n"


def _with_legend(spec: Any) -> Any:
    """On a page the legend is made of HTML; a picture must bring its own."""
    if isinstance(spec, dict):
        return {key: _with_legend(value) for key, value in spec.items() if (key, value) != ("legend", None)}
    return [_with_legend(value) for value in spec] if isinstance(spec, list) else spec


def _with_colors(spec: str) -> str:
    """The colours of the light page in place of their names."""
    light = stylesheet().partition("@media")[0]
    colors = dict(re.findall(r"(--[\w-]+): (#\w+);", light))
    return re.sub(r"var\((--[\w-]+)\)", lambda name: colors[name[1]], spec)
