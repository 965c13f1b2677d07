"""What every address may ask for by its type: the settings, the database, the desk for long work, and who asks.

The first three are coroutines so that FastAPI needs no thread to find what is at hand.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Annotated, Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Request, Response
from fastapi import Path as PathPart
from pydantic import BaseModel, ConfigDict

from plainly.studio.addresses import link_base
from plainly.studio.errors import NotAllowed, NotLoggedIn, NotThere, Unavailable
from plainly.studio.ids_and_times import now
from plainly.studio.security.limits import Limit
from plainly.studio.security.secrets import same
from plainly.studio.settings import Settings
from plainly.studio.store import sessions, tokens
from plainly.studio.store.database import Database
from plainly.studio.store.sessions import LASTS, Visitor
from plainly.studio.texts import chosen


def kept(name: str) -> Callable[[Request], Coroutine[Any, Any, Any]]:
    """What the app keeps under this name."""

    async def found(request: Request) -> Any:
        return getattr(request.app.state, name)

    return found


TheDatabase = Annotated[Database, Depends(kept("database"))]
TheSettings = Annotated[Settings, Depends(kept("settings"))]


class Body(BaseModel):
    """What a request brings: nothing beside what is asked for."""

    model_config = ConfigDict(extra="forbid")


THREADS = 1
"""What is done here shares Python's lock with the participants: it leaves them half of it. Studies run apart."""
WAITING = 24
OF_ONE = 8
"""As many may be here, and as many of one user. A browser asks for six things at once."""
PATIENCE = 30.0
"""Seconds that one waits for a turn."""
BUSY = "the studio is computing other results now; try again soon"

T = TypeVar("T")


class Desk:
    """Does one thing after the other."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(THREADS)
        self._threads = CapacityLimiter(THREADS)
        self._here: Counter[Hashable] = Counter()

    @property
    def here(self) -> int:
        """How many are served or wait."""
        return self._here.total()

    async def do(self, who: Hashable, work: Callable[..., T], *given: Any) -> T:
        """What `work` returns, when it was its turn; Unavailable, where too many others wait, or for too long."""
        if self._here.total() >= WAITING or self._here[who] >= OF_ONE:
            raise Unavailable(BUSY)
        self._here[who] += 1
        try:
            try:
                await asyncio.wait_for(self._turn.acquire(), PATIENCE)
            except asyncio.TimeoutError:
                raise Unavailable(BUSY) from None
            try:
                return await to_thread.run_sync(partial(work, *given), limiter=self._threads)
            finally:
                self._turn.release()
        finally:
            self._here[who] -= 1
            if not self._here[who]:
                del self._here[who]


TheDesk = Annotated[Desk, Depends(kept("desk"))]
TheDrawingDesk = Annotated[Desk, Depends(kept("drawing_desk"))]
TheReportDesk = Annotated[Desk, Depends(kept("report_desk"))]
"""For charts and for reports, which are made apart and may take long: files do not wait behind them."""


COOKIE = "plainly_studio"
LANGUAGE_COOKIE = "studio_language"
CSRF = "X-CSRF-Token"
FOUND = "plainly.visitor"
"""Where a request keeps who was let in before its body was read."""
ASKING = "plainly.asking"
"""Where it keeps who asks, let in or not."""
_SAFE = ("GET", "HEAD", "OPTIONS")

_guessed = Limit(100, 60)
"""Requests of one address with tokens that are not known."""
_each = Limit(1200, 60)
"""Requests of one user in a minute: a page asks for little, and often."""


def public_base(request: Request) -> str:
    """How the links begin that people get: https://study.example.org, without a stroke at the end."""
    return link_base(request.app.state.settings, request.url.scheme, request.url.netloc)


def cookie_of(request: Request) -> str | None:
    """The secret of the login."""
    return request.cookies.get(COOKIE)


def set_cookie(request: Request, response: Response, secret: str) -> None:
    """Log this browser in. Scripts cannot read the cookie, other sites cannot make the browser send it."""
    secure = request.app.state.settings.https or request.url.scheme == "https"
    age = int(LASTS.total_seconds())
    response.set_cookie(COOKIE, secret, max_age=age, path="/", httponly=True, secure=secure, samesite="strict")


