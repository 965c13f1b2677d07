"""What owners settle with the platform that people came from: whom to approve or reject, and what it says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.records import as_text, safe, write_csv
from plainly.corpus.readers.rows import any_text, table_rows
from plainly.studio.entered_texts import looks_like_formula, one_line
from plainly.studio.ids_and_times import seconds_between
from plainly.studio.kinds.dashboards import Say
from plainly.studio.store import tables
from plainly.studio.store.arrivals import COUNTED
from plainly.studio.store.campaigns import Loaded, loaded
from plainly.studio.store.database import Database
from plainly.studio.store.overview import participants
from plainly.studio.store.people import PREVIEW, code_of
from plainly.studio.store.qualification import why_screened

IDS = ("participant id", "workerid", "worker_id", "worker id", "prolific_pid", "prolific pid", "participant_id")
"""What platforms call the column that says who somebody is."""
MOST_ROWS = 100_000
MOST_COLUMNS = 30
LONGEST_NAME = 100
LONGEST_CELL = 1000
MOST_SAID = 50
"""Ids without a participant that are said one by one."""

_people = tables.Participant


@dataclass(frozen=True)
class Export:
    """What a file of a platform holds."""

    id_column: str
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, str]]
    """By id."""


@dataclass(frozen=True)
class Imported:
    """Whom it fits."""

    id_column: str
    columns: tuple[str, ...]
    """That can be taken over."""
    matched: int
    unmatched: tuple[str, ...]
    """Ids in the file that nobody here has; the first ones."""
    more: int
    """How many more there are."""
    missing: tuple[str, ...]
    """Codes of those who came from the platform and are not in the file."""


def came(session: Session, campaign_id: str) -> Sequence[tables.Participant]:
    """Everybody who came by the open link, in the order of arrival."""
    query = select(_people).where(
        _people.campaign_id == campaign_id, _people.number != PREVIEW, _people.place.is_not(None)
    )
    return session.scalars(query.order_by(_people.number)).all()


def settled(
    database: Database, campaign_id: str, remarks: Mapping[str, Sequence[str]], until: str, say: Say
) -> list[dict[str, Any]]:
    """Of everybody who came by the open link: what a platform asks, and what is suggested. For owners only.

    `remarks` is what is odd, by code, as far as answers until that time tell.
    """
    progress = {one["number"]: one for one in participants(database, campaign_id)}
    with database.reading() as session:
        found = loaded(session, campaign_id)
        return [
            _settled(found, row, progress[row.number], remarks.get(code_of(row.number), ()), until, say)
            for row in came(session, campaign_id)
            if row.number in progress
        ]


def _settled(
    found: Loaded, row: tables.Participant, progress: Mapping[str, Any], remarks: Sequence[str], until: str, say: Say
) -> dict[str, Any]:
    what, reason = _suggested(row, remarks, until)
    minutes = seconds_between(row.created, row.completed) / 60 if row.completed else None
    end = found.arrival.completion(row.completion) if row.completed else {}
    shown = found.arrival.failure if row.status == "screened" else end
    return {
        "number": row.number,
        "code": code_of(row.number),
        "platform_id": row.platform_id or "",
        "parameters": row.parameters,
        "completion": shown.get("code", ""),
        "status": "gone" if row.place is False and row.status in COUNTED else row.status,
        "minutes": None if minutes is None else round(max(0.0, minutes), 1),
        **{name: progress[name] for name in ("done", "total")},
        "remarks": list(remarks),
        "screened": why_screened(row.screened, say),
        "left_out": row.left_out,
        "suggestion": what,
        "reason": reason,
    }


def _suggested(row: tables.Participant, remarks: Sequence[str], until: str) -> tuple[str, str]:
    """What to tell the platform, and why: the end of the key of an interface text."""
    if row.status == "revoked":
        return "reject", "revoked"
    if row.left_out:
        return "look", "left_out"
    if row.status == "withdrawn":
        return "look", "withdrawn"
    if row.status == "screened":
        return "look", "screened"
    if not row.completed:
        away = "gone" if row.started else "absent"
        return ("look", away) if row.place is False else ("wait", "working")
    if row.finished is None:
        return "look", "undone"
    if not remarks and row.completed > until:
        return "wait", "unchecked"
    return ("look", "odd") if remarks else ("approve", "done")


def exported(rows: Sequence[Mapping[str, Any]]) -> str:
    """The same as a table, ids and parameters included: personal data."""
    names = sorted({name for row in rows for name in row["parameters"]})
    keys = ("code", "platform_id", "completion", "status", "minutes", "done", "total", "screened", "suggestion")
    columns = ["participant", *keys[1:], "remarks", *(f"parameter.{name}" for name in names)]

    def cells(row: Mapping[str, Any]) -> list[Any]:
        own = [row[key] if row[key] is not None else "" for key in keys]
        texts = ["; ".join(row["remarks"]), *(row["parameters"].get(name, "") for name in names)]
        return [safe(cell) if isinstance(cell, str) else cell for cell in [*own, *texts]]

    return as_text(lambda out: write_csv(columns, [cells(row) for row in rows], out))


def import_platform(session: Session, campaign_id: str, export: Export, columns: Sequence[str]) -> Imported:
    """What the platform says of those who came from it, matched by id; without columns nothing is stored.

    A second file adds to the first, and takes the place of columns that both have.
    """
    for name in columns:
        if name not in export.columns:
            raise UnknownName("column:", name, export.columns)
    if len(columns) > MOST_COLUMNS:
        raise PlainlyError(f"{MOST_COLUMNS} columns at most can be taken over")
    by_id = export.rows
    rows = [row for row in came(session, campaign_id) if row.platform_id]
    here = {row.platform_id for row in rows}
    matched = [row for row in rows if row.platform_id in by_id]
    if columns:
        for row in matched:
            said = by_id[row.platform_id or ""]
            row.platform = {**row.platform, **{name: said[name] for name in columns if said[name]}}
        campaign = tables.Campaign
        session.execute(  # whoever looks at results sees that something is new
            update(campaign).where(campaign.id == campaign_id).values(revision=campaign.revision + 1),
            execution_options={"synchronize_session": False},
        )
    unmatched = [who for who in by_id if who not in here]
    return Imported(
        export.id_column,
        export.columns,
        len(matched),
        tuple(unmatched[:MOST_SAID]),
        max(0, len(unmatched) - MOST_SAID),
        tuple(code_of(row.number) for row in rows if row.platform_id not in by_id),
    )


def read_export(path: Path, id_column: str = "") -> Export:
    """A file of a platform: CSV or TSV with a header."""
    found: dict[str, dict[str, str]] = {}
    header: list[str] = []
    for number, (place, row) in enumerate(table_rows(path), 1):
        if number == 1:
            header = [one_line(name, "the name of a column", LONGEST_NAME, empty=True) for name in row]
            header = [name for name in header if name and not looks_like_formula(name)]
            id_column = id_column or next((name for name in header if name.casefold() in IDS), "")
            if id_column not in header:
                raise PlainlyError(f"{place.file}: which column has the ids? It has {', '.join(header)}")
        if number > MOST_ROWS:
            raise PlainlyError(f"{place.file}: more than {MOST_ROWS:,} rows")
        who = any_text(row.get(id_column), place, id_column)
        if who:
            found[who] = {name: _cell(any_text(row.get(name), place, name), f"{place}: {name}") for name in header}
    if not found:
        raise PlainlyError(f"{path.name}: there is no row with an id")
    return Export(id_column, tuple(name for name in header if name != id_column), found)


def _cell(text: str, what: str) -> str:
    return one_line(" ".join(text.split()), what, LONGEST_CELL, empty=True)
