"""What one participant or one analyst cannot take from all others: threads, the turn to write, the disk."""

from __future__ import annotations

import io
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from plainly.studio.api import participation
from plainly.studio.api.dependencies import OF_ONE
from plainly.studio.security.limits import Limit
from plainly.studio.store import database as database_module
from plainly.studio.store import responses, tables

from ...waiting import LONG, until
from .conftest import good


class Reader:
    """A participant of the toy kinds."""

    def __init__(self, base: Any, link: str) -> None:
        self.base, self.path = base, f"/api/p/{link.rsplit('/', 1)[1]}"

    def send(self, client_id: str, task: int, **answer: Any) -> httpx.Response:
        one = {"client_id": client_id, "task": task, "answer": {"yes": True, **answer}}
        return httpx.post(f"{self.base}{self.path}/responses", json={"responses": [one]}, timeout=LONG)

    def tasks(self) -> list[int]:
        body = {"consent": True, "fields": {}}
        state = good(httpx.post(f"{self.base}{self.path}/welcome", json=body, timeout=LONG))
        return [task["id"] for task in state["tasks"]]


@pytest.fixture
def readers(owner: httpx.Client, running: dict[str, Any]) -> tuple[Reader, Reader]:
    """Two participants who have begun; the second one has an open task."""
    first, second = (Reader(str(owner.base_url).rstrip("/"), one["link"]) for one in running["links"])
    return first, second


@pytest.fixture
def book(owner: httpx.Client, toy: ModuleType) -> Reader:
    """A participant of a kind whose work is saved before it is done."""
    data = {"kind": "book", "lang": "en", "name": "Book"}
    made = good(owner.post("/api/campaigns", data=data, files={"words": ("words.txt", "ant\nbee\n")}), 201)
    path = f"/api/campaigns/{made['id']}"
    good(owner.patch(path, json={"revision": 1, "status": "open"}))
    return Reader(
        str(owner.base_url).rstrip("/"), good(owner.post(f"{path}/participants", json={}), 201)["links"][0]["link"]
    )


def rows(app: Any, task: int) -> int:
    with app.state.database.reading() as session:
        table = tables.Response
        return session.scalar(select(func.count()).select_from(table).where(table.task_id == task)) or 0


