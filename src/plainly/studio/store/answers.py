"""The answers that stand, as kinds see them."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from plainly.studio.kinds.base import Given, Person
from plainly.studio.store import tables
from plainly.studio.store.people import PREVIEW, code_of, people


def given(session: Session, campaign_id: str, *, preview: bool = False) -> list[Given]:
    """For each task its newest answer, unless it was undone; by participant and place. Previews count nowhere."""
    task, response, participant = tables.Task, tables.Response, tables.Participant
    by_number = {person.number: person for person in people(session, campaign_id)}
    if preview:
        by_number[PREVIEW] = Person(code_of(PREVIEW), PREVIEW)
    earlier = _earlier(session, campaign_id)
    query = (
        select(
            participant.number,
            task.id,
            task.place,
            task.content,
            response.answer,
            response.seconds,
            response.received,
        )
        .join(task, task.participant_id == participant.id)
        .join(response, response.id == task.response_id)
        .where(participant.campaign_id == campaign_id, participant.number >= (PREVIEW if preview else PREVIEW + 1))
        .order_by(participant.number, task.place)
    )
    return [
        Given(by_number[number], place, content, answer, seconds, received, earlier.get(task_id, 1) - 1)
        for number, task_id, place, content, answer, seconds, received in session.execute(query)
    ]


def _earlier(session: Session, campaign_id: str) -> dict[int, int]:
    """How many answers were given to a task, where it is more than one."""
    response, participant = tables.Response, tables.Participant
    query = (
        select(response.task_id, func.count().label("answers"))
        .join(participant, participant.id == response.participant_id)
        .where(participant.campaign_id == campaign_id, response.action == "answer")
        .group_by(response.task_id)
        .having(func.count() > 1)
    )
    return {row.task_id: row.answers for row in session.execute(query)}
