"""Times are bounded by the server's clock: who lies is found out, who was offline is not."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from plainly.studio.clock import ALLOWANCE, Before, clocked
from plainly.studio.kinds import get_kind
from plainly.studio.store import archive, campaigns, people, responses, tasks
from plainly.studio.store.database import Database
from plainly.studio.store.overview import given
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record
from plainly.studio.studies import Asked, Job, Snapshot, found_in

Make = Callable[..., str]
START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


class Time:
    """The server's clock, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        for module in (responses, tasks):
            monkeypatch.setattr(module, "now", self.now)

    def now(self) -> str:
        time = START + timedelta(seconds=self.seconds)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def begin(database: Database, campaign: str) -> tuple[str, list[int]]:
    with database.writing() as session:
        (made,) = people.invite(session, campaign, 1)
        who = visitor(session, made.secret, changes=True)
        who = tasks.begin(session, who, True, {"age": "4"} if who.loaded.welcome.get("form") else {})
        return made.secret, [row["id"] for row in _all(session, who)]


def _all(session: Any, who: Any) -> Any:
    from sqlalchemy import select

    from plainly.studio.store.tables import Task

    query = select(Task.id).where(Task.participant_id == who.id).order_by(Task.place)
    return [{"id": number} for number in session.scalars(query)]


def send(database: Database, secret: str, *sent: Sent) -> None:
    with database.writing() as session:
        assert not record(session, visitor(session, secret, changes=True), sent).refused


def answer(task: int, seconds: float | None, **more: Any) -> Sent:
    return Sent(f"r{task}-{seconds}-{len(more)}", task, "answer", {"yes": True, **more}, seconds)


def kept(database: Database, campaign: str) -> list[tuple[float | None, float | None, bool]]:
    with database.reading() as session:
        return [(one.seconds, one.server_seconds, one.impossible) for one in given(session, campaign)]


def test_a_billion_seconds_are_not_believed(database: Database, make_in: Make, time: Time) -> None:
    made = make_in(database, "a", "b", "c")
    secret, (first, second, third) = begin(database, made)
    for task, seconds in ((first, 5.0), (second, 1e9), (third, 4.0)):
        time.seconds += 6
        send(database, secret, answer(task, seconds))
    # Of the second one: what passed since, what the first left (1 s), and the allowance, which the third pays back.
    assert kept(database, made) == [(5.0, 6.0, False), (6 + 1 + ALLOWANCE, 6.0, True), (4.0, 6.0, False)]


def test_answers_that_come_late_and_all_at_once_are_possible(database: Database, make_in: Make, time: Time) -> None:
    """Five minutes without a network, then all in one request; and the same one by one."""
    made = make_in(database, *"abcdefgh")
    secret, ids = begin(database, made)
    time.seconds += 5
    send(database, secret, answer(ids[0], 4.0))
    time.seconds += 300
    send(database, secret, *(answer(task, 50.0) for task in ids[1:4]))
    for task in ids[4:6]:
        time.seconds += 0.05
        send(database, secret, answer(task, 70.0))
    assert [(seconds, impossible) for seconds, _, impossible in kept(database, made)] == [
        *[(4.0, False)],
        *[(50.0, False)] * 3,
        *[(70.0, False)] * 2,
    ]
    time.seconds += 0.05
    send(database, secret, answer(ids[6], 70.0))  # but not more than has passed: 305 s, of which 294 are claimed
    assert kept(database, made)[-1][2] is True


def test_honest_times_are_always_possible() -> None:
    """Whatever the delays: each answer is seen for no longer than since the one before, and comes some time later."""
    draw = random.Random(7)
    for _ in range(300):
        now = heard = spare = 0.0
        for _ in range(40):
            seconds = draw.expovariate(0.1)
            now += seconds + draw.choice((0.0, 0.1, 30.0))
            arrives = max(heard, now + draw.choice((0.0, 0.05, 5.0, 200.0)))
            found = clocked(Before(arrives - heard, spare), seconds)
            assert not found.impossible
            assert found.believed == seconds
            heard, spare = arrives, found.spare


