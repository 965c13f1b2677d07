"""What participants did, as the answers that the study of comprehension reads.

Times come from the browser (performance.now()). Beside them stand those of the server: from the moment when the task
before was stored to the moment when this one was. Where the browser gave no time, the server's is taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plainly.base.groups import grouped
from plainly.base.records import safe
from plainly.comprehension.conduct import Chosen, Read
from plainly.comprehension.counted_words import words
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.formats import COLUMNS
from plainly.comprehension.records import LONGEST, MILLISECONDS, Answer
from plainly.corpus.readers.left_out import LEFT_OUT
from plainly.studio.ids_and_times import seconds_between
from plainly.studio.kinds.base import Given

FILE = "answers.csv"
MEASURED = (LEFT_OUT, "position", "received", "reading_server_time", "reading_time", "resumed", "server_time")
"""The columns that are here beside those that answers have everywhere; docs/studio.md explains them."""


@dataclass(frozen=True)
class Timed:
    """Something that was done, with its times in seconds: NaN where there is none."""

    given: Given
    browser: float
    server: float

    @property
    def seconds(self) -> float:
        """The browser's, or else the server's."""
        return self.server if math.isnan(self.browser) else self.browser

    @property
    def resumed(self) -> bool:
        """Whether the page was loaded again in between."""
        return bool(self.given.answer.get("before"))


@dataclass(frozen=True)
class Course:
    """All that one participant did, in order."""

    code: str
    readings: Mapping[str, Timed]
    """By passage."""
    questions: tuple[Timed, ...]


def courses(given: Sequence[Given]) -> list[Course]:
    """One for each participant who did anything, by number."""
    ended = (one for one in given if one.answer.get("done", True))  # the others were begun, and are still open
    people = grouped(ended, lambda one: one.person.number)
    found = []
    for _, done in sorted(people.items()):
        done.sort(key=lambda one: one.place)
        before = {one.place + 1: one for one in done}
        timed = [Timed(one, _browser(one), _server(before.get(one.place), one)) for one in done]
        found.append(
            Course(
                code=done[0].person.code,
                readings={
                    item.given.task["passage"]: item for item in timed if item.given.task["phase"] == "reading"
                },
                questions=tuple(item for item in timed if item.given.task["phase"] == "question"),
            )
        )
    return found


def answers_of(experiment: Experiment, done: Sequence[Course]) -> list[Answer]:
    """All answers, each with its place in the exported file: below the header."""
    found = [answer for course in done for answer in _answers(experiment, course)]
    return [replace(answer, file=FILE, row=row) for row, answer in enumerate(found, 2)]


def _answers(experiment: Experiment, course: Course) -> list[Answer]:
    """Of one participant. One without any time cannot be scored: it counts as not given."""
    found = []
    for order, item in enumerate(course.questions):
        task, place = item.given.task, item.given.answer["place"]
        passage = experiment.passage(task["passage"])
        question = next(one for one in passage.questions if one.id == task["question"])
        chosen = None if place is None or math.isnan(item.seconds) else task["answers"][place]
        found.append(
            Answer(
                participant=course.code,
                passage=passage.id,
                version=task["version"],
                question=question.id,
                answer=chosen,
                correct=chosen == question.correct,
                seconds=item.seconds,
                order=order,
                fields={**_fields(item), **_measured(item, course.readings.get(passage.id))},
                completed=item.given.person.finished,
            )
        )
    return found


def conduct(experiment: Experiment, course: Course) -> tuple[list[Read], list[Chosen]]:
    """How one participant went about it."""
    read, chosen = [], []
    for item in course.readings.values():
        task = item.given.task
        versions = experiment.passage(task["passage"]).versions
        text = next(one.text for one in versions if one.id == task["version"])
        read.append(Read(len(words(text, experiment.lang)), item.seconds, item.given.answer["over"]))
    for item in course.questions:
        task = item.given.task
        questions = experiment.passage(task["passage"]).questions
        question = next(one for one in questions if one.id == task["question"])
        count = sum(len(words(text, experiment.lang)) for text in (question.text, *question.answers))
        chosen.append(Chosen(count, item.seconds, item.given.answer["place"], len(question.answers)))
    return read, chosen


def _browser(one: Given) -> float:
    """In whole microseconds, as files have it."""
    if one.seconds is None:
        return math.nan
    rounded = round(one.seconds * MILLISECONDS, 3) / MILLISECONDS if math.isfinite(one.seconds) else math.nan
    return rounded if 0 < rounded <= LONGEST else math.nan


def _server(before: Given | None, one: Given) -> float:
    """NaN where there is nothing before, or the clock was set back. Older answers came without the server's time."""
    if before is None:
        return math.nan
    seconds = seconds_between(before.time, one.time) if one.server_seconds is None else one.server_seconds
    return seconds if 0 < seconds <= LONGEST else math.nan


def _fields(item: Timed) -> dict[str, str]:
    """What the form asked. Owners name its fields; none may take the place of another column."""
    taken = {*COLUMNS, *MEASURED}
    fields = {}
    for name, value in item.given.person.fields.items():
        while name in taken:
            name = f"form_{name}"
        taken.add(name)
        fields[name] = safe(value)
    return fields


def _measured(item: Timed, reading: Timed | None) -> dict[str, str]:
    place = item.given.answer["place"]
    cells = (
        safe(item.given.person.left_out),
        "" if place is None else str(place + 1),
        item.given.time,
        "" if reading is None else _milliseconds(reading.server),
        "" if reading is None else _milliseconds(reading.browser),
        str(int(item.resumed or (reading is not None and reading.resumed))),
        _milliseconds(item.server),
    )
    return dict(zip(MEASURED, cells, strict=True))


def _milliseconds(seconds: float) -> str:
    return "" if math.isnan(seconds) else f"{seconds * MILLISECONDS:.3f}".rstrip("0").rstrip(".")
