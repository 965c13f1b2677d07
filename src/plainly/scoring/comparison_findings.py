"""What comparing systems found, as every face prints it: a row a system, and a row a pair of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from plainly.findings import Cell, Column, Findings, Message, Note, Table, message
from plainly.inference import Comparison, Pair, Standing
from plainly.inference.estimates import Estimate
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.findings import COUNTS, SYSTEM, amount, score_column, signatures, unscored

TABLES = ("systems", "pairs")


def comparison_findings(evaluation: Evaluation, comparison: Comparison) -> Findings:
    """Systems compared by the metrics of their evaluation."""
    drawn = comparison.settings.resampling
    below = [amount(evaluation.size, evaluation.documents, drawn, _test(comparison)), *unscored(evaluation)]
    signed = {
        system: {label: result.signature for label, result in results.items()}
        for system, results in evaluation.systems.items()
    }
    return Findings(
        tables=[_systems(evaluation, comparison), _pairs(evaluation, comparison)],
        notes=[
            *map(Note, below),
            *(replace(note, aside=True) for note in evaluation.notes),
            *(Note(one, aside=True) for one in comparison.notes),
        ],
        signatures=signatures(evaluation.metrics, evaluation.systems),
        data={**comparison.to_dict(), "signatures": signed},
    )


def _systems(evaluation: Evaluation, comparison: Comparison) -> Table:
    """One row a system: score, rank, and a mark where it differs from the baseline."""
    question = message("scoring.systems", "Which system is better, and how sure are we?")
    columns = [SYSTEM]
    for label, metric in evaluation.metrics.items():
        columns += [
            score_column(label, metric),
            Column(f"{label} rank", title=message("scoring.column.rank", "rank")),
        ]
    rows = [
        [
            system,
            *(
                cell
                for label, standing in standings.items()
                for cell in (_marked(comparison, system, label), _ranks(standing))
            ),
        ]
        for system, standings in comparison.systems.items()
    ]
    long = Table(
        "systems",
        question,
        [SYSTEM, Column("metric"), Column("score", "estimate"), Column("rank", "estimate", 0), *COUNTS],
        [
            [
                *(system, label, standing.estimate, _rank(standing)),
                *(standing.scored, standing.unscored, evaluation[system][label].signature),
            ]
            for system, standings in comparison.systems.items()
            for label, standing in standings.items()
        ],
    )
    return Table("systems", question, columns, rows, legend=list(_legend(evaluation, comparison)), long=long)


def _pairs(evaluation: Evaluation, comparison: Comparison) -> Table:
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
                *(_better(pair), evaluation[pair.first][pair.metric].signature),
            ]
            for pair in comparison.pairs
        ],
    )


def _marked(comparison: Comparison, system: str, label: str) -> Cell:
    baseline = comparison.settings.baseline
    differs = baseline is not None and system != baseline and comparison.pair(system, baseline, label).significant
    return Cell(comparison[system][label].estimate, frozenset({"differs"} if differs else ()))


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
        return message("scoring.not-shown", "not shown")
    return pair.better or message("scoring.neither", "neither")


def _test(comparison: Comparison) -> Message:
    settings = comparison.settings
    method = message(f"scoring.test.{settings.method}", f"paired {settings.method}")
    if settings.trials <= settings.resampling.resamples:
        return method
    return message("scoring.trials", "{method} of {trials} trials", method=method, trials=settings.trials)


def _legend(evaluation: Evaluation, comparison: Comparison) -> Iterator[Message]:
    settings = comparison.settings
    if settings.baseline is not None:
        english = "* differs from {baseline}: p < {alpha:g} after Holm's correction"
        yield message("scoring.differs", english, baseline=settings.baseline, alpha=settings.alpha)
    yield message(
        "scoring.ranks",
        "1 is the best rank; a range holds the ranks in {confidence:.0%} of the resamples",
        confidence=settings.resampling.confidence,
    )
    for label, difference in comparison.typical_mdd.items():
        if not math.isnan(difference):  # there is a pair
            digits = evaluation.metrics[label].facts.decimals
            yield message(
                "scoring.typical-difference",
                "{metric}: a typical pair must differ by about {difference} to be told apart in a single test",
                metric=label,
                difference=message("", f"{{difference:.{digits}f}}", difference=difference),
            )


def _head(name: str) -> Column:
    return Column(name, title=_title(name))


def _title(name: str) -> Message:
    return message(f"scoring.column.{name}", name)
