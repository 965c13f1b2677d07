"""Computes the tables of a recipe and holds them against what was printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plainly.base.errors import MissingResource, PlainlyError
from plainly.findings.result import StudyResult
from plainly.inference import Resampling
from plainly.replication.computations import COMPUTATIONS
from plainly.replication.found import STATUSES, Cell, Found, Status, Values
from plainly.replication.recipe import Cause, Recipe, Row, Table
from plainly.replication.work import Work


@dataclass(frozen=True)
class Line:
    """A row of a computed table."""

    row: Row
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Replicated:
    """A table, computed anew."""

    table: Table
    lines: Sequence[Line]
    why: str = ""
    """Why there are no lines, where the data of a table without printed rows are missing."""

    @property
    def cells(self) -> list[Cell]:
        return [cell for line in self.lines for cell in line.cells.values()]

    @property
    def missing(self) -> str:
        """Why a number is not there, if one is not."""
        return self.why or next((cell.found.why for cell in self.cells if cell.value is None), "")

    def counts(self) -> dict[Status, int]:
        """How many printed numbers are met, explained, unexplained, unavailable."""
        found = [cell.status for cell in self.cells]
        return {status: found.count(status) for status in STATUSES}

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "kind": self.table.kind,
            "name": self.table.name,
            "title": self.table.title,
            "counts": self.counts(),
            "rows": [
                {
                    "name": line.row.name,
                    "settings": dict(line.row.settings),
                    "cells": {title: cell.to_dict() for title, cell in line.cells.items()},
                }
                for line in self.lines
            ],
        }


@dataclass(frozen=True, repr=False)
class Replication(StudyResult, findings="plainly.replication.findings:findings", usual="summary"):
    """Tables of a paper, computed anew."""

    recipe: Recipe
    tables: Sequence[Replicated]
    resampling: Resampling
    doubts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Test sets that have another number of segments here than in the catalogue: both numbers."""
    unchecked: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of entries of the catalogue, files with other bytes than its own."""

    def counts(self) -> dict[Status, int]:
        """Over all tables."""
        each = [replicated.counts() for replicated in self.tables]
        return {status: sum(counts[status] for counts in each) for status in STATUSES}

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "paper": self.recipe.name,
            "title": self.recipe.title,
            "citation": self.recipe.citation,
            "resampling": self.resampling.to_dict(),
            "counts": self.counts(),
            "tables": [replicated.to_dict() for replicated in self.tables],
        }


def replicate(
    recipe: Recipe,
    tables: Sequence[Table] | None = None,
    resampling: Resampling | None = None,
    tell: Callable[[str], None] | None = None,
) -> Replication:
    """Compute these tables (default: all); what is not on this machine stays empty and says so."""
    resampling = resampling or Resampling()
    chosen = recipe.tables if tables is None else tables
    for table in chosen:
        COMPUTATIONS[table.compute]  # a name that nobody knows is refused before the first of them begins
    work = Work(recipe, resampling, tell or (lambda _: None))
    found = []
    for table in chosen:
        work.tell(f"{recipe.name}: {table.where}")
        found.append(_replicated(table, work))
    return Replication(recipe, found, resampling, work.doubts, work.unchecked)


def _replicated(table: Table, work: Work) -> Replicated:
    values = _values(table, work)
    if isinstance(values, MissingResource):
        missing = Found(why=str(values))
        lines = [_line(row, dict.fromkeys(table.columns, missing)) for row in table.rows]
        return Replicated(table, lines, "" if lines else missing.why)
    rows = table.rows or [Row(key, key=key) for key in dict.fromkeys(key for key, _ in values)]
    lines = [_line(row, {title: _found(values, row, title, table) for title in table.columns}) for row in rows]
    for cause in table.causes:
        lines = _explained(lines, cause, table, work)
    return Replicated(table, lines)


def _line(row: Row, found: Mapping[str, Found]) -> Line:
    printed = row.printed or [""] * len(found)
    return Line(row, {title: Cell(text, one) for (title, one), text in zip(found.items(), printed, strict=True)})


def _values(table: Table, work: Work) -> Values | MissingResource:
    try:
        return COMPUTATIONS[table.compute](table, work)
    except MissingResource as error:
        return error
    except PlainlyError as error:
        raise PlainlyError(f"{work.recipe.name}: {table.where}: {error}") from error


def _found(values: Values, row: Row, column: str, table: Table) -> Found:
    if (row.key, column) not in values:
        raise PlainlyError(f"{table.where}: {table.compute} has no {column!r} of {row.key!r}")
    return values[row.key, column]


def _explained(lines: Sequence[Line], cause: Cause, table: Table, work: Work) -> list[Line]:
    """The lines with the cause tried on the cells that it is about, computed with it put in where it says how."""
    open_ = {
        (line.row.key, column)
        for line in lines
        for column, cell in line.cells.items()
        if cell.status == "unexplained" and cause.concerns(line.row, column)
    }
    if not open_:
        return list(lines)
    values: Values | MissingResource = {}
    if cause.settings:
        rows = [line.row for line in lines if any(line.row.key == key for key, _ in open_)]
        columns = [column for column in table.columns if any(column == title for _, title in open_)]
        values = _values(table.narrowed(rows, columns, cause.settings), work)
    given = {} if isinstance(values, MissingResource) else values

    def told(line: Line, column: str, cell: Cell) -> Cell:
        place = (line.row.key, column)
        if place not in open_:
            return cell
        return replace(cell, tried=(*cell.tried, cause), with_cause=given.get(place))

    return [
        Line(line.row, {column: told(line, column, cell) for column, cell in line.cells.items()}) for line in lines
    ]
