"""A campaign of ratings: texts of our own, and participants who answer by a rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Given, Json, Person

SOURCES = [
    "The committee postponed its decision until the consequences had been examined.",
    "Owing to persistent rainfall the river rose above its banks during the night.",
    "The museum acquired several manuscripts that had long been considered lost.",
    "Passengers are requested to refrain from leaning out of the windows.",
    "The physician recommended abstaining from solid food before the procedure.",
    "A considerable proportion of the harvest was destroyed by unexpected frost.",
]


def lines(count: int = 6) -> str:
    rows = []
    for number, source in enumerate(SOURCES[:count], 1):
        outputs = {"cut": " ".join(source.split()[:5]) + ".", "plain": f"Simple text {number}."}
        rows.append(
            {"id": f"s{number}", "source": source, "outputs": outputs, "references": [f"Good text {number}."]}
        )
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def kind() -> Any:
    return get_kind("ratings")


@pytest.fixture
def options(kind: Any) -> Callable[..., Json]:
    """All options, some of them chosen."""
    return lambda **chosen: {option.name: chosen.get(option.name, option.default) for option in kind.options}


@pytest.fixture
def make(kind: Any, options: Callable[..., Json], tmp_path: Path) -> Callable[..., Campaign]:
    """A campaign from files as an owner gives them."""

    def made(
        outputs: str | None = None, check_file: str = "", name: str = "o.jsonl", practice: str = "", **chosen: Any
    ) -> Campaign:
        files = {"outputs": tmp_path / name}
        files["outputs"].write_text(lines() if outputs is None else outputs, encoding="utf-8")
        if check_file:
            files["checks"] = tmp_path / "checks.csv"
            files["checks"].write_text(check_file, encoding="utf-8")
        if practice:
            files["practice"] = tmp_path / "practice.csv"
            files["practice"].write_text(practice, encoding="utf-8")
        material = kind.read(files, options(**chosen))
        return Campaign("c1", "ratings", "Our ratings", "en", 5, material.settings, material.items)

    return made


def rate(value: Callable[[Json, str], int | None], task: Json, scales: Sequence[str]) -> Json:
    """An answer to a page, by a rule over outputs and scales."""
    return {"ratings": [{scale: value(output, scale) for scale in scales} for output in task["outputs"]]}


def answers(
    kind: Any, campaign: Campaign, people: int, value: Callable[[int, Json, str], int | None], seconds: float = 10
) -> list[Given]:
    """Everybody rates everything."""
    scales = [scale["name"] for scale in campaign.settings["scales"]]
    before: list[list[Json]] = []
    found = []
    for number in range(1, people + 1):
        person = Person(f"P{number:03}", number)
        before.append(kind.tasks(campaign, number, before))
        for place, task in enumerate(before[-1]):
            given = rate(lambda output, scale: value(number, output, scale), task, scales)  # noqa: B023
            kept = kind.checked(campaign, task, given)
            found.append(Given(person, place, task, kept, seconds, "2026-03-01T12:00:00+00:00"))
    return found


@pytest.fixture
def invite(
    app: Any, server: str, kind: Any, options: Callable[..., Json], tmp_path: Path
) -> Callable[..., list[str]]:
    """invite(people, outputs, lang=..., **options): the links of an open campaign with so many participants."""
    from plainly.studio.store import campaigns, people

    def made(
        count: int = 1,
        outputs: str | None = None,
        lang: str = "en",
        interface: str = "en",
        practice: str = "",
        **chosen: Any,
    ) -> list[str]:
        files = {"outputs": tmp_path / "outputs.jsonl"}
        files["outputs"].write_text(lines() if outputs is None else outputs, encoding="utf-8")
        if practice:
            files["practice"] = tmp_path / "practice.csv"
            files["practice"].write_text(practice, encoding="utf-8")
        material = kind.read(files, options(**chosen))
        with app.state.database.writing() as session:
            row = campaigns.create(
                session,
                kind="ratings",
                name="How good are these texts?",
                lang=lang,
                interface=interface,
                welcome={},
                material=material,
                seed=3,
            )
            campaigns.change(session, row.id, 1, status="open")
            return [f"{server}/p/{one.secret}" for one in people.invite(session, row.id, count)]

    return made


@pytest.fixture
def stored(app: Any) -> Callable[[], list[Given]]:
    """The answers that stand, of the only campaign."""
    from plainly.studio.store import campaigns
    from plainly.studio.store.overview import given

    def found() -> list[Given]:
        with app.state.database.reading() as session:
            (campaign,) = campaigns.every(session)
            return given(session, campaign.id)

    return found
