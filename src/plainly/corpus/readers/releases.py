"""Tables that many people have: known by their headers, and read as if they had our names.

`releases.toml` lists them. Whatever is not in it stays unknown: no column is taken for what it may not be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from plainly.base import declarations
from plainly.base.errors import Place, PlainlyError
from plainly.base.messages import Message, message

Use = Literal["texts", "ratings", "outputs"]
Ways = str | tuple[str, ...]
"""One name, or several that mean the same."""
PlacedRow = tuple[Place, dict[str, Any]]


@dataclass(frozen=True)
class Release:
    """One entry of `releases.toml`, which says what each field is."""

    key: str
    name: str
    use: Use
    header: tuple[Ways, ...]
    columns: Mapping[str, Ways] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    scales: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()
    scale: str = ""
    labels: Mapping[str, float] = field(default_factory=dict)
    rows: bool = False
    note: str = ""
    refused: str = ""

    def fits(self, header: Sequence[str]) -> bool:
        """Whether a table has such a header."""
        there = _spelt(header)
        return all(_first(ways, there) is not None for ways in self.header)

    def called(self, header: Sequence[str]) -> dict[str, str]:
        """Our names, and the columns of this table that stand for them."""
        there = _spelt(header)
        found = {name: _first(ways, there) for name, ways in self.columns.items()}
        return {name: column for name, column in found.items() if column is not None}

    def told(self, file: str, called: Mapping[str, str]) -> Message:
        """What became of the table, for people."""
        english = "{file} is read as {name}: {columns}"
        named = ",".join(f"{name}={column}" for name, column in called.items())
        name = message(f"corpus.release-{self.key}", self.name)
        said = message("corpus.release", english, file=file, name=name, columns=named)
        if not self.note:
            return said
        note = message(f"corpus.note-{self.key}", self.note)
        return Message("", "{said}; {note}", {"said": said, "note": note})

    def rated(self, rows: Sequence[PlacedRow], scales: Sequence[str] = ()) -> Rated:
        """The rows of a table of ratings by our names; `scales` are columns of values that somebody named."""
        header = tuple(rows[0][1])
        called = self.called(header)
        found = {name: name for name in scales} or dict(self._scales(rows, _spelt(header)))
        names = [*found, *([self.scale] if self.raters else [])]
        return Rated(list(self._by_our_names(rows, called, found)), names, {**called, **found})

    def _scales(self, rows: Sequence[PlacedRow], there: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Scales and the columns that hold their values."""
        for scale in self.scales:
            start = scale.removesuffix("*").casefold()
            if not scale.endswith("*"):
                if start in there:
                    yield scale, there[start]
                continue
            for folded, column in there.items():
                if folded.startswith(start) and _numbers(row.get(column) for _, row in rows):
                    yield column.strip()[len(start) :], column

    def _by_our_names(
        self, rows: Sequence[PlacedRow], called: Mapping[str, str], scales: Mapping[str, str]
    ) -> Iterator[PlacedRow]:
        there = _spelt(tuple(rows[0][1]))
        for place, row in rows:
            own: dict[str, Any] = {**{name: row.get(column) for name, column in called.items()}, **self.fixed}
            if self.rows:
                own["item"] = str(place)
            values = {scale: self._value(row.get(column)) for scale, column in scales.items()}
            if not self.raters:
                yield place, own | values
            for rater in self.raters:
                yield place, own | {"rater": rater, self.scale: row.get(there[rater])}

    def _value(self, cell: Any) -> Any:
        return self.labels.get(str(cell).strip().casefold(), cell)


@dataclass(frozen=True)
class Rated:
    """A table of ratings by our names."""

    rows: list[PlacedRow]
    scales: list[str]
    """Columns that hold values; none where rows name their scale."""
    called: Mapping[str, str]
    """Our names and the columns that stood for them."""


def release_of(name: str, header: Sequence[str], use: Use) -> Release | None:
    """The release that has such a header, if there is one; an error where it is known to be of no use."""
    found = next((one for one in _releases() if one.use == use and one.fits(header)), None)
    if found is not None and found.refused:
        raise PlainlyError(f"this is {found.name}: {found.refused}", place=Place(name))
    return found


@cache
def _releases() -> tuple[Release, ...]:
    table = declarations.read((files("plainly.corpus.readers") / "releases.toml").read_text("utf-8"))
    return tuple(declarations.made(Release, one, "release") for one in declarations.tables(table, "release"))


def _spelt(header: Sequence[str]) -> dict[str, str]:
    """How a table writes the names of its columns; case and blanks do not count."""
    found: dict[str, str] = {}
    for column in header:
        found.setdefault(column.strip().casefold(), column)
    return found


def _first(ways: Ways | Sequence[str], there: Mapping[str, str]) -> str | None:
    names = [ways] if isinstance(ways, str) else ways
    return next((there[name.casefold()] for name in names if name.casefold() in there), None)


def _numbers(cells: Iterator[Any]) -> bool:
    """Whether there are numbers, and nothing else."""
    given = [cell for cell in cells if cell is not None and str(cell).strip()]
    try:
        return bool([float(cell) for cell in given])
    except (TypeError, ValueError):
        return False
