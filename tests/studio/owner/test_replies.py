"""Replies to a participant's page carry what is new to it, and all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from .conftest import WELCOME, good

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
TEXTS = "id,text\n" + "".join(f"t{number},It rained {number} times.\n" for number in range(12))


@pytest.fixture
def place(owner: httpx.Client, make: Callable[..., Any]) -> tuple[str, str]:
    """An open campaign and the address of a participant."""
    made = make(texts=TEXTS)
    path = f"/api/campaigns/{made['id']}"
    good(owner.patch(path, json={"revision": 1, "status": "open"}))
    link = good(owner.post(f"{path}/participants", json={}), 201)["links"][0]["link"]
    return path, f"/api/p/{link.rsplit('/', 1)[1]}"


def respond(client: httpx.Client, place: str, task: int, number: int, has: Any = None, **more: Any) -> Any:
    given = {"client_id": f"c{number}", "task": task, "answer": {"choice": "first"}, "seconds": 2.0, **more}
    body = {"responses": [given], **({} if has is None else {"has": has})}
    reply = good(client.post(f"{place}/responses", json=body))
    assert reply["refused"] == []
    return reply


def test_what_a_page_has_is_not_sent_again(client: httpx.Client, place: tuple[str, str]) -> None:
    _, address = place
    first = good(client.get(address))
    assert {"texts", "campaign"} <= set(first)
    assert first["campaign"]["welcome"]["consent"] == WELCOME["consent"]
    agreed = {"consent": True, "fields": {}, "has": {"revision": first["campaign"]["revision"]}}
    state = good(client.post(f"{address}/welcome", json=agreed))
    assert "texts" not in state
    assert set(state["campaign"]) == {"id", "status", "revision"}
    shown = {task["id"]: task for task in state["tasks"]}
    assert not any("same" in task for task in shown.values())
    has = {"revision": state["campaign"]["revision"], "tasks": list(shown)}
    reply = respond(client, address, state["tasks"][0]["id"], 1, has)
    assert set(reply["campaign"]) == {"id", "status", "revision"}
    *known, new = reply["tasks"]
    assert [set(task) for task in known] == [{"same", "id", "place"}] * len(known)
    assert new["id"] not in shown
    assert set(new) == set(state["tasks"][0])
    assert set(reply["last"]) == {"same", "id", "place", "answer"}
    assert reply["last"]["answer"] == {"choice": "first"}


def test_who_says_nothing_gets_everything(client: httpx.Client, place: tuple[str, str]) -> None:
    """Pages that were opened before an update, and programs."""
    _, address = place
    state = good(client.post(f"{address}/welcome", json={"consent": True, "fields": {}}))
    assert "texts" in state
    reply = respond(client, address, state["tasks"][0]["id"], 1)
    assert reply["campaign"]["welcome"]["consent"] == WELCOME["consent"]
    assert not any("same" in task for task in [*reply["tasks"], reply["last"]])


def test_after_a_change_of_the_campaign_everything_comes_anew(
    owner: httpx.Client, client: httpx.Client, place: tuple[str, str]
) -> None:
    path, address = place
    state = good(client.post(f"{address}/welcome", json={"consent": True, "fields": {}}))
    has = {"revision": state["campaign"]["revision"], "tasks": [task["id"] for task in state["tasks"]]}
    good(owner.patch(path, json={"revision": has["revision"], "status": "paused"}))
    paused = respond(client, address, state["tasks"][0]["id"], 1, has)
    assert (paused["campaign"]["status"], paused["tasks"]) == ("paused", [])
    assert paused["campaign"]["revision"] > has["revision"]
    good(owner.patch(path, json={"revision": paused["campaign"]["revision"], "status": "open"}))
    reply = respond(client, address, state["tasks"][1]["id"], 2, has)
    assert reply["campaign"]["name"]
    assert not any("same" in task for task in reply["tasks"])


@pytest.mark.parametrize(
    "has", [{"tasks": [1]}, {"revision": -1}, {"revision": 1, "tasks": [0]}, {"revision": 1, "tasks": [1] * 201}, 7]
)
def test_nonsense_of_what_it_has_is_refused(client: httpx.Client, place: tuple[str, str], has: Any) -> None:
    _, address = place
    body = {"responses": [{"client_id": "c1", "task": 1, "answer": {}}], "has": has}
    assert client.post(f"{address}/responses", json=body).status_code == 422


def test_in_the_browser(
    client: httpx.Client, place: tuple[str, str], look: Callable[..., Any], owner: httpx.Client, app: Any
) -> None:
    """All tasks are judged, with one taken back and a pause in between; each reply is small, and no task is lost."""
    path, address = place
    page = look(f"{str(client.base_url).rstrip('/')}{address.removeprefix('/api')}")
    replies: list[Any] = []
    page.on("response", lambda reply: replies.append(reply) if reply.url.endswith("/responses") else None)
    page.check("input[name=consent]")
    page.click("button[type=submit]")
    page.locator(".ranking").wait_for()

    def press(key: str) -> Any:
        with page.expect_response(lambda reply: reply.url.endswith("/responses")) as heard:
            page.keyboard.press(key)
        return heard.value.json()

    texts = page.locator(".ranking").inner_text()
    first = press("ArrowLeft")
    assert set(first["campaign"]) == {"id", "status", "revision"}
    page.wait_for_function("old => document.querySelector('.ranking').innerText !== old", arg=texts)
    press("u")
    page.wait_for_function("old => document.querySelector('.ranking').innerText === old", arg=texts)
    press("ArrowRight")
    revision = good(owner.get(path))["revision"]
    good(owner.patch(path, json={"revision": revision, "name": "Renamed"}))
    told = press("ArrowLeft")
    assert told["campaign"]["name"] == "Renamed"
    total = told["progress"]["total"]
    for number in range(told["progress"]["done"], total):
        page.wait_for_function(
            "done => document.getElementById('count').textContent.startsWith(done + '/')", arg=number
        )
        page.wait_for_function("() => document.querySelectorAll('.ranking [lang]').length >= 2")
        reply = press("ArrowLeft")
        assert len(json.dumps(reply)) < 2000
    page.wait_for_function("() => document.body.dataset.screen === 'finished'")
    assert reply["progress"] == {"done": total, "total": total}
