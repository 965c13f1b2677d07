"""What the catalogue knows of each test set: one TOML file a set, in `sets/`, read and checked here."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from plainly.corpus.catalogue.changes import CHANGES
from plainly.corpus.readers.inputs import EMPTY_REFERENCE
from plainly.errors import PlainlyError, UnknownName

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROLES = ("source", "reference", "system", "table", "metadata", "licence")
CHECKED = {
    "text": "the whole text was compared with a public copy",
    "length": "the length and the last line were compared with a public copy",
    "sample": "parts of the text and the length were compared with a public copy",
    "no": "no public copy was at hand to compare with",
}
T = TypeVar("T")


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
    bytes: int
    sha256: str
    parts: tuple[Part, ...]
    change: str = ""
    """What is done after the download, a key of `CHANGES`; empty: nothing."""
    system: str = ""
    """Whose outputs they are, where the role is "system"."""


@dataclass(frozen=True)
class Licence:
    """Under which terms a test set may be used."""

    name: str
    terms: str
    non_commercial: bool
    address: str = ""


@dataclass(frozen=True)
class TestSet:
    """All facts about a test set."""

    __test__ = False

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
    documents: str = ""
    """The column that names the document of a segment, in the table or the metadata."""
    empty_reference: str = "error"
    """What an empty line of a reference is; see `Inputs`."""

    def having(self, role: str) -> list[File]:
        """The files with a role, in order."""
        return [file for file in self.files if file.role == role]

    @property
    def systems(self) -> dict[str, File]:
        """The published outputs: system -> file."""
        return {file.system: file for file in self.having("system")}


def names() -> list[str]:
    """The names of all test sets."""
    return sorted(_folder())


def info(name: str) -> TestSet:
    """What is known of a test set."""
    if name not in _folder():
        raise UnknownName("test set", name, _folder())
    return _read(name)


def parse(text: str, where: str) -> TestSet:
    """The test set that a TOML text describes; `where` is named in complaints."""
    try:
        return _test_set(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, _Fault) as error:
        raise PlainlyError(f"{where}: {error}") from error


class _Fault(Exception):
    """Something in an entry is not as it must be."""


@cache
def _folder() -> dict[str, Path]:
    sets = Path(str(resources("plainly.corpus.catalogue") / "sets"))
    return {path.stem: path for path in sets.glob("*.toml")}


@cache
def _read(name: str) -> TestSet:
    entry = parse(_folder()[name].read_text("utf-8"), f"catalogue entry {name}.toml")
    if entry.name != name:
        raise PlainlyError(f"catalogue entry {name}.toml has the name {entry.name!r}")
    return entry


_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SEGMENT = r"[A-Za-z0-9][A-Za-z0-9._+-]*"
_PLACE = re.compile(rf"{_SEGMENT}(?:/{_SEGMENT})*")
_SUM = re.compile(r"[0-9a-f]{64}")
_KINDS = {"str": str, "int": int, "bool": bool, "tuple[str, ...]": tuple}


def _test_set(table: Mapping[str, Any]) -> TestSet:
    licence = _made(Licence, table.get("licence"), "licence")
    files = tuple(_file(entry, f"file {i}") for i, entry in enumerate(_tables(table, "files"), 1))
    entry = _made(TestSet, {**table, "licence": licence, "files": files}, "entry")
    _insist(bool(_NAME.fullmatch(entry.name)), f"{entry.name!r} is no name for a test set")
    _insist(entry.segments > 0, "segments must be positive")
    _insist(entry.references == len(entry.having("reference")), "references must be the number of reference files")
    _insist(bool(files), "there are no files")
    _insist(entry.citation.lstrip().startswith("@"), "the citation must be BibTeX")
    _insist(entry.empty_reference in EMPTY_REFERENCE, f"unknown rule {entry.empty_reference!r} for empty references")
    for role in ("source", "table", "metadata"):
        _insist(len(entry.having(role)) <= 1, f"more than one file is the {role}")
    for what in ([file.name for file in files], [file.system for file in entry.having("system")]):
        _insist(len(what) == len(set(what)), "the names of files and of systems must differ")
    return entry


def _file(table: Mapping[str, Any], where: str) -> File:
    if "parts" in table:
        parts = tuple(_part(part, where) for part in _tables(table, "parts"))
        rest = {key: value for key, value in table.items() if key != "parts"}
    else:
        own = ("addresses", "checked")
        parts = (_part({key: table[key] for key in (*own, "bytes", "sha256") if key in table}, where),)
        rest = {key: value for key, value in table.items() if key not in own}
    file = _made(File, {**rest, "parts": parts}, where)
    _insist(bool(_PLACE.fullmatch(file.name)), f"{where}: {file.name!r} is no name for a file")
    _insist(file.role in ROLES, f"{where}: unknown role {file.role!r}")
    _insist((file.role == "system") == bool(file.system), f"{where}: a system, and nothing else, names its system")
    _insist(file.bytes > 0 and bool(_SUM.fullmatch(file.sha256)), f"{where}: bytes and sha256 are needed")
    _insist(bool(file.change) == ("parts" in table), f"{where}: a file with a change, and no other, has parts")
    _insist(not file.change or file.change in CHANGES, f"{where}: unknown change {file.change!r}")
    return file


def _part(table: Mapping[str, Any], where: str) -> Part:
    part = _made(Part, table, where)
    _insist(bool(part.addresses), f"{where}: there is no address")
    for address in part.addresses:
        _insist(urlsplit(address).scheme == "https", f"{where}: {address} is not an https address")
    _insist(part.checked in CHECKED, f"{where}: checked must be one of {', '.join(CHECKED)}")
    _insist(part.bytes > 0, f"{where}: bytes are needed")
    _insist(not part.sha256 or bool(_SUM.fullmatch(part.sha256)), f"{where}: {part.sha256!r} is no SHA-256")
    return part


def _made(kind: type[T], table: Any, where: str) -> T:
    """A dataclass from a table with the same keys; refuses missing and unknown keys and wrong types."""
    _insist(isinstance(table, Mapping), f"{where} is missing")
    facts = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for name in table:
        _insist(name in facts, f"{where}: unknown key {name!r}")
    values = {}
    for name, field in facts.items():
        if name not in table:
            _insist(field.default is not MISSING, f"{where}: {name} is missing")
            continue
        value = tuple(table[name]) if isinstance(table[name], list) else table[name]
        expected = _KINDS.get(str(field.type))
        right = expected is None or (isinstance(value, expected) and (expected is not int or value is not True))
        _insist(right, f"{where}: {name} must be of type {field.type}")
        if isinstance(value, tuple) and expected is tuple:
            _insist(all(isinstance(item, str) for item in value), f"{where}: {name} must hold texts")
        _insist(value != "" or field.default == "", f"{where}: {name} is empty")
        values[name] = value
    return kind(**values)


def _tables(table: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = table.get(key)
    _insist(isinstance(value, list) and all(isinstance(item, dict) for item in value), f"{key} are missing")
    tables: list[Mapping[str, Any]] = value or []
    return tables


def _insist(right: bool, complaint: str) -> None:
    if not right:
        raise _Fault(complaint)
