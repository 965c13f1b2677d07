"""Logging in and out, and the first owner of a new studio."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from plainly.studio.api.access import Member, cookie_of, drop_cookie, same_site, set_cookie
from plainly.studio.api.dependencies import TheDatabase, TheSettings
from plainly.studio.errors import Conflict, NotAllowed, NotLoggedIn
from plainly.studio.security import passwords, sessions
from plainly.studio.security.limits import Limit
from plainly.studio.security.secrets import same
from plainly.studio.security.sessions import Visitor
from plainly.studio.store import users

router = APIRouter(prefix="/api", tags=["session"])

_by_name = Limit(20, 900)
_by_address = Limit(60, 900)
"""Logins that fail, in a quarter of an hour. Right ones cost nothing."""

Secret = Annotated[str, Field(max_length=1000)]


class Credentials(BaseModel):
    """Of a user."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(max_length=200)]
    password: Secret


class FirstOwner(Credentials):
    """With the code that the terminal shows."""

    code: Secret


class NewPassword(BaseModel):
    """Of the one who is logged in."""

    model_config = ConfigDict(extra="forbid")
    current: Secret
    password: Secret


@router.post("/setup", summary="Make the first owner and log in")
def setup(
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
    kept = passwords.hashed(given.password)
    with database.writing() as session:
        if users.any_user(session):
            raise Conflict("this studio has an owner already")
        user = users.add(session, given.name, kept, "owner")
        secret = sessions.begin(session, user.id)
        visitor = sessions.find(session, secret)
    request.app.state.setup_code = None
    set_cookie(request, response, secret)
    return _about(visitor)


@router.post("/login", summary="Log in")
def login(
    given: Credentials, request: Request, response: Response, database: TheDatabase, settings: TheSettings
) -> dict[str, Any]:
    same_site(request)
    name = given.name.strip()
    tries = _Tries(request, settings.limited, name)
    with database.reading() as session:
        user = users.named(session, name)
        found, kept = (user.id, user.password) if user else (0, None)
    if not passwords.matches(kept, given.password):
        tries.failed()
        raise NotLoggedIn("the name or the password is wrong")
    tries.succeeded()
    with database.writing() as session:
        users.get(session, found)
        secret = sessions.begin(session, found)
        visitor = sessions.find(session, secret)
    set_cookie(request, response, secret)
    return _about(visitor)


@router.post("/logout", status_code=204, summary="Log out")
def logout(visitor: Member, request: Request, response: Response, database: TheDatabase) -> None:
    with database.writing() as session:
        sessions.end(session, cookie_of(request) or "")
    drop_cookie(response)


@router.get("/me", summary="Who is logged in")
def me(visitor: Member) -> dict[str, Any]:
    return _about(visitor)


@router.post("/me/password", status_code=204, summary="Change one's own password")
def change_password(
    given: NewPassword, visitor: Member, request: Request, database: TheDatabase, settings: TheSettings
) -> None:
    tries = _Tries(request, settings.limited, visitor.name)
    with database.reading() as session:
        kept = users.get(session, visitor.id).password
    if not passwords.matches(kept, given.current):
        tries.failed()
        raise NotAllowed("the current password is wrong")
    tries.succeeded()
    new = passwords.hashed(given.password)
    with database.writing() as session:
        users.set_password(session, visitor.id, new, stays=cookie_of(request))


class _Tries:
    """Counts what fails, by name and by address, and refuses before the password is looked at."""

    def __init__(self, request: Request, limited: bool, name: str) -> None:
        self._limited = limited
        self._name = name.casefold()
        self._address = request.client.host if request.client else ""
        if limited:
            _by_name.check(self._name)
            _by_address.check(self._address)

    def failed(self) -> None:
        if self._limited:
            _by_address.take(self._address)
            _by_name.take(self._name)

    def succeeded(self) -> None:
        _by_name.forgive(self._name)


def _about(visitor: Visitor | None) -> dict[str, Any]:
    if visitor is None:  # the login was ended by somebody else in the same moment
        raise NotLoggedIn("please log in")
    return {"id": visitor.id, "name": visitor.name, "role": visitor.role, "csrf": visitor.csrf}
