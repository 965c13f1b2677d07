"""What adjudicators decided: rows that are added, never changed. The newest of an item stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from plainly.studio.errors import Conflict
from plainly.studio.ids_and_times import now
from plainly.studio.kinds.adjudication import Gold
from plainly.studio.kinds.base import Campaign, Json
from plainly.studio.store import tables


def rows(session: Session, campaign_id: str) -> Sequence[tables.Gold]:
    """All decisions of a campaign, in the order in which they were made."""
    table = tables.Gold
    return session.scalars(select(table).where(table.campaign_id == campaign_id).order_by(table.id)).all()


def every(session: Session, campaign: Campaign) -> list[Gold]:
    """The same, as kinds see them."""
    return [Gold(campaign.items[one.place].name, one.content, one.by, one.time) for one in rows(session, campaign.id)]


def add(
    session: Session,
    campaign_id: str,
    *,
    place: int,
    content: Json,
    by: str,
    base: int | None = None,
    time: str | None = None,
) -> tables.Gold:
    """One more decision about an item. Conflict, if another than number `base` stands; None: it does not matter."""
    table = tables.Gold
    query = select(func.max(table.number)).where(table.campaign_id == campaign_id, table.place == place)
    number: Any = session.scalar(query) or 0
    if base is not None and base != number:
        raise Conflict("somebody else has decided this in the meantime; load it again")
    made = tables.Gold(
        campaign_id=campaign_id, place=place, number=number + 1, content=dict(content), by=by, time=time or now()
    )
    session.add(made)
    session.flush()
    return made
