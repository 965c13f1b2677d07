"""How good are the questions? Difficulty, discrimination and the use of distractors, for each question and version.

difficulty       the share of correct answers: high is easy, as test theory has it.
discrimination   the correlation of a correct answer with the share of correct answers that the same participant gave
                 to all other questions. Below 0.2 the question tells little of how much a reader understands; below
                 0 it is misleading. That is said only where the whole interval lies below, since few answers give
                 any correlation. The interval is Fisher's: z = artanh r has a standard error of 1 / sqrt(n - 3).
distractors      how often each wrong answer was chosen. One that nobody chooses only makes guessing easier; one that
                 is chosen more often than the correct answer may be correct too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from plainly.base.groups import grouped
from plainly.base.messages import Message, message
from plainly.comprehension.records import Answer
from plainly.comprehension.scores import by_number, in_order
from plainly.inference.estimates import Estimate

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment, Question

EASY = 0.95
WEAK = 0.2
FEW = 10
"""Of fewer answers nothing is said."""
SMALLEST = 3
"""So many answers give no interval of a correlation."""


@dataclass(frozen=True)
class Item:
    """One question about one version."""

    passage: str
    version: str
    question: str
    answers: int
    correct: float
    seconds: float
    """The mean time."""
    discrimination: Estimate
    chosen: tuple[tuple[int, int], ...]
    """Answers by number, and how often each was chosen."""
    right: int | None
    """The number of the correct answer, where it is known."""
    remarks: tuple[Message, ...]
    wording: str = ""
    """Of the question; empty where the experiment is not known."""
    options: tuple[str, ...] = ()
    """The texts of its answers, by number."""
    type: str = ""
    """What it asks for, where the experiment says it: one of `plainly.comprehension.experiment.TYPES`."""

    @property
    def shares(self) -> list[tuple[int, int, float]]:
        """As `chosen`, with the percentage of all answers."""
        return [(number, count, 100 * count / self.answers) for number, count in self.chosen]


def items(answers: Sequence[Answer], experiment: Experiment | None = None, confidence: float = 0.95) -> list[Item]:
    """Every question about every version; discrimination has an interval of this confidence."""
    rest = _RestScores(answers)
    texts = grouped(answers, lambda answer: (answer.passage, answer.version))
    return [
        _item(group, rest, experiment, confidence)
        for _, of_text in in_order(texts, experiment)
        for _, group in sorted(
            grouped(of_text, lambda answer: answer.question).items(), key=lambda item: by_number(item[0])
        )
    ]


class _RestScores:
    """The share of correct answers of a participant to all questions but one."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._given = Counter(answer.participant for answer in answers)
        self._right = Counter(answer.participant for answer in answers if answer.correct)

    def without(self, answer: Answer) -> float:
        others = self._given[answer.participant] - 1
        return (self._right[answer.participant] - bool(answer.correct)) / others if others else math.nan


def _item(group: Sequence[Answer], rest: _RestScores, experiment: Experiment | None, confidence: float) -> Item:
    first = group[0]
    right = next((answer.answer for answer in group if answer.correct), None)
    question = None if experiment is None else _question(experiment, first)
    options = () if question is None else question.answers
    if question is not None:
        right = question.correct
    counts = Counter(answer.answer for answer in group if answer.answer is not None)
    numbers = range(len(options)) if options else sorted(counts)
    chosen = tuple((number, counts[number]) for number in numbers)
    share = sum(bool(answer.correct) for answer in group) / len(group)
    discrimination = _correlation(
        [float(bool(answer.correct)) for answer in group], [rest.without(answer) for answer in group], confidence
    )
    return Item(
        passage=first.passage,
        version=first.version,
        question=first.question,
        answers=len(group),
        correct=share,
        seconds=float(np.mean([answer.seconds for answer in group])),
        discrimination=discrimination,
        chosen=chosen,
        right=right,
        remarks=tuple(_remarks(len(group), share, discrimination, chosen, right, len(options))),
        wording="" if question is None else question.text,
        options=options,
        type="" if question is None else question.type,
    )


def _question(experiment: Experiment, answer: Answer) -> Question:
    return next(item for item in experiment.passage(answer.passage).questions if item.id == answer.question)


def _remarks(
    answers: int,
    share: float,
    discrimination: Estimate,
    chosen: Sequence[tuple[int, int]],
    right: int | None,
    options: int,
) -> Iterator[Message]:
    if answers < FEW:
        yield message("comprehension.remark.few", "too few answers to judge")
        return
    if share >= EASY:
        yield message("comprehension.remark.easy", "nearly everyone is right")
    if options and share <= 1 / options:
        yield message("comprehension.remark.guessed", "no better than guessing")
    if discrimination.high < 0:
        yield message("comprehension.remark.misleading", "readers who do well elsewhere do worse here")
    elif discrimination.high < WEAK:
        yield message("comprehension.remark.weak", "tells little about readers")
    counts = dict(chosen)
    for number, count in chosen:
        if number != right and count == 0:
            yield message("comprehension.remark.unchosen", "nobody chose answer {number}", number=number)
        if number != right and count > counts.get(-1 if right is None else right, 0):
            yield message(
                "comprehension.remark.rival",
                "answer {number} is chosen more often than the correct one",
                number=number,
            )


def _correlation(first: Sequence[float], second: Sequence[float], confidence: float) -> Estimate:
    """Pearson's; of a correct answer (0 or 1) it is also called point-biserial. NaN where one side does not vary."""
    x, y = np.array(first), np.array(second)
    there = ~np.isnan(y)
    x, y = x[there], y[there]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate(math.nan, math.nan, math.nan)
    value = min(1.0, max(-1.0, float(np.corrcoef(x, y)[0, 1])))
    if len(x) <= SMALLEST:
        return Estimate(value, math.nan, math.nan)
    if abs(value) == 1:
        return Estimate(value, value, value)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(len(x) - SMALLEST)
    return Estimate(value, math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach))
