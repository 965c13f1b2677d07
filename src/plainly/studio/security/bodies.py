"""How much a request may carry. More is refused while it comes in, before anything is stored or parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOADS = (re.compile(r"/api/campaigns(/check)?/?"), re.compile(r"/api/runs/?"))
FORMS = re.compile(r"/api/(login|logout|setup|me/password|p/[^/]+/welcome)/?")
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
