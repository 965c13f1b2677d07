"""A platform that sends people to studies and takes back their codes: what Prolific does, on loopback."""

from __future__ import annotations

import html
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit


class CrowdPlatform:
    """Knows the address of the study, and whom it sent there; notes what comes back."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.study = ""
        """The address of the open link."""
        self.returned: list[str] = []
        """Codes, in the order in which people came back."""
        self.referrers: list[str] = []
        """What browsers said of where they came from."""

    @property
    def back(self) -> str:
        """The return address that the owner enters."""
        return f"{self.url}/complete?cc={{code}}"

    def address(self, who: str) -> str:
        """Where the platform sends this person."""
        return f"{self.study}?PROLIFIC_PID={quote(who)}&STUDY_ID=study1&SESSION_ID=session-{quote(who)}"

    def answer(self, path: str, referrer: str) -> str:
        parts = urlsplit(path)
        query = parse_qs(parts.query)
        self.referrers.append(referrer)
        if parts.path == "/study":
            return f'<a id="open" href="{html.escape(self.address(query["pid"][0]))}">Open the study</a>'
        if parts.path == "/complete":
            self.returned.append(query["cc"][0])
            return "<h1>Welcome back</h1>"
        return ""


@contextmanager
def crowd_platform() -> Iterator[CrowdPlatform]:
    """One that listens until the end."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said = platform.answer(self.path, self.headers.get("Referer", ""))
            body = f"<!doctype html><title>Platform</title><link rel=icon href=data:,>{said}".encode()
            self.send_response(200 if said else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    platform = CrowdPlatform(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield platform
    server.shutdown()
    server.server_close()
    thread.join(20)
