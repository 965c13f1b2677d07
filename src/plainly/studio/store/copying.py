"""Files that appear as a whole, for their owner only; and whole copies of SQLite databases."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from plainly.base.errors import PlainlyError


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """A file that gets its name when it is whole. Nobody but its owner may read it, at any time."""
    try:
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=".plainly-", suffix=".part")
        os.close(handle)
        part = Path(name)
        try:
            yield part
            with part.open("rb+") as stream:
                os.fsync(stream.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise PlainlyError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from error


def copy_sqlite(path: Path, copy: Path) -> None:
    """A whole copy in one file, even while somebody writes to the original."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
