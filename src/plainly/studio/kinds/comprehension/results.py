"""What is known so far: scores, both hypotheses, questions, and whose answers one should look at.

All numbers are those of `plainly comprehension score answers.csv --experiment experiment.yaml` on the exported files.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.conduct import Finding, odd
from plainly.comprehension.contrasts import PERMUTATIONS
from plainly.comprehension.design import block_size, next_balanced
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.records import Answer, gathered
from plainly.inference.resampling import Resampling
from plainly.report import specs
from plainly.report.comprehension import comprehension_page
from plainly.studio.faults import worded
from plainly.studio.kinds.base import Campaign, Figure, Given, Grid, Picture, Say, Summary
from plainly.studio.kinds.comprehension.answers import Course, answers_of, conduct, courses
from plainly.studio.kinds.comprehension.material import experiment_of
from plainly.studio.kinds.words import number

RESAMPLES = 1000
"""As the command line has it."""
_NUMBER = re.compile(r"\d+")
MANY, FEWER, FEWER_PERMUTATIONS = 5000, 200, 1000
"""With more answers than this, so many resamples and permutations while the campaign runs."""


def summary(campaign: Campaign, given: Sequence[Given], say: Say) -> Summary:
    """For the owner's dashboard."""
    experiment = experiment_of(campaign)
    done = courses(given)
    answers = answers_of(experiment, done)
    suspicious = {course.code: found for course in done if (found := tuple(_reasons(experiment, course, say)))}
    resamples, permutations = (RESAMPLES, PERMUTATIONS) if len(answers) <= MANY else (FEWER, FEWER_PERMUTATIONS)
    try:
        analysis = _analysis(experiment, answers, resamples, permutations)
    except PlainlyError as error:  # nothing that could be scored yet
        return Summary(
            figures=_counts(answers, say),
            suspicious=suspicious,
            message=(say("comprehension.note.nothing"),) if not answers else (),
            study_notes=(worded(error, say),) if answers else (),
        )
    return Summary(
        figures=(*_counts(answers, say), *(_figure(test, say) for test in analysis.hypotheses)),
        tables=(
            _texts(analysis, say),
            _pairs(analysis, say),
            _tests(analysis, say),
            _items(analysis, say),
        ),
        pictures=(*_scores(analysis, say), _questions(analysis, say)),
        suspicious=suspicious,
        message=tuple(_message(analysis, say)),
        notes=tuple(_notes(experiment, len(done), resamples, say)),
        study_notes=tuple(note.text() for note in analysis.notes),
        signatures=(analysis.signature,),
    )


def report(campaign: Campaign, given: Sequence[Given], date: str) -> str | None:
    """The page of `plainly comprehension report`."""
    experiment = experiment_of(campaign)
    answers = answers_of(experiment, courses(given))
    try:
        analysis = _analysis(experiment, answers, RESAMPLES, PERMUTATIONS)
    except PlainlyError:
        return None
    return comprehension_page(analysis, date, campaign.name)


def _analysis(experiment: Experiment, answers: Sequence[Answer], resamples: int, permutations: int) -> Analysis:
    return analyse(
        gathered(answers, experiment), experiment, resampling=Resampling(resamples), permutations=permutations
    )


def _reasons(experiment: Experiment, course: Course, say: Say) -> Iterator[str]:
    for found in odd(*conduct(experiment, course)):
        yield say(f"comprehension.odd.{found.kind}", **_values(found))


def _values(found: Finding) -> Mapping[str, object]:
    return {"count": found.count, "total": found.total, "letter": chr(ord("A") + found.place)}


def _counts(answers: Sequence[Answer], say: Say) -> tuple[Figure, ...]:
    right = sum(bool(answer.correct) for answer in answers)
    given = sum(answer.answer is not None for answer in answers)
    return (
        Figure(say("comprehension.figure.answers"), given),
        Figure(say("comprehension.figure.unanswered"), len(answers) - given),
        Figure(say("comprehension.figure.correct"), 100 * right / given if given else None),
    )


def _figure(test: Tested, say: Say) -> Figure:
    label = say(f"comprehension.figure.{test.hypothesis}-by", version=test.version, baseline=test.baseline)
    return Figure(label, *_bounds(test.difference), verdict(test, say))


def verdict(test: Tested, say: Say) -> str:
    """Whether the hypothesis is supported, in the reader's language; on the command line `Tested.verdict` says it."""
    if math.isnan(test.p):
        return say("comprehension.verdict.untested")
    size = _size(test, say)
    if not test.significant:
        return say("comprehension.verdict.chance", size=size)
    return say("comprehension.verdict.supported" if test.better else "comprehension.verdict.opposite", size=size)


def _size(test: Tested, say: Say) -> str:
    """The difference in words."""
    difference = test.difference.value
    if test.hypothesis == "correct":
        key = "more" if difference > 0 else "fewer"
        return say(f"comprehension.size.{key}", points=number(abs(difference), 1, say))
    key = "longer" if difference > 1 else "shorter"
    return say(f"comprehension.size.{key}", percent=number(100 * abs(difference - 1), 0, say))


