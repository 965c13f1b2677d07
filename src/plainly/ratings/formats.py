"""Ratings in files: CSV, TSV or JSONL, one row a rating, or one row an output with a column a scale.

One row a rating has `rater`, `item`, `system`, `scale`, `value` (empty: could not be judged), and, where known,
`seconds`, `time` (ISO 8601), `page`, `words` (on that page), `role` (output, reference or check), `expected` (of a
check: `4..5`, or `5`), and `source` and `output`, the texts that were rated. Rows with a reason in `left_out` do not
count. Other columns are not looked at. One row an output has a column
for each scale in place of `scale` and `value`. Blanks around the names of columns do not count, nor does the case of
those that every file has. Releases that are known by their headers are read as they are.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from plainly.base.errors import Argument, Place, PlainlyError, Remedy
from plainly.base.messages import Message
from plainly.base.records import Record, Target, write_records
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.frames import NAME, tables_of
from plainly.corpus.readers.left_out import counted_rows
from plainly.corpus.readers.releases import PlacedRow, release_of
from plainly.corpus.readers.rows import Needed, any_text, cell_text, table_rows
from plainly.ratings.records import ROLES, Range, Rating, Ratings, Role, gathered

WHICH = ("rater", "item", "system")  # who rated what: in every file
NEEDED = (*WHICH, "scale", "value")
COLUMNS = (*NEEDED, "seconds", "time", "page", "words", "role", "expected")
TEXTS = ("source", "output")  # what was rated, where a file has it
OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "rater": ("workerid", "worker", "annotator", "raterid", "participant", "judge"),
    "item": ("segment", "itemid", "originalid", "sentenceid", "sentid", "id"),
    "system": ("systemname", "sysname", "model"),
    "scale": ("dimension", "aspect", "criterion"),
    "value": ("rating", "score"),
}
"""What columns are called in files of others; a file with such names is not read, but its reader is told."""


def read_ratings(
    paths: Any,
    *,
    scales: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    ranges: Mapping[str, Range] | None = None,
    groups: Sequence[str] = (),
) -> Ratings:
    """The ratings of one or more files, or of a data frame.

    `scales` are columns of files that have one row an output. `columns` says what columns are called in the files,
    as {"rater": "WorkerId"}; a name that is none of ours is a scale. `ranges` holds what a scale allows, by its name
    or, for all others, by "". `groups` are columns that say to which group a rater belongs, as `audience`.
    """
    tables = tables_of(paths)
    files = [shown(str(table)) if isinstance(table, (str, Path)) else NAME for table in tables]
    resolved = [Path(table).resolve() for table in tables if isinstance(table, (str, Path)) and str(table) != "-"]
    for place, path in enumerate(resolved):
        if path in resolved[:place]:
            raise PlainlyError(f"{shown(str(path))} is given twice; its ratings would count twice")
    columns = columns or {}
    called = {
        scale: columns.get(scale, scale)
        for scale in (*scales, *(name for name in columns if name not in (*COLUMNS, *TEXTS)))
    }
    notes: list[Message] = []
    entries = [
        entry
        for table, name in zip(tables, files, strict=True)
        for entry in _read_one(table, name, called, columns, groups, notes)
    ]
    if not entries:
        raise PlainlyError(f"{', '.join(files)}: there are no ratings")
    return gathered(entries, ranges, notes)


def write_ratings(ratings: Ratings, target: Target) -> None:
    """Write them as CSV, or as JSONL if the name ends so."""
    write_records(records_of(ratings.entries), columns_of(ratings.entries), target)


def columns_of(entries: Sequence[Rating]) -> list[str]:
    """Those of a file of these ratings, with those of groups."""
    return [*COLUMNS, *dict.fromkeys(name for entry in entries for name in entry.groups)]


def records_of(entries: Sequence[Rating]) -> list[Record]:
    """A record a rating; what is not known is left out, a value that was not given is None."""
    return [{name: cell for name, cell in _cells(entry).items() if cell != ""} for entry in entries]


def _cells(entry: Rating) -> dict[str, str | float | None]:
    return {
        **{name: getattr(entry, name) for name in COLUMNS},
        "value": None if entry.value is None else _brief(entry.value),
        "seconds": "" if entry.seconds is None else _brief(entry.seconds),
        "words": "" if entry.words is None else entry.words,
        "expected": "" if entry.expected is None else str(entry.expected),
        **entry.groups,
    }


def _brief(value: float) -> float:
    return int(value) if value == int(value) else value


def _read_one(
    table: Any,
    name: str,
    scales: Mapping[str, str],
    columns: Mapping[str, str],
    groups: Sequence[str],
    notes: list[Message],
) -> Iterator[Rating]:
    names = {columns.get(name, name): others for name, others in OTHER_WORDS.items() if name in WHICH or not scales}
    needed = Needed(names, nameable=True, use=None if columns else "ratings")
    rows: Iterable[PlacedRow] = counted_rows(table_rows(table, needed))
    if not columns:
        rows, scales = _of_release(name, list(rows), scales, notes)
    header: tuple[str, ...] | None = None
    called: dict[str, str] = {}
    for place, row in rows:
        if header != tuple(row):  # records of JSONL may differ
            header, called = tuple(row), _called(row, columns)
            if any(called[name] not in row for name in WHICH):
                raise needed.lacking(place.file, header)
            _refuse_odd_scale(row, called, scales, columns)
        if scales:
            if row.get(called["expected"]):
                said = "checks with an expected value need one row a rating, which names its scale"
                raise PlainlyError(said, place=place)
            values = {scale: _found(row, _column(row, name, True), place) for scale, name in scales.items()}
        else:
            if called["scale"] not in row and called["value"] not in row:
                raise PlainlyError(
                    f"there is neither {shown(called['scale'])} nor {shown(called['value'])}; "
                    f"there is {_listed(row)}",
                    place=place,
                    remedy=Remedy("scales", condition="if other columns hold the values"),
                )
            scale = cell_text(_found(row, called["scale"], place), place, called["scale"])
            values = {scale: _found(row, called["value"], place)}
        for scale, value in values.items():
            of = {name: cell_text(_found(row, _column(row, name, False), place), place, name) for name in groups}
            yield _rating(row, called, place, scale, value, of)


def _of_release(
    name: str, rows: list[PlacedRow], scales: Mapping[str, str], notes: list[Message]
) -> tuple[list[PlacedRow], Mapping[str, str]]:
    """The rows by our names if their header is known, and their scales; else as they are."""
    header = tuple(rows[0][1]) if rows else ()
    if {*WHICH} <= {column.strip().casefold() for column in header}:
        return rows, scales
    release = release_of(name, header, "ratings")
    if release is None:
        return rows, scales
    found = release.rated(rows, tuple(scales.values()))
    notes.append(release.told(name, found.called))
    return found.rows, dict(zip(found.scales, found.scales, strict=True))


def _refuse_odd_scale(
    row: Mapping[str, Any], called: Mapping[str, str], scales: Mapping[str, str], columns: Mapping[str, str]
) -> None:
    """A name of a column that is none of ours would be a scale; beside scales in rows it is a slip."""
    odd = [name for name in scales if name in columns]
    if odd and called["scale"] in row and called["value"] in row:
        ours = ", ".join(columns.get(name, name) for name in COLUMNS)
        said = f"{shown(odd[0])} is none of {ours}, and no scale, since rows name theirs"
        raise PlainlyError(said, place=Argument("columns", f"{odd[0]}={columns[odd[0]]}"))


def _called(row: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, str]:
    """What the columns are called in a file."""
    return {name: _column(row, columns.get(name, name), name in NEEDED) for name in (*COLUMNS, *TEXTS)}


def _column(row: Mapping[str, Any], name: str, any_case: bool) -> str:
    """How a row writes the name of a column; the name itself where it has no such column."""
    if name in row:
        return name
    for column in row:
        written = column.strip()
        if written == name or (any_case and written.casefold() == name.casefold()):
            return column
    return name


def _listed(row: Mapping[str, Any]) -> str:
    return ", ".join(shown(column) for column in row)


def _rating(
    row: Mapping[str, Any],
    called: Mapping[str, str],
    place: Place,
    scale: str,
    value: Any,
    groups: Mapping[str, str],
) -> Rating:
    rater, item, system = (cell_text(_found(row, called[name], place), place, called[name]) for name in WHICH)
    for name, text in zip((*WHICH, "scale"), (rater, item, system, scale), strict=True):
        if not text:
            raise PlainlyError(f"{shown(called[name].strip())} is empty", place=place)
    page, time = (cell_text(row.get(called[name]), place, called[name]) for name in ("page", "time"))
    return Rating(
        rater=rater,
        item=item,
        system=system,
        scale=scale,
        value=_number(value, place, scale if called["value"] not in row else called["value"]),
        seconds=_number(row.get(called["seconds"]), place, called["seconds"]),
        time=_time(time, place),
        words=_count(row.get(called["words"]), place, called["words"]),
        page=page,
        role=_role(cell_text(row.get(called["role"]), place, called["role"]), place),
        expected=_expected(row.get(called["expected"]), place),
        row=place.number,
        file=place.file,
        source=any_text(row.get(called["source"]), place, called["source"]),
        output=any_text(row.get(called["output"]), place, called["output"]),
        groups=groups,
    )


def _found(row: Mapping[str, Any], name: str, place: Place) -> Any:
    if name not in row:
        close = difflib.get_close_matches(name, list(row), 1, 0.7)
        hint = f"; did you mean {shown(close[0])}?" if close else ""
        raise PlainlyError(f"{shown(name)} is missing; there is {_listed(row)}{hint}", place=place)
    return row[name]


def _number(value: Any, place: Place, name: str) -> float | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise PlainlyError(f"{shown(name)} must be a number, not {shown(str(value))}", place=place) from None
    if not math.isfinite(number):
        raise PlainlyError(f"{shown(name)} must be a number, not {shown(str(value))}", place=place)
    return number


def _count(value: Any, place: Place, name: str) -> int | None:
    number = _number(value, place, name)
    if number is None:
        return None
    if number != int(number) or number < 0:
        raise PlainlyError(f"{shown(name)} must be a whole number, not {shown(str(value))}", place=place)
    return int(number)


def _time(text: str, place: Place) -> str:
    try:
        if text:
            datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise PlainlyError(f"time must be as 2026-03-01T12:30:00+00:00, not {shown(text)}", place=place) from None
    return text


def _role(text: str, place: Place) -> Role:
    for role in ROLES:
        if text == role:
            return role
    if text:
        raise PlainlyError(f"role must be {', '.join(ROLES[:-1])} or {ROLES[-1]}, not {shown(text)}", place=place)
    return "output"


def _expected(value: Any, place: Place) -> Range | None:
    if isinstance(value, float):
        value = repr(value)
    text = cell_text(value, place, "expected")
    try:
        return Range.of(text) if text else None
    except ValueError:
        raise PlainlyError(f"expected must be a number or a range as 4..5, not {shown(text)}", place=place) from None
