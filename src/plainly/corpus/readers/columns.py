"""The names of the fields of a record, which are the same in every format, and what each name stands for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple, TypeVar

from plainly.base.errors import Place, PlainlyError, Remedy
from plainly.corpus.readers.files import shown

TEXTS = ("source", "reference", "output")
FIXED = {"source", "outputs", "id", "document", "lang"}
NUMBERED_REFERENCE = re.compile(r"reference[._]([0-9]{1,9})")
NAMED_OUTPUT = re.compile(r"output[._](.*)", re.DOTALL)
LONE_SYSTEM = "output"
"""The name of the system whose texts stand under "output"."""
Key = TypeVar("Key", int, str)
Columns = tuple[tuple[str, str], ...]
"""What a file calls things: pairs of our name and its own. Several columns of references have + between them."""
NAMES = ("source", "references", "output", "id", "system", "run", "document", "lang")
"""What `columns` may name; any other name is that of a system, whose outputs the column holds."""
OTHER_WORDS = {
    "source": ("original", "complex", "src", "sentence", "normal"),
    "references": ("simplifications", "refs", "ref", "reference", "target", "simple"),
    "output": ("prediction", "predictions", "hypothesis", "simplification", "simplified", "generation"),
}
"""What files of others call texts; such a file is not read, but its reader is told."""


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
            f"neither source nor reference nor output; found: {_listed(names)}{_separator_hint(names)}",
            remedy=_guess(names),
        )
    ordered = tuple(name for _, name in sorted(references.items()))
    return Layout(ordered, tuple(outputs.items()), tuple(metadata))


def called(columns: Mapping[str, str | Sequence[str]]) -> Columns:
    """The mapping that somebody gave, by the names of fields: a name that is none of ours is that of a system."""
    found = {}
    for name, column in columns.items():
        own = name.strip()
        if own not in NAMES and own != "outputs" and _system(own) is None and _reference_number(own) is None:
            _refuse_near_miss(own)
            own = f"output.{own}"
        found[own] = column if isinstance(column, str) else "+".join(column)
    return tuple(found.items())


@lru_cache(maxsize=1024)
def view(names: tuple[str, ...], columns: Columns, lone: str = "references") -> Columns:
    """The fields of a record by our names, each with the file's own; `lone` is what one column of references is.

    Columns that nobody named keep their names, unless they would mean the same as one that somebody named.
    """
    chosen = [field for name, column in columns for field in _fields(name, column, names, lone)]
    means = {_meaning(name) for name, _ in chosen}
    taken = {column for _, column in chosen}
    rest = ((name, name) for name in names if name not in taken and _meaning(name) not in means)
    return (*chosen, *rest)


def _fields(name: str, column: str, names: Sequence[str], lone: str) -> Iterator[tuple[str, str]]:
    references = name in ("references", "reference")
    several = references and column not in names and "+" in column
    for number, own in enumerate(column.split("+") if several else [column]):
        if own in names:
            yield f"reference.{number}" if several else lone if references else name, own


def _meaning(name: str) -> str:
    """What a field is, or seems to be: all references are one thing, every system is another."""
    if _reference_number(name) is not None:
        return "references"
    try:
        _refuse_near_miss(name)
    except PlainlyError:
        return f"{name.strip().lower().removesuffix('s')}"
    return name


def missing(names: Collection[str], columns: Columns) -> Columns:
    """What somebody named that is not there."""
    return tuple(
        (name, column)
        for name, column in columns
        if column not in names and not all(part in names for part in column.split("+"))
    )


def refuse_missing(file: str, names: Collection[str], columns: Columns) -> None:
    """Refuses names of columns that a file does not have."""
    for name, column in missing(names, columns):
        lost = next(part for part in column.split("+") if part not in names)
        close = get_close_matches(lost, names, 1, 0.7) or [
            one for one in names if _called(one, OTHER_WORDS.get(name, ()))
        ]
        better = {**dict(columns), name: column.replace(lost, close[0])} if close else {}
        raise PlainlyError(
            f"there is no column {shown(lost)!r}; found: {_listed(names)}",
            place=Place(file),
            remedy=Remedy("columns", tuple(better.items())) if better else None,
        )


def _guess(names: Sequence[str]) -> Remedy | None:
    """Which columns may be meant, as a mapping that can be said."""
    left = [name for name in names if not {",", "=", "+"} & {*name}]
    meant = []
    for name, words in OTHER_WORDS.items():
        own = [column for column in left if _called(column, words)][: None if name == "references" else 1]
        left = [column for column in left if column not in own]
        if own:
            meant.append((name, "+".join(own)))
    return Remedy("columns", tuple(meant)) if meant else None


def _called(column: str, words: Sequence[str]) -> bool:
    """Whether the name of a column is one of these words, or begins or ends with one; numbers do not count."""
    parts = [part for part in re.split(r"[\W_0-9]+", column.casefold()) if part]
    return bool({*parts[:1], *parts[-1:]} & set(words))


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
