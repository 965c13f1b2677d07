"""Pictures of what annotated corpora hold, as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plainly.findings import SERIES, Chart, message
from plainly.operations.statistics import OfLength


def by_length_chart(rows: Sequence[OfLength]) -> Chart:
    """The mean number of operations by the length of the source, with its intervals."""
    values = [
        {"length": row.longest, "of": name, "pairs": row.pairs, **mean.to_dict()}
        for row in rows
        for name, mean in (("different labels", row.labels), ("groups", row.groups))
    ]
    across = {"field": "length", "type": "quantitative", "title": "tokens of the source, up to"}
    up = {"field": "value", "type": "quantitative", "title": "operations per pair"}
    color = {"field": "of", "type": "nominal", "title": None, "scale": {"range": SERIES}}
    spec: dict[str, Any] = {
        "data": {"values": values},
        "width": 420,
        "height": 240,
        "encoding": {"x": across, "color": color},
        "layer": [
            {
                "transform": [{"filter": "datum.low != null"}],
                "mark": {"type": "errorbar", "ticks": True},
                "encoding": {"y": {**up, "field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": {"type": "line"}, "encoding": {"y": up}},
            {
                "mark": {"type": "point", "filled": True},
                "encoding": {"y": up, "shape": {"field": "of", "type": "nominal", "legend": None}},
            },
        ],
    }
    ends = [f"{row.labels.value:.1f}" for row in (rows[0], rows[-1])]
    words = message(
        "operations.by-length.words",
        "From {first} different labels per pair in the shortest sources to {last} in the longest.",
        first=ends[0],
        last=ends[1],
    )
    return Chart(
        "by-length", message("operations.by-length", "How many operations do sources of a length have?"), words, spec
    )
