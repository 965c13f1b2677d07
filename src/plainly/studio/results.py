"""What comes out of a campaign: summaries and reports while answers come in, and the files of an export.

What was made is kept until something has changed, and nothing is computed twice. A study may take seconds. It runs
outside of every transaction, and rests between two runs for longer than it ran, so that participants never wait for a
dashboard.
"""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from time import monotonic
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.base.records import as_text, safe, write_csv
from plainly.studio.faults import worded
from plainly.studio.kinds.base import ExportFile, Given, Person
from plainly.studio.kinds.dashboards import Summary
from plainly.studio.store import archive, overview, tables
from plainly.studio.store.campaigns import Loaded, Newest, loaded
from plainly.studio.store.database import Database
from plainly.studio.store.overview import given, mark, people
from plainly.studio.texts import say

KEPT = 64
KEPT_PAGES = 8
"""Reports: some megabytes each."""
PEOPLE = "participants.csv"
REST = 4
"""Times as long as the last run took."""


@dataclass(frozen=True)
class Gathered:
    """All that a kind needs to know of its campaign, read at one moment."""

    loaded: Loaded
    people: Sequence[Person]
    given: Sequence[Given]


@dataclass(frozen=True)
class Snapshot:
    """The results of one moment."""

    mark: str
    answers: int
    pace: float | None
    """Median seconds of an answer."""
    paces: Mapping[str, float]
    """The same, of each participant, by code."""
    summary: Summary
    at: float
    took: float


def gather(database: Database, campaign_id: str) -> Gathered:
    """Everything of a campaign, as it is now."""
    with database.reading() as session:
        return _gathered(session, campaign_id)


def _gathered(session: Session, campaign_id: str) -> Gathered:
    return Gathered(loaded(session, campaign_id), people(session, campaign_id), given(session, campaign_id))


class LiveResults:
    """The newest summaries, by campaign and language, and the newest reports."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reports: Newest[str, tuple[str, str]] = Newest(KEPT_PAGES)
        self._summaries: Newest[tuple[str, str], Snapshot] = Newest(KEPT)
        self._turns: Newest[tuple[str, str], threading.Lock] = Newest(KEPT)
        self._lock = threading.Lock()

    def kept(self, campaign_id: str, lang: str) -> Snapshot | None:
        """The summary that was made last, however old it is."""
        return self._summaries.last((campaign_id, lang))

    def fresh(self, campaign_id: str, lang: str, now: str) -> Snapshot | None:
        """A summary that needs not be made again: nothing has changed since, or the next one is not due."""
        kept = self.kept(campaign_id, lang)
        if kept is not None and (kept.mark == now or monotonic() - kept.at < REST * kept.took):
            return kept
        return None

    def report(self, campaign_id: str) -> str | None:
        """The full report of the kind, if it has one."""
        with self._database.reading() as session:
            now = f"{mark(session, campaign_id)} {_tasks(session, campaign_id)} {date.today().isoformat()}"
        kept = self._reports.last(campaign_id)
        if kept is not None and kept[0] == now:
            return kept[1]
        found = gather(self._database, campaign_id)
        made = found.loaded.kind.report(found.loaded.campaign, found.people, found.given, date.today().isoformat())
        return None if made is None else self._reports.keep(campaign_id, (now, made))[1]

    def get(self, campaign_id: str, lang: str, now: str) -> Snapshot:
        """The summary; `now` is the mark of the campaign. An older one while a newer one is not due or not ready."""
        key = (campaign_id, lang)
        if (fresh := self.fresh(campaign_id, lang, now)) is not None:
            return fresh
        kept = self._summaries.last(key)
        with self._lock:
            turn = self._turns.last(key) or self._turns.keep(key, threading.Lock())
        if not turn.acquire(blocking=kept is None) and kept is not None:
            return kept
        try:
            newer = self._summaries.last(key)
            if newer is not None and newer is not kept:
                return newer
            return self._summaries.keep(key, self._computed(campaign_id, lang))
        finally:
            turn.release()

    def _computed(self, campaign_id: str, lang: str) -> Snapshot:
        begun = monotonic()
        with self._database.reading() as session:
            now = mark(session, campaign_id)
            gathered = _gathered(session, campaign_id)
        found, answers = gathered.loaded, gathered.given
        try:
            summary = found.kind.summary(found.campaign, gathered.people, answers, say(lang))
        except PlainlyError as error:  # the rest of the dashboard goes on
            summary = Summary(notes=(worded(error, say(lang)),))
        counted = [one for one in answers if found.kind.counts(one.task, one.answer)]
        paces: dict[str, list[float]] = {}
        for one in counted:
            if one.seconds is not None:
                paces.setdefault(one.person.code, []).append(one.seconds)
        everybody = [seconds for own in paces.values() for seconds in own]
        ended = monotonic()
        return Snapshot(
            now,
            len(counted),
            median(everybody) if everybody else None,
            {code: median(own) for code, own in paces.items()},
            summary,
            ended,
            ended - begun,
        )


def _tasks(session: Session, campaign_id: str) -> int:
    """How many tasks there are: new ones are made after an answer was stored, when the mark is the same."""
    task, participant = tables.Task, tables.Participant
    query = select(func.count(task.id)).join(participant, participant.id == task.participant_id)
    return session.scalar(query.where(participant.campaign_id == campaign_id)) or 0


def all_files(database: Database, campaign_id: str) -> list[ExportFile]:
    """The files of the kind, the participants, and the archive from which another studio makes the same campaign."""
    with database.reading() as session:  # all of one moment, except how far participants are
        whole = archive.written(archive.archived(session, campaign_id))
        found = _gathered(session, campaign_id)
    files = found.loaded.kind.exports(found.loaded.campaign, found.people, found.given)
    if all(file.name != PEOPLE for file in files):
        files = [*files, ExportFile(PEOPLE, _people(found, overview.participants(database, campaign_id)))]
    return [*files, ExportFile(archive.NAME, whole, "application/json")]


def encoded(file: ExportFile) -> bytes:
    """What the file holds; half a character becomes visible."""
    return file.content.encode("utf-8", "backslashreplace")


def zipped(files: Sequence[ExportFile]) -> bytes:
    """The files as one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            packed.writestr(file.name, encoded(file))
    return buffer.getvalue()


def _people(found: Gathered, progress: list[dict[str, Any]]) -> str:
    asked = [field["id"] for field in found.loaded.welcome.get("form", ())]
    keys = ("status", "started", "finished", "done", "total")
    fields = {person.code: person.fields for person in found.people}
    platform = sorted({name for own in fields.values() for name in own if name.startswith("platform.")})
    columns = ["participant", *keys, "median_seconds", *(f"form.{name}" for name in asked), *platform]
    rows = []
    for one in progress:
        given_fields = [safe(str(fields.get(one["code"], {}).get(name, ""))) for name in [*asked, *platform]]
        rows.append([one["code"], *(one[key] for key in keys), one["pace"], *given_fields])
    return as_text(lambda out: write_csv(columns, rows, out))
