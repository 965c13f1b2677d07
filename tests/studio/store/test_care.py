"""Comments, the questionnaire afterwards, the least time before an answer, and withdrawal: what the server does."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import select

from plainly.base.errors import PlainlyError
from plainly.studio.results import all_files
from plainly.studio.store import afterwards, archive, campaigns, overview, people, responses, tables, tasks
from plainly.studio.store.database import Database
from plainly.studio.welcome import checked_welcome

from ...cases import each
from .conftest import WELCOME, Browser

Make = Callable[..., str]
AFTER = [{"id": "hard", "label": "How hard was it?", "kind": "number", "least": 1, "most": 5}]


@pytest.fixture
def begun(app: Any, make: Make, client: Any) -> Callable[..., tuple[str, Browser, list[int]]]:
    """begun(**parts of the welcome): a campaign in which one has begun, and the ids of the tasks."""

    def made(**welcome: Any) -> tuple[str, Browser, list[int]]:
        campaign = make("cat", "dog", status="draft")
        with app.state.database.writing() as session:
            row = campaigns.change(session, campaign, 1, welcome={**WELCOME, **welcome})
            campaigns.change(session, campaign, row.revision, status="open")
            (one,) = people.invite(session, campaign, 1, ["Anna"])
        browser = Browser(client, one.secret)
        return campaign, browser, [task["id"] for task in browser.welcome()["tasks"]]

    return made


def finish(browser: Browser, ids: list[int], **more: Any) -> Any:
    state = None
    for task in ids:
        state = browser.answer(task, **more)
    while state["tasks"]:
        state = browser.answer(state["tasks"][0]["id"], **more)
    return state


def files(app: Any, campaign: str) -> dict[str, list[dict[str, str]]]:
    made = {one.name: one.content for one in all_files(app.state.database, campaign)}
    return {name: list(csv.DictReader(io.StringIO(text))) for name, text in made.items() if name.endswith(".csv")}


def test_comments_come_with_answers_and_at_the_end(app: Any, begun: Any) -> None:
    campaign, browser, (first, second) = begun(comments=True, after=AFTER)
    browser.answer(first, comment="  Is =1+1 a word? ")
    browser.undo(first)
    browser.answer(first, comment="Odd word.")
    state = finish(browser, [second])
    assert state["participant"]["finished"] is True
    refused = browser.client.post(f"{browser.base}/after", json={"fields": {"hard": "9"}})
    assert refused.status_code == 422
    said = browser.client.post(f"{browser.base}/after", json={"fields": {"hard": "4"}, "comment": "=Nice"}).json()
    assert said["participant"]["sent_after"] is True
    browser.client.post(f"{browser.base}/after", json={"fields": {"hard": "1"}})  # the first one counts
    with app.state.database.reading() as session:
        found = [(one.code, one.place, one.task, one.text) for one in afterwards.comments(session, campaign)]
    assert found == [("P001", 0, "w0", "Odd word."), ("P001", None, "", "=Nice")]
    exported = files(app, campaign)
    assert [row["comment"] for row in exported["comments.csv"]] == ["Odd word.", "'=Nice"]
    assert [row["task"] for row in exported["comments.csv"]] == ["1", ""]
    assert exported["participants.csv"][0]["after.hard"] == "4"


def test_no_comments_unless_they_are_asked_for(app: Any, begun: Any) -> None:
    campaign, browser, ids = begun()
    finish(browser, ids, comment="Nobody asked me.")
    browser.client.post(f"{browser.base}/after", json={"comment": "Nor now."})
    with app.state.database.reading() as session:
        assert afterwards.comments(session, campaign) == []
    assert "comments.csv" not in files(app, campaign)


def test_who_is_done_has_the_code_though_the_campaign_was_closed_before_the_questionnaire(
    app: Any, begun: Any
) -> None:
    campaign, browser, ids = begun(after=AFTER)
    with app.state.database.writing() as session:
        row = campaigns.get(session, campaign)
        campaigns.change(session, campaign, row.revision, arrival={"code": "fixed", "fixed_code": "DONE"})
    assert "completion" not in finish(browser, ids)["participant"]
    with app.state.database.writing() as session:
        row = campaigns.get(session, campaign)
        campaigns.change(session, campaign, row.revision, status="closed")
    assert browser.client.post(f"{browser.base}/after", json={"fields": {"hard": "4"}}).status_code == 409
    assert browser.state()["participant"]["completion"] == {"code": "DONE"}


def test_the_questionnaire_comes_after_all_tasks(begun: Any) -> None:
    _, browser, _ = begun(after=AFTER)
    assert browser.client.post(f"{browser.base}/after", json={"fields": {"hard": "4"}}).status_code == 409


def test_what_is_said_afterwards_travels_along(app: Any, begun: Any) -> None:
    campaign, browser, ids = begun(comments=True, after=AFTER, thanks="Bye.", least_seconds=0.01, withdrawal="keep")
    finish(browser, ids, comment="Hm.")
    browser.client.post(f"{browser.base}/after", json={"fields": {"hard": "4"}, "comment": "Fine."})
    with app.state.database.reading() as session:
        content = archive.archived(session, campaign)
    with app.state.database.writing() as session:
        copy = archive.restore(session, content, "x.json", new_links=True).id
    with app.state.database.reading() as session:
        again = archive.archived(session, copy)
        assert [one.text for one in afterwards.comments(session, copy)] == ["Hm.", "Hm.", "Hm.", "Fine."]
    for one in (*content["participants"], *again["participants"]):
        del one["token"]
    assert again == content


# --- The least time before an answer --------------------------------------------------------------------------------


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The server's clock: time["now"] in seconds."""
    clock = {"now": 0.0}
    start = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)

    def now() -> str:
        moment = start + timedelta(seconds=clock["now"])
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    for module in (responses, tasks):
        monkeypatch.setattr(module, "now", now)
    return clock


