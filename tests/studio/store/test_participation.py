"""A participant comes by a link, agrees, answers, takes back, goes away and comes back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from plainly.studio.store import campaigns, database, overview, people, tables, tasks, users
from plainly.studio.store.overview import given
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record

from ...waiting import LONG

Invite = Callable[..., Any]


def stored(app: Any) -> int:
    with app.state.database.reading() as session:
        return session.scalar(select(func.count()).select_from(tables.Response))


def set_status(app: Any, campaign: str, status: str) -> None:
    with app.state.database.writing() as session:
        campaigns.change(session, campaign, campaigns.get(session, campaign).revision, status=status)


def test_state_before_the_welcome_has_all_that_the_page_needs(invite: Invite, campaign: str) -> None:
    state = invite().state()
    assert state["participant"] == {"code": "P001", "welcomed": False, "finished": False, "preview": False}
    assert (state["tasks"], state["last"], state["progress"]) == ([], None, {"done": 0, "total": 0})
    about = state["campaign"]
    assert (about["id"], about["name"], about["kind"], about["status"]) == (campaign, "Short words", "toy", "open")
    assert (about["lang"], about["dir"], about["undoable"], about["revisable"]) == ("en", "ltr", True, False)
    assert about["public"] == {"question": "Is it short?"}
    assert [field["id"] for field in about["welcome"]["form"]] == ["age", "level"]
    assert set(state["texts"]) == {"participant", "toy", "guide"}


def test_from_welcome_to_the_end(invite: Invite) -> None:
    browser = invite()
    state = browser.welcome()
    assert [task["word"] for task in state["tasks"]] == ["cat", "elephant"]
    assert state["progress"] == {"done": 0, "total": 3}
    first, second = (task["id"] for task in state["tasks"])
    state = browser.answer(first)
    assert state["stored"] == [f"{browser.base[7:15]}.0"]
    assert [task["id"] for task in state["tasks"]] == [second]
    assert state["last"] == {"id": first, "place": 0, "word": "cat", "item": "w0", "answer": {"yes": True}}
    state = browser.answer(second, False)
    (more,) = state["tasks"]  # made in the light of the two answers
    assert (more["place"], more["seen"]) == (2, 2)
    state = browser.answer(more["id"])
    assert state["participant"]["finished"] is True
    assert state["progress"] == {"done": 3, "total": 3}
    again = browser.state()
    assert again.pop("texts")  # what a page needs once
    assert again == {key: state[key] for key in state if key not in ("stored", "refused")}


def test_a_repeat_is_stored_once_and_acknowledged_again(app: Any, invite: Invite) -> None:
    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    sent = browser.response(task)
    first, again = browser.send(sent).json(), browser.send(sent, sent).json()
    assert first["stored"] == [sent["client_id"]]
    assert set(again["stored"]) == {sent["client_id"]}
    assert again["refused"] == []
    assert stored(app) == 1


def test_undo_opens_the_task_again_and_counts_the_revision(app: Any, invite: Invite, campaign: str) -> None:
    browser = invite()
    first, second = (task["id"] for task in browser.welcome()["tasks"])
    browser.answer(first)
    browser.answer(second)
    assert "last answer" in browser.undo(first)["refused"][0]["error"]
    state = browser.undo(second)
    assert state["tasks"][0]["id"] == second
    assert state["last"]["id"] == first
    state = browser.undo(first)  # and one more
    assert [task["id"] for task in state["tasks"]] == [first, second, state["tasks"][2]["id"]]
    assert state["last"] is None
    browser.answer(first, False)
    with app.state.database.reading() as session:
        (one,) = given(session, campaign)
    assert (one.answer, one.revisions, one.seconds, one.place, one.person.code) == (
        {"yes": False},
        1,
        0.25,
        0,
        "P001",
    )
    assert stored(app) == 5  # nothing is ever overwritten


def test_undo_after_the_end_begins_again(invite: Invite) -> None:
    browser = invite()
    for task in browser.welcome()["tasks"]:
        state = browser.answer(task["id"])
    last = state["tasks"][0]["id"]
    assert browser.answer(last)["participant"]["finished"]
    assert not browser.undo(last)["participant"]["finished"]
    assert browser.answer(last)["participant"]["finished"]


def test_what_cannot_be_stored_is_refused_one_by_one(app: Any, invite: Invite) -> None:
    browser, stranger = invite(), invite()
    first, second = (task["id"] for task in browser.welcome()["tasks"])
    other = stranger.welcome()["tasks"][0]["id"]
    reply = browser.send(
        browser.response(first, "maybe"),
        browser.response(other),
        browser.response(second),
        browser.response(second),
        browser.response(first, True, answer={"yes": True, "why": "\ud800"}),
        browser.response(first, True, answer={"yes": True, "why": "x" * 300_000}),
    ).json()
    assert len(reply["stored"]) == 1
    errors = [refusal["error"] for refusal in reply["refused"]]
    for words, error in zip(["yes must", "no such", "before", "characters", "too long"], errors, strict=True):
        assert words in error
    assert stored(app) == 1
    assert stranger.state()["progress"]["done"] == 0


MALFORMED = [
    b"",
    b"{",
    b"[1]",
    b"\xff",
    b"1" * 5000,
    b"[" * 100_000,
    b'{"responses": NaN}',
    b"{}",
    b'{"responses": []}',
    b'{"responses": [{}]}',
    b'{"responses": [{"client_id": "a", "task": 1099511627776, "answer": {}}]}',
    b'{"responses": [{"client_id": "\\u0000", "task": 1, "answer": {}}]}',
    b'{"responses": [{"client_id": "\\ud800", "task": 1, "answer": {}}]}',
    b'{"responses": [{"client_id": "a", "task": 1, "answer": []}]}',
    b'{"responses": [{"client_id": "a", "task": 1, "answer": {}, "seconds": -1}]}',
    b'{"responses": [{"client_id": "a", "task": 1, "answer": {}, "seconds": 1e999}]}',
    b'{"responses": [{"client_id": "a", "task": 1, "action": "delete"}]}',
    b'{"responses": [' + b",".join([b'{"client_id": "a", "task": 1}'] * 51) + b"]}",
]


def test_malformed_responses_are_refused_in_words(app: Any, invite: Invite) -> None:
    browser = invite()
    browser.welcome()
    headers = {"Content-Type": "application/json"}
    for body in MALFORMED:
        reply = browser.client.post(f"{browser.base}/responses", content=body, headers=headers)
        assert reply.status_code in (400, 422), body
        assert list(reply.json()) == ["error"], body
    assert stored(app) == 0


def test_numbers_that_are_none_are_refused(invite: Invite) -> None:
    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    reply = browser.send(browser.response(task, answer={"yes": True, "why": float("nan")}))
    assert "characters" in reply.json()["refused"][0]["error"]


def test_the_form_is_checked(invite: Invite) -> None:
    browser = invite()
    for fields, words in [
        ({}, "How old are you?: Please fill this in."),
        ({"age": "old"}, "Please give a number"),
        ({"age": "nan"}, "Please give a number"),
        ({"age": "4", "level": "middle"}, "choose one of these: low, high"),
        ({"age": "4", "name": "me"}, "does not ask for name"),
        ({"age": "4\0"}, "Please write one line"),
    ]:
        reply = browser.client.post(f"{browser.base}/welcome", json={"consent": True, "fields": fields})
        assert reply.status_code == 422
        assert words in reply.json()["error"]
    assert browser.state()["participant"]["welcomed"] is False


def test_no_tasks_without_consent(invite: Invite) -> None:
    browser = invite()
    body = {"consent": False, "fields": {"age": "4"}}
    assert browser.client.post(f"{browser.base}/welcome", json=body).status_code == 422
    assert browser.send(browser.response(1)).status_code == 409


def test_the_welcome_is_given_once(app: Any, invite: Invite, campaign: str) -> None:
    browser = invite()
    first = browser.welcome(age="42,5")
    again = browser.welcome(age="43")
    assert first["tasks"] == again["tasks"]
    with app.state.database.reading() as session:
        (person,) = overview.people(session, campaign)
    assert (person.fields, person.tasks, person.done, person.finished) == ({"age": "42.5"}, 2, 0, False)


def test_a_break_keeps_answers_but_shows_no_tasks(app: Any, invite: Invite, campaign: str) -> None:
    browser, late = invite(), invite()
    first, second = (task["id"] for task in browser.welcome()["tasks"])
    set_status(app, campaign, "paused")
    state = browser.answer(first)
    assert (state["tasks"], state["campaign"]["status"]) == ([], "paused")
    state = browser.answer(second)
    assert (state["tasks"], state["participant"]["finished"], len(state["stored"])) == ([], False, 1)
    body = {"consent": True, "fields": {"age": "4"}}
    assert late.client.post(f"{late.base}/welcome", json=body).status_code == 409
    set_status(app, campaign, "open")
    assert [task["place"] for task in browser.state()["tasks"]] == [2]  # made now


@pytest.mark.parametrize("kind", ["toy", "book"])
def test_who_answers_the_last_task_in_a_break_has_finished(
    app: Any, make: Callable[..., str], invite: Invite, kind: str
) -> None:
    campaign = make(kind=kind)
    browser, other = invite(campaign), invite(campaign)
    state = browser.welcome()
    other.welcome()
    if kind == "toy":  # more tasks come when the first ones are done: here it is one
        for task in state["tasks"]:
            state = browser.answer(task["id"])
    set_status(app, campaign, "paused")
    for task in state["tasks"]:
        state = browser.answer(task["id"])
    assert state["participant"]["finished"] is True
    set_status(app, campaign, "closed")
    found = overview.participants(app.state.database, campaign)
    assert [one["finished"] is not None for one in found] == [True, False]


def test_a_link_that_was_renewed_in_the_middle_makes_nothing(app: Any, invite: Invite, campaign: str) -> None:
    """Between the answer and the next tasks, others may write: the participant is found again by the link."""
    browser = invite()
    for task in browser.welcome()["tasks"]:
        browser.answer(task["id"])
    secret = browser.base.rpartition("/")[2]
    with app.state.database.reading() as session:
        who = visitor(session, secret)
        (last,) = tasks.ahead(session, who)
    with app.state.database.writing() as session:
        who = record(session, who, [Sent("z", last["id"], "answer", {"yes": True}, 1.0)]).visitor
        assert tasks.stuck(session, who)
        found = tasks.further(session, who)
        people.renew(session, campaign, 1)
        assert not tasks.go_on(session, who, found).finished
    assert [one["finished"] for one in overview.participants(app.state.database, campaign)] == [None]


@pytest.mark.parametrize("keeps", ["delete", "keep"])
def test_one_who_withdraws_between_the_answer_and_the_next_tasks(
    app: Any, make: Callable[..., str], invite: Invite, keeps: str
) -> None:
    campaign = make("cat", status="draft")
    with app.state.database.writing() as session:
        row = campaigns.change(session, campaign, 1, welcome={"withdrawal": keeps})
        campaigns.change(session, campaign, row.revision, status="open")
    browser = invite(campaign)
    browser.client.post(f"{browser.base}/welcome", json={"consent": True})
    with app.state.database.reading() as session:
        who = visitor(session, browser.base.rpartition("/")[2])
    assert browser.client.post(f"{browser.base}/withdraw", json={"sure": True}).status_code == 200
    with app.state.database.writing() as session:
        assert not tasks.go_on(session, who, tasks.further(session, who)).finished
    (one,) = overview.participants(app.state.database, campaign)
    assert (one["status"], one["finished"]) == ("withdrawn", None)


def test_ids_are_never_used_again(app: Any, invite: Invite, campaign: str) -> None:
    """A late request of one who is gone must not reach another."""
    database = app.state.database

    def newest() -> list[int]:
        with database.reading() as session:
            return [session.scalar(select(func.max(table.id))) for table in (tables.Participant, tables.Task)]

    invite().welcome()
    before = newest()
    with database.writing() as session:
        people.remove(session, campaign, 1)
        users.add(session, "anna", "x", "owner")
        first = users.add(session, "bert", "x", "owner").id
        users.remove(session, first)
        assert users.add(session, "cora", "x", "owner").id > first
    invite().welcome()
    assert all(new > old for new, old in zip(newest(), before, strict=True))


@pytest.mark.parametrize("status", ["closed", "archived", "draft"])
def test_a_study_that_is_not_open_says_so(app: Any, invite: Invite, campaign: str, status: str) -> None:
    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    if status != "draft":
        set_status(app, campaign, "closed")
    if status == "archived":
        set_status(app, campaign, "archived")
    if status == "draft":
        with app.state.database.writing() as session:
            campaigns.get(session, campaign).status = "draft"
            campaigns.get(session, campaign).revision += 1
    for reply in (browser.client.get(browser.base), browser.send(browser.response(task))):
        assert reply.status_code == 409
        assert "study" in reply.json()["error"]
    assert stored(app) == 0


def test_links_that_open_nothing(app: Any, invite: Invite, client: httpx.Client, campaign: str) -> None:
    browser = invite()
    with app.state.database.writing() as session:
        people.revoke(session, campaign, 1)
    assert client.get(browser.base).status_code == 403
    with app.state.database.writing() as session:
        made = people.renew(session, campaign, 1)
    assert client.get(browser.base).status_code == 404
    assert client.get(f"/api/p/{made.secret}").json()["participant"]["code"] == "P001"
    unknown = client.get("/api/p/unknown", headers={"Accept-Language": "de"})
    assert unknown.status_code == 404
    assert unknown.json()["error"].startswith("Dieser Link ist nicht bekannt")
    assert client.get("/api/p/%00%ff").status_code == 404


def test_a_deleted_participant_leaves_nothing_and_the_number_is_not_given_again(
    app: Any, invite: Invite, campaign: str
) -> None:
    invite()
    browser = invite()
    browser.answer(browser.welcome()["tasks"][0]["id"])
    with app.state.database.writing() as session:
        people.remove(session, campaign, 2)
    assert stored(app) == 0
    assert browser.client.get(browser.base).status_code == 404
    assert invite().state()["participant"]["code"] == "P003"


def test_previews_count_nowhere(app: Any, invite: Invite, client: httpx.Client, campaign: str) -> None:
    browser = invite()
    browser.answer(browser.welcome()["tasks"][0]["id"])
    with app.state.database.writing() as session:
        old = people.preview(session, campaign)
    looked = type(browser)(client, old.secret)
    task = looked.welcome()["tasks"][0]["id"]
    state = looked.answer(task)
    assert state["participant"]["preview"] is True
    state = looked.answer(state["tasks"][0]["id"])
    assert state["tasks"][0]["seen"] == 3  # that of the participant, and its own two
    with app.state.database.reading() as session:
        assert [one.person.code for one in given(session, campaign)] == ["P001"]
        assert [person.code for person in overview.people(session, campaign)] == ["P001"]
    with app.state.database.writing() as session:
        new = people.preview(session, campaign)
    assert client.get(f"/api/p/{old.secret}").status_code == 404
    assert client.get(f"/api/p/{new.secret}").json()["progress"]["done"] == 0


def test_a_preview_works_in_a_draft(app: Any, client: httpx.Client, make: Any) -> None:
    draft = make(status="draft")
    with app.state.database.writing() as session:
        secret = people.preview(session, draft).secret
    body = {"consent": True, "fields": {"age": "4"}}
    assert len(client.post(f"/api/p/{secret}/welcome", json=body).json()["tasks"]) == 2


def test_revisable_kinds_open_tasks_again(app: Any, invite: Invite, make: Any) -> None:
    book = make(kind="book")
    browser = invite(book)
    first, second = (task["id"] for task in browser.welcome()["tasks"])
    saved = browser.answer(first, answer={"yes": True, "done": False})
    assert saved["progress"]["done"] == 0
    assert saved["tasks"][0]["answer"] == {"yes": True, "done": False, "page": True}
    browser.answer(first)
    state = browser.answer(second)
    assert state["participant"]["finished"] is True
    listed = browser.client.get(f"{browser.base}/tasks").json()
    assert listed == [{"id": first, "place": 0, "done": True}, {"id": second, "place": 1, "done": True}]
    opened = browser.client.get(f"{browser.base}/tasks/{first}").json()
    assert (opened["word"], opened["answer"]) == ("cat", {"yes": True, "page": True})
    assert browser.answer(first, False)["participant"]["finished"] is True
    with app.state.database.reading() as session:
        assert [(one.answer["yes"], one.revisions) for one in given(session, book)] == [(False, 2), (True, 0)]
    assert browser.client.get(f"{browser.base}/tasks/{first + 10_000}").status_code == 404
    toy = invite()
    toy.welcome()
    assert toy.client.get(f"{toy.base}/tasks").status_code == 409


@pytest.mark.slow
def test_many_at_once_lose_and_double_nothing(app: Any, server: str, invite: Invite, campaign: str) -> None:
    browsers = [invite() for _ in range(12)]

    def answers_all(browser: Any) -> None:
        with httpx.Client(base_url=server, timeout=LONG) as client:
            browser.client = client
            state = browser.welcome()
            while state["tasks"]:
                sent = browser.response(state["tasks"][0]["id"])
                browser.send(sent)
                state = browser.send(sent).json()  # every reply is lost once

    with ThreadPoolExecutor(12) as threads:
        list(threads.map(answers_all, browsers))
    assert stored(app) == 12 * 3
    with app.state.database.reading() as session:
        assert all(person.finished for person in overview.people(session, campaign))
        assert len(given(session, campaign)) == 36


def test_the_same_response_from_many_threads_is_stored_once(app: Any, server: str, invite: Invite) -> None:
    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    sent = browser.response(task)
    with ThreadPoolExecutor(8) as threads:
        replies = list(
            threads.map(
                lambda _: httpx.post(f"{server}{browser.base}/responses", json={"responses": [sent]}), range(8)
            )
        )
    assert [reply.json()["stored"] for reply in replies] == [[sent["client_id"]]] * 8
    assert stored(app) == 1


def test_two_tabs_answer_the_same_task(app: Any, server: str, invite: Invite) -> None:
    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    sent = [browser.response(task) for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        replies = list(threads.map(lambda one: browser_post(server, browser, one), sent))
    assert sum(len(reply["stored"]) for reply in replies) == 1
    assert stored(app) == 1


def browser_post(server: str, browser: Any, one: Any) -> Any:
    return httpx.post(f"{server}{browser.base}/responses", json={"responses": [one]}).json()


def test_nobody_waits_while_tasks_are_chosen(
    app: Any, invite: Invite, campaign: str, toy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kinds may think long about the next tasks; meanwhile others write."""
    chosen = toy.Toy.more_tasks

    def slow(self: Any, *arguments: Any) -> Any:
        invite()  # writes, and would wait for ever for one who writes already
        return chosen(self, *arguments)

    monkeypatch.setattr(database, "PATIENCE", 0.5)
    monkeypatch.setattr(toy.Toy, "more_tasks", slow)
    browser = invite()
    for task in browser.welcome()["tasks"]:
        state = browser.answer(task["id"])
    assert [task["place"] for task in state["tasks"]] == [2]
    with app.state.database.reading() as session:
        assert len(overview.people(session, campaign)) == 2


def test_a_campaign_without_tasks_for_somebody(invite: Invite, toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy.Toy, "tasks", lambda *_: [])
    monkeypatch.setattr(toy.Toy, "more_tasks", lambda *_: [])
    assert invite().welcome()["participant"]["finished"] is True


def test_answers_of_participants_are_never_kept_by_browsers(invite: Invite) -> None:
    browser = invite()
    headers = browser.client.get(browser.base).headers
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'self'" in headers["content-security-policy"]
