"""Who uses the file of a studio: one that runs, or somebody who puts a backup in its place. Never both."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from plainly.base.errors import PlainlyError

if sys.platform != "win32":  # there the documentation alone says to stop the studio first
    import fcntl


@contextmanager
def _locked(database: Path | None, *, alone: bool) -> Iterator[None]:
    """None is a database on a server, which has no file to lock."""
    if database is None or sys.platform == "win32":
        yield
        return
    path = database.with_name(f"{database.name}.lock")
    try:
        file = path.open("a")
    except OSError as error:
        raise PlainlyError(f"cannot open {path}: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError:
            what = "a studio is running there: stop it first" if alone else "a backup is being restored there"
            raise PlainlyError(f"{database}: {what}") from None
        yield


running = partial(_locked, alone=False)
"""While a studio runs. The system lets go of the lock when the process ends, however it ends."""
alone = partial(_locked, alone=True)
"""While nothing else may run; raises PlainlyError if a studio does."""
