"""What is said before the readers come: what to change in an experiment, and how many readers it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainly.base.plain_data import plain_data
from plainly.comprehension.checks import Finding
from plainly.comprehension.plurals import counted
from plainly.comprehension.power import OUTCOMES, Curve, Search, Study
from plainly.corpus.readers.files import shown
from plainly.findings import Column, Findings, Message, Note, Table, message
from plainly.findings.shape import Kind


def check_findings(file: str, found: Sequence[Finding]) -> Findings:
    """What to change in the experiment of this file."""
    errors = sum(one.severity == "error" for one in found)
    return Findings(
        tables=[
            Table(
                "changes",
                message("comprehension.changes", "What should be changed?"),
                [_column("line", "count"), *(_column(name) for name in ("place", "rule", "severity", "change"))],
                [[one.line, one.place, one.rule, _severity(one), one.message] for one in found],
            )
        ],
        verdict=[_checked(shown(file), errors, len(found) - errors)],
        data={
            "file": file,
            "errors": errors,
            "advice": len(found) - errors,
            "findings": plain_data(found),
        },
    )


def _severity(found: Finding) -> Message:
    return message(f"comprehension.severity.{found.severity}", found.severity)


def _checked(file: str, errors: int, advice: int) -> Message:
    if not errors + advice:
        return message("comprehension.nothing-to-change", "{file}: nothing to change", file=file)
    if advice == 1:
        said = message("comprehension.one.advice", "1 piece of advice")
    else:
        said = message("comprehension.many.advice", "{count} pieces of advice", count=advice)
    return message(
        "comprehension.checked", "{file}: {errors}, {advice}", file=file, errors=counted(errors, "error"), advice=said
    )


def curve_findings(found: Curve) -> Findings:
    """The power with some numbers of participants."""
    table = Table(
        "power",
        message("comprehension.power", "How often would the difference be found?"),
        [
            _column("participants", "count"),
            *(Column(name, "estimate", 3, message(f"comprehension.outcome.{name}", name)) for name in OUTCOMES),
        ],
        [[point.participants, *(point.of(name) for name in OUTCOMES)] for point in found.points],
    )
    about = message(
        "comprehension.power-of",
        "power of the tests of more correct answers and of faster correct ones, with intervals (95 %)",
    )
    return Findings(tables=[table], notes=[Note(about), *map(Note, _said(found.study))], data=found.data)


def search_findings(found: Search) -> Findings:
    """The numbers of participants that reach a power."""
    table = Table(
        "needed",
        message("comprehension.needed", "How many participants does the difference need?"),
        [
            Column("difference in", title=message("comprehension.column.difference-in", "difference in")),
            *(_column(name, "count") for name in ("participants", "low", "high")),
        ],
        [
            [message(f"comprehension.outcome.{one.outcome}", one.outcome), one.participants, one.low, one.high]
            for one in found.needed
        ],
    )
    about = message(
        "comprehension.needed-for",
        "participants for a power of {target:g}; low, high: what the runs leave open (95 %)",
        target=found.target,
    )
    return Findings(tables=[table], notes=[Note(about), *map(Note, _said(found.study))], data=found.data)


def _said(study: Study) -> Iterator[Message]:
    """What is taken for true, and how it is tested."""
    effects, experiment = study.effects, study.experiment
    yield message(
        "comprehension.effects",
        "{correct:g} % correct and {difference:+g} points; {seconds:g} s and {faster:g} % less; {passages}, "
        "{questions}{limit}",
        correct=100 * effects.correct,
        difference=100 * effects.difference,
        seconds=effects.seconds,
        faster=100 * effects.faster,
        passages=counted(len(experiment.passages), "passage"),
        questions=counted(sum(len(passage.questions) for passage in experiment.passages), "question"),
        limit="" if experiment.answer_seconds is None else _limit(experiment.answer_seconds),
    )
    yield message(
        "comprehension.study",
        "alpha {alpha:g}, two-sided; {runs}, seed {seed}",
        alpha=study.alpha,
        runs=counted(study.runs, "run"),
        seed=study.seed,
    )


def _limit(seconds: float) -> Message:
    return message("comprehension.limit", "; no answer after {seconds:g} s", seconds=seconds)


def _column(name: str, kind: Kind = "text") -> Column:
    return Column(name, kind, title=message(f"comprehension.column.{name}", name))
