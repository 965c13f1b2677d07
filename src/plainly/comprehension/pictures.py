"""Pictures of what answers tell, as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from plainly.base.messages import Message, joined, message
from plainly.comprehension.participants import Participants
from plainly.comprehension.reading import ReadingRow
from plainly.findings import SERIES, Chart
from plainly.inference.estimates import finite

ROW = 22  # pixels for a bar


def who_took_part(found: Sequence[Participants]) -> Iterator[Chart]:
    """Bars of participants, one picture a column of what is known of them."""
    for number, one in enumerate(found, 1):
        names = [_text(group.name) for group in one.groups]
        rows = [
            {"group": name, "participants": group.participants} for name, group in zip(names, one.groups, strict=True)
        ]
        across = {"field": "participants", "type": "quantitative", "title": None, "axis": {"tickMinStep": 1}}
        up = {"field": "group", "type": "nominal", "title": None, "sort": names}
        spec: dict[str, Any] = {
            "data": {"values": rows},
            "height": ROW * max(2, len(rows)),
            "encoding": {"x": across, "y": up, "tooltip": [{"field": "group"}, {"field": "participants"}]},
            "layer": [
                {"mark": {"type": "bar", "color": SERIES[0]}},
                {
                    "mark": {"type": "text", "align": "left", "dx": 4},
                    "encoding": {"text": {"field": "participants"}},
                },
            ],
        }
        words = joined(
            [
                message("comprehension.group-of", "{group} {count}", group=group.name, count=group.participants)
                for group in one.groups
            ],
            "; ",
        )
        yield Chart(
            f"participants-{number}",
            message("comprehension.participants-by", "Who took part, by {column}?", column=one.column),
            message("comprehension.participants-words", "Participants: {words}.", words=words),
            spec,
        )


def how_fast(rows: Sequence[ReadingRow]) -> Iterator[Chart]:
    """Words per minute of each text, with intervals."""
    if not rows:
        return
    names = [f"{row.passage}, {row.version}" for row in rows]
    versions = list(dict.fromkeys(row.version for row in rows))
    values = [
        {"text": name, "version": row.version, "words per minute": rate.value, "low": low, "high": high}
        for name, row in zip(names, rows, strict=True)
        for rate in [row.words_per_minute]
        for low, high in [(finite(rate.low), finite(rate.high))]
    ]
    up = {"field": "text", "type": "nominal", "title": None, "sort": names}
    across = {"type": "quantitative", "title": None, "scale": {"zero": False}}
    scale = {"domain": versions, "range": SERIES[: len(versions)]}
    whose = {"field": "version", "type": "nominal", "title": None}
    color = {**whose, "scale": scale}
    shape = {**whose, "scale": {"domain": versions}}
    spec: dict[str, Any] = {
        "data": {"values": values},
        "height": ROW * max(2, len(rows)),
        "layer": [
            {
                "transform": [{"filter": "datum.low != null"}],
                "mark": {"type": "rule"},
                "encoding": {"x": {**across, "field": "low"}, "x2": {"field": "high"}, "y": up, "color": color},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {
                    "x": {**across, "field": "words per minute"},
                    "y": up,
                    "color": color,
                    "shape": shape,
                    "tooltip": [{"field": name} for name in ("text", "words per minute", "low", "high")],
                },
            },
        ],
    }
    words = joined(
        [
            message("comprehension.text-rate", "{text} {rate:.0f}", text=name, rate=row.words_per_minute.value)
            for name, row in zip(names, rows, strict=True)
        ],
        "; ",
    )
    yield Chart(
        "reading",
        message(
            "comprehension.reading-by-text",
            "How many words per minute are read? Lines are intervals ({confidence:g} %)",
            confidence=100 * rows[0].words_per_minute.confidence,
        ),
        message("comprehension.reading-words", "Words per minute, with intervals: {words}.", words=words),
        spec,
    )


def _text(name: str | Message) -> str:
    return name if isinstance(name, str) else name.text()
