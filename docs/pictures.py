"""The pictures of the docs, each drawn from a run on the demo set."""

from __future__ import annotations

from plainly.demo import demo_corpus
from plainly.gaming import names, study
from plainly.metrics import get
from plainly.report.gaming import section
from plainly.report.pictures import svg, with_legend


def why_not_fkgl() -> str:
    """FKGL, BLEU and SARI of one system as more of its outputs are edited, one line an edit, as SVG."""
    corpus = demo_corpus("en")
    trivial = [name for name in names() if name.startswith(("random", "replace"))]
    metrics = [get("fkgl"), get("bleu"), get("sari")]
    found = study(corpus, ["hasty-model"], metrics, trivial, strengths=range(0, 101, 10))
    panels = []
    for chart in section(found, corpus).charts:
        rows = [dict(zip(chart.columns, row, strict=True)) for row in chart.rows]
        panels.append({**with_legend(chart.panels[0].spec), "data": {"values": rows}, "width": 230, "height": 230})
    config = {"legend": {"orient": "bottom", "columns": 3, "title": None}, "background": "white"}
    return svg({"hconcat": panels, "config": config})