def drop_cookie(response: Response) -> None:
    """Log this browser out."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def visitor_of(request: Request) -> Visitor | None:
    """Who is logged in, or asks the API by a token, if anybody does."""
    if ASKING not in request.scope:
        token = _token_of(request)
        request.scope[ASKING] = _logged_in(request) if token is None else _by_token(request, token)
    found: Visitor | None = request.scope[ASKING]
    return found


def _logged_in(request: Request) -> Visitor | None:
    secret = cookie_of(request)
    if not secret:
        return None
    with request.app.state.database.reading() as session:
        return sessions.find(session, secret)


def _token_of(request: Request) -> str | None:
    """The API token of a request, if it brings one. Pages are for browsers, which have cookies."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    api = request.scope["path"].startswith("/api/")
    return secret.strip() if api and scheme.casefold() == "bearer" else None


def _by_token(request: Request, secret: str) -> Visitor | None:
    database: Database = request.app.state.database
    with database.reading() as session:
        found = tokens.find(session, secret)
    if found is None:
        if request.app.state.settings.limited:
            _guessed.take(request.client.host if request.client else "")
        return None
    visitor, used = found
    today = now()[:10]
    if used != today and visitor.token is not None:
        with database.writing() as session:
            tokens.note_use(session, visitor.token, today)
    return visitor


def same_site(request: Request) -> None:
    """Refuses what another site made the browser send, where there is no login yet whose secret could tell."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise NotAllowed("this request came from another site")


def member(request: Request) -> Visitor:
    """Anybody who is logged in, or asks by a token.

    What changes something needs the secret of the login, too, which other sites do not know. No browser sends a token
    by itself, so a token needs no such secret; it needs to be one that may write.
    """
    if FOUND in request.scope:
        found: Visitor = request.scope[FOUND]
        return found
    visitor = visitor_of(request)
    if visitor is None:
        raise NotLoggedIn("please log in")
    if request.app.state.settings.limited:
        _each.take(visitor.id)
    if request.method in _SAFE:
        return visitor
    if visitor.token is not None:
        if not visitor.writes:
            raise NotAllowed("this token may read only; make one that may write, too")
    elif not same(request.headers.get(CSRF, ""), visitor.csrf):
        raise NotAllowed(f"the header {CSRF} is missing or wrong; load the page again")
    return visitor


def owner(request: Request) -> Visitor:
    """An owner."""
    visitor = member(request)
    if not visitor.owner:
        raise NotAllowed("only owners may do this")
    return visitor


def in_person(request: Request) -> Visitor:
    """Somebody who gave a password: nothing that a token may do can make it last longer than it should."""
    visitor = member(request)
    if visitor.token is not None:
        raise NotAllowed("a token may not do this; log in with your password")
    return visitor


def owner_in_person(request: Request) -> Visitor:
    """An owner who gave a password."""
    in_person(request)
    return owner(request)


def sees_everything(request: Request) -> None:
    """Refuses analysts who are limited to campaigns; who has not logged in is refused elsewhere."""
    visitor = visitor_of(request)
    if visitor is not None and visitor.campaigns is not None:
        raise NotAllowed("you see only the campaigns that an owner named for you")


def campaign_of(request: Request, campaign_id: Annotated[str, PathPart(pattern="^[0-9a-z]{1,20}$")]) -> str:
    """The campaign in an address. There is none for those who may not see it: all addresses of campaigns ask here."""
    visitor = visitor_of(request)
    if visitor is None:
        raise NotLoggedIn("please log in")
    if not visitor.sees(campaign_id):
        raise NotThere("there is no such campaign")
    return campaign_id


Member = Annotated[Visitor, Depends(member)]
Owner = Annotated[Visitor, Depends(owner)]
InPerson = Annotated[Visitor, Depends(in_person)]
OwnerInPerson = Annotated[Visitor, Depends(owner_in_person)]
CampaignId = Annotated[str, Depends(campaign_of)]


def language_of(request: Request) -> str:
    """The language of the interface for who asks."""
    return chosen(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("Accept-Language"))
