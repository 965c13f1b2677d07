"""How fast is each text read, and is a version read faster? Words per minute, from the column `reading_time`.

The rate of a reading is 60 words / seconds. Rates of several readers are averaged as logarithms, as times are for the
hypothesis on faster answers, and compared by the same test: `plainly.comprehension.contrasts` has the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.base.messages import Message, message
from plainly.comprehension.contrasts import Cells
from plainly.comprehension.counted_words import words
from plainly.comprehension.hypotheses import Tested, tested
from plainly.comprehension.intervals import bounded
from plainly.comprehension.plurals import counted
from plainly.comprehension.reader_groups import as_number
from plainly.comprehension.records import LONGEST, MILLISECONDS, Answer
from plainly.corpus.readers.files import shown
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import Resampling, bootstrap_weights, weighted_totals
from plainly.metrics import Array

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment

COLUMN = "reading_time"
"""Milliseconds, the same in all rows of a participant about a passage."""
PLAUSIBLE = (5, 2000)
"""Words per minute. Adults read some 240; where half of the readings are beyond, times may be in another unit."""


@dataclass(frozen=True)
class Reading:
    """A text as one participant read it."""

    participant: str
    passage: str
    version: str
    words: int
    seconds: float
    cut: bool
    """Whether it lasted as long as the text was shown: the reader may not have come to its end."""

    @property
    def log_rate(self) -> float:
        """The logarithm of the words per minute."""
        return math.log(60 * self.words / self.seconds)


@dataclass(frozen=True)
class ReadingRow:
    """How fast a text was read. Both numbers are geometric means."""

    passage: str
    version: str
    words: int
    participants: int
    seconds: float
    words_per_minute: Estimate


@dataclass(frozen=True)
class Readings:
    """What was read, and what its reader should know of the times."""

    all: tuple[Reading, ...] = ()
    notes: tuple[Message, ...] = ()


def readings_of(answers: Sequence[Answer], experiment: Experiment | None) -> Readings:
    """One for each participant and passage with a time. Without the experiment nobody knows how long a text is."""
    timed = [answer for answer in answers if answer.fields.get(COLUMN)]
    if not timed:
        return Readings()
    if experiment is None:
        english = "there are reading times, but words per minute need the experiment"
        return Readings(notes=(message("comprehension.reading.without-experiment", english),))
    lengths = {
        (passage.id, version.id): len(words(version.text, experiment.lang))
        for passage in experiment.passages
        for version in passage.versions
    }
    limits = {passage.id: passage.seconds or experiment.reading_seconds for passage in experiment.passages}
    found, impossible, several = [], 0, 0
    for (participant, passage), group in grouped(timed, lambda one: (one.participant, one.passage)).items():
        first = min(group, key=lambda answer: answer.order)
        times = {_seconds(answer) for answer in group}
        seconds = _seconds(first)
        several += len(times) > 1
        if not 0 < seconds <= LONGEST:
            impossible += 1
            continue
        limit = limits[passage]
        length = lengths[passage, first.version]
        cut = limit is not None and seconds >= limit
        found.append(Reading(participant, passage, first.version, length, seconds, cut))
    notes = (*_notes(sum(one.cut for one in found), impossible, several), *_unlikely(found))
    return Readings(tuple(found), notes)


def _seconds(answer: Answer) -> float:
    milliseconds = as_number(answer.fields[COLUMN])
    if not math.isfinite(milliseconds):
        cell = shown(repr(answer.fields[COLUMN]))
        raise PlainlyError(f"{answer.place}: {COLUMN} must be a number of milliseconds, not {cell}")
    return milliseconds / MILLISECONDS


def _notes(cut: int, impossible: int, several: int) -> Iterator[Message]:
    if cut:
        yield message(
            "comprehension.reading.cut",
            "{readings} lasted as long as the text was shown: who did not come to its end reads more slowly than "
            "its words per minute say",
            readings=counted(cut, "reading"),
        )
    if impossible:
        yield message(
            "comprehension.reading.impossible",
            "left out: {readings} with a reading_time of 0, less, or more than a day",
            readings=counted(impossible, "reading"),
        )
    if several:
        yield message(
            "comprehension.reading.several",
            "{readings} with several values of reading_time: the first one counts",
            readings=counted(several, "reading"),
        )


def _unlikely(readings: Sequence[Reading]) -> Iterator[Message]:
    """Times that look as if they were not in milliseconds. Nothing is changed."""
    if not readings:
        return
    slowest, fastest = PLAUSIBLE
    middle = math.exp(median(one.log_rate for one in readings))
    if middle > fastest:
        yield message(
            "comprehension.reading.fast",
            "half of the readings are faster than {rate:.0f} words per minute; is reading_time in seconds? "
            "It was taken for milliseconds",
            rate=middle,
        )
    elif middle < slowest:
        yield message(
            "comprehension.reading.slow",
            "half of the readings are slower than {rate:.1f} words per minute; is reading_time in milliseconds? "
            "It was taken for that",
            rate=middle,
        )


def read_rows(
    readings: Sequence[Reading], texts: Sequence[tuple[str, str]], resampling: Resampling
) -> list[ReadingRow]:
    """Each of the texts that was read, in their order, with intervals over participants."""
    if not readings:
        return []
    places = {name: place for place, name in enumerate(dict.fromkeys(one.participant for one in readings))}
    by_text = grouped(readings, lambda one: (one.passage, one.version))
    there = [(text, by_text[text]) for text in texts if text in by_text]
    tables = []
    for _, own in there:
        table = np.zeros((len(places), 2))
        for one in own:
            table[places[one.participant]] = 1, one.log_rate
        tables.append(table)
    drawn = weighted_totals(bootstrap_weights(len(places), resampling.resamples, resampling.seed), tables)
    rows = []
    for ((passage, version), own), table, totals in zip(there, tables, drawn, strict=True):
        whole = table.sum(0, keepdims=True)
        observed, of_draws, without = (_mean(sums) for sums in (whole, totals, whole - table))
        (found,) = bounded(observed[0], of_draws, without, len(own), resampling)
        rate = Estimate(math.exp(found.value), math.exp(found.low), math.exp(found.high), found.confidence)
        length = own[0].words
        rows.append(ReadingRow(passage, version, length, len(own), 60 * length / rate.value, rate))
    return rows


def _mean(sums: Array) -> Array:
    """From (..., count and sum) to (..., mean); NaN where nobody is drawn who has read the text."""
    with np.errstate(divide="ignore", invalid="ignore"):
        means: Array = sums[..., 1:] / sums[..., :1]
    return means


def reading_tested(
    readings: Sequence[Reading],
    version: str,
    baseline: str,
    passage: str | None,
    resampling: Resampling,
    permutations: int,
) -> Tested:
    """Whether a version is read faster, in words per minute; about one passage, or all."""
    sides: Mapping[str, int] = {version: 1, baseline: -1}
    cells = Cells.of(
        [
            (one.participant, one.passage, sides[one.version], one.log_rate)
            for one in readings
            if one.version in sides and passage in (None, one.passage)
        ]
    )
    return tested("reading", cells, version, baseline, passage, resampling, permutations)
