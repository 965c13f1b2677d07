"""What comes after the tasks: a questionnaire, and what participants say of tasks and at the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.studio.entered_texts import any_text
from plainly.studio.errors import Conflict
from plainly.studio.kinds.base import Json
from plainly.studio.store import tables
from plainly.studio.store.people import PREVIEW, Visitor, code_of
from plainly.studio.store.tables import table_of
from plainly.studio.welcome import LONGEST_COMMENT, filled_in

_PARTICIPANTS = table_of(tables.Participant)


@dataclass(frozen=True)
class Comment:
    """Something that a participant said."""

    code: str
    place: int | None
    """Of the task, from 0; None: at the end."""
    task: str
    """What the task is about, by its names."""
    text: str
    time: str


def end(session: Session, who: Visitor, fields: Json, comment: str) -> Visitor:
    """The questionnaire after the tasks; once only: a repeat changes nothing."""
    if who.sent_after:
        return who
    if not who.finished:
        raise Conflict(who.say("link.not_done"))
    kept = filled_in(who.loaded.welcome, True, fields, who.say, "after")
    said = comment_of(who, comment)
    session.execute(
        update(_PARTICIPANTS).where(_PARTICIPANTS.c.id == who.id).values(after=kept, comment=said),
    )
    return replace(who, sent_after=True)


def comment_of(who: Visitor, comment: str) -> str:
    """As it is kept: nothing where the campaign asks for no comments."""
    if not who.loaded.welcome.get("comments"):
        return ""
    try:
        return any_text(comment, "the comment", LONGEST_COMMENT).strip()
    except PlainlyError:
        raise PlainlyError(who.say("link.unreadable")) from None


def comments(session: Session, campaign_id: str) -> list[Comment]:
    """All comments on answers that stand and at the end, by participant and task; the preview counts nowhere."""
    task, response, person = tables.Task, tables.Response, tables.Participant
    ours = (person.campaign_id == campaign_id) & (person.number != PREVIEW)
    of_tasks = session.execute(
        select(person.number, task.place, task.content, response.comment, response.received)
        .join(task, task.participant_id == person.id)
        .join(response, response.id == task.response_id)
        .where(ours, response.comment != "")
    )
    found = [(row.number, row.place, _named(row.content), row.comment, row.received) for row in of_tasks]
    at_the_end = session.execute(
        select(person.number, person.comment, person.finished, person.completed).where(ours, person.comment != "")
    )
    found += [(row.number, None, "", row.comment, row.finished or row.completed or "") for row in at_the_end]
    found.sort(key=lambda one: (one[0], one[1] is None, one[1] or 0))
    return [Comment(code_of(number), *rest) for number, *rest in found]


def _named(content: Any) -> str:
    """What a task is about: the names that it holds."""
    return ", ".join(value for value in content.values() if isinstance(value, str) and value)
