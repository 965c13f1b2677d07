"""A studio with an owner and an analyst, and files to score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from plainly.demo import demo_inputs
from plainly.studio.scoring.scoring import score

from ...waiting import LONG, until

pytest.importorskip("argon2", reason="the studio is not installed")

DEMO = demo_inputs("en")
SYSTEMS = {name: Path(path) for name, path in DEMO.systems.items()}
Upload = tuple[str, tuple[str, bytes]]


def good(reply: httpx.Response, status: int = 200) -> Any:
    """What a reply holds, if it is one that was hoped for."""
    assert reply.status_code == status, (reply.status_code, reply.text[:300])
    return reply.json() if reply.content else None


def line_files(*systems: str) -> list[Upload]:
    """Sources, references and outputs of the demo set, as a form has them."""
    files = [("source", ("sources.txt", Path(str(DEMO.sources)).read_bytes()))]
    files += [("reference", (Path(path).name, Path(path).read_bytes())) for path in DEMO.references]
    return files + [("system", (f"{name}.txt", SYSTEMS[name].read_bytes())) for name in systems]


@pytest.fixture(autouse=True)
def _in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are scored here, but for services: each process takes seconds. `test_apart` says that it is the same."""
    if request.node.get_closest_marker("service") is None:
        monkeypatch.setattr("plainly.studio.scoring.worker.score_apart", score)


@pytest.fixture(params=["sqlite"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """SQLite, unless a test asks for PostgreSQL, too."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'studio.sqlite'}"
    url: str = request.getfixturevalue("new_postgresql")
    return url


@pytest.fixture
def owner(client: httpx.Client, app: Any) -> httpx.Client:
    """The first owner, logged in."""
    person = {"name": "Ada", "password": "correct horse battery"}
    me = good(client.post("/api/setup", json={"code": app.state.setup_code, **person}))
    client.headers["X-CSRF-Token"] = me["csrf"]
    return client


@pytest.fixture
def analyst(owner: httpx.Client) -> Iterator[httpx.Client]:
    """Somebody who may look, logged in."""
    person = {"name": "Bob", "password": "another long password"}
    good(owner.post("/api/users", json={**person, "role": "analyst"}), 201)
    with httpx.Client(base_url=owner.base_url, timeout=LONG) as made:
        me = good(made.post("/api/login", json=person))
        made.headers["X-CSRF-Token"] = me["csrf"]
        yield made


@pytest.fixture
def start(owner: httpx.Client) -> Callable[..., Any]:
    """Starts a run of the files; what the API says of it."""

    def started(files: list[Upload] | None = None, **fields: str) -> Any:
        data = {"name": "A run", "metrics": "sari,bleu,fkgl", **fields}
        return good(owner.post("/api/runs", data=data, files=line_files("splitter") if files is None else files), 201)

    return started


@pytest.fixture
def ended(owner: httpx.Client) -> Callable[[str], Any]:
    """Waits until a run is done or has failed."""

    def waited(run_id: str) -> Any:
        def over() -> Any:
            found = good(owner.get(f"/api/runs/{run_id}"))
            return None if found["status"] in ("waiting", "running") else found

        return until(over, "the end of the run")

    return waited


@pytest.fixture
def done(start: Callable[..., Any], ended: Callable[[str], Any]) -> Callable[..., Any]:
    """Starts a run and waits for its scores."""

    def finished(files: list[Upload] | None = None, **fields: str) -> Any:
        found = ended(start(files, **fields)["id"])
        assert found["status"] == "done", found["error"]
        return found

    return finished
