"""Finds and reads the files of published judgements, wherever below a folder they lie."""

from __future__ import annotations

import html
import io
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plainly.base.errors import MissingResource, PlainlyError
from plainly.corpus import catalogue
from plainly.corpus.catalogue import store
from plainly.corpus.readers.files import InputFile, open_path, shown
from plainly.corpus.readers.rows import Needed, read_table

NO_REFERENCES = "metaeval.data.no-references"  # the key of notes that say why
DEEPEST = 5  # folders below the one that is named
Rows = list[tuple[str, dict[str, str]]]
"""Where each row stands, for messages, and its cells by the names of their columns."""
# C1 controls are Windows-1252 characters that somebody read as Latin-1; five of the bytes mean nothing.
_C1 = {code: bytes([code]).decode("cp1252", "ignore") or "\N{REPLACEMENT CHARACTER}" for code in range(0x80, 0xA0)}


class Folder:
    """The files in a folder and below it, the shallowest first."""

    def __init__(self, path: str | Path) -> None:
        self.name = shown(str(path))
        if not Path(path).is_dir():
            raise PlainlyError(f"{self.name} is not a folder")
        root = Path(path).absolute()
        found = []
        for place, folders, names in os.walk(root):
            depth = len(Path(place).parts) - len(root.parts)
            if depth >= DEEPEST:
                folders.clear()
            found += [(depth, Path(place) / name) for name in names]
        self._files = [path for _, path in sorted(found)]

    def look_for(self, *names: str) -> Path | None:
        """The file of one of these names, `a.csv` or `b/a.csv`; the first name counts most, then the depth."""
        for name in names:
            for path in self._files:
                if path.as_posix().endswith(f"/{name}"):
                    return path
        return None

    def find(self, *names: str) -> Path:
        """As `look_for`; an error where there is none."""
        path = self.look_for(*names)
        if path is None:
            raise MissingResource(f"{self.name}: there is no {' or '.join(names)} in this folder or below it")
        return path


def rows(path: Path, needed: Sequence[str], other_encoding: str | None = None) -> Rows:
    """The rows of a CSV, TSV or JSONL file that has these columns; `other_encoding` counts where it is not UTF-8."""
    with open_path(str(path)) as stream:
        data = stream.read()
    if other_encoding is not None and not _is_utf8(data):
        data = data.decode(other_encoding, "replace").encode()
    file = InputFile(shown(str(path)), io.BytesIO(data))
    found: Rows = []
    for number, row in read_table(file, str(path), Needed.of(*needed)):
        for name in needed:
            if name not in row:
                raise PlainlyError(f"{file.name}: there is no column {name!r}; is it the published file?")
        found.append((f"{file.name}:{number}", {name: _text(cell) for name, cell in row.items()}))
    if not found:
        raise PlainlyError(f"{file.name}: there are no rows")
    return found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def lines(path: Path) -> list[str]:
    """The lines of a text file, without white space at their ends."""
    with open_path(str(path)) as stream:
        data = stream.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PlainlyError(f"{shown(str(path))} is not UTF-8") from None
    return [line.strip() for line in text.removesuffix("\n").split("\n")]


def number(cell: str, place: str, name: str) -> float:
    """A cell as a number; NaN where it is empty."""
    if not cell.strip():
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PlainlyError(f"{place}: {name} must be a number, not {shown(cell)}")
    return value


def line_number(cell: str, place: str, name: str, first: int, lines: int) -> int:
    """Which line, from 0, a cell names that counts them from `first`."""
    if not re.fullmatch(r"[0-9]{1,9}", cell.strip()) or not first <= int(cell) < first + lines:
        raise PlainlyError(f"{place}: {name} must be a line, {first} to {first + lines - 1}, not {shown(cell)}")
    return int(cell) - first


def bare(text: str) -> str:
    """Letters and digits alone, in lower case: what is left of a text whatever was done to its punctuation."""
    return "".join(char for char in text.casefold() if char.isalnum())


def repaired(text: str) -> str:
    """C1 control characters as the dashes and quotation marks that they stand for."""
    return text.translate(_C1)


def references_of(folder: Folder, name: str) -> list[tuple[str, ...]] | None:
    """The references of each segment of the test set `NAME-test` of the catalogue.

    They are looked for below the folder, then in plainly's own data folder; None where they are in neither. Moses
    escapes such as &quot; stand for one character each.
    """
    entry = catalogue.info(f"{name}-test")
    columns = []
    for file in entry.having("reference"):
        path = folder.look_for(Path(file.name).name)
        if path is None and store.state(file) == "ok":
            path = store.place(file)
        if path is None:
            return None
        column = [html.unescape(text) for text in lines(path)]
        if len(column) != entry.segments:
            raise PlainlyError(f"{shown(str(path))} has {len(column)} lines; the published file has {entry.segments}")
        columns.append(column)
    return list(zip(*columns, strict=True))
