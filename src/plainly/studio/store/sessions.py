"""Logins: a cookie with a secret, of which the database keeps a fingerprint and an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from plainly.studio.errors import NotLoggedIn
from plainly.studio.ids_and_times import now
from plainly.studio.security.secrets import fingerprint, new_secret
from plainly.studio.store import tables

LASTS = timedelta(hours=12)


@dataclass(frozen=True)
class Visitor:
    """Somebody who is logged in."""

    id: int
    name: str
    role: str
    csrf: str
    """What every request that changes something must bring along; other sites cannot know it. Empty: a token asks."""
    campaigns: frozenset[str] | None = None
    """The only ones that a limited analyst sees; None: all."""
    token: int | None = None
    """The API token by which a program asks, in the place of a login."""
    writes: bool = True
    """Whether the token may change something."""

    @property
    def owner(self) -> bool:
        return self.role == "owner"

    def sees(self, campaign_id: str) -> bool:
        return self.campaigns is None or campaign_id in self.campaigns


def _named(session: Session, user_id: int) -> Sequence[str]:
    table = tables.Right
    return session.scalars(select(table.campaign_id).where(table.user_id == user_id)).all()


def visitor_of(session: Session, user: Any, csrf: str, **more: Any) -> Visitor:
    """A row with `id`, `name`, `role` and `limited`, as somebody who asks."""
    only = frozenset(_named(session, user.id)) if user.limited and user.role != "owner" else None
    return Visitor(user.id, user.name, user.role, csrf, only, **more)


def insist_unchanged(session: Session, user_id: int, password: str) -> None:
    """Refuses, if the user is gone or has another password than the one that was looked at before the transaction.

    Until its end nobody else changes the user: a new password ends logins, and must find them all.
    """
    table = tables.User
    kept = session.scalar(select(table.password).where(table.id == user_id).with_for_update())
    if kept != password:
        raise NotLoggedIn("the password was changed in this moment; please log in again")


def begin(session: Session, user_id: int) -> str:
    """A new login; what its cookie holds. Logins that are over go."""
    table = tables.Login
    session.execute(delete(table).where(table.expires <= now()))
    secret = new_secret()
    session.add(table(token=fingerprint(secret), user_id=user_id, csrf=new_secret(), expires=now(LASTS)))
    session.flush()
    return secret


def find(session: Session, secret: str | None) -> Visitor | None:
    """Who has this cookie; None where nobody has, or not any more."""
    if not secret:
        return None
    login, user = tables.Login, tables.User
    query = (
        select(user.id, user.name, user.role, user.limited, login.csrf)
        .join(login, login.user_id == user.id)
        .where(login.token == fingerprint(secret), login.expires > now())
    )
    row = session.execute(query).first()
    return None if row is None else visitor_of(session, row, row.csrf)


def end(session: Session, secret: str) -> None:
    """Log out: the cookie opens nothing any more, wherever it is."""
    session.execute(delete(tables.Login).where(tables.Login.token == fingerprint(secret)))


def end_all(session: Session, user_id: int, *, but: str | None = None) -> None:
    """Log a user out everywhere, except where `but` is the cookie."""
    table = tables.Login
    query = delete(table).where(table.user_id == user_id)
    session.execute(query if but is None else query.where(table.token != fingerprint(but)))
