"""Tables in long form: one row a segment and system, with the columns `system` and `output`, and perhaps `run`.

Rows of a segment share its id and may stand anywhere, so such a table is read as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plainly.base.errors import BadInput, Place, PlainlyError
from plainly.corpus.readers.columns import LONE_SYSTEM
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.records import Record, label
from plainly.corpus.readers.runs import named_runs

SYSTEM, RUN = "system", "run"
SHARED = ("source", "references", "document")
"""What all rows of a segment say alike."""
Cell = tuple[str, str]
"""A system and its run."""


class LongTable(NamedTuple):
    """The segments in the order of their first rows, the names of all outputs, and the runs of systems."""

    segments: list[Record]
    systems: list[str]
    runs: dict[str, tuple[str, ...]]


def is_long(records: Sequence[Record]) -> bool:
    """Whether a record says in `system` whose output it holds."""
    return any(SYSTEM in record.metadata and LONE_SYSTEM in record.outputs for record in records)


def in_segments(rows: Iterable[Record]) -> LongTable:
    """The rows of each segment as one record with all outputs; a cell without a row has none."""
    segments: dict[str, dict[Cell, Record]] = {}
    cells: dict[str, dict[str, Cell]] = {}
    unnamed: dict[str, tuple[bool, Place]] = {}
    for row in rows:
        if row.refusal is not None:
            raise BadInput(row.refusal, place=row.place)
        try:
            system, run = _cell(row)
        except PlainlyError as error:
            raise BadInput.of(error.at(row.place)) from None
        first = unnamed.setdefault(system, (run is None, row.place))
        if first[0] != (run is None):
            raise BadInput(
                f"a run of {shown(system)!r} has a name, and another has none ({_line(first[1])})", place=row.place
            )
        cell = system, run or ""
        own = segments.setdefault(row.id or "", {})
        _check(row, cell, own)
        own[cell] = row
        cells.setdefault(system, {})[run or ""] = cell
    outputs, runs = named_runs(cells)
    told = _metadata(segments.values())
    return LongTable([_segment(own, outputs, told) for own in segments.values()], list(outputs), runs)


def _cell(row: Record) -> tuple[str, str | None]:
    """The system and the run of a row."""
    if row.id is None:
        raise PlainlyError("no id; where each row is the output of one system, the id says which segment it is of")
    if set(row.outputs) != {LONE_SYSTEM}:
        raise PlainlyError("a row with a system has its output in the column output, and no other outputs")
    system = label(SYSTEM, row.metadata.get(SYSTEM))
    if not system:
        raise PlainlyError("no system; every row says whose output it holds, or none does")
    return system, label(RUN, row.metadata.get(RUN)) or None


def _check(row: Record, cell: Cell, others: dict[Cell, Record]) -> None:
    """Refuses a row that is there twice, or says something else of its segment than the first."""
    if cell in others:
        system, run = map(shown, cell)
        of = f"{system!r}, run {run!r}," if run else f"{system!r}"
        raise BadInput(
            f"segment {shown(row.id or '')!r} has an output of {of} in {_line(others[cell].place)} already",
            place=row.place,
        )
    first = next(iter(others.values()), row)
    for name in SHARED:
        if getattr(row, name) != getattr(first, name):
            raise BadInput(
                f"segment {shown(row.id or '')!r} has another {name.removesuffix('s')} in {_line(first.place)}",
                place=row.place,
            )


def _segment(rows: dict[Cell, Record], outputs: dict[str, Cell], metadata: Sequence[str]) -> Record:
    first = next(iter(rows.values()))
    texts = {name: rows[cell].outputs[LONE_SYSTEM] if cell in rows else None for name, cell in outputs.items()}
    told = {name: first.metadata[name] for name in metadata if name in first.metadata}
    return first._replace(outputs=texts, metadata=told)


def _metadata(segments: Iterable[dict[Cell, Record]]) -> list[str]:
    """Columns that tell of segments: all rows of one say the same. Others tell of outputs, as times and costs do."""
    names: dict[str, bool] = {}
    for rows in segments:
        first = next(iter(rows.values())).metadata
        for row in rows.values():
            for name in {**first, **row.metadata}:
                names[name] = names.get(name, True) and first.get(name) == row.metadata.get(name)
    return [name for name, shared in names.items() if shared and name not in (SYSTEM, RUN)]


def _line(place: Place) -> str:
    return f"line {place.line}" if place.line is not None else f"row {place.row}"
