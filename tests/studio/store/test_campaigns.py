"""Campaigns and participants as owners change them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.store import campaigns, overview, people
from plainly.studio.store.campaigns import loaded
from plainly.studio.store.database import Database

Make = Callable[..., str]


def test_a_campaign_as_its_kind_sees_it(database: Database, make_in: Make) -> None:
    made = make_in(database, "cat", "dog", status="draft")
    with database.reading() as session:
        found = loaded(session, made)
        assert loaded(session, made) is found  # read once
    assert [item.content["word"] for item in found.campaign.items] == ["cat", "dog"]
    assert (found.campaign.seed, found.campaign.settings, found.status) == (7, {"extra": True}, "draft")


def test_a_change_is_seen_at_once(database: Database, make_in: Make) -> None:
    made = make_in(database)
    with database.reading() as session:
        before = loaded(session, made)
    with database.writing() as session:
        campaigns.change(session, made, before.revision, name="Long words", status="paused")
    with database.reading() as session:
        after = loaded(session, made)
    assert (after.campaign.name, after.status, after.revision) == ("Long words", "paused", before.revision + 1)
    assert after.campaign.items is before.campaign.items


def test_of_two_owners_at_once_one_is_told(database: Database, make_in: Make) -> None:
    made = make_in(database)
    ready = threading.Barrier(2)
    outcomes: list[str] = []

    def rename(name: str) -> None:
        with database.reading() as session:
            seen = campaigns.get(session, made).revision
        ready.wait(10)
        try:
            with database.writing() as session:
                campaigns.change(session, made, seen, name=name)
            outcomes.append("changed")
        except Conflict as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=rename, args=(name,)) for name in ("One", "Two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(outcomes) == ["changed", "somebody else has changed this campaign in the meantime; load it again"]


@pytest.mark.parametrize(
    ("first", "then", "words"),
    [("draft", "closed", "only open or archived"), ("open", "draft", "only paused or closed")],
)
def test_only_some_ways_lead_on(database: Database, make_in: Make, first: str, then: str, words: str) -> None:
    made = make_in(database, status=first)
    with pytest.raises(Conflict, match=words), database.writing() as session:
        campaigns.change(session, made, campaigns.get(session, made).revision, status=then)


@pytest.mark.parametrize(
    "settings",
    [
        {"name": " "},
        {"name": "a\nb"},
        {"name": "x" * 201},
        {"name": "a\0"},
        {"name": "\ud800"},
        {"interface": "xx"},
        {"welcome": {"form": [{"id": "a b", "label": "x"}]}},
        {"welcome": {"form": [{"id": "a", "label": "x"}, {"id": "a", "label": "y"}]}},
        {"welcome": {"form": [{"id": "a", "label": "x", "kind": "choice"}]}},
        {"welcome": {"form": "age"}},
        {"welcome": {"greeting": "hello"}},
        {"welcome": []},
        {"seed": -1},
        {"seed": 2**31},
    ],
)
def test_what_no_campaign_can_be(database: Database, toy: ModuleType, settings: dict[str, Any]) -> None:
    usual = {"name": "A", "interface": "en", "welcome": {}, "material": toy.material("cat")}
    with pytest.raises(PlainlyError), database.writing() as session:
        campaigns.create(session, kind="toy", lang="en", **{**usual, **settings})
    with database.reading() as session:
        assert campaigns.every(session) == []


def test_a_campaign_of_nothing(database: Database, toy: ModuleType) -> None:
    with pytest.raises(PlainlyError, match="nothing to judge"), database.writing() as session:
        campaigns.create(
            session, kind="toy", name="A", lang="en", interface="en", welcome={}, material=toy.material()
        )


def test_the_welcome_stays_once_participants_could_see_it(database: Database, make_in: Make) -> None:
    made = make_in(database, status="open")
    with pytest.raises(Conflict, match="draft only"), database.writing() as session:
        campaigns.change(session, made, 2, welcome={})


def test_deleting_a_campaign_leaves_nothing(database: Database, make_in: Make) -> None:
    made, other = make_in(database), make_in(database)
    with database.writing() as session:
        people.invite(session, made, 3)
        campaigns.remove(session, made)
    with database.reading() as session:
        assert [row.id for row in campaigns.every(session)] == [other]
        assert overview.people(session, made) == []
        with pytest.raises(NotThere):
            loaded(session, made)


def test_invitations_have_numbers_codes_and_notes(database: Database, make_in: Make) -> None:
    made = make_in(database)
    with database.writing() as session:
        first = people.invite(session, made, 2, ["anna@example.org"])
        second = people.invite(session, made, 1)
    assert [(one.number, one.code, one.note) for one in [*first, *second]] == [
        (1, "P001", "anna@example.org"),
        (2, "P002", ""),
        (3, "P003", ""),
    ]
    assert len({one.secret for one in [*first, *second]}) == 3
    assert all(len(one.secret) == 22 for one in first)  # 128 bits in base64
    assert [one["status"] for one in overview.participants(database, made)] == ["invited"] * 3


def test_invitations_at_the_same_time_never_share_a_number(database: Database, make_in: Make) -> None:
    made = make_in(database)
    numbers: list[int] = []

    def invite() -> None:
        with database.writing() as session:
            found = people.invite(session, made, 5)
        numbers.extend(one.number for one in found)

    threads = [threading.Thread(target=invite) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(numbers) == list(range(1, 31))


@pytest.mark.parametrize(("count", "notes"), [(0, []), (1001, []), (1, ["a", "b"]), (1, ["a\nb"]), (1, ["x" * 201])])
def test_invitations_that_cannot_be(database: Database, make_in: Make, count: int, notes: list[str]) -> None:
    made = make_in(database)
    with pytest.raises(PlainlyError), database.writing() as session:
        people.invite(session, made, count, notes)
    with database.reading() as session:
        assert overview.people(session, made) == []


def test_nobody_is_invited_to_what_is_over(database: Database, make_in: Make) -> None:
    made = make_in(database, status="closed")
    with pytest.raises(Conflict), database.writing() as session:
        people.invite(session, made, 1)
