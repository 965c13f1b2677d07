"""API tokens: a secret that a program brings along, of which the database keeps a fingerprint.

A token never may more than its user: whoever asks by one is that user, with the role and the campaigns of the moment.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from plainly.studio.entered_texts import one_line
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.ids_and_times import now
from plainly.studio.security.secrets import fingerprint, new_secret
from plainly.studio.store import tables
from plainly.studio.store.sessions import Visitor, visitor_of

BEGINNING = "plainly_"
"""Of every token, so that people and programs know one when they see it."""
LONGEST_NAME = 100
MOST = 20
"""Tokens of one user."""


def make(session: Session, user_id: int, name: str, writes: bool) -> tuple[tables.Token, str]:
    """A new token, and its secret, which is shown now or never."""
    table = tables.Token
    session.execute(select(tables.User.id).where(tables.User.id == user_id).with_for_update())
    if (session.scalar(select(func.count()).where(table.user_id == user_id)) or 0) >= MOST:
        raise Conflict(f"you have {MOST} tokens; withdraw one that you do not need")
    secret = BEGINNING + new_secret()
    kept = one_line(name, "the name of the token", LONGEST_NAME)
    row = table(user_id=user_id, name=kept, token=fingerprint(secret), writes=writes, created=now())
    session.add(row)
    session.flush()
    return row, secret


def of_user(session: Session, user_id: int) -> Sequence[tables.Token]:
    """All tokens of a user, the oldest first."""
    table = tables.Token
    return session.scalars(select(table).where(table.user_id == user_id).order_by(table.id)).all()


def withdraw(session: Session, user_id: int, token_id: int) -> None:
    """The token opens nothing any more."""
    table = tables.Token
    done = session.execute(delete(table).where(table.id == token_id, table.user_id == user_id).returning(table.id))
    if done.first() is None:
        raise NotThere("you have no such token")


def withdraw_all(session: Session, user_id: int) -> None:
    """All tokens of the user open nothing any more."""
    session.execute(delete(tables.Token).where(tables.Token.user_id == user_id))


def find(session: Session, secret: str) -> tuple[Visitor, str | None] | None:
    """Who asks by this token, and the day on which it was used last; None where there is no such token."""
    token, user = tables.Token, tables.User
    query = (
        select(user.id, user.name, user.role, user.limited, token.id.label("token"), token.writes, token.used)
        .join(token, token.user_id == user.id)
        .where(token.token == fingerprint(secret))
    )
    row = session.execute(query).first()
    return None if row is None else (visitor_of(session, row, "", token=row.token, writes=row.writes), row.used)


def note_use(session: Session, token_id: int, day: str) -> None:
    """It was used on this day."""
    table = tables.Token
    session.execute(update(table).where(table.id == token_id).values(used=day))
