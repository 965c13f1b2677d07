"""Two sides compared by the answers to the same questions: two versions of texts, or two groups of readers.

Sides are compared within each question, so that hard questions and slow passages cancel out. With n and m the
answers to a question on the two sides, its weight is n m / (n + m), as Mantel and Haenszel (1959) weigh strata.

correct   the difference of the weighted shares of correct answers; effect size: Cohen's h, the difference of
          2 arcsin(sqrt(share)).
faster    the weighted difference of the mean log times of correct answers, shown as a ratio of times; effect size:
          the difference divided by the standard deviation of log times within questions and sides.
reading   the same of the log words per minute with which texts were read; a passage takes the place of a question.

Tests are permutations: participants change sides, all with the same questions. p is the share of the exchanges whose
difference is at least as large as the observed one, in either direction. Where there are too many exchanges to try
all, they are drawn at random, up to a number, or until `ENOUGH` have such a difference: p is then ENOUGH / exchanges
(Besag and Clifford 1991). So small p-values, which decide something, get all exchanges, and large ones are quick.
Intervals resample participants.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_fields
from plainly.comprehension.intervals import bounded
from plainly.comprehension.records import Answer
from plainly.inference.estimates import Estimate
from plainly.inference.multiple import holm
from plainly.inference.resampling import Resampling, bootstrap_weights, weighted_totals
from plainly.metrics import Array

Hypothesis = Literal["correct", "faster", "reading"]
HYPOTHESES: tuple[Hypothesis, ...] = ("correct", "faster")
"""Those of the paper, about answers."""
MOST_EXACT = 4096
"""Exchanges: up to so many, all of them are tried."""
PERMUTATIONS = 20_000
"""Random exchanges: so many that another seed seldom makes another verdict."""
ENOUGH = 1000
"""Random exchanges with at least the observed difference: p is known within 3 % then."""
ROUNDING = 1e-9
DOUBT = 3.0
"""Standard errors by which two samples of exchanges may well differ: each has one, and they differ by sqrt(2)."""


@dataclass(frozen=True)
class Contrast:
    """One side less the other."""

    hypothesis: Hypothesis
    participants: int
    questions: int
    answers: int
    difference: Estimate
    """Percentage points; or the ratio of times, or of words per minute."""
    effect: float
    p: float
    p_holm: float
    """NaN until the whole family of tests is there; see `corrected`."""
    exact: bool
    exchanges: int
    """That were tried and could be compared."""
    confidence: float

    @property
    def size(self) -> Message:
        """The difference in plain words: how much more or less the one side has."""
        said = SIZES[self.hypothesis]
        distance = self.difference.value - NO_DIFFERENCE[self.hypothesis]
        key, english = said[0] if not self._visible else said[1] if distance > 0 else said[2]
        shown = {"points": abs(distance)} if self.hypothesis == "correct" else {"percent": 100 * abs(distance)}
        return message(f"comprehension.size.{key}", english, **(shown if self._visible else {}))

    @property
    def _visible(self) -> bool:
        """Whether the difference is more than nothing, in the digits that are said."""
        distance = abs(self.difference.value - NO_DIFFERENCE[self.hypothesis])
        if self.hypothesis == "correct":
            return f"{distance:.1f}" != "0.0"
        return f"{100 * distance:.0f}" != "0"

    @property
    def better(self) -> bool:
        """Whether the one side has more correct answers, or faster ones, or reads faster."""
        return BETTER[self.hypothesis] * (self.difference.value - NO_DIFFERENCE[self.hypothesis]) > 0

    @property
    def significant(self) -> bool:
        """Whether chance alone would seldom give such a difference, the number of tests considered."""
        return self.p_holm < 1 - self.confidence

    @property
    def error(self) -> float:
        """How far off the corrected p may be, because its exchanges are a sample: one standard error."""
        if self.exact or not self.p > 0:
            return 0.0
        return math.sqrt(self.p * (1 - self.p) / self.exchanges) * self.p_holm / self.p

    @property
    def on_the_edge(self) -> bool:
        """Whether another seed could make another verdict: never if the correction makes p 1, 20 times the border.

        Chance could move p so far only if fewer than ten exchanges had such a difference; but p counts one more than
        had, so it cannot fall to a twentieth then.
        """
        return self.p_holm < 1 and abs(self.p_holm - (1 - self.confidence)) < DOUBT * self.error

    @property
    def contradicted(self) -> bool:
        """Whether the interval says other than the test: that chance could do it, or that it could not."""
        none, low, high = NO_DIFFERENCE[self.hypothesis], self.difference.low, self.difference.high
        if math.isnan(self.p_holm) or math.isnan(low):
            return False
        return self.significant == (low <= none <= high)

    @property
    def verdict(self) -> Message:
        """What it means, in plain words: each kind of comparison has its own."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, with the verdict; the settings say the confidence of all tests."""
        content = {name: value for name, value in plain_fields(self).items() if name != "confidence"}
        return {**content, "verdict": self.verdict.text()}

    @property
    def not_shown(self) -> Message:
        """The verdict on a difference that is not significant."""
        if not self._visible:
            return message("comprehension.verdict.same", "not shown: {size}", size=self.size)
        return message("comprehension.verdict.chance", "not shown: {size}, which may be chance", size=self.size)


