"""What the numbers of a meta-evaluation alone do not say, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from plainly.base.messages import plural
from plainly.inference.correlation import Coefficient
from plainly.metaeval.contenders import Contender
from plainly.metaeval.correlations import FEWEST, FEWEST_DRAWN
from plainly.metaeval.judged import JudgedSet
from plainly.metaeval.quality.metric import Quality
from plainly.metaeval.quality.model import LEARNED
from plainly.metaeval.quality.pool import source_texts
from plainly.metrics import Array, Metric

if TYPE_CHECKING:
    from plainly.metaeval.study import Row

FEW = 30
"""Outputs below which a correlation is hardly worth a number: its interval is about 0.7 wide."""


def set_notes(judged: JudgedSet, found: Sequence[Contender]) -> Iterator[str]:
    """Of a whole data set."""
    for contender in found:
        missing = int((~np.isfinite(contender.scores)).sum())
        if missing:
            yield f"{contender.label} leaves {missing} of {len(judged)} outputs unscored"
    for dimension, table in judged.ratings.items():
        raters = int(np.isfinite(table).any(axis=0).sum())
        if raters == 1:
            yield f"{dimension}: one rater only; whether others would say the same, nobody knows"


def learned_notes(judged: JudgedSet, metrics: Sequence[Metric]) -> Iterator[str]:
    """Of metrics that learned from judgements, maybe from these."""
    for metric in metrics:
        if isinstance(metric, Quality):
            count = sum(metric.model.learned(source_texts(judged)))
            if count:
                yield (
                    f"{metric.label} learned from the sources of {count} of these {plural(len(judged), 'output')}: "
                    "its agreement with people is too good here"
                )
            elif LEARNED not in metric.model.about:
                yield f"whether {metric.label} learned from these outputs, its file does not say"


def table_notes(
    judged: int, outputs: int, people: Array, rows: Sequence[Row], coefficient: Coefficient
) -> Iterator[str]:
    """Of one table."""
    if outputs < judged:
        yield f"{outputs} of {judged} judged outputs count: those that every metric scores"
    if outputs > 1 and np.ptp(people) == 0:
        yield "people judged all outputs the same, so nothing can agree with them"
    elif FEWEST <= outputs < FEWEST_DRAWN:
        yield f"only {plural(outputs, 'output')}: too few for intervals, which take {FEWEST_DRAWN}"
    elif 0 < outputs < FEW:
        yield f"only {plural(outputs, 'output')}: read the intervals, not the numbers"
    why = {row.agreement.reason: row.contender for row in rows if row.agreement.reason is not None}
    if len(why) == 1 and all(row.agreement.reason is not None for row in rows):
        reason = next(iter(why))
        if reason is not None and not reason.startswith("people judged"):
            yield reason
    else:
        yield from (f"{row.contender}: {row.agreement.reason}" for row in rows if row.agreement.reason is not None)
    wrong = [row.contender for row in rows if row.wrong_way]
    if wrong:
        yield f"against its own direction, beyond chance: {', '.join(wrong)}"
    best = next((row for row in rows if row.standing.best), None)
    if best is not None and not best.agrees:
        yield f"no metric agrees with people in its own direction; {best.contender} is only the least bad"
    elif (
        best is not None and best.agreement.coefficient(coefficient).estimate.has_interval and not best.beyond_chance
    ):
        yield "no metric agrees with people beyond chance: the interval of the best one holds 0"


def permutation_notes(segments: int, compared: int, trials: int, alpha: float) -> Iterator[str]:
    """Where p cannot be small, whatever the data say.

    Of 2 to the power of segments ways to swap, two always differ as much as the scores do: none swapped, and all. And
    no p is below that of a single trial. Holm's rule multiplies the smallest p by the number of comparisons.
    """
    smallest = compared * max(2.0 ** (1 - segments), 1 / (trials + 1))
    if smallest >= alpha:
        yield (
            f"p permuted cannot fall below {min(1.0, smallest):.2g} here: {plural(segments, 'segment')}, "
            f"{plural(trials, 'trial')}, {plural(compared, 'comparison')}"
        )
