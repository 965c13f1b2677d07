"""Where replies are kept: one JSON line each, on the disk before the next question goes out.

A run that was killed begins again with the same store, and asks only what has no reply there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from plainly.base.errors import Place, PlainlyError
from plainly.base.files import user_folder

FOLDER = "PLAINLY_JUDGES"
HEADER = b'{"plainly": "replies of judges", "version": 1}\n'


def usual_store() -> Path:
    """The store in the cache folder; PLAINLY_JUDGES names another folder."""
    return user_folder(FOLDER, "judges") / "replies.jsonl"


class Store:
    """Replies by the identity of the request. Only one process at a time may have it open."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._places: dict[str, tuple[int, int]] = {}
        self._file = self._opened()
        try:
            self._end = self._read()
        except BaseException:
            self._file.close()
            raise

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, identity: object) -> bool:
        return identity in self._places

    def get(self, identity: str) -> dict[str, Any] | None:
        """The record of a reply that can be used; None where there is none."""
        place = self._places.get(identity)
        if place is None:
            return None
        start, size = place
        self._file.seek(start)
        record: dict[str, Any] = json.loads(self._file.read(size))
        return record

    def add(self, identity: str, record: Mapping[str, Any], usable: bool = True) -> None:
        """Keep a reply for good. What cannot be used is kept too, but never found again."""
        moment = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        content = {"identity": identity, "usable": usable, "time": moment, **record}
        line = json.dumps(content).encode("ascii") + b"\n"
        try:
            self._file.seek(self._end)
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise PlainlyError(f"cannot write {self.path}: {error.strerror}") from error
        if usable:
            self._places[identity] = (self._end, len(line))
        self._end += len(line)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def _opened(self) -> BinaryIO:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and not self.path.is_file():
                raise PlainlyError(f"{self.path} is not a file")
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)  # the texts may be private
        except OSError as error:
            raise PlainlyError(f"cannot write {self.path}: {error.strerror}") from error
        file = os.fdopen(handle, "r+b")
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # not on this system; then nothing guards the file
            pass
        except OSError:
            file.close()
            raise PlainlyError(f"another plainly is asking judges with {self.path}; choose another store") from None
        return file

    def _read(self) -> int:
        """Find all replies; where they end. A line that was cut when a run was killed is dropped."""
        head = self._file.readline()
        if not head.endswith(b"\n") and HEADER.startswith(head):  # new, or killed while it was made
            self._cut(0)
            self._file.write(HEADER)
            self._file.flush()
            return len(HEADER)
        if head != HEADER:
            raise PlainlyError("this is no store of replies; choose another", place=Place(str(self.path)))
        end = len(HEADER)
        for number, line in enumerate(self._file, 2):
            if not line.endswith(b"\n"):
                self._cut(end)
                break
            try:
                record = json.loads(line)
                identity, usable = str(record["identity"]), bool(record["usable"])
            except (ValueError, KeyError, TypeError, RecursionError):
                raise PlainlyError(f"{self.path}:{number}: this is no reply; remove the line") from None
            if usable:
                self._places[identity] = (end, len(line))
            end += len(line)
        return end

    def _cut(self, end: int) -> None:
        self._file.seek(end)
        self._file.truncate()
