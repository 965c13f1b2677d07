"""Who sees to the runs: one thread takes those that wait from the database, the oldest first, one at a time."""

from __future__ import annotations

import logging
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Unavailable
from plainly.studio.faults import worded
from plainly.studio.scoring.apart import score_apart
from plainly.studio.scoring.files import unpack
from plainly.studio.scoring.wanted import Wanted
from plainly.studio.store import runs
from plainly.studio.store.database import Database
from plainly.studio.texts import FALLBACK, say

log = logging.getLogger("plainly.studio")
PATIENCE = 5.0
"""Seconds to the next try, where the database does not answer; and that a run has to end when the studio stops."""


class _Ended(Exception):
    """The run is to end before it is done: the studio stops, or the run was deleted."""


@dataclass(frozen=True)
class Step:
    """How far the run is that is being scored."""

    run_id: str
    name: str
    """reading, scoring or report."""
    done: int = 0
    of: int = 0


class Worker:
    """Scores what waits. `start` also takes up what was running when the studio was killed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._dropped: set[str] = set()
        self._taken: str | None = None
        self._thread: threading.Thread | None = None
        self.step: Step | None = None

    def start(self) -> None:
        with self._database.writing() as session:
            runs.take_up_again(session)
        self._thread = threading.Thread(target=self._work, name="scoring", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End soon; a run that is not done waits for the next start."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def wake(self) -> None:
        """There is something to do."""
        self._wake.set()

    def drop(self, run_id: str) -> None:
        """This run is deleted: nobody waits for it."""
        if self.step is not None and self.step.run_id == run_id:
            self._dropped.add(run_id)

    def progress(self, run_id: str) -> dict[str, int | str] | None:
        """How far a run is; None unless it is the one that is being scored."""
        step = self.step
        if step is None or step.run_id != run_id:
            return None
        return {"step": step.name, "done": step.done, "of": step.of}

    def _work(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                self._put_back()
                while not self._stopping.is_set() and self._one():
                    pass
            except Unavailable:  # the log has it
                self._stopping.wait(PATIENCE)
                continue
            if not self._stopping.is_set():
                self._wake.wait()

    def _one(self) -> bool:
        """Score the next one; False where none waits."""
        with self._database.writing() as session:
            taken = runs.take(session)
        if taken is None:
            return False
        self._taken = taken.id
        try:
            self._score(taken)
        except _Ended:
            self._put_back()
        except PlainlyError as error:
            if isinstance(error, Unavailable):
                raise
            self._fail(taken.id, worded(error, say(FALLBACK)))
        except MemoryError:
            self._fail(taken.id, "the server has not enough memory for this run")
        except Exception:
            log.exception("the run %s failed", taken.id)
            self._fail(taken.id, "a fault in plainly itself; the log of the server says where")
        finally:
            self.step = None
            self._dropped.discard(taken.id)
        self._taken = None
        return True

    def _put_back(self) -> None:
        """What was taken and could not be ended waits again."""
        if self._taken is not None:
            with self._database.writing() as session:
                runs.put_back(session, self._taken)

    def _score(self, taken: runs.Taken) -> None:
        def told(step: str, done: int, of: int) -> None:
            if self._stopping.is_set() or taken.id in self._dropped:
                raise _Ended
            self.step = Step(taken.id, step, done, of)

        with tempfile.TemporaryDirectory(prefix="plainly-run-") as folder:
            unpack(taken.files, Path(folder))
            outcome = score_apart(Wanted.from_json(taken.request), Path(folder), taken.name, told)
        with self._database.writing() as session:
            runs.finish(session, taken.id, outcome.scores, outcome.notes, outcome.page)

    def _fail(self, run_id: str, why: str) -> None:
        with self._database.writing() as session:
            runs.fail(session, run_id, why)
