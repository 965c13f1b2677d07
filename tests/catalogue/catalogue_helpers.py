"""A real HTTP server on this machine and a small catalogue whose files it serves."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from plainly.corpus.catalogue import entries
from plainly.corpus.catalogue.entries import Entry, File, Licence, Part


class Site:
    """A server: what it serves, how it misbehaves, and what it was asked for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.rules: dict[str, Callable[[Handler], None]] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.knows_ranges = True
        self.closing = threading.Event()
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.site = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Server(ThreadingHTTPServer):
    daemon_threads = False
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no fault here."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        site, name = self.server.site, unquote(self.path).lstrip("/")
        site.asked.append((name, self.headers.get("Range")))
        if name in site.rules:
            site.rules[name](self)
        elif name in site.files:
            self.send_file(site.files[name])
        else:
            self.send_error(404)

    def send_file(self, content: bytes, at_most: int | None = None) -> None:
        """The whole file, or what comes after the first bytes; cut off after `at_most` bytes."""
        asked = self.headers.get("Range")
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.server.site.knows_ranges else 0
        if start >= len(content) > 0:
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start:][:at_most])

    def log_message(self, *arguments: object) -> None:
        pass


SOURCES = "The feline reposed.\nIt ceased.\nHe departed.\n"
FIRST = "The cat slept.\nIt stopped.\nHe left.\n"
SECOND = "A cat slept.\nIt ended.\nHe went away.\n"
OUTPUTS = "The cat rested.\nIt stopped.\nHe has left.\n"


@dataclass
class Catalogue:
    """A catalogue of two small test sets, whose files are on the site as a stranger would serve them."""

    site: Site
    content: dict[str, bytes] = field(default_factory=dict)
    sets: dict[str, Entry] = field(default_factory=dict)

    def file(self, role: str, name: str, text: str, **facts: Any) -> File:
        """A file whose upstream form lacks the last line feed if it has the change "final newline"."""
        stored = text.encode()
        served = stored[:-1] if facts.get("change") == "final newline" else stored
        self.content[name] = stored
        self.site.files[f"up/{name}"] = served
        address = f"{self.site.address}/up/{name}"
        return File(role, name, len(stored), checksum(stored), (part(served, address),), **facts)

    def add(self, name: str, *files: File, **facts: object) -> Entry:
        entry = Entry(
            name=name,
            title=f"The set {name}",
            about="A few sentences.",
            language="en",
            domain="tests",
            readers="nobody",
            form="plain text",
            segments=3,
            references=sum(file.role == "reference" for file in files),
            origin="these tests",
            paper="none",
            citation="@misc{tests, title = {Tests}}",
            notes=("Made up.",),
            licence=Licence("Free", "Do what you like.", False),
            files=files,
        )
        self.sets[name] = replace(entry, **facts)  # type: ignore[arg-type]
        return self.sets[name]

    def change(self, name: str, number: int, **facts: object) -> File:
        """Give other facts to one file of a test set."""
        entry = self.sets[name]
        changed = replace(entry.files[number], **facts)  # type: ignore[arg-type]
        files = (*entry.files[:number], changed, *entry.files[number + 1 :])
        self.sets[name] = replace(entry, files=files)
        return changed


def checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def part(served: bytes, *addresses: str) -> Part:
    return Part(addresses, "no", len(served), checksum(served))


def use(monkeypatch: pytest.MonkeyPatch, sets: Mapping[str, Entry]) -> None:
    """Let the catalogue hold these sets and no others."""
    monkeypatch.setattr(entries, "_folder", lambda: dict.fromkeys(sets, Path("nowhere")))
    monkeypatch.setattr(entries, "_read", lambda name: sets[name])


def tree(folder: Path) -> set[str]:
    """The files in the data folder, without the lock and the licence notes."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if name != ".lock" and not name.startswith("licences/")}
