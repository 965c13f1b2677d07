"""The data folder: where files lie, and whether they are the files of the catalogue."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from plainly.base import files
from plainly.base.errors import PlainlyError
from plainly.corpus.catalogue.entries import Entry, File

FOLDER = "PLAINLY_DATA"


def folder() -> Path:
    """The folder that PLAINLY_DATA names, else one in the cache folder of this machine's user."""
    return files.user_folder(FOLDER, "data")


def place(file: File) -> Path:
    """Where a file is stored."""
    return folder().joinpath(*file.name.split("/"))


def state(file: File) -> str:
    """ok, missing, or wrong: there, but not the file of the catalogue. Restricted files may have no checksum.

    Who puts a file there by hand has it as released, perhaps without the end of its last line.
    """
    path = place(file)
    if not path.is_file():
        return "missing"
    if not file.sha256:
        return "ok"
    if not _fits(file, path):
        return "wrong"
    data = path.read_bytes()
    ended = data if data.endswith(b"\n") else data + b"\n"
    return "ok" if file.sha256 in (checksum(data), checksum(ended)) else "wrong"


def present(entry: Entry) -> int:
    """How many files of an entry are there, by their sizes alone: quick, for lists."""
    return sum(map(there, entry.files))


def here(entry: Entry) -> bool:
    """Whether all files that an entry needs are there, by their sizes alone."""
    return all(map(there, entry.required))


def there(file: File) -> bool:
    """Whether a file is there, by its size alone; one that readers make may have any."""
    path = place(file)
    return path.is_file() and (file.records > 0 or file.bytes == 0 or _fits(file, path))


def _fits(file: File, path: Path) -> bool:
    return file.bytes - path.stat().st_size in (0, 1)


def checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def licence_note(entry: Entry) -> Path:
    """The file beside the data that says under which terms a test set was fetched."""
    return folder() / "licences" / f"{entry.name}.txt"


def write_licence_note(entry: Entry) -> None:
    lines = [entry.title, f"Licence: {entry.licence.name}", entry.licence.terms]
    lines += [f"See {entry.licence.address}"] if entry.licence.address else []
    lines += [f"Licence text: {file.name}" for file in entry.having("licence")]
    lines += [f"Origin: {entry.origin}", f"Paper: {entry.paper}", "", entry.citation.strip()]
    write(licence_note(entry), "".join(f"{line}\n" for line in lines).encode())


def write(path: Path, data: bytes) -> None:
    """The file appears under its name as a whole or not at all."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise PlainlyError(f"cannot write {path}: {error.strerror}") from error


def locked() -> AbstractContextManager[None]:
    """Only one process at a time fetches into the folder."""
    return files.locked(folder(), "fetching into")
