"""What the database cannot do is said in words, and nothing is half stored."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Conflict, Unavailable
from plainly.studio.store import database as module
from plainly.studio.store import overview, people
from plainly.studio.store.database import Database

Invite = Callable[..., Any]
Make = Callable[..., str]


with_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
with_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


@with_sqlite
def test_a_full_disk(app: Any, invite: Invite, campaign: str, caplog: pytest.LogCaptureFixture) -> None:
    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    with app.state.database.writing() as session:
        pages = session.scalar(text("PRAGMA page_count"))
    limits = []

    def limited(connection: sqlite3.Connection, *_: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")
        limits.append(connection)

    app.state.database.engine.dispose()  # connections made from now on find no room
    module.event.listen(app.state.database.engine, "connect", limited)
    replies = [browser.send(browser.response(task, answer={"yes": True, "why": "x" * 9000})) for _ in range(30)]
    replies += [browser.send(browser.response(task, answer={"yes": True, "why": "x" * 100_000}))]
    assert limits
    full = [reply for reply in replies if reply.status_code != 200]
    assert full
    for reply in full:
        assert reply.status_code == 503
        assert reply.json() == {"error": "the disk of the database is full; nothing was stored"}
        assert reply.headers["retry-after"] == "2"
    assert any("full" in record.message for record in caplog.records if record.levelno == logging.ERROR)
    assert browser.client.get(browser.base).status_code == 200  # reading goes on
    module.event.remove(app.state.database.engine, "connect", limited)
    app.state.database.engine.dispose()
    assert browser.send(browser.response(task)).status_code == 200  # and so does writing, when there is room


@with_sqlite
def test_a_database_that_somebody_else_holds(
    app: Any, invite: Invite, campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    module.event.listen(app.state.database.engine, "connect", lambda c, _: c.execute("PRAGMA busy_timeout=50"))
    app.state.database.engine.dispose()
    holder = sqlite3.connect(app.state.database.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    reply = browser.send(browser.response(task))
    assert (reply.status_code, reply.json()["error"]) == (503, "the database is busy; nothing was stored, try again")
    assert browser.client.get(browser.base).status_code == 200
    holder.execute("ROLLBACK")
    holder.close()
    assert browser.send(browser.response(task)).status_code == 200


@with_sqlite
def test_a_writer_that_never_ends(database: Database, make_in: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_in(database)
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with database.writing() as session:
        people.invite(session, made, 1)
        with pytest.raises(Unavailable, match="busy"), database.writing():
            pytest.fail("two writers at once")


def test_an_error_in_the_middle_undoes_all(database: Database, make_in: Make) -> None:
    made = make_in(database)
    with pytest.raises(ZeroDivisionError), database.writing() as session:
        _fail(people.invite(session, made, 3))
    with database.reading() as session:
        assert overview.people(session, made) == []


def _fail(_: Any) -> None:
    raise ZeroDivisionError


def test_what_two_wrote_at_once_is_a_conflict(database: Database, make_in: Make) -> None:
    made = make_in(database)
    with database.writing() as session:
        people.invite(session, made, 2)
    with pytest.raises(Conflict, match="at the same time"), database.writing() as session:
        session.execute(text("UPDATE participants SET number = 1"))


@with_postgresql
def test_a_database_that_is_gone_and_comes_back(
    app: Any, client: httpx.Client, invite: Invite, campaign: str, new_postgresql: str
) -> None:
    """Connections are cut as a restart of PostgreSQL cuts them; the next request gets a new one."""
    import psycopg

    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    with psycopg.connect(new_postgresql, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    assert browser.send(browser.response(task)).status_code == 200
    base, _, name = new_postgresql.rpartition("/")
    with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")  # type: ignore[call-overload]
        connection.execute(cut, [name])
        for reply in (client.get("/api/health"), client.get(browser.base), browser.send(browser.response(task))):
            assert reply.status_code == 503
            assert reply.json()["error"] == "the database does not answer; nothing was stored, try again"
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")  # type: ignore[call-overload]
    assert client.get("/api/health").json()["status"] == "ok"


@with_postgresql
def test_a_connection_that_dies_as_it_is_taken(
    app: Any, client: httpx.Client, invite: Invite, new_postgresql: str
) -> None:
    """Nothing was sent yet, so the request is done on another one, and once."""
    import psycopg

    browser = invite()
    task = browser.welcome()["tasks"][0]["id"]
    cut = []

    def die(connection: psycopg.Connection[Any], *_: Any) -> None:
        if len(cut) < 2:
            cut.append(connection.info.backend_pid)
            with psycopg.connect(new_postgresql, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 10000)", [cut[-1]])  # and waits until it is gone

    module.event.listen(app.state.database.engine, "checkout", die)
    assert client.get("/api/health").status_code == 503  # the second one is dead as well: it is not tried for ever
    cut.clear()
    cut.append(0)
    assert browser.send(browser.response(task)).status_code == 200
    assert len(cut) == 2
    with app.state.database.reading() as session:
        assert session.scalar(text("SELECT count(*) FROM responses")) == 1


def test_numbers_that_no_column_holds(database: Database, make_in: Make) -> None:
    made = make_in(database)
    with pytest.raises(PlainlyError, match="cannot be stored"), database.writing() as session:
        session.execute(text("UPDATE campaigns SET seed = :n WHERE id = :id"), {"n": 10**30, "id": made})


def test_a_fault_of_our_own_shows_no_traceback(app: Any, settings: Any) -> None:
    from starlette.testclient import TestClient

    @app.get("/api/broken")
    def broken() -> None:
        raise ZeroDivisionError("secret detail")

    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        reply = client.get("/api/broken")
    assert reply.status_code == 500
    assert reply.json() == {"error": "a fault in plainly itself; the log of the server says where"}


@pytest.mark.parametrize(
    "path",
    ["/api/none", "/static/none.js", "/static/../app.py", "/static/kinds/ranking/kind.py", "/static/kinds/../app.py"],
)
def test_addresses_that_lead_nowhere(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code in (401, 404)


def test_files_of_pages_are_served(client: httpx.Client, tmp_path: Path) -> None:
    reply = client.get("/static/participant.js")
    assert reply.headers["content-type"].startswith("text/javascript")
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.headers["etag"]
