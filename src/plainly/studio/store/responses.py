"""Responses: rows that are added, never changed. Each is stored once, however often it is sent.

Where work is saved again and again before it is done, only the newest of these rows are kept. All that one
participant may store has an end.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Integer, Text, bindparam, cast, delete, func, insert, select, update
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.studio.clock import Before as Until
from plainly.studio.clock import clocked, too_early
from plainly.studio.errors import Conflict
from plainly.studio.ids_and_times import now, seconds_between
from plainly.studio.kinds.base import Json
from plainly.studio.kinds.dealt import PRACTICE
from plainly.studio.store import tables
from plainly.studio.store.afterwards import comment_of
from plainly.studio.store.people import Visitor, refusal
from plainly.studio.store.qualification import after_checks
from plainly.studio.store.tables import table_of
from plainly.studio.store.tasks import reopen

LARGEST = 200_000
"""Characters of one answer as JSON."""
MOST_STORED = 64 << 20
"""Characters of all answers of one participant."""
MOST_OF_TASK = 500
"""Responses to one task."""
KEPT_SAVES = 50
"""Of work that is not done, the newest rows of a task. A browser repeats no more than it may send at once."""

# Statements of every request, made once (see people.py).
_tasks, _responses = table_of(tables.Task), table_of(tables.Response)
_KNOWN = select(_responses.c.client_id).where(
    _responses.c.participant_id == bindparam("who"), _responses.c.client_id.in_(bindparam("ids", expanding=True))
)
_counted = _responses.alias()
_stored = (
    select(func.sum(func.length(cast(_counted.c.answer, Text))))
    .where(_counted.c.participant_id == bindparam("who"))
    .scalar_subquery()
)
_CONTENTS = select(*_tasks.c["id", "content"], _stored.label("stored")).where(
    _tasks.c.participant_id == bindparam("who"), _tasks.c.id.in_(bindparam("ids", expanding=True))
)
_times = select(func.count()).where(_counted.c.task_id == _tasks.c.id).scalar_subquery()
_TASKS = (
    select(
        *_tasks.c["id", "place", "role", "response_id", "done"],
        *_responses.c["client_id", "seconds", "server_seconds", "believed_seconds"],
        _times.label("times"),
    )
    .outerjoin(_responses, _responses.c.id == _tasks.c.response_id)
    .where(_tasks.c.participant_id == bindparam("who"), _tasks.c.id.in_(bindparam("ids", expanding=True)))
)
_NEWEST = select(func.max(_tasks.c.response_id)).where(_tasks.c.participant_id == bindparam("who"))
_newest = select(func.max(_counted.c.id)).where(_counted.c.participant_id == bindparam("who")).scalar_subquery()
_LAST = select(*_responses.c["task_id", "action", "received", "spare_seconds"]).where(_responses.c.id == _newest)
_participants = table_of(tables.Participant)
_STARTED = select(_participants.c.started).where(_participants.c.id == bindparam("who"))
_INSERT = insert(_responses).returning(_responses.c.id)
_UPDATE = (
    update(_tasks)
    .where(_tasks.c.id == bindparam("task"))
    .values(response_id=bindparam("stands"), done=bindparam("is_done"))
)
_OLDEST_SAVES = (
    select(*_responses.c["id", "action", "answer"])
    .where(_responses.c.task_id == bindparam("task"))
    .order_by(_responses.c.id.desc())
    .limit(2)
    .offset(bindparam("newer", type_=Integer))
)
_DELETE = delete(_responses).where(_responses.c.id == bindparam("old"))


@dataclass(frozen=True)
class Sent:
    """What a browser sends."""

    client_id: str
    task: int
    action: Literal["answer", "undo"]
    answer: Any
    seconds: float | None
    base: str | None = None
    """The `client_id` of the answer that it started from, empty for none; None: it does not matter."""
    comment: str = ""


@dataclass(frozen=True)
class Receipt:
    """What became of what was sent."""

    stored: tuple[str, ...]
    """Ids of all that is stored, now or before."""
    refused: tuple[tuple[str, str], ...]
    """Ids of what can never be stored, and why."""
    visitor: Visitor
    practised: bool = False
    """Whether any of it was for practice, of which there may be something to say."""


@dataclass(frozen=True)
class Before:
    """What there is before responses are stored."""

    contents: dict[int, Json]
    """Of the tasks that they name, as far as they are the participant's own."""
    stored: int
    """Characters of all answers so far."""


