"""Readers in a real browser: from consent to the end, with clocks, reloads and keys."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main
from plainly.studio.kinds.base import Kind
from plainly.studio.texts import say

from ...waiting import LONG, until

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

Look = Callable[..., Any]
FRAMES = "() => new Promise(done => { let n = 4; const f = () => (n-- ? requestAnimationFrame(f) : done()); f(); })"
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For what has nothing to do with the database."""


class Time:
    """The clocks of the server and of the pages, which go on together when a test says so, and by themselves."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._pages: list[Any] = []
        self._passed = timedelta(0)

    def now(self) -> str:
        moment = datetime.now(timezone.utc) + self._passed
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def look(self, link: str, **settings: Any) -> Any:
        page = self._look("about:blank", **settings)
        page.clock.install()
        page.goto(link)
        self._pages.append(page)
        return page

    def passes(self, seconds: int) -> None:
        for page in self._pages:
            page.evaluate(FRAMES)  # what is shown is seen
        self._passed += timedelta(seconds=seconds)  # the server's first: it may hear of it at once
        for page in self._pages:
            page.clock.fast_forward(seconds * 1000)


@pytest.fixture
def clocks(look: Look, monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time(look)
    for module in ("tasks", "responses"):
        monkeypatch.setattr(f"plainly.studio.store.{module}.now", made.now)
    return made


def begin(page: Any) -> None:
    """Consent and form."""
    page.get_by_label("How old are you?").fill("33")
    page.get_by_label("native").check()
    page.locator("input[name=consent]").check()
    page.locator("form.welcome button[type=submit]").click()
    page.wait_for_selector(".ready")


def go(page: Any, to: str) -> None:
    """From a screen with one button to the next screen."""
    page.locator("#task button.primary").click()
    page.wait_for_selector(to)


def to_the_questions(page: Any) -> None:
    begin(page)
    go(page, ".reading")
    go(page, ".ready")
    go(page, ".question")


def next_question(page: Any, click: Callable[[], None]) -> None:
    before = page.locator("h1").text_content()
    click()
    shown = "(before) => (document.querySelector('#task h1')?.textContent ?? before) !== before"
    page.wait_for_function(shown, arg=before)


def exported(kind: Kind, hall: Any) -> list[dict[str, str]]:
    content = next(file.content for file in kind.exports(*hall.gathered) if file.name == "answers.csv")
    return list(csv.DictReader(io.StringIO(content)))


def test_two_participants_from_consent_to_the_end(
    hall: Any, look: Look, kind: Kind, tmp_path: Path, experiment_text: str
) -> None:
    """One with the mouse, one with keys alone; the export then has the numbers of the command line."""
    hall.open()
    replies: list[dict[str, Any]] = []

    def note(response: Any) -> None:
        if "/api/p/" in response.url:
            replies.append(response.json())

    for keys in (False, True):
        page = look("about:blank")
        page.on("response", note)
        page.goto(hall.invite())
        page.wait_for_selector("form.welcome")
        begin(page)
        for _ in range(2):
            for screen in (".reading", ".ready", ".question"):
                if keys:
                    if page.locator(".reading").count():
                        page.keyboard.press("Tab")
                    page.keyboard.press("Enter")
                else:
                    page.locator("#task button.primary").click()
                page.wait_for_selector(screen)
            for number in range(1, 5):
                page.wait_for_selector(f"text=Question {number} of 4")
                if keys:
                    page.keyboard.press("BCAD"[number - 1])
                    page.keyboard.press("Enter")
                else:
                    page.locator("label.answer").nth(number % 4).click()
                    page.get_by_role("button", name="Submit").click()
            page.wait_for_selector(".ready, [data-screen=finished]")
        page.wait_for_selector("body[data-screen=finished]")

    rows = exported(kind, hall)
    assert len(rows) == 16
    assert {row["completed"] for row in rows} == {"1"}
    assert {(row["age"], row["level"]) for row in rows} == {("33", "native")}
    assert [row["position"] for row in rows if row["user"] == "P002"] == ["2", "3", "1", "4"] * 2
    for row in rows:
        # The server's time holds the way there and back, too; both clocks are on this machine.
        assert 0 < float(row["time"]) <= float(row["server_time"]) + 2
        assert 0 < float(row["reading_time"]) <= float(row["reading_server_time"]) + 2
    check_numbers(kind, hall, tmp_path)
    check_secrecy(replies, experiment_text)


def check_numbers(kind: Kind, hall: Any, folder: Path) -> None:
    campaign, people, given = hall.gathered
    for file in kind.exports(campaign, people, given):
        (folder / file.name).write_text(file.content, "utf-8")
    arguments = [
        "comprehension",
        "score",
        str(folder / "answers.csv"),
        "--experiment",
        str(folder / "experiment.yaml"),
    ]
    assert main([*arguments, "--format", "json", "-o", str(folder / "score.json")]) in (None, 0)
    printed = json.loads((folder / "score.json").read_text("utf-8"))
    summary = kind.summary(campaign, people, given, say("en"))
    assert summary.signatures == (printed["signature"],)
    shown = [row[7]["value"] for row in summary.tables[0].rows]
    assert shown == pytest.approx([row["scores"]["c-score-simple"]["value"] for row in printed["texts"]])


def check_secrecy(replies: list[dict[str, Any]], experiment: str) -> None:
    """What was sent to the browsers says nowhere which answer is correct, nor which version was read."""
    assert len(replies) > 40
    for reply in replies:
        reply.pop("texts", None)  # words of the interface
        written = json.dumps(reply)
        assert not re.search(r"correct|distract|complex|simplified|storm-|flood-", written)
        assert len(reply["tasks"]) <= 1
        for task in reply["tasks"]:
            if "same" in task:  # the page has it already
                assert set(task) <= {"same", "id", "place", "since", "answer"}
                continue
            assert ("words" in task) == (task["phase"] == "reading")
            assert ("answers" in task) == (task["phase"] == "question")
    keys = set(re.findall(r"correct: (.*)", experiment))
    tasks = {task["id"]: task for reply in replies for task in reply["tasks"] if "answers" in task}
    places = {[answer in keys for answer in task["answers"]].index(True) for task in tasks.values()}
    assert len(places) > 1  # nor does its place


@on_sqlite
def test_a_timed_passage_disappears_and_stays_gone(hall: Any, clocks: Time, experiment_text: str) -> None:
    hall.open(experiment_text.replace("reading_seconds: 60", "reading_seconds: 900").replace("    seconds: 45\n", ""))
    page = clocks.look(hall.invite(), refusals=True)
    begin(page)
    assert "You have 900 seconds" in page.locator(".ready").inner_text()
    assert not re.search("warning|river", page.content())  # nothing of the text is there yet
    go(page, ".reading")
    assert re.search("warning|river", page.locator(".passage").inner_text())
    assert re.search(r"\d{3} seconds left", page.locator("[role=timer]").inner_text())
    clocks.passes(900)
    page.wait_for_selector(".ready")
    assert "The time for reading is over." in page.locator(".ready").inner_text()
    assert not re.search("warning|river", page.content())
    page.reload()
    page.wait_for_selector(".ready")
    assert not re.search("warning|river", page.content())
    (reading,) = [one for one in hall.gathered[2] if one.task["phase"] == "reading"]
    assert reading.answer["over"] is True
    assert 900 <= reading.seconds < 900 + LONG  # at once, were the machine not busy

    # The second text is gone in time although the server cannot be reached.
    go(page, ".question")
    for number in range(1, 5):
        page.wait_for_selector(f"text=Question {number} of 4")
        page.keyboard.press("a")
        page.keyboard.press("Enter")
    page.wait_for_selector("text=Text 2 of 2")
    go(page, ".reading")
    page.context.set_offline(True)
    clocks.passes(900)
    page.wait_for_selector("body[data-screen=sending]")
    assert page.locator(".passage").count() == 0
    page.context.set_offline(False)
    page.wait_for_selector(".ready")


@on_sqlite
def test_a_reload_does_not_begin_a_passage_again(hall: Any, clocks: Time, experiment_text: str) -> None:
    hall.open(experiment_text.replace("reading_seconds: 60", "reading_seconds: 900").replace("    seconds: 45\n", ""))
    link = hall.invite()
    page = clocks.look(link)
    begin(page)
    go(page, ".reading")
    until(lambda: told(hall))
    clocks.passes(100)
    page.reload()
    page.wait_for_selector(".reading")
    assert "The time since then counts" in page.locator(".reading").inner_text()
    elsewhere = clocks.look(link)  # the same link on another machine
    elsewhere.wait_for_selector(".reading")
    clocks.passes(800)
    elsewhere.wait_for_selector(".ready")  # for it ends there as well
    page.wait_for_selector(".ready")
    late = clocks.look(link)
    late.wait_for_selector(".ready")
    assert "warning" not in late.content()
    (reading,) = [one for one in hall.gathered[2] if one.task["phase"] == "reading"]
    assert reading.answer["before"] >= 100
    assert 900 <= reading.seconds + reading.answer["before"] < 900 + LONG


@on_sqlite
def test_a_question_that_was_left_open_counts_for_its_limit_at_most(
    hall: Any, clocks: Time, kind: Kind, experiment_text: str
) -> None:
    hall.open(experiment_text.replace("reading_seconds: 60", "answer_seconds: 900"))
    link = hall.invite()
    page = clocks.look(link)
    to_the_questions(page)
    until(lambda: told(hall, "question"))
    page.goto("about:blank")
    clocks.passes(9000)
    page.goto(link)
    page.wait_for_selector("text=Question 2 of 4")
    (row,) = exported(kind, hall)
    assert (row["answer"], row["resumed"]) == ("", "1")
    assert 900_000 <= float(row["time"]) < 2_000_000
    assert float(row["server_time"]) > 9_000_000


@on_sqlite
def test_a_passage_that_was_never_shown_is_not_over(hall: Any, clocks: Time, experiment_text: str) -> None:
    """The reply to "ready" is lost: the reader has seen nothing, and gets the whole time later."""
    hall.open(experiment_text.replace("reading_seconds: 60", "reading_seconds: 900").replace("    seconds: 45\n", ""))
    link = hall.invite()
    page = clocks.look(link, refusals=True)
    begin(page)
    page.route("**/responses", lambda route: (route.fetch(), route.abort()))
    with page.expect_event("requestfailed"):
        page.locator(".ready button").click()
    clocks.passes(900)
    assert [one.task["phase"] for one in hall.gathered[2]] == ["ready"]
    page.goto("about:blank")  # the reader gives up: a page that stays open would ask again, and show the text
    again = clocks.look(link)
    again.wait_for_selector(".reading")
    assert "The time since then counts" not in again.locator(".reading").inner_text()


@on_sqlite
def test_there_is_no_way_back(hall: Any, look: Look, client: Any) -> None:
    hall.open()
    link = hall.invite()
    page = look(link)
    to_the_questions(page)
    page.keyboard.press("a")
    next_question(page, lambda: page.keyboard.press("Enter"))
    second = page.locator("legend").inner_text()
    until(lambda: len(told(hall, "question")) == 2)  # one is answered, the other is shown
    page.reload()
    page.wait_for_selector(".question")
    assert page.locator("legend").inner_text() == second
    assert page.locator("input:checked").count() == 0
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector(".question")
    assert page.locator("legend").inner_text() == second
    assert page.locator("#undo").is_hidden()
    page.keyboard.press("u")
    assert page.locator("legend").inner_text() == second
    # Nor by hand: what was answered stays answered.
    answered = [one for one in hall.gathered[2] if one.task["phase"] == "question" and kind_done(one.answer)]
    api = link.replace("/p/", "/api/p/")
    task = client.get(api).json()["tasks"][0]["id"] - 1
    for action in ("answer", "undo"):
        sent = {
            "client_id": f"by-hand-{action}",
            "task": task,
            "action": action,
            "answer": {"place": 3},
            "seconds": 1,
        }
        reply = client.post(f"{api}/responses", json={"responses": [sent]}).json()
        assert [one["client_id"] for one in reply["refused"]] == [f"by-hand-{action}"]
    now = [one for one in hall.gathered[2] if one.task["phase"] == "question" and kind_done(one.answer)]
    assert now == answered


def told(hall: Any, phase: str = "reading") -> list[Any]:
    """What the server has heard of tasks of that phase: as soon as they are shown, it is told."""
    return [one for one in hall.gathered[2] if one.task["phase"] == phase]


def kind_done(answer: Any) -> bool:
    return bool(answer.get("done", True))


@on_sqlite
def test_the_limit_of_a_question_sends_what_is_chosen_or_nothing(
    hall: Any, clocks: Time, kind: Kind, experiment_text: str
) -> None:
    hall.open(experiment_text.replace("reading_seconds: 60", "answer_seconds: 900"))
    page = clocks.look(hall.invite())
    begin(page)
    go(page, ".reading")
    assert page.locator("[role=timer]").count() == 0  # no limit for reading
    go(page, ".ready")
    assert "You have 900 seconds for each question." in page.locator(".ready").inner_text()
    go(page, ".question")
    clocks.passes(900)
    page.wait_for_selector("text=Question 2 of 4")
    page.keyboard.press("c")
    clocks.passes(900)
    page.wait_for_selector("text=Question 3 of 4")
    first, second = exported(kind, hall)[:2]
    assert (first["answer"], first["position"], first["correct"]) == ("", "", "0")
    assert second["position"] == "3"
    for row in (first, second):
        assert 900_000 <= float(row["time"]) < 1_800_000


@on_sqlite
def test_without_a_countdown_no_clock_is_shown(hall: Any, clocks: Time, experiment_text: str) -> None:
    hall.open(experiment_text.replace("reading_seconds: 60", "reading_seconds: 900"), countdown=False)
    page = clocks.look(hall.invite())
    begin(page)
    page.locator(".ready button").click()
    page.wait_for_selector(".reading")
    assert page.locator(".clock, [role=timer]").count() == 0
    clocks.passes(900)
    page.wait_for_selector("text=The time for reading is over.")


@on_sqlite
def test_enter_ends_the_reading_too(hall: Any, clocks: Time) -> None:
    hall.open()
    page = clocks.look(hall.invite())
    begin(page)
    page.clock.pause_at(datetime.now() + timedelta(hours=1))
    page.keyboard.press("Enter")
    page.wait_for_selector(".reading")
    page.keyboard.press("Enter")  # too soon: the second half of a double press
    page.clock.run_for(5000)
    assert page.locator(".reading").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector(".ready")


@on_sqlite
def test_a_choice_survives_a_reload(hall: Any, look: Look, kind: Kind) -> None:
    hall.open()
    page = look(hall.invite())
    to_the_questions(page)
    page.keyboard.press("c")
    page.reload()
    page.wait_for_selector(".question")
    assert page.locator("input:checked").get_attribute("value") == "2"
    next_question(page, lambda: page.keyboard.press("Enter"))
    assert page.locator("input:checked").count() == 0
    assert exported(kind, hall)[0]["position"] == "3"


@on_sqlite
def test_a_question_answered_in_one_tab_leaves_the_other(hall: Any, look: Look, experiment_text: str) -> None:
    hall.open(experiment_text.replace("reading_seconds: 60", "answer_seconds: 60"))
    link = hall.invite()
    one = look(link)
    to_the_questions(one)
    other = one.context.new_page()
    other.goto(link)
    other.wait_for_selector("text=Question 1 of 4")
    other.keyboard.press("a")
    next_question(other, lambda: other.keyboard.press("Enter"))
    one.bring_to_front()
    one.wait_for_selector("text=Question 2 of 4")
    assert one.locator("#notice").is_hidden()


@on_sqlite
def test_keys_choose_and_a_key_held_down_skips_nothing(hall: Any, look: Look) -> None:
    hall.open()
    page = look(hall.invite())
    begin(page)
    page.keyboard.down("Enter")
    page.wait_for_selector(".reading")
    for _ in range(5):
        page.keyboard.down("Enter")  # repeats
    page.evaluate(FRAMES)
    assert page.locator(".reading").count() == 1
    page.keyboard.up("Enter")
    page.keyboard.press("Tab")
    page.keyboard.down("Enter")
    page.wait_for_selector(".ready")
    for _ in range(5):
        page.keyboard.down("Enter")
    page.evaluate(FRAMES)
    assert page.locator(".ready").count() == 1
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector(".question")
    page.keyboard.press("Enter")
    assert page.locator("[role=alert]").inner_text() == "Please choose an answer first."
    page.keyboard.press("d")
    assert page.locator("input:checked").get_attribute("value") == "3"
    page.keyboard.press("ArrowDown")  # the answers are radio buttons
    assert page.locator("input:checked").get_attribute("value") == "0"
    page.keyboard.press("B")
    assert page.locator("input:checked").get_attribute("value") == "1"
    page.keyboard.press("z")
    assert page.locator("input:checked").get_attribute("value") == "1"
    next_question(page, lambda: page.keyboard.press("Enter"))


@pytest.mark.slow
@on_sqlite
@pytest.mark.parametrize(("interface", "width", "scheme"), [("en", 1200, "dark"), ("de", 360, "light")])
def test_everybody_can_use_it(
    hall: Any,
    look: Look,
    faults_of: Callable[[Any], list[str]],
    experiment_text: str,
    interface: str,
    width: int,
    scheme: str,
) -> None:
    timed = experiment_text.replace("reading_seconds: 60", "reading_seconds: 60\nanswer_seconds: 50")
    long = timed.replace("Under the highest roof.", "Under" + " the highest and widest" * 20 + " roof.")
    hall.open(long.replace("A loud thunderclap.", "A" + "l" * 80 + "oud thunderclap."), interface=interface)
    page = look(hall.invite(), viewport={"width": width, "height": 700}, color_scheme=scheme)
    page.wait_for_selector("form.welcome")

    def check(screen: str) -> None:
        page.wait_for_selector(screen)
        assert faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        text = page.locator("body").inner_text()
        assert not re.search(r"comprehension\.|\{\w+\}", text)

    begin(page)
    check(".ready")
    go(page, ".reading")
    check(".reading")
    go(page, ".ready")
    check(".ready")
    go(page, ".question")
    for number in range(1, 5):
        page.wait_for_selector(f"text=/(Question|Frage) {number} (of|von) 4/")
        check(".question")
        page.locator("label.answer").first.click()
        next_question(page, lambda: page.locator("button[type=submit]").click())
    if interface == "de":
        words = page.locator(".ready").inner_text()
        assert "Wenn Sie bereit sind" in words
        assert page.locator("html").get_attribute("lang") == "de"
        go(page, ".reading")
        assert page.locator(".passage").get_attribute("lang") == "en"
        assert "Ich habe den Text gelesen" in page.locator(".reading").inner_text()


@on_sqlite
def test_texts_from_right_to_left(hall: Any, look: Look, experiment_text: str) -> None:
    arabic = experiment_text.replace("lang: en", "lang: ar").replace("Up the stairs.", "<b>إلى الطابق الأعلى</b>")
    hall.open(arabic)
    page = look(hall.invite())
    begin(page)
    go(page, ".reading")
    passage = page.locator(".passage")
    assert (passage.get_attribute("lang"), passage.get_attribute("dir")) == ("ar", "rtl")
    go(page, ".ready")
    go(page, ".question")
    assert page.locator("legend").get_attribute("dir") == "rtl"
    assert page.locator(".said b").count() == 0  # markup in texts stays text
