"""A campaign travels to another studio; everything is backed up and restored."""

from __future__ import annotations

import gzip
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Conflict
from plainly.studio.settings import sqlite_url
from plainly.studio.store import archive, campaigns, overview, people, tasks
from plainly.studio.store.backup import back_up, restore
from plainly.studio.store.campaigns import loaded
from plainly.studio.store.database import Database
from plainly.studio.store.overview import given
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record
from plainly.studio.store.tables import Participant

from ...cases import each

Make = Callable[..., str]


def begin(database: Database, secret: str) -> list[int]:
    """The ids of the tasks of a participant who begins."""
    with database.writing() as session:
        who = tasks.begin(session, visitor(session, secret, changes=True), True, {"age": "4"})
    with database.reading() as session:
        return [task["id"] for task in tasks.ahead(session, who)]


def send(database: Database, secret: str, *sent: Sent) -> None:
    with database.writing() as session:
        receipt = record(session, visitor(session, secret, changes=True), sent)
        if tasks.stuck(session, receipt.visitor):
            tasks.go_on(session, receipt.visitor, tasks.further(session, receipt.visitor))
    assert not receipt.refused


@pytest.fixture
def used(database: Database, make_in: Make) -> tuple[str, list[str]]:
    """A campaign in which one has finished, one has taken an answer back, and one has not begun."""
    made = make_in(database)
    with database.writing() as session:
        secrets = [one.secret for one in people.invite(session, made, 3, ["anna", "bert", "cora"])]
        preview = people.preview(session, made).secret
    for secret in (preview, *secrets[:2]):
        first, second = begin(database, secret)
        send(database, secret, Sent("a", first, "answer", {"yes": True, "why": "=1+1 ü"}, 1.25))
        send(database, secret, Sent("b", second, "answer", {"yes": False}, None))
    send(database, secrets[1], Sent("c", second, "undo", {}, None))
    with database.reading() as session:
        last = tasks.ahead(session, visitor(session, secrets[0]))[0]["id"]
    send(database, secrets[0], Sent("d", last, "answer", {"yes": True}, 3.0))
    return made, secrets


@pytest.fixture
def other(tables: Path, tmp_path: Path) -> Iterator[Database]:
    """Another studio, always with SQLite."""
    made = Database(sqlite_url(shutil.copyfile(tables, tmp_path / "other.sqlite")))
    yield made
    made.close()


def answers(database: Database, campaign: str) -> list[Any]:
    with database.reading() as session:
        return given(session, campaign)


def exported(database: Database, campaign: str) -> dict[str, Any]:
    with database.reading() as session:
        return archive.archived(session, campaign)


def test_another_studio_makes_the_same_campaign(
    database: Database, other: Database, used: tuple[str, list[str]]
) -> None:
    made, secrets = used
    content = exported(database, made)
    text = archive.written(content)
    assert "anna" not in text  # notes stay behind
    assert not any(secret in text for secret in secrets)
    with other.writing() as session:
        copy = archive.restore(session, archive.read(text, "x.json"), "x.json").id
    assert answers(other, copy) == answers(database, made)
    assert exported(other, copy) == content
    with other.reading() as session:
        assert loaded(session, copy).campaign.items == loaded(session, copy).campaign.items
        assert [one["status"] for one in overview.participants(other, copy)] == ["finished", "active", "invited"]
        codes = [one.completion for one in session.query(Participant).order_by(Participant.number)]
        assert [len(code) for code in codes] == [0, 12, 12]  # of those who will be done here
        who = visitor(session, secrets[1])  # the links go on working
        assert tasks.last(session, who)["answer"]["why"] == "=1+1 ü"
        open_tasks = [task["id"] for task in tasks.ahead(session, who)]
    send(other, secrets[1], Sent("e", open_tasks[0], "answer", {"yes": True}, 1.0))
    assert len(answers(other, copy)) == len(answers(database, made)) + 1
    with other.writing() as session:
        assert people.invite(session, copy, 1)[0].number == 4


