"""What a study says of a campaign: computed from the database, part by part, as plain data that can be sent on; and
its charts, drawn.

Nothing here knows who asks. It runs in a process of its own (see `apart`), so that participants never wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.plain_data import plain_data
from plainly.studio.faults import worded
from plainly.studio.ids_and_times import now
from plainly.studio.kinds.base import Json
from plainly.studio.kinds.dashboards import Picture, Summary
from plainly.studio.kinds.oddities import with_impossible_times
from plainly.studio.kinds.quality import with_quality
from plainly.studio.pictures import draw
from plainly.studio.results import Gathered, gathered
from plainly.studio.store.database import Database
from plainly.studio.store.overview import mark
from plainly.studio.texts import say


@dataclass(frozen=True)
class Asked:
    """Which results are asked for."""

    campaign: str
    lang: str
    everybody: bool = False
    """Whether those who were left out count, too."""


@dataclass(frozen=True)
class Job:
    """What is to be computed."""

    url: str
    """Of the database."""
    asked: Asked
    date: str = ""
    """Of a report; empty: the summary is wanted."""


@dataclass(frozen=True)
class Snapshot:
    """The results of one moment, or the first part of them."""

    mark: str
    at: str
    """When the answers were read; ISO 8601, UTC."""
    answers: int
    pace: float | None
    """Median seconds of an answer."""
    paces: Mapping[str, float]
    """The same, of each participant, by code."""
    part: int = 0
    """How many parts there are; the first has counts alone."""
    complete: bool = False
    remarks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By the code of a participant: why one should look at their answers."""
    pictures: Sequence[Picture] = ()
    shown: str = ""
    """What the page shows, as JSON: it is large, and made where nobody waits."""


@dataclass(frozen=True)
class Report:
    """The full report of a campaign; None where there is none."""

    page: str | None


@dataclass(frozen=True)
class Drawing:
    """A chart that is to be drawn."""

    spec: Json
    width: int


@dataclass(frozen=True)
class Drawn:
    """As an SVG picture."""

    svg: str


Part = Snapshot | Report | Drawn


def computed(job: Job | Drawing) -> Iterator[Part]:
    """The picture, the report, or the summary: every part has all of the one before."""
    if isinstance(job, Drawing):
        yield Drawn(draw(plain_data(job.spec), job.width))
        return
    with closing(Database(job.url, as_it_is=True)) as database:
        yield from found_in(database, job)


def found_in(database: Database, job: Job) -> Iterator[Part]:
    """The same from a database that is open."""
    with database.reading() as session:
        begun, time = mark(session, job.asked.campaign), now()
        found = gathered(session, job.asked.campaign)
    counted = found.counted(job.asked.everybody)
    if job.date:
        yield Report(found.loaded.kind.report(found.loaded.campaign, counted.people, counted.given, job.date))
    else:
        yield from _parts(counted, _counted(found, counted, begun, time), job.asked.lang)


def _parts(found: Gathered, snapshot: Snapshot, lang: str) -> Iterator[Snapshot]:
    yield snapshot
    try:
        for summary in found.loaded.kind.growing(found.loaded.campaign, found.people, found.given, say(lang)):
            snapshot = _with(snapshot, summary, found, lang)
            yield snapshot
    except PlainlyError as error:  # the rest of the dashboard goes on
        snapshot = _with(snapshot, Summary(notes=(worded(error, say(lang)),)), found, lang)
    yield replace(snapshot, part=snapshot.part + 1, complete=True)


def _counted(everybody: Gathered, counted: Gathered, begun: str, time: str) -> Snapshot:
    """Answers and their pace are of those who count; everybody has a pace of their own."""
    kind = everybody.loaded.kind
    paces: dict[str, list[float]] = {}
    for one in everybody.given:
        if one.seconds is not None and kind.counts(one.task, one.answer):
            paces.setdefault(one.person.code, []).append(one.seconds)
    answers = [one for one in counted.given if kind.counts(one.task, one.answer)]
    seconds = [one.seconds for one in answers if one.seconds is not None]
    return Snapshot(
        begun,
        time,
        len(answers),
        median(seconds) if seconds else None,
        {code: median(own) for code, own in paces.items()},
    )


def _with(snapshot: Snapshot, summary: Summary, gathered: Gathered, lang: str) -> Snapshot:
    kind, campaign = gathered.loaded.kind, gathered.loaded.campaign
    found = with_quality(summary, kind, campaign, gathered.given, gathered.beside, say(lang))
    odd = with_impossible_times(found.suspicious, gathered.given, say(lang))
    shown: dict[str, Any] = {
        "figures": found.headlines,
        "tables": [table for table in found.tables if table.rows],
        "pictures": [{"name": one.name, "title": one.title, "words": one.words} for one in found.pictures],
        **{name: getattr(found, name) for name in ("message", "notes", "study_notes", "signatures")},
    }
    return replace(
        snapshot,
        part=snapshot.part + 1,
        remarks={code: tuple(why) for code, why in odd.items()},
        pictures=found.pictures,
        shown=json.dumps(plain_data(shown), allow_nan=False),
    )
