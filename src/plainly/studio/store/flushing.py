"""One trip to the disk for all who wait: what many threads have written to a file is made safe together."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from plainly.studio.errors import Unavailable


class Flusher:
    """Sees to it that a file is on the disk. Threads that come while a trip is under way share the next one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Condition()
        self._asked = 0
        self._safe = 0
        self._under_way = False

    def flush(self) -> None:
        """Come back when all that was written before is on the disk."""
        with self._turn:
            self._asked += 1
            mine = self._asked
            while self._under_way and self._safe < mine:
                self._turn.wait()
            if self._safe >= mine:
                return
            self._under_way = True
            everybody = self._asked
        try:
            self._to_disk()
        except OSError as error:
            with self._turn:
                self._under_way = False
                self._turn.notify_all()  # the next one tries for itself
            raise Unavailable(f"the disk of the database fails: {error.strerror}; try again") from error
        with self._turn:
            self._under_way = False
            self._safe = max(self._safe, everybody)
            self._turn.notify_all()

    def _to_disk(self) -> None:
        try:
            handle = os.open(self._path, os.O_RDWR)
        except FileNotFoundError:  # SQLite has moved all of it into the database, and made that safe
            return
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