def test_links_work_in_one_campaign_only(database: Database, used: tuple[str, list[str]]) -> None:
    made, secrets = used
    content = exported(database, made)
    with pytest.raises(Conflict, match="--new-links"), database.writing() as session:
        archive.restore(session, content, "x.json")
    with database.writing() as session:
        copy = archive.restore(session, content, "x.json", new_links=True).id
    with database.reading() as session:
        assert visitor(session, secrets[0]).loaded.id == made
        assert len(campaigns.every(session)) == 2
    assert answers(database, copy) == answers(database, made)


def changed(part: str, at: int | None = None, **values: Any) -> Callable[[Any], Any]:
    """An archive with other values in one place."""

    def change(content: Any) -> Any:
        (content[part] if at is None else content[part][at]).update(values)
        return content

    return change


def test_numbers_of_participants_are_never_used_again(
    database: Database, other: Database, used: tuple[str, list[str]]
) -> None:
    content = exported(database, used[0])
    content["campaign"]["invited"] = 0
    with other.writing() as session:
        copy = archive.restore(session, content, "x.json").id
        assert people.invite(session, copy, 1)[0].number == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda content: "{", "no JSON"),
        (lambda content: [], "no archive"),
        (lambda content: {**content, "form": 2}, "newer plainly"),
        (lambda content: {**content, "items": None}, "damaged"),
        (lambda content: {**content, "campaign": {}}, "damaged"),
        (lambda content: {**content, "participants": []}, "damaged"),
        (lambda content: {**content, "campaign": {**content["campaign"], "kind": "magic"}}, "unknown kind"),
        (lambda content: {**content, "campaign": {**content["campaign"], "status": "lost"}}, "damaged"),
    ],
)
def test_archives_that_are_none(
    database: Database, other: Database, used: tuple[str, list[str]], change: Any, words: str
) -> None:
    content = change(exported(database, used[0]))
    text = content if isinstance(content, str) else json.dumps(content)
    with pytest.raises(PlainlyError, match=words), other.writing() as session:
        archive.restore(session, archive.read(text, "x.json"), "x.json")
    with other.reading() as session:
        assert campaigns.every(session) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@each(
    "change, words",
    [
        (changed("campaign", created="yesterday"), "created is no time"),
        (changed("campaign", invited=-1), "invited must be a whole number"),
        (changed("campaign", invited="2"), "invited must be a whole number"),
        (changed("campaign", seed=True), "the seed must be a whole number"),
        (changed("campaign", settings=["extra"]), "TypeError"),
        (changed("campaign", settings={}), "its settings or items: KeyError 'extra'"),
        (changed("items", 0, name="w1"), "two items have the same name"),
        (changed("items", 0, content={}), "its settings or items: KeyError 'word'"),
        (changed("items", 0, content={"word": "\ud800"}), "a text or a number in it"),
        (changed("items", 0, content={"word": float("nan")}), "a text or a number in it"),
        (changed("participants", 0, number=0), "participant 1 of the list: the number must be a whole number from 1"),
        (changed("participants", 0, number=2), "two participants with the number 2"),
        (changed("participants", 0, token="x"), "the token is no SHA-256"),
        (changed("participants", 0, status="active"), "the status cannot be 'active'"),
        (changed("participants", 0, started=None), "the status cannot be 'finished'"),
        (changed("participants", 0, started="2026-13-01T00:00:00.000Z"), "started is no time"),
        (changed("participants", 0, fields={"shoes": "4"}), "does not ask for .?shoes"),
        (changed("participants", 2, fields={"age": "4"}), "filled in otherwise"),
        (changed("tasks", 0, participant=3), "nobody could have it there"),
        (changed("tasks", 0, place=7), "nobody could have it there"),
        (changed("tasks", 0, content={"item": "none"}), "task 1 of the list: KeyError 'none'"),
        (changed("tasks", 0, content=5), "no table"),
        (changed("responses", 0, task=9), "there is no such task"),
        (changed("responses", 0, client_id="a b"), "the client_id is none"),
        (changed("responses", 1, client_id="a"), "is there twice"),
        (changed("responses", 0, action="erase"), "'erase' is nothing that can be done"),
        (changed("responses", 0, answer={"yes": "perhaps"}), "response 1 of the list: yes must be true or false"),
        (changed("responses", 0, seconds=-1), "the seconds are no time"),
        (changed("responses", 0, received="2026-01-01"), "received is no time"),
        (changed("responses", 0, received=None), "received is no time"),
    ],
)
def test_archives_that_no_studio_wrote(
    database: Database, other: Database, used: tuple[str, list[str]], change: Any, words: str
) -> None:
    text = json.dumps(change(exported(database, used[0])))
    with pytest.raises(PlainlyError, match=f"x.json: this archive is damaged: .*{words}"), other.writing() as session:
        archive.restore(session, archive.read(text, "x.json"), "x.json")
    with other.reading() as session:
        assert campaigns.every(session) == []


