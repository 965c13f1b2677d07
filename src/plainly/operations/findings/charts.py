"""Pictures of what annotated corpora hold, as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plainly.findings import SERIES, Chart, Message, message
from plainly.operations.agreement_results import Matrix
from plainly.operations.statistics import OfLength

UNCHANGED_TOKENS = message("operations.unchanged", "unchanged")
CELL = 27  # pixels
LIGHT, DARK = 0.08, 0.6  # the ink of a cell must be read on either


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


def matrix_chart(
    matrices: Sequence[Matrix],
    axes: tuple[str, str],
    names: Mapping[str, str] | None = None,
    sides: Mapping[str, str] | None = None,
) -> Chart:
    """A heat map a side: the darker a cell, the larger its share of the tokens of its row.

    `axes` say whose labels rows and columns are; `names` are those of labels, `sides` those of texts.
    """
    called = {"": UNCHANGED_TOKENS.text(), **(names or {})}
    found = [row for matrix in matrices for row in _cells(matrix, called)]
    wrong = [(row["tokens"], row["row"], row["column"]) for row in found if row["row"] != row["column"]]
    most = max(wrong, key=lambda one: one[0], default=None)
    return Chart(
        "matrix",
        message("operations.confused", "Which labels stand in each other's place?"),
        _most_confused(most),
        {
            "vconcat": [
                _heat_map(matrix, axes, called, (sides or {}).get(matrix.side, matrix.side)) for matrix in matrices
            ],
            "spacing": 30,
        },
    )


def _most_confused(most: tuple[int, str, str] | None) -> Message:
    if most is None:
        return message("operations.confused.none", "No label stands in the place of another.")
    return message(
        "operations.confused.words",
        "Most often, {row} and {column} stand in each other's place: {tokens} tokens.",
        tokens=most[0],
        row=most[1],
        column=most[2],
    )


def _cells(matrix: Matrix, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Of all that occur; an empty cell is left blank."""
    labels = [names.get(label, label) for label in matrix.labels]
    return [
        {"row": row, "column": column, "tokens": tokens, "share": tokens / sum(counts)}
        for row, counts in zip(labels, matrix.tokens, strict=True)
        for column, tokens in zip(labels, counts, strict=True)
        if tokens
    ]


def _heat_map(matrix: Matrix, axes: tuple[str, str], names: Mapping[str, str], side: str) -> dict[str, Any]:
    labels = [names.get(label, label) for label in matrix.labels]
    look = {
        "domain": False,
        "ticks": False,
        "grid": True,
        "tickBand": "extent",
        "labelOverlap": False,
        "titlePadding": 14,
    }
    named = {"type": "nominal", "sort": labels, "scale": {"domain": labels}}
    across = {**look, "title": f"{axes[1]} ({side})", "orient": "top", "labelAngle": -45}
    tint = {
        "field": "share",
        "type": "quantitative",
        "legend": None,
        "scale": {"domain": [0, 1], "range": [LIGHT, DARK]},
    }
    return {
        "data": {"values": _cells(matrix, names)},
        "width": {"step": CELL},
        "height": {"step": CELL},
        "encoding": {
            "y": {**named, "field": "row", "axis": {**look, "title": axes[0]}},
            "x": {**named, "field": "column", "axis": across},
            "tooltip": [{"field": name} for name in ("row", "column", "tokens")],
        },
        "layer": [
            {"mark": {"type": "rect", "fill": "var(--accent)"}, "encoding": {"fillOpacity": tint}},
            {
                "mark": {"type": "text", "fill": "var(--ink)", "fontSize": 10},
                "encoding": {"text": {"field": "tokens"}},
            },
        ],
    }
