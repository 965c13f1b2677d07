"""Files anywhere: on this machine by path, elsewhere by URL (`s3://`, `gs://`, ...), through the same few functions.

Local paths need nothing but Python. URLs go through fsspec, and fsspec's driver for their kind. Credentials are
the driver's affair: it takes them from its usual files and variables.
"""

from __future__ import annotations

import glob
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath, PurePosixPath
from typing import IO, Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.files import PART, writing_bytes

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_OBJECTS = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oci", "oss", "memory"})
"""Stores in which an object appears when all of it is there, and folders are but a part of names."""
_IN_MEMORY = 1 << 24

Content = bytes | Callable[[IO[bytes]], object]


def is_url(path: str) -> bool:
    """Whether a path names something elsewhere. `file://` names a file of this machine."""
    return local(path) is None


def local(path: str) -> Path | None:
    """The path on this machine, or None for something elsewhere."""
    found = _URL.match(path)
    if found is None:
        return Path(path)
    if found[1].lower() != "file":
        return None
    parts = urlsplit(path)
    if parts.netloc not in ("", "localhost"):
        raise PlainlyError(f"cannot use {path}: a file URL has three slashes, as in file:///data/pairs.parquet")
    return Path(unquote(parts.path))


def join(folder: str, *names: str) -> str:
    """A path or URL below another."""
    if _URL.match(folder):
        return "/".join([folder.rstrip("/"), *names])
    return str(Path(folder, *names))


def beside(path: str, name: str) -> str:
    """Another name in the folder of a file; its own takes the place of `{}` in it."""
    if _URL.match(path):
        folder, _, last = path.rpartition("/")
        return f"{folder}/{name.format(last)}"
    here = Path(path)
    return str(here.with_name(name.format(here.name)))


def absolute(path: str) -> str:
    """The same place, named so that a process in another folder finds it."""
    here = local(path)
    return path if here is None or path == "-" else str(here.absolute())


def open_binary(path: str) -> IO[bytes]:
    """A file to read bytes from, in any order."""
    here = local(path)
    with _failing("read", path):
        if here is not None:
            return here.open("rb")
        system, name = _remote(path)
        stream: IO[bytes] = system.open(name, "rb")
        return stream


def write_whole(path: str, content: Content) -> None:
    """Write a file that appears only when all of it is there. `content` are bytes, or a function that writes them."""
    here = local(path)
    if here is not None:
        with _failing("write", path), writing_bytes(str(here)) as stream:
            _fill(stream, content)
        return
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as held:  # a failure must not leave half of it out there
        _fill(held, content)
        held.seek(0)
        with _failing("write", path):
            _send(path, held)


def _fill(stream: IO[bytes], content: Content) -> None:
    if isinstance(content, bytes):
        stream.write(content)
    else:
        content(stream)


def _send(path: str, held: IO[bytes]) -> None:
    system, name = _remote(path)
    if _scheme(path) in _OBJECTS:
        _copy(held, system, name)
        return
    if system.isdir(name):
        raise IsADirectoryError(None, "Is a directory")
    folder, slash, _ = name.rpartition("/")
    part = f"{folder}{slash}{PART[0]}{uuid4().hex}{PART[1]}"  # two may write the same file at the same time
    try:
        _copy(held, system, part)
        system.mv(part, name)
    except BaseException:
        if system.exists(part):
            system.rm(part)
        raise


def _copy(held: IO[bytes], system: Any, name: str) -> None:
    if system.protocol == "memory":  # it shows what is written before it is closed
        system.pipe_file(name, held.read())
        return
    out = system.open(name, "wb")
    try:
        shutil.copyfileobj(held, out, 1 << 20)
    except BaseException:
        # To close it, even by a `with` that fails, would complete it as it is.
        out.discard()
        with suppress(AttributeError):
            out.closed = True
        raise
    out.close()


def listed(path: str, suffix: str) -> list[str]:
    """The files that a path means, sorted: itself, what a pattern with `*` matches, or what is in a folder.

    Of a folder, those with the suffix count, in capitals or not, in folders below it too; names that begin with a
    point or an underscore do not, as they hold no data by custom. Their paths begin with that of the folder, as it
    was given.
    """
    here = local(path)
    with _failing("list", path):
        found = _listed_elsewhere(path, suffix) if here is None else _listed_here(path, here, suffix)
    if not found:
        what = "no file matches" if glob.has_magic(path) else f"no file with {suffix} in"
        raise PlainlyError(f"{what} {path}")
    return sorted(found)


def _listed_here(path: str, here: Path, suffix: str) -> list[str]:
    if here.is_dir():
        return [join(path, *name.parts) for name in _inside(here) if name.name.lower().endswith(suffix)]
    if here.exists() or not glob.has_magic(path):
        here.stat()  # says what is wrong with it
        return [path]
    return [name for name in _deep(str(here), glob.glob(str(here), recursive=True)) if Path(name).is_file()]  # noqa: PTH207


def _listed_elsewhere(path: str, suffix: str) -> list[str]:
    system, name = _remote(path)
    if glob.has_magic(name):
        found = system.glob(name, detail=True)
        files = [str(key) for key, facts in found.items() if facts["type"] == "file"]
        return [str(system.unstrip_protocol(key)) for key in _deep(name, files)]
    if system.isfile(name):
        return [path]
    inside = [PurePosixPath(key.strip("/")).relative_to(name.strip("/")) for key in system.find(name)]
    if not inside and not system.exists(name):
        raise FileNotFoundError(None, "No such file or directory")
    return [join(path, *key.parts) for key in inside if holds_data(key) and key.name.lower().endswith(suffix)]


