"""Which answers travel compressed.

A compressed answer tells by its length whether a guess repeats what is in it. Where somebody can put guesses beside a
secret, and watch lengths, the secret can be found letter by letter (BREACH, 2013). So an answer that holds a secret
is never compressed: the pages of owners, which hold the secret of the login, replies with links, and tables of those
who came by the open link, with the codes by which they are paid. That leaves the files, what participants get (their
secret is in the address alone, and no cookie is sent), and what owners read.
"""

from __future__ import annotations

import gzip
import re

from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALLEST = 1000
"""Bytes; smaller ones fit into one packet anyway."""
AT_ONCE = 32 << 10
"""Larger ones are compressed beside the requests of others."""
LEVEL = 5
_PARTICIPANTS = re.compile(r"/(api/)?p/")
_WITH_SECRETS = re.compile(r"/api/(me|session|tokens|campaigns/[^/]*/arrival)\b")
_TEXTS = ("text/", "application/json", "image/svg+xml")


def packed(content: bytes, level: int = LEVEL) -> bytes:
    """With gzip; the same bytes at any time."""
    return gzip.compress(content, level, mtime=0)


def takes_gzip(headers: Headers) -> bool:
    """Whether who asks can read it."""
    offers = [offer.replace(" ", "").lower() for offer in headers.get("accept-encoding", "").split(",")]
    return any(name == "gzip" and not re.fullmatch(r"q=0(\.0*)?", rest) for name, _, rest in map(_parts, offers))


def _parts(offer: str) -> tuple[str, str, str]:
    return offer.partition(";")


def holds_no_secret(method: str, path: str) -> bool:
    """Whether the answer may be compressed, see above."""
    if _PARTICIPANTS.match(path):
        return True
    return method == "GET" and path.startswith("/api/") and not _WITH_SECRETS.match(path)


class Compression:
    """Middleware: compresses texts that come in one piece. Those in several are files that are packed already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope["type"] == "http" and holds_no_secret(scope["method"], scope["path"])
        if not wanted:
            await self._app(scope, receive, send)
            return
        ready = takes_gzip(Headers(scope=scope))
        start: Message | None = None

        async def shrunk(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start is not None:
                await send(await _compressed(start, message, ready))
                start = None
            await send(message)

        await self._app(scope, receive, shrunk)


async def _compressed(start: Message, first: Message, ready: bool) -> Message:
    """The start of the answer; both it and its body are changed where that is worth it."""
    headers = MutableHeaders(scope=start)
    if not headers.get("content-type", "").startswith(_TEXTS) or "content-encoding" in headers:
        return start
    headers.add_vary_header("Accept-Encoding")
    body = first.get("body", b"")
    if not ready or first.get("more_body") or len(body) < SMALLEST or start["status"] in (204, 304):
        return start
    body = packed(body) if len(body) < AT_ONCE else await run_in_threadpool(packed, body)
    first["body"] = body
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(body))
    if "etag" in headers and not headers["etag"].startswith("W/"):
        headers["etag"] = f"W/{headers['etag']}"
    return start
