"""The page of a participant in a real browser: answering, taking back, going on elsewhere, and being told things."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from plainly.studio.ids_and_times import now

from ...waiting import LONG

Look = Callable[..., Any]
FORM = {
    "instructions": "Read both texts.\n\nTake your time.",
    "consent": "I agree that my answers are kept without my name.",
    "form": [
        {"id": "age", "label": "How old are you?", "kind": "number", "least": 0, "most": 120},
        {"id": "level", "label": "Level", "kind": "choice", "options": ["beginner", "good"]},
        {"id": "first", "label": "Is English your first language?", "kind": "yes-no"},
        {"id": "country", "label": "Country", "kind": "choice", "options": list("abcdefgh"), "required": False},
        {"id": "note", "label": "Anything else?", "kind": "text", "required": False},
    ],
}


def begin(page: Any) -> None:
    page.get_by_role("button", name=re.compile("Start|Los")).click()
    page.locator(".ranking").wait_for()


def count(page: Any, expected: str) -> None:
    page.wait_for_function("expected => document.getElementById('count').textContent === expected", arg=expected)


def settled(page: Any) -> None:
    """Until nothing is left to send."""
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('plainly:'))")


def texts(page: Any) -> list[str]:
    return list(page.locator(".text").all_text_contents())


def test_the_keyboard_is_enough(studio: Any, look: Look) -> None:
    campaign = studio.campaign(ties=True, skip=True)
    page = look(studio.invite(campaign))
    page.get_by_role("button", name="Start").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".ranking").wait_for()
    seen = []
    for done, key in enumerate(["ArrowLeft", "ArrowRight", "t", "s", "T"], 1):
        seen.append(texts(page))
        page.keyboard.press(key)
        count(page, f"{done}/10")
    settled(page)
    answers = studio.given(campaign)
    assert [each.answer["choice"] for each in answers] == ["first", "second", "tie", "skip", "tie"]
    assert [each.place for each in answers] == [0, 1, 2, 3, 4]
    assert all(each.seconds is not None and 0 <= each.seconds < 60 for each in answers)
    wording = {f"text-{number}": text for number, text in enumerate(studio_texts())}
    shown = [[wording[each.task["first"]], wording[each.task["second"]]] for each in answers]
    assert shown == seen  # left is what is stored as first


def studio_texts() -> list[str]:
    return [
        "The ship came home.",
        "After its voyage of many weeks, the vessel returned to the port from which it had set out.",
        "Rain fell all night.",
        "Precipitation of considerable intensity persisted throughout the hours of darkness.",
        "The cat slept.",
    ]


def test_clicks_decide_and_the_second_of_a_double_click_does_not(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.invite(campaign))
    begin(page)
    page.locator(".side").nth(1).locator(".text").click()
    count(page, "1/10")
    page.get_by_role("button", name="This text is easier").first.dblclick()
    count(page, "2/10")
    settled(page)
    assert [each.answer["choice"] for each in sqlite_studio.given(campaign)] == ["second", "first"]


def test_marking_words_with_the_mouse_is_no_answer(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.invite(campaign))
    begin(page)
    box = page.locator(".text").first.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 12, steps=4)
    page.mouse.up()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.locator("#count").text_content() == "0/10"


def test_undo_goes_back_as_far_as_one_likes(studio: Any, look: Look) -> None:
    campaign = studio.campaign()
    page = look(studio.invite(campaign))
    begin(page)
    assert page.get_by_role("button", name="Undo").is_disabled()
    first = texts(page)
    page.keyboard.press("ArrowLeft")
    second = texts(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("u")
    assert texts(page) == second
    page.keyboard.press("u")
    count(page, "0/10")
    assert texts(page) == first
    page.keyboard.press("ArrowRight")
    count(page, "1/10")
    assert texts(page) == second
    settled(page)
    [answer] = studio.given(campaign)
    assert (answer.answer["choice"], answer.revisions) == ("second", 1)
    assert studio.rows() == 5  # three answers, two of them taken back: nothing is forgotten
    page.reload()
    page.locator(".ranking").wait_for()
    page.get_by_role("button", name="Undo").click()  # also what was answered before the page was loaded
    count(page, "0/10")
    assert texts(page) == first
    settled(page)
    assert studio.given(campaign) == []


def test_undo_after_the_last_task_opens_it_again(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.invite(campaign))
    begin(page)
    for done in range(1, 11):
        page.keyboard.press("ArrowLeft")
        count(page, f"{done}/10")
    page.get_by_role("heading", name="Thank you!").wait_for()
    assert page.locator(".code").text_content() == "Your code: P001"
    page.keyboard.press("u")
    page.locator(".ranking").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Thank you!").wait_for()
    assert [each.answer["choice"] for each in sqlite_studio.given(campaign)] == ["first"] * 9 + ["second"]


def test_the_same_link_goes_on_elsewhere(studio: Any, look: Look) -> None:
    campaign = studio.campaign()
    link = studio.invite(campaign)
    here = look(link)
    begin(here)
    for _ in range(3):
        here.keyboard.press("ArrowLeft")
    count(here, "3/10")
    settled(here)
    there = look(link)
    there.locator(".ranking").wait_for()
    count(there, "3/10")
    assert texts(there) == texts(here)
    there.keyboard.press("ArrowRight")
    settled(there)
    here.keyboard.press("ArrowLeft")  # was answered there: the page says so, and catches up
    here.wait_for_function("() => document.getElementById('notice').textContent.includes('not accepted')")
    settled(here)
    assert [each.answer["choice"] for each in studio.given(campaign)] == ["first"] * 3 + ["second"]
    assert texts(here) != []


def test_a_server_that_is_away_loses_and_doubles_nothing(studio: Any, look: Look) -> None:
    campaign = studio.campaign()
    page = look(studio.invite(campaign), refusals=True)
    begin(page)
    page.keyboard.press("ArrowLeft")
    count(page, "1/10")
    settled(page)
    studio.stop()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.press("u")
    page.keyboard.press("ArrowRight")
    count(page, "4/10")
    banner = page.locator("#banner")
    banner.wait_for(state="visible")
    page.wait_for_function("() => document.getElementById('banner').textContent.includes('5 answers')")
    studio.start()
    page.evaluate("dispatchEvent(new Event('online'))")
    banner.wait_for(state="hidden")
    settled(page)
    chosen = [each.answer["choice"] for each in studio.given(campaign)]
    assert chosen == ["first", "second", "second", "second"]
    assert studio.rows() == 6
    assert page.locator("#count").text_content() == "4/10"


def test_what_was_not_sent_survives_a_closed_page(studio: Any, look: Look, browser: Any) -> None:
    campaign = studio.campaign()
    link = studio.invite(campaign)
    page = look(link, refusals=True)
    begin(page)
    context = page.context
    studio.stop()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.locator("#banner").wait_for(state="visible")
    page.close()
    studio.start()
    again = context.new_page()
    again.goto(link)
    count(again, "2/10")
    settled(again)
    assert [each.answer["choice"] for each in studio.given(campaign)] == ["second", "second"]


def test_a_lost_reply_is_no_second_answer(studio: Any, look: Look) -> None:
    """The server stores, but its reply never arrives; the page sends the same again."""
    campaign = studio.campaign()
    page = look(studio.invite(campaign), refusals=True)
    begin(page)
    lost = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())
        route.abort()

    page.route("**/responses", lose)
    page.keyboard.press("ArrowRight")
    page.locator("#banner").wait_for(state="visible")
    assert studio.rows() == 1
    settled(page)  # after the next try
    assert lost[0].status == 200
    assert studio.rows() == 1
    count(page, "1/10")


def test_welcome_asks_and_insists(studio: Any, look: Look) -> None:
    campaign = studio.campaign(welcome=FORM)
    page = look(studio.invite(campaign))
    start = page.get_by_role("button", name="Start")
    start.click()
    alert = page.get_by_role("alert")
    assert alert.text_content() == "Please fill in: How old are you?"
    for wrong, words in [
        ("forty", "How old are you?: Please give a number in digits, such as 12."),
        ("-5000", "How old are you?: Please give a number from 0 to 120."),
        ("120,5", "How old are you?: Please give a number from 0 to 120."),
    ]:
        page.get_by_label("How old are you?").fill(wrong)
        start.click()
        assert alert.text_content() == words
        assert page.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
    page.get_by_label("How old are you?").fill("40")
    page.get_by_label("good").check()
    page.get_by_label("yes", exact=True).check()
    page.get_by_label("Anything else?").fill("=1+1")
    start.click()
    assert "only if you agree" in alert.text_content()
    page.get_by_label("I agree.").check()
    start.click()
    page.locator(".ranking").wait_for()
    page.keyboard.press("ArrowLeft")
    settled(page)
    [answer] = studio.given(campaign)
    assert dict(answer.person.fields) == {"age": "40", "level": "good", "first": "yes", "note": "=1+1"}


def test_paused_closed_and_revoked_in_words(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.invite(campaign), refusals=True)
    begin(page)
    sqlite_studio.change(campaign, "paused")
    page.keyboard.press("ArrowLeft")  # allotted before the break, so it counts
    page.get_by_role("heading", name="The study is paused").wait_for()
    assert len(sqlite_studio.given(campaign)) == 1
    sqlite_studio.change(campaign, "open")
    page.reload()
    page.locator(".ranking").wait_for()
    sqlite_studio.change(campaign, "closed")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="The study is closed").wait_for()
    page.wait_for_function("() => document.getElementById('banner').textContent.includes('kept in this browser')")
    sqlite_studio.change(campaign, "open")  # the answer was kept, and counts now
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(".ranking").wait_for()
    settled(page)
    assert len(sqlite_studio.given(campaign)) == 2
    sqlite_studio.revoke(campaign, 1)
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="This link no longer works").wait_for()
    page.reload()
    assert "withdrawn" in page.locator("main").text_content()
    assert len(sqlite_studio.given(campaign)) == 2


def test_a_wrong_link_says_so_in_the_language_of_the_browser(sqlite_studio: Any, look: Look) -> None:
    page = look(f"{sqlite_studio.url}/p/{'x' * 22}", refusals=True, locale="de-DE")
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.get_by_role("heading").inner_text() == "Dieser Link ist nicht bekannt"


@pytest.mark.parametrize(
    ("status", "title", "words"),
    [
        ("draft", "Die Studie hat noch nicht begonnen", "Bitte kommen Sie später wieder."),
        ("closed", "Die Studie ist beendet", "Es werden keine Antworten mehr angenommen."),
    ],
)
def test_a_study_that_is_not_open_says_so_in_its_own_language(
    sqlite_studio: Any, look: Look, status: str, title: str, words: str
) -> None:
    campaign = sqlite_studio.campaign(interface="de", status="draft")
    link = sqlite_studio.invite(campaign)
    if status == "closed":
        sqlite_studio.change(campaign, "open")
        sqlite_studio.change(campaign, "closed")
    page = look(link, refusals=True, locale="en-GB")
    assert page.locator("html").get_attribute("lang") == "de"
    assert page.locator(".study").inner_text() == "Teilnahme"
    assert page.get_by_role("heading").inner_text() == title
    assert words in page.locator("main").inner_text()


def test_what_was_said_of_one_screen_is_not_said_of_the_next(sqlite_studio: Any, look: Look) -> None:
    page = look(sqlite_studio.invite(sqlite_studio.campaign()))
    begin(page)
    page.keyboard.press("ArrowLeft")
    count(page, "1/10")
    page.keyboard.press("u")
    count(page, "0/10")
    assert page.locator("#status").text_content() == "Your last answer was undone."
    page.keyboard.press("ArrowLeft")
    count(page, "1/10")
    assert page.locator("#status").text_content() == ""


def test_preview_says_that_nothing_counts(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.preview(campaign))
    assert page.locator(".preview").text_content() == "Preview: your answers here do not count."
    begin(page)
    page.keyboard.press("ArrowLeft")
    count(page, "1/10")
    settled(page)
    assert sqlite_studio.given(campaign) == []


def test_texts_are_text(sqlite_studio: Any, look: Look) -> None:
    hostile = ["<img src=x onerror=window.hacked=1>", "<script>window.hacked=1</script>", "{{ 7 * 7 }} ${1} \u202e"]
    campaign = sqlite_studio.campaign(hostile, welcome={"instructions": hostile[0], "consent": hostile[1]}, matches=2)
    page = look(sqlite_studio.invite(campaign))
    page.get_by_label("I agree.").check()
    begin(page)
    seen = set(texts(page))
    for done in range(1, 4):
        page.keyboard.press("ArrowLeft")
        count(page, f"{done}/3")
        seen |= set(texts(page))
    assert seen == set(hostile)
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("interface", ["en", "de"])
def test_right_to_left(sqlite_studio: Any, look: Look, interface: str) -> None:
    arabic = ["القط نائم.", "عادت السفينة إلى الميناء.", "هطل المطر طوال الليل."]
    campaign = sqlite_studio.campaign(arabic, lang="ar", interface=interface, matches=2)
    page = look(sqlite_studio.invite(campaign))
    begin(page)
    assert page.locator("html").get_attribute("lang") == interface
    text = page.locator(".text").first
    assert (text.get_attribute("lang"), text.get_attribute("dir")) == ("ar", "rtl")
    left, right = (side.bounding_box()["x"] for side in page.locator(".side").all())
    assert left < right  # the arrow keys point where the texts are
    assert text.evaluate("element => getComputedStyle(element).textAlign") in ("start", "right")


def test_two_tabs_of_one_browser_keep_step(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    link = sqlite_studio.invite(campaign)
    one = look(link)
    begin(one)
    other = one.context.new_page()
    other.goto(link)
    other.locator(".ranking").wait_for()
    before = texts(one)
    other.keyboard.press("ArrowRight")
    count(one, "1/10")
    one.wait_for_function("before => document.querySelector('.text').textContent !== before", arg=before[0])
    settled(one)
    assert texts(one) == texts(other)
    one.keyboard.press("ArrowLeft")
    count(other, "2/10")
    settled(other)
    assert [each.answer["choice"] for each in sqlite_studio.given(campaign)] == ["second", "first"]


def test_without_storage_answers_arrive_all_the_same(sqlite_studio: Any, look: Look, browser: Any) -> None:
    campaign = sqlite_studio.campaign()
    page = look("about:blank", refusals=True)
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError'); };")
    page.goto(sqlite_studio.invite(campaign))
    begin(page)
    sqlite_studio.stop()
    page.keyboard.press("ArrowRight")
    page.locator("#banner").wait_for(state="visible")
    sqlite_studio.start()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator("#banner").wait_for(state="hidden")
    assert [each.answer["choice"] for each in sqlite_studio.given(campaign)] == ["second"]


def test_times_are_those_of_the_browser(sqlite_studio: Any, look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as they can be: the minute passes on the server, too."""
    campaign = sqlite_studio.campaign()
    page = look("about:blank")
    page.clock.install()
    page.goto(sqlite_studio.invite(campaign))
    begin(page)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    monkeypatch.setattr("plainly.studio.store.responses.now", partial(now, timedelta(minutes=1)))
    page.clock.fast_forward(60_000)
    page.keyboard.press("ArrowRight")
    settled(page)
    [answer] = sqlite_studio.given(campaign)
    assert answer.seconds is not None
    assert not answer.impossible
    assert 59 < answer.seconds < 60 + LONG


