"""What the catalogue knows of test sets, judgements, annotations and answers: one TOML file an entry, in `sets/`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from plainly.base.declarations import Fault, insist, made, read, tables
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.catalogue.changes import CHANGES
from plainly.corpus.readers.inputs import EMPTY_REFERENCE

KINDS = {
    "test set": "sources with references, labels or published outputs, to score systems on",
    "judgements": "texts, and what people or models judged of them",
    "annotations": "texts, and what annotators marked in them",
    "answers": "questions about texts, and what readers answered",
}
ROLES = {
    "source": "the sources, one a line",
    "reference": "one reference for each source",
    "system": "published outputs of a system",
    "table": "pairs with labels of people",
    "metadata": "a row for each segment",
    "texts": "the texts that were judged, one record a line",
    "pairs": "which texts were compared",
    "judgements": "what a person or a model judged",
    "scores": "scores made of judgements",
    "annotations": "what annotators marked",
    "answers": "what readers answered to questions about texts",
    "experiment": "the texts and questions that answers are about",
    "subset": "a part of the test set, with lines that begin with an id",
    "licence": "the text of the licence",
}
CHECKED = {
    "text": "the whole text was compared with a public copy",
    "length": "the length and the last line were compared with a public copy",
    "sample": "parts of the text and the length were compared with a public copy",
    "no": "no public copy was at hand to compare with",
}


@dataclass(frozen=True)
class Part:
    """A file as its public address serves it."""

    addresses: tuple[str, ...]
    """Where it is; the first that answers is taken."""
    checked: str
    """How well the addresses were checked when the entry was written: a key of `CHECKED`."""
    bytes: int
    sha256: str = ""
    """Worked out by undoing the change of the file; empty where that cannot be done."""


@dataclass(frozen=True)
class File:
    """A file as it is stored: what the parts hold after the change, if there is one."""

    role: str
    name: str
    """Its place in the data folder, with "/" between folders."""
    bytes: int = 0
    sha256: str = ""
    """Both are known unless the texts are restricted."""
    parts: tuple[Part, ...] = ()
    """None where no public address is known."""
    change: str = ""
    """What is done after the download, a key of `CHANGES`; empty: nothing."""
    system: str = ""
    """Whose outputs they are, where the role is "system"."""
    records: int = 0
    """How many it holds, where readers have to make the file themselves: then other bytes will do. See `contents`."""
    columns: tuple[str, ...] = ()
    """Without which such a file is of no use."""


@dataclass(frozen=True)
class Licence:
    """Under which terms a test set may be used."""

    name: str
    terms: str
    non_commercial: bool
    address: str = ""


@dataclass(frozen=True)
class Restricted:
    """Texts that are not public: who gives them, and what to ask for."""

    ask: str
    address: str = ""


@dataclass(frozen=True)
class Entry:
    """All facts about a test set, or about judgements, annotations or answers."""

    name: str
    title: str
    about: str
    language: str
    domain: str
    readers: str
    """For whom the references were written."""
    form: str
    """Plain or tokenised, cased or not."""
    segments: int
    references: int
    origin: str
    paper: str
    citation: str
    """BibTeX."""
    notes: tuple[str, ...]
    licence: Licence
    files: tuple[File, ...]
    kind: str = "test set"
    """A key of `KINDS`."""
    restricted: Restricted | None = None
    documents: str = ""
    """The column that names the document of a segment, in the table or the metadata."""
    empty_reference: str = "error"
    """What an empty line of a reference is; see `Inputs`."""

    def having(self, role: str) -> list[File]:
        """The files with a role, in order."""
        return [file for file in self.files if file.role == role]

    @property
    def required(self) -> list[File]:
        """The files without which it cannot be used: of restricted texts, outputs may be missing."""
        return [file for file in self.files if not (self.restricted and file.role == "system")]

    @property
    def systems(self) -> dict[str, File]:
        """The published outputs: system -> file."""
        return {file.system: file for file in self.having("system")}


def names(kind: str = "") -> list[str]:
    """The names of all entries, or of those of a kind: a key of `KINDS`."""
    return [name for name in sorted(_folder()) if kind in ("", info(name).kind)]


def info(name: str) -> Entry:
    """What is known of an entry."""
    if name not in _folder():
        raise UnknownName("test set", name, _folder())
    return _read(name)


def parse(text: str, where: str) -> Entry:
    """The entry that a TOML text describes; `where` is named in complaints."""
    try:
        return _entry(read(text))
    except Fault as error:
        raise PlainlyError(f"{where}: {error}") from error


@cache
def _folder() -> dict[str, Path]:
    sets = Path(str(resources("plainly.corpus.catalogue") / "sets"))
    return {path.stem: path for path in sets.glob("*.toml")}


@cache
def _read(name: str) -> Entry:
    entry = parse(_folder()[name].read_text("utf-8"), f"catalogue entry {name}.toml")
    if entry.name != name:
        raise PlainlyError(f"catalogue entry {name}.toml has the name {entry.name!r}")
    return entry


_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SEGMENT = r"[A-Za-z0-9][A-Za-z0-9._+-]*"
_PLACE = re.compile(rf"{_SEGMENT}(?:/{_SEGMENT})*")
_SUM = re.compile(r"[0-9a-f]{64}")


def _entry(table: Mapping[str, Any]) -> Entry:
    licence = made(Licence, table.get("licence"), "licence")
    restricted = made(Restricted, table["restricted"], "restricted") if "restricted" in table else None
    files = tuple(_file(entry, f"file {i}", restricted) for i, entry in enumerate(tables(table, "files"), 1))
    entry = made(Entry, {**table, "licence": licence, "files": files, "restricted": restricted}, "entry")
    insist(entry.kind in KINDS, f"unknown kind {entry.kind!r}")
    insist(bool(_NAME.fullmatch(entry.name)), f"{entry.name!r} is no name for a test set")
    insist(entry.segments > 0, "segments must be positive")
    insist(entry.references == len(entry.having("reference")), "references must be the number of reference files")
    insist(bool(files), "there are no files")
    insist(entry.citation.lstrip().startswith("@"), "the citation must be BibTeX")
    insist(entry.empty_reference in EMPTY_REFERENCE, f"unknown rule {entry.empty_reference!r} for empty references")
    for role in ("source", "table", "metadata"):
        insist(len(entry.having(role)) <= 1, f"more than one file is the {role}")
    for what in ([file.name for file in files], [file.system for file in entry.having("system")]):
        insist(len(what) == len(set(what)), "the names of files and of systems must differ")
    return entry


def _file(table: Mapping[str, Any], where: str, restricted: Restricted | None) -> File:
    if "parts" in table:
        parts = tuple(_part(part, where) for part in tables(table, "parts"))
        rest = {key: value for key, value in table.items() if key != "parts"}
    else:
        own = ("addresses", "checked")
        served = {key: table[key] for key in (*own, "bytes", "sha256") if key in table}
        parts = (_part(served, where),) if any(key in table for key in own) else ()
        rest = {key: value for key, value in table.items() if key not in own}
    file = made(File, {**rest, "parts": parts}, where)
    insist(bool(_PLACE.fullmatch(file.name)), f"{where}: {file.name!r} is no name for a file")
    insist(file.role in ROLES, f"{where}: unknown role {file.role!r}")
    insist((file.role == "system") == bool(file.system), f"{where}: a system, and nothing else, names its system")
    known = file.bytes > 0 and bool(_SUM.fullmatch(file.sha256))
    unknown = restricted is not None and (file.bytes, file.sha256) == (0, "")
    insist(known or unknown, f"{where}: bytes and sha256 are needed")
    insist(not (restricted and parts), f"{where}: restricted texts have no public address")
    insist(file.change != "" or "parts" not in table, f"{where}: a file with a change, and no other, has parts")
    insist(not file.change or "parts" in table or not parts, f"{where}: a file with a change has parts")
    insist(not file.change or file.change in CHANGES, f"{where}: unknown change {file.change!r}")
    insist(bool(file.records) == bool(file.columns), f"{where}: records and columns belong together")
    insist(not (file.records and parts), f"{where}: a file with an address is not made by hand")
    return file


def _part(table: Mapping[str, Any], where: str) -> Part:
    part = made(Part, table, where)
    insist(bool(part.addresses), f"{where}: there is no address")
    for address in part.addresses:
        insist(urlsplit(address).scheme == "https", f"{where}: {address} is not an https address")
    insist(part.checked in CHECKED, f"{where}: checked must be one of {', '.join(CHECKED)}")
    insist(part.bytes > 0, f"{where}: bytes are needed")
    insist(not part.sha256 or bool(_SUM.fullmatch(part.sha256)), f"{where}: {part.sha256!r} is no SHA-256")
    return part
