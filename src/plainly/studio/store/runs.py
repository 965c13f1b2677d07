"""Runs: kept from the moment their files are taken. Status goes waiting, running, then done or failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, select, update
from sqlalchemy.orm import Session

from plainly.studio.entered_texts import one_line
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.ids_and_times import new_id, now
from plainly.studio.store.tables import Run

LONGEST_NAME = 200
MOST_WAITING = 20
TRIES = 2
"""As often a run may be running when the studio is killed; it may be the run that kills it."""
LISTED = (Run.id, Run.name, Run.status, Run.message, Run.request, Run.created)


@dataclass(frozen=True)
class Taken:
    """A run that is to be scored now."""

    id: str
    name: str
    request: Mapping[str, Any]
    files: bytes


def add(session: Session, name: str, request: Mapping[str, Any], files: bytes) -> str:
    """A run that waits for its turn; its id."""
    waiting = session.scalar(select(func.count()).select_from(Run).where(Run.status == "waiting"))
    if (waiting or 0) >= MOST_WAITING:
        raise Conflict(f"{MOST_WAITING} runs wait already; try again when some are done")
    row = Run(
        id=new_id(),
        name=one_line(name, "the name", LONGEST_NAME),
        status="waiting",
        message="",
        request={**request, "tries": 0},
        files=files,
        evaluation={},
        created=now(),
    )
    session.add(row)
    session.flush()
    return row.id


def every(session: Session) -> Sequence[Row[Any]]:
    """All runs, the newest first, without what is large."""
    return session.execute(select(*LISTED).order_by(Run.created.desc(), Run.id)).all()


def get(session: Session, run_id: str) -> Row[Any]:
    """One run with its scores, without files and report."""
    row = session.execute(select(*LISTED, Run.evaluation, Run.page.is_not(None).label("has_page")).where(_is(run_id)))
    found = row.first()
    if found is None:
        raise NotThere("there is no such run")
    return found


def page(session: Session, run_id: str) -> bytes:
    """The report, gzipped; NotThere where there is none."""
    get(session, run_id)
    found = session.scalar(select(Run.page).where(_is(run_id)))
    if found is None:
        raise NotThere("there is no report of this run")
    return found


def remove(session: Session, run_id: str) -> None:
    """Delete a run with all that is kept of it."""
    get(session, run_id)
    session.execute(delete(Run).where(_is(run_id)))


def take(session: Session) -> Taken | None:
    """The run that has waited longest; it is running now."""
    oldest = select(Run).where(Run.status == "waiting").order_by(Run.created, Run.id).limit(1).with_for_update()
    row = session.scalar(oldest)
    if row is None:
        return None
    row.status = "running"
    session.flush()
    return Taken(row.id, row.name, dict(row.request), row.files or b"")


def take_up_again(session: Session) -> None:
    """After a start: what was running waits again, unless it was so before: it may be what kills the studio."""
    for row in session.scalars(select(Run).where(Run.status == "running")):
        tries = int(row.request.get("tries", 0)) + 1
        row.request = {**row.request, "tries": tries}
        if tries < TRIES and row.files is not None:
            row.status = "waiting"
        else:
            _close(row, "failed", f"the studio was stopped {tries} times while this run was being scored")
    session.flush()


def put_back(session: Session, run_id: str) -> None:
    """A run that was broken off waits again, if it is still there."""
    session.execute(update(Run).where(_is(run_id), Run.status == "running").values(status="waiting"))


def finish(
    session: Session, run_id: str, evaluation: Mapping[str, Any], notes: Sequence[str], report: bytes | None
) -> None:
    """Keep what a run gave; nothing happens where it was deleted meanwhile."""
    row = session.get(Run, run_id)
    if row is not None:
        row.evaluation = dict(evaluation)
        row.page = report
        _close(row, "done", "\n".join(notes))
        session.flush()


def fail(session: Session, run_id: str, why: str) -> None:
    """Say why there are no numbers."""
    row = session.get(Run, run_id)
    if row is not None:
        _close(row, "failed", " ".join(why.replace("\0", " ").split()))
        session.flush()


def _close(row: Run, status: str, message: str) -> None:
    row.status = status
    row.message = message
    row.files = None


def _is(run_id: str) -> Any:
    return Run.id == run_id
