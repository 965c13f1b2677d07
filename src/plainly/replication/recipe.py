"""What a recipe says: the tables and figures of a paper, what was printed there, and how each is computed anew.

A recipe is data, a TOML file. Its formulas stay in their studies; `compute` names what calls them
(`plainly.replication.computations`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files as resources
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from plainly.base.declarations import Fault, insist, made, read
from plainly.base.errors import PlainlyError, UnknownName

Kind = Literal["table", "figure"]
CAUSES = {
    "release": "the released data are not those behind the print",
    "paper": "a fault of the paper",
    "restricted": "the data are restricted",
    "ours": "our choice",
}
"""Why a number may differ, by kind."""
CHARTS = ("lines", "bars", "boxes")


@dataclass(frozen=True)
class Row:
    """A row of a table, with what the computation needs to know of it."""

    name: str
    printed: tuple[str, ...] = ()  # one number a column, as printed; "" where there is none
    settings: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""  # the name, and the settings where several rows have it


@dataclass(frozen=True)
class Cause:
    """Why printed cells differ. It explains one only if the table, computed with these settings, meets the print."""

    kind: str
    about: str
    rows: tuple[str, ...] = ()  # empty: all
    columns: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(
        default_factory=dict, hash=False
    )  # over the table's; empty: a guess, no proof

    def to_dict(self) -> dict[str, str]:
        """As it stands in JSON."""
        return {"kind": self.kind, "about": self.about}

    def concerns(self, row: Row, column: str) -> bool:
        """Whether it is about a cell."""
        return (not self.rows or bool({row.name, row.key} & {*self.rows})) and (
            not self.columns or column in self.columns
        )


@dataclass(frozen=True)
class Picture:
    """How a figure is drawn from its rows: lines (a row is a line, columns are x), bars, or boxes."""

    kind: str
    x: str = ""
    y: str = ""
    panels: bool = False  # rows named "PANEL: LINE" are drawn in panels


@dataclass(frozen=True)
class Table:
    """A table or figure: how it is computed, and what was printed."""

    name: str
    title: str
    compute: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...] = ()  # none: all that the computation has
    settings: Mapping[str, Any] = field(default_factory=dict)
    meaning: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # column -> what the computation needs
    causes: tuple[Cause, ...] = ()
    needs: tuple[str, ...] = ()  # entries of the catalogue
    note: str = ""
    kind: Kind = "table"
    chart: Picture | None = None

    @property
    def where(self) -> str:
        """How people call it: Table 3."""
        return f"{self.kind.capitalize()} {self.name}"

    @property
    def data_sets(self) -> list[str]:
        """The entries of the catalogue that it needs: those that it says, and the test sets of rows and columns."""
        settings = [self.settings, *self.meaning.values(), *(row.settings for row in self.rows)]
        return list(dict.fromkeys([*self.needs, *(str(one["test_set"]) for one in settings if "test_set" in one)]))

    @property
    def printed(self) -> int:
        """How many numbers were printed in it."""
        return sum(text != "" for row in self.rows for text in row.printed)

    def narrowed(self, rows: Iterable[Row], columns: Iterable[str], settings: Mapping[str, Any]) -> Table:
        """The same with these rows and columns alone, and other settings over its own and those of its rows."""
        return replace(
            self,
            rows=tuple(replace(row, settings={**row.settings, **settings}) for row in rows),
            columns=tuple(columns),
            settings={**self.settings, **settings},
            causes=(),
        )


@dataclass(frozen=True)
class Erratum:
    """A published number or claim that does not hold."""

    name: str
    where: str
    claim: str
    finding: str
    command: str  # shows it
    shows: tuple[str, ...] = ()  # what is in the output of the command
    printed: bool = False  # printed numbers alone show it: the command needs no data


@dataclass(frozen=True)
class Files:
    """A test set that is not in the catalogue: its files, relative to the recipe."""

    references: tuple[str, ...] = ()
    sources: str = ""
    systems: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """A paper: its tables, figures and errata."""

    name: str
    title: str
    tables: tuple[Table, ...]
    about: str = ""
    citation: str = ""
    profile: str = ""
    errata: tuple[Erratum, ...] = ()
    test_sets: Mapping[str, Files] = field(default_factory=dict)
    folder: Path = Path()

    def chosen(self, names: Sequence[str], kind: Kind) -> list[Table]:
        """The tables, or figures, with these names; they may be called as in the list, "Table 3"."""
        there = {table.name: table for table in self.tables if table.kind == kind}
        names = [re.sub(rf"{kind}\s+", "", name, count=1, flags=re.IGNORECASE) for name in names]
        for name in names:
            if not there:
                raise PlainlyError(f"{self.name} has no {kind}s")
            if name not in there:
                raise UnknownName(f"{kind} of {self.name}", name, there)
        return [there[name] for name in names]

    def erratum(self, name: str) -> Erratum:
        """The erratum with that name."""
        there = {erratum.name: erratum for erratum in self.errata}
        if name not in there:
            raise UnknownName(f"erratum of {self.name}", name, there)
        return there[name]


def names() -> list[str]:
    """The papers whose recipes come with plainly."""
    return sorted(_bundled())


def load(name: str) -> Recipe:
    """The bundled recipe of that name, or the one that a TOML file holds."""
    path = Path(name) if name.endswith(".toml") else _bundled().get(name)
    if path is None:
        raise UnknownName("paper", name, names())
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PlainlyError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        return replace(_recipe(path.stem, read(text)), folder=path.parent)
    except Fault as error:
        raise PlainlyError(f"{path}: {error}") from error


def _bundled() -> dict[str, Path]:
    folder = Path(str(resources("plainly.replication") / "recipes"))
    return {path.stem: path for path in folder.glob("*.toml")}


def _recipe(name: str, table: dict[str, Any]) -> Recipe:
    meaning = _named(table.pop("columns", {}), "columns")
    sets = {
        title: made(Files, entry, f"test set {title}")
        for title, entry in _named(table.pop("test_sets", {}), "test_sets").items()
    }
    parts = {kind: _list(table.pop(f"{kind}s", []), f"{kind}s") for kind in ("table", "figure")}
    items = [_table(entry, kind, i, meaning) for kind in parts for i, entry in enumerate(parts[kind], 1)]
    errata = [
        made(Erratum, entry, f"erratum {i}") for i, entry in enumerate(_list(table.pop("errata", []), "errata"), 1)
    ]
    recipe = made(Recipe, {**table, "name": name, "tables": items, "errata": errata, "test_sets": sets}, "the recipe")
    insist(bool(items), "there are no tables and no figures")
    for what, listed in (
        ("tables and figures", [item.where for item in items]),
        ("errata", [one.name for one in errata]),
    ):
        insist(len(listed) == len(set(listed)), f"two of the {what} have the same name")
    return recipe


def _table(entry: Mapping[str, Any], kind: Any, number: int, meaning: Mapping[str, Any]) -> Table:
    where = f"{kind} {entry.get('name', number)}"
    rows = _rows(_list(entry.get("rows", []), f"{where}: rows"), where)
    causes = tuple(
        _cause(cause, f"{where}, cause {i}")
        for i, cause in enumerate(_list(entry.get("causes", []), f"{where}: causes"), 1)
    )
    picture = made(Picture, entry["chart"], f"{where}: chart") if "chart" in entry else None
    insist(isinstance(entry.get("settings", {}), Mapping), f"{where}: settings must be a table")
    given = {key: value for key, value in entry.items() if key not in ("rows", "causes", "chart")}
    table = made(Table, {**given, "rows": list(rows), "causes": list(causes), "kind": kind, "chart": picture}, where)
    insist((kind == "figure") == (picture is not None), f"{where}: a figure, and nothing else, has a chart")
    insist(picture is None or picture.kind in CHARTS, f"{where}: a chart is one of {', '.join(CHARTS)}")
    insist(bool(table.columns), f"{where}: there are no columns")
    for row in rows:
        insist(
            len(row.printed) in (0, len(table.columns)),
            f"{where}: {row.name} has {len(row.printed)} printed numbers for {len(table.columns)} columns",
        )
        for text in row.printed:
            insist(text == "" or _is_number(text), f"{where}: {row.name}: {text!r} is not a number")
    for cause in causes:
        for named, there in (
            (cause.rows, {*(r.name for r in rows), *(r.key for r in rows)}),
            (cause.columns, {*table.columns}),
        ):
            for name in named:
                insist(name in there, f"{where}: a cause names {name!r}, which is not there")
    return replace(table, meaning={title: meaning[title] for title in table.columns if title in meaning})


def _rows(entries: Sequence[Mapping[str, Any]], where: str) -> tuple[Row, ...]:
    rows = []
    for i, entry in enumerate(entries, 1):
        settings = {key: value for key, value in entry.items() if key not in ("name", "printed")}
        name = entry.get("name", settings.get("system", ""))
        rows.append(
            replace(
                made(Row, {"printed": list(entry.get("printed", [])), "name": name}, f"{where}, row {i}"),
                settings=settings,
            )
        )
    often = {row.name for row in rows if sum(other.name == row.name for other in rows) > 1}
    keyed = [replace(row, key=_key(row) if row.name in often else row.name) for row in rows]
    insist(len({row.key for row in keyed}) == len(keyed), f"{where}: two rows are the same")
    return tuple(keyed)


def _key(row: Row) -> str:
    said = [str(value) for key, value in row.settings.items() if key != "system"]
    return f"{row.name} ({', '.join(said)})"


def _cause(entry: Mapping[str, Any], where: str) -> Cause:
    cause = made(Cause, entry, where)
    insist(cause.kind in CAUSES, f"{where}: a kind is one of {', '.join(CAUSES)}")
    insist(isinstance(cause.settings, Mapping), f"{where}: settings must be a table")
    return cause


def _named(entries: Any, what: str) -> dict[str, Any]:
    insist(
        isinstance(entries, dict) and all(isinstance(entry, dict) for entry in entries.values()),
        f"{what} must be tables with names",
    )
    return dict(entries)


def _list(entries: Any, what: str) -> list[Mapping[str, Any]]:
    insist(isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries), f"{what} must be tables")
    return list(entries)


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
