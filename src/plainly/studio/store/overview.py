"""How far campaigns are, in few and quick questions: what a page that refreshes itself asks again and again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from plainly.studio.store import tables
from plainly.studio.store.database import Database
from plainly.studio.store.loaded import loaded
from plainly.studio.store.people import PREVIEW, progress


@dataclass(frozen=True)
class Size:
    """How many people and answers a campaign has."""

    participants: int = 0
    answers: int = 0


def sizes(session: Session) -> dict[str, Size]:
    """Of all campaigns, by id; those without participants are left out."""
    participant, task = tables.Participant, tables.Task
    counted = (
        select(participant.campaign_id, func.count(participant.id.distinct()), func.count(task.response_id))
        .outerjoin(task, task.participant_id == participant.id)
        .where(participant.number != PREVIEW)
        .group_by(participant.campaign_id)
    )
    return {campaign: Size(people, answers) for campaign, people, answers in session.execute(counted)}


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
        select(participant.number, participant.status, participant.started, participant.finished, newest.c.newest)
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


def participants(database: Database, campaign_id: str) -> list[dict[str, Any]]:
    """How far each participant is."""
    with database.reading() as session:
        found = loaded(session, campaign_id)
        seen = last_seen(session, campaign_id)
        return [
            {
                "code": one.code,
                "number": one.number,
                "note": one.note,
                "status": one.status,
                "created": one.created,
                "started": one.started,
                "finished": one.finished,
                "done": one.done,
                "total": found.kind.total(found.campaign, one.tasks),
                "pace": one.median_seconds,
                "last_seen": seen.get(one.number, one.started),
            }
            for one in progress(session, campaign_id)
        ]
