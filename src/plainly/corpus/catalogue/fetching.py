"""`fetch` brings the files of a test set into the data folder, each under its name only if its checksum is right."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from plainly.base.errors import MissingResource, PlainlyError, Remedy
from plainly.corpus.catalogue import store, transfer
from plainly.corpus.catalogue.changes import CHANGES
from plainly.corpus.catalogue.entries import Entry, File, Part, info
from plainly.corpus.catalogue.obtaining import cure, way

MIRROR = "PLAINLY_DATA_MIRROR"


@dataclass(frozen=True)
class Progress:
    """How far a fetch is."""

    name: str
    file: str
    files: int
    total_files: int
    bytes: int
    total_bytes: int


class WrongChecksum(PlainlyError):
    """What came is not the file of the catalogue; it is kept aside."""


Tell = Callable[[Progress], None]


def fetch(name: str, accept_licence: bool = False, tell: Tell | None = None) -> list[Path]:
    """Fetch what is missing of an entry; the files that were put in place.

    One that forbids commercial use is fetched only if its licence is accepted, and restricted texts never. `tell` is
    called as bytes come in. After a fault the other files are still fetched, if the server can be reached at all.
    """
    entry = info(name)
    wanted = needed(entry)
    if not wanted:
        return []
    if (entry.restricted or not _mirror()) and way(entry) != "fetch":
        raise MissingResource(f"{name} cannot be fetched: {cure(entry)}")
    if must_accept(entry) and not accept_licence:
        raise PlainlyError(
            f"{name} has the licence {entry.licence.name}, which forbids commercial use; "
            f"read 'plainly data show {name}' first",
            remedy=Remedy("accept_licence", True),
        )
    faults: list[PlainlyError] = []
    with store.locked():
        store.write_licence_note(entry)
        done = _Done(entry, wanted, tell)
        for file in wanted:
            try:
                _Delivery(file, done).bring()
            except PlainlyError as fault:
                faults.append(fault)
                if isinstance(fault, transfer.Unreachable):  # the other files would fail too, after as long a wait
                    break
            done.finish(file)
    if faults:
        others = len(faults) - 1
        more = f" ({others} more {'file' if others == 1 else 'files'} failed)" if others else ""
        raise PlainlyError(f"{faults[0]}{more}") from faults[0]
    return [store.place(file) for file in wanted]


def needed(entry: Entry) -> list[File]:
    """The files of an entry that are not there, or are not right."""
    return [file for file in entry.required if store.state(file) != "ok"]


def must_accept(entry: Entry) -> bool:
    """Whether the licence has to be accepted before the test set is fetched; once is enough."""
    return entry.licence.non_commercial and not store.licence_note(entry).is_file()


class _Done:
    """Counts files and bytes, and tells."""

    def __init__(self, entry: Entry, wanted: list[File], tell: Tell | None) -> None:
        self._name = entry.name
        self._tell = tell
        self._total_files = len(wanted)
        self._total_bytes = sum(file.bytes for file in wanted)
        self._files = 0
        self._bytes = 0

    def show(self, file: File, size: int) -> None:
        if self._tell:
            counts = (self._files, self._total_files, self._bytes + min(size, file.bytes), self._total_bytes)
            self._tell(Progress(self._name, file.name, *counts))

    def finish(self, file: File) -> None:
        self._files += 1
        self._bytes += file.bytes
        self.show(file, 0)


class _Delivery:
    """The way of one file into the folder."""

    def __init__(self, file: File, done: _Done) -> None:
        self._file = file
        self._done = done
        self._path = store.place(file)
        self._bad = self._path.with_name(f"{self._path.name}.bad")
        self._fetched: list[Path] = []

    def bring(self) -> None:
        mirror = _mirror()
        # A mirror holds files as they are stored: one part, and nothing to change.
        whole = Part((f"{mirror}/{quote(self._file.name)}",), "no", self._file.bytes, self._file.sha256)
        parts = (whole,) if mirror else self._file.parts
        pieces = [self._obtain(part, number, alone=len(parts) == 1) for number, part in enumerate(parts)]
        data = self._built(pieces)
        if data is None or store.checksum(data) != self._file.sha256:
            made = pieces[0] if data is None else data
            raise self._wrong(made, self._file.bytes, self._file.sha256, "made of several files")
        self._bad.unlink(missing_ok=True)  # from another address, or an earlier try
        if self._path.is_file():
            self._path.replace(self._bad)
        store.write(self._path, data)
        self._drop_fetched()

    def _obtain(self, part: Part, number: int, alone: bool) -> bytes:
        """The bytes of a part from the first address that has them."""
        target = self._path.with_name(f"{self._path.name}{f'.{number}' if number else ''}.part")
        faults: list[PlainlyError] = []
        for address in part.addresses:
            try:
                data = self._from(address, target, part, alone)
            except PlainlyError as fault:
                faults.append(fault)
            else:
                self._fetched.append(target)
                return data
        raise next((fault for fault in faults if isinstance(fault, WrongChecksum)), faults[0])

    def _from(self, address: str, target: Path, part: Part, alone: bool) -> bytes:
        resumed = target.is_file()
        data = self._transferred(address, target, part)
        if resumed and not self._as_wanted(data, part, alone):
            target.unlink()  # what was left of an earlier run may be of another file
            data = self._transferred(address, target, part)
        if not self._as_wanted(data, part, alone):
            target.unlink()
            raise self._wrong(data, part.bytes, part.sha256 or self._file.sha256, address)
        return data

    def _transferred(self, address: str, target: Path, part: Part) -> bytes:
        limit = max(part.bytes, self._file.bytes)
        transfer.transfer(address, target, limit, lambda size: self._done.show(self._file, size))
        return target.read_bytes()

    def _as_wanted(self, data: bytes, part: Part, alone: bool) -> bool:
        if alone:
            built = self._built([data])
            return built is not None and store.checksum(built) == self._file.sha256
        return not part.sha256 or store.checksum(data) == part.sha256  # the whole is checked in the end

    def _built(self, pieces: list[bytes]) -> bytes | None:
        """The file as it is stored, or None if it cannot be made of these pieces."""
        if len(pieces) == 1 and (not self._file.change or store.checksum(pieces[0]) == self._file.sha256):
            return pieces[0]
        try:
            return CHANGES[self._file.change](pieces)
        except (ValueError, LookupError):
            return None

    def _wrong(self, data: bytes, size: int, expected: str, source: str) -> WrongChecksum:
        store.write(self._bad, data)
        self._drop_fetched()
        return WrongChecksum(
            f"{self._file.name} ({source}): wrong checksum: {len(data):,} bytes with SHA-256 "
            f"{store.checksum(data)[:12]}..., not {size:,} with {expected[:12]}...; kept aside as {self._bad}"
        )

    def _drop_fetched(self) -> None:
        for path in self._fetched:
            path.unlink(missing_ok=True)


def _mirror() -> str:
    """The address of the mirror, without a slash at the end; empty if there is none."""
    mirror = os.environ.get(MIRROR, "").rstrip("/")
    try:
        parts = urlsplit(mirror)
        right = parts.scheme in transfer.SCHEMES and not parts.query and not parts.fragment
    except ValueError:
        right = False
    if mirror and not right:
        raise PlainlyError(f"{MIRROR} must be an address like http://host/path, not {mirror!r}")
    return mirror
