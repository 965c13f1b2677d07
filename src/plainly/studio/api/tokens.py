"""API tokens of the one who is logged in. A token is shown once, and no token can make another one."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as PathPart
from pydantic import Field

from plainly.studio.api.dependencies import Body, InPerson, TheDatabase
from plainly.studio.store import tables, tokens
from plainly.studio.store.database import Database
from plainly.studio.store.users import LARGEST_ID

router = APIRouter(prefix="/api/me/tokens", tags=["tokens"])

TokenId = Annotated[int, PathPart(ge=1, le=LARGEST_ID)]


class NewToken(Body):
    """What it is for, and whether it may change something."""

    name: Annotated[str, Field(max_length=200)]
    writes: bool = False


@router.get("", summary="One's own API tokens")
def every(visitor: InPerson, database: TheDatabase) -> dict[str, Any]:
    return {"tokens": listed(database, visitor.id)}


@router.post("", status_code=201, summary="Make an API token; it is shown only now")
def make(given: NewToken, visitor: InPerson, database: TheDatabase) -> dict[str, Any]:
    with database.writing() as session:
        row, secret = tokens.make(session, visitor.id, given.name, given.writes)
        return {**_shown(row), "token": secret}


@router.delete("/{token_id}", status_code=204, summary="Withdraw an API token")
def withdraw(token_id: TokenId, visitor: InPerson, database: TheDatabase) -> None:
    with database.writing() as session:
        tokens.withdraw(session, visitor.id, token_id)


def listed(database: Database, user_id: int) -> list[dict[str, Any]]:
    """The tokens of a user, without their secrets."""
    with database.reading() as session:
        return [_shown(row) for row in tokens.of_user(session, user_id)]


def _shown(row: tables.Token) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, "writes": row.writes, "created": row.created, "used": row.used}
