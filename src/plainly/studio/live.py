"""Results while answers come in: each summary is kept until something has changed, and none is computed twice.

A study may take seconds. It runs outside of every transaction, and rests between two runs for longer than it ran, so
that participants never wait for a dashboard.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import monotonic

from plainly.errors import PlainlyError
from plainly.studio.kinds.base import Given, Person, Summary
from plainly.studio.store.answers import given
from plainly.studio.store.database import Database
from plainly.studio.store.loaded import Loaded, loaded
from plainly.studio.store.overview import mark
from plainly.studio.store.people import people
from plainly.studio.texts import say

KEPT = 64
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
    """Median seconds of a decision."""
    summary: Summary
    at: float
    took: float


def gather(database: Database, campaign_id: str) -> Gathered:
    """Everything of a campaign, as it is now."""
    with database.reading() as session:
        found = loaded(session, campaign_id)
        return Gathered(found, people(session, campaign_id), given(session, campaign_id))


class LiveResults:
    """The newest summaries, by campaign and language."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[tuple[str, str], Snapshot] = OrderedDict()
        self._turns: dict[tuple[str, str], threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, campaign_id: str, lang: str, now: str) -> Snapshot:
        """The summary; `now` is the mark of the campaign. An older one while a newer one is not due or not ready."""
        key = (campaign_id, lang)
        with self._lock:
            kept = self._kept.get(key)
            turn = self._turns.setdefault(key, threading.Lock())
        if kept is not None and (kept.mark == now or monotonic() - kept.at < REST * kept.took):
            return kept
        if not turn.acquire(blocking=kept is None) and kept is not None:
            return kept
        try:
            with self._lock:
                newer = self._kept.get(key)
            if newer is not None and newer is not kept:
                return newer
            return self._keep(key, self._computed(campaign_id, lang))
        finally:
            turn.release()

    def _computed(self, campaign_id: str, lang: str) -> Snapshot:
        begun = monotonic()
        with self._database.reading() as session:
            now = mark(session, campaign_id)
            found = loaded(session, campaign_id)
            all_people, answers = people(session, campaign_id), given(session, campaign_id)
        try:
            summary = found.kind.summary(found.campaign, all_people, answers, say(lang))
        except PlainlyError as error:  # the rest of the dashboard goes on
            summary = Summary(notes=(str(error),))
        seconds = [one.seconds for one in answers if one.seconds is not None]
        ended = monotonic()
        return Snapshot(now, len(answers), median(seconds) if seconds else None, summary, ended, ended - begun)

    def _keep(self, key: tuple[str, str], snapshot: Snapshot) -> Snapshot:
        with self._lock:
            self._kept[key] = snapshot
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                old, _ = self._kept.popitem(last=False)
                self._turns.pop(old, None)
        return snapshot
