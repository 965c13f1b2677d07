"""Which campaigns an analyst sees: all, or only those named. Owners see all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.studio.store import campaigns, tables
from plainly.studio.store.users import get

MOST = 1000
"""Campaigns that are named for one analyst."""


def named(session: Session) -> Mapping[int, list[str]]:
    """The campaigns that are named, by user."""
    table = tables.Right
    found: dict[int, list[str]] = {}
    for user_id, campaign_id in session.execute(select(table.user_id, table.campaign_id).order_by(table.campaign_id)):
        found.setdefault(user_id, []).append(campaign_id)
    return found


def limit(session: Session, user_id: int, only: Collection[str] | None) -> None:
    """Let the user see these campaigns only; None: all, also those to come."""
    row = get(session, user_id)
    table = tables.Right
    session.execute(delete(table).where(table.user_id == user_id))
    row.limited = only is not None
    if only:
        session.execute(insert(table), [{"user_id": user_id, "campaign_id": one} for one in _known(session, only)])
    session.flush()


def _known(session: Session, only: Iterable[str]) -> list[str]:
    wanted = sorted(set(only))
    if len(wanted) > MOST:
        raise PlainlyError(f"at most {MOST} campaigns can be named; let this user see all")
    for one in wanted:
        campaigns.get(session, one)
    return wanted
