"""Pictures of what answers tell, as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from plainly.base.messages import Message, joined, message
from plainly.comprehension.participants import Participants
from plainly.findings import SERIES, Chart

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


def _text(name: str | Message) -> str:
    return name if isinstance(name, str) else name.text()