def test_the_page_itself_holds_no_secret_and_runs_no_script_of_its_own(sqlite_studio: Any) -> None:
    httpx = pytest.importorskip("httpx")
    campaign = sqlite_studio.campaign()
    link = sqlite_studio.invite(campaign)
    reply = httpx.get(link)
    assert reply.status_code == 200
    assert "unsafe" not in reply.headers["Content-Security-Policy"]
    assert reply.headers["Referrer-Policy"] == "no-referrer"
    assert reply.headers["Cache-Control"] == "no-store"
    assert link.rpartition("/")[2] not in reply.text
    assert re.findall(r"<script(?![^>]* src=)|<style| style=| on\w+=", reply.text) == []
    assert "Ships &amp; cats" in reply.text
    for wrong in ("x" * 22, "x" * 5000, "%00", "é"):
        refused = httpx.get(f"{sqlite_studio.url}/p/{wrong}")
        assert refused.status_code in (404, 422), wrong
        assert "Traceback" not in refused.text


def test_adaptive_pairs_come_in_blocks(studio: Any, look: Look) -> None:
    campaign = studio.campaign(pairs="swiss", per_person=10, sharing="shared")
    page = look(studio.invite(campaign))
    begin(page)
    for done in range(1, 11):
        count(page, f"{done - 1}/10")  # all that will come, though few are there yet
        page.locator(".ranking").wait_for()
        page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="Thank you!").wait_for()
    judged = studio.given(campaign)
    assert len({frozenset((each.task["first"], each.task["second"])) for each in judged}) == 10
