"""A run in a process of its own: the same outcome, the same words, and it can be ended at any time."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.scoring import apart
from plainly.studio.scoring.apart import score_apart
from plainly.studio.scoring.scoring import score
from plainly.studio.scoring.wanted import Wanted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0").mkdir()
    (tmp_path / "0" / "out.txt").write_text("One word.\nTwo words.\n", encoding="utf-8")
    return tmp_path


WANTED = Wanted("en", metrics=("fkgl",), systems={"out": "0/out.txt"})


def test_the_outcome_is_that_of_the_same_process(folder: Path) -> None:
    steps: list[str] = []
    found = score_apart(WANTED, folder, "A run", lambda step, done, of: steps.append(step))
    here = score(WANTED, folder, "A run", lambda *_: None)
    assert found.evaluation == here.evaluation
    assert found.notes == here.notes
    assert (found.page is None) == (here.page is None)
    assert {"reading", "scoring"} <= set(steps)


def test_what_is_wrong_is_said_in_the_same_words(folder: Path) -> None:
    wanted = Wanted("en", metrics=("sari",), systems={"out": "0/out.txt"})
    with pytest.raises(PlainlyError) as here:
        score(wanted, folder, "A run", lambda *_: None)
    with pytest.raises(PlainlyError) as there:
        score_apart(wanted, folder, "A run", lambda *_: None)
    assert str(there.value) == str(here.value)


def test_what_progress_raises_ends_the_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = _seen(monkeypatch)

    def enough(*_: object) -> None:
        if started:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_apart(WANTED, folder, "A run", enough)
    assert started[0].returncode == -signal.SIGKILL


def test_a_process_that_the_system_kills_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = _seen(monkeypatch)

    def kill(*_: object) -> None:
        os.kill(started[0].pid, signal.SIGKILL)

    with pytest.raises(PlainlyError, match="ended by the system"):
        score_apart(WANTED, folder, "A run", kill)


def _seen(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    """The processes that are started, as they are: the real ones."""
    seen: list[subprocess.Popen[str]] = []

    class Seen(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: object, **settings: object) -> None:
            super().__init__(*arguments, **settings)  # type: ignore[call-overload]
            seen.append(self)

    monkeypatch.setattr(apart.subprocess, "Popen", Seen)
    return seen
