"""Logging in and out, and the first owner of a new studio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from plainly.studio.api.dependencies import (
    Body,
    InPerson,
    Member,
    TheDatabase,
    TheSettings,
    cookie_of,
    drop_cookie,
    same_site,
    set_cookie,
)
from plainly.studio.api.guesses import Guess
from plainly.studio.errors import Conflict, NotAllowed, NotLoggedIn
from plainly.studio.security import passwords
from plainly.studio.security.limits import Turns
from plainly.studio.security.secrets import same
from plainly.studio.store import sessions, users
from plainly.studio.store.database import Database
from plainly.studio.store.sessions import Visitor

router = APIRouter(prefix="/api", tags=["session"])

Secret = Annotated[str, Field(max_length=1000)]
T = TypeVar("T")


class Credentials(Body):
    """Of a user."""

    name: Annotated[str, Field(max_length=200)]
    password: Secret


class FirstOwner(Credentials):
    """With the code that the terminal shows."""

    code: Secret


class NewPassword(Body):
    """Of the one who is logged in."""

    current: Secret
    password: Secret


@router.post("/setup", summary="Make the first owner and log in")
async def setup(
    given: FirstOwner, request: Request, response: Response, database: TheDatabase, settings: TheSettings
) -> dict[str, Any]:
    same_site(request)
    tries = Guess(request, settings.limited, "setup")
    code = request.app.state.setup_code
    if code is None:
        raise Conflict("this studio has an owner already")
    if not same(given.code, code):
        tries.failed()
        raise NotAllowed("this is not the code that the terminal shows")
    kept = await _hashing(request, passwords.hashed, given.password)
    secret, visitor = await run_in_threadpool(_first, database, given.name, kept)
    request.app.state.setup_code = None
    set_cookie(request, response, secret)
    return _about(visitor)


@router.post("/login", summary="Log in")
async def login(
    given: Credentials, request: Request, response: Response, database: TheDatabase, settings: TheSettings
) -> dict[str, Any]:
    same_site(request)
    name = given.name.strip()
    tries = Guess(request, settings.limited, name)
    await tries.slowed_down()
    found, kept = await run_in_threadpool(_named, database, name)
    if not await _hashing(request, passwords.matches, kept, given.password):
        tries.failed()
        raise NotLoggedIn("the name or the password is wrong")
    tries.succeeded()
    secret, visitor = await run_in_threadpool(_begun, database, found, kept or "")
    set_cookie(request, response, secret)
    return _about(visitor)


@router.post("/logout", status_code=204, summary="Log out")
def logout(visitor: InPerson, request: Request, response: Response, database: TheDatabase) -> None:
    with database.writing() as session:
        sessions.end(session, cookie_of(request) or "")
    drop_cookie(response)


@router.get("/me", summary="Who is logged in")
def me(visitor: Member) -> dict[str, Any]:
    return _about(visitor)


@router.post("/me/password", status_code=204, summary="Change one's own password")
async def change_password(
    given: NewPassword, visitor: InPerson, request: Request, database: TheDatabase, settings: TheSettings
) -> None:
    tries = Guess(request, settings.limited, visitor.name)
    _, kept = await run_in_threadpool(_named, database, visitor.name)
    if not await _hashing(request, passwords.matches, kept, given.current):
        tries.failed()
        raise NotAllowed("the current password is wrong")
    tries.succeeded()
    new = await _hashing(request, passwords.hashed, given.password)
    await run_in_threadpool(_changed, database, visitor.id, kept or "", new, cookie_of(request))


async def _hashing(request: Request, work: Callable[..., T], *given: Any) -> T:
    """One after the other: each takes a while, and much memory. Those who wait take no thread from participants."""
    turns: Turns = request.app.state.password_turns
    async with turns.of("password"):
        return await run_in_threadpool(work, *given)


def _named(database: Database, name: str) -> tuple[int, str | None]:
    with database.reading() as session:
        user = users.named(session, name)
        return (user.id, user.password) if user else (0, None)


def _first(database: Database, name: str, kept: str) -> tuple[str, Visitor | None]:
    with database.writing() as session:
        if users.any_user(session):
            raise Conflict("this studio has an owner already")
        user = users.add(session, name, kept, "owner")
        secret = sessions.begin(session, user.id)
        return secret, sessions.find(session, secret)


def _begun(database: Database, user_id: int, kept: str) -> tuple[str, Visitor | None]:
    with database.writing() as session:
        sessions.insist_unchanged(session, user_id, kept)
        secret = sessions.begin(session, user_id)
        return secret, sessions.find(session, secret)


def _changed(database: Database, user_id: int, kept: str, new: str, cookie: str | None) -> None:
    with database.writing() as session:
        sessions.insist_unchanged(session, user_id, kept)
        users.set_password(session, user_id, new, stays=cookie)


def _about(visitor: Visitor | None) -> dict[str, Any]:
    if visitor is None:  # the login was ended by somebody else in the same moment
        raise NotLoggedIn("please log in")
    return {"id": visitor.id, "name": visitor.name, "role": visitor.role, "csrf": visitor.csrf}
