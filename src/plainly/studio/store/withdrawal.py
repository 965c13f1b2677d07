"""Participants who withdraw by themselves. What they gave is deleted, or, as the owner has settled, kept."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from plainly.studio.errors import Refusal
from plainly.studio.store import tables
from plainly.studio.store.people import Visitor, withdrawn
from plainly.studio.store.tables import table_of
from plainly.studio.welcome import keeps_answers

WITHDRAWN = "withdrawn"
_PARTICIPANTS, _TASKS = table_of(tables.Participant), table_of(tables.Task)
_NOTHING: dict[str, Any] = {
    **dict.fromkeys(("note", "comment", "screened", "completion", "left_out", "left_out_by"), ""),
    **dict.fromkeys(("started", "finished", "completed", "seen", "cell", "platform_id", "after", "left_out_at")),
    **{name: {} for name in ("fields", "parameters", "platform")},
}
"""What a row without data holds: that there was somebody, and no more."""


def withdraw(session: Session, who: Visitor) -> Refusal:
    """A place of the quota is free again, and answers go with their tasks. What the link says from now on."""
    values: dict[str, Any] = {"status": WITHDRAWN, "place": None if who.place is None else False}
    kept = keeps_answers(who.loaded.welcome)
    if kept:
        values["place"] = who.place if who.completed else values["place"]
    else:
        values |= _NOTHING
        session.execute(delete(_TASKS).where(_TASKS.c.participant_id == who.id))
    session.execute(update(_PARTICIPANTS).where(_PARTICIPANTS.c.id == who.id).values(**values))
    return withdrawn(who.loaded.interface, kept=kept and who.started)
