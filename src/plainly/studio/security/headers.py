"""What every answer tells the browser: what a page may load, and that nothing of it is kept or shown elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script", re.DOTALL)


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


def report_policy(page: str) -> str:
    """The policy of a report: a page with scripts of its own, shut in where it reaches neither login nor network.

    Its scripts are known by their hashes. Vega makes functions of its charts, which needs 'unsafe-eval'.
    """
    hashes = " ".join(f"'sha256-{_hash(found[1])}'" for found in _SCRIPT.finditer(page))
    return (
        "sandbox allow-scripts allow-downloads; default-src 'none'; "
        f"script-src 'unsafe-eval' {hashes}; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
    )


def picture_policy(style: str) -> str:
    """The policy of an SVG picture with one style sheet of its own."""
    return f"default-src 'none'; style-src 'sha256-{_hash(style)}'; frame-ancestors 'none'; sandbox"


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()).decode()
