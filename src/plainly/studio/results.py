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
from dataclasses import dataclass, replace
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
from plainly.studio.kinds.dealt import BESIDE, STUDY
from plainly.studio.kinds.oddities import with_impossible_times
from plainly.studio.kinds.quality import quality_files, with_quality
from plainly.studio.store import archive, golds, overview, tables
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
    beside: Sequence[Given] = ()
    """Practice, checks, and tasks that were shown once more: they count nowhere in the study."""

    def counted(self, everybody: bool) -> Gathered:
        """The same without those who were left out, unless `everybody` counts."""
        if everybody or not any(person.left_out for person in self.people):
            return self
        return Gathered(
            self.loaded,
            [person for person in self.people if not person.left_out],
            [one for one in self.given if not one.person.left_out],
            [one for one in self.beside if not one.person.left_out],
        )


@dataclass(frozen=True)
class Asked:
    """Which results are asked for."""

    campaign: str
    lang: str
    everybody: bool = False
    """Whether those who were left out count, too."""


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
    everything = given(session, campaign_id, roles=(STUDY, *BESIDE))
    return Gathered(
        loaded(session, campaign_id),
        people(session, campaign_id),
        [one for one in everything if one.role == STUDY],
        [one for one in everything if one.role != STUDY],
    )


class LiveResults:
    """The newest summaries, by what was asked for, and the newest reports."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reports: Newest[tuple[str, bool], tuple[str, str]] = Newest(KEPT_PAGES)
        self._summaries: Newest[Asked, Snapshot] = Newest(KEPT)
        self._turns: Newest[Asked, threading.Lock] = Newest(KEPT)
        self._lock = threading.Lock()

    def kept(self, asked: Asked) -> Snapshot | None:
        """The summary that was made last, however old it is."""
        return self._summaries.last(asked)

    def fresh(self, asked: Asked, now: str) -> Snapshot | None:
        """A summary that needs not be made again: nothing has changed since, or the next one is not due."""
        kept = self.kept(asked)
        if kept is not None and (kept.mark == now or monotonic() - kept.at < REST * kept.took):
            return kept
        return None

    def report(self, campaign_id: str, everybody: bool = False) -> str | None:
        """The full report of the kind, if it has one."""
        with self._database.reading() as session:
            now = f"{mark(session, campaign_id)} {_tasks(session, campaign_id)} {date.today().isoformat()}"
        kept = self._reports.last((campaign_id, everybody))
        if kept is not None and kept[0] == now:
            return kept[1]
        found = gather(self._database, campaign_id).counted(everybody)
        made = found.loaded.kind.report(found.loaded.campaign, found.people, found.given, date.today().isoformat())
        return None if made is None else self._reports.keep((campaign_id, everybody), (now, made))[1]

    def get(self, asked: Asked, now: str) -> Snapshot:
        """The summary; `now` is the mark of the campaign. An older one while a newer one is not due or not ready."""
        if (fresh := self.fresh(asked, now)) is not None:
            return fresh
        kept = self._summaries.last(asked)
        with self._lock:
            turn = self._turns.last(asked) or self._turns.keep(asked, threading.Lock())
        if not turn.acquire(blocking=kept is None) and kept is not None:
            return kept
        try:
            newer = self._summaries.last(asked)
            if newer is not None and newer is not kept:
                return newer
            return self._summaries.keep(asked, self._computed(asked))
        finally:
            turn.release()

    def _computed(self, asked: Asked) -> Snapshot:
        begun = monotonic()
        with self._database.reading() as session:
            now = mark(session, asked.campaign)
            gathered = _gathered(session, asked.campaign)
        counted = gathered.counted(asked.everybody)
        found, answers = gathered.loaded, counted.given
        try:
            summary = found.kind.summary(found.campaign, counted.people, answers, say(asked.lang))
        except PlainlyError as error:  # the rest of the dashboard goes on
            summary = Summary(notes=(worded(error, say(asked.lang)),))
        summary = with_quality(summary, found.kind, found.campaign, answers, counted.beside, say(asked.lang))
        odd = with_impossible_times(summary.suspicious, answers, say(asked.lang))
        answers = [one for one in answers if found.kind.counts(one.task, one.answer)]
        paces: dict[str, list[float]] = {}
        for one in gathered.given:
            if one.seconds is not None and found.kind.counts(one.task, one.answer):
                paces.setdefault(one.person.code, []).append(one.seconds)
        everybody = [one.seconds for one in answers if one.seconds is not None]
        ended = monotonic()
        return Snapshot(
            now,
            len(answers),
            median(everybody) if everybody else None,
            {code: median(own) for code, own in paces.items()},
            replace(summary, suspicious=odd),
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
        decided = golds.every(session, found.loaded.campaign)
    kind, campaign = found.loaded.kind, found.loaded.campaign
    files = [
        *kind.exports(campaign, found.people, found.given),
        *(kind.adjudication.exports(campaign, decided) if kind.adjudication else ()),
    ]
    files += quality_files(kind, campaign, found.given, found.beside)
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
    of_leaving_out = ("left_out", "left_out_at")
    fields = {person.code: person.fields for person in found.people}
    platform = sorted({name for own in fields.values() for name in own if name.startswith("platform.")})
    asked_for = (*(f"form.{name}" for name in asked), *platform)
    columns = ["participant", *keys, "median_seconds", *of_leaving_out, *asked_for]
    rows = []
    for one in progress:
        given_fields = [safe(str(fields.get(one["code"], {}).get(name, ""))) for name in [*asked, *platform]]
        left_out = [safe(one[key] or "") for key in of_leaving_out]
        rows.append([one["code"], *(one[key] for key in keys), one["pace"], *left_out, *given_fields])
    return as_text(lambda out: write_csv(columns, rows, out))
