"""Studies in processes of their own: participants do not wait for them, and one that takes too long can be ended.

A process is kept for the next job, because to start one takes a second or two. It ends when it has had none for a
while, or when the studio ends, however that ends. Jobs and results go through pipes, pickled: both ends are ours.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any, BinaryIO

from plainly.base.errors import PlainlyError
from plainly.studio.studies import Drawing, Job, Part, computed

KINDNESS = 10
"""Of the process, as `nice` counts it: the server comes first."""
IDLE = 600.0
"""Seconds without a job, after which a process ends."""
_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Cores that share small matrices wait for each other, and for the server."""
_FAULT = "fault"


class TookTooLong(Exception):
    """The time for a job is over; its process was ended."""


class Ended(Exception):
    """The process ended within a job: by a fault, for want of memory, or because the studio stops."""


class Processes:
    """Does jobs, each in a process. As many at once as there are callers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._stopped = False

    def do(self, job: Job | Drawing, seconds: float) -> Iterator[Part]:
        """What comes of the job, part by part, for at most so many seconds."""
        process = self._taken()
        try:
            yield from process.do(job, seconds)
        except BaseException:  # also where nobody wants the rest
            process.end()
            raise
        finally:
            self._give_back(process)

    def stop(self) -> None:
        """Ends them all; jobs that are not done raise Ended."""
        with self._lock:
            self._stopped = True
            processes = [*self._idle, *self._busy]
            self._idle.clear()
        for process in processes:
            process.end()

    def _taken(self) -> _Process:
        with self._lock:
            if self._stopped:
                raise Ended
            idle, self._idle = self._idle, []
            for dead in (process for process in idle if not process.alive):
                dead.end()
            process = next((process for process in idle if process.alive), None) or _Process()
            self._busy.add(process)
        return process

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            self._busy.discard(process)
            keep = process.alive and not self._idle and not self._stopped
            if keep:
                self._idle.append(process)
        if not keep:
            process.end()


class _Process:
    """One process, that does one job after the other."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", __name__]
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **_THREADS}
        )
        self._said: Queue[Any] = Queue()
        Thread(target=self._listen, daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._child.poll() is None

    def do(self, job: Job | Drawing, seconds: float) -> Iterator[Part]:
        until = monotonic() + seconds
        assert self._child.stdin is not None
        try:
            pickle.dump(job, self._child.stdin)
            self._child.stdin.flush()
        except OSError as error:
            raise Ended from error
        while True:
            try:
                kind, content = self._said.get(timeout=max(0.0, until - monotonic()))
            except Empty:
                raise TookTooLong from None
            if kind == "done":
                return
            if kind == "part":
                yield content
            elif isinstance(content, PlainlyError):
                raise content
            else:
                raise Ended(content)

    def end(self) -> None:
        """At once."""
        self._child.kill()
        assert self._child.stdin is not None
        with suppress(OSError):  # what was not sent goes nowhere
            self._child.stdin.close()
        self._child.wait()

    def _listen(self) -> None:
        assert self._child.stdout is not None
        with self._child.stdout as said:
            try:
                while True:
                    self._said.put(pickle.load(said))
            except EOFError:
                self._said.put((_FAULT, "the process ended"))
            except Exception:  # nobody may wait for what cannot be read
                self._said.put((_FAULT, traceback.format_exc()))
        self._child.wait()


def step_back() -> None:
    """Leaves this machine's cores to the server and its database.

    Linux may share them among sessions (`sched_autogroup`): then `nice` counts within a session alone, and the
    database has another one. So this process becomes a session of its own, which is nice, too.
    """
    if not hasattr(os, "nice"):  # on Windows
        return
    os.nice(KINDNESS)
    with suppress(OSError):
        os.setsid()
        Path("/proc/self/autogroup").write_text(str(KINDNESS))


def _main() -> None:
    """What the process does."""
    step_back()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the studio ends this process
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever libraries print is for the log
    jobs: Queue[Job | Drawing] = Queue()
    Thread(target=_take_in, args=(sys.stdin.buffer, jobs.put), daemon=True).start()

    def tell(kind: str, content: Any = None) -> None:
        pickle.dump((kind, content), replies)
        replies.flush()

    while True:
        try:
            job = jobs.get(timeout=IDLE)
        except Empty:
            return
        try:
            for part in computed(job):
                tell("part", part)
            tell("done")
        except PlainlyError as error:
            tell(_FAULT, error)
        except OSError:  # nobody listens
            return
        except Exception:
            tell(_FAULT, traceback.format_exc())


def _take_in(pipe: BinaryIO, put: Callable[[Job | Drawing], None]) -> None:
    """Jobs as they come. When the studio is gone, so is this process, in the middle of whatever it does."""
    try:
        while True:
            put(pickle.load(pipe))
    except EOFError:
        os._exit(0)


if __name__ == "__main__":
    _main()
