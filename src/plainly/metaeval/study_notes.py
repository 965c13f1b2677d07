"""What the numbers of a meta-evaluation alone do not say, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from plainly.base.messages import Message, message
from plainly.inference.correlation import Coefficient
from plainly.metaeval.contenders import Contender
from plainly.metaeval.correlations import FEWEST, FEWEST_DRAWN, PEOPLE_ALIKE
from plainly.metaeval.judged_set import JudgedSet, many
from plainly.metaeval.quality.metric import Quality
from plainly.metaeval.quality.model import LEARNED
from plainly.metaeval.quality.pool import source_texts
from plainly.metrics import Array, Metric

if TYPE_CHECKING:
    from plainly.metaeval.study import Row

FEW = 30
"""Outputs below which a correlation is hardly worth a number: its interval is about 0.7 wide."""


def set_notes(judged: JudgedSet, found: Sequence[Contender]) -> Iterator[Message]:
    """Of a whole data set."""
    for contender in found:
        missing = int((~np.isfinite(contender.scores)).sum())
        if missing:
            said = "{metric} leaves {missing} of {all} outputs unscored"
            yield message("metaeval.note.unscored", said, metric=contender.label, missing=missing, all=len(judged))
    for dimension, table in judged.ratings.items():
        raters = int(np.isfinite(table).any(axis=0).sum())
        if raters == 1:
            said = "{dimension}: one rater only; whether others would say the same, nobody knows"
            yield message("metaeval.note.one-rater", said, dimension=dimension)


def learned_notes(judged: JudgedSet, metrics: Sequence[Metric]) -> Iterator[Message]:
    """Of metrics that learned from judgements, maybe from these."""
    for metric in metrics:
        if isinstance(metric, Quality):
            count = sum(metric.model.learned(source_texts(judged)))
            if count:
                yield message(
                    "metaeval.note.learned",
                    "{metric} learned from the sources of {count} of these {outputs}: its agreement with people is "
                    "too good here",
                    metric=metric.label,
                    count=count,
                    outputs=many(len(judged), "output", ""),
                )
            elif LEARNED not in metric.model.about:
                said = "whether {metric} learned from these outputs, its file does not say"
                yield message("metaeval.note.unsaid", said, metric=metric.label)


def table_notes(
    judged: int, outputs: int, people: Array, rows: Sequence[Row], coefficient: Coefficient
) -> Iterator[Message]:
    """Of one table."""
    if outputs < judged:
        said = "{outputs} of {judged} judged outputs count: those that every metric scores"
        yield message("metaeval.note.count", said, outputs=outputs, judged=judged)
    if outputs > 1 and np.ptp(people) == 0:
        said = "people judged all outputs the same, so nothing can agree with them"
        yield message("metaeval.note.all-the-same", said)
    elif FEWEST <= outputs < FEWEST_DRAWN:
        said = "only {outputs}: too few for intervals, which take {least}"
        yield message("metaeval.note.too-few", said, outputs=many(outputs, "output"), least=FEWEST_DRAWN)
    elif 0 < outputs < FEW:
        said = "only {outputs}: read the intervals, not the numbers"
        yield message("metaeval.note.few", said, outputs=many(outputs, "output"))
    why = {row.contender: row.agreement.reason for row in rows if row.agreement.reason is not None}
    reasons = list(why.values())
    if len(why) == len(rows) and all(reason == reasons[0] for reason in reasons):
        yield from (reason for reason in reasons[:1] if reason.key != PEOPLE_ALIKE)
    else:
        yield from (Message("", "{metric}: {why}", {"metric": one, "why": reason}) for one, reason in why.items())
    wrong = [row.contender for row in rows if row.wrong_way]
    if wrong:
        said = "against its own direction, beyond chance: {metrics}"
        yield message("metaeval.note.wrong-way", said, metrics=", ".join(wrong))
    best = next((row for row in rows if row.standing.best), None)
    if best is not None and not best.agrees:
        said = "no metric agrees with people in its own direction; {metric} is only the least bad"
        yield message("metaeval.note.least-bad", said, metric=best.contender)
    elif (
        best is not None and best.agreement.coefficient(coefficient).estimate.has_interval and not best.beyond_chance
    ):
        said = "no metric agrees with people beyond chance: the interval of the best one holds 0"
        yield message("metaeval.note.chance", said)


def permutation_notes(segments: int, compared: int, trials: int, alpha: float) -> Iterator[Message]:
    """Where p cannot be small, whatever the data say.

    Of 2 to the power of segments ways to swap, two always differ as much as the scores do: none swapped, and all. And
    no p is below that of a single trial. Holm's rule multiplies the smallest p by the number of comparisons.
    """
    smallest = compared * max(2.0 ** (1 - segments), 1 / (trials + 1))
    if smallest >= alpha:
        yield message(
            "metaeval.note.p-permuted",
            "p permuted cannot fall below {least:.2g} here: {segments}, {trials}, {comparisons}",
            least=min(1.0, smallest),
            segments=many(segments, "segment", ""),
            trials=many(trials, "trial", ""),
            comparisons=many(compared, "comparison", ""),
        )
