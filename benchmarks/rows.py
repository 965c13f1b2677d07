"""What a benchmark returns: rows of plain data, in seconds."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Times:
    """Seconds: of all processors together, with processes that were started, and on the clock where that is known."""

    processor: float
    wall: float | None = None

    def __mul__(self, times: int) -> Times:
        return Times(self.processor * times, None if self.wall is None else self.wall * times)


@dataclass(frozen=True)
class Row:
    """What plainly took, and what a peer took for the same."""

    what: str
    ours: Times
    peer: str = ""
    theirs: Times | None = None
    recorded: bool = False
    """The peer's time was taken before, not in this run."""
    segments: int | None = None
    """How many, of a row that shows growth."""
    memory: float | None = None
    """The largest of all processes together, in MB."""

    @property
    def ratio(self) -> float | None:
        """The peer's processor time by ours."""
        return None if self.theirs is None else self.theirs.processor / self.ours.processor


def timed(action: Callable[[], object], repeat: int = 1) -> Times:
    """The least of `repeat` runs: those that other processes disturbed least."""
    runs = []
    for _ in range(repeat):
        wall, processor = time.perf_counter(), processor_time()
        action()
        runs.append((processor_time() - processor, time.perf_counter() - wall))
    return Times(min(run[0] for run in runs), min(run[1] for run in runs))


def timed_process(command: Sequence[str], repeat: int = 1) -> Times:
    return timed(lambda: subprocess.run(command, check=True, capture_output=True), repeat)


def processor_time() -> float:
    """Of this process with all its threads, and of all its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