Checked = Json | PlainlyError
"""The answer as it is kept, or why it cannot be."""


class _Open:
    """A task of the participant, as it is within this transaction."""

    def __init__(self, row: Any) -> None:
        self.place: int = row.place
        self.practice: bool = row.role == PRACTICE
        self.response: int | None = row.response_id
        self.base: str = row.client_id or ""
        self.done: bool = row.done
        self.times: int = row.times
        self.claimed: float | None = row.seconds
        self.server: float | None = row.server_seconds
        self.believed: float | None = row.believed_seconds


class _Clock:
    """When the participant was last heard of, and what time no answer has claimed: see clock.py."""

    def __init__(self, session: Session, who: Visitor) -> None:
        row = session.execute(_LAST, {"who": who.id}).first()
        self.heard: str | None = row.received if row else session.scalar(_STARTED, {"who": who.id})
        self.spare: float = (row.spare_seconds or 0.0) if row else 0.0
        self.at: int | None = row.task_id if row and row.action == "answer" else None

    def until(self, task: _Open, time: str) -> Until:
        gap = seconds_between(self.heard, time) if self.heard else None
        if gap is not None and gap < 0:
            gap = None  # the clock was set back
        if task.response is not None and task.believed is None and task.claimed is not None:
            gap = None  # stored by a plainly that kept no such times
        return Until(gap, self.spare, task.claimed or 0.0, task.believed or 0.0)


def before(session: Session, who: Visitor, sent: Sequence[Sent]) -> Before:
    """All that it takes to check them. Tasks never change."""
    rows = session.execute(_CONTENTS, {"who": who.id, "ids": sorted({one.task for one in sent})}).all()
    return Before({row.id: row.content for row in rows}, (rows[0].stored or 0) if rows else 0)


def checked(who: Visitor, known: Before, sent: Sequence[Sent]) -> list[Checked]:
    """Each answer as its kind keeps it. This may take long: it belongs where nobody else waits."""
    found: list[Checked] = []
    stored = known.stored
    for one in sent:
        try:
            content = known.contents.get(one.task)
            if content is None:
                raise PlainlyError(who.say("link.no_task"))
            answer = _fitting(who, content, one.answer) if one.action == "answer" else {}
            stored += _size(who, answer) + len(one.comment)
            if stored > MOST_STORED:
                raise PlainlyError(who.say("link.full"))
            found.append(answer)
        except PlainlyError as error:
            found.append(error)
    return found


def _fitting(who: Visitor, content: Json, answer: Any) -> Json:
    """The answer as its kind keeps it. Refusals are said in the language of the page, with the kind's reason."""
    try:
        return who.loaded.kind.checked(who.loaded.campaign, content, answer)
    except PlainlyError as error:
        raise PlainlyError(who.say("link.unfit", error=error)) from None


def record(session: Session, who: Visitor, sent: Sequence[Sent], answers: Sequence[Checked] | None = None) -> Receipt:
    """Store responses in their order; `answers` is what `checked` found. They are kept at the end of the transaction.

    Nothing may be acknowledged before that.
    """
    if not who.started:
        raise Conflict(who.say("link.welcome_first"))
    if who.screened:
        raise refusal(Conflict, "screened", who.loaded.interface)
    if answers is None:
        answers = checked(who, before(session, who, sent), sent)
    known = _known(session, who, sent)
    tasks = _tasks_of(session, who, sent)
    clock = _Clock(session, who)
    stored, refused = [], []
    for one, answer in zip(sent, answers, strict=True):
        if one.client_id not in known:
            try:
                _store(session, who, clock, one, tasks.get(one.task), answer)
            except PlainlyError as error:
                refused.append((one.client_id, str(error)))
                continue
            known.add(one.client_id)
        stored.append(one.client_id)
    if any(not task.done for task in tasks.values()):
        who = reopen(session, who)
    who = after_checks(session, who, tasks.keys())
    return Receipt(tuple(stored), tuple(refused), who, any(task.practice for task in tasks.values()))


