"""What came out so far: the files of an export, and the dashboard.

Files are answers, plan and experiment, as `plainly comprehension` reads them.
All numbers are those of `plainly comprehension score answers.csv --experiment experiment.yaml` on the exported files.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from plainly.base.errors import PlainlyError
from plainly.base.records import as_text, safe
from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.conduct import Finding, odd
from plainly.comprehension.contrasts import PERMUTATIONS
from plainly.comprehension.design import MOST_PARTICIPANTS, Plan, block_size, next_balanced
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.findings import findings
from plainly.comprehension.formats import write_records
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.plans import write_plan
from plainly.comprehension.records import Answer, gathered
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import Resampling
from plainly.report import specs
from plainly.report.comprehension import comprehension_page
from plainly.studio.faults import worded
from plainly.studio.kinds.base import Campaign, ExportFile, Given, Person
from plainly.studio.kinds.comprehension.answers import FILE, Course, answers_of, conduct, courses
from plainly.studio.kinds.comprehension.material import experiment_of, sheet_of
from plainly.studio.kinds.dashboards import (
    Headline,
    Picture,
    Say,
    Summary,
    charted,
    counted,
    decimal,
    interval_values,
    summary_of,
)

RESAMPLES = 1000
"""As the command line has it."""
MANY, FEWER, FEWER_PERMUTATIONS = 5000, 200, 1000
"""With more answers than this, so many resamples and permutations while the campaign runs."""


def exports(campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
    """Fine with no answers: then answers.csv has a header only."""
    experiment = experiment_of(campaign)
    answers = answers_of(experiment, courses(given))
    return [
        ExportFile(FILE, as_text(lambda out: write_records(answers, out))),
        ExportFile("plan.csv", as_text(lambda out: write_plan(_plan(campaign, people), out))),
        ExportFile("experiment.yaml", campaign.settings["file"], "application/yaml"),
    ]


def _plan(campaign: Campaign, people: Sequence[Person]) -> Plan:
    """The sheets of those who were invited; their numbers are those of the participants."""
    numbers = sorted(person.number for person in people if 0 < person.number <= MOST_PARTICIPANTS)
    sheets = tuple(sheet_of(campaign, number) for number in numbers)
    return Plan(safe(campaign.settings["name"]), campaign.settings["seed"], sheets)


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
            headlines=_counts(answers, say),
            suspicious=suspicious,
            message=(say("comprehension.note.nothing"),) if not answers else (),
            study_notes=(worded(error, say),) if answers else (),
        )
    told = summary_of(findings(analysis), say.lang)
    return replace(
        told,
        headlines=(*_counts(answers, say), *(_hypothesis(test, say) for test in analysis.hypotheses)),
        pictures=(*_scores(analysis, say), _questions(analysis, say), *told.pictures),
        suspicious=suspicious,
        message=told.message[:2] or (say("comprehension.message.alone"),),
        notes=(*_notes(experiment, len(done), resamples, say), *told.notes),
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


def _counts(answers: Sequence[Answer], say: Say) -> tuple[Headline, ...]:
    right = sum(bool(answer.correct) for answer in answers)
    given = sum(answer.answer is not None for answer in answers)
    return (
        counted(say("comprehension.figure.answers"), given),
        counted(say("comprehension.figure.unanswered"), len(answers) - given),
        Headline(say("comprehension.figure.correct"), Estimate(100 * right / given if given else math.nan)),
    )


def _hypothesis(test: Tested, say: Say) -> Headline:
    label = say(f"comprehension.figure.{test.hypothesis}-by", version=test.version, baseline=test.baseline)
    return Headline(label, test.difference, test.verdict.text(say.lang))


def _scores(analysis: Analysis, say: Say) -> Iterator[Picture]:
    baseline = analysis.settings["baseline"]
    for formula in analysis.formulas[:1]:  # the others tell much the same; tables and report have them
        names = [f"{row.passage}, {row.version}" for row in analysis.texts]
        rows = [
            interval_values(name, row.scores[formula], "baseline" if row.version == baseline else "system", "text")
            for name, row in zip(names, analysis.texts, strict=True)
        ]
        told = "; ".join(f"{name} {decimal(row['score'], 2, say)}" for name, row in zip(names, rows, strict=True))
        spec = specs.intervals(names, say("comprehension.picture.scores.axis", formula=formula), {}, "text")
        title = say("comprehension.picture.scores", formula=formula)
        yield charted(formula, title, f"{title} {told}.", spec, rows)


def _questions(analysis: Analysis, say: Say) -> Picture:
    versions = list(dict.fromkeys(item.version for item in analysis.items))
    names = list(dict.fromkeys(item.question for item in analysis.items))
    rows = [
        {"system": item.question, "version": item.version, "score": 100 * item.correct} for item in analysis.items
    ]
    spec = specs.dots(names, say("comprehension.column.correct"), "version", versions, {})
    words = say("comprehension.picture.questions.words", count=len(names))
    return charted("questions", say("comprehension.picture.questions"), words, spec, rows)


def _notes(experiment: Experiment, people: int, resamples: int, say: Say) -> Iterator[str]:
    size = len(experiment.passages), len(experiment.version_ids)
    balanced = next_balanced(people, *size)
    if balanced != people:
        yield say("comprehension.note.block", block=block_size(*size), next=balanced)
    if resamples != RESAMPLES:
        yield say("comprehension.note.resamples", count=resamples)
