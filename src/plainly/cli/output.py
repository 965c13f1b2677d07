"""Where results go: standard output, or a file that is replaced as a whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from plainly.errors import PlainlyError


@contextmanager
def writing(path: str | None) -> Iterator[TextIO]:
    """A stream to write to. A file appears under its name only after everything was written without error."""
    if path is None or path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(path)
    if target.is_dir():
        raise PlainlyError(f"{path} is a directory; --output takes a file")
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent or ".", prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise PlainlyError(f"cannot write {path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            yield stream
        # mkstemp makes files private; give the result the mode that an ordinary new file would have.
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def note(text: str) -> None:
    """A line for the person at the terminal, apart from the results."""
    print(text, file=sys.stderr)