def test_work_that_is_saved_again_and_again_claims_its_time_once(
    database: Database, make_in: Make, time: Time
) -> None:
    made = make_in(database, "a", "b", kind="book")
    secret, (first, second) = begin(database, made)
    for seconds in (10.0, 20.0, 30.0):
        time.seconds += 10
        send(database, secret, answer(first, seconds, done=seconds == 30))
    time.seconds += 10
    send(database, secret, answer(second, 10.0))
    assert kept(database, made) == [(30.0, 30.0, False), (10.0, 10.0, False)]


def test_a_clock_that_is_set_back_accuses_nobody(database: Database, make_in: Make, time: Time) -> None:
    made = make_in(database, "a", "b")
    secret, (first, second) = begin(database, made)
    time.seconds += 5
    send(database, secret, answer(first, 4.0))
    time.seconds -= 86_400
    send(database, secret, answer(second, 7.0))
    assert kept(database, made)[1] == (7.0, None, False)


def test_an_answer_taken_back_is_timed_anew(database: Database, make_in: Make, time: Time) -> None:
    made = make_in(database, "a", "b")
    secret, (first, _) = begin(database, made)
    time.seconds += 5
    send(database, secret, answer(first, 5.0))
    time.seconds += 2
    send(database, secret, Sent("undo", first, "undo", {}, None))
    time.seconds += 3
    send(database, secret, answer(first, 3.0))
    assert kept(database, made) == [(3.0, 3.0, False)]


def test_answers_of_an_older_plainly_are_believed(
    database: Database, make_in: Make, time: Time, tables: Path
) -> None:
    made = make_in(database, "a", "b")
    secret, (first, _) = begin(database, made)
    time.seconds += 5
    send(database, secret, answer(first, 99.0))
    with database.reading() as session:
        content = archive.archived(session, made)
    assert content["responses"][0]["impossible"] is True
    for key in ("server_seconds", "believed_seconds", "spare_seconds", "impossible", "comment"):
        del content["responses"][0][key]
    for person in content["participants"]:
        del person["after"], person["comment"]
    with database.writing() as session:
        campaigns.remove(session, made)
    with database.writing() as session:
        copy = archive.restore(session, content, "x.json").id
    assert kept(database, copy) == [(99.0, None, False)]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_lies_is_odd_and_who_does_not_is_not(database: Database, tmp_path: Path, time: Time) -> None:
    kind = get_kind("ranking")
    path = tmp_path / "texts.csv"
    path.write_text("id,text\n" + "".join(f"t{i},The ship came home on day {i}.\n" for i in range(6)))
    options = {option.name: option.default for option in kind.options}
    with database.writing() as session:
        row = campaigns.create(
            session,
            kind="ranking",
            name="Ships",
            lang="en",
            interface="en",
            welcome={},
            material=kind.read({"texts": path}, options),
            seed=7,
        )
        made = campaigns.change(session, row.id, 1, status="open").id
    for lies in (False, True):
        secret, ids = begin(database, made)
        for task in ids:
            time.seconds += 6
            seconds = 1e9 if lies else 5.0
            send(database, secret, Sent(f"r{task}", task, "answer", {"choice": "first"}, seconds))
    *_, found = found_in(database, Job("", Asked(made, "en")))
    assert isinstance(found, Snapshot)
    assert set(found.paces) == {"P001", "P002"}
    assert found.paces["P001"] == 5.0
    assert found.paces["P002"] == 6.0  # what the server saw
    assert found.remarks["P002"][0] == f"claimed more time than had passed for {len(ids)} of {len(ids)} answers"
    assert not any("faster" in odd or "claimed" in odd for odd in found.remarks.get("P001", ()))
