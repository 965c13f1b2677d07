"""How good are the questions? Difficulty, discrimination and the use of distractors, for each question and version.

difficulty       the share of correct answers: high is easy, as test theory has it.
discrimination   the correlation of a correct answer with the share of correct answers that the same participant gave
                 to all other questions. Below 0.2 the question tells little of how much a reader understands; below
                 0 it is misleading.
distractors      how often each wrong answer was chosen. One that nobody chooses only makes guessing easier; one that
                 is chosen more often than the correct answer may be correct too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from plainly.comprehension.records import Answer
from plainly.comprehension.scores import by_number, in_order

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment

EASY = 0.95
WEAK = 0.2
FEW = 10
"""Of fewer answers nothing is said."""


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
    discrimination: float
    chosen: tuple[tuple[int, int], ...]
    """Answers by number, and how often each was chosen."""
    right: int | None
    """The number of the correct answer, where it is known."""
    remarks: tuple[str, ...]

    @property
    def shares(self) -> list[tuple[int, int, float]]:
        """As `chosen`, with the percentage of all answers."""
        return [(number, count, 100 * count / self.answers) for number, count in self.chosen]


def items(answers: Sequence[Answer], experiment: Experiment | None = None) -> list[Item]:
    """Every question about every version."""
    rest = _RestScores(answers)
    texts: dict[tuple[str, str], dict[str, list[Answer]]] = {}
    for answer in answers:
        texts.setdefault((answer.passage, answer.version), {}).setdefault(answer.question, []).append(answer)
    return [
        _item(questions[name], rest, experiment)
        for _, questions in in_order(texts, experiment)
        for name in sorted(questions, key=by_number)
    ]


class _RestScores:
    """The share of correct answers of a participant to all questions but one."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._given = Counter(answer.participant for answer in answers)
        self._right = Counter(answer.participant for answer in answers if answer.correct)

    def without(self, answer: Answer) -> float:
        others = self._given[answer.participant] - 1
        return (self._right[answer.participant] - bool(answer.correct)) / others if others else math.nan


def _item(group: Sequence[Answer], rest: _RestScores, experiment: Experiment | None) -> Item:
    first = group[0]
    right = next((answer.answer for answer in group if answer.correct), None)
    options = None
    if experiment is not None:
        question = next(item for item in experiment.passage(first.passage).questions if item.id == first.question)
        right, options = question.correct, len(question.answers)
    counts = Counter(answer.answer for answer in group if answer.answer is not None)
    numbers = range(options) if options else sorted(counts)
    chosen = tuple((number, counts[number]) for number in numbers)
    share = sum(bool(answer.correct) for answer in group) / len(group)
    discrimination = _correlation(
        [float(bool(answer.correct)) for answer in group], [rest.without(answer) for answer in group]
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
        remarks=tuple(_remarks(len(group), share, discrimination, chosen, right, options)),
    )


def _remarks(
    answers: int,
    share: float,
    discrimination: float,
    chosen: Sequence[tuple[int, int]],
    right: int | None,
    options: int | None,
) -> list[str]:
    if answers < FEW:
        return ["too few answers to judge"]
    found = []
    if share >= EASY:
        found.append("nearly everyone is right")
    if options and share <= 1 / options:
        found.append("no better than guessing")
    if discrimination < 0:
        found.append("readers who do well elsewhere do worse here")
    elif discrimination < WEAK:
        found.append("tells little about readers")
    counts = dict(chosen)
    for number, count in chosen:
        if number != right and count == 0:
            found.append(f"nobody chose answer {number}")
        if number != right and count > counts.get(-1 if right is None else right, 0):
            found.append(f"answer {number} is chosen more often than the correct one")
    return found


def _correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's; of a correct answer (0 or 1) it is also called point-biserial. NaN where one side does not vary."""
    x, y = np.array(first), np.array(second)
    there = ~np.isnan(y)
    x, y = x[there], y[there]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(np.corrcoef(x, y)[0, 1])
