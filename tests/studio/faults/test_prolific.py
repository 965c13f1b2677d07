"""200 people from a platform, five of them in a real browser, while the studio is killed ten times."""

from __future__ import annotations

import asyncio
import random
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.studio_process import Process
from sqlalchemy import select

from plainly.studio.kinds import get_kind
from plainly.studio.store import arrivals, campaigns
from plainly.studio.store.database import Database
from plainly.studio.store.tables import Participant, Response, Task

from ...waiting import until
from ..crowd_platform import CrowdPlatform, crowd_platform
from ..end_to_end.studies import Ranking
from .prolific import Person, Senders
from .test_clock import PROGRAM

pytestmark = pytest.mark.slow
PEOPLE, IN_BROWSERS, QUOTA, QUOTA_A, KILLS, HOURS = 200, 5, 60, 25, 10, 2
FORM = [{"id": "level", "label": "Your level", "kind": "choice", "options": ["A", "B", "none"]}]
BEHIND_A_PROXY = "import sys; sys.argv += ['--proxy', '127.0.0.1']\n"
"""So that each of them has an address of their own."""


@pytest.fixture
def platform() -> Iterator[CrowdPlatform]:
    with crowd_platform() as made:
        yield made


def campaign(url: str, platform: CrowdPlatform) -> tuple[str, str]:
    """An open campaign with an open link; its id and its slug."""
    kind = get_kind("ranking")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.csv"
        path.write_text(Ranking.content, "utf-8")
        options = {option.name: option.default for option in kind.options} | {"matches": 2}
        material = kind.read({"texts": path}, {**options, "lang": "en"})
    arrival = {
        **{"on": True, "preset": "prolific", "quota": QUOTA, "group": "level", "groups": {"A": QUOTA_A}},
        **{"hold": 60, "code": "own", "back": platform.back},
        **{"screen": {"level": ["none"]}, "failure_code": "SCREENED", "failure_back": platform.back},
    }
    database = Database(url)
    try:
        with database.writing() as session:
            made = campaigns.create(
                session,
                **{"kind": "ranking", "name": "Plain or not?", "lang": "en", "interface": "en", "seed": 7},
                welcome={"form": FORM},
                material=material,
            )
            made = campaigns.change(session, made.id, made.revision, status="open", arrival=arrival)
            return made.id, str(made.slug)
    finally:
        database.close()


def crowd() -> list[Person]:
    """Those who come over HTTP. Every fourth one breaks off, and half of these come back."""
    draw = random.Random(20)
    made = []
    for number in range(PEOPLE - IN_BROWSERS):
        level = draw.choices(["A", "B", "none"], [45, 45, 10])[0]
        leaves = draw.choice([0, 1, 2]) if number % 4 == 0 else None
        made.append(Person(f"p{number:03d}", level, leaves, returns=number % 8 == 0))
    return made


class Days:
    """The crowd in a thread of its own, in three parts; between them the clock goes on by some hours."""

    def __init__(self, senders: Senders, studio: Process, shift: Path) -> None:
        self._senders, self._studio, self._shift = senders, studio, shift
        self.killed = 0

    def pass_by(self, day: int, people: list[Person], at_once: int = 30) -> threading.Thread:
        """These come while the studio is killed again and again."""
        self._shift.write_text(str(day * HOURS * 3600))
        thread = threading.Thread(target=lambda: asyncio.run(self._day(people, at_once)))
        thread.start()
        return thread

    async def _day(self, people: list[Person], at_once: int) -> None:
        coming = asyncio.create_task(self._senders.come(people, at_once))
        killing = asyncio.create_task(self._kill(coming))
        await coming
        await killing

    async def _kill(self, coming: asyncio.Task[None]) -> None:
        while self.killed < KILLS and not coming.done():
            before = self._senders.answered
            while self._senders.answered < before + 40 and not coming.done():
                await asyncio.sleep(0.01)
            if not coming.done():
                await asyncio.to_thread(self._studio.kill)
                await asyncio.to_thread(self._studio.start)
                self.killed += 1


class Guest:
    """One of those with a real browser."""

    def __init__(self, look: Callable[..., Any], platform: CrowdPlatform, who: str, level: str) -> None:
        self._look, self._platform, self.who, self._level = look, platform, who, level
        self.page: Any = None

    def arrive(self) -> None:
        self.page = self._look(f"{self._platform.url}/study?pid={self.who}", refusals=True)
        self.page.click("#open")
        self.page.click("#begin")
        self.page.wait_for_url("**/p/*")

    def begin(self) -> None:
        self.page.get_by_label(self._level, exact=True).check()
        self.page.get_by_role("button", name="Start").click()

    def answer(self, most: int = 200) -> None:
        self.page.wait_for_function("() => document.body.dataset.screen !== 'welcome'")
        Ranking().answer(self.page, 0, most=most)

    def go_back(self) -> None:
        self.page.get_by_role("link", name="Finish and go back").click()
        self.page.get_by_text("Welcome back").wait_for()


