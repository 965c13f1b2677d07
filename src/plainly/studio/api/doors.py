"""The doors of the studio: who asks too often, or is nobody, is refused before the body of a request is read."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import select
from starlette.types import ASGIApp, Receive, Scope, Send

from plainly.base.errors import PlainlyError
from plainly.studio.api import access, session
from plainly.studio.api.participation import Limits
from plainly.studio.errors import NotThere
from plainly.studio.security.bodies import SMALL, told_length
from plainly.studio.security.secrets import fingerprint
from plainly.studio.store.database import Database
from plainly.studio.store.tables import Participant
from plainly.studio.texts import chosen, say

_LINK = re.compile(r"/(?:api/)?p/([^/]+)")


class Doors:
    """Middleware: counts requests, and lets bodies of any size in only where it is known who sends them."""

    def __init__(self, app: ASGIApp, refused: Callable[[Request, PlainlyError], Awaitable[Response]]) -> None:
        self._app = app
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            try:
                await _insist(request)
            except PlainlyError as error:
                response = await self._refused(request, error)
                if _large(request):
                    response.headers["Connection"] = "close"  # nobody reads the rest
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


async def _insist(request: Request) -> None:
    """Raises what is to be said to one who may not come in."""
    path = request.scope["path"]
    limited = request.app.state.settings.limited
    if link := _LINK.match(path):
        await _insist_link(request, link[1], limited)
    elif path.rstrip("/") in ("/api/login", "/api/setup"):
        if limited:
            session.check_address(request)
    elif path.startswith("/api/") and _large(request):
        request.scope[access.FOUND] = await run_in_threadpool(access.member, request)


async def _insist_link(request: Request, token: str, limited: bool) -> None:
    limits: Limits = request.app.state.link_limits
    host = request.client.host if request.client else ""
    if limited:
        limits.each.take(fingerprint(token))
    guessed = limited and limits.strangers.spent(host)
    if (guessed or _large(request)) and not await run_in_threadpool(_known, request.app.state.database, token):
        if limited:
            limits.strangers.take(host)
        raise NotThere(say(chosen(None, request.headers.get("accept-language")))("link.unknown"))


def _known(database: Database, token: str) -> bool:
    with database.reading() as found:
        return found.scalar(select(Participant.id).where(Participant.token == fingerprint(token))) is not None


def _large(request: Request) -> bool:
    """Whether the body is large, or may be."""
    return "transfer-encoding" in request.headers or told_length(request.scope) > SMALL
