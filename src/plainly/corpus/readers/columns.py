"""The names of the fields of a record, which are the same in every format, and what each name stands for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple, TypeVar

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown

TEXTS = ("source", "reference", "output")
FIXED = {"source", "outputs", "id", "document", "lang"}
NUMBERED_REFERENCE = re.compile(r"reference[._]([0-9]{1,9})")
NAMED_OUTPUT = re.compile(r"output[._](.*)", re.DOTALL)
LONE_SYSTEM = "output"
"""The name of the system whose texts stand under "output"."""
Key = TypeVar("Key", int, str)


class Layout(NamedTuple):
    """Which fields hold references, outputs (system and field) and metadata."""

    references: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    metadata: tuple[str, ...]


@lru_cache(maxsize=1024)
def layout(names: tuple[str, ...]) -> Layout:
    """What the fields of a record are; raises PlainlyError, in which the caller names the place."""
    references: dict[int, str] = {}
    outputs: dict[str, str] = {}
    metadata = []
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise PlainlyError(f"{shown(twice)!r} is there twice")
    for name in names:
        if (system := _system(name)) is not None:
            _enter(outputs, system, name)
        elif (number := _reference_number(name)) is not None:
            _enter(references, number, name)
        elif name not in FIXED:
            _refuse_near_miss(name)
            metadata.append(name)
    if len(references) > 1 and min(references) < 0:
        raise PlainlyError(
            f"give one of {_listed(references.values())}; several are numbered reference.0, reference.1"
        )
    if not references and not outputs and not {"source", "outputs"}.intersection(names):
        raise PlainlyError(
            f"neither source nor reference nor output; found: {_listed(names)}{_separator_hint(names)}"
        )
    ordered = tuple(name for _, name in sorted(references.items()))
    return Layout(ordered, tuple(outputs.items()), tuple(metadata))


def _system(name: str) -> str | None:
    if name == "output":
        return LONE_SYSTEM
    match = NAMED_OUTPUT.fullmatch(name)
    if match and not match[1]:
        raise PlainlyError(f"{name!r} does not name a system")
    return match and match[1]


def _reference_number(name: str) -> int | None:
    """The place of a reference; those without a number, which stand alone, are below zero."""
    if name in ("reference", "references"):
        return -len(name)
    match = NUMBERED_REFERENCE.fullmatch(name)
    return int(match[1]) if match else None


def _enter(fields: dict[Key, str], key: Key, name: str) -> None:
    if key in fields:
        raise PlainlyError(f"{shown(fields[key])!r} and {shown(name)!r} mean the same")
    fields[key] = name


def _refuse_near_miss(name: str) -> None:
    """A text under a misspelt name must not end up, unseen, among the metadata."""
    meant = name.strip().lower().removesuffix("s")
    if name.startswith("reference."):
        meant = "reference"
    near = get_close_matches(meant, TEXTS, n=1, cutoff=0.8)
    if near:
        raise PlainlyError(f"unknown name {shown(name)!r}; did you mean {near[0]!r}?")


def _listed(names: Iterable[str]) -> str:
    return shown(", ".join(names))


def _separator_hint(names: Sequence[str]) -> str:
    mark = next((mark for mark in (";", "\t", "|", ",") if len(names) == 1 and mark in names[0]), None)
    return f"; is the file separated by {mark!r}?" if mark else ""
