"""Participants who answer all at once and never give up, and the count of what became of their answers.

A response is sent again, with the same id, until it is acknowledged, as the page does it. The tests of faults send
the same crowd.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select

from plainly.studio.kinds import get_kind
from plainly.studio.security.secrets import fingerprint
from plainly.studio.store import campaigns, people
from plainly.studio.store.database import Database
from plainly.studio.store.tables import Participant, Response, Task

TEXTS = 60
WELCOME = {
    "instructions": "Read both texts, then choose the easier one.",
    "consent": "I agree that my answers are kept without my name.",
    "form": [{"id": "age", "label": "How old are you?", "kind": "number", "required": False}],
}
AGAIN = 0.1
"""Seconds until something that failed is tried again."""
REFUSED = "the reply refuses or leaves out what was sent"


@dataclass(frozen=True)
class Invited:
    """An open campaign, and the secrets of its participants."""

    campaign: str
    secrets: list[str]


def invite(url: str, count: int, tasks: int) -> Invited:
    """A ranking campaign in a database, with so many participants and so many tasks for each, or a few more."""
    matches = -(-2 * tasks // TEXTS)
    kind = get_kind("ranking")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.csv"
        rows = [
            f'text-{number},"{" ".join(["Some words are plain, others are not."] * 6)} {number}"'
            for number in range(TEXTS)
        ]
        path.write_text("\n".join(["id,text", *rows]), "utf-8")
        options = {option.name: option.default for option in kind.options} | {"matches": matches}
        material = kind.read({"texts": path}, options)
    database = Database(url)
    try:
        with database.writing() as session:
            made = campaigns.create(
                session,
                kind="ranking",
                name="All at once",
                lang="en",
                interface="en",
                welcome=WELCOME,
                material=material,
                seed=7,
            )
            campaigns.change(session, made.id, made.revision, status="open")
            return Invited(made.id, [one.secret for one in people.invite(session, made.id, count)])
    finally:
        database.close()


class Browser:
    """One connection that speaks just enough HTTP to cost next to nothing; opened again whenever it is cut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, content: Any = None) -> tuple[int, Any]:
        """Status and JSON of the reply; raises OSError or EOFError where there is none."""
        body = b"" if content is None else json.dumps(content).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            reader, writer = self._streams
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
            lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines[1:] if line)
            reply = json.loads(await reader.readexactly(int(headers["content-length"])))
            if headers.get("connection") == "close":
                self.close()
            return int(lines[0].split()[1]), reply
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass
class Crowd:
    """Participants of one campaign on one server."""

    port: int
    secrets: list[str]
    pace: float
    """Seconds from one answer to the next."""
    patience: float = 30.0
    """Seconds until a reply must be there."""
    acknowledged: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    """By fingerprint of the link and id of the response: the task and the choice."""
    seconds: list[float] = field(default_factory=list)
    """Of each answer that was acknowledged at once."""
    beginnings: list[float] = field(default_factory=list)
    """Of each consent that was acknowledged at once."""
    failures: Counter[str] = field(default_factory=Counter)
    """Requests that had to be repeated, and why."""
    faults: Counter[str] = field(default_factory=Counter)
    """What must never be."""
    repeats: int = 0
    """Responses that were sent once more though they were acknowledged."""

    _until: float = math.inf

    def stop(self) -> None:
        """Everybody ends, as soon as what was sent is acknowledged."""
        self._until = 0.0

    def wait_for(self, answers: int, seconds: float = 120.0) -> None:
        """Blocks, in another thread than that of the crowd, until so many answers are acknowledged."""
        until = time.monotonic() + seconds
        while len(self.acknowledged) < answers:
            if time.monotonic() > until or self.faults:
                raise AssertionError(f"{len(self.acknowledged)} answers: {self.failures} {self.faults}")
            time.sleep(0.02)

    async def answer(self, seconds: float = math.inf) -> None:
        """Everybody begins, and then answers for so long, or until `stop`."""
        browsers = [Browser(self.port) for _ in self.secrets]
        people = list(zip(browsers, self.secrets, strict=True))
        states = await asyncio.gather(*(self._begin(browser, secret) for browser, secret in people))
        self._until = min(self._until, time.monotonic() + seconds)
        await asyncio.gather(
            *(self._go_on(browser, secret, state) for (browser, secret), state in zip(people, states, strict=True))
        )
        for browser in browsers:
            browser.close()

    async def _begin(self, browser: Browser, secret: str) -> Any:
        consent = {"consent": True, "fields": {"age": "42"}}
        await self._ask(browser, "GET", f"/api/p/{secret}", None, [])
        return await self._ask(browser, "POST", f"/api/p/{secret}/welcome", consent, self.beginnings)

    async def _go_on(self, browser: Browser, secret: str, state: Any) -> None:
        draw = random.Random(secret)
        await asyncio.sleep(draw.random() * self.pace)
        number = 0
        while time.monotonic() < self._until and state["tasks"]:
            begun = time.monotonic()
            number += 1
            task, choice = state["tasks"][0]["id"], draw.choice(["first", "second"])
            one = {"client_id": f"r{number}", "task": task, "answer": {"choice": choice}, "seconds": 1.5}
            state = await self._send(browser, secret, one, self.seconds)
            self.acknowledged[fingerprint(secret), one["client_id"]] = (task, choice)
            if draw.random() < 0.05:
                self.repeats += 1
                state = await self._send(browser, secret, one, [])
            await asyncio.sleep(max(0.0, begun + self.pace - time.monotonic()))
        if not state["tasks"]:
            self.faults["no tasks left"] += 1

    async def _send(self, browser: Browser, secret: str, one: dict[str, Any], took: list[float]) -> Any:
        state = await self._ask(browser, "POST", f"/api/p/{secret}/responses", {"responses": [one]}, took)
        if state.get("stored") != [one["client_id"]] or state.get("refused"):
            self.faults[REFUSED] += 1
        return state

    async def _ask(self, browser: Browser, method: str, path: str, content: Any, took: list[float]) -> Any:
        """The reply, however often it takes."""
        first = True
        while True:
            begun = time.monotonic()
            try:
                status, reply = await asyncio.wait_for(browser.ask(method, path, content), self.patience)
            except (OSError, EOFError, asyncio.TimeoutError) as error:
                self.failures[type(error).__name__] += 1
            else:
                if status == 200:
                    if first:
                        took.append(time.monotonic() - begun)
                    return reply
                said = reply.get("error", "")
                (self.failures if status in (429, 503) and said else self.faults)[f"{status}: {said}"] += 1
            first = False
            await asyncio.sleep(AGAIN)


