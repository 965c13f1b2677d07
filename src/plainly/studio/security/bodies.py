"""How much a request may carry. More is refused while it comes in, before anything is stored or parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOADS = (re.compile(r"/api/campaigns(/check)?/?"), re.compile(r"/api/runs/?"))


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
        most = self._upload if any(path.fullmatch(scope["path"]) for path in self._uploads) else self._small
        told = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if told.isdigit() and (len(told) > 18 or int(told) > most):
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


def _refusal(most: int) -> JSONResponse:
    error = f"this is too large: at most {most / 1024**2:g} MiB are taken"
    return JSONResponse({"error": error}, status_code=413, headers={"Connection": "close"})
