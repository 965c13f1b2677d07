"""Practice before the first task, in a real browser: feedback after each answer, a bar to pass, and two tries."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest

from plainly.studio.results import all_files

Look = Callable[..., Any]
EASY, HARD = "The cat sat.", "The feline had assumed a sedentary posture."
PRACTICE = f'first,second,easier,why\n"{EASY}","{HARD}",first,Short words are easier.\n"{HARD}",text-4,text-4,\n'


def begin(page: Any) -> None:
    page.get_by_role("button", name="Start").click()
    page.locator(".ranking").wait_for()


def choose(page: Any, easier: bool) -> None:
    """Answers a practice pair, rightly or not, and waits for what is said of it."""
    sides = page.locator(".text").all_text_contents()
    left = min(sides, key=len) == sides[0]
    page.locator(".ranking").wait_for()
    page.keyboard.press("ArrowLeft" if left == easier else "ArrowRight")
    page.locator(".feedback").wait_for()


def go_on(page: Any) -> None:
    page.get_by_role("button", name="Continue").click()
    page.locator(".feedback").wait_for(state="detached")


def table(studio: Any, campaign: str, name: str) -> list[dict[str, str]]:
    files = {file.name: file.content for file in all_files(studio.app.state.database, campaign)}
    return list(csv.DictReader(io.StringIO(files[name])))


@pytest.fixture
def practised(sqlite_studio: Any) -> str:
    made: str = sqlite_studio.campaign(files={"practice": PRACTICE}, welcome={"practice": {"bar": 1.0}})
    return made


def test_practice_is_passed_at_the_second_try(sqlite_studio: Any, look: Look, practised: str) -> None:
    page = look(sqlite_studio.invite(practised))
    begin(page)
    assert page.locator("#practice").text_content() == ("Practice 1 of 2. These answers are not part of the study.")
    choose(page, easier=False)
    said = page.locator(".feedback").text_content()
    assert "Not quite." in said
    assert "People usually say:" in said
    assert "Short words are easier." in said
    assert page.locator(".practised .text").count() == 2  # the pair is still there to look at
    page.keyboard.press("u")
    page.keyboard.press("ArrowLeft")  # nothing can be answered or taken back meanwhile
    assert page.locator("#undo").is_disabled()
    go_on(page)
    choose(page, easier=True)
    assert "50 % of the practice was right. Please try once more" in page.locator(".feedback").text_content()
    go_on(page)
    assert "Second try, practice 1 of 2" in page.locator("#practice").text_content()
    choose(page, easier=True)
    assert page.locator(".feedback h1").text_content() == "Right."
    assert page.locator(".feedback .expected").count() == 0
    go_on(page)
    choose(page, easier=True)
    assert "Now the study begins." in page.locator(".feedback").text_content()
    go_on(page)
    assert page.locator("#practice").is_hidden()
    assert page.locator("#count").text_content() == "0/10"
    assert page.locator("#undo").is_disabled()  # what was practised cannot be taken back
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('count').textContent === '1/10'")
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('plainly:'))")
    assert [one.place for one in sqlite_studio.given(practised)] == [0]
    assert [row["right"] for row in table(sqlite_studio, practised, "practice.csv")] == ["0", "1", "1", "1"]
    assert len(table(sqlite_studio, practised, "judgements.csv")) == 1


def test_who_fails_twice_is_thanked_and_does_no_task(sqlite_studio: Any, look: Look, practised: str) -> None:
    page = look(sqlite_studio.invite(practised))
    begin(page)
    for _ in range(3):
        choose(page, easier=False)
        go_on(page)
    choose(page, easier=False)
    assert "That is not enough to take part." in page.locator(".feedback").text_content()
    go_on(page)
    page.locator("body[data-screen=screened]").wait_for()
    page.reload()
    page.locator("body[data-screen=screened]").wait_for()
    assert sqlite_studio.given(practised) == []
    (row,) = table(sqlite_studio, practised, "participants.csv")
    assert row["status"] == "screened"
    assert row["total"] == "0"


def test_the_preview_has_practice_and_a_reload_goes_on(sqlite_studio: Any, look: Look, practised: str) -> None:
    page = look(sqlite_studio.preview(practised))
    begin(page)
    choose(page, easier=True)
    page.reload()
    page.locator(".ranking").wait_for()
    assert "Practice 2 of 2" in page.locator("#practice").text_content()
    choose(page, easier=True)
    go_on(page)
    assert page.locator("#count").text_content() == "0/10"
    assert table(sqlite_studio, practised, "practice.csv") == []
