"""Nobody is told that something is stored before it is on the disk, and many share one trip to it."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from plainly.studio.errors import Unavailable
from plainly.studio.store import people
from plainly.studio.store.database import Database, Flusher
from plainly.studio.store.overview import people as participants

from ...waiting import LONG, until

with_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_many_share_a_trip_that_began_after_they_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x")
    flusher = Flusher(path)
    trips: list[tuple[float, float]] = []
    waits: list[tuple[float, float]] = []

    gone: list[int] = []

    def slow(handle: int) -> None:
        begun = time.monotonic()
        until(lambda: flusher._asked - flusher._safe == 10 - len(gone), "that all wait who have not gone")
        trips.append((begun, time.monotonic()))

    def ask(number: int) -> None:
        for _ in range(5):
            begun = time.monotonic()
            flusher.flush()
            waits.append((begun, time.monotonic()))
        gone.append(number)

    monkeypatch.setattr(os, "fsync", slow)
    threads = [threading.Thread(target=ask, args=[number]) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
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
    monkeypatch.setattr(os, "fsync", trips.append)
    with database.writing() as session:
        people.invite(session, made, 1)
        assert trips == []
    assert len(trips) == 1

    def fail(handle: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Unavailable, match="disk of the database fails"), database.writing() as session:
        people.invite(session, made, 1)
    monkeypatch.setattr(os, "fsync", trips.append)
    with database.writing() as session:  # and it goes on when the disk does
        people.invite(session, made, 1)
    assert len(trips) == 2


class Disk:
    """Stands for os.fsync: counts what is flushed, and may fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.flushed: list[int] = []
        self.fails = 0
        monkeypatch.setattr(os, "fsync", self)

    def __call__(self, handle: int) -> None:
        if self.fails:
            self.fails -= 1
            raise OSError(5, "Input/output error")
        self.flushed.append(os.fstat(handle).st_ino)


def test_a_database_behind_a_link_is_on_the_disk(
    tmp_path: Path, make_in: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite keeps its log beside the file itself."""
    (tmp_path / "there").mkdir()
    (tmp_path / "here.sqlite").symlink_to(tmp_path / "there" / "real.sqlite")
    database = Database(f"sqlite:///{tmp_path / 'here.sqlite'}")
    disk = Disk(monkeypatch)
    make_in(database)
    assert disk.flushed == [(tmp_path / "there" / "real.sqlite-wal").stat().st_ino]
    database.close()


@with_sqlite
def test_a_log_that_is_gone_is_said(database: Database, make_in: Callable[..., str]) -> None:
    made = make_in(database)
    assert database.path is not None
    database.path.with_name(f"{database.path.name}-wal").unlink()
    with pytest.raises(Unavailable, match="disk of the database fails"), database.writing() as session:
        people.invite(session, made, 1)


@with_sqlite
def test_after_a_failure_nothing_is_safe_until_sqlite_has_moved_its_log(
    database: Database, make_in: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system may drop what it could not write, and say at the next attempt that all is well."""
    made = make_in(database)
    disk = Disk(monkeypatch)
    disk.fails = 1
    with pytest.raises(Unavailable, match="disk of the database fails"), database.writing() as session:
        people.invite(session, made, 1)
    moved = database._move_log
    monkeypatch.setattr(database, "_move_log", lambda: False)
    for _ in range(2):
        with pytest.raises(Unavailable, match="disk of the database fails"), database.writing() as session:
            pytest.fail("this could not be made safe")
    with database.reading() as session:  # reading goes on
        assert len(participants(session, made)) == 1
    assert disk.flushed == []
    monkeypatch.setattr(database, "_move_log", moved)
    with database.writing() as session:
        people.invite(session, made, 1)
    assert len(disk.flushed) == 1
    with database.reading() as session:
        assert len(participants(session, made)) == 2


@with_sqlite
def test_a_log_cannot_be_moved_while_somebody_reads_it(
    database: Database, make_in: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_in(database)
    assert database._move_log()
    database.engine.dispose()
    event.listen(database.engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=50"))
    with database.reading() as reader:
        participants(reader, made)
        with database.writing() as session:
            people.invite(session, made, 1)
        assert not database._move_log()
    assert database._move_log()


def test_those_who_wait_share_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x")
    flusher = Flusher(path)
    waiting = threading.Event()
    calls: list[int] = []

    def fail_once(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 1:
            waiting.wait(20)
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail_once)
    results: list[str] = []

    def ask() -> None:
        try:
            flusher.flush()
            results.append("safe")
        except Unavailable:
            results.append("refused")

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    until(lambda: flusher._asked == 5)
    waiting.set()
    for thread in threads:
        thread.join(20)
    assert results == ["refused"] * 5
    with pytest.raises(Unavailable):
        flusher.mend(lambda: False)
    flusher.mend(lambda: True)
    flusher.flush()
    assert len(calls) == 2


@pytest.mark.parametrize(("mode", "synchronous", "trips"), [("wal", 1, 1), ("delete", 2, 0)])
def test_without_a_log_sqlite_goes_to_the_disk_itself(
    tmp_path: Path,
    make_in: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
    synchronous: int,
    trips: int,
) -> None:
    """Some network drives cannot share memory: SQLite stays with another journal, and says so only if asked."""
    if mode == "delete":
        real = sqlite3.connect

        class Elsewhere(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                return super().execute(statement.replace("journal_mode=WAL", "journal_mode"), *values)

        monkeypatch.setattr(sqlite3, "connect", lambda *given, **more: real(*given, **more, factory=Elsewhere))
        monkeypatch.setattr(sqlite3.dbapi2, "connect", sqlite3.connect)
    database = Database(f"sqlite:///{tmp_path / 'x.sqlite'}")
    disk = Disk(monkeypatch)
    make_in(database)
    with database.reading() as session:
        assert session.scalar(text("PRAGMA journal_mode")) == mode
        assert session.scalar(text("PRAGMA synchronous")) == synchronous
        assert session.scalar(text("PRAGMA secure_delete")) == 1
    assert len(disk.flushed) == trips
    database.close()
