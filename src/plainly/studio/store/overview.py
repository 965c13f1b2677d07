"""How far campaigns are, and which answers stand: what pages of owners, and kinds, ask again and again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from statistics import median
from typing import Any

from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session

from plainly.studio.kinds.base import Given, Person
from plainly.studio.kinds.dealt import STUDY, Role
from plainly.studio.store import tables
from plainly.studio.store.campaigns import Loaded, every, loaded
from plainly.studio.store.database import Database
from plainly.studio.store.people import PREVIEW, code_of


def campaigns(database: Database, only: Collection[str] | None = None) -> list[dict[str, Any]]:
    """All campaigns, or only these, with the numbers of their participants and of tasks done, the newest first.

    `changed` is when something happened last: to the campaign, or by an answer.
    """
    keys = ("id", "name", "kind", "status", "lang", "created", "updated")
    participant, task = tables.Participant, tables.Task
    counted = (
        select(
            participant.campaign_id,
            func.count(participant.id.distinct()),
            func.count(case((task.role == STUDY, case((task.done, task.id))))),
        )
        .outerjoin(task, task.participant_id == participant.id)
        .where(participant.number != PREVIEW)
        .group_by(participant.campaign_id)
    )
    with database.reading() as session:
        sizes = {campaign: sizes for campaign, *sizes in session.execute(counted)}
        answered = _last_answers(session)
        return [
            {
                **{key: getattr(row, key) for key in keys},
                "changed": max(row.updated, answered.get(row.id, "")),
                **dict(zip(("participants", "done"), sizes.get(row.id, (0, 0)), strict=True)),
            }
            for row in every(session)
            if only is None or row.id in only
        ]


def _last_answers(session: Session) -> dict[str, str]:
    """When the newest answer of each campaign was stored."""
    participant, response = tables.Participant, tables.Response
    newest = (
        select(participant.campaign_id, func.max(response.id).label("newest"))
        .join(response, response.participant_id == participant.id)
        .where(participant.number != PREVIEW)
        .group_by(participant.campaign_id)
        .subquery()
    )
    query = select(newest.c.campaign_id, response.received).join(response, response.id == newest.c.newest)
    return {row.campaign_id: row.received for row in session.execute(query)}


def mark(session: Session, campaign_id: str) -> str:
    """A mark that changes whenever anything changes in a campaign: the order of responses never repeats a number."""
    participant, response = tables.Participant, tables.Response
    newest = (
        select(response.participant_id, func.max(response.id).label("newest"))
        .join(participant, participant.id == response.participant_id)
        .where(participant.campaign_id == campaign_id, participant.number != PREVIEW)
        .group_by(response.participant_id)
        .subquery()
    )
    query = (
        select(
            *(participant.number, participant.status, participant.started, participant.finished),
            *(participant.left_out, newest.c.newest),
        )
        .outerjoin(newest, newest.c.participant_id == participant.id)
        .where(participant.campaign_id == campaign_id, participant.number != PREVIEW)
        .order_by(participant.number)
    )
    revision = session.scalar(select(tables.Campaign.revision).where(tables.Campaign.id == campaign_id))
    state = [revision, *(list(row) for row in session.execute(query))]
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()[:16]


def last_seen(session: Session, campaign_id: str) -> dict[int, str]:
    """When each participant sent something last, by number; in the order of storing, whatever the clock says."""
    participant, response = tables.Participant, tables.Response
    newest = (
        select(func.max(response.id))
        .join(participant, participant.id == response.participant_id)
        .where(participant.campaign_id == campaign_id)
        .group_by(response.participant_id)
    )
    query = (
        select(participant.number, response.received)
        .join(response, response.participant_id == participant.id)
        .where(response.id.in_(newest))
    )
    return {row.number: row.received for row in session.execute(query)}


def item_count(session: Session, campaign_id: str) -> int:
    """How many things are judged."""
    table = tables.Item
    return session.scalar(select(func.count()).select_from(table).where(table.campaign_id == campaign_id)) or 0


OF_PARTICIPANTS = ("number", "status", "created", "started", "finished", "left_out", "left_out_by", "left_out_at")
FOR_OWNERS = ("note",)
"""What tells who somebody is."""


def participants(database: Database, campaign_id: str, *, named: bool = False) -> list[dict[str, Any]]:
    """How far each participant is, in the order of invitation; without the preview.

    `named`: with what tells who they are, for owners alone.
    """
    keys = (*OF_PARTICIPANTS, *(FOR_OWNERS if named else ()))
    with database.reading() as session:
        found = loaded(session, campaign_id)
        seen = last_seen(session, campaign_id)
        seconds = _seconds(session, campaign_id)
        return [
            {
                "code": code_of(row.number),
                **{key: getattr(row, key) for key in keys},
                "done": done or 0,
                "total": found.kind.total(found.campaign, made or 0),
                "pace": median(seconds[row.id]) if row.id in seconds else None,
                "last_seen": seen.get(row.number, row.started),
            }
            for row, made, done in session.execute(_with_counts(campaign_id))
        ]


def people(session: Session, campaign_id: str, *, named: bool = False) -> list[Person]:
    """All participants as kinds see them, in the order of invitation; without the preview.

    `named`: with what their platform says of them, for owners alone.
    """
    return [
        Person(
            code_of(row.number),
            row.number,
            _fields(row, named),
            made or 0,
            done or 0,
            row.finished is not None,
            row.left_out,
            row.after or {},
        )
        for row, made, done in session.execute(_with_counts(campaign_id))
    ]


def _fields(row: tables.Participant, named: bool) -> dict[str, str]:
    """What the form asked, and what the platform says of them."""
    platform = row.platform if named else {}
    return {**row.fields, **{f"platform.{name}": value for name, value in platform.items()}}


def _with_counts(campaign_id: str) -> Select[Any]:
    """Participants, and how many tasks of the study were made for each, and are done."""
    task, participant = tables.Task, tables.Participant
    counted = (
        select(
            task.participant_id,
            func.count().label("made"),
            func.sum(case((task.done, 1), else_=0)).label("done"),
        )
        .join(participant, participant.id == task.participant_id)
        .where(participant.campaign_id == campaign_id, task.role == STUDY)
        .group_by(task.participant_id)
        .subquery()
    )
    return (
        select(participant, counted.c.made, counted.c.done)
        .outerjoin(counted, counted.c.participant_id == participant.id)
        .where(participant.campaign_id == campaign_id, participant.number != PREVIEW)
        .order_by(participant.number)
    )


def _seconds(session: Session, campaign_id: str) -> dict[int, list[float]]:
    task, response, participant = tables.Task, tables.Response, tables.Participant
    query = (
        select(task.participant_id, func.coalesce(response.believed_seconds, response.seconds))
        .join(response, response.id == task.response_id)
        .join(participant, participant.id == task.participant_id)
        .where(participant.campaign_id == campaign_id, task.role == STUDY, response.seconds.is_not(None))
    )
    found: dict[int, list[float]] = {}
    for participant_id, seconds in session.execute(query):
        found.setdefault(participant_id, []).append(float(seconds or 0))
    return found


def given(
    session: Session,
    campaign_id: str,
    *,
    preview: bool = False,
    roles: Sequence[Role] = (STUDY,),
    named: bool = False,
) -> list[Given]:
    """For each task its newest answer, unless it was undone; by participant and place. Previews count nowhere.

    Practice, checks and repeats are given only to those who ask for such `roles`. `named`: see `people`.
    """
    task, response, participant = tables.Task, tables.Response, tables.Participant
    by_number = {person.number: person for person in people(session, campaign_id, named=named)}
    if preview:
        by_number[PREVIEW] = Person(code_of(PREVIEW), PREVIEW)
    earlier = _earlier(session, campaign_id)
    found = loaded(session, campaign_id)
    query = (
        select(
            participant.number,
            task.id,
            task.place,
            task.content,
            response.answer,
            response.seconds,
            response.believed_seconds,
            response.server_seconds,
            response.impossible,
            response.received,
            task.role,
        )
        .join(task, task.participant_id == participant.id)
        .join(response, response.id == task.response_id)
        .where(participant.campaign_id == campaign_id, participant.number >= (PREVIEW if preview else PREVIEW + 1))
        .where(task.role.in_(roles))
        .order_by(participant.number, task.place)
    )
    return [
        Given(
            by_number[row.number],
            row.place,
            row.content,
            row.answer,
            _believed(found, row),
            row.received,
            earlier.get(row.id, 1) - 1,
            row.role,
            row.server_seconds,
            row.impossible,
        )
        for row in session.execute(query)
    ]


def _believed(found: Loaded, row: Any) -> float | None:
    """An older plainly kept only what the browser claimed."""
    believed: float | None = row.believed_seconds
    if believed is None and row.seconds is not None:
        return found.kind.claimed(row.answer, row.seconds)
    return believed


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
