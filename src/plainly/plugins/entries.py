"""What plainly knows of each plug-in: one TOML file a plug-in, read and checked here.

plainly brings some, in `entries/`. Others lie in the folder `entries` of the plug-in folder, or were installed from
a file of the user.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Literal

from plainly.base.declarations import Fault, insist, made, read, tables
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import user_folder

FOLDER = "PLAINLY_PLUGINS"
DIRECTIONS = ("higher", "lower", "none")
NEEDS = ("source", "references")


@dataclass(frozen=True)
class Check:
    """A text whose score is known; the self-check asks for it."""

    output: str
    at_least: float
    at_most: float
    origin: str
    """Where the expected score comes from."""
    source: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """All facts about a plug-in."""

    name: str
    title: str
    about: str
    paper: str
    licence: str
    """Of the package and of the model."""
    direction: Literal["higher", "lower", "none"]
    range: tuple[float, float]
    command: tuple[str, ...]
    """The program and its arguments. {python} is the Python of the environment, {folder} that of this file."""
    needs: tuple[str, ...] = ()
    """Of "source" and "references"; the output is always there."""
    languages: tuple[str, ...] = ()
    """Codes of languages; none: any language."""
    model: str = ""
    revision: str = ""
    requirements: tuple[str, ...] = ()
    """For pip. None: no environment is made, and {python} is the Python that runs plainly."""
    python: tuple[str, ...] = ()
    """Versions of Python that the requirements work with, such as "3.11"; none: any."""
    caution: str = ""
    decimals: int = 2
    batch: int = 32
    """How many texts are sent at a time."""
    start_seconds: float = 600
    """How long the program may take to load its model and to say hello."""
    batch_seconds: float = 600
    """How long it may take to score a batch."""
    checks: tuple[Check, ...] = ()
    file: Path = Path()
    """The TOML file; not a key in it."""

    def record(self, output: str | None, source: str | None, references: Sequence[str]) -> dict[str, Any]:
        """What the program is sent of one text: no more than it needs."""
        parts = {"source": source, "references": list(references)}
        return {"output": output, **{need: parts[need] for need in self.needs}}


def folder() -> Path:
    """The folder of plug-ins: the one that PLAINLY_PLUGINS names, else one in the cache folder of the user."""
    return user_folder(FOLDER, "plugins")


def home(name: str) -> Path:
    """The folder of an installed plug-in: its environment and what is known of it."""
    return folder() / "installed" / name


def record(name: str) -> dict[str, Any]:
    """What was noted when the plug-in was installed; empty if it was not installed, or not to the end."""
    try:
        found = json.loads((home(name) / "installed.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def names() -> list[str]:
    """The names of all plug-ins: those that plainly brings, then those of the user."""
    return [*sorted(_bundled()), *sorted(set(_own()) - set(_bundled()))]


def info(name: str) -> Entry:
    """What is known of a plug-in."""
    if name in _bundled():
        return _read_bundled(name)
    own = _own()
    if name not in own:
        raise UnknownName("plug-in", name, names())
    entry = read_entry(own[name])
    if entry.name != name:
        raise PlainlyError(f"{own[name]} holds the plug-in {entry.name!r}, not {name!r}")
    return entry


def read_entry(path: Path) -> Entry:
    """The plug-in that a TOML file describes."""
    try:
        return _entry(read(path.read_text("utf-8")), path.absolute())
    except (OSError, UnicodeDecodeError) as error:
        raise PlainlyError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    except Fault as error:
        raise PlainlyError(f"{path}: {error}") from error


def is_bundled(name: str) -> bool:
    """Whether plainly brings the plug-in."""
    return name in _bundled()


@cache
def _bundled() -> dict[str, Path]:
    entries = Path(str(resources("plainly.plugins") / "entries"))
    return {path.stem: path for path in entries.glob("*.toml")}


@cache
def _read_bundled(name: str) -> Entry:
    return read_entry(_bundled()[name])


def _own() -> dict[str, Path]:
    """The plug-ins of the user: name -> file."""
    found = {path.stem: path for path in (folder() / "entries").glob("*.toml")}
    return {**dict(_installed_from_files()), **found}


def _installed_from_files() -> Iterator[tuple[str, Path]]:
    for path in (folder() / "installed").glob("*/installed.json"):
        file = record(path.parent.name).get("file")
        if isinstance(file, str):
            yield path.parent.name, Path(file)


_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_VERSION = re.compile(r"3\.\d+")


def _entry(table: Mapping[str, Any], path: Path) -> Entry:
    insist("file" not in table, "unknown key 'file'")
    known = tables({"checks": [], **table}, "checks")
    checks = tuple(_check(found, f"check {i}") for i, found in enumerate(known, 1))
    entry = made(Entry, {**table, "checks": checks}, "entry")
    insist(bool(_NAME.fullmatch(entry.name)), f"{entry.name!r} is no name for a plug-in")
    insist(entry.direction in DIRECTIONS, f"direction must be one of {', '.join(DIRECTIONS)}")
    insist(set(entry.needs) <= set(NEEDS), f"needs can hold {' and '.join(NEEDS)} only")
    bounds = entry.range
    insist(isinstance(bounds, tuple) and len(bounds) == 2, "range must hold two numbers")
    insist(all(type(bound) in (int, float) for bound in bounds), "range must hold two numbers")
    insist(bounds[0] < bounds[1], "range must hold the smaller number first")
    insist(bool(entry.command), "command is empty")
    for text in (entry.model, entry.revision):
        insist(not set(text) & set("|\n\r"), f"{text!r} cannot stand in a signature")
    for requirement in entry.requirements:
        insist(requirement[:1] not in ("", "-"), f"{requirement!r} is no requirement")
    for version in entry.python:
        insist(bool(_VERSION.fullmatch(version)), f'{version!r} is no version of Python; write "3.11"')
    insist(entry.batch > 0 and entry.decimals >= 0, "batch must be positive, decimals must not be negative")
    insist(entry.start_seconds > 0 and entry.batch_seconds > 0, "seconds must be positive")
    return replace(entry, range=(float(bounds[0]), float(bounds[1])), file=path)


def _check(table: Mapping[str, Any], where: str) -> Check:
    check = made(Check, table, where)
    insist(check.at_least <= check.at_most, f"{where}: at_least must not be above at_most")
    return check
