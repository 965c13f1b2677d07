"""A few pairs of our own, a campaign made of them, and people who annotate them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Given, Item, Kind, Material, Person

TEXTS = [
    ("a", "The feline slept because it was tired .", "The cat slept . It was tired ."),
    ("b", "A remarkably old tower , which leans , stands there .", "An old tower stands there ."),
    ("c", "She was elected in May .", "In May people elected her ."),
    ("d", "The ferry sails on Sundays .", "The ferry never sails ."),
]
Make = Callable[..., Material]


@pytest.fixture
def kind() -> Kind:
    return get_kind("operations")


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """A file with rows of texts, as CSV or JSONL, or with any text."""

    def written(name: str, content: Any = TEXTS) -> Path:
        path = tmp_path / name
        if isinstance(content, str):
            path.write_text(content, "utf-8")
        elif name.endswith(".csv"):
            with path.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([("id", "source", "simplification"), *content])
        else:
            path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), "utf-8")
        return path

    return written


@pytest.fixture
def read(kind: Kind) -> Make:
    """What the kind makes of files, with options besides the usual ones."""

    def made(files: dict[str, Path], **options: Any) -> Material:
        usual = {option.name: option.default for option in kind.options}
        return kind.read(files, usual | {"lang": "en", "tokenized": True} | options)

    return made


@pytest.fixture
def material(read: Make, write: Callable[..., Path]) -> Material:
    return read({"pairs": write("pairs.csv")})


def campaign_of(material: Material, seed: int = 7, lang: str = "en") -> Campaign:
    content = json.loads(json.dumps(material.settings))  # as it comes out of the database
    items = tuple(Item(item.name, json.loads(json.dumps(item.content))) for item in material.items)
    return Campaign("c1", "operations", "Test", lang, seed, content, items)


@pytest.fixture
def campaign(material: Material) -> Campaign:
    return campaign_of(material)


def group(source: list[int], target: list[int], label: str) -> dict[str, Any]:
    return {"source": source, "target": target, "label": label}


def answer(
    *groups: dict[str, Any], erroneous: bool = False, done: bool = True, seconds: float = 20
) -> dict[str, Any]:
    return {"groups": list(groups), "erroneous": erroneous, "done": done, "seconds": seconds}


def person(number: int, tasks: int = 4) -> Person:
    return Person(f"P{number:03d}", number, tasks=tasks)


def given(kind: Kind, campaign: Campaign, who: Person, answers: dict[str, Any]) -> list[Given]:
    """Answers by pair, checked as the server checks them."""
    kept = {name: kind.checked(campaign, {"pair": name}, one) for name, one in answers.items()}
    return [
        Given(who, place, {"pair": name}, one, kind.claimed(one, 3.0), "2026-01-01T00:00:00Z")
        for place, (name, one) in enumerate(kept.items())
    ]


FIRST = {
    "a": answer(
        group([1], [1], "synonym"), group([3], [], "delcst"), group([], [3], "split"), group([4], [4], "synonym")
    ),
    "b": answer(group([0], [0], "synonym"), group([1], [], "delmod"), group([4, 5, 6, 7], [], "delprop")),
    "c": answer(group([1, 2], [3], "p2a"), group([3, 4], [0, 1], "move")),
    "d": answer(erroneous=True),
}
SECOND = {
    "a": answer(group([1], [1], "hyperonym"), group([3], [], "delcst"), group([], [3], "split")),
    "b": answer(group([1], [], "delmod"), group([5, 6], [], "delprop")),
    "c": answer(group([1, 2], [3], "p2a"), group([3, 4], [0, 1], "move"), group([], [2], "inoth")),
}


@pytest.fixture
def work(kind: Kind, campaign: Campaign) -> tuple[list[Person], list[Given]]:
    """Two people; the second left one pair undone."""
    people = [person(1), person(2)]
    unfinished = {"d": answer(group([2], [3], "synonym"), done=False)}
    found = given(kind, campaign, people[0], FIRST) + given(kind, campaign, people[1], SECOND | unfinished)
    return people, found


@pytest.fixture
def tools() -> SimpleNamespace:
    """What tests of several files need."""
    return SimpleNamespace(campaign_of=campaign_of, group=group, answer=answer, person=person, given=given)


@pytest.fixture
def settings(tmp_path: Path) -> Any:
    """The pages are tested on SQLite; that databases behave alike is tested elsewhere."""
    from plainly.studio.settings import Settings, sqlite_url

    return Settings(database=sqlite_url(tmp_path / "studio.sqlite"), limited=False)


@pytest.fixture
def link(app: Any, server: str) -> Callable[..., str]:
    """The address of a new participant of a new campaign."""
    from plainly.studio.store import campaigns, people

    def invited(material: Material, lang: str = "en", interface: str = "en") -> str:
        with app.state.database.writing() as session:
            row = campaigns.create(
                session,
                kind="operations",
                name="What was done?",
                lang=lang,
                interface=interface,
                welcome={"instructions": "", "consent": "", "form": []},
                material=material,
                seed=7,
            )
            campaigns.change(session, row.id, row.revision, status="open")
            (made,) = people.invite(session, row.id, 1)
            app.state.last_campaign = row.id
        return f"{server}/p/{made.secret}"

    return invited


@pytest.fixture
def look(look: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a participant's link, goes through the welcome, and waits for the words."""

    def opened(address: str, width: int = 1200, **settings: Any) -> Any:
        page = look(address, viewport={"width": width, "height": 800}, **settings)
        page.wait_for_selector("#task button")
        if not page.locator(".operations").count():
            page.locator("#task button").last.click()
        page.wait_for_selector(".operations .word")
        return page

    return opened
