"""People who come by an open link: made once, counted exactly, and told why not."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from types import ModuleType
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Conflict, NotAllowed, NotThere, Refusal
from plainly.studio.security.secrets import fingerprint, new_secret
from plainly.studio.store import afterwards, archive, arrivals, campaigns, overview, people, tables, tasks
from plainly.studio.store.arrivals import Again, arrive, places
from plainly.studio.store.database import Database
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record

MakeIn = Callable[..., str]
FORM = {"age": "42", "level": "high"}


def at(minutes: float) -> str:
    """The time so many minutes after the study was opened."""
    seconds = round(minutes * 60)
    return f"2026-05-04T{8 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000Z"


class Study:
    """A campaign with an open link, and the browsers of those who come."""

    def __init__(self, database: Database, campaign: str) -> None:
        self.database = database
        self.campaign = campaign
        self.ids = (f"r{number}" for number in itertools.count())

    @property
    def slug(self) -> str:
        with self.database.reading() as session:
            return campaigns.get(session, self.campaign).slug or ""

    def settle(self, **arrival: Any) -> None:
        with self.database.writing() as session:
            revision = campaigns.get(session, self.campaign).revision
            campaigns.change(session, self.campaign, revision, arrival={"on": True, **arrival})

    def status(self, status: str) -> None:
        with self.database.writing() as session:
            campaigns.change(session, self.campaign, campaigns.get(session, self.campaign).revision, status=status)

    def come(self, who: str | None = None, secret: str = "", time: str = at(0), **given: str) -> str:
        """The secret of the personal link of one who came."""
        secret = secret or new_secret()
        given = {**({"PROLIFIC_PID": who} if who else {}), **given}
        while True:
            try:
                with self.database.writing() as session:
                    arrive(session, self.slug, secret, given, time, lang="en")
                return secret
            except Again:
                continue

    def begin(self, secret: str, time: str = at(0), **fields: str) -> Any:
        """What becomes of one who fills in the form."""
        with self.database.writing() as session:
            who = visitor(session, secret, changes=True, time=time)
            return tasks.begin(session, who, True, fields or FORM)

    def answer(self, secret: str, time: str = at(0)) -> None:
        """The next task."""
        with self.database.writing() as session:
            who = arrivals.keep(session, visitor(session, secret, changes=True, time=time))
            task = tasks.ahead(session, who)[0]["id"]
            record(session, who, [Sent(next(self.ids), task, "answer", {"yes": True}, 1.0)])

    def finish(self, secret: str, time: str = at(0)) -> Any:
        """Everything, to the end."""
        for _ in range(9):
            with self.database.reading() as session:
                who = visitor(session, secret, time=time)
                stuck, found = tasks.stuck(session, who), tasks.further(session, who)
            if stuck:
                with self.database.writing() as session:
                    who = tasks.go_on(session, visitor(session, secret, changes=True, time=time), found)
            if who.finished:
                return who
            if not stuck:
                self.answer(secret, time)
        raise AssertionError("there is no end")

    def whole(self, who: str | None = None, time: str = at(0), **fields: str) -> str:
        """One who comes and does everything."""
        secret = self.come(who, time=time)
        self.begin(secret, time, **fields)
        self.finish(secret, time)
        return secret

    def row(self, secret: str) -> tables.Participant:
        with self.database.reading() as session:
            found = session.query(tables.Participant).filter_by(token=fingerprint(secret)).one()
            session.expunge(found)
            return found

    @property
    def places(self) -> tuple[int, int]:
        """Held, and done."""
        with self.database.reading() as session:
            found = places(session, self.campaign)
        return sum(found.held.values()), sum(found.done.values())


@pytest.fixture
def study(database: Database, make_in: MakeIn) -> Study:
    made = Study(database, make_in(database))
    made.settle(preset="prolific")
    return made


@pytest.fixture
def many(database_with_tables: str, make_in: MakeIn, toy: ModuleType) -> Iterator[Study]:
    """The same, with connections for many at once."""
    made = Database(database_with_tables)
    found = Study(made, make_in(made, "cat"))
    found.settle(preset="prolific")
    yield found
    made.close()


def test_named_parameters_are_kept_and_no_others(study: Study) -> None:
    row = study.row(study.come("5f1", STUDY_ID="s1", SESSION_ID="", admin="yes"))
    assert (row.platform_id, row.parameters) == ("5f1", {"PROLIFIC_PID": "5f1", "STUDY_ID": "s1"})
    assert (row.number, row.status, row.place, len(row.completion)) == (1, "invited", True, 12)


def test_who_comes_again_is_the_same_person(study: Study) -> None:
    first = study.come("5f1")
    study.begin(first)
    again = study.come("5f1", SESSION_ID="b")
    assert study.row(again).number == 1
    assert study.row(again).parameters["SESSION_ID"] == "b"
    with study.database.reading() as session:
        assert visitor(session, again).started
        with pytest.raises(NotThere):
            visitor(session, first)  # one browser at a time
    assert study.come("5f1", again) == again, "a repeat after a lost reply"
    assert study.places == (1, 0)


def test_without_a_name_the_browser_is_known_by_its_secret(study: Study) -> None:
    study.settle(preset="plain")
    first = study.come(None)
    assert study.come(None, first) == first
    assert study.places == (1, 0)
    assert study.row(study.come(None)).number == 2


@pytest.mark.parametrize(("end", "refusal", "words"), [
    ("finished", Conflict, "before"), ("screened", Conflict, "second try"), ("revoked", NotAllowed, "withdrawn"),
])  # fmt: skip
def test_there_is_no_second_try(study: Study, end: str, refusal: type[Refusal], words: str) -> None:
    study.settle(preset="prolific", screen={"level": ["low"]}, code="own")
    secret = study.come("5f1")
    if end == "screened":
        assert study.begin(secret, age="4", level="low").screened
    else:
        study.begin(secret)
        study.finish(secret)
    if end == "revoked":
        with study.database.writing() as session:
            people.revoke(session, study.campaign, 1)
    with pytest.raises(refusal, match=words) as told:
        study.come("5f1")  # another browser, which gets no code
    assert told.value.title
    assert study.come("5f1", secret) == secret  # this one's page says the same, with the code
    with study.database.reading() as session:
        assert session.query(tables.Participant).count() == 1


@pytest.mark.parametrize(
    "asked", [{"comments": True}, {"after": [{"id": "hard", "label": "Hard?", "kind": "yes-no"}]}]
)
def test_who_still_owes_the_last_page_comes_to_it_from_another_browser(
    database: Database, make_in: MakeIn, asked: dict[str, Any]
) -> None:
    study = Study(database, make_in(database, status="draft"))
    with database.writing() as session:
        row = campaigns.get(session, study.campaign)
        campaigns.change(session, study.campaign, row.revision, welcome={**row.welcome, **asked})
    study.settle(preset="prolific", code="own")
    study.status("open")
    study.whole("5f1")
    again = study.come("5f1")  # all tasks are done, but the code is shown on the page after this one
    study.status("closed")
    with pytest.raises(Conflict, match="before"):
        study.come("5f1")  # now the first browser shows the code at once
    study.status("open")
    with database.writing() as session:
        afterwards.end(session, visitor(session, again, changes=True), {"hard": "no"} if "after" in asked else {}, "")
    with pytest.raises(Conflict, match="before"):
        study.come("5f1")


def test_links_that_lead_nowhere(study: Study) -> None:
    with study.database.writing() as session, pytest.raises(NotThere):
        arrive(session, "nothere", new_secret(), {}, at(0), lang="en")
    old = study.slug
    with study.database.writing() as session:
        campaigns.renew_slug(session, study.campaign)
    assert study.slug != old
    with study.database.writing() as session, pytest.raises(NotThere):
        arrive(session, old, new_secret(), {"PROLIFIC_PID": "5f1"}, at(0), lang="en")
    known = study.come("5f1")
    for status, words in (("paused", "is paused"), ("closed", "over")):
        study.status(status)
        with pytest.raises(Conflict, match=words):
            study.come("5f2")
        assert study.come("5f1", known) == known
    study.status("open")
    study.settle(on=False, preset="prolific")
    with pytest.raises(Conflict, match="over"):
        study.come("5f2")
    assert study.come("5f1")
    with study.database.writing() as session:
        assert people.invite(session, study.campaign, 1)[0].number == 2, "those who were refused took no number"


@pytest.mark.parametrize("given", [
    {}, {"PROLIFIC_PID": ""}, {"PROLIFIC_PID": " "}, {"PROLIFIC_PID": "a b"}, {"PROLIFIC_PID": "x" * 101},
    {"PROLIFIC_PID": "a\x00b"}, {"PROLIFIC_PID": "a\u202eb"}, {"PROLIFIC_PID": "é"}, {"PROLIFIC_PID": "a\r\nb"},
    {"PROLIFIC_PID": "a", "STUDY_ID": "x" * 201}, {"PROLIFIC_PID": "a", "STUDY_ID": "\ud800"},
    {"PROLIFIC_PID": "a", "STUDY_ID": "\t\x1b[31m"}, {"PROLIFIC_PID": ["a", "b"]}, {"PROLIFIC_PID": {"$ne": ""}},
    {"PROLIFIC_PID": None}, {"PROLIFIC_PID": 7}, {"prolific_pid": "a"},
    {"PROLIFIC_PID": "=cmd|x"}, {"PROLIFIC_PID": "a;=cmd"},
])  # fmt: skip
def test_forged_parameters_make_nobody(study: Study, given: Any) -> None:
    with study.database.writing() as session, pytest.raises(PlainlyError, match="address of this page"):
        arrive(session, study.slug, new_secret(), given, at(0), lang="en")
    assert study.places == (0, 0)


def test_a_preview_of_mturk_makes_nobody(study: Study) -> None:
    study.settle(preset="mturk")
    given = {"workerId": "A1", "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "h"}
    for looking in (given, {"hitId": "h"}):
        with study.database.writing() as session, pytest.raises(PlainlyError, match="preview"):
            arrive(session, study.slug, new_secret(), looking, at(0), lang="en")
    with study.database.writing() as session:
        assert arrive(session, study.slug, new_secret(), {**given, "assignmentId": "x"}, at(0), lang="en")


def test_the_quota_is_exact(study: Study) -> None:
    study.settle(preset="prolific", quota=2)
    study.whole("a")
    late = study.come("b")
    with pytest.raises(Conflict, match="All places"):
        study.come("c")
    assert study.places == (1, 1)
    study.begin(late)
    study.finish(late)
    assert study.places == (0, 2)
    with pytest.raises(Conflict, match="All places"):
        study.come("c", time=at(10_000 / 60))  # whoever has finished keeps the place
    study.settle(preset="prolific", quota=3)
    assert study.come("c")


def test_a_place_is_held_for_a_while_and_then_given_to_one_who_wants_it(study: Study) -> None:
    study.settle(preset="prolific", quota=1, hold=30)
    first = study.come("a")
    study.begin(first, at(1))
    study.answer(first, at(20))
    with pytest.raises(Conflict):
        study.come("b", time=at(50))  # 30 minutes after the last sign of life, not more
    second = study.come("b", time=at(50.1))
    assert (study.row(first).place, study.row(second).place) == (False, True)
    with pytest.raises(Conflict, match="All places"):
        study.answer(first, at(51))  # returns too late
    assert study.come("a", time=at(51)), "they may still come to their page, which says so"
    with study.database.writing() as session:
        people.revoke(session, study.campaign, 2)
    back = study.come("a", time=at(52))
    study.answer(back, at(52))  # and gets a place when there is one
    assert study.finish(back, at(53)).finished
    assert study.places == (0, 1)


def test_one_who_returns_late_keeps_a_place_that_nobody_wanted(study: Study) -> None:
    study.settle(preset="prolific", quota=1, hold=30)
    first = study.come("a")
    study.begin(first, at(300))
    study.finish(first, at(600))
    assert study.places == (0, 1)


def test_a_clock_that_is_set_back_gives_no_place_twice(study: Study) -> None:
    study.settle(preset="prolific", quota=1, hold=30)
    first = study.come("a", time=at(0))
    second = study.come("b", time=at(40))
    with pytest.raises(Conflict):
        study.begin(first, at(5))  # it was theirs then, and is not now
    study.begin(second, at(6))
    with pytest.raises(Conflict):
        study.come("c", time=at(7))


def test_one_who_has_done_all_tasks_keeps_the_place(study: Study) -> None:
    """The studio was killed after the last answer was stored and before it said so."""
    study.settle(preset="prolific", quota=1, hold=30)
    first = study.come("a")
    study.begin(first)
    for _ in range(2):
        study.answer(first)
    with study.database.reading() as session:
        found = tasks.further(session, visitor(session, first))
    with study.database.writing() as session:
        tasks.go_on(session, visitor(session, first, changes=True, time=at(0)), found)  # one more task
    study.answer(first)
    with pytest.raises(Conflict):
        study.come("b", time=at(1000 / 60 * 30))
    assert study.finish(first, at(520)).finished


def test_groups_have_quotas_of_their_own(study: Study) -> None:
    form = [{"id": "level", "label": "Your level", "kind": "choice", "options": ["low", "high", "other"]}]
    with study.database.writing() as session:
        row = campaigns.get(session, study.campaign)
        row.welcome = {**row.welcome, "form": [{**form[0], "required": True}]}
        row.revision += 1
    study.settle(preset="prolific", group="level", groups={"low": 1, "high": 2}, hold=30)
    study.whole("a", level="low")
    late = study.come("b")
    refused = study.begin(late, level="low")
    assert (refused.place, refused.started) == (False, False)
    assert study.places == (0, 1), "without a place of the group there is none of the campaign"
    with pytest.raises(Conflict, match="All places"):
        study.begin(late, level="low")
    assert study.begin(study.come("b2"), level="other").started, "no bound was set for it"
    study.settle(preset="prolific", group="level", groups={"low": 2, "high": 2}, hold=30)
    again = study.begin(late, level="high")
    assert not again.started, "another answer opens no other door"
    assert study.begin(late, level="low").started
    for who in ("c", "d"):
        study.begin(study.come(who), level="high")
    refused = study.begin(study.come("e"), level="high")
    assert refused.place is False
    gone = study.begin(study.come("f", time=at(40)), at(40), level="high")
    assert gone.started, "who gave no sign of life makes room in the group, too"


def test_screened_out_people_hold_no_place(study: Study) -> None:
    study.settle(preset="prolific", quota=1, screen={"level": ["low"]})
    first = study.come("a")
    assert study.begin(first, age="4", level="low").screened
    row = study.row(first)
    assert (row.status, row.screened, row.place, row.fields["level"]) == ("screened", "level", False, "low")
    second = study.come("b")
    study.begin(second)
    study.answer(second)
    with study.database.writing() as session:
        who = arrivals.screen_out(session, visitor(session, second, changes=True), "failed two checks")
        assert who.screened
    with study.database.reading() as session:
        assert tasks.ahead(session, visitor(session, second)) == []
    with study.database.writing() as session, pytest.raises(Conflict, match="second try"):
        record(session, visitor(session, second, changes=True), [])
    study.whole("c")
    assert study.places == (0, 1)
    (one, *_) = overview.participants(study.database, study.campaign)
    assert one["status"] == "screened"


def test_people_with_links_of_their_own_are_no_part_of_the_quota(study: Study) -> None:
    study.settle(preset="prolific", quota=1)
    with study.database.writing() as session:
        (invited,) = people.invite(session, study.campaign, 1)
        seen = people.preview(session, study.campaign)
    for secret in (invited.secret, seen.secret):
        study.begin(secret)
        study.finish(secret)
    assert study.places == (0, 0)
    study.whole("a")
    assert study.places == (0, 1)


def test_those_left_out_make_room(study: Study) -> None:
    study.settle(preset="prolific", quota=1)
    study.whole("a")
    with study.database.writing() as session:
        people.leave_out(session, study.campaign, 1, "answered at random", "Ada")
    assert study.places == (0, 0)
    study.whole("b")
    assert study.places == (0, 1)


def test_revoked_and_renewed(study: Study) -> None:
    study.settle(preset="prolific", quota=1)
    study.whole("a")
    with study.database.writing() as session:
        people.revoke(session, study.campaign, 1)
    assert study.places == (0, 0)
    with study.database.writing() as session:
        people.renew(session, study.campaign, 1)
    assert study.places == (0, 1)


def test_after_the_last_answer_was_taken_back_the_place_stays(study: Study) -> None:
    study.settle(preset="prolific", quota=1, hold=30)
    first = study.whole("a")
    with study.database.writing() as session:
        who = visitor(session, first, changes=True, time=at(0))
        last = tasks.last(session, who)
        assert last is not None
        record(session, who, [Sent("undo", last["id"], "undo", {}, None)])
    assert study.row(first).finished is None
    with pytest.raises(Conflict):
        study.come("b", time=at(500))
    assert study.finish(first, at(501)).finished


def test_deleting_a_person_deletes_who_it_was(study: Study) -> None:
    study.come("5f1aPERSON", STUDY_ID="s")
    with study.database.writing() as session:
        people.remove(session, study.campaign, 1)
    with study.database.reading() as session:
        assert "5f1aPERSON" not in str([vars(row) for row in session.query(tables.Participant)])


@pytest.mark.parametrize("same", [False, True])
def test_a_race_for_the_last_places(many: Study, same: bool) -> None:
    """Many at once, some of them twice: exactly as many places as there are, and nobody twice."""
    quota, crowd = 5, 16
    many.settle(preset="prolific", quota=quota)
    names = [f"p{number // 2 if same else number}" for number in range(crowd)]
    together = Barrier(crowd)

    def come(who: str) -> str:
        together.wait(60)
        try:
            return many.come(who)
        except Conflict:
            return ""

    with ThreadPoolExecutor(crowd) as pool:
        came = list(pool.map(come, names))
    with many.database.reading() as session:
        made = session.query(tables.Participant).all()
        assert len(made) == quota
        assert max(Counter(row.platform_id for row in made).values()) == 1
        assert sorted(row.number for row in made) == list(range(1, quota + 1))
    assert sum(bool(secret) for secret in came) >= quota
    assert many.places == (quota, 0)


def test_a_race_of_those_who_come_back_too_late(many: Study) -> None:
    """Three lost their places to one other: two of them get those that are free, however they race."""
    crowd = 6
    many.settle(preset="prolific", hold=30)
    secrets = [many.come(f"p{number}") for number in range(crowd)]
    many.settle(preset="prolific", quota=1, hold=30)
    newcomer = many.come("new", time=at(45))
    many.settle(preset="prolific", quota=3, hold=30)
    together = Barrier(crowd)

    def begin(secret: str) -> bool:
        together.wait(60)
        try:
            many.begin(secret, at(46))
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(crowd) as pool:
        assert sum(pool.map(begin, secrets)) == 2
    assert many.row(newcomer).place
    assert many.places == (3, 0)


def test_an_archive_has_the_places_and_not_who_people_are(study: Study, tmp_path: Path, make_in: MakeIn) -> None:
    study.settle(preset="prolific", quota=2, code="own", screen={"level": ["low"]})
    secret = study.whole("PERSON1")
    study.begin(study.come("PERSON2"), age="4", level="low")
    with study.database.reading() as session:
        whole = archive.archived(session, study.campaign)
    text = archive.written(whole)
    assert "PERSON" not in text
    assert study.row(secret).completion not in text
    other = Database(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with other.writing() as session:
        copy = archive.restore(session, archive.read(text, "it"), "it")
        assert (copy.slug, copy.arrival["on"], copy.arrival["quota"]) == (None, False, 2)
        found = places(session, copy.id)
        assert (sum(found.held.values()), sum(found.done.values())) == (0, 1)
        statuses = [row.status for row in session.query(tables.Participant).order_by(tables.Participant.number)]
        assert statuses == ["finished", "screened"]
    for person in whole["participants"]:  # an older archive has no such things
        for name in ("completed", "screened", "place", "cell", "seen", "platform"):
            del person[name]
        if person["status"] == "screened":
            person["status"] = "active"
    del whole["campaign"]["arrival"]
    with other.writing() as session:
        copy = archive.restore(session, whole, "it", new_links=True)
        assert copy.arrival == {}
        assert [
            row.completed is not None for row in session.query(tables.Participant).filter_by(campaign_id=copy.id)
        ] == [
            True,
            False,
        ]
    other.close()
