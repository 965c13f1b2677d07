"""Pictures that a page saves: in the colours of the light page, each of its own chart, with its legend."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.report.assets import stylesheet

Look = Callable[..., Any]
# Of a PNG in base64: its most frequent colours, as #rrggbb.
COLORS = """async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) {
        found.add('#' + [0, 1, 2].map((k) => data[i + k].toString(16).padStart(2, '0')).join(''));
    }
    return [...found];
}"""


def light() -> dict[str, str]:
    """The colours of the light page, by name: the first time that the stylesheet says them."""
    return dict(reversed(re.findall(r"--([\w-]+): (#\w+);", stylesheet())))


def saved(page: Any, chart: str, kind: str) -> bytes:
    figure = page.locator(f'[data-chart="{chart}"]')
    figure.locator(".tools").evaluate("menu => { menu.open = true; }")
    with page.expect_download() as download:
        figure.get_by_role("button", name=f"Picture as {kind}").click()
    return Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_have_the_light_colours(look: Look, demo: Path, scheme: str) -> None:
    page = look(demo, color_scheme=scheme)
    colors = light()
    wanted = {
        "scores": ["accent", "muted", "ink"],
        "parts-sari": ["series-1", "series-2", "series-3", "series-4"],
        "differences": ["better", "worse"],
    }
    drawn = {}
    for chart, names in wanted.items():
        svg = saved(page, chart, "SVG").decode()
        assert "var(--" not in svg
        assert not re.search(r'(fill|stroke)=""', svg), chart
        assert {colors[name] for name in names} <= set(re.findall(r"#\w{6}", svg)), chart
        png = saved(page, chart, "PNG")
        pixels = page.evaluate(COLORS, base64.b64encode(png).decode())
        assert {"#ffffff", *(colors[name] for name in names)} <= set(pixels), chart
        drawn[chart] = png
    assert len(set(drawn.values())) == len(wanted)


def test_a_saved_picture_has_a_legend_of_the_kinds_in_it(look: Look, demo: Path) -> None:
    page = look(demo)
    svg = saved(page, "scores", "SVG").decode()
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert {"best, or not told apart from it", "other systems", "baselines"} <= set(texts)
    assert "systems" not in texts  # a kind of pages where nobody is best
    assert {"better", "worse"} <= set(
        re.findall(r"<text[^>]*>([^<]*)</text>", saved(page, "differences", "SVG").decode())
    )
