"""Engines: an SQLite file or PostgreSQL, behind the same two doors, `reading` and `writing`.

Reading sees one state of everything, however long it takes. Writing is all or nothing, and over only when it is
safely on the disk. What goes wrong with the database becomes a Refusal in words.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url
from sqlalchemy.orm import Session

from plainly.base.errors import MissingResource, PlainlyError
from plainly.studio.errors import Conflict, Refusal, Unavailable
from plainly.studio.store.campaigns import MOST_LOADED, Loaded, Newest
from plainly.studio.store.schema import migrate

log = logging.getLogger("plainly.studio")

PATIENCE = 10.0
"""Seconds that a request waits for its turn, before it says that the database is busy."""
CONNECTIONS = 20
"""Enough for every thread of the server, and for what goes on beside it."""
NOT_STORABLE = "this cannot be stored: a number is too large, or a text has characters that no text may have"
FORMS = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


class Database:
    """All that a studio keeps. Opening it brings an older one up to date, unless it is to stay `as_it_is`."""

    def __init__(self, url: str, *, as_it_is: bool = False) -> None:
        self.url = checked_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite(self.url) if self.is_sqlite else _postgresql(self.url)
        self._turn = threading.Lock()
        self._log: Flusher | None = None
        self._loaded: Newest[str, Loaded] = Newest(MOST_LOADED)
        self._readers = self.engine.execution_options(reads=True)
        self._writers = self.engine.execution_options(writes=True)
        if as_it_is:
            return
        try:
            with _in_words(), self._turn_to_write():
                migrate(self.engine, self.path, self.named)
                if self.path is not None and _keeps_log(self.engine):
                    self._log = Flusher(self.path.with_name(f"{self.path.name}-wal"))
        except BaseException:
            self.close()
            raise

    @property
    def path(self) -> Path | None:
        """The file, where it is one."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    @property
    def named(self) -> str:
        """What people may read of its address: no password, and no options, where there might be another."""
        shown = self.url.set(drivername="postgresql", query={})
        return str(self.path or shown.render_as_string(hide_password=True))

    @property
    def one_writer(self) -> bool:
        """Whether all who write have to wait for each other."""
        return self.is_sqlite

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of everything and changes nothing."""
        with _in_words(), Session(self._readers, info={"loaded": self._loaded}, autoflush=False) as session:
            _begin(session)
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are kept at the end, all of them or, after an error, none."""
        with _in_words():
            with self._turn_to_write():
                if self._log is not None:
                    self._log.mend(self._move_log)
                with Session(self._writers, info={"loaded": self._loaded}) as session:
                    _begin(session)
                    yield session
                    session.commit()
            if self._log is not None:
                self._log.flush()  # after the turn of the next writer has begun: the disk is slow

    def close(self) -> None:
        self.engine.dispose()

    def _move_log(self) -> bool:
        """Whether SQLite could move all of its log into the database, and make that safe by itself."""
        with closing(self.engine.raw_connection()) as connection:  # SQLite does it outside of transactions only
            try:
                (busy, *_) = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error as error:
                log.error("the database failed: %s", error)
                return False
        return not busy

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """SQLite takes one writer at a time. Threads that queue here do not have to try again and again there."""
        if not self.is_sqlite:
            yield
            return
        if not self._turn.acquire(timeout=PATIENCE):
            raise Unavailable("the database is busy; nothing was stored, try again")
        try:
            yield
        finally:
            self._turn.release()


