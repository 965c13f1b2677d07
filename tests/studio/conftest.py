"""Databases, an app, and a server that really listens: for all tests of the studio.

A test that asks for `database_url` (or for `app`, `server`, `client`) runs twice: with SQLite and with PostgreSQL.
PostgreSQL is a throw-away cluster on loopback, of the programs in a wheel that `dev` installs; without it that half
is skipped.
"""

from __future__ import annotations

import importlib.util
import shutil
import socket
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

httpx = pytest.importorskip("httpx", reason="the studio is not installed")
fastapi = pytest.importorskip("fastapi", reason="the studio is not installed")

from plainly.studio.settings import Settings, sqlite_url  # noqa: E402

from ..waiting import LONG, until  # noqa: E402
from .cluster import Cluster  # noqa: E402

HERE = Path(__file__).parent
NOT_REACHED = ("net::ERR_", "Failed to load resource")
"""How a browser complains of servers that are away, and of answers that are refusals."""


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a cluster of its own, without the name of a database."""
    cluster = Cluster()
    yield cluster.url
    cluster.remove()


@pytest.fixture
def new_postgresql(postgresql: str) -> Iterator[str]:
    """The URL of an empty database."""
    import psycopg

    name = f"studio_{uuid.uuid4().hex}"
    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
    yield f"{postgresql}/{name}"
    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of either make."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "studio.sqlite")
    url: str = request.getfixturevalue("new_postgresql")
    return url


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and no rows: a copy of it is quicker than making them."""
    from plainly.studio.store.database import Database

    path = tmp_path_factory.mktemp("tables") / "studio.sqlite"
    Database(sqlite_url(path)).close()
    return path


@pytest.fixture
def database_with_tables(database_url: str, tables: Path, tmp_path: Path) -> str:
    """The same; where it is SQLite, its tables are already there."""
    path = tmp_path / "studio.sqlite"
    if database_url == sqlite_url(path):
        shutil.copyfile(tables, path)
    return database_url


@pytest.fixture
def settings(database_with_tables: str) -> Settings:
    """Of a studio with an empty database. Requests are not counted: tests are quick. Studies are computed here."""
    return Settings(database=database_with_tables, limited=False, apart=False)


@pytest.fixture
def app(settings: Settings) -> Iterator[Any]:
    """A studio. `app.state.database` is its Database, `app.state.setup_code` the code for the first owner."""
    from plainly.studio.app import create_app

    made = create_app(settings)
    yield made
    made.state.database.close()


@pytest.fixture
def server(app: Any) -> Iterator[str]:
    """The address of a studio that listens on loopback, in a thread of this process."""
    import uvicorn

    listening = socket.socket(proto=socket.IPPROTO_TCP)  # asyncio sets TCP_NODELAY for no other
    listening.bind(("127.0.0.1", 0))  # nobody else can take the port meanwhile
    uvicorn_server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=uvicorn_server.run, args=([listening],), daemon=True)
    thread.start()
    until(lambda: uvicorn_server.started or not thread.is_alive(), "the server's start")
    assert thread.is_alive(), "the server stopped at once"
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    uvicorn_server.should_exit = True
    thread.join(20)
    listening.close()


@pytest.fixture
def client(server: str) -> Iterator[Any]:
    """A browser that knows only HTTP."""
    with httpx.Client(base_url=server, timeout=LONG, follow_redirects=False) as made:
        yield made


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A kind of campaign, `toy`, that is small enough to see through (tests/studio/toy.py)."""
    from plainly.studio import kinds

    name = "studio_toy"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / "toy.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    monkeypatch.setitem(kinds.KINDS, "toy", f"{name}:Toy")
    monkeypatch.setitem(kinds.KINDS, "book", f"{name}:Book")
    return sys.modules[name]


@pytest.fixture
def look(browser: Any) -> Iterator[Callable[..., Any]]:
    """look(url, **settings of the context): a page in a browser of its own; complaints of scripts are failures.

    `refusals=True` allows for what browsers say of servers that are away and of answers that are refusals. A page
    `beside` another is in the browser of that one.
    """
    contexts: list[Any] = []
    faults: list[str] = []

    def open_page(url: str, refusals: bool = False, beside: Any = None, **settings: Any) -> Any:
        if beside is None:
            contexts.append(browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **settings}))
        page = (contexts[-1] if beside is None else beside.context).new_page()

        def note(message: Any) -> None:
            away = refusals and message.text.startswith(NOT_REACHED)
            if message.type in ("error", "warning") and not away:
                faults.append(f"console: {message.text}")

        page.on("console", note)
        page.on("pageerror", lambda error: faults.append(f"script: {error}"))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults
