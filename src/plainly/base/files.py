"""Where files go: results to standard output or a file, as a whole or not at all; the rest to the cache folder."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE
from typing import IO, Any

from plainly.base.errors import PlainlyError

IN_MEMORY = 1 << 22
PART = ".plainly-", ".part"
"""How the name of a file begins and ends that is not yet written to its end."""


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
        with _held_back() as stream, _special(path) as special:
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


def refuse_overwriting(output: str | None, inputs: Iterable[str | None]) -> None:
    """Say so before the work if a file that is read would be written over. `-` and None are no files."""
    if output is None or not Path(output).is_file():
        return
    for path in inputs:
        if path not in (None, "", "-") and Path(str(path)).exists() and Path(str(path)).samefile(output):
            raise PlainlyError(f"{output} is an input of this run; choose another file")


def check_writable(path: str | None) -> None:
    """Say before long work that a file cannot be written; `writing` says so where the work is short."""
    if path is None or path == "-":
        return
    if not path:
        raise PlainlyError("cannot write: the file name is empty")
    if Path(path).is_dir():
        raise PlainlyError(f"cannot write {path}: {os.strerror(errno.EISDIR)}")
    if Path(path).is_file() or not Path(path).exists():
        handle, temporary = _beside(path)
        os.close(handle)
        Path(temporary).unlink()


def check_regular(path: str) -> None:
    """Refuse a device, a pipe or a socket: a file that appears as a whole would take its place."""
    if Path(path).exists() and not (Path(path).is_file() or Path(path).is_dir()):
        raise PlainlyError(f"cannot write {path}: it is not a regular file")


def write_bytes(path: str, content: bytes) -> None:
    """Write a file that is no text, as a whole or not at all."""
    with writing_bytes(path) as stream:
        stream.write(content)


@contextmanager
def writing_bytes(path: str) -> Iterator[IO[bytes]]:
    """A stream of bytes to write to, like `writing`, but only to a file."""
    if not path:
        raise PlainlyError("cannot write: the file name is empty")
    check_regular(path)
    with _replacing(path) as stream:
        raw: Any = stream.buffer
        yield raw


@contextmanager
def _replacing(path: str) -> Iterator[io.TextIOWrapper]:
    """A new file beside the one of that name, whose place it takes at the end."""
    target = Path(path).resolve()  # a link stays a link
    handle, temporary = _beside(path)
    try:
        raw = io.BufferedWriter(_NamedFile(handle, path))
        with io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())  # else the name may outlive a power cut, and what it names may not
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class _NamedFile(io.FileIO):
    """A file that, where the disk is full, says by which name its user knows it."""

    def __init__(self, handle: int, path: str) -> None:
        super().__init__(handle, "wb")
        self._path = path

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise PlainlyError(f"cannot write {self._path}: {error.strerror}") from error


def _beside(path: str) -> tuple[int, str]:
    """An open file in the folder of another, and its name."""
    target = Path(path).resolve()
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(None, "it is write-protected")
        return tempfile.mkstemp(dir=target.parent, prefix=PART[0], suffix=PART[1])
    except OSError as error:
        raise PlainlyError(f"cannot write {path}: {error.strerror}") from error


def _mode(target: Path) -> int:
    """The mode of the file that is replaced, or of an ordinary new file; mkstemp makes files private."""
    if target.exists():
        return S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def _special(path: str) -> Iterator[IO[str]]:
    """A device or a pipe: it cannot be replaced, only written to."""
    try:
        stream = Path(path).open("w", encoding="utf-8", errors="backslashreplace", newline="")  # noqa: SIM115
    except OSError as error:
        raise PlainlyError(f"cannot write {path}: {error.strerror}") from error
    try:
        yield stream
    finally:
        with suppress(OSError):  # what it did not take was told already
            stream.close()


def _held_back() -> IO[str]:
    return tempfile.SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", errors="surrogatepass", newline="")


def _rewound(stream: IO[str]) -> IO[str]:
    stream.seek(0)
    return stream


def user_folder(variable: str, name: str) -> Path:
    """The folder that an environment variable names, else one in the cache folder of this machine's user."""
    named = os.environ.get(variable)
    path = Path(named).expanduser().absolute() if named else _cache() / "plainly" / name
    if path.exists() and not path.is_dir():
        raise PlainlyError(f"{path} is not a folder{f'; {variable} must name one' if named else ''}")
    return path


def _cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if named.startswith("/") else Path.home() / ".cache"


@contextmanager
def locked(folder: Path, doing: str) -> Iterator[None]:
    """Only one process at a time puts files into the folder: two would write into each other's files."""
    try:
        import fcntl
    except ImportError:  # not on this system; then nothing guards the folder
        yield
        return
    path = folder / ".lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = path.open("a")
    except OSError as error:
        raise PlainlyError(f"cannot write to {folder}: {error.strerror}") from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                raise PlainlyError(f"another plainly is {doing} {folder}; wait until it is done") from None
        yield