@dataclass(frozen=True)
class Count:
    """What the database has of what was acknowledged."""

    acknowledged: int
    stored: int
    lost: int
    """Acknowledged, but not there, or not as it was sent."""
    doubled: int
    """Rows of a response, or answers to a task, beyond the first."""
    unknown: int
    """Stored, but never acknowledged."""
    wrong: int
    """Tasks that do not point to their answer."""

    @property
    def right(self) -> bool:
        return not (self.lost or self.doubled or self.unknown or self.wrong)


def count(url: str, crowd: Crowd, campaign: str | None = None) -> Count:
    """Compares, response by response; of one campaign, if the database holds others."""
    database = Database(url)
    query = (
        select(
            Participant.token, Response.client_id, Response.task_id, Response.answer, Response.id, Task.response_id
        )
        .join(Response, Response.participant_id == Participant.id)
        .join(Task, Task.id == Response.task_id)
        .where(campaign is None or Participant.campaign_id == campaign)
    )
    try:
        with database.reading() as session:
            rows = session.execute(query).all()
    finally:
        database.close()
    found = {(row.token, row.client_id): (row.task_id, row.answer["choice"]) for row in rows}
    sent = crowd.acknowledged
    return Count(
        len(sent),
        len(rows),
        sum(found.get(key) != what for key, what in sent.items()),
        2 * len(rows) - len(found) - len({row.task_id for row in rows}),
        len(found.keys() - sent.keys()),
        sum(row.id != row.response_id for row in rows),
    )
