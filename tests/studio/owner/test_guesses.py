"""Failed logins count on after the studio was started anew, on either database."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from plainly.studio.api import guesses
from plainly.studio.api.guesses import Guesses
from plainly.studio.app import create_app
from plainly.studio.errors import TooMany, Unavailable
from plainly.studio.security.limits import Limit
from plainly.studio.settings import Settings
from plainly.studio.store import tables
from plainly.studio.store.database import Database

from ...waiting import until

WRONG = {"name": "Ada", "password": "wrong password"}


@contextmanager
def running(settings: Settings) -> Iterator[tuple[Any, TestClient]]:
    """A studio from its start to its stop."""
    app = create_app(replace(settings, limited=True))
    with TestClient(app, base_url="http://localhost") as client:
        yield app, client


def rows(database: Database) -> list[tuple[str, str, float]]:
    table = tables.Guess
    with database.reading() as session:
        return [tuple(row) for row in session.execute(select(table.kind, table.key, table.remaining))]


def test_a_restart_forgives_nobody(settings: Settings) -> None:
    with running(settings) as (_, client):
        for _ in range(20):
            assert client.post("/api/login", json=WRONG).status_code == 401
    with running(settings) as (_, client):
        assert client.post("/api/login", json=WRONG).status_code == 429


def test_it_is_written_down_while_the_studio_runs(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A studio that is killed has no time to do so."""
    monkeypatch.setattr(guesses, "EVERY", 0.01)
    with running(settings) as (app, client):
        assert rows(app.state.database) == []
        client.post("/api/login", json=WRONG)
        until(lambda: len(rows(app.state.database)) == 3, "the failed login in the database")
        found = rows(app.state.database)
    assert {kind for kind, _, _ in found} == {"both", "address", "name"}
    assert not any("ada" in key.casefold() or "testclient" in key for _, key, _ in found)
    assert {len(key) for _, key, _ in found} == {64}


def test_what_is_over_is_dropped(settings: Settings) -> None:
    time = [0.0]
    database = Database(settings.database)
    known = Guesses()
    known.by_name = Limit(20, 900, clock=lambda: time[0])
    for _ in range(3):
        known.by_name.take("x" * 64)
    known.keep(database)
    assert rows(database) == [("name", "x" * 64, 17.0)]
    time[0] = 100.0  # 17 + 100 · 20/900 = 19.2: nothing new, so nothing is written
    known.keep(database)
    assert rows(database) == [("name", "x" * 64, 17.0)]
    time[0] = 136.0
    known.keep(database)
    assert rows(database) == []
    database.close()


def test_the_time_in_between_does_not_count(settings: Settings) -> None:
    database = Database(settings.database)
    first = Guesses()
    for _ in range(20):
        first.by_name.take("x")
    first.keep(database)
    second = Guesses()
    second.load(database)
    with pytest.raises(TooMany):
        second.by_name.take("x")
    database.close()


def test_a_database_that_is_away_stops_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away() -> Any:
        raise Unavailable("the database does not answer")

    with running(settings) as (app, client), caplog.at_level(logging.ERROR):
        client.post("/api/login", json=WRONG)
        monkeypatch.setattr(app.state.database, "writing", away)
    assert "failed logins could not be kept: the database does not answer" in caplog.text
