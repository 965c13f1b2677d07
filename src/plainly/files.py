"""Where results go: standard output or a file, as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_IMODE
from typing import IO

from plainly.errors import PlainlyError

IN_MEMORY = 1 << 22


@contextmanager
def writing(path: str | None) -> Iterator[IO[str]]:
    """A stream to write to. What is written appears only after everything was written without error."""
    if path is None or path == "-":
        with _held_back() as stream:
            yield stream
            shutil.copyfileobj(_rewound(stream), sys.stdout)
        sys.stdout.flush()
    elif not path:
        raise PlainlyError("cannot write: the file name is empty")
    elif Path(path).exists() and not Path(path).is_file():
        with _held_back() as stream, _open_special(path) as special:
            yield stream
            try:
                shutil.copyfileobj(_rewound(stream), special)
                special.flush()
            except BrokenPipeError:
                raise
            except OSError as error:
                raise PlainlyError(f"cannot write {path}: {error.strerror}") from error
    else:
        with _replacing(path) as stream:
            yield stream


@contextmanager
def _replacing(path: str) -> Iterator[IO[str]]:
    """A new file beside the one of that name, whose place it takes at the end."""
    target = Path(path).resolve()  # a link stays a link
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(None, "it is write-protected")
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".plainly-", suffix=".part")
    except OSError as error:
        raise PlainlyError(f"cannot write {path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            yield stream
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """The mode of the file that is replaced, or of an ordinary new file; mkstemp makes files private."""
    if target.exists():
        return S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _open_special(path: str) -> IO[str]:
    """A device or a pipe: it cannot be replaced, only written to."""
    try:
        return Path(path).open("w", encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as error:
        raise PlainlyError(f"cannot write {path}: {error.strerror}") from error


def _held_back() -> IO[str]:
    return tempfile.SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", errors="surrogatepass", newline="")


def _rewound(stream: IO[str]) -> IO[str]:
    stream.seek(0)
    return stream