def test_two_hundred_people_and_ten_kills(
    look: Callable[..., Any], database_url: str, platform: CrowdPlatform, tmp_path: Path
) -> None:
    found, slug = campaign(database_url, platform)
    shift = tmp_path / "shift"
    shift.write_text("0")
    studio = Process(database_url, tmp_path, BEHIND_A_PROXY + PROGRAM.format(shift=str(shift)))
    studio.start()
    try:
        platform.study = f"{studio.url}/j/{slug}"
        people = crowd()
        senders = Senders(studio.url, slug, platform, people)
        days = Days(senders, studio, shift)

        guests = [Guest(look, platform, f"b{n}", "none" if n == 3 else "B") for n in range(IN_BROWSERS)]
        for guest in guests:
            guest.arrive()
            guest.begin()
        guests[3].go_back()  # screened out
        first = days.pass_by(0, people[:120])
        guests[4].answer(2)
        guests[4].page.get_by_text("2/").wait_for()
        for guest in guests[:3]:
            guest.answer()
            guest.go_back()
        until(lambda: not first.is_alive(), "the first day")

        shift.write_text(str(HOURS * 3600))
        guests[4].arrive()  # after hours, in another browser: nobody has wanted the place
        guests[4].answer()
        guests[4].go_back()
        late = [person for person in people[:120] if person.ended == "full" or (person.gone and person.returns)]
        second = days.pass_by(1, late + people[120:])
        until(lambda: not second.is_alive(), "the second day")
        rest = [person for person in people if person.ended == "full" or (person.gone and person.returns)]
        for person in rest:
            person.leaves = None  # whoever finds a place now stays
        third = days.pass_by(2, rest)
        until(lambda: not third.is_alive(), "the third day")
        # Places of those who were screened out came free after the others had been told that the study is full.
        late = [person for person in people if person.ended == "full" and person.level == "B"][:20]
        last = days.pass_by(2, late, at_once=1)
        until(lambda: not last.is_alive(), "the last of them")
    finally:
        studio.stop()

    assert days.killed == KILLS
    assert "Traceback" not in studio.said
    assert senders.failures, "replies were lost"
    ends = Counter(person.ended for person in people)
    assert set(ends) == {"finished", "screened", "full", "gone"}
    insist_right(database_url, found, senders, platform)


def insist_right(url: str, found: str, senders: Senders, platform: CrowdPlatform) -> None:
    """The exact quota, correct codes, no double places, nothing lost."""
    database = Database(url)
    try:
        with database.reading() as session:
            rows = session.scalars(select(Participant).where(Participant.campaign_id == found)).all()
            places = arrivals.places(session, found)
            stored = session.execute(
                select(Participant.platform_id, Response.client_id, Response.task_id, Response.answer)
                .join(Response, Response.participant_id == Participant.id)
                .join(Task, Task.id == Response.task_id)
            ).all()
    finally:
        database.close()
    by_id = {row.platform_id: row for row in rows}
    assert len(by_id) == len(rows) <= PEOPLE, "nobody is there twice"
    assert sorted(row.number for row in rows) == list(range(1, len(rows) + 1))
    done = [row for row in rows if row.finished]
    assert len(done) == QUOTA == places.taken, "the exact quota"
    assert sum(row.fields["level"] == "A" for row in done) == places.of("A") <= QUOTA_A
    assert all(row.place and row.completed for row in done)
    assert not sum(places.held.values())

    finished = {person.who: person.code for person in senders.people if person.ended == "finished"}
    finished |= {f"b{number}": by_id[f"b{number}"].completion for number in (0, 1, 2, 4)}
    assert finished == {row.platform_id: row.completion for row in done}, "whom the studio told so, and no others"
    screened = [person for person in senders.people if person.ended == "screened"]
    assert {person.code for person in screened} == {"SCREENED"}
    assert sum(row.status == "screened" for row in rows) == len(screened) + 1
    returned = Counter(platform.returned)
    assert returned.pop("SCREENED") == len(screened) + 1
    assert returned == Counter(finished.values()), "each code once"

    kept = {(row.platform_id, row.client_id): (row.task_id, row.answer["choice"]) for row in stored}
    assert len(kept) == len(stored) == len({row.task_id for row in stored}), "nothing is stored twice"
    assert {key: kept.get(key) for key in senders.acknowledged} == senders.acknowledged, "nothing is lost"
