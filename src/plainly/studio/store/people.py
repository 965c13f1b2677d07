"""Participants: invited by personal links, known by a pseudonym, gone with all their answers when they wish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from sqlalchemy import Subquery, case, delete, func, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.studio.entered_texts import one_line
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.ids_and_times import now
from plainly.studio.kinds.base import Person
from plainly.studio.security.secrets import fingerprint, new_secret
from plainly.studio.store import tables

MOST_AT_ONCE = 1000
MOST = 1_000_000
PREVIEW = 0
"""The number of the owner's preview. Its answers count nowhere."""


@dataclass(frozen=True)
class Invitation:
    """A new link. The secret is not kept: it is shown once."""

    number: int
    note: str
    secret: str

    @property
    def code(self) -> str:
        return code_of(self.number)


@dataclass(frozen=True)
class Participation:
    """How far a participant is, for the owner."""

    number: int
    note: str
    status: str
    created: str
    started: str | None
    finished: str | None
    tasks: int
    done: int
    median_seconds: float | None
    """Of the answers that stand: the pace."""

    @property
    def code(self) -> str:
        return code_of(self.number)


def code_of(number: int) -> str:
    """The pseudonym: P007."""
    return f"P{number:03d}"


def invite(session: Session, campaign_id: str, count: int, notes: Sequence[str] = ()) -> list[Invitation]:
    """New participants; the first ones get the notes."""
    if not 1 <= count <= MOST_AT_ONCE:
        raise PlainlyError(f"between 1 and {MOST_AT_ONCE} participants can be invited at once")
    if len(notes) > count:
        raise PlainlyError(f"there are {len(notes)} notes for {count} participants")
    campaign = _locked_campaign(session, campaign_id)
    if campaign.status in ("closed", "archived"):
        raise Conflict(f"this campaign is {campaign.status}: nobody can be invited")
    first = campaign.invited + 1
    if first + count > MOST:
        raise PlainlyError(f"a campaign has {MOST:,} participants at most")
    made = []
    for place in range(count):
        note = one_line(notes[place] if place < len(notes) else "", "a note", 200, empty=True)
        made.append(Invitation(first + place, note, new_secret()))
    session.add_all(_row(campaign_id, invitation) for invitation in made)
    campaign.invited += count
    session.flush()
    return made


def preview(session: Session, campaign_id: str) -> Invitation:
    """A link for the owner to see what participants see; what an earlier preview left is deleted."""
    _locked_campaign(session, campaign_id)
    table = tables.Participant
    session.execute(delete(table).where(table.campaign_id == campaign_id, table.number == PREVIEW))
    made = Invitation(PREVIEW, "", new_secret())
    session.add(_row(campaign_id, made))
    session.flush()
    return made


def revoke(session: Session, campaign_id: str, number: int) -> None:
    """The link opens nothing any more; what was answered stays."""
    _find(session, campaign_id, number).status = "revoked"
    session.flush()


def renew(session: Session, campaign_id: str, number: int) -> Invitation:
    """A new link to the same tasks and answers, also for one who was revoked; the old one opens nothing any more."""
    row = _find(session, campaign_id, number)
    made = Invitation(number, row.note, new_secret())
    row.token = fingerprint(made.secret)
    row.status = "finished" if row.finished else "active" if row.started else "invited"
    session.flush()
    return made


def remove(session: Session, campaign_id: str, number: int) -> None:
    """Delete a participant with all tasks and answers."""
    session.delete(_find(session, campaign_id, number))
    session.flush()


def people(session: Session, campaign_id: str) -> list[Person]:
    """All participants as kinds see them, in the order of invitation; without the preview."""
    participant = tables.Participant
    counted = _counts(campaign_id)
    query = (
        select(participant.number, participant.fields, participant.finished, counted.c.made, counted.c.done)
        .outerjoin(counted, counted.c.participant_id == participant.id)
        .where(participant.campaign_id == campaign_id, participant.number != PREVIEW)
        .order_by(participant.number)
    )
    return [
        Person(code_of(number), number, fields, made or 0, done or 0, finished is not None)
        for number, fields, finished, made, done in session.execute(query)
    ]


def progress(session: Session, campaign_id: str) -> list[Participation]:
    """How far each participant is, in the order of invitation; without the preview."""
    participant = tables.Participant
    counted = _counts(campaign_id)
    seconds = _seconds(session, campaign_id)
    query = (
        select(participant, counted.c.made, counted.c.done)
        .outerjoin(counted, counted.c.participant_id == participant.id)
        .where(participant.campaign_id == campaign_id, participant.number != PREVIEW)
        .order_by(participant.number)
    )
    return [
        Participation(
            row.number,
            row.note,
            row.status,
            row.created,
            row.started,
            row.finished,
            made or 0,
            done or 0,
            median(seconds[row.id]) if row.id in seconds else None,
        )
        for row, made, done in session.execute(query)
    ]


def _counts(campaign_id: str) -> Subquery:
    task, participant = tables.Task, tables.Participant
    return (
        select(
            task.participant_id,
            func.count().label("made"),
            func.sum(case((task.done, 1), else_=0)).label("done"),
        )
        .join(participant, participant.id == task.participant_id)
        .where(participant.campaign_id == campaign_id)
        .group_by(task.participant_id)
        .subquery()
    )


def _seconds(session: Session, campaign_id: str) -> dict[int, list[float]]:
    task, response, participant = tables.Task, tables.Response, tables.Participant
    query = (
        select(task.participant_id, response.seconds)
        .join(response, response.id == task.response_id)
        .join(participant, participant.id == task.participant_id)
        .where(participant.campaign_id == campaign_id, response.seconds.is_not(None))
    )
    found: dict[int, list[float]] = {}
    for participant_id, seconds in session.execute(query):
        found.setdefault(participant_id, []).append(float(seconds or 0))
    return found


def _row(campaign_id: str, invitation: Invitation) -> tables.Participant:
    return tables.Participant(
        campaign_id=campaign_id,
        number=invitation.number,
        note=invitation.note,
        token=fingerprint(invitation.secret),
        status="invited",
        fields={},
        created=now(),
    )


def _locked_campaign(session: Session, campaign_id: str) -> tables.Campaign:
    """The campaign, while nobody else changes who takes part."""
    row = session.scalar(select(tables.Campaign).where(tables.Campaign.id == campaign_id).with_for_update())
    if row is None:
        raise NotThere("there is no such campaign")
    return row


def _find(session: Session, campaign_id: str, number: int) -> tables.Participant:
    table = tables.Participant
    query = select(table).where(table.campaign_id == campaign_id, table.number == number).with_for_update()
    row = session.scalar(query) if 0 <= number <= MOST else None
    if row is None:
        raise NotThere("there is no such participant")
    return row
