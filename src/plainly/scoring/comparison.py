"""Systems compared: the verdict, a row a system, a row a pair of them, as every face prints them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plainly.findings import Cell, Column, Findings, Message, Note, Table, message
from plainly.findings.printing import BEST, DIFFERS, LACKS, lines_above
from plainly.findings.result import StudyResult
from plainly.findings.shape import Row
from plainly.inference import Comparison as Tests
from plainly.inference import Pair, Settings, Standing
from plainly.inference.estimates import Estimate
from plainly.inference.letters import group_letters, letter_ranges
from plainly.inference.verdict import Verdict, verdict
from plainly.scoring.findings import COUNTS, SYSTEM, amount, in_words, score_column, signatures, unscored, words_of

if TYPE_CHECKING:
    from plainly.scoring.evaluation import Evaluation

TESTS: Mapping[str, Message] = {
    "bootstrap": message("scoring.test.bootstrap", "calibrated paired bootstrap"),
    "bootstrap-plain": message("scoring.test.bootstrap-plain", "plain paired bootstrap"),
    "randomisation": message("scoring.test.randomisation", "paired randomisation"),
}


@dataclass(frozen=True, repr=False)
class Comparison(StudyResult, Tests, usual="systems"):
    """Intervals, ranks and tests of the systems of an evaluation, and what they come to."""

    evaluation: Evaluation = field(kw_only=True)
    reasons: tuple[Message, ...] = field(default=(), kw_only=True)
    """What other studies of the same texts add to the verdict."""

    @classmethod
    def of(cls, evaluation: Evaluation, found: Tests, notes: Sequence[Message] = ()) -> Comparison:
        """Tests with the evaluation that they are of, and what else is to be said of them."""
        known = {spec.name: getattr(found, spec.name) for spec in fields(Tests)}
        return cls(**{**known, "notes": (*found.notes, *notes)}, evaluation=evaluation)

    @cached_property
    def verdict(self) -> Verdict:
        """Which system is best by the first metric, by how much, how sure that is, and why."""
        return self.verdict_by(list(self.evaluation.metrics))

    def verdict_by(self, labels: Sequence[str]) -> Verdict:
        """The verdict by the first of these metrics; the others may disagree."""
        parts = {system: results[labels[0]].components for system, results in self.evaluation.systems.items()}
        return verdict(self, self.evaluation.metrics, labels, parts, self.reasons)

    @cached_property
    def letters(self) -> Mapping[str, Mapping[str, str]]:
        """By metric and system: systems that share a letter cannot be told apart."""
        return {label: group_letters(self, label) for label in self.evaluation.metrics}

    @cached_property
    def letter_ranges(self) -> Mapping[str, Mapping[str, str]]:
        """The letters for people: many in a row as a range."""
        return {
            label: {system: letter_ranges(letters) for system, letters in by_system.items()}
            for label, by_system in self.letters.items()
        }

    @property
    def data(self) -> dict[str, Any]:
        """The numbers as plain data."""
        signed = {
            system: {label: result.signature for label, result in results.items()}
            for system, results in self.evaluation.systems.items()
        }
        verdict, words = self.verdict.to_dict(), words_of(self.evaluation)
        return {
            "verdict": verdict,
            **Tests.to_dict(self),
            **({"in_words": words} if words else {}),
            "signatures": signed,
        }

    def findings(self, more: Sequence[Table] = ()) -> Findings:
        """What every face prints; `more` are tables of the same systems, as those of slices."""
        evaluation = self.evaluation
        drawn = self.settings.resampling
        below = [
            amount(evaluation.size, evaluation.documents, drawn, words_of_test(self.settings)),
            *unscored(evaluation),
            *in_words(evaluation),
        ]
        return Findings(
            tables=[*_systems(self), _pairs(self), *_runs(self), *more],
            verdict=self.verdict.sentences(),
            notes=[
                *map(Note, below),
                *(replace(note, aside=True) for note in evaluation.notes),
                *(Note(one, aside=True) for one in self.notes),
            ],
            signatures=signatures(evaluation.metrics, evaluation.systems),
            data=self.data,
        )

    def __str__(self) -> str:
        return "\n".join(lines_above(self.findings()))


def _systems(comparison: Comparison) -> Iterator[Table]:
    """One row a system, the best first; then one a baseline, with where it would rank."""
    first = next(iter(comparison.evaluation.metrics))
    order = comparison.order(first)
    rest = [system for system in comparison.ranked if system not in order]
    question = message("scoring.systems", "Which system is better, and how sure are we?")
    if _alone(comparison):
        question = message("scoring.scores", "How well does each system do?")
    rank = message("scoring.column.rank", "rank")
    yield _standings(comparison, question, [*order, *rest], rank, list(_legend(comparison)))
    if comparison.baselines:
        question = message("scoring.baselines", "Where would baselines stand?")
        would = message("scoring.column.would-rank", "would rank")
        yield _standings(comparison, question, comparison.baselines, would, [])


def _standings(
    comparison: Comparison, question: Message, systems: Sequence[str], rank: Message, legend: Sequence[Message]
) -> Table:
    metrics = comparison.evaluation.metrics
    with_runs = any(comparison[system][label].runs for system in systems for label in metrics)
    columns = [SYSTEM]
    for label, metric in metrics.items():
        columns.append(score_column(label, metric))
        if not _alone(comparison):
            columns.append(Column(f"{label} rank", title=rank, detail=True))
        if with_runs:
            title = message("scoring.column.spread", "sd of runs")
            columns.append(Column(f"{label} spread", "number", metric.facts.decimals, title))
    rows: list[Row] = []
    for system in systems:
        row: list[Any] = [system]
        for label in metrics:
            standing = comparison[system][label]
            row.append(_marked(comparison, system, label))
            row += [] if _alone(comparison) else [_ranks(standing)]
            row += [standing.spread] if with_runs else []
        rows.append(row)
    long = _long(comparison, question, systems)
    lettered = comparison.settings.baseline is None and all(comparison.letters.values())
    return Table(
        "systems",
        question,
        columns,
        rows,
        legend=legend,
        detail_marks=frozenset({"differs"} if lettered else ()),  # who shares no letter with the best differs from it
        on_detail=[*([_on_best(comparison)] if lettered else []), _on_ranks(comparison)],
        long=long,
    )


def _long(comparison: Comparison, question: Message, systems: Sequence[str]) -> Table:
    return Table(
        "systems",
        question,
        [
            *(SYSTEM, Column("kind"), Column("metric"), Column("score", "estimate"), Column("rank", "estimate", 0)),
            *(Column("group"), Column("runs", "count"), Column("spread", "number"), *COUNTS),
        ],
        [
            [
                *(system, "baseline" if system in comparison.baselines else "system", label),
                *(standing.estimate, _rank(standing), comparison.letters[label].get(system)),
                *(len(standing.runs) or 1, standing.spread, standing.scored, standing.unscored),
                comparison.evaluation[system][label].signature,
            ]
            for system in systems
            for label, standing in comparison[system].items()
        ],
    )


def _pairs(comparison: Comparison) -> Table:
    """One row a pair of systems and metric; for programs with the signature of the first system."""
    return Table(
        "pairs",
        message("scoring.pairs", "Which pairs of systems differ?"),
        [
            *(_head("metric"), _head("first"), _head("second")),
            Column("difference", "estimate", title=_title("difference")),
            *(Column("p", "p"), Column("p (Holm)", "p"), Column("effect", "number", title=_title("effect"))),
            *(_head("better"), Column("signature", for_people=False)),
        ],
        [
            [
                *(pair.metric, pair.first, pair.second, pair.estimate, pair.p, pair.p_holm, pair.effect),
                *(_better(pair), comparison.evaluation[pair.first][pair.metric].signature),
            ]
            for pair in comparison.pairs
        ],
        legend=[
            message(
                "scoring.effect",
                "effect: the difference in standard deviations of a segment, which does not grow with the test set; "
                "none with several runs",
            )
        ],
    )


def _runs(comparison: Comparison) -> Iterator[Table]:
    """One row a run, where systems ran several times."""
    rows: list[Row] = [
        [system, run, label, score]
        for system, standings in comparison.systems.items()
        for label, standing in standings.items()
        for run, score in standing.runs.items()
    ]
    if rows:
        columns = [SYSTEM, _head("run"), _head("metric"), Column("score", "number", title=_title("score"))]
        yield Table("runs", message("scoring.runs", "How far do runs of one system differ?"), columns, rows)


def _marked(comparison: Comparison, system: str, label: str) -> Cell:
    """Marked where it is the best, where it differs from the best or from a baseline, and with its group."""
    against = comparison.settings.baseline
    standing = comparison[system][label]
    order = comparison.order(label)
    if against is None and order and comparison.directions[label] != "none":
        against = order[0]
    pair = None if against in (None, system) else comparison.find(system, str(against), label)
    marks = {BEST} if standing.best else set()
    if pair is not None and pair.significant and system not in comparison.baselines:
        marks.add(DIFFERS)
    if standing.lacking:
        marks.add(LACKS)
    letters = comparison.letter_ranges[label].get(system)
    return Cell(standing.estimate, frozenset({*marks, *([letters] if letters else [])}))


def _alone(comparison: Comparison) -> bool:
    """Whether there is one system, which has no rank then, nor have baselines beside it."""
    return len(comparison.ranked) == 1


def _ranks(standing: Standing) -> str | None:
    """The ranks that the interval holds."""
    if standing.rank_interval is None:
        return None
    low, high = standing.rank_interval
    return str(low) if low == high else f"{low}-{high}"


def _rank(standing: Standing) -> Estimate | None:
    if standing.rank is None or standing.rank_interval is None:
        return None
    return Estimate(standing.rank, *standing.rank_interval)


def _better(pair: Pair) -> str | Message:
    if not pair.significant:
        return message("scoring.not-shown", "no difference shown")
    return pair.better or message("scoring.neither", "neither")


def words_of_test(settings: Settings) -> Message:
    """Which test it is, and of how many trials where these are more than the resamples."""
    method = TESTS[settings.method]
    if settings.trials <= settings.resampling.resamples:
        return method
    return message("scoring.trials", "{method} of {trials} trials", method=method, trials=settings.trials)


def _legend(comparison: Comparison) -> Iterator[Message]:
    settings = comparison.settings
    if settings.baseline is not None:
        english = "* differs from {baseline}: p < {alpha:g} after Holm's correction"
        yield message("scoring.differs", english, baseline=settings.baseline, alpha=settings.alpha)
    elif comparison.pairs and not _alone(comparison):
        yield _on_best(comparison)
    if any(standing.lacking for by_label in comparison.systems.values() for standing in by_label.values()):
        english = (
            "† lacks segments that others have: it cannot be first; two systems are ranked on those that both have"
        )
        yield message("scoring.lacks", english)
    if any(comparison.letters.values()):
        english = "systems that share a letter cannot be told apart by that metric (corrected p of {alpha:g} or more)"
        yield message("scoring.letters", english, alpha=settings.alpha)
    if any("-" in letters for by_system in comparison.letter_ranges.values() for letters in by_system.values()):
        yield message("scoring.letter-ranges", "c-f stands for c, d, e and f")
    if not _alone(comparison):
        yield _on_ranks(comparison)
    spreads = [one.spread for by_label in comparison.systems.values() for one in by_label.values()]
    if any(map(math.isfinite, spreads)):
        english = "a system of several runs has their mean; its interval draws runs and segments"
        yield message("scoring.of-runs", english)


def _on_best(comparison: Comparison) -> Message:
    english = "* differs from the best system by that metric: p < {alpha:g} after Holm's correction"
    return message("scoring.differs-from-best", english, alpha=comparison.settings.alpha)


def _on_ranks(comparison: Comparison) -> Message:
    return message(
        "scoring.ranks",
        "1 is the best rank; a range holds the ranks in {confidence:.0%} of the resamples",
        confidence=comparison.settings.resampling.confidence,
    )


def _head(name: str) -> Column:
    return Column(name, title=_title(name))


def _title(name: str) -> Message:
    return message(f"scoring.column.{name}", name)
