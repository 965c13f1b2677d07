"""Responses: rows that are added, never changed. Each is stored once, however often it is sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from plainly.errors import PlainlyError
from plainly.studio.errors import Conflict
from plainly.studio.kinds.base import Json
from plainly.studio.store import tables
from plainly.studio.store.links import Visitor
from plainly.studio.store.marks import now
from plainly.studio.store.tasks import reopen

LARGEST = 200_000
"""Characters of one answer as JSON."""

# Statements of every request, made once (see links.py).
_tasks, _responses = tables.Task.__table__, tables.Response.__table__
_KNOWN = select(_responses.c.client_id).where(
    _responses.c.participant_id == bindparam("who"), _responses.c.client_id.in_(bindparam("ids", expanding=True))
)
_TASKS = select(*_tasks.c["id", "content", "response_id", "done"]).where(
    _tasks.c.participant_id == bindparam("who"), _tasks.c.id.in_(bindparam("ids", expanding=True))
)
_NEWEST = select(func.max(_tasks.c.response_id)).where(_tasks.c.participant_id == bindparam("who"))
_INSERT = insert(tables.Response.__table__).returning(_responses.c.id)  # type: ignore[arg-type]
_UPDATE = (
    update(tables.Task.__table__)  # type: ignore[arg-type]
    .where(_tasks.c.id == bindparam("task"))
    .values(response_id=bindparam("stands"), done=bindparam("is_done"))
)


@dataclass(frozen=True)
class Sent:
    """What a browser sends."""

    client_id: str
    task: int
    action: Literal["answer", "undo"]
    answer: Any
    seconds: float | None


@dataclass(frozen=True)
class Receipt:
    """What became of what was sent."""

    stored: tuple[str, ...]
    """Ids of all that is stored, now or before."""
    refused: tuple[tuple[str, str], ...]
    """Ids of what can never be stored, and why."""
    visitor: Visitor


class _Open:
    """A task of the participant, as it is within this transaction."""

    def __init__(self, content: Json, response: int | None, done: bool) -> None:
        self.content = content
        self.response = response
        self.done = done


def record(session: Session, who: Visitor, sent: Sequence[Sent]) -> Receipt:
    """Store what was sent, in its order. The caller tells the browser after the transaction, not before."""
    if not who.started:
        raise Conflict(who.say("link.welcome_first"))
    known = _known(session, who, sent)
    tasks = _tasks_of(session, who, sent)
    stored, refused = [], []
    for one in sent:
        if one.client_id not in known:
            try:
                _store(session, who, one, tasks.get(one.task))
            except PlainlyError as error:
                refused.append((one.client_id, str(error)))
                continue
            known.add(one.client_id)
        stored.append(one.client_id)
    if any(not task.done for task in tasks.values()):
        who = reopen(session, who)
    return Receipt(tuple(stored), tuple(refused), who)


def _store(session: Session, who: Visitor, one: Sent, task: _Open | None) -> None:
    if task is None:
        raise PlainlyError(who.say("link.no_task"))
    kind = who.loaded.kind
    answer: Json = {}
    if one.action == "undo":
        _insist_undoable(session, who, task)
    elif task.done and not kind.revisable:
        raise PlainlyError(who.say("link.answered"))
    else:
        answer = kind.checked(who.loaded.campaign, task.content, one.answer)
        _insist_storable(who, answer)
    row = {
        "participant_id": who.id,
        "task_id": one.task,
        "client_id": one.client_id,
        "action": one.action,
        "answer": dict(answer),
        "seconds": one.seconds,
        "received": now(),
    }
    number = session.scalar(_INSERT, row)
    task.response = number if one.action == "answer" else None
    task.done = one.action == "answer" and kind.done(answer)
    session.execute(_UPDATE, {"task": one.task, "stands": task.response, "is_done": task.done})


def _insist_undoable(session: Session, who: Visitor, task: _Open) -> None:
    if not who.loaded.kind.undoable:
        raise PlainlyError(who.say("link.no_undo"))
    newest = session.scalar(_NEWEST, {"who": who.id})
    if task.response is None or task.response != newest:
        raise PlainlyError(who.say("link.only_last"))


def _insist_storable(who: Visitor, answer: Json) -> None:
    try:
        written = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        written.encode("utf-8")
    except (ValueError, RecursionError):  # half a character, or no number
        raise PlainlyError(who.say("link.unreadable")) from None
    if len(written) > LARGEST:
        raise PlainlyError(who.say("link.too_large"))


def _known(session: Session, who: Visitor, sent: Sequence[Sent]) -> set[str]:
    """Which of them are stored already."""
    return set(session.scalars(_KNOWN, {"who": who.id, "ids": [one.client_id for one in sent]}))


def _tasks_of(session: Session, who: Visitor, sent: Sequence[Sent]) -> dict[int, _Open]:
    rows = session.execute(_TASKS, {"who": who.id, "ids": sorted({one.task for one in sent})})
    return {row.id: _Open(row.content, row.response_id, row.done) for row in rows}
