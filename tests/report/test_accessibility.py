"""Can everybody use it? axe-core in light and dark, and the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Look = Callable[..., Any]
UNFOLD = "document.querySelectorAll('details:not(.references, .aligned)').forEach(part => { part.open = true; })"
WIDTHS = {"desk": {"width": 1200, "height": 800}, "phone": {"width": 360, "height": 740}}


@pytest.mark.parametrize("width", ["desk", pytest.param("phone", marks=pytest.mark.slow)])
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_no_fault(
    look: Look, faults_of: Callable[..., list[str]], demo: Path, scheme: str, width: str
) -> None:
    page = look(demo, color_scheme=scheme, viewport=WIDTHS[width])
    page.evaluate(UNFOLD)
    page.locator("details.references summary").first.click()
    page.get_by_role("button", name="Show data").first.click()
    assert faults_of(page) == []


def test_the_keyboard_reaches_everything(look: Look, demo: Path) -> None:
    page = look(demo)
    page.evaluate(UNFOLD)
    page.locator(".segment").evaluate_all("all => all.slice(2).forEach(e => e.remove())")  # enough to tab through
    wanted = page.evaluate(
        """() => { let n = 0; window.wanted = [...document.querySelectorAll(
            'a[href], button:not(:disabled), input, select, summary, [tabindex="0"]')]
            .filter(e => e.checkVisibility()); return window.wanted.length; }"""
    )
    reached = page.evaluate("0")
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached = page.evaluate(
            """() => { const e = document.activeElement; window.reached ??= new Set();
                if (e !== document.body) {
                    window.reached.add(e);
                    const style = getComputedStyle(e);
                    if (style.outlineStyle === 'none' || style.outlineWidth === '0px')
                        throw new Error('no visible focus on ' + e.outerHTML.slice(0, 90));
                }
                return window.wanted.filter(w => window.reached.has(w)).length; }"""
        )
    missed = page.evaluate("window.wanted.filter(w => !window.reached.has(w)).map(e => e.outerHTML.slice(0, 90))")
    assert missed == []
    assert reached == wanted > 40


def test_the_keyboard_does_the_work(look: Look, demo: Path) -> None:
    page = look(demo, ready=False, unfold=False)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the result"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.locator("#segments > summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Order", exact=True).focus()
    assert page.get_by_label("Order", exact=True).input_value() == "differ"
    page.keyboard.press("ArrowDown")
    assert page.get_by_label("Order", exact=True).input_value() == "spread"
    page.locator("details.references summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.references").first.get_attribute("open") is not None
    page.get_by_role("button", name="Next").first.focus()
    page.keyboard.press("Space")
    assert page.get_by_text("Page 2 of 3").count() == 2


def test_headings_go_down_one_step_at_a_time(look: Look, demo: Path) -> None:
    page = look(demo)
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(h => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_print_is_light_and_whole(look: Look, demo: Path) -> None:
    page = look(demo, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    paper = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')")
    assert paper.strip() == "#ffffff"
    assert not page.locator(".controls").is_visible()
    assert page.locator("#scores-table").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
