"""Work for the tests of engines: workers in other processes import it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from plainly.base.errors import MissingResource, PlainlyError, UnknownName


def square(number: int) -> int:
    return number * number


def slowly(number: int) -> int:
    time.sleep(0.05)
    return number * number


def process(_: int) -> int:
    return os.getpid()


def where(_: int) -> str:
    return os.environ.get("SLURM_JOB_ID", "")


def wrong(number: int) -> int:
    if number == 3:
        raise UnknownName("metric", "sarri", ["sari"])
    return number


def missing(_: int) -> int:
    raise MissingResource("install it with: pip install it")


def at_fault(number: int) -> int:
    return 1 // number


def out_of_time(_: int) -> int:
    raise TimeoutError("the work took too long")


def deadly(notes: str) -> int:
    """Ends its own process until there are so many notes of it as the name of their folder says."""
    folder = Path(notes)
    tries = len(list(folder.iterdir()))
    if tries < int(folder.name):
        (folder / str(tries)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return tries


def noted(note: str) -> str:
    """Leaves a file that says that it began, works a while, and leaves one that says that it ended."""
    Path(f"{note}.began").touch()
    time.sleep(0.3)
    Path(f"{note}.ended").touch()
    return note


def of_texts(text: str) -> int:
    if not text:
        raise PlainlyError("there is no text")
    return len(text)
