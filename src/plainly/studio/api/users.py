"""Users: for owners only."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi import Path as PathPart
from pydantic import Field

from plainly.base.errors import PlainlyError
from plainly.studio.api.dependencies import Body, Owner, TheDatabase
from plainly.studio.security import passwords
from plainly.studio.store import tables, users

router = APIRouter(prefix="/api/users", tags=["users"])

Role = Literal["owner", "analyst"]
Password = Annotated[str, Field(max_length=1000)]
UserId = Annotated[int, PathPart(ge=1, le=users.LARGEST_ID)]


class NewUser(Body):
    """Who may log in from now on."""

    name: Annotated[str, Field(max_length=200)]
    password: Password
    role: Role = "analyst"


class Change(Body):
    """What changes; all logins of the user end with the old password."""

    role: Role | None = None
    password: Password | None = None


@router.get("", summary="All users")
def every(visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    return {"users": listed(database)}


@router.post("", status_code=201, summary="Add a user")
def add(given: NewUser, visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    kept = passwords.hashed(given.password)
    with database.writing() as session:
        return _shown(users.add(session, given.name, kept, given.role))


@router.patch("/{user_id}", summary="Change the role or the password of a user")
def change(user_id: UserId, given: Change, visitor: Owner, database: TheDatabase) -> dict[str, Any]:
    if given.role is None and given.password is None:
        raise PlainlyError("nothing to change: give a role or a password")
    kept = None if given.password is None else passwords.hashed(given.password)
    with database.writing() as session:
        if given.role is not None:
            users.set_role(session, user_id, given.role)
        if kept is not None:
            users.set_password(session, user_id, kept)
        return _shown(users.get(session, user_id))


@router.delete("/{user_id}", status_code=204, summary="Delete a user")
def remove(user_id: UserId, visitor: Owner, database: TheDatabase) -> None:
    with database.writing() as session:
        users.remove(session, user_id)


def listed(database: TheDatabase) -> list[dict[str, Any]]:
    """All users as owners see them."""
    with database.reading() as session:
        return [_shown(row) for row in users.every(session)]


def _shown(row: tables.User) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, "role": row.role, "created": row.created}
