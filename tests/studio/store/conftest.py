"""A campaign of the toy kind, and participants that speak HTTP."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import httpx
import pytest

from plainly.studio.store import campaigns, people
from plainly.studio.store.database import Database

WELCOME = {
    "instructions": "Read.",
    "consent": "I agree.",
    "form": [
        {"id": "age", "label": "How old are you?", "kind": "number"},
        {"id": "level", "label": "Your level", "kind": "choice", "options": ["low", "high"], "required": False},
    ],
}
FORM = {"age": "42", "level": "high"}


@pytest.fixture
def database(database_with_tables: str) -> Iterator[Database]:
    made = Database(database_with_tables)
    yield made
    made.close()


def make_campaign(database: Database, toy: ModuleType, *words: str, kind: str = "toy", status: str = "open") -> str:
    """A campaign in the database; its id."""
    with database.writing() as session:
        row = campaigns.create(
            session,
            kind=kind,
            name="Short words",
            lang="en",
            interface="en",
            welcome=WELCOME,
            material=toy.material(*(words or ("cat", "elephant"))),
            seed=7,
        )
        if status != "draft":
            row = campaigns.change(session, row.id, row.revision, status="open")
        if status not in ("draft", "open"):
            campaigns.change(session, row.id, row.revision, status=status)
        return row.id


@pytest.fixture
def make_in(toy: ModuleType) -> Callable[..., str]:
    """Makes campaigns in any database."""
    return lambda database, *words, **settings: make_campaign(database, toy, *words, **settings)


@pytest.fixture
def make(app: Any, toy: ModuleType) -> Callable[..., str]:
    """Makes campaigns of the running studio."""
    return lambda *words, **settings: make_campaign(app.state.database, toy, *words, **settings)


@pytest.fixture
def campaign(make: Callable[..., str]) -> str:
    """An open campaign of the running studio, with the words cat and elephant."""
    return make()


class Browser:
    """A participant's browser: knows the link, makes ids."""

    def __init__(self, client: httpx.Client, secret: str) -> None:
        self.client = client
        self.base = f"/api/p/{secret}"
        self.ids = (f"{secret[:8]}.{number}" for number in itertools.count())

    def state(self) -> Any:
        return self.client.get(self.base).json()

    def welcome(self, **fields: Any) -> Any:
        reply = self.client.post(f"{self.base}/welcome", json={"consent": True, "fields": fields or FORM})
        assert reply.status_code == 200, reply.text
        return reply.json()

    def send(self, *responses: Any) -> httpx.Response:
        content = json.dumps({"responses": responses})  # any text at all, as browsers write it
        headers = {"Content-Type": "application/json"}
        return self.client.post(f"{self.base}/responses", content=content, headers=headers)

    def response(self, task: int, yes: Any = True, **more: Any) -> dict[str, Any]:
        return {"client_id": next(self.ids), "task": task, "answer": {"yes": yes}, "seconds": 0.25, **more}

    def answer(self, task: int, yes: Any = True, **more: Any) -> Any:
        reply = self.send(self.response(task, yes, **more))
        assert reply.status_code == 200, reply.text
        return reply.json()

    def undo(self, task: int) -> Any:
        return self.send({"client_id": next(self.ids), "task": task, "action": "undo"}).json()


@pytest.fixture
def invite(app: Any, client: httpx.Client, campaign: str) -> Callable[[], Browser]:
    """A new participant of the campaign."""

    def invited(to: str = campaign) -> Browser:
        with app.state.database.writing() as session:
            (made,) = people.invite(session, to, 1)
        return Browser(client, made.secret)

    return invited