NO_DIFFERENCE: dict[Hypothesis, float] = {"correct": 0.0, "faster": 1.0, "reading": 1.0}
BETTER: dict[Hypothesis, int] = {"correct": 1, "faster": -1, "reading": 1}
"""1 where more is better, -1 where less is."""
SIZES: dict[Hypothesis, tuple[tuple[str, str], ...]] = {
    "correct": (
        ("same-correct", "no difference in correct answers"),
        ("more", "{points:.1f} points more correct answers"),
        ("fewer", "{points:.1f} points fewer correct answers"),
    ),
    "faster": (
        ("same-time", "no difference in the times of correct answers"),
        ("longer", "correct answers take {percent:.0f}% longer"),
        ("shorter", "correct answers take {percent:.0f}% less time"),
    ),
    "reading": (
        ("same-reading", "no difference in words per minute"),
        ("more-words", "{percent:.0f}% more words per minute"),
        ("fewer-words", "{percent:.0f}% fewer words per minute"),
    ),
}
"""What is said of no difference, of more, and of less."""
Made = TypeVar("Made", bound=Contrast)


@dataclass(frozen=True)
class Cells:
    """Participants by questions: on which side the answer is (1, -1 for the other, 0 for none), and its value."""

    side: Array
    value: Array

    @classmethod
    def of(cls, entries: Sequence[tuple[str, Hashable, int, float]]) -> Cells:
        """From participants, each with the question that is compared, the side, and the value."""
        rows = {name: place for place, name in enumerate(dict.fromkeys(entry[0] for entry in entries))}
        columns = {name: place for place, name in enumerate(dict.fromkeys(entry[1] for entry in entries))}
        sides, values = (np.zeros((len(rows), len(columns))) for _ in range(2))
        for participant, name, side, value in entries:
            at = rows[participant], columns[name]
            sides[at] = side
            values[at] = value
        return cls(sides, values)

    @property
    def sums(self) -> list[Array]:
        """Each cell as numbers to add up: answers and values of both sides together, and their differences."""
        read = np.abs(self.side)
        return [read, self.side, read * self.value, self.side * self.value]

    @property
    def fewest(self) -> int:
        """Participants of the smaller side."""
        return int(min((self.side == side).any(1).sum() for side in (-1, 1)))

    @property
    def spread(self) -> float:
        """The standard deviation of values within questions and sides; NaN where nothing varies."""
        squares, freedom = 0.0, 0
        for side in (-1, 1):
            for column in range(self.side.shape[1]):
                values = self.value[self.side[:, column] == side, column]
                if len(values) > 1:
                    squares += float(((values - values.mean()) ** 2).sum())
                    freedom += len(values) - 1
        return math.sqrt(squares / freedom) if squares > 0 else math.nan


def used(answers: Sequence[Answer], hypothesis: Hypothesis) -> list[Answer]:
    """The answers that a hypothesis is about: all, or the correct ones."""
    return [answer for answer in answers if hypothesis == "correct" or answer.correct]


def value_of(answer: Answer, hypothesis: Hypothesis) -> float:
    """What a hypothesis compares: whether the answer is correct, or the logarithm of its time."""
    return float(bool(answer.correct)) if hypothesis == "correct" else math.log(answer.seconds)


