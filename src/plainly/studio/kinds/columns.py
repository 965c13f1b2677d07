"""What the columns of an owner's table are called: as the owner says, or as a known release has them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.readers.releases import PlacedRow, release_of
from plainly.corpus.readers.rows import Needed, table_rows
from plainly.studio.entered_texts import one_line
from plainly.studio.kinds.base import FileSlot, Json, Kind

LONGEST = 500
"""Characters in the name of a column."""


@dataclass(frozen=True)
class Header:
    """The columns of a table, and which of them stand for what."""

    columns: tuple[str, ...]
    called: Mapping[str, str]
    """Our names, and the columns that are read for them."""
    guess: Mapping[str, str]
    """For names that no column has: the columns that may be meant. Nothing is read by a guess."""
    release: str = ""
    """The name of the release that the table is known to be."""


def checked_columns(kind: Kind, value: Any) -> dict[str, dict[str, str]]:
    """What columns are called, by slot and by our names; what is left empty is not said."""
    if not isinstance(value, Mapping):
        raise PlainlyError("columns must be a table of files, each with names and columns")
    slots = {slot.name: slot for slot in kind.files if slot.columns}
    found: dict[str, dict[str, str]] = {}
    for name, said in value.items():
        if name not in slots:
            raise UnknownName("file with columns:", str(name), slots)
        if not isinstance(said, Mapping):
            raise PlainlyError(f"columns of {name!r} must be a table of names and columns")
        for own, column in said.items():
            if own not in slots[name].columns:
                raise UnknownName(f"column of {name}:", str(own), slots[name].columns)
            if kept := one_line("" if column is None else column, f"the column for {own}", LONGEST, empty=True):
                found.setdefault(str(name), {})[str(own)] = kept
    return found


def called(path: Path, slot: FileSlot, said: Mapping[str, str]) -> dict[str, str]:
    """Our names and the columns of this table that stand for them: what was said, else what a release is known by."""
    if said or slot.release is None:
        return dict(said)
    columns = _columns(path)
    release = release_of(path.name, columns, slot.release) if columns else None
    return release.called(columns) if release else {}


def rows(path: Path, slot: FileSlot, options: Json, spared: Collection[str] = ()) -> Iterator[PlacedRow]:
    """The rows of a table by our names; refused as a whole where a column is missing that it must have.

    Those `spared` may be missing.
    """
    names = called(path, slot, options.get("columns", {}).get(slot.name, {}))
    whole = _needed(slot)
    for number, (place, row) in enumerate(table_rows(path, columns=names)):
        if number == 0 and not all(name in row or name in spared for name in slot.needed):
            raise whole.lacking(path.name, list(row))
        yield place, row


def header(path: Path, slot: FileSlot, said: Mapping[str, str]) -> Header | None:
    """What there is to choose from; None for a file that is no table, or cannot be read as one."""
    try:
        columns = _columns(path)
        release = release_of(path.name, columns, slot.release) if slot.release and columns and not said else None
    except PlainlyError:
        return None
    if not columns:
        return None
    own = release.called(columns) if release else {name: said[name] for name in said if said[name] in columns}
    plain = {name: name for name in slot.columns if name in columns and not own}
    found = {**plain, **own}
    remedies = () if release else _needed(slot, every=True).lacking(path.name, columns).remedies
    guess = dict(remedies[0].value) if remedies and isinstance(remedies[0].value, tuple) else {}
    taken = set(found.values())
    guess = {name: column for name, column in guess.items() if name in slot.columns and column not in taken}
    return Header(
        tuple(columns),
        found,
        {name: column for name, column in guess.items() if name not in found},
        release.name if release else "",
    )


def _needed(slot: FileSlot, every: bool = False) -> Needed:
    names = slot.columns if every else slot.needed
    return Needed({name: slot.columns[name] for name in names}, nameable=True)


def _columns(path: Path) -> list[str]:
    """The names of the columns, as the first row has them; none where there is no row."""
    return [*next((row for _, row in table_rows(path)), {})]