class Flusher:
    """Sees to it that a file is on the disk. Threads that come while a trip is under way share the next one.

    A trip that failed is not made again: the system may have dropped what it could not write, and then say that all
    is well. Nothing is taken for safe until `mend` has found another way.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Condition()
        self._asked = 0
        self._safe = 0
        self._under_way = False
        self._failed: OSError | None = None

    def flush(self) -> None:
        """Come back when all that was written before is on the disk."""
        with self._turn:
            self._asked += 1
            mine = self._asked
            while self._under_way and self._safe < mine and self._failed is None:
                self._turn.wait()
            if self._safe >= mine:
                return
            self._insist_sound()
            self._under_way = True
            everybody = self._asked
        failed = self._to_disk()
        with self._turn:
            self._under_way = False
            self._failed = self._failed or failed
            if failed is None:
                self._safe = max(self._safe, everybody)
            self._turn.notify_all()
            if failed is not None:
                self._insist_sound()

    def mend(self, make_safe: Callable[[], bool]) -> None:
        """After a trip that failed: go on if `make_safe` brings all that was ever written to the disk; else refuse.

        Nobody may write to the file meanwhile.
        """
        with self._turn:
            if self._failed is None:
                return
            if not make_safe():
                self._insist_sound()
            self._failed = None
            self._safe = self._asked

    def _insist_sound(self) -> None:
        if self._failed is not None:
            reason = self._failed.strerror
            raise Unavailable(f"the disk of the database fails: {reason}; try again") from self._failed

    def _to_disk(self) -> OSError | None:
        """None, or why it failed. A file that is not there is a failure, too: connections that are open keep it."""
        try:
            handle = os.open(self._path, os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            return error
        return None


def checked_url(written: str) -> URL:
    """The URL with its driver; others than those of `FORMS` are refused."""
    try:
        url = make_url(written)
    except (exc.ArgumentError, ValueError):  # what was written is not said again: there may be a password in it
        raise PlainlyError(f"this is no URL of a database; it is written as {FORMS}") from None
    backend = url.get_backend_name()
    if backend == "sqlite":
        if not url.database or url.database == ":memory:":
            raise PlainlyError("the database needs a file: sqlite:///FILE")
        if url.query or url.host or url.username:
            raise PlainlyError("the URL of an SQLite database has three slashes and a file, no more: sqlite:///FILE")
        # SQLite keeps its log beside the file itself, not beside a link to it.
        return url.set(drivername="sqlite+pysqlite", database=str(_real(Path(url.database))))
    if backend not in ("postgresql", "postgres"):
        raise PlainlyError(f"no database of the kind {backend!r} can be used; it is written as {FORMS}")
    if not url.database:
        raise PlainlyError("the URL of the database must end in its name: postgresql://USER@HOST/NAME")
    return url.set(drivername="postgresql+psycopg")


def _sqlite(url: URL) -> Engine:
    _make_private(Path(str(url.database)))
    engine = create_engine(
        url,
        connect_args={"timeout": PATIENCE, "check_same_thread": False},
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=PATIENCE,
        json_serializer=_dumps,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so, not where the driver guesses
        (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
        # With a log, not FULL: then each writer would go to the disk alone. `writing` does it for all who wait.
        synchronous = "NORMAL" if mode == "wal" else "FULL"
        for pragma in (f"synchronous={synchronous}", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # One that reads first and writes later could find that somebody else wrote in between: it says so at once.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: URL) -> Engine:
    try:
        engine = create_engine(
            url,
            connect_args={"connect_timeout": 5, "autocommit": True},  # we begin ourselves: see `_begin`
            pool_size=CONNECTIONS // 2,
            max_overflow=CONNECTIONS // 2,
            pool_timeout=PATIENCE,
            json_serializer=_dumps,
        )
    except ModuleNotFoundError as error:
        raise MissingResource("PostgreSQL needs psycopg: pip install 'plainly[postgresql]'") from error

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get("reads")
        connection.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY" if reads else "BEGIN")

    return engine


def _begin(session: Session) -> None:
    """Begins at once, so that a dead connection is found before anything else was sent, and can be given up.

    After a restart of the database all its old connections are dead: the pool drops them with the first one.
    """
    try:
        session.connection()
    except exc.DBAPIError as error:
        if not error.connection_invalidated:
            raise
        session.rollback()
        session.connection()


def _keeps_log(engine: Engine) -> bool:
    """Whether the file can have a log beside it. On some network drives it cannot: SQLite then needs no help."""
    with engine.connect() as connection:
        return connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # a link that leads to itself
        raise PlainlyError(f"cannot open the database {path}: {getattr(error, 'strerror', None) or error}") from error


def _make_private(path: Path) -> None:
    """A new file that only its owner may read; SQLite gives the files beside it the same rights."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise PlainlyError(f"cannot open the database {path}: {error.strerror}") from error


_dumps = partial(json.dumps, allow_nan=False, separators=(",", ":"))


@contextmanager
def _in_words() -> Iterator[None]:
    """What goes wrong with the database, for people; the log has it in the database's own words."""
    try:
        yield
    except (OverflowError, UnicodeEncodeError) as error:  # SQLite's driver says so in Python's own words
        raise Refusal(NOT_STORABLE) from error
    except exc.SQLAlchemyError as error:
        refusal = in_words(error)
        if isinstance(refusal, Unavailable):
            log.error("the database failed: %s", " ".join(str(getattr(error, "orig", None) or error).split()))
        raise refusal from error


def in_words(error: exc.SQLAlchemyError) -> Refusal:
    """The refusal that an error of the database means."""
    said = str(getattr(error, "orig", None) or error)
    if isinstance(error, exc.IntegrityError):
        return Conflict("somebody else changed the same thing at the same time; load it again")
    if isinstance(error, exc.DataError) or (
        isinstance(error, exc.StatementError) and not isinstance(error, exc.DBAPIError)
    ):
        return Refusal(NOT_STORABLE)
    if "disk is full" in said or "No space left" in said or "disk full" in said:
        return Unavailable("the disk of the database is full; nothing was stored")
    if "locked" in said or isinstance(error, exc.TimeoutError):
        return Unavailable("the database is busy; nothing was stored, try again")
    if "readonly" in said or "read-only" in said:
        return Unavailable("the database cannot be written to; nothing was stored")
    if "malformed" in said or "not a database" in said:
        return Unavailable("the file of the database is damaged, or is none; restore a backup")
    return Unavailable("the database does not answer; nothing was stored, try again")
