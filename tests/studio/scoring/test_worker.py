"""The thread that scores: one run at a time, over restarts, and with words where it cannot."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Conflict
from plainly.studio.ids_and_times import now
from plainly.studio.scoring import worker as module
from plainly.studio.scoring.files import packed
from plainly.studio.scoring.scoring import Outcome
from plainly.studio.scoring.wanted import Wanted
from plainly.studio.scoring.worker import Worker
from plainly.studio.store import runs
from plainly.studio.store.database import Database

from ...waiting import until

Add = Callable[[], str]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'studio.sqlite'}")
    yield made
    made.close()


@pytest.fixture
def add(database: Database, tmp_path: Path) -> Add:
    """A run of two segments that waits."""
    folder = tmp_path / "files"
    (folder / "0").mkdir(parents=True)
    (folder / "0" / "out.txt").write_text("One word.\nTwo words.\n", encoding="utf-8")
    content = packed(folder)

    def added() -> str:
        wanted = Wanted("en", metrics=("fkgl",), systems={"out": "0/out.txt"})
        with database.writing() as session:
            return runs.add(session, "A run", wanted.to_json(), content)

    return added


def state(database: Database, run_id: str) -> tuple[str, str]:
    with database.reading() as session:
        row = runs.get(session, run_id)
        return row.status, row.message


def tick() -> None:
    """Until the clock of the store has gone on."""
    before = now()
    until(lambda: now() != before)


def set_running(database: Database) -> None:
    """As a killed studio leaves the run that was being scored."""
    with database.writing() as session:
        assert runs.take(session) is not None


def test_what_was_running_when_the_studio_was_killed_is_scored_after_the_start(database: Database, add: Add) -> None:
    run = add()
    set_running(database)
    assert state(database, run)[0] == "running"
    worker = Worker(database)
    worker.start()
    until(lambda: state(database, run)[0] == "done")
    worker.stop()
    with database.reading() as session:
        assert runs.get(session, run).evaluation["systems"]["out"]["fkgl"]["scored"] == 2


def test_a_run_that_kills_the_studio_is_not_tried_for_ever(database: Database, add: Add) -> None:
    run = add()
    for expected in ("waiting", "failed"):
        set_running(database)
        with database.writing() as session:
            runs.take_up_again(session)
        assert state(database, run)[0] == expected
    assert "stopped 2 times" in state(database, run)[1]
    with database.reading() as session:
        assert runs.take(session) is None


def test_runs_go_one_after_the_other_the_oldest_first(
    database: Database, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    at_once = 0

    def score(wanted: Wanted, folder: Path, title: str, progress: Any) -> Outcome:
        nonlocal at_once
        at_once += 1
        assert at_once == 1
        progress("scoring", 1, 2)
        step = worker.step
        assert step is not None
        order.append(step.run_id)
        assert worker.progress(step.run_id) == {"step": "scoring", "done": 1, "of": 2}
        at_once -= 1
        return Outcome({"systems": {}}, ("a note", "another"), None)

    monkeypatch.setattr(module, "score_apart", score)
    made = []
    for _ in range(3):
        made.append(add())
        tick()
    worker = Worker(database)
    worker.start()
    until(lambda: all(state(database, run)[0] == "done" for run in made))
    worker.stop()
    assert order == made
    assert state(database, made[0])[1] == "a note\nanother"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PlainlyError("out.txt:2: bad"), "out.txt:2: bad"),
        (MemoryError(), "not enough memory"),
        (ZeroDivisionError("x"), "a fault in plainly itself"),
    ],
)
def test_what_goes_wrong_is_kept_in_words(
    database: Database, add: Add, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def score(*_: Any) -> Outcome:
        raise error

    monkeypatch.setattr(module, "score_apart", score)
    run, worker = add(), Worker(database)
    worker.start()
    until(lambda: state(database, run)[0] == "failed")
    worker.stop()
    assert said in state(database, run)[1]


def test_stopping_puts_the_run_back_and_deleting_ends_it(
    database: Database, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    def score(wanted: Wanted, folder: Path, title: str, progress: Any) -> Outcome:
        while True:
            progress("scoring", 0, 1)
            time.sleep(0.01)

    monkeypatch.setattr(module, "score_apart", score)
    first = add()
    worker = Worker(database)
    worker.start()
    until(lambda: worker.step is not None)
    tick()
    second = add()
    with database.writing() as session:
        runs.remove(session, first)
    worker.drop(first)
    worker.wake()
    until(lambda: worker.step is not None and worker.step.run_id == second)
    worker.stop()
    assert state(database, second)[0] == "waiting"
    with database.reading() as session:
        assert runs.get(session, second).request["tries"] == 0


def test_not_too_many_wait(database: Database, add: Add) -> None:
    for _ in range(runs.MOST_WAITING):
        add()
    with pytest.raises(Conflict, match="wait already"):
        add()