def contrast(
    hypothesis: Hypothesis, cells: Cells, exchanges: Iterable[Array], exact: bool, resampling: Resampling
) -> tuple[Contrast, float, float]:
    """The sides compared; and what each has: a percentage of correct answers, or a geometric mean.

    `exchanges` come some at a time. A row is one: -1 for each participant who changes sides, else 1.
    """
    people, questions = cells.side.shape
    values, drawn, left_out = (np.full((rows, 2), np.nan) for rows in (1, resampling.resamples, people))
    exchanged: Iterator[Array] = iter(())
    if people:
        sums = cells.sums
        whole = [cell.sum(0, keepdims=True) for cell in sums]
        values = _means(whole)
        drawn = _means(weighted_totals(bootstrap_weights(people, resampling.resamples, resampling.seed), sums))
        left_out = _means([total - cell for total, cell in zip(whole, sums, strict=True)])
        exchanged = _exchanged(sums, exchanges)
    differences, without = (pair[:, 1] - pair[:, 0] for pair in (drawn, left_out))
    observed = values[:, 1] - values[:, 0]
    (found,) = bounded(observed, differences[:, None], without[:, None], cells.fewest, resampling)
    p, tried = _p(float(observed[0]), exchanged, exact)
    shown = {"correct": _percent, "faster": math.exp, "reading": math.exp}[hypothesis]
    made = Contrast(
        hypothesis=hypothesis,
        participants=people,
        questions=questions,
        answers=int(np.abs(cells.side).sum()),
        difference=Estimate(shown(found.value), shown(found.low), shown(found.high)),
        effect=_cohen_h(values[0]) if hypothesis == "correct" else float(observed[0]) / cells.spread,
        p=p,
        p_holm=math.nan,
        exact=exact,
        exchanges=tried,
        confidence=resampling.confidence,
    )
    return made, shown(float(values[0, 1])), shown(float(values[0, 0]))


def corrected(tests: Sequence[Made]) -> list[Made]:
    """The tests of one family, their p-values corrected for their number (Holm 1979)."""
    p = holm(np.array([found.p for found in tests]))
    return [replace(found, p_holm=float(value)) for found, value in zip(tests, p, strict=True)]


def _means(sums: Sequence[Array]) -> Array:
    """The weighted means of the other side and of the one, (..., 2), from what the answers to questions add up to."""
    read, side, total, signed = sums
    counts = [(read - side) / 2, (read + side) / 2]
    weights = counts[0] * counts[1] / np.maximum(read, 1)
    whole = weights.sum(-1)
    means = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for count, value in zip(counts, [(total - signed) / 2, (total + signed) / 2], strict=True):
            means.append((weights * np.where(count > 0, value / count, 0)).sum(-1) / whole)
    stacked: Array = np.stack(means, -1)
    return stacked


def _exchanged(sums: Sequence[Array], exchanges: Iterable[Array]) -> Iterator[Array]:
    """The differences after exchanges; those without any question that both sides answered are left out."""
    read, side, total, signed = sums
    same = read.sum(0, keepdims=True), total.sum(0, keepdims=True)
    changing = np.concatenate([side, signed], axis=1)
    for signs in exchanges:
        sides, values = np.split(signs @ changing, 2, axis=1)
        means = _means([same[0], sides, same[1], values])
        differences: Array = means[:, 1] - means[:, 0]
        yield differences[~np.isnan(differences)]


def _percent(share: float) -> float:
    return 100 * share


def _p(observed: float, exchanged: Iterable[Array], exact: bool) -> tuple[float, int]:
    """The p of a difference by those of exchanges, and how many of these it took."""
    beyond = tried = 0
    for differences in () if math.isnan(observed) else exchanged:
        far = np.flatnonzero(np.abs(differences) >= abs(observed) - ROUNDING)
        if not exact and beyond + len(far) >= ENOUGH:
            tried += int(far[ENOUGH - beyond - 1]) + 1
            return ENOUGH / tried, tried
        beyond += len(far)
        tried += len(differences)
    if not tried:
        return math.nan, 0
    return (beyond / tried if exact else (beyond + 1) / (tried + 1)), tried


def _cohen_h(shares: Array) -> float:
    first, second = 2 * np.arcsin(np.sqrt(np.clip(shares, 0, 1)))
    return float(second - first)