def _message(analysis: Analysis, say: Say) -> Iterator[str]:
    """Both hypotheses about all passages together; of more than two versions, those about the first one."""
    for test in analysis.hypotheses[:2]:
        names = {"version": test.version, "baseline": test.baseline}
        yield say(f"comprehension.message.{test.hypothesis}", **names, verdict=verdict(test, say))
    if not analysis.hypotheses:
        yield say("comprehension.message.alone")


def _texts(analysis: Analysis, say: Say) -> Grid:
    names = ["passage", "version", "participants", "answers", "correct", "seconds"]
    rows = [
        (
            row.passage,
            row.version,
            row.participants,
            row.answers,
            row.correct,
            row.seconds,
            *(number for formula in analysis.formulas for number in _bounds(row.scores[formula])),
        )
        for row in analysis.texts
    ]
    return _grid("texts", [*_columns(names, say), *_scored(analysis, say)], rows, say)


def _pairs(analysis: Analysis, say: Say) -> Grid:
    rows = [
        (
            row.passage,
            row.version,
            row.baseline,
            *(number for formula in analysis.formulas for number in _bounds(row.differences[formula])),
        )
        for row in analysis.pairs
    ]
    columns = [*_columns(["passage", "version", "baseline"], say), *_scored(analysis, say)]
    return _grid("pairs", columns, rows, say)


def _tests(analysis: Analysis, say: Say) -> Grid:
    names = ["passage", "version", "baseline", "hypothesis", "verdict", "difference", "low", "high", "effect", "p"]
    tests = [*analysis.hypotheses, *(test for pair in analysis.pairs for test in pair.tests)]
    rows = [
        (
            say("comprehension.all") if test.passage is None else test.passage,
            test.version,
            test.baseline,
            say(f"comprehension.hypothesis.{test.hypothesis}"),
            verdict(test, say),
            *_bounds(test.difference),
            _number(test.effect),
            _number(test.p_holm),
        )
        for test in tests
    ]
    return _grid("tests", _columns(names, say), rows, say)


def _items(analysis: Analysis, say: Say) -> Grid:
    names = ["passage", "version", "question", "answers", "correct", "seconds", "discrimination", "remarks"]
    rows = [
        (
            item.passage,
            item.version,
            item.question,
            item.answers,
            100 * item.correct,
            item.seconds,
            _number(item.discrimination.value),
            "; ".join(remark(one.text(), say) for one in item.remarks),
        )
        for item in analysis.items
    ]
    return _grid("items", _columns(names, say), rows, say)


def remark(written: str, say: Say) -> str:
    """A remark of the study in the reader's language; numbers in it are those of answers."""
    key = _NUMBER.sub("N", written)
    found = _NUMBER.search(written)
    return say(f"comprehension.remark.{key}", number=found[0] if found else "")


def _scores(analysis: Analysis, say: Say) -> Iterator[Picture]:
    for formula in analysis.formulas[:1]:  # the others tell much the same; tables and report have them
        names = [f"{row.passage}, {row.version}" for row in analysis.texts]
        rows: list[dict[str, Any]] = []
        for name, row in zip(names, analysis.texts, strict=True):
            value, low, high = _bounds(row.scores[formula])
            kind = "baseline" if row.version == analysis.settings["baseline"] else "system"
            rows.append({"text": name, "kind": kind, "score": value, "low": low, "high": high})
        told = "; ".join(f"{name} {number(row['score'], 2, say)}" for name, row in zip(names, rows, strict=True))
        spec = specs.intervals(names, say("comprehension.picture.scores.axis", formula=formula), {}, "text")
        title = say("comprehension.picture.scores", formula=formula)
        yield Picture(formula, title, f"{title} {told}.", {**spec, "data": {"values": rows}})


def _questions(analysis: Analysis, say: Say) -> Picture:
    versions = list(dict.fromkeys(item.version for item in analysis.items))
    names = list(dict.fromkeys(item.question for item in analysis.items))
    rows = [
        {"system": item.question, "version": item.version, "score": 100 * item.correct} for item in analysis.items
    ]
    spec = specs.dots(names, say("comprehension.column.correct"), "version", versions, {})
    words = say("comprehension.picture.questions.words", count=len(names))
    return Picture("questions", say("comprehension.picture.questions"), words, {**spec, "data": {"values": rows}})


def _notes(experiment: Experiment, people: int, resamples: int, say: Say) -> Iterator[str]:
    size = len(experiment.passages), len(experiment.version_ids)
    balanced = next_balanced(people, *size)
    if balanced != people:
        yield say("comprehension.note.block", block=block_size(*size), next=balanced)
    if resamples != RESAMPLES:
        yield say("comprehension.note.resamples", count=resamples)


def _grid(name: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]], say: Say) -> Grid:
    title, note = say(f"comprehension.table.{name}"), say(f"comprehension.table.{name}.note")
    return Grid(title, tuple(columns), tuple(rows), note)


def _columns(names: Sequence[str], say: Say) -> list[str]:
    return [say(f"comprehension.column.{name}") for name in names]


def _scored(analysis: Analysis, say: Say) -> list[str]:
    """The name of each score, then its bounds."""
    bounds = _columns(["low", "high"], say)
    return [column for formula in analysis.formulas for column in (formula, *bounds)]


def _bounds(figure: Any) -> tuple[float | None, float | None, float | None]:
    return _number(figure.value), _number(figure.low), _number(figure.high)


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return float(value) if math.isfinite(value) else None
