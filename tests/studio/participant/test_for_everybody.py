"""Can everybody use the page of participants? axe-core in light and dark, 360 pixels, thumbs, the tab key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Look = Callable[..., Any]
FORM = {
    "consent": "I agree.",
    "form": [
        {"id": "age", "label": "How old are you?", "kind": "number", "required": False},
        {"id": "level", "label": "Level", "kind": "choice", "options": ["beginner", "good"], "required": False},
        {"id": "land", "label": "Country", "kind": "choice", "options": list("abcdefgh"), "required": False},
    ],
}
SCREENS = [(1200, 800), (360, 640)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SCREENS)
def test_axe_finds_nothing(
    sqlite_studio: Any, look: Look, faults_of: Callable[[Any], list[str]], scheme: str, size: tuple[int, int]
) -> None:
    campaign = sqlite_studio.campaign(
        welcome=FORM, ties=True, skip=True, matches=2, interface="de" if scheme == "dark" else "en"
    )
    viewport = {"width": size[0], "height": size[1]}
    page = look(sqlite_studio.invite(campaign), color_scheme=scheme, viewport=viewport)
    page.locator("form").wait_for()
    assert misfits(page) == []
    assert faults_of(page) == []
    page.locator("[type=submit]").click()
    page.locator(".problem").wait_for()
    assert faults_of(page) == []
    page.locator("[name=consent]").check()
    page.locator("[type=submit]").click()
    page.locator(".ranking").wait_for()
    page.locator("summary").evaluate("element => element.parentElement.open || element.click()")
    assert misfits(page) == []
    assert faults_of(page) == []
    for done in range(1, 6):
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(
            "expected => document.getElementById('count').textContent === expected", arg=f"{done}/5"
        )
    page.locator(".words").wait_for()
    page.wait_for_function("() => document.body.dataset.screen === 'finished'")
    assert faults_of(page) == []


def misfits(page: Any) -> list[str]:
    """What sticks out of the window, and what is too small for a thumb of all that one can press."""
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    found = [f"the page is {wide} pixels wide, the window {window}"] if wide > window else []
    for button in page.locator("main button, main select, header button, .check").all():
        if button.is_visible() and (height := button.bounding_box()["height"]) < 43:
            found.append(f"{button.inner_text()!r} is {height} pixels high")
    return found


def test_a_long_word_and_a_long_name_break(sqlite_studio: Any, look: Look) -> None:
    texts = ["W" * 400, "a b c", "x" * 5000]
    page = look(
        sqlite_studio.invite(sqlite_studio.campaign(texts, matches=2)), viewport={"width": 360, "height": 640}
    )
    page.get_by_role("button", name="Start").click()
    for _ in range(3):
        page.locator(".ranking").wait_for()
        assert misfits(page) == []
        page.keyboard.press("ArrowLeft")


def test_tab_reaches_everything_and_focus_is_seen(sqlite_studio: Any, look: Look) -> None:
    page = look(sqlite_studio.invite(sqlite_studio.campaign(ties=True, skip=True)))
    page.get_by_role("button", name="Start").click()
    page.locator(".ranking").wait_for()
    reached = []
    for _ in range(5):
        page.keyboard.press("Tab")
        name, style = page.evaluate(
            "[document.activeElement.dataset.side, getComputedStyle(document.activeElement).outlineStyle]"
        )
        reached.append(name)
        assert style == "solid"
    assert reached == ["first", "second", "tie", "skip", None]  # the last is the guideline
    page.locator(".side button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('count').textContent === '1/10'")


def test_progress_and_undo_are_said(sqlite_studio: Any, look: Look) -> None:
    page = look(sqlite_studio.invite(sqlite_studio.campaign()))
    page.get_by_role("button", name="Start").click()
    page.locator(".ranking").wait_for()
    assert page.get_by_role("progressbar", name="Progress").is_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("u")
    assert page.locator("#status").text_content() == "Your last answer was undone."
    assert page.locator("#status").get_attribute("aria-live") == "polite"
