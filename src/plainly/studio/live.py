"""The newest results of campaigns while answers come in: computed apart, kept, and never waited for.

Nothing is computed twice, and a study rests between two runs for longer than it ran. What takes longer than the limit
is ended; the parts that were done until then are shown.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from time import monotonic

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from plainly.base.errors import PlainlyError
from plainly.base.plain_data import plain_data
from plainly.studio.apart import Ended, Processes, TookTooLong
from plainly.studio.errors import Unavailable
from plainly.studio.kinds.dashboards import Picture
from plainly.studio.store import tables
from plainly.studio.store.campaigns import Newest
from plainly.studio.store.database import Database
from plainly.studio.store.overview import mark
from plainly.studio.studies import Asked, Drawing, Drawn, Job, Part, Report, Snapshot, computed, found_in

log = logging.getLogger("plainly.studio")
KEPT = 64
KEPT_PAGES = 8
"""Reports: some megabytes each."""
REST = 4
"""Times as long as the last run took."""
LIMIT = 300.0
"""Seconds that a study may take."""
LANES = 3
"""Studies that are computed at once: one that takes long holds up no other campaign."""
TOO_LONG = "{what} took longer than {minutes:.0f} minutes and was ended; make it on the command line"
FAILED = "{what} could not be made; the log of the server says why"

Do = Callable[[Job | Drawing, float], Iterator[Part]]


@dataclass(frozen=True)
class Kept:
    """What was computed last."""

    snapshot: Snapshot | None
    at: float
    took: float
    ended: str = ""
    """Why the last run ended before it was done: `limit` or `fault`."""

    @property
    def due(self) -> float:
        """When the next run may begin."""
        return self.at + REST * self.took


class LiveResults:
    """The newest summaries, by what was asked for, and the newest reports."""

    def __init__(self, database: Database, url: str, *, apart: bool = True) -> None:
        self._database = database
        self._url = url
        self._processes = Processes()
        self._do: Do = self._processes.do if apart else self._here
        self._lanes = ThreadPoolExecutor(LANES, thread_name_prefix="studies")
        self._reports: Newest[tuple[str, bool], tuple[str, str]] = Newest(KEPT_PAGES)
        self._drawings: Newest[str, str] = Newest(KEPT)
        self._kept: Newest[Asked, Kept] = Newest(KEPT)
        self._running: set[Asked] = set()
        self._lock = threading.Lock()

    @property
    def computing(self) -> int:
        """How many studies are computed or wait for it."""
        with self._lock:
            return len(self._running)

    def stop(self) -> None:
        """No more results; what is being computed is dropped."""
        self._lanes.shutdown(wait=False, cancel_futures=True)
        self._processes.stop()

    def kept(self, asked: Asked) -> Kept | None:
        """What was computed last, however old it is."""
        return self._kept.last(asked)

    def running(self, asked: Asked) -> bool:
        """Whether newer results are being computed, or wait for their turn."""
        return asked in self._running

    def want(self, asked: Asked, now: str) -> None:
        """See to it that there will be results; `now` is the mark of the campaign. Nobody waits for it here."""
        kept = self._kept.last(asked)
        if kept is not None and (monotonic() < kept.due or (kept.snapshot and kept.snapshot.mark == now)):
            return
        with self._lock:
            if asked in self._running:
                return
            self._running.add(asked)
        self._lanes.submit(self._compute, asked)

    def _compute(self, asked: Asked) -> None:
        before = self._kept.last(asked)
        newest = shown = before.snapshot if before is not None else None
        ended, begun = "", monotonic()
        try:
            for part in self._do(Job(self._url, asked), LIMIT):
                assert isinstance(part, Snapshot)
                newest = part
                if part.complete or shown is None or not shown.complete:  # a first part takes the place of no whole
                    shown = part
                    self._kept.keep(asked, Kept(shown, monotonic(), 0.0))
        except TookTooLong:
            log.warning("the study of the campaign %s took longer than %.0f s and was ended", asked.campaign, LIMIT)
            ended = "limit"
        except Ended as error:
            log.error("the study of the campaign %s failed: %s", asked.campaign, error)
            ended = "fault"
        except PlainlyError as error:
            log.warning("the study of the campaign %s: %s", asked.campaign, error)
            ended = "fault"
        except Exception:
            log.exception("the study of the campaign %s failed", asked.campaign)
            ended = "fault"
        finally:
            over = monotonic()
            self._kept.keep(asked, Kept(newest if ended else shown, over, over - begun, ended))
            with self._lock:
                self._running.discard(asked)

    def _here(self, job: Job | Drawing, _: float) -> Iterator[Part]:
        return computed(job) if isinstance(job, Drawing) else found_in(self._database, job)

    def drawn(self, picture: Picture, width: int) -> str:
        """The chart as SVG. Large ones take a second, in which nothing else could run here."""
        key = json.dumps([plain_data(picture.spec), width])
        if (kept := self._drawings.last(key)) is not None:
            return kept
        (made,) = self._whole(Drawing(picture.spec, width), "the chart", picture.name)
        assert isinstance(made, Drawn)
        return self._drawings.keep(key, made.svg)

    def _whole(self, job: Job | Drawing, what: str, name: str) -> list[Part]:
        """All that comes of a job; Unavailable where it fails."""
        try:
            return list(self._do(job, LIMIT))
        except TookTooLong:
            raise Unavailable(TOO_LONG.format(what=what, minutes=LIMIT / 60)) from None
        except Ended as error:
            log.error("%s %s failed: %s", what, name, error)
            raise Unavailable(FAILED.format(what=what)) from None

    def report(self, campaign_id: str, everybody: bool = False) -> str | None:
        """The full report of the kind, if it has one. It takes its time."""
        today = date.today().isoformat()
        with self._database.reading() as session:
            now = f"{mark(session, campaign_id)} {_tasks(session, campaign_id)} {today}"
        kept = self._reports.last((campaign_id, everybody))
        if kept is not None and kept[0] == now:
            return kept[1]
        job = Job(self._url, Asked(campaign_id, "en", everybody), today)
        (made,) = self._whole(job, "the report", campaign_id)
        assert isinstance(made, Report)
        return None if made.page is None else self._reports.keep((campaign_id, everybody), (now, made.page))[1]


def _tasks(session: Session, campaign_id: str) -> int:
    """How many tasks there are: new ones are made after an answer was stored, when the mark is the same."""
    task, participant = tables.Task, tables.Participant
    query = select(func.count(task.id)).join(participant, participant.id == task.participant_id)
    return session.scalar(query.where(participant.campaign_id == campaign_id)) or 0
