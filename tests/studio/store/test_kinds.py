"""Real kinds in a real database: work is shared out fairly, and campaigns travel with all answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Json
from plainly.studio.kinds.options import completed
from plainly.studio.settings import sqlite_url
from plainly.studio.store import archive, campaigns, people, tables, tasks
from plainly.studio.store.database import Database
from plainly.studio.store.overview import given
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record

Make = Callable[..., str]


def lines(rows: Iterable[Json]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


FILES = {
    "ranking": ("texts", "texts.jsonl", lines({"id": f"t{n}", "text": f"This is text {n}."} for n in range(8))),
    "operations": (
        "pairs",
        "pairs.jsonl",
        lines(
            {"id": f"p{n}", "source": f"The boat {n} left early today", "simplification": f"Boat {n} left"}
            for n in range(10)
        ),
    ),
    "ratings": (
        "outputs",
        "outputs.jsonl",
        lines(
            {"id": f"s{n}", "source": f"Source {n} is here", "system": "one", "output": f"Out {n}"} for n in range(20)
        ),
    ),
    "comprehension": (
        "experiment",
        "experiment.yaml",
        """\
name: boats
lang: en
instructions: Read each text once.
consent: I agree.
reading_seconds: 60
passages:
  - id: boat
    versions:
      - {id: long, text: "The vessel departed prior to sunrise, unobserved by the harbour master."}
      - {id: short, text: "The boat left before the sun came up. Nobody saw it."}
    questions:
      - {id: when, text: "When did it leave?", correct: "Early.", distractors: ["Late.", "At noon.", "Never."]}
  - id: cake
    versions:
      - {id: long, text: "Subsequent to cooling, the cake should be divided into equal portions."}
      - {id: short, text: "Let the cake cool. Then cut it into equal parts."}
    questions:
      - {id: first, text: "What comes first?", correct: "Waiting.", distractors: ["Cutting.", "Eating.", "Paying."]}
""",
    ),
}
ANSWERS: dict[str, Callable[[Json, Json], Json]] = {
    "ranking": lambda task, settings: {"choice": "first"},
    "operations": lambda task, settings: {"groups": [], "erroneous": False, "done": True, "seconds": 1.0},
    "ratings": lambda task, settings: {
        "ratings": [{scale["name"]: 2 for scale in settings["scales"]} for _ in task["outputs"]]
    },
    "comprehension": lambda task, settings: {
        "ready": {"ready": True},
        "reading": {"over": False, "before": 0.0},
        "question": {"over": False, "before": 0.0, "place": 1},
    }[task["phase"]],
}


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Database]:
    made = Database(sqlite_url(tmp_path / "other.sqlite"))
    yield made
    made.close()


@pytest.fixture
def new(database: Database, tmp_path: Path) -> Make:
    """An open campaign of a real kind, from files."""

    def made(name: str, **options: Any) -> str:
        kind = get_kind(name)
        slot, file, content = FILES[name]
        (tmp_path / file).write_text(content, "utf-8")
        material = kind.read({slot: tmp_path / file}, {**completed(kind, options), "lang": "en"})
        with database.writing() as session:
            row = campaigns.create(
                session, kind=name, name=name, lang="en", interface="en", welcome={}, material=material, seed=5
            )
            return campaigns.change(session, row.id, row.revision, status="open").id

    return made


def begin(database: Database, secret: str) -> list[Any]:
    """The tasks of one who begins."""
    with database.writing() as session:
        who = tasks.begin(session, visitor(session, secret, changes=True), True, {})
        table = tables.Task
        query = select(table.id, table.content).where(table.participant_id == who.id).order_by(table.place)
        return list(session.execute(query))


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 3, 2, 1), (3, 1, 4, 2)])
@pytest.mark.parametrize(
    ("name", "options", "key"),
    [
        ("ranking", {"matches": 4, "sharing": "shared", "per_person": 4}, "match"),  # 8 * 4 / 2 pairs
        ("operations", {"sharing": "shared", "people": 4, "overlap": 20}, "pair"),
        ("ratings", {"assignment": "shared", "raters": 1, "load": 5, "checks": 0}, "item"),
    ],
)
def test_work_is_shared_out_in_whatever_order_people_begin(
    database: Database, new: Make, name: str, options: Json, key: str, order: tuple[int, ...]
) -> None:
    made = new(name, **options)
    with database.writing() as session:
        secrets = [one.secret for one in people.invite(session, made, 5)]  # one never begins
        preview = people.preview(session, made).secret
    begin(database, preview)  # counts nowhere
    counts = Counter(task.content[key] for number in order for task in begin(database, secrets[number - 1]))
    expected = {
        "ranking": {1: 16},
        "operations": {4: 2, 1: 8},  # a fifth of 10 for all four
        "ratings": {1: 20},
    }
    assert Counter(counts.values()) == expected[name]


def test_kinds_see_everybody_else_who_has_begun(
    database: Database, make_in: Make, toy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[list[Json]]] = []

    def made(self: Any, campaign: Any, number: int, others: Any) -> list[Json]:
        seen.append([list(other) for other in others])
        return [{"item": "w0", "of": number}]

    monkeypatch.setattr(toy.Toy, "tasks", made)
    campaign = make_in(database)
    with database.writing() as session:
        secrets = [one.secret for one in people.invite(session, campaign, 4)]
        secrets.append(people.preview(session, campaign).secret)
    for number in (3, 1, 0, 2):
        with database.writing() as session:
            who = visitor(session, secrets[number - 1], changes=True)
            tasks.begin(session, who, True, {"age": "4"})
    assert [[other[0]["of"] for other in others] for others in seen] == [[], [3], [1, 3], [1, 3]]


@pytest.mark.parametrize("name", FILES)
def test_a_campaign_of_each_kind_travels_with_all_answers(
    database: Database, other: Database, new: Make, name: str
) -> None:
    made = new(name)
    with database.writing() as session:
        secrets = [one.secret for one in people.invite(session, made, 2)]
        settings = campaigns.get(session, made).settings
    for secret in secrets:
        for number, task in enumerate(begin(database, secret)):
            sent = Sent(str(number), task.id, "answer", ANSWERS[name](task.content, settings), 1.5)
            with database.writing() as session:
                assert not record(session, visitor(session, secret, changes=True), [sent]).refused
    with database.reading() as session:
        content = archive.archived(session, made)
        answers = given(session, made)
    assert answers
    with other.writing() as session:
        copy = archive.restore(session, archive.read(archive.written(content), "x.json"), "x.json").id
    with other.reading() as session:
        assert given(session, copy) == answers
        assert archive.archived(session, copy) == content

    content["responses"][0]["answer"] = {"groups": 5}
    with pytest.raises(ValueError, match=r"x\.json: this archive is damaged: response 1 of the list: "):
        restored(other, content)
    content["tasks"][-1]["content"] = {"item": "none", "phase": "reading"}
    with pytest.raises(ValueError, match=r"x\.json: this archive is damaged: task"):
        restored(other, content)
    content["campaign"]["settings"] = {}
    with pytest.raises(ValueError, match=r"x\.json: this archive is damaged: its settings or items: "):
        restored(other, content)


def restored(database: Database, content: Json) -> None:
    with database.writing() as session:
        archive.restore(session, content, "x.json", new_links=True)