def passed_over(path: str, suffix: str) -> list[str]:
    """The files in a folder of this machine that are neither listed nor hidden."""
    here = local(path)
    if here is None or not here.is_dir():
        return []
    with _failing("list", path):
        return sorted(join(path, *name.parts) for name in _inside(here) if not name.name.lower().endswith(suffix))


def _inside(folder: Path) -> list[Path]:
    """The files in a folder and those below it, but for what holds no data."""
    inside = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return [name for name in inside if holds_data(name)]


def _deep(pattern: str, found: list[str]) -> list[str]:
    """What a pattern matches. Where it goes into all folders, it does not go into those that hold no data."""
    if "**" not in pattern:
        return found
    above = len(PurePath(pattern.partition("**")[0]).parts)
    return [name for name in found if holds_data(PurePath(*PurePath(name).parts[above:-1]))]


def holds_data(inside: PurePath) -> bool:
    """Whether a file below a folder counts as data: no name on the way there begins with a point or an underscore."""
    return not any(part.startswith((".", "_")) for part in inside.parts)


def exists(path: str) -> bool:
    """Whether a file or folder is there."""
    here = local(path)
    with _failing("look at", path):
        if here is not None:
            return here.exists()
        system, name = _remote(path)
        return bool(system.exists(name))


def size_and_time(path: str) -> tuple[int, str]:
    """The bytes of a file, and a text that changes when the file does."""
    here = local(path)
    with _failing("read", path):
        if here is not None:
            facts = here.stat()
            return facts.st_size, str(facts.st_mtime_ns)
        system, name = _remote(path)
        about = system.info(name)
        stamps = (about.get(key) for key in ("ETag", "etag", "LastModified", "mtime", "updated", "created"))
        return int(about.get("size") or 0), str(next((stamp for stamp in stamps if stamp), ""))


def make_folder(path: str) -> None:
    """Make a folder and those above it; stores of objects have none."""
    here = local(path)
    with _failing("make the folder", path):
        if here is not None:
            here.mkdir(parents=True, exist_ok=True)
        elif _scheme(path) not in _OBJECTS:  # there, a driver might make a whole bucket
            system, name = _remote(path)
            system.makedirs(name, exist_ok=True)


def remove(path: str) -> None:
    """Delete a file, or a folder with all that is in it; nothing there is no error."""
    here = local(path)
    with _failing("delete", path):
        if here is None:
            system, name = _remote(path)
            if system.exists(name):
                system.rm(name, recursive=True)
        elif here.is_dir() and not here.is_symlink():
            shutil.rmtree(here)
        else:
            here.unlink(missing_ok=True)


def remove_if_empty(folder: str) -> None:
    """Delete a folder of this machine in which there is nothing."""
    here = local(folder)
    if here is not None:
        with suppress(OSError):
            here.rmdir()


def move(source: str, target: str, names: Sequence[str]) -> None:
    """Move files of one folder to another of the same file system, in the place of those that are there."""
    here, there = local(source), local(target)
    with _failing("write", target):
        if here is not None and there is not None:
            for name in names:
                (here / name).replace(there / name)
            return
        system, folder = _remote(source)
        _, other = _remote(target)
        old, new = ([join(place.rstrip("/"), name) for name in names] for place in (folder, other))
        if _scheme(source) in _OBJECTS:
            system.copy(old, new)  # many at a time
            system.rm(old)
            return
        for pair in zip(old, new, strict=True):
            system.mv(*pair)


def sweep(folder: str) -> None:
    """Delete what was left in a folder by processes that were killed while they wrote a whole file."""
    here = local(folder)
    with _failing("delete", folder):
        if here is not None:
            for path in here.glob(f"{PART[0]}*{PART[1]}"):
                path.unlink(missing_ok=True)
        elif _scheme(folder) not in _OBJECTS:
            system, name = _remote(folder)
            for found in system.glob(f"{name}/{PART[0]}*{PART[1]}"):
                system.rm(found)


def _scheme(path: str) -> str:
    return path.partition("://")[0].lower()


def _remote(path: str) -> tuple[Any, str]:
    """The file system of a URL, and the name in it."""
    try:
        import fsspec
    except ImportError:
        raise MissingResource(f"{path} needs fsspec; install it with: pip install 'plainly[cluster]'") from None
    from fsspec.registry import known_implementations

    scheme = _scheme(path)
    if scheme not in fsspec.available_protocols():
        raise PlainlyError(f"cannot use {path}: {scheme}:// is no kind of place that fsspec knows")
    try:
        fsspec.get_filesystem_class(scheme)
    except ImportError:
        driver = known_implementations[scheme]["class"].partition(".")[0]
        if driver == "fsspec":  # a class of its own that wants a library
            raise MissingResource(f"cannot use {path}: {known_implementations[scheme]['err']}") from None
        raise MissingResource(f"{path} needs {driver}; install it with: pip install {driver}") from None
    # Other processes write there at the same time: what was listed before may be out of date.
    system, name = fsspec.core.url_to_fs(path, use_listings_cache=False)
    return system, name


@contextmanager
def _failing(doing: str, path: str) -> Iterator[None]:
    """Whatever goes wrong with a file is said in one line; drivers of URLs raise errors of many kinds."""
    kinds = Exception if is_url(path) else OSError
    try:
        yield
    except PlainlyError:
        raise
    except kinds as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
        raise PlainlyError(f"cannot {doing} {path}: {reason}") from error
