"""Practice with a bar to pass, checks, and tasks shown once more: none of them counts in the study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import select

from plainly.base.errors import PlainlyError
from plainly.studio.kinds.base import Json, Material
from plainly.studio.results import all_files, gathered
from plainly.studio.store import archive, campaigns, overview, people, qualification, tables, tasks
from plainly.studio.store.database import Database
from plainly.studio.store.overview import given
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Receipt, Sent, record
from plainly.studio.texts import say
from plainly.studio.welcome import checked_welcome

WORDS = [f"word{number}" for number in range(8)]
Make = Callable[..., str]


def gold(item: str, yes: bool) -> Json:
    return {"item": item, "expected": {"yes": yes}, "why": "It is."}


@pytest.fixture
def make_gold(database: Database, toy: ModuleType) -> Make:
    """An open campaign of the toy kind with practice, checks or repeats."""

    def made(bar: float = 0.75, kind: str = "toy", **settings: Any) -> str:
        material: Material = toy.material(*WORDS, extra=False)
        material = replace(material, settings={**material.settings, **settings})
        with database.writing() as session:
            welcome = {"practice": {"bar": bar}}
            row = campaigns.create(
                session, kind=kind, name="x", lang="en", interface="en", welcome=welcome, material=material, seed=7
            )
            return campaigns.change(session, row.id, row.revision, status="open").id

    return made


PRACTICE = {"gold": {"practice": [gold("w0", True), gold("w1", False)], "checks": []}}
CHECKS = {"gold": {"practice": [], "checks": [gold("w0", True), gold("w1", False), gold("w2", True)]}}


class Person:
    """Somebody with a link."""

    def __init__(self, database: Database, secret: str) -> None:
        self.database, self.secret, self.sent = database, secret, 0
        with database.writing() as session:
            tasks.begin(session, visitor(session, secret, changes=True), True, {})

    def who(self, session: Any) -> Any:
        return visitor(session, self.secret)

    def ahead(self) -> list[Json]:
        with self.database.reading() as session:
            return tasks.ahead(session, self.who(session))

    def answer(self, task: int, yes: bool, action: Any = "answer") -> Receipt:
        self.sent += 1
        answer = {"yes": yes} if action == "answer" else {}
        with self.database.writing() as session:
            who = visitor(session, self.secret, changes=True)
            receipt = record(session, who, [Sent(str(self.sent), task, action, answer, 1.0)])
            if tasks.stuck(session, receipt.visitor):
                tasks.go_on(session, receipt.visitor, tasks.further(session, receipt.visitor))
        return receipt

    def practise(self, *right: bool) -> list[Json]:
        """Answers practice; what was said of each."""
        said = []
        for good in right:
            (task,) = self.ahead()
            assert task["practice"]["told"]
            expected = {"w0": True, "w1": False}[task["item"]]
            self.answer(task["id"], expected == good)
            with self.database.reading() as session:
                told = qualification.feedback(session, self.who(session))
            assert told is not None
            assert told["task"] == task["id"]
            said.append(told)
        return said

    def rows(self) -> list[Any]:
        with self.database.reading() as session:
            table = tables.Task
            query = select(table).where(table.participant_id == self.who(session).id).order_by(table.place)
            return list(session.scalars(query))


@pytest.fixture
def join(database: Database) -> Callable[[str], Person]:
    def joined(campaign: str) -> Person:
        with database.writing() as session:
            (made,) = people.invite(session, campaign, 1)
        return Person(database, made.secret)

    return joined


def state(person: Person) -> tuple[str, tuple[int, int]]:
    with person.database.reading() as session:
        who = person.who(session)
        status = session.get(tables.Participant, who.id).status
        return status, tasks.progress(session, who)


def test_tasks_come_when_practice_is_passed(database: Database, make_gold: Make, join: Any) -> None:
    campaign = make_gold(**PRACTICE)
    person = join(campaign)
    assert state(person) == ("active", (0, 2))
    first, second = person.practise(True, True)
    assert (first["right"], first["why"], "outcome" in first) == (1.0, "It is.", False)
    assert (second["outcome"], second["share"]) == ("passed", 1.0)
    assert state(person) == ("active", (0, 8))
    assert [row.place for row in person.rows()] == [-4, -3, *range(8)]
    with database.reading() as session:
        assert tasks.last(session, person.who(session)) is None  # practice is not taken back
        assert given(session, campaign) == []
    assert overview.participants(database, campaign)[0]["total"] == 8
    assert overview.campaigns(database)[0]["done"] == 0


def why(database: Database, lang: str) -> str:
    """Why the only one who was screened out was, as an owner reads it."""
    with database.reading() as session:
        (reason,) = session.scalars(select(tables.Participant.screened).where(tables.Participant.screened != ""))
    return qualification.why_screened(reason, say(lang))


def test_there_are_two_tries(database: Database, make_gold: Make, join: Any) -> None:
    person = join(make_gold(**PRACTICE))
    assert person.practise(True, False)[1]["outcome"] == "again"  # 50 % of 75 %
    assert person.ahead()[0]["practice"] == {"number": 1, "total": 2, "attempt": 2, "told": True}
    assert person.practise(True, True)[1]["outcome"] == "passed"
    assert [row.place for row in person.rows()] == [-4, -3, -2, -1, *range(8)]

    other = join(make_gold(**PRACTICE))
    other.practise(True, False)
    assert other.practise(False, True)[1]["outcome"] == "failed"
    assert state(other)[0] == "screened"
    assert why(database, "de") == "Übung: 50 % richtig, 75 % nötig"  # one of two
    assert [row.place for row in other.rows()] == [-4, -3, -2, -1]
    assert other.ahead() == []


@pytest.mark.parametrize(("bar", "status"), [(0.5, "active"), (0.51, "screened")])
def test_the_bar_decides(make_gold: Make, join: Any, bar: float, status: str) -> None:
    person = join(make_gold(bar=bar, **PRACTICE))
    person.practise(True, False)
    if status == "screened":
        person.practise(True, False)
    assert state(person)[0] == status


def test_practice_is_answered_once(make_gold: Make, join: Any) -> None:
    for kind in ("toy", "book"):
        person = join(make_gold(kind=kind, **PRACTICE))
        (task,) = person.ahead()
        assert not person.answer(task["id"], False).refused
        assert person.answer(task["id"], True).refused
        assert person.answer(task["id"], True, "undo").refused


def test_checks_and_repeats_stand_among_the_tasks(database: Database, make_gold: Make, join: Any) -> None:
    campaign = make_gold(repeats=0.25, **CHECKS)
    person = join(campaign)
    rows = person.rows()
    roles = [row.role for row in rows]
    assert sorted(roles) == ["", "", "", "", "", "", "", "", "check", "check", "check", "repeat", "repeat"]
    assert roles[0] == ""
    assert state(person)[1] == (0, 13)
    study = {row.place: row.content["item"] for row in rows if row.role == ""}
    assert list(study.values()) == [f"w{number}" for number in range(8)]  # in their order
    for row in rows:
        if row.role == "repeat":
            assert study[row.content["repeats"]] == row.content["item"]
            assert list(study).index(row.content["repeats"]) < 4
            assert sum(place < row.place for place in study) > 4
    for row in rows:
        person.answer(row.id, row.role != "repeat")
    assert state(person) == ("finished", (13, 13))
    with database.reading() as session:
        assert len(given(session, campaign)) == 8
    files = {file.name: file.content for file in all_files(database, campaign)}
    assert files["answers.csv"].count("\n") == 9
    marked = [line.split(",")[2:4] for line in files["checks.csv"].splitlines()[1:]]
    assert sorted(marked) == [["0", "1"]] * 2 + [["1", "0"]] * 3
    assert overview.participants(database, campaign)[0]["done"] == 8


def test_who_fails_too_many_checks_is_out(database: Database, make_gold: Make, join: Any) -> None:
    person = join(make_gold(fail_after=2, **CHECKS))
    checks = [row for row in person.rows() if row.role == "check"]
    wrong = [not row.content["expected"]["yes"] for row in checks]
    person.answer(checks[0].id, wrong[0])
    assert state(person)[0] == "active"
    person.answer(checks[1].id, not wrong[1])
    assert state(person)[0] == "active"
    assert person.answer(checks[2].id, wrong[2]).visitor.screened
    assert state(person)[0] == "screened"
    assert why(database, "en") == "failed attention checks: 2"

    other = join(make_gold(**CHECKS))  # no limit: told to the owner only
    for row in other.rows():
        other.answer(row.id, row.role != "check" or not row.content["expected"]["yes"])
    assert state(other)[0] == "finished"


def test_a_campaign_with_all_of_it_travels(database: Database, make_gold: Make, join: Any, tmp_path: Any) -> None:
    campaign = make_gold(repeats=0.25, **{"gold": {**PRACTICE["gold"], "checks": CHECKS["gold"]["checks"]}})
    person = join(campaign)
    person.practise(True, False, True, True)
    for row in person.rows():
        if row.place >= 0:
            person.answer(row.id, True)
    with database.reading() as session:
        content = archive.archived(session, campaign)
    with database.writing() as session:
        copy = archive.restore(session, content, "x.json", new_links=True).id
    with database.reading() as session:
        before, after = (gathered(session, one) for one in (campaign, copy))
    assert (after.given, after.beside) == (before.given, before.beside)
    assert {one.role for one in after.beside} == {"practice", "check", "repeat"}
    for wrong in ({"place": -9}, {"role": "magic"}, {"role": ""}):
        damaged = {**content, "tasks": [{**content["tasks"][0], **wrong}, *content["tasks"][1:]]}
        with pytest.raises(PlainlyError, match="damaged"), database.writing() as session:
            archive.restore(session, damaged, "x.json", new_links=True)
    for task in content["tasks"]:  # an archive of an older studio has no roles
        del task["role"]
    content["tasks"] = [task for task in content["tasks"] if task["place"] >= 0]
    content["responses"] = []
    with database.writing() as session:
        archive.restore(session, content, "x.json", new_links=True)


@pytest.mark.parametrize("bar", [-0.1, 1.1, "0.5", True, None])
def test_a_bar_is_a_share(bar: Any) -> None:
    with pytest.raises(PlainlyError, match="bar"):
        checked_welcome({"practice": {"bar": bar}})


def test_tasks_of_those_who_are_out_are_dealt_again(
    database: Database, make_gold: Make, join: Any, toy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_gold(fail_after=1, **CHECKS)
    person = join(campaign)
    check = next(row for row in person.rows() if row.role == "check")
    person.answer(check.id, not check.content["expected"]["yes"])
    stays = join(campaign)
    seen: list[list[Json]] = []

    def made(self: Any, campaign: Any, number: int, others: Any) -> list[Json]:
        seen.extend(list(other) for other in others)
        return [{"item": "w0"}]

    monkeypatch.setattr(toy.Toy, "tasks", made)
    join(campaign)
    assert seen == [[row.content for row in stays.rows() if row.role == ""]]  # neither the first one, nor checks
