"""A studio with an owner and an analyst, and campaigns to look at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import httpx
import pytest

pytest.importorskip("argon2", reason="the studio is not installed")

from argon2 import PasswordHasher

from plainly.studio.security import passwords

from ...waiting import LONG

OWNER = ("Ada", "correct horse battery")
ANALYST = ("Bob", "another long password")
TEXTS = """id,text
t1,The cat sat on the mat.
t2,"Notwithstanding its domesticity, the feline reposed."
t3,Rain fell all day.
t4,Precipitation persisted throughout the diurnal period.
"""
WELCOME = {
    "instructions": "Read both.\n\nChoose one.",
    "consent": "We store your answers.",
    "form": [{"id": "age", "label": "How old are you?", "kind": "number", "options": [], "required": False}],
}


def good(reply: httpx.Response, status: int = 200) -> Any:
    """What a reply holds, if it is one that was hoped for."""
    assert reply.status_code == status, (reply.status_code, reply.text[:300])
    return reply.json() if reply.content else None


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2 as ever, but with little work: these tests log in often."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
    passwords._nobody.cache_clear()


@pytest.fixture
def owner(client: httpx.Client, app: Any) -> httpx.Client:
    """The first owner, logged in."""
    name, password = OWNER
    me = good(client.post("/api/setup", json={"code": app.state.setup_code, "name": name, "password": password}))
    client.headers["X-CSRF-Token"] = me["csrf"]
    return client


@pytest.fixture
def analyst(owner: httpx.Client) -> Iterator[httpx.Client]:
    """Somebody who may look, logged in."""
    name, password = ANALYST
    good(owner.post("/api/users", json={"name": name, "password": password, "role": "analyst"}), 201)
    with httpx.Client(base_url=owner.base_url, timeout=LONG) as made:
        me = good(made.post("/api/login", json={"name": name, "password": password}))
        made.headers["X-CSRF-Token"] = me["csrf"]
        yield made


@pytest.fixture
def make(owner: httpx.Client) -> Callable[..., Any]:
    """Makes a ranking campaign."""

    def made(name: str = "Plain or not?", texts: str = TEXTS, **more: Any) -> Any:
        data = {"kind": "ranking", "lang": "en", "name": name, "welcome": json.dumps(WELCOME), **more}
        return good(owner.post("/api/campaigns", data=data, files={"texts": ("texts.csv", texts)}), 201)

    return made


@pytest.fixture
def make_toy(owner: httpx.Client, toy: ModuleType) -> Callable[..., Any]:
    """Makes a campaign of the toy kind, with two words."""

    def made(name: str = "Toy", words: str = "ant\nbee\n", **more: Any) -> Any:
        data = {"kind": "toy", "lang": "en", "name": name, **more}
        return good(owner.post("/api/campaigns", data=data, files={"words": ("words.txt", words)}), 201)

    return made


def answer(base: Any, link: str, answers: list[dict[str, Any]], seconds: float = 0.5) -> dict[str, Any]:
    """A participant who agrees, and gives these answers to the first tasks."""
    token = link.rsplit("/", 1)[1]
    with httpx.Client(base_url=base, timeout=LONG) as browser:
        good(browser.post(f"/api/p/{token}/welcome", json={"consent": True, "fields": {}}))
        state: dict[str, Any] = good(browser.get(f"/api/p/{token}"))
        for number, given in enumerate(answers):
            response = {
                "client_id": f"c{number}",
                "task": state["tasks"][0]["id"],
                "answer": given,
                "seconds": seconds,
            }
            state = good(browser.post(f"/api/p/{token}/responses", json={"responses": [response]}))
            assert state["refused"] == []
    return state


@pytest.fixture
def running(make_toy: Callable[..., Any], owner: httpx.Client) -> dict[str, Any]:
    """An open toy campaign with two participants; the first has answered both words, the second one."""
    made = make_toy(options=json.dumps({"extra": False}), welcome=json.dumps(WELCOME))
    made = good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 1, "status": "open"}))
    links = good(owner.post(f"/api/campaigns/{made['id']}/participants", json={"count": 2, "notes": ["Maria"]}), 201)[
        "links"
    ]
    answer(owner.base_url, links[0]["link"], [{"yes": True}, {"yes": False}], 0.5)
    answer(owner.base_url, links[1]["link"], [{"yes": True}], 1.25)
    return {**made, "links": links}


@pytest.fixture
def browse(browser: Any, owner: httpx.Client) -> Iterator[Callable[..., Any]]:
    """Opens a page as the owner; errors of scripts and of the security policy make the test fail."""
    contexts, faults = [], []

    def opened(path: str, cookies: httpx.Client | None = owner, watched: bool = True, **settings: Any) -> Any:
        context = browser.new_context(base_url=str(owner.base_url), **settings)
        contexts.append(context)
        for cookie in cookies.cookies.jar if cookies is not None else ():
            context.add_cookies([{"name": cookie.name, "value": cookie.value or "", "url": str(owner.base_url)}])
        page = context.new_page()
        if watched:
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: faults.append(said.text) if "Security Policy" in said.text else None)
        page.goto(path)
        page.wait_for_load_state("networkidle")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
