"""What every request passes before its address: the doors, a limit of its body; and what every answer takes along."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import select
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainly.base.errors import PlainlyError
from plainly.studio.addresses import insist_host
from plainly.studio.api import dependencies, guesses
from plainly.studio.api.participation import Limits
from plainly.studio.errors import NotThere
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
    insist_host(request.app.state.settings, request.headers.get("host", ""))
    path = request.scope["path"]
    limited = request.app.state.settings.limited
    if link := _LINK.match(path):
        await _insist_link(request, link[1], limited)
    elif path.rstrip("/") in ("/api/login", "/api/setup"):
        if limited:
            guesses.check_address(request)
    elif path.startswith("/api/") and _large(request):
        request.scope[dependencies.FOUND] = await run_in_threadpool(dependencies.member, request)


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


UPLOADS = (
    re.compile(r"/api/campaigns(/check|/[^/]+/(arrival/platform|draft|items|images))?/?"),
    re.compile(r"/api/runs/?"),
)
FORMS = re.compile(r"/api/(login|logout|setup|me/password|p/[^/]+/welcome|j/[^/]+)/?")
SMALL = 64 << 10
"""Bytes of a form, and of anything that comes from somebody who is not known."""
MOST_DIGITS = 18


class _TooLarge(Exception):
    """Ends the reading of a body."""


class BodyLimit:
    """Middleware: 413 for a body that is larger than its address allows, whether or not its length was told."""

    def __init__(self, app: ASGIApp, upload: int, small: int, uploads: Sequence[re.Pattern[str]] = UPLOADS) -> None:
        self._app = app
        self._upload = upload
        self._small = small
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most(scope["path"])
        if told_length(scope) > most:
            await _refusal(most)(scope, receive, send)
            return
        taken = 0
        begun = False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise _TooLarge
            return message

        async def noticed(message: Message) -> None:
            nonlocal begun
            if taken > most and not begun:  # somebody took our exception for a fault of the body
                raise _TooLarge
            begun = True
            await send(message)

        try:
            await self._app(scope, counted, noticed)
        except _TooLarge:
            if not begun:
                await _refusal(most)(scope, receive, send)

    def _most(self, path: str) -> int:
        if any(upload.fullmatch(path) for upload in self._uploads):
            return self._upload
        return min(SMALL, self._small) if FORMS.fullmatch(path) else self._small


def told_length(scope: Scope) -> int:
    """How long the body is, as the request says; 0 where it says nothing."""
    told = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(told[:MOST_DIGITS]) if told.isdigit() else 0


def _refusal(most: int) -> JSONResponse:
    allowed = f"{most / 1024**2:g} MiB" if most >= 1024**2 else f"{most / 1024:g} KiB"
    error = f"this is too large: at most {allowed} are taken"
    return JSONResponse({"error": error}, status_code=413, headers={"Connection": "close"})


PAGE = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Headers:
    """Middleware: adds the headers to every answer, errors included. An answer may bring its own policy."""

    def __init__(self, app: ASGIApp, https: bool = False) -> None:
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ALWAYS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", PAGE)
                headers.setdefault("Cache-Control", "no-store")
                if self._https:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        await self._app(scope, receive, dressed)
