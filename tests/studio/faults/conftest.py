"""A studio in a process of its own, with a crowd that answers while things break."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))  # the crowd and the process are those of the benchmark

from benchmarks.studio_crowd import Count, Crowd, Invited, count, invite
from benchmarks.studio_process import Process

from ..cluster import Cluster

PEOPLE = 25
TASKS = 600
PACE = 0.25
"""Seconds; links may be used five times a second."""
Act = Callable[[Crowd], None]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the test's own, that keeps what it commits."""
    made = Cluster(durable=True)
    yield made
    made.remove()


class Scene:
    """The studio, its campaign and its crowd."""

    def __init__(self, url: str, folder: Path, program: str | None = None) -> None:
        self.url = url
        self.invited: Invited = invite(url, PEOPLE, TASKS)
        self.studio = Process(url, folder) if program is None else Process(url, folder, program)
        self.studio.start()
        self.crowd = Crowd(self.studio.port, self.invited.secrets, PACE)

    def act(self, act: Act) -> None:
        """Does something while the crowd answers, and goes on until everybody has answered once more after it."""
        asyncio.run(self._act(act))

    async def _act(self, act: Act) -> None:
        answering = asyncio.create_task(self.crowd.answer())
        await asyncio.to_thread(act, self.crowd)
        await asyncio.to_thread(self.answers, PEOPLE)
        self.crowd.stop()
        await answering

    def answers(self, more: int = 10) -> None:
        """Waits until so many more answers are acknowledged: the studio is up, and under load."""
        self.crowd.wait_for(len(self.crowd.acknowledged) + more)

    def count(self) -> Count:
        """What the database has in the end; the studio has stopped."""
        self.studio.stop()
        return count(self.url, self.crowd)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Callable[..., Scene]]:
    """scene(url of a database): a studio under load; stopped at the end."""
    made: list[Scene] = []

    def begin(url: str, program: str | None = None) -> Scene:
        made.append(Scene(url, tmp_path, program))
        return made[-1]

    yield begin
    for one in made:
        one.studio.stop()
