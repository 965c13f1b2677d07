"""An experiment of two passages, and readers who went through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Given, Json, Kind, Person

EXPERIMENT = """\
name: storms
lang: en
instructions: Read each text once. You cannot go back to it.
consent: I agree that my answers are kept without my name.
reading_seconds: 60
form:
  - {id: age, label: "How old are you?", kind: number}
  - {id: level, label: "How well do you know English?", kind: choice, options: [some, well, native]}
passages:
  - id: storm
    versions:
      - id: complex
        text: >
          Upon receipt of a severe weather warning, householders ought to fasten shutters,
          disconnect electrical appliances and assemble in an interior room until notified.
      - id: simplified
        text: >
          If you hear a storm warning, close the shutters. Unplug all machines.
          Then go to a room without windows. Wait there for the next message.
    questions:
      - id: storm-room
        text: Where is it safest to wait?
        correct: Away from the outer walls.
        distractors: [Under the highest roof., Beside the front door., Next to the nearest tree.]
      - id: storm-power
        text: What should happen to a toaster?
        correct: Its plug should be pulled.
        distractors: [Its lid should be closed., Its crumbs should be removed., Its label should be read.]
      - id: storm-end
        text: When is it time to come out?
        correct: After being told so.
        distractors: [After one full hour., After the first rain., After the shutters move.]
      - id: storm-first
        text: What starts all of this?
        correct: An official alert.
        distractors: [A loud thunderclap., A broken shutter., A sudden darkness.]
  - id: flood
    seconds: 45
    versions:
      - id: complex
        text: >
          Should the river overflow, residents are urged to relocate to an elevated storey,
          taking drinking water with them, and to refrain from entering submerged basements.
      - id: simplified
        text: >
          If the river comes over its banks, go to a higher floor. Take water to drink.
          Do not go into a cellar that is full of water. It is dangerous.
    questions:
      - id: flood-where
        text: Which way should people go?
        correct: Up the stairs.
        distractors: [Down the road., Across the bridge., Along the shore.]
      - id: flood-carry
        text: What should they bring along?
        correct: Something against thirst.
        distractors: [Something against cold., Something against rain., Something against noise.]
      - id: flood-avoid
        text: Which place is a danger?
        correct: The lowest rooms.
        distractors: [The front garden., The wooden bridge., The upper windows.]
      - id: flood-cause
        text: Why does this happen?
        correct: A stream gets too full.
        distractors: [A pipe breaks at night., A dam is opened early., A storm damages a roof.]
"""
BEGIN = datetime(2026, 11, 2, 9, 0, tzinfo=timezone.utc)
OPTIONS = {"seed": 12345, "reading_limit": True, "countdown": True}

Choose = Callable[[Json], tuple[Json, float | None]]
"""What a reader answers to a task, and after how many seconds of the browser."""


@pytest.fixture
def kind() -> Kind:
    return get_kind("comprehension")


@pytest.fixture
def experiment_text() -> str:
    return EXPERIMENT


@pytest.fixture
def experiment_file(tmp_path: Path) -> Path:
    path = tmp_path / "storms.yaml"
    path.write_text(EXPERIMENT, "utf-8")
    return path


@pytest.fixture
def make_campaign(kind: Kind, tmp_path: Path) -> Callable[..., Campaign]:
    """A campaign of the text of an experiment file."""

    def make(text: str = EXPERIMENT, practice: str = "", checks: str = "", **options: Any) -> Campaign:
        files = {}
        for slot, content in (("experiment", text), ("practice", practice), ("checks", checks)):
            if content:
                files[slot] = tmp_path / f"{slot}.yaml"
                files[slot].write_text(content, "utf-8")
        material = kind.read(files, {**OPTIONS, **options})
        return Campaign("c1", "comprehension", "Storms", material.lang, 1, material.settings, material.items)

    return make


@pytest.fixture
def campaign(make_campaign: Callable[..., Campaign]) -> Campaign:
    return make_campaign()


@pytest.fixture
def went(kind: Kind) -> Callable[..., list[Given]]:
    """What a participant did, one task after the other; the server is 250 ms slower than the browser."""

    def go(campaign: Campaign, number: int, choose: Choose, stop: int = 1000, **person: Any) -> list[Given]:
        tasks = kind.tasks(campaign, number, [])
        who = Person(f"P{number:03d}", number, tasks=len(tasks), finished=stop >= len(tasks), **person)
        return list(_steps(kind, campaign, who, tasks[:stop], choose))

    return go


def _steps(kind: Kind, campaign: Campaign, who: Person, tasks: list[Json], choose: Choose) -> Iterator[Given]:
    time = BEGIN
    for place, task in enumerate(tasks):
        answer, seconds = choose(task)
        time += timedelta(seconds=(seconds or 0) + 0.25)
        stored = time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        kept = kind.checked(campaign, task, answer)
        yield Given(who, place, task, kept, kind.claimed(kept, seconds), stored)


@pytest.fixture
def reader() -> Callable[..., Choose]:
    """A reader who gives the wrong answer to these questions, and no answer to those."""

    def make(wrong: tuple[str, ...] = (), missing: tuple[str, ...] = (), reading: float = 20.0) -> Choose:
        def choose(task: Json) -> tuple[Json, float | None]:
            if task["phase"] == "ready":
                return {"ready": True}, 1.0
            if task["phase"] == "reading":
                return {"over": False}, reading
            question = task["question"]
            seconds = 4.0 + len(question) / 8 + (task["version"] == "complex")
            if question in missing:
                return {"place": None, "over": True}, seconds
            return {"place": task["answers"].index(1 if question in wrong else 0)}, seconds

        return choose

    return make


class Hall:
    """Where an experiment is held: a studio that listens, and the links of its participants."""

    def __init__(self, app: Any, url: str, folder: Path) -> None:
        self._app, self._url, self._folder = app, url, folder
        self.id = ""

    def open(self, text: str = EXPERIMENT, interface: str = "en", practice: str = "", **options: Any) -> Hall:
        """A campaign of the text of an experiment file, open to participants."""
        from plainly.studio.store import campaigns

        files = {}
        for slot, content in (("experiment", text), ("practice", practice)):
            if content:
                files[slot] = self._folder / f"{slot}.yaml"
                files[slot].write_text(content, "utf-8")
        material = get_kind("comprehension").read(files, {**OPTIONS, **options})
        with self._app.state.database.writing() as session:
            made = campaigns.create(
                session,
                kind="comprehension",
                name="Storms and floods",
                lang=material.lang,
                interface=interface,
                welcome=material.settings["welcome"],
                material=material,
            )
            self.id = made.id
            campaigns.change(session, made.id, 1, status="open")
        return self

    def invite(self) -> str:
        from plainly.studio.store import people

        with self._app.state.database.writing() as session:
            [invited] = people.invite(session, self.id, 1)
        return f"{self._url}/p/{invited.secret}"

    @property
    def gathered(self) -> tuple[Campaign, list[Person], list[Given]]:
        """What the kind sees of the campaign now."""
        from plainly.studio.store import overview
        from plainly.studio.store.campaigns import loaded
        from plainly.studio.store.overview import given

        with self._app.state.database.reading() as session:
            campaign = loaded(session, self.id).campaign
            return campaign, overview.people(session, self.id), given(session, self.id)


@pytest.fixture
def hall(app: Any, server: str, tmp_path: Path) -> Hall:
    return Hall(app, server, tmp_path)
