"""What surrounds the tasks, in a real browser: comments, questions afterwards, patience, and withdrawal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from .test_page import begin, count, settled

Look = Callable[..., Any]
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
AFTER = [{"id": "hard", "label": "How hard was it?", "kind": "choice", "options": ["easy", "hard"]}]


def test_comments_and_questions_afterwards(studio: Any, look: Look) -> None:
    from plainly.studio.store import afterwards
    from plainly.studio.store.overview import people

    welcome = {"comments": True, "after": AFTER, "thanks": "You helped us a lot."}
    campaign = studio.campaign(matches=1, welcome=welcome)
    page = look(studio.invite(campaign))
    begin(page)
    page.locator("#remark summary").click()
    page.fill("#remark-text", "First of all, jokes aside.")  # letters that are keys of the task do nothing here
    page.reload()
    page.locator(".ranking").wait_for()
    assert page.input_value("#remark-text") == "First of all, jokes aside."
    page.keyboard.press("Escape")
    page.locator("h1").first.click()
    page.keyboard.press("ArrowLeft")
    count(page, "1/2")
    assert not page.locator("#remark-text").is_visible()  # the next one is folded, and empty
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Almost done").wait_for()
    page.get_by_role("button", name="Submit").click()
    assert page.locator(".problem").inner_text() == "Please fill in: How hard was it?"
    page.get_by_label("hard", exact=True).check()
    page.fill("#end-comment", "Fine.")
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("heading", name="Thank you!").wait_for()
    assert "You helped us a lot." in page.locator("#task").inner_text()
    page.reload()
    page.get_by_role("heading", name="Thank you!").wait_for()  # it is not asked again
    with studio.app.state.database.reading() as session:
        said = [(one.place, one.text) for one in afterwards.comments(session, campaign)]
        assert said == [(0, "First of all, jokes aside."), (None, "Fine.")]
        assert people(session, campaign)[0].after == {"hard": "hard"}


def test_buttons_wait_for_the_least_time(studio: Any, look: Look) -> None:
    campaign = studio.campaign(matches=1, welcome={"least_seconds": 600})
    page = look(studio.invite(campaign))
    begin(page)
    assert re.fullmatch(r"You can answer in \d+ s\.", page.locator("#wait").inner_text())
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    page.locator(".choose button").first.click()
    count(page, "0/2")
    assert studio.rows() == 0


def test_on_a_phone_the_count_of_seconds_covers_nothing_of_the_task(studio: Any, look: Look) -> None:
    campaign = studio.campaign(matches=1, welcome={"least_seconds": 600}, interface="de")
    page = look(studio.invite(campaign), viewport={"width": 390, "height": 800})
    page.locator("form button[type=submit]").click()
    page.locator(".ranking").wait_for()
    assert page.locator("#undo").bounding_box()["y"] == page.locator("#instructions").bounding_box()["y"]
    count = page.locator("#wait").bounding_box()
    assert count["y"] + count["height"] <= page.locator("#task").bounding_box()["y"]
    for beside in ("#count", "#instructions"):
        assert count["y"] + count["height"] <= page.locator(beside).bounding_box()["y"]


def test_after_the_least_time_all_goes_on(studio: Any, look: Look) -> None:
    campaign = studio.campaign(matches=1, welcome={"least_seconds": 1})
    page = look(studio.invite(campaign))
    begin(page)
    for done in ("1/2", "2/2"):
        page.wait_for_function("() => !('waiting' in document.body.dataset)")
        page.keyboard.press("ArrowLeft")
        count(page, done)
    page.get_by_role("heading", name="Thank you!").wait_for()
    assert studio.rows() == 2
    assert all(one.seconds >= 0.9 for one in studio.given(campaign))


@pytest.mark.parametrize("status", ["open", "paused"])
def test_one_withdraws(studio: Any, look: Look, status: str) -> None:
    campaign = studio.campaign()
    link = studio.invite(campaign)
    page = look(link, refusals=True)
    begin(page)
    page.keyboard.press("ArrowLeft")
    count(page, "1/10")
    settled(page)
    if status == "paused":
        studio.change(campaign, "paused")
    page.get_by_role("button", name="Withdraw").click()
    assert "will be deleted" in page.locator("dialog").inner_text()
    page.get_by_role("button", name="Keep taking part").click()
    assert studio.rows() == 1
    page.get_by_role("button", name="Withdraw").click()
    page.locator("dialog .danger").click()
    assert "cannot be undone" in page.locator("dialog").inner_text()
    assert page.evaluate("document.activeElement.textContent") == "Keep taking part"
    assert studio.rows() == 1
    page.get_by_role("button", name="Yes, withdraw").click()
    page.get_by_role("heading", name="You have withdrawn").wait_for()
    assert "were deleted" in page.locator("#task").inner_text()
    assert studio.rows() == 0
    assert page.evaluate("Object.keys(localStorage)") == []
    page.goto(link)
    page.get_by_role("heading", name="You have withdrawn").wait_for()
