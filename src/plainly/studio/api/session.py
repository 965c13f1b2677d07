"""Logging in and out, and the first owner of a new studio."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Callable
from contextlib import suppress
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
from plainly.studio.errors import Conflict, NotAllowed, NotLoggedIn, TooMany
from plainly.studio.security import passwords
from plainly.studio.security.limits import Limit, Turns
from plainly.studio.security.secrets import same
from plainly.studio.store import sessions, users
from plainly.studio.store.database import Database
from plainly.studio.store.sessions import Visitor

router = APIRouter(prefix="/api", tags=["session"])

_by_both = Limit(20, 900)
_by_address = Limit(60, 900)
"""Logins that fail in a quarter of an hour: of a name from one address, and from one address. Right ones are free."""
_by_name = Limit(20, 900)
"""Those of a name, from wherever. Strangers must not lock its owner out: with too many, each login takes longer."""
SLOW = 2.0
"""Seconds."""

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
    tries = _Tries(request, settings.limited, "setup")
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
    tries = _Tries(request, settings.limited, name)
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
    tries = _Tries(request, settings.limited, visitor.name)
    _, kept = await run_in_threadpool(_named, database, visitor.name)
    if not await _hashing(request, passwords.matches, kept, given.current):
        tries.failed()
        raise NotAllowed("the current password is wrong")
    tries.succeeded()
    new = await _hashing(request, passwords.hashed, given.password)
    await run_in_threadpool(_changed, database, visitor.id, kept or "", new, cookie_of(request))


def check_address(request: Request) -> None:
    """Raises TooMany for an address from which too many logins failed; nothing of the request is read."""
    _by_address.check(_address(request))


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


class _Tries:
    """Counts what fails, by name and by address, and refuses before the password is looked at."""

    def __init__(self, request: Request, limited: bool, name: str) -> None:
        self._limited = limited
        self._name = name.casefold()
        self._address = _address(request)
        if limited:
            _by_both.check((self._name, self._address))
            _by_address.check(self._address)

    async def slowed_down(self) -> None:
        """Waits, where too many guess the password of this name from many places."""
        if self._limited and _by_name.spent(self._name):
            await sleep(SLOW)

    def failed(self) -> None:
        if self._limited:
            with suppress(TooMany):
                _by_name.take(self._name)
            _by_address.take(self._address)
            _by_both.take((self._name, self._address))

    def succeeded(self) -> None:
        _by_both.forgive((self._name, self._address))


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _about(visitor: Visitor | None) -> dict[str, Any]:
    if visitor is None:  # the login was ended by somebody else in the same moment
        raise NotLoggedIn("please log in")
    return {"id": visitor.id, "name": visitor.name, "role": visitor.role, "csrf": visitor.csrf}
