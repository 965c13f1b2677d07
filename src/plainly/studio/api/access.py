"""Who asks: found by the cookie, and allowed or refused before anything else is looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response

from plainly.studio.errors import NotAllowed, NotLoggedIn
from plainly.studio.security.limits import Limit
from plainly.studio.security.secrets import same
from plainly.studio.store import sessions
from plainly.studio.store.sessions import LASTS, Visitor

COOKIE = "plainly_studio"
CSRF = "X-CSRF-Token"
FOUND = "plainly.visitor"
"""Where a request keeps who was let in before its body was read."""
_SAFE = ("GET", "HEAD", "OPTIONS")

_each = Limit(1200, 60)
"""Requests of one user in a minute: a page asks for little, and often."""


def cookie_of(request: Request) -> str | None:
    """The secret of the login."""
    return request.cookies.get(COOKIE)


def set_cookie(request: Request, response: Response, secret: str) -> None:
    """Log this browser in. Scripts cannot read the cookie, other sites cannot make the browser send it."""
    secure = request.app.state.settings.secure or request.url.scheme == "https"
    age = int(LASTS.total_seconds())
    response.set_cookie(COOKIE, secret, max_age=age, path="/", httponly=True, secure=secure, samesite="strict")


def drop_cookie(response: Response) -> None:
    """Log this browser out."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def visitor_of(request: Request) -> Visitor | None:
    """Who is logged in, if anybody is."""
    secret = cookie_of(request)
    if not secret:
        return None
    with request.app.state.database.reading() as session:
        return sessions.find(session, secret)


def same_site(request: Request) -> None:
    """Refuses what another site made the browser send, where there is no login yet whose secret could tell."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise NotAllowed("this request came from another site")


def member(request: Request) -> Visitor:
    """Anybody who is logged in. What changes something needs the secret of the login, too."""
    if FOUND in request.scope:
        found: Visitor = request.scope[FOUND]
        return found
    visitor = visitor_of(request)
    if visitor is None:
        raise NotLoggedIn("please log in")
    if request.app.state.settings.limited:
        _each.take(visitor.id)
    if request.method not in _SAFE and not same(request.headers.get(CSRF, ""), visitor.csrf):
        raise NotAllowed(f"the header {CSRF} is missing or wrong; load the page again")
    return visitor


def owner(request: Request) -> Visitor:
    """An owner."""
    visitor = member(request)
    if not visitor.owner:
        raise NotAllowed("only owners may do this")
    return visitor


Member = Annotated[Visitor, Depends(member)]
Owner = Annotated[Visitor, Depends(owner)]
