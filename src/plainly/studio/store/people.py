"""Participants: invited by personal links, known by a pseudonym, gone with all their answers when they wish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.left_out import is_left_out
from plainly.studio.entered_texts import one_line
from plainly.studio.errors import Conflict, NotAllowed, NotThere, Refusal
from plainly.studio.ids_and_times import new_id, now
from plainly.studio.kinds.dashboards import Say
from plainly.studio.security.secrets import fingerprint, new_secret
from plainly.studio.store import tables
from plainly.studio.store.campaigns import Loaded, loaded_at
from plainly.studio.store.tables import table_of
from plainly.studio.texts import FALLBACK, say

MOST_AT_ONCE = 1000
MOST = 1_000_000
LONGEST_REASON = 300
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


def code_of(number: int) -> str:
    """The pseudonym: P007."""
    return f"P{number:03d}"


def invite(session: Session, campaign_id: str, count: int, notes: Sequence[str] = ()) -> list[Invitation]:
    """New participants; the first ones get the notes."""
    if not 1 <= count <= MOST_AT_ONCE:
        raise PlainlyError(f"between 1 and {MOST_AT_ONCE} participants can be invited at once")
    if len(notes) > count:
        raise PlainlyError(f"there are {len(notes)} notes for {count} participants")
    campaign = locked_campaign(session, campaign_id)
    if campaign.status in ("closed", "archived"):
        raise Conflict(f"this campaign is {campaign.status}: nobody can be invited")
    first = campaign.invited + 1
    if first + count > MOST:
        raise PlainlyError(f"a campaign has {MOST:,} participants at most")
    made = []
    for place in range(count):
        note = one_line(notes[place] if place < len(notes) else "", "a note", 200, empty=True)
        made.append(Invitation(first + place, note, new_secret()))
    session.add_all(new_participant(campaign_id, invitation) for invitation in made)
    campaign.invited += count
    session.flush()
    return made


def preview(session: Session, campaign_id: str) -> Invitation:
    """A link for the owner to see what participants see; what an earlier preview left is deleted."""
    locked_campaign(session, campaign_id)
    table = tables.Participant
    session.execute(delete(table).where(table.campaign_id == campaign_id, table.number == PREVIEW))
    made = Invitation(PREVIEW, "", new_secret())
    session.add(new_participant(campaign_id, made))
    session.flush()
    return made


def revoke(session: Session, campaign_id: str, number: int) -> None:
    """The link opens nothing any more; what was answered stays. A place of the quota is free again."""
    row = _insist_there(_find(session, campaign_id, number))
    row.status = "revoked"
    row.place = None if row.place is None else False
    session.flush()


def renew(session: Session, campaign_id: str, number: int) -> Invitation:
    """A new link to the same tasks and answers, also for one who was revoked; the old one opens nothing any more."""
    row = _insist_there(_find(session, campaign_id, number))
    made = Invitation(number, row.note, new_secret())
    row.token = fingerprint(made.secret)
    if row.status == "revoked" and row.completed and row.place is not None:
        row.place = True
    row.status = _status(row)
    session.flush()
    return made


def _insist_there(row: tables.Participant) -> tables.Participant:
    if row.status == "withdrawn":
        raise Conflict("this participant has withdrawn")
    return row


def _status(row: tables.Participant) -> str:
    """Of one who may come in."""
    if row.screened:
        return "screened"
    return "finished" if row.finished else "active" if row.started else "invited"


def leave_out(session: Session, campaign_id: str, number: int, reason: str, by: str) -> None:
    """The answers count no more, for that reason; an empty one takes it back. Who did so is kept, and when."""
    kept = one_line(reason, "the reason", LONGEST_REASON, empty=True)
    if kept and not is_left_out(kept):
        raise PlainlyError(f"{kept!r} is no reason; say in words why this person is left out")
    row = _find(session, campaign_id, number)
    row.left_out, row.left_out_by, row.left_out_at = kept, by, now()
    session.flush()


def remove(session: Session, campaign_id: str, number: int) -> None:
    """Delete a participant with all tasks and answers."""
    session.delete(_find(session, campaign_id, number))
    session.flush()


def new_participant(campaign_id: str, invitation: Invitation) -> tables.Participant:
    """Somebody new, with a code of their own for when they are done."""
    return tables.Participant(
        campaign_id=campaign_id,
        number=invitation.number,
        note=invitation.note,
        token=fingerprint(invitation.secret),
        status="invited",
        fields={},
        created=now(),
        completion=new_id().upper(),
        parameters={},
        platform={},
    )


def locked_campaign(session: Session, campaign_id: str) -> tables.Campaign:
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


# Statements of every request are made once: SQLAlchemy takes longer to make one than the database to run it.
_PARTICIPANTS, _CAMPAIGNS = table_of(tables.Participant), table_of(tables.Campaign)
_FIND = (
    select(
        *_PARTICIPANTS.c["id", "number", "status", "fields", "started", "finished", "campaign_id"],
        *_PARTICIPANTS.c["completed", "completion", "place", "cell", "seen"],
        _PARTICIPANTS.c.after.is_not(None).label("sent_after"),
        _CAMPAIGNS.c.revision,
    )
    .join(_CAMPAIGNS, _CAMPAIGNS.c.id == _PARTICIPANTS.c.campaign_id)
    .where(_PARTICIPANTS.c.token == bindparam("token"))
)
_FIND_TO_CHANGE = _FIND.with_for_update(of=_PARTICIPANTS)


@dataclass(frozen=True)
class Visitor:
    """A participant whose link is good."""

    id: int
    token: str
    """SHA-256 of the secret in the link: another link may lead to the same participant later."""
    number: int
    fields: Mapping[str, str]
    started: bool
    finished: bool
    loaded: Loaded
    time: str
    """When they asked."""
    completed: bool
    """Whether all was done once, even if the last answer was taken back since."""
    completion: str
    screened: bool
    place: bool | None
    cell: str | None
    seen: str | None
    sent_after: bool = False
    """Whether the questionnaire after the tasks has come."""

    @property
    def code(self) -> str:
        return code_of(self.number)

    @property
    def preview(self) -> bool:
        return self.number == PREVIEW

    @property
    def may_go_on(self) -> bool:
        """Whether there are new tasks; owners see theirs at any time."""
        return (self.preview or self.loaded.status == "open") and not self.screened

    @property
    def say(self) -> Say:
        return say(self.loaded.interface)


def visitor(
    session: Session, secret: str, *, lang: str = FALLBACK, changes: bool = False, time: str | None = None
) -> Visitor:
    """The participant of a link; refused, in words for participants, where it opens nothing.

    `changes`: nobody else changes this participant until the end of the transaction. `time` is when they ask.
    """
    token = fingerprint(secret)
    row = session.execute(_FIND_TO_CHANGE if changes else _FIND, {"token": token}).first()
    if row is None:
        raise refusal(NotThere, "unknown", lang)
    found = loaded_at(session, row.campaign_id, row.revision)
    who = Visitor(
        id=row.id,
        token=token,
        number=row.number,
        fields=row.fields,
        started=row.started is not None,
        finished=row.finished is not None,
        loaded=found,
        time=time or now(),
        completed=row.completed is not None,
        completion=row.completion,
        screened=row.status == "screened",
        **{name: getattr(row, name) for name in ("place", "cell", "seen", "sent_after")},
    )
    if row.status == "withdrawn":
        raise withdrawn(found.interface, kept=who.started)
    if row.status == "revoked":
        raise refusal(NotAllowed, "revoked", found.interface)
    last_page = not changes and ((who.finished and found.arrival.completes) or who.screened)  # it has the code
    if not who.preview and found.status not in ("open", "paused") and not last_page:
        raise refusal(Conflict, "draft" if found.status == "draft" else "closed", found.interface)
    return who


def withdrawn(lang: str, *, kept: bool) -> Refusal:
    """What the link says to one who has withdrawn; of one whose answers were deleted, nothing is left."""
    return refusal(NotAllowed, "withdrawn_kept" if kept else "withdrawn", lang)


def refusal(status: type[Refusal], why: str, lang: str) -> Refusal:
    """A refusal in words for participants."""
    words = say(lang)
    made = status(words(f"link.{why}"))
    made.title, made.lang = words(f"link.{why}.title"), lang
    return made
