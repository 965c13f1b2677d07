"""A studio that can be stopped and started again, with a ranking campaign in it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Given
from plainly.studio.settings import Settings
from plainly.studio.store import campaigns, people
from plainly.studio.store.overview import given

from ...waiting import until

TEXTS = [
    "The ship came home.",
    "After its voyage of many weeks, the vessel returned to the port from which it had set out.",
    "Rain fell all night.",
    "Precipitation of considerable intensity persisted throughout the hours of darkness.",
    "The cat slept.",
]
ARABIC = ["القط نائم.", "عادت السفينة إلى الميناء.", "هطل المطر طوال الليل."]


class Studio:
    """A server on loopback, always at the same address and with the same database."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings, self.folder = settings, folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.app: Any = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        import uvicorn

        from plainly.studio.app import create_app

        self.app = create_app(self.settings)
        config = uvicorn.Config(
            self.app, host="127.0.0.1", port=self.port, log_level="error", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        until(lambda: self._server.started or not self._thread.is_alive(), "the server's start")
        assert self._thread.is_alive(), "the server stopped at once"

    def stop(self) -> None:
        if self.app is not None:
            self._server.should_exit = True
            self._thread.join(20)
            self.app.state.database.close()
            self.app = None

    def campaign(
        self,
        texts: list[str] = TEXTS,
        lang: str = "en",
        interface: str = "en",
        welcome: Any = None,
        status: str = "open",
        files: Mapping[str, str] | None = None,
        **options: Any,
    ) -> str:
        """A ranking campaign; its id. `files` has CSV by the slot of each further file."""
        kind = get_kind("ranking")
        path = self.folder / "texts.csv"
        rows = [f'text-{number},"{text}"' for number, text in enumerate(texts)]
        path.write_text("\n".join(["id,text", *rows]), encoding="utf-8")
        chosen = {option.name: option.default for option in kind.options} | {"matches": 4} | options
        given = {"texts": path}
        for slot, content in (files or {}).items():
            given[slot] = self.folder / f"{slot}.csv"
            given[slot].write_text(content, encoding="utf-8")
        material = kind.read(given, chosen)
        with self.app.state.database.writing() as session:
            made = campaigns.create(
                session,
                kind="ranking",
                name="Ships & cats",
                lang=lang,
                interface=interface,
                welcome=welcome or {},
                material=material,
                seed=7,
            )
            return made.id if status == "draft" else campaigns.change(session, made.id, 1, status=status).id

    def change(self, campaign: str, status: str) -> None:
        with self.app.state.database.writing() as session:
            campaigns.change(session, campaign, campaigns.get(session, campaign).revision, status=status)

    def invite(self, campaign: str) -> str:
        """The address of a new participant."""
        with self.app.state.database.writing() as session:
            [made] = people.invite(session, campaign, 1)
        return f"{self.url}/p/{made.secret}"

    def preview(self, campaign: str) -> str:
        with self.app.state.database.writing() as session:
            return f"{self.url}/p/{people.preview(session, campaign).secret}"

    def revoke(self, campaign: str, number: int) -> None:
        with self.app.state.database.writing() as session:
            people.revoke(session, campaign, number)

    def given(self, campaign: str) -> list[Given]:
        """The answers that stand."""
        with self.app.state.database.reading() as session:
            return given(session, campaign)

    def rows(self) -> int:
        """All responses that are stored, those taken back too."""
        from sqlalchemy import func, select

        from plainly.studio.store.tables import Response

        with self.app.state.database.reading() as session:
            return int(session.scalar(select(func.count()).select_from(Response)) or 0)


@pytest.fixture
def studio(settings: Settings, tmp_path: Path) -> Iterator[Studio]:
    made = Studio(settings, tmp_path)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def sqlite_studio(tmp_path: Path) -> Iterator[Studio]:
    """For what has nothing to do with the database."""
    from plainly.studio.settings import sqlite_url

    made = Studio(Settings(database=sqlite_url(tmp_path / "one.sqlite"), limited=False), tmp_path)
    made.start()
    yield made
    made.stop()