def test_backup_and_restore(database: Database, used: tuple[str, list[str]], tmp_path: Path, other: Database) -> None:
    made, _ = used
    before = answers(database, made)
    file = tmp_path / "backup"
    back_up(database, file)
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(PlainlyError, match="--force"):
        back_up(database, file)
    back_up(database, file, force=True)
    with database.writing() as session:
        campaigns.remove(session, made)
    with pytest.raises(PlainlyError, match="is no backup"):
        restore(Path(__file__), database)
    restore(file, database)  # it is empty: nothing to be forced
    assert answers(database, made) == before
    with pytest.raises(PlainlyError, match="--force"):
        restore(file, database)
    restore(file, database, force=True)
    restore(file, other)  # from PostgreSQL to SQLite, too
    assert answers(other, made) == before
    for where in (database, other):
        with where.writing() as session:  # and numbers go on after those that were restored
            (fourth,) = people.invite(session, made, 1)
        first = begin(where, fourth.secret)[0]
        send(where, fourth.secret, Sent("a", first, "answer", {"yes": True}, 1.0))
        assert len(answers(where, made)) == len(before) + 1


def test_a_backup_of_sqlite_becomes_postgresql(
    other: Database, make_in: Make, new_postgresql: str, tmp_path: Path
) -> None:
    made = make_in(other)
    back_up(other, tmp_path / "backup")
    database = Database(new_postgresql)
    restore(tmp_path / "backup", database)
    with database.reading() as session:
        assert campaigns.get(session, made).name == "Short words"
    database.close()


def test_backup_while_answers_come_in(database: Database, make_in: Make, tmp_path: Path) -> None:
    """Each participant's responses in a backup are those up to one moment: numbers without a gap."""
    made = make_in(database, *(f"w{number}" for number in range(60)))
    with database.writing() as session:
        secrets = [one.secret for one in people.invite(session, made, 3)]
    stop = threading.Event()

    def answer(secret: str) -> None:
        begin(database, secret)
        for number in range(60):
            with database.reading() as session:
                task = tasks.ahead(session, visitor(session, secret))[0]["id"]
            send(database, secret, Sent(str(number), task, "answer", {"yes": True}, 1.0))
            if stop.is_set():
                return

    threads = [threading.Thread(target=answer, args=(secret,)) for secret in secrets]
    for thread in threads:
        thread.start()
    files = [tmp_path / f"backup{number}" for number in range(3)]
    for file in files:
        back_up(database, file)
    stop.set()
    for thread in threads:
        thread.join(60)
    for file in files:
        copy = Database(sqlite_url(tmp_path / f"{file.name}.sqlite"))
        restore(file, copy)
        with copy.reading() as session:
            for person, secret in zip(overview.people(session, made), secrets, strict=True):
                assert person.done == len([one for one in given(session, made) if one.person == person])
                visitor(session, secret)
        copy.close()


def test_damaged_backups_change_nothing(database: Database, used: tuple[str, list[str]], tmp_path: Path) -> None:
    made, _ = used
    before = answers(database, made)
    file = tmp_path / "backup"
    back_up(database, file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PlainlyError):
        restore(file, database, force=True)
    assert answers(database, made) == before
    with gzip.open(file, "wt") as out:
        out.write('{"plainly": "9.9", "version": "9999"}\n')
    with pytest.raises(PlainlyError, match=r"restore it with plainly 9\.9"):
        restore(file, database, force=True)
    with pytest.raises(PlainlyError, match="cannot read"):
        restore(tmp_path / "none", database)
    with pytest.raises(PlainlyError, match="cannot write"):
        back_up(database, tmp_path / "no" / "folder")
    assert answers(database, made) == before
