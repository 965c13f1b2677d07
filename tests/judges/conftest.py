"""A scripted judge, and a store of its own for each test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from scripted import Script, ScriptedJudge

from plainly.judges import Endpoint, Limits, Store
from plainly.judges.client import Patience

QUICK = Patience(tries=3, seconds=5, first_wait=0.01, longest_wait=0.02)


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy, no store of the user, and a working folder that is empty."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("PLAINLY_JUDGES", str(tmp_path / "judges"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def serve() -> Iterator[Callable[[Script], ScriptedJudge]]:
    """Starts judges that follow a script."""
    running: list[ScriptedJudge] = []

    def start(script: Script) -> ScriptedJudge:
        running.append(ScriptedJudge(script))
        return running[-1]

    yield start
    for judge in running:
        judge.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "replies.jsonl") as opened:
        yield opened


@pytest.fixture
def quick() -> Limits:
    """Little patience, one question at a time."""
    return Limits(concurrency=1, patience=QUICK)


@pytest.fixture
def endpoint() -> Callable[..., Endpoint]:
    def named(judge: ScriptedJudge, **settings: object) -> Endpoint:
        return Endpoint(judge.url, "scripted", **settings)  # type: ignore[arg-type]

    return named
