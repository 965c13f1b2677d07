"""Tasks: made when a participant begins, more of them when all are answered, shown in order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, overload

from sqlalchemy import Integer, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from plainly.base.groups import grouped
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.ids_and_times import now, seconds_between
from plainly.studio.kinds.base import Given, Json, Kind
from plainly.studio.kinds.dealt import PRACTICE, STUDY, Dealt
from plainly.studio.kinds.gold import TRIES, beside_in_all, dealt, practice_of
from plainly.studio.store import arrivals, qualification, tables
from plainly.studio.store.overview import given
from plainly.studio.store.people import PREVIEW, Visitor
from plainly.studio.store.qualification import Counts
from plainly.studio.store.tables import table_of
from plainly.studio.welcome import filled_in

T = TypeVar("T")

# Statements of every request, made once (see people.py).
_tasks, _responses = table_of(tables.Task), table_of(tables.Response)
_own = _tasks.c.participant_id == bindparam("who")
_with_answers = (
    select(
        *_tasks.c["id", "place", "role", "content", "response_id"], *_responses.c["answer", "client_id", "comment"]
    )
    .outerjoin(_responses, _responses.c.id == _tasks.c.response_id)
    .where(_own)
)
_AHEAD = _with_answers.where(~_tasks.c.done).order_by(_tasks.c.place).limit(bindparam("most", type_=Integer))
_LAST = (
    _with_answers.where(_tasks.c.response_id.is_not(None), _tasks.c.role != PRACTICE)
    .order_by(_tasks.c.response_id.desc())
    .limit(1)
)
_ONE = _with_answers.where(_tasks.c.id == bindparam("task"))
_LISTED = select(*_tasks.c["id", "place", "done"]).where(_own, _tasks.c.role != PRACTICE).order_by(_tasks.c.place)
_CONTENTS = select(_tasks.c.content).where(_own, _tasks.c.role == STUDY).order_by(_tasks.c.place)
_participants = table_of(tables.Participant)
_LOCKED = (
    select(*_participants.c["finished", "status", "place", "cell", "seen"])
    .where(_participants.c.id == bindparam("who"), _participants.c.token == bindparam("token"))
    .with_for_update()
)
_INSERT = insert(_tasks)
_OPEN = select(_tasks.c.id).where(_own, ~_tasks.c.done).limit(1)
_RECEIVED = (
    select(_responses.c.received)
    .where(_responses.c.participant_id == bindparam("who"))
    .order_by(_responses.c.id.desc())
    .limit(1)
)


class Later(Sequence[T]):
    """A sequence that is read from the database only if somebody looks at it. Few kinds do."""

    def __init__(self, load: Callable[[], Sequence[T]]) -> None:
        self._load = load

    @cached_property
    def _all(self) -> Sequence[T]:
        return self._load()

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return self._all[place]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[T]:
        return iter(self._all)


@dataclass(frozen=True)
class Further:
    """Tasks of the study that come when so many of all roles were made."""

    after: int
    tasks: tuple[Json, ...]


def begin(session: Session, who: Visitor, consent: bool, fields: Json) -> Visitor:
    """The participant agrees and fills in the form; the tasks are made. Once only: a repeat changes nothing.

    One who is screened out by the form, or finds no place in the group, gets none.
    """
    if who.started or who.screened:
        return who
    who = arrivals.keep(session, who)
    if not who.may_go_on:
        raise Conflict(who.say("link.paused"))
    kept = filled_in(who.loaded.welcome, consent, fields, who.say)
    campaign = who.loaded.campaign
    _lock(session, campaign.id)
    who = arrivals.admit(session, who, kept)
    if who.place is False and not who.screened:
        return who
    table = tables.Participant
    values = {"fields": kept, "started": now()} | ({} if who.screened else {"status": "active"})
    session.execute(
        update(table).where(table.id == who.id).values(**values),
        execution_options={"synchronize_session": False},
    )
    begun = replace(who, started=True, fields=kept)
    if who.screened:
        return begun
    if practice_of(campaign):
        _insert(session, who, *qualification.practice(who, 1))
    else:
        _begin_study(session, who)
    return begun


def _begin_study(session: Session, who: Visitor) -> bool:
    """Whether there is anything to do. The campaign is locked: tasks of one may depend on those of others."""
    campaign = who.loaded.campaign
    others = Later(lambda: _of_others(session, campaign.id, who.number))
    made = who.loaded.kind.tasks(campaign, who.number, others)
    _insert(session, who, dealt(who.loaded.kind, campaign, who.number, made, 0, 0), 0)
    return bool(made)


def stuck(session: Session, who: Visitor) -> bool:
    """Whether the participant has neither an open task nor finished.

    One who answers the last task in a break finishes then: the campaign may be closed after it.
    """
    if not who.started or who.finished or who.screened or has_open(session, who):
        return False
    return who.may_go_on or _has_all(session, who)


def further(session: Session, who: Visitor) -> Further:
    """What comes after all tasks are done. It may be computed from all answers: no transaction that writes waits."""
    kind, campaign = who.loaded.kind, who.loaded.campaign
    counts = Counts.of(session, who)
    if counts.practising(campaign) or type(kind).more_tasks is Kind.more_tasks:
        return Further(counts.all, ())
    own = session.scalars(_CONTENTS, {"who": who.id}).all()
    answers: Sequence[Given] = Later(lambda: _counted(session, who))
    return Further(counts.all, tuple(kind.more_tasks(campaign, who.number, own, answers)))


def _counted(session: Session, who: Visitor) -> list[Given]:
    """All answers that count, and those of the participant."""
    found = given(session, who.loaded.id, preview=who.preview)
    return [one for one in found if not one.person.left_out or one.person.number == who.number]


def go_on(session: Session, who: Visitor, found: Further) -> Visitor:
    """Make those tasks; if there are none, the participant has finished. After practice: see whether it is passed.

    Nothing, if another tab was quicker, or if the link has opened nothing since.
    """
    row = session.execute(_LOCKED, {"who": who.id, "token": who.token}).first()
    if row is None or row.finished or row.status in ("revoked", "screened", "withdrawn") or has_open(session, who):
        return who if row is None else replace(who, finished=row.finished is not None)
    counts = Counts.of(session, who)
    if counts.all != found.after:
        return who
    who = replace(who, place=row.place, cell=row.cell, seen=row.seen)
    campaign = who.loaded.campaign
    if found.tasks:
        made, place = counts.made.get(STUDY, 0), counts.of_study()[1]
        _insert(session, who, dealt(who.loaded.kind, campaign, who.number, found.tasks, made, place), place)
        return who
    if counts.practising(campaign):
        who, done = _after_practice(session, who, counts.attempt(campaign))
        if not done:
            return who
    who = arrivals.keep(session, who)
    _mark(session, who, "finished", now())
    return replace(who, finished=True, completed=True)


def _after_practice(session: Session, who: Visitor, attempt: int) -> tuple[Visitor, bool]:
    """On to the tasks, or to another try, or out; and whether there is nothing to do at all."""
    if qualification.passed(session, who, attempt):
        _lock(session, who.loaded.id)
        return who, not _begin_study(session, who)
    if attempt < TRIES:
        _insert(session, who, *qualification.practice(who, attempt + 1))
        return who, False
    return qualification.screened_by_practice(session, who, attempt), False


def _lock(session: Session, campaign_id: str) -> None:
    """Tasks are made for one participant after the other."""
    session.execute(select(tables.Campaign.id).where(tables.Campaign.id == campaign_id).with_for_update())


def reopen(session: Session, who: Visitor) -> Visitor:
    """One who had finished has an open task again."""
    if not who.finished:
        return who
    _mark(session, who, "active", None)
    return replace(who, finished=False)


def progress(session: Session, who: Visitor) -> tuple[int, int]:
    """How many tasks are done, of how many: of the practice, as long as it lasts."""
    campaign = who.loaded.campaign
    counts = Counts.of(session, who)
    if who.started and counts.practising(campaign):
        return counts.of_practice(campaign)
    done, made = counts.of_study()
    of_study = counts.made.get(STUDY, 0)
    total = who.loaded.kind.total(campaign, of_study)
    return done, made if total == of_study else max(made, total + beside_in_all(campaign, total))


def ahead(session: Session, who: Visitor, known: Collection[int] = ()) -> list[Json]:
    """The next open tasks as the browser gets them; none in a break. Practice comes one by one.

    Of those that the browser has already, as `known` says, it gets only what may have changed.
    """
    if not who.may_go_on or not who.started:
        return []
    rows = session.execute(_AHEAD, {"who": who.id, "most": who.loaded.kind.ahead}).all()
    found = [_shown(who, row, known) for row in (rows[:1] if rows and rows[0].role == PRACTICE else rows)]
    if found and who.loaded.kind.timed:
        found[0] = {**found[0], "since": _since(session, who)}
    return found


def _since(session: Session, who: Visitor) -> float | None:
    """Seconds since the last answer was stored: so long the next task has been open. A clock may be set back."""
    received = session.scalar(_RECEIVED, {"who": who.id})
    return None if received is None else max(0.0, seconds_between(received, now()))


def last(session: Session, who: Visitor, known: Collection[int] = ()) -> Json | None:
    """The task whose answer may be taken back."""
    if not who.loaded.kind.undoable or not who.started:
        return None
    row = session.execute(_LAST, {"who": who.id}).first()
    return None if row is None else _shown(who, row, known)


def listed(session: Session, who: Visitor) -> list[Json]:
    """All tasks of kinds whose tasks may be opened again."""
    _insist_revisable(who)
    rows = session.execute(_LISTED, {"who": who.id})
    return [{"id": row.id, "place": row.place, "done": row.done} for row in rows]


def opened(session: Session, who: Visitor, task_id: int) -> Json:
    """One task, with the answer that stands."""
    _insist_revisable(who)
    row = session.execute(_ONE, {"who": who.id, "task": task_id}).first()
    if row is None:
        raise NotThere(who.say("link.no_task"))
    return _shown(who, row)


def _insist_revisable(who: Visitor) -> None:
    if not who.loaded.kind.revisable:
        raise Conflict(who.say("link.not_again"))
    if not who.may_go_on:
        raise Conflict(who.say("link.paused"))


def _shown(who: Visitor, row: Any, known: Collection[int] = ()) -> Json:
    kind, campaign = who.loaded.kind, who.loaded.campaign
    content = {"same": True} if row.id in known else kind.shown(campaign, row.content)
    found = {**content, "id": row.id, "place": row.place}
    if row.role == PRACTICE:
        found["practice"] = qualification.shown(campaign, row.place, row.content)
        found["place"] = found["practice"]["number"] - 1
    if row.response_id is not None:
        found["answer"] = kind.page_answer(campaign, row.content, row.answer)
        if row.comment:
            found["comment"] = row.comment
    if kind.revisable:
        found["base"] = row.client_id or ""  # the next answer says from which one it started: see responses.py
    return found


def has_open(session: Session, who: Visitor) -> bool:
    """Whether there is something to do."""
    return session.scalar(_OPEN, {"who": who.id}) is not None


def _has_all(session: Session, who: Visitor) -> bool:
    """Whether no more tasks will come; kinds know it without a look at the answers."""
    counts = Counts.of(session, who)
    made = counts.made.get(STUDY, 0)
    return not counts.practising(who.loaded.campaign) and who.loaded.kind.total(who.loaded.campaign, made) <= made


def _insert(session: Session, who: Visitor, made: Sequence[Dealt], first: int) -> None:
    if made:
        rows = [
            {"participant_id": who.id, "place": place, "role": one.role, "content": dict(one.task), "done": False}
            for place, one in enumerate(made, first)
        ]
        session.execute(_INSERT, rows)


def _mark(session: Session, who: Visitor, status: str, finished: str | None) -> None:
    table = tables.Participant
    session.execute(
        update(table)
        .where(table.id == who.id)
        .values(status=status, finished=finished, completed=func.coalesce(table.completed, finished)),
        execution_options={"synchronize_session": False},
    )


def _of_others(session: Session, campaign_id: str, number: int) -> list[list[Json]]:
    """The tasks of everybody else who has begun, in the order of invitation.

    The preview counts nowhere, and what was left out is dealt out again.
    """
    task, participant = tables.Task, tables.Participant
    query = (
        select(participant.number, task.content)
        .join(task, task.participant_id == participant.id)
        .where(participant.campaign_id == campaign_id, participant.number.not_in((number, PREVIEW)))
        .where(participant.left_out == "", participant.status != "screened", task.role == STUDY)
        .order_by(participant.number, task.place)
    )
    by_person = grouped(session.execute(query), lambda row: row.number)
    return [[row.content for row in own] for own in by_person.values()]
