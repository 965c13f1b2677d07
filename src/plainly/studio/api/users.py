"""Users: for owners only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi import Path as PathPart
from pydantic import Field

from plainly.base.errors import PlainlyError
from plainly.studio.api.dependencies import Body, Owner, OwnerInPerson, TheDatabase
from plainly.studio.security import passwords
from plainly.studio.store import rights, tables, tokens, users

router = APIRouter(prefix="/api/users", tags=["users"])

Role = Literal["owner", "analyst"]
Password = Annotated[str, Field(max_length=1000)]
Seen = Literal["all"] | Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=rights.MOST)]
"""What an analyst sees: all campaigns, or only those with these ids."""
UserId = Annotated[int, PathPart(ge=1, le=users.LARGEST_ID)]


class NewUser(Body):
    """Who may log in from now on."""

    name: Annotated[str, Field(max_length=200)]
    password: Password
    role: Role = "analyst"
    campaigns: Seen = "all"


class Change(Body):
    """What changes; all logins and tokens of the user end with the old password."""

    role: Role | None = None
    password: Password | None = None
    campaigns: Seen | None = None


@router.get("", summary="All users")
def every(visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    return {"users": listed(database)}


@router.post("", status_code=201, summary="Add a user")
def add(given: NewUser, visitor: OwnerInPerson, database: TheDatabase) -> dict[str, Any]:
    kept = passwords.hashed(given.password)
    with database.writing() as session:
        row = users.add(session, given.name, kept, given.role)
        rights.limit(session, row.id, _only(given.campaigns))
        return _shown(row, rights.named(session))


@router.patch("/{user_id}", summary="Change the role, the password or the campaigns of a user")
def change(user_id: UserId, given: Change, visitor: OwnerInPerson, database: TheDatabase) -> dict[str, Any]:
    if given.role is None and given.password is None and given.campaigns is None:
        raise PlainlyError("nothing to change: give a role, a password or campaigns")
    kept = None if given.password is None else passwords.hashed(given.password)
    with database.writing() as session:
        if given.role is not None:
            users.set_role(session, user_id, given.role)
        if kept is not None:
            users.set_password(session, user_id, kept)
            tokens.withdraw_all(session, user_id)
        if given.campaigns is not None:
            rights.limit(session, user_id, _only(given.campaigns))
        return _shown(users.get(session, user_id), rights.named(session))


@router.delete("/{user_id}", status_code=204, summary="Delete a user")
def remove(user_id: UserId, visitor: OwnerInPerson, database: TheDatabase) -> None:
    with database.writing() as session:
        users.remove(session, user_id)


def listed(database: TheDatabase) -> list[dict[str, Any]]:
    """All users as owners see them."""
    with database.reading() as session:
        named = rights.named(session)
        return [_shown(row, named) for row in users.every(session)]


def _only(seen: Seen) -> list[str] | None:
    return None if seen == "all" else list(seen)


def _shown(row: tables.User, named: Mapping[int, list[str]]) -> dict[str, Any]:
    """Owners see all campaigns, whatever was named for them when they were analysts."""
    limited = row.limited and row.role != "owner"
    seen = named.get(row.id, []) if limited else "all"
    return {"id": row.id, "name": row.name, "role": row.role, "campaigns": seen, "created": row.created}
