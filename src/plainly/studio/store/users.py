"""Users: who may log in. There is always an owner left."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError, UnknownName
from plainly.studio.entered_texts import one_line
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.ids_and_times import now
from plainly.studio.store import sessions, tables

ROLES = ("owner", "analyst")
LONGEST_NAME = 100
LARGEST_ID = 2**31 - 1


def every(session: Session) -> Sequence[tables.User]:
    """All users, by name."""
    return session.scalars(select(tables.User).order_by(tables.User.name)).all()


def any_user(session: Session) -> bool:
    """Whether there is one."""
    return bool(session.scalar(select(func.count()).select_from(tables.User)))


def get(session: Session, user_id: int) -> tables.User:
    """The user, or NotThere."""
    row = session.get(tables.User, user_id) if 0 < user_id <= LARGEST_ID else None
    if row is None:
        raise NotThere("there is no such user")
    return row


def named(session: Session, name: str) -> tables.User | None:
    """The user of that name; whatever can be typed may be asked for."""
    try:
        kept = one_line(name, "the name", LONGEST_NAME)
    except PlainlyError:
        return None
    return session.scalar(select(tables.User).where(tables.User.name == kept))


def add(session: Session, name: str, kept_password: str, role: str) -> tables.User:
    """A new user. `kept_password` comes from `passwords.hashed`, which is slow: call it before the transaction."""
    row = tables.User(name=_name(name), password=kept_password, role=_role(role), created=now())
    if named(session, row.name) is not None:
        raise Conflict(f"there is a user {row.name!r} already")
    session.add(row)
    session.flush()
    return row


def set_role(session: Session, user_id: int, role: str) -> tables.User:
    """Another role; the last owner stays one."""
    row = get(session, user_id)
    if _role(role) != "owner":
        _insist_other_owner(session, row)
    row.role = role
    session.flush()
    return row


def set_password(session: Session, user_id: int, kept_password: str, *, stays: str | None = None) -> None:
    """Another password, from `passwords.hashed`. All logins of the user end, except that of the cookie `stays`."""
    get(session, user_id).password = kept_password
    session.flush()
    sessions.end_all(session, user_id, but=stays)


def remove(session: Session, user_id: int) -> None:
    """Delete a user with all logins; what they made stays."""
    row = get(session, user_id)
    _insist_other_owner(session, row)
    session.delete(row)
    session.flush()


def _insist_other_owner(session: Session, row: tables.User) -> None:
    table = tables.User
    # All owners are locked: two owners must not remove each other at the same moment.
    owners = session.scalars(select(table.id).where(table.role == "owner").order_by(table.id).with_for_update()).all()
    if row.role == "owner" and list(owners) == [row.id]:
        raise Conflict("this is the only owner; make another one first")


def _name(name: str) -> str:
    kept = one_line(name, "the name", LONGEST_NAME)
    if len(kept) < 2:
        raise PlainlyError("the name needs two characters at least")
    return kept


def _role(role: str) -> str:
    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    return role
