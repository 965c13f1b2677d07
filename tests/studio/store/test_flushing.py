"""Nobody is told that something is stored before it is on the disk, and many share one trip to it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.studio.errors import Unavailable
from plainly.studio.store import flushing, people
from plainly.studio.store.database import Database
from plainly.studio.store.flushing import Flusher

with_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_many_share_a_trip_that_began_after_they_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x")
    flusher = Flusher(path)
    trips: list[tuple[float, float]] = []
    waits: list[tuple[float, float]] = []

    def slow(handle: int) -> None:
        begun = time.monotonic()
        time.sleep(0.05)
        trips.append((begun, time.monotonic()))

    def ask() -> None:
        for _ in range(5):
            begun = time.monotonic()
            flusher.flush()
            waits.append((begun, time.monotonic()))

    monkeypatch.setattr(os, "fsync", slow)
    threads = [threading.Thread(target=ask) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(waits) == 50
    assert len(trips) < 25
    for came, went in waits:  # each saw a whole trip
        assert any(came <= begun and ended <= went for begun, ended in trips)


@with_sqlite
def test_what_is_stored_is_on_the_disk(
    database: Database, make_in: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_in(database)
    trips: list[int] = []
    monkeypatch.setattr(flushing.os, "fsync", trips.append)
    with database.writing() as session:
        people.invite(session, made, 1)
        assert trips == []
    assert len(trips) == 1

    def fail(handle: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(flushing.os, "fsync", fail)
    with pytest.raises(Unavailable, match="disk of the database fails"), database.writing() as session:
        people.invite(session, made, 1)
    monkeypatch.setattr(flushing.os, "fsync", trips.append)
    with database.writing() as session:  # and it goes on when the disk does
        people.invite(session, made, 1)
    assert len(trips) == 2
