"""One trip to the disk for all who wait: what many threads have written to a file is made safe together."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from plainly.studio.errors import Unavailable


class Flusher:
    """Sees to it that a file is on the disk. Threads that come while a trip is under way share the next one.

    A trip that failed is not made again: the system may have dropped what it could not write, and then say that all
    is well. Nothing is taken for safe until `mend` has found another way.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Condition()
        self._asked = 0
        self._safe = 0
        self._under_way = False
        self._failed: OSError | None = None

    def flush(self) -> None:
        """Come back when all that was written before is on the disk."""
        with self._turn:
            self._asked += 1
            mine = self._asked
            while self._under_way and self._safe < mine and self._failed is None:
                self._turn.wait()
            if self._safe >= mine:
                return
            self._insist_sound()
            self._under_way = True
            everybody = self._asked
        failed = self._to_disk()
        with self._turn:
            self._under_way = False
            self._failed = self._failed or failed
            if failed is None:
                self._safe = max(self._safe, everybody)
            self._turn.notify_all()
            if failed is not None:
                self._insist_sound()

    def mend(self, make_safe: Callable[[], bool]) -> None:
        """After a trip that failed: go on if `make_safe` brings all that was ever written to the disk; else refuse.

        Nobody may write to the file meanwhile.
        """
        with self._turn:
            if self._failed is None:
                return
            if not make_safe():
                self._insist_sound()
            self._failed = None
            self._safe = self._asked

    def _insist_sound(self) -> None:
        if self._failed is not None:
            reason = self._failed.strerror
            raise Unavailable(f"the disk of the database fails: {reason}; try again") from self._failed

    def _to_disk(self) -> OSError | None:
        """None, or why it failed. A file that is not there is a failure, too: connections that are open keep it."""
        try:
            handle = os.open(self._path, os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            return error
        return None
