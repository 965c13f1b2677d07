"""How people pass checks, and how far they agree with themselves: for the dashboard, and as files.

How far somebody agrees with themselves is seen where a task was shown once more: the share of answers that are the
same. Answers of one person are alike, so the interval is Wilson's for the effective number of repeats: their number,
divided by the design effect of people as clusters (Dean and Pagano 2015). It is never more than their number.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plainly.base.groups import grouped
from plainly.base.records import as_text, safe, write_csv
from plainly.corpus.readers.left_out import LEFT_OUT
from plainly.inference.estimates import Estimate
from plainly.inference.proportions import share
from plainly.studio.kinds.base import Campaign, ExportFile, Given, Json, Kind
from plainly.studio.kinds.dashboards import Grid, Headline, Say, Summary, counted
from plainly.studio.kinds.dealt import CHECK, PRACTICE, REPEAT
from plainly.studio.kinds.gold import checks_of, practice_of
from plainly.studio.kinds.oddities import said_of_failures

WITH_PRACTICE, WITH_CHECKS = "practice.csv", "checks.csv"
MARKED = (
    "participant",
    "place",
    "check",
    "repeat",
    "task",
    "answer",
    "expected",
    "right",
    "seconds",
    "time",
    LEFT_OUT,
)
PRACTISED = ("participant", "place", "task", "answer", "expected", "right", "seconds", "time", LEFT_OUT)


@dataclass(frozen=True)
class Conduct:
    """Of one person."""

    code: str
    checks: int = 0
    failed: int = 0
    same: tuple[float, ...] = ()
    """How far each answer to a task shown once more is that of the first time."""


def conduct(kind: Kind, campaign: Campaign, study: Sequence[Given], beside: Sequence[Given]) -> list[Conduct]:
    """Of everybody who had a check, or a task once more."""
    first = {(one.person.number, one.place): one for one in study}
    found = []
    for _, own in sorted(grouped(beside, lambda one: one.person.number).items()):
        checks = [kind.checks(campaign, one.task, one.answer) for one in own if one.role == CHECK]
        pairs = [
            (first.get((one.person.number, one.task["repeats"])), one)
            for one in own
            if one.role == REPEAT and kind.done(one.answer)
        ]
        same = [kind.agreed(campaign, before, one) for before, one in pairs if before and kind.done(before.answer)]
        if checks or any(value is not None for value in same):
            found.append(
                Conduct(
                    own[0].person.code,
                    sum(count for count, _ in checks),
                    sum(failed for _, failed in checks),
                    tuple(value for value in same if value is not None),
                )
            )
    return found


def agreement_with_oneself(people: Sequence[Sequence[float]]) -> Estimate:
    """The mean over all repeats, whose values lie from 0 to 1, with an interval that knows of people as clusters."""
    own = [values for values in people if values]
    n = sum(map(len, own))
    if not n:
        return Estimate(math.nan)
    mean = sum(map(sum, own)) / n
    return replace(share(mean * n / _design_effect(own, mean, n), n / _design_effect(own, mean, n)), n=n)


def _design_effect(people: Sequence[Sequence[float]], mean: float, n: int) -> float:
    """How much larger the variance of the mean is than with so many independent answers; 1 at least."""
    m, alone = len(people), mean * (1 - mean) / n
    if m < 2 or not alone:
        return 1.0
    between = m / (m - 1) * sum((sum(values) - mean * len(values)) ** 2 for values in people) / n**2
    return max(1.0, between / alone)


def with_quality(
    summary: Summary, kind: Kind, campaign: Campaign, study: Sequence[Given], beside: Sequence[Given], say: Say
) -> Summary:
    """The summary, with what is known of checks and repeats, if there are any."""
    people = conduct(kind, campaign, study, beside)
    if not people:
        return summary
    answering = len({one.person.code for one in (*study, *(one for one in beside if one.role != PRACTICE))})
    remarks: dict[str, tuple[str, ...]] = dict(summary.suspicious)
    for one in people:
        if one.failed:
            told = say("gold.flag.failed", failed=one.failed, checks=one.checks)
            remarks[one.code] = (*remarks.get(one.code, ()), told)
    return replace(
        summary,
        headlines=(*summary.headlines, *_headlines(people, say)),
        tables=(*summary.tables, _table(people, say)),
        suspicious=remarks,
        message=(*summary.message, *said_of_failures([one.code for one in people if one.failed], answering, say)),
    )


def _headlines(people: Sequence[Conduct], say: Say) -> Iterator[Headline]:
    if checks := sum(one.checks for one in people):
        failed = sum(one.failed for one in people)
        yield counted(say("gold.figure.failed"), failed, say("gold.figure.failed.note", count=checks))
    same = agreement_with_oneself([one.same for one in people])
    if same.n:
        percent = Estimate(100 * same.value, 100 * same.low, 100 * same.high, same.confidence, same.n)
        yield Headline(say("gold.figure.same"), percent, say("gold.figure.same.note", count=same.n))


def _table(people: Sequence[Conduct], say: Say) -> Grid:
    names = ("participant", "checks", "failed", "repeats", "same")
    rows = tuple(
        (
            *(one.code, one.checks, one.failed, len(one.same)),
            100 * sum(one.same) / len(one.same) if one.same else None,
        )
        for one in people
    )
    columns = tuple(say(f"gold.column.{name}") for name in names)
    return Grid(say("gold.table"), columns, rows, digits=(None, None, None, None, 0))


def quality_files(
    kind: Kind, campaign: Campaign, study: Sequence[Given], beside: Sequence[Given]
) -> list[ExportFile]:
    """What counts nowhere in the study, where a campaign has it: practice; checks and repeats, each marked."""
    found = []
    if practice_of(campaign):
        rows = [_row(one, PRACTISED, _judged(kind, campaign, one, None)) for one in beside if one.role == PRACTICE]
        found.append(ExportFile(WITH_PRACTICE, as_text(lambda out: write_csv(PRACTISED, rows, out))))
    if checks_of(campaign) or campaign.settings.get("repeats"):
        first = {(one.person.number, one.place): one for one in study}
        marked = [
            _row(
                one, MARKED, _judged(kind, campaign, one, first.get((one.person.number, one.task.get("repeats", -1))))
            )
            for one in beside
            if one.role != PRACTICE
        ]
        found.append(ExportFile(WITH_CHECKS, as_text(lambda out: write_csv(MARKED, marked, out))))
    return found


def _judged(kind: Kind, campaign: Campaign, one: Given, first: Given | None) -> Mapping[str, object]:
    """What was expected: the right answer or, of a repeat, that of the first time; and how right the answer is."""
    if not kind.done(one.answer):
        return {"expected": "", "right": ""}
    if one.role == REPEAT:
        if first is None or not kind.done(first.answer):
            return {"expected": "", "right": ""}
        same = kind.agreed(campaign, first, one)
        return {"expected": _written(first.answer), "right": "" if same is None else f"{same:g}"}
    if "expected" not in one.task:
        return {"expected": "", "right": ""}
    return {"expected": _written(one.task["expected"]), "right": f"{kind.right(campaign, one.task, one.answer):g}"}


def _row(one: Given, columns: Sequence[str], judged: Mapping[str, object]) -> list[object]:
    task = {key: value for key, value in one.task.items() if key not in ("expected", "why", "repeats")}
    cells = {
        "participant": one.person.code,
        "place": one.place,
        "check": int(one.role == CHECK),
        "repeat": int(one.role == REPEAT),
        "task": _written(task),
        "answer": _written(one.answer),
        "seconds": "" if one.seconds is None else one.seconds,
        "time": one.time,
        LEFT_OUT: safe(one.person.left_out),
        **judged,
    }
    return [cells[name] for name in columns]


def _written(value: Json | str) -> str:
    return safe(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
