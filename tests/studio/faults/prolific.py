"""People whom a platform sends to a study: they arrive, begin, break off, come back, fail, and come too late.

Each sends a request again until it is answered, as the page does. What the studio acknowledged is noted, to be looked
up in the end.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

from plainly.studio.security.secrets import new_secret

from ..crowd_platform import CrowdPlatform

AGAIN = 0.05
"""Seconds until something that failed is tried again."""
PATIENCE = 120.0


@dataclass
class Person:
    """One of those whom the platform sends."""

    who: str
    level: str
    """What they say in the form."""
    leaves: int | None = None
    """After so many answers they break off, once; None: never."""
    returns: bool = True
    """Whether they come back later, then always in another browser."""
    secret: str = field(default_factory=new_secret)
    answers: int = 0
    gone: bool = False
    ended: str = ""
    """finished, screened or full, as the studio said."""
    code: str = ""


@dataclass
class Senders:
    """All of them, and what the studio acknowledged."""

    url: str
    slug: str
    platform: CrowdPlatform
    people: list[Person]
    acknowledged: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    """By the id on the platform and that of the response: the task and the choice."""
    answered: int = 0
    """Requests that were answered."""
    failures: Counter[str] = field(default_factory=Counter)
    """Requests that had to be repeated, and why."""

    async def come(self, people: list[Person], at_once: int) -> None:
        """All of these come, so many at a time."""
        turn = asyncio.Semaphore(at_once)

        async def one(person: Person) -> None:
            async with turn:
                await self._take_part(person)

        await asyncio.gather(*(one(person) for person in people))

    async def _take_part(self, person: Person) -> None:
        if person.gone:
            person.gone, person.secret = False, new_secret()
        address = ".".join(str(part) for part in (10, *random.Random(person.who).randbytes(3)))
        headers = {"X-Forwarded-For": address}
        async with httpx.AsyncClient(base_url=self.url, headers=headers, timeout=PATIENCE, verify=False) as client:
            person.ended = await self._course(client, person)
            if person.code:
                back = self.platform.back.replace("{code}", person.code)
                (await client.get(back)).raise_for_status()

    async def _course(self, client: httpx.AsyncClient, person: Person) -> str:
        given = {"PROLIFIC_PID": person.who, "STUDY_ID": "study1", "SESSION_ID": f"session-{person.who}"}
        arrival = {"secret": person.secret, "parameters": given}
        base = f"/api/p/{person.secret}"
        if not (await self._ask(client, "POST", f"/api/j/{self.slug}", arrival)).is_success:
            return "full"
        consent = {"consent": True, "fields": {"level": person.level}}
        reply = await self._ask(client, "GET", base)
        if reply.is_success and not reply.json()["participant"]["welcomed"]:
            reply = await self._ask(client, "POST", f"{base}/welcome", consent)
        draw = random.Random(person.who)
        while reply.is_success:
            state = reply.json()
            for ended, key in (("finished", "completion"), ("screened", "screened")):
                if key in state["participant"]:
                    person.code = state["participant"][key]["code"]
                    return ended
            if person.leaves == person.answers:
                person.leaves, person.gone = None, True
                return "gone"
            task, choice = state["tasks"][0]["id"], draw.choice(["first", "second"])
            one = {"client_id": f"r{person.answers}", "task": task, "answer": {"choice": choice}, "seconds": 1.5}
            reply = await self._ask(client, "POST", f"{base}/responses", {"responses": [one]})
            if reply.is_success:
                assert reply.json()["stored"] == [one["client_id"]], reply.text
                self.acknowledged[person.who, str(one["client_id"])] = (task, choice)
                person.answers += 1
        return "full"

    async def _ask(self, client: httpx.AsyncClient, method: str, path: str, content: Any = None) -> httpx.Response:
        """The reply, however often it takes; success, or that the study is full."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                reply = await client.request(method, path, json=content)
            except httpx.TransportError as error:
                self.failures[type(error).__name__] += 1
            else:
                if reply.is_success or (reply.status_code, reply.json().get("title")) == (409, "The study is full"):
                    self.answered += 1
                    return reply
                assert reply.status_code in (429, 503), (path, reply.status_code, reply.text)
                self.failures[f"{reply.status_code}: {reply.json()['error']}"] += 1
            await asyncio.sleep(AGAIN)
        raise AssertionError(f"no answer: {self.failures}")