def test_six_presses_in_a_moment_give_one_answer(begun: Any, time: dict[str, float]) -> None:
    _, browser, (first, second) = begun(least_seconds=5)
    time["now"] = 4.0
    early = browser.answer(first)
    assert early["stored"] == []
    assert "5 seconds" in early["refused"][0]["error"]
    time["now"] = 5.0
    assert len(browser.answer(first)["stored"]) == 1
    for _ in range(5):
        assert browser.answer(second)["stored"] == []
    time["now"] = 9.9  # half a second is for clocks that differ
    assert len(browser.answer(second)["stored"]) == 1


def test_a_slip_may_be_mended_at_once(begun: Any, time: dict[str, float]) -> None:
    _, browser, (first, _) = begun(least_seconds=5)
    time["now"] = 5.0
    browser.answer(first)
    browser.undo(first)
    assert len(browser.answer(first, False)["stored"]) == 1


def test_answers_that_waited_without_a_network_are_not_too_early(begun: Any, time: dict[str, float]) -> None:
    _, browser, ids = begun(least_seconds=5)
    time["now"] = 10.0
    reply = browser.send(*(browser.response(task) for task in ids)).json()
    assert len(reply["stored"]) == 2
    more = reply["tasks"][0]["id"]
    assert browser.answer(more)["stored"] == []  # ten seconds are enough for two answers only


# --- Withdrawal -----------------------------------------------------------------------------------------------------


def withdraw(browser: Browser) -> Any:
    return browser.client.post(f"{browser.base}/withdraw", json={"sure": True})


@pytest.mark.parametrize("status", ["open", "paused"])
def test_one_who_withdraws_leaves_a_row_without_data(app: Any, begun: Any, status: str) -> None:
    campaign, browser, ids = begun(comments=True)
    finish(browser, ids, comment="Secret")
    database: Database = app.state.database
    if status == "paused":
        with database.writing() as session:
            row = campaigns.get(session, campaign)
            campaigns.change(session, campaign, row.revision, status="paused")
    assert browser.client.post(f"{browser.base}/withdraw", json={"sure": False}).status_code == 422
    said = withdraw(browser).json()
    assert "deleted" in said["text"]
    for reply in (browser.client.get(browser.base), withdraw(browser), browser.send(browser.response(ids[0]))):
        assert (reply.status_code, reply.json()["error"]) == (403, said["text"])
    page = browser.client.get(browser.base.removeprefix("/api"))
    assert (page.status_code, said["title"] in page.text) == (403, True)
    with database.reading() as session:
        (row,) = session.scalars(select(tables.Participant).where(tables.Participant.campaign_id == campaign))
        assert (row.status, row.fields, row.note, row.started, row.completion) == ("withdrawn", {}, "", None, "")
        assert session.scalars(select(tables.Task.id)).all() == []
        assert session.scalars(select(tables.Response.id)).all() == []
    (listed,) = overview.participants(database, campaign)
    assert (listed["status"], listed["done"], listed["total"]) == ("withdrawn", 0, 0)
    assert files(app, campaign)["participants.csv"][0]["status"] == "withdrawn"
    with pytest.raises(PlainlyError, match="has withdrawn"), database.writing() as session:
        people.renew(session, campaign, 1)
    with database.reading() as session:
        content = archive.archived(session, campaign)
    with database.writing() as session:
        archive.restore(session, content, "x.json", new_links=True)


def test_answers_are_kept_where_the_owner_says_so(app: Any, begun: Any) -> None:
    campaign, browser, (first, _) = begun(withdrawal="keep")
    browser.answer(first)
    assert "is kept" in withdraw(browser).json()["text"]
    assert browser.client.get(browser.base).status_code == 403
    (listed,) = overview.participants(app.state.database, campaign)
    assert (listed["status"], listed["done"]) == ("withdrawn", 1)


@each(
    "part, words",
    [
        ({"comments": "yes"}, "comments must be true or false"),
        ({"least_seconds": -1}, "least_seconds must be a number from 0 to 600"),
        ({"least_seconds": True}, "least_seconds must be a number"),
        ({"thanks": 5}, "the thanks must be a text"),
        ({"withdrawal": "never"}, "unknown way to withdraw"),
        ({"after": [{"id": "a b", "label": "x"}]}, "field 1 of the questionnaire after the tasks: an id has"),
    ],
)
def test_parts_of_the_welcome_that_are_refused(part: Any, words: str) -> None:
    with pytest.raises(PlainlyError, match=words):
        checked_welcome(part)
