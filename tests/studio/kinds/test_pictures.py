"""Labels of charts are whole in the reader's browser, whose fonts are not those of the server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("vl_convert", reason="vl-convert is not installed")

from plainly.report import specs
from plainly.studio.pictures import _FONT, draw, spots

NAMES = ["Wikipedia-extraordinarily-long-name", "mmmmmmmmmmmmwwww", "WWWWMMMMWWWWMMMMWWWW", "ÄÖÜ Überlänge", "b"]
SPEC = {
    "data": {"values": [{"name": name, "value": place + 1} for place, name in enumerate(NAMES)]},
    "mark": "bar",
    "encoding": {
        "y": {"field": "name", "type": "nominal", "title": None},
        "x": {"field": "value", "type": "quantitative", "title": "Score"},
    },
}
EDGES = """[...document.querySelectorAll("text")].map(text => text.getBoundingClientRect())
    .map(box => [box.left, document.documentElement.getBoundingClientRect().right - box.right])"""


@pytest.mark.parametrize("width", [760, 340])
@pytest.mark.parametrize("font", [_FONT, "system-ui, sans-serif", "DejaVu Sans"])
def test_no_label_sticks_out(tmp_path: Path, look: Callable[..., Any], width: int, font: str) -> None:
    path = tmp_path / "chart.svg"
    svg = draw(SPEC, width)
    assert _FONT in svg
    path.write_text(svg.replace(_FONT, font), "utf-8")
    page = look(path.as_uri())
    edges = page.evaluate(EDGES)
    assert len(edges) > len(NAMES)
    assert min(edge for pair in edges for edge in pair) >= 0


def test_points_that_tell_wording_know_where_they_are() -> None:
    rows = [
        {
            "text": name,
            "kind": "system",
            "score": score,
            "low": score - 1,
            "high": score + 1,
            "wording": "The cat sat.",
        }
        for name, score in (("b", 3.0), ("a", 1.0))
    ]
    spec = specs.intervals(["b", "a"], "rating", {}, "text", told=["wording"])
    first, second = spots({**spec, "data": {"values": rows}}, 640)
    assert (first["words"], second["words"]) == ("b: The cat sat.", "a: The cat sat.")
    assert 0 < second["x"] < first["x"] < 1  # the larger number is further to the right
    assert 0 < first["y"] < second["y"] < 1  # and its row is the upper one
    assert spots({**spec, "data": {"values": []}}, 640) == []
