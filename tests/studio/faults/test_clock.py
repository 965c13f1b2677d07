"""The clock of the server is set back by a day while people answer, and again before it starts anew."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.studio_crowd import Crowd
from sqlalchemy import select

from plainly.studio.settings import sqlite_url
from plainly.studio.store.database import Database
from plainly.studio.store.tables import Response

from .conftest import Scene

pytestmark = pytest.mark.slow

PROGRAM = """
import datetime as clock, pathlib, time
from datetime import datetime as real, timedelta
shift = pathlib.Path({shift!r})
seconds = lambda: float(shift.read_text() or 0)
class Shifted(real):
    @classmethod
    def now(cls, tz=None):
        return real.now(tz) + timedelta(seconds=seconds())
    @classmethod
    def utcnow(cls):
        raise NotImplementedError
clock.datetime = Shifted
true_time = time.time
time.time = lambda: true_time() + seconds()
from plainly.cli import command
command()
"""
"""A studio whose time of day is what a file says; as a clock that somebody sets."""
DAY = 86_400
OWNER = {"name": "Ada", "password": "correct horse battery"}


def owner(made: Scene) -> httpx.Client:
    client = httpx.Client(base_url=made.studio.url, timeout=60)
    me = client.post("/api/login", json=OWNER).raise_for_status().json()
    client.headers["X-CSRF-Token"] = me["csrf"]
    return client


def looked_at(client: httpx.Client, campaign: str) -> Any:
    """The dashboard and an export work."""
    summary = client.get(f"/api/campaigns/{campaign}/summary").raise_for_status().json()
    assert client.get(f"/api/campaigns/{campaign}/export.zip").raise_for_status().content
    return summary


def test_the_clock_is_set_back(scene: Callable[..., Scene], tmp_path: Path) -> None:
    shift = tmp_path / "shift"
    shift.write_text("0")
    url = sqlite_url(tmp_path / "studio.sqlite")
    add = [sys.executable, "-m", "plainly", "studio", "--database", url, "user", "add", OWNER["name"]]
    subprocess.run(add, input=OWNER["password"], text=True, check=True, capture_output=True)
    made = scene(url, PROGRAM.format(shift=str(shift)))
    client = owner(made)

    def act(_: Crowd) -> None:
        made.answers(40)
        shift.write_text(str(-DAY))
        made.answers(40)
        looked_at(client, made.invited.campaign)
        made.studio.kill()
        shift.write_text(str(-3 * DAY))
        made.studio.start()
        made.answers(40)

    made.act(act)
    summary = looked_at(client, made.invited.campaign)
    assert client.get("/api/me").status_code == 200, "who is logged in stays so"
    client.close()
    with contextlib.closing(owner(made)) as again:
        assert again.get("/api/me").status_code == 200
    found = made.count()
    assert found.right, found
    assert not made.crowd.faults
    assert sum(one["done"] for one in summary["participants"]) == found.acknowledged
    database = Database(url)
    with database.reading() as session:
        times = session.scalars(select(Response.received).order_by(Response.id)).all()
    database.close()
    assert len({time[:10] for time in times}) >= 3, "the clock was set back"
    assert list(times) != sorted(times)
    assert "Traceback" not in made.studio.said