def _store(session: Session, who: Visitor, clock: _Clock, one: Sent, task: _Open | None, answer: Checked) -> None:
    if task is None:
        raise PlainlyError(who.say("link.no_task"))
    kind = who.loaded.kind
    if one.action == "undo":
        _insist_undoable(session, who, task)
    elif task.done and (task.practice or not kind.revisable):
        raise PlainlyError(who.say("link.answered"))
    elif one.base is not None and one.base != task.base:
        raise PlainlyError(who.say("link.stale", number=task.place + 1))
    if isinstance(answer, PlainlyError):
        raise answer
    if task.times >= MOST_OF_TASK:
        raise PlainlyError(who.say("link.full"))
    answered, time = one.action == "answer", now()
    seconds = kind.claimed(answer, one.seconds) if answered else None
    until = clock.until(task, time)
    least = _least(who, task, answer) if answered else 0.0
    if too_early(until, least):
        raise PlainlyError(who.say("link.too_early", seconds=f"{least:g}"))
    found = clocked(until, seconds, least)
    goes_on = answered and clock.at == one.task  # the same showing of the task
    server = None if until.gap is None else until.gap + ((task.server or 0.0) if goes_on else 0.0)
    row = {
        "participant_id": who.id,
        "task_id": one.task,
        "client_id": one.client_id,
        "action": one.action,
        "answer": dict(answer),
        "seconds": seconds,
        "server_seconds": server,
        "believed_seconds": found.believed,
        "spare_seconds": found.spare,
        "impossible": found.impossible,
        "comment": comment_of(who, one.comment) if answered else "",
        "received": time,
    }
    number = session.scalar(_INSERT, row)
    clock.heard, clock.spare, clock.at = time, found.spare, one.task if answered else None
    task.response, task.base = (number, one.client_id) if answered else (None, "")
    task.claimed, task.server, task.believed = (seconds, server, found.believed) if answered else (None, None, None)
    task.done = answered and kind.done(answer)
    task.times += 1
    session.execute(_UPDATE, {"task": one.task, "stands": task.response, "is_done": task.done})
    if kind.revisable and task.times > KEPT_SAVES:
        task.times -= _dropped(session, who, one.task)


def _least(who: Visitor, task: _Open, answer: Json) -> float:
    """Seconds that must have passed before the task is answered for the first time; later, slips may be mended."""
    answered_before = task.done or (task.response is None and task.times > 0)
    kind = who.loaded.kind
    if answered_before or not kind.done(answer) or not kind.waits(answer):
        return 0.0
    return float(who.loaded.welcome.get("least_seconds", 0))


def _dropped(session: Session, who: Visitor, task_id: int) -> int:
    """Deletes the row that just left the newest ones, if it is work that was saved again before it was done."""
    rows = session.execute(_OLDEST_SAVES, {"task": task_id, "newer": KEPT_SAVES - 1}).all()
    unfinished = [row.action == "answer" and not who.loaded.kind.done(row.answer) for row in rows]
    if unfinished != [True, True]:
        return 0
    session.execute(_DELETE, {"old": rows[1].id})
    return 1


def _insist_undoable(session: Session, who: Visitor, task: _Open) -> None:
    if task.practice or not who.loaded.kind.undoable:
        raise PlainlyError(who.say("link.no_undo"))
    newest = session.scalar(_NEWEST, {"who": who.id})
    if task.response is None or task.response != newest:
        raise PlainlyError(who.say("link.only_last"))


def _size(who: Visitor, answer: Json) -> int:
    """Characters of the answer as JSON; one that cannot be stored is refused."""
    try:
        written = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        written.encode("utf-8")
    except (ValueError, RecursionError):  # half a character, or no number
        raise PlainlyError(who.say("link.unreadable")) from None
    if len(written) > LARGEST:
        raise PlainlyError(who.say("link.too_large"))
    return len(written)


def _known(session: Session, who: Visitor, sent: Sequence[Sent]) -> set[str]:
    """Which of them are stored already."""
    return set(session.scalars(_KNOWN, {"who": who.id, "ids": [one.client_id for one in sent]}))


def _tasks_of(session: Session, who: Visitor, sent: Sequence[Sent]) -> dict[int, _Open]:
    rows = session.execute(_TASKS, {"who": who.id, "ids": sorted({one.task for one in sent})})
    return {row.id: _Open(row) for row in rows}