def test_nobody_waits_while_answers_are_checked(
    app: Any,
    owner: httpx.Client,
    running: dict[str, Any],
    readers: Any,
    toy: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = toy.Toy.checked

    def slow(self: Any, *arguments: Any) -> Any:
        with app.state.database.writing() as session:  # would wait for ever for one who writes already
            session.execute(select(tables.User.id).with_for_update())
        return checked(self, *arguments)

    monkeypatch.setattr(database_module, "PATIENCE", 0.5)
    monkeypatch.setattr(toy.Toy, "checked", slow)
    task = readers[1].tasks()[0]
    assert readers[1].send("late", task).json()["stored"] == ["late"]


def test_a_link_has_one_thread_at_a_time(readers: Any, toy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = readers
    (open_task,) = second.tasks()
    done_task = 1
    checked, here, most = toy.Toy.checked, [0], [0]
    let_go = threading.Event()

    def slow(self: Any, campaign: Any, content: Any, answer: Any) -> Any:
        if answer.get("why") == "greedy":
            here[0] += 1
            most[0] = max(most[0], here[0])
            let_go.wait(LONG)
            here[0] -= 1
        return checked(self, campaign, content, answer)

    monkeypatch.setattr(toy.Toy, "checked", slow)
    with ThreadPoolExecutor(11) as threads:
        sent = [threads.submit(first.send, f"g{number}", done_task, why="greedy") for number in range(11)]
        until(lambda: here[0])
        assert second.send("fair", open_task).json()["stored"] == ["fair"]
        let_go.set()
        assert [one.result().status_code for one in sent] == [200] * 11
    assert most == [1]


def test_too_many_at_once_of_a_link_are_refused(
    app: Any, readers: Any, toy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    object.__setattr__(app.state.settings, "limited", True)
    checked, let_go = toy.Toy.checked, threading.Event()

    def slow(self: Any, *arguments: Any) -> Any:
        let_go.wait(LONG)
        return checked(self, *arguments)

    monkeypatch.setattr(toy.Toy, "checked", slow)
    number = participation.WAITING + 5
    with ThreadPoolExecutor(number) as threads:
        sent = [threads.submit(readers[0].send, f"g{one}", 1) for one in range(number)]
        until(lambda: sum(one.done() for one in sent) >= 4, "a refusal")
        let_go.set()
        replies = [one.result() for one in sent]
    refused = [reply for reply in replies if reply.status_code == 429]
    assert len(refused) == 4
    assert refused[0].headers["Retry-After"] == "1"


def test_answers_of_a_link_are_counted(app: Any, readers: Any) -> None:
    object.__setattr__(app.state.settings, "limited", True)
    app.state.link_limits.answers = Limit(6, 600, clock=lambda: 0.0)  # no time passes
    (task,) = readers[1].tasks()
    assert readers[1].send("long", task, why="x" * 50_000).status_code == 200  # counts as six
    late = readers[1].send("next", task)
    assert (late.status_code, late.headers["Retry-After"]) == (429, "100")


def test_an_analyst_stops_no_participant(
    app: Any,
    analyst: httpx.Client,
    running: dict[str, Any],
    readers: Any,
    toy: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_go, made = threading.Event(), []

    def slow(*_: Any) -> str:
        made.append(let_go.wait(LONG))
        return "<title>Report</title>"

    monkeypatch.setattr(toy.Toy, "report", slow, raising=False)
    (task,) = readers[1].tasks()
    path = f"/campaigns/{running['id']}/report"
    with ThreadPoolExecutor(12) as threads:
        asked = [
            threads.submit(httpx.get, f"{analyst.base_url}{way}{path}", cookies=dict(analyst.cookies), timeout=LONG)
            for way in ["/api", ""] * 6
        ]
        until(lambda: sum(one.done() for one in asked) >= 12 - OF_ONE, "a refusal")
        assert readers[1].send("fair", task).json()["stored"] == ["fair"]
        let_go.set()
        replies = [one.result() for one in asked]
    assert sorted(reply.status_code for reply in replies) == [200] * OF_ONE + [503] * (12 - OF_ONE)
    refused = next(reply for reply in replies if reply.status_code == 503)
    assert refused.headers["Retry-After"]
    assert len(made) <= 2  # before the answer, and after it; all others got what was there
    assert analyst.get(path).text == "<title>Report</title>"
    assert len(made) <= 2


def test_exports_have_an_end(app: Any, owner: httpx.Client, running: dict[str, Any], monkeypatch: Any) -> None:
    monkeypatch.setattr("plainly.studio.api.dependencies.OF_ONE", 0)  # too many wait
    reply = owner.get(f"/api/campaigns/{running['id']}/export.zip")
    assert (reply.status_code, reply.headers["Retry-After"]) == (503, "2")
    monkeypatch.undo()
    with zipfile.ZipFile(io.BytesIO(owner.get(f"/api/campaigns/{running['id']}/export.zip").content)) as archive:
        assert "campaign.json" in archive.namelist()


def test_of_work_that_goes_on_the_newest_is_kept(app: Any, book: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "KEPT_SAVES", 4)
    first, second = book.tasks()
    for number in range(10):
        assert book.send(f"s{number}", first, done=False, why=str(number)).json()["refused"] == []
    assert rows(app, first) == 4
    again = book.send("s8", first, done=False, why="8").json()  # whose reply was lost
    assert (again["stored"], again["tasks"][0]["answer"]["why"]) == (["s8"], "9")
    for number in range(8):  # what is done is never dropped, nor what was saved last before it
        book.send(f"d{number}", first, why=f"done {number}")
    assert rows(app, first) == 9
    assert rows(app, second) == 0


def test_what_one_participant_stores_has_an_end(app: Any, book: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = book.tasks()
    monkeypatch.setattr(responses, "MOST_OF_TASK", 3)
    replies = [book.send(f"a{number}", first).json() for number in range(4)]
    assert [len(reply["stored"]) for reply in replies] == [1, 1, 1, 0]
    assert "reached the limit for stored answers" in replies[3]["refused"][0]["error"]
    monkeypatch.setattr(responses, "MOST_STORED", 1000)
    assert book.send("b0", second, why="x" * 500).json()["stored"] == ["b0"]
    refused = book.send("b1", second, why="x" * 500).json()["refused"]
    assert "reached the limit for stored answers" in refused[0]["error"]
    assert book.send("b0", second, why="x" * 500).json()["stored"] == ["b0"]  # a repeat is no new one
    assert rows(app, second) == 1
