"""The two hypotheses of the paper: with the simpler version, more answers are correct, and correct ones come faster.

Versions are compared within each question, so that hard questions and slow passages cancel out. With n and m the
answers to a question about the two versions, its weight is n m / (n + m), as Mantel and Haenszel (1959) weigh strata.

correct   the difference of the weighted shares of correct answers; effect size: Cohen's h, the difference of
          2 arcsin(sqrt(share)).
faster    the weighted difference of the mean log times of correct answers, shown as a ratio of times; effect size:
          the difference divided by the standard deviation of log times within questions and versions.

The test is a permutation of participants. Each reads some passages in one version and some in the other. If versions
make no difference, the two may change names for a participant without any change in the answers. All such exchanges
are tried, or a random sample of them. p is the share of them whose difference is at least as large, in either
direction. Intervals are percentiles of bootstrap resamples of participants.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from plainly.comprehension.records import Answer
from plainly.inference.multiple import holm
from plainly.inference.resampling import bootstrap_weights, check_at_least, swaps, weighted_totals
from plainly.metrics import Array
from plainly.ranking.results import Figure, figures

Hypothesis = Literal["correct", "faster"]
EXACT = 12
"""Up to so many participants all exchanges are tried: 4096."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class Tested:
    """One hypothesis about two versions. Differences are `version` minus `baseline`."""

    hypothesis: Hypothesis
    version: str
    baseline: str
    passage: str | None
    """None: all passages together."""
    participants: int
    questions: int
    answers: int
    of_version: float
    """Percentage of correct answers, or geometric mean of seconds."""
    of_baseline: float
    difference: Figure
    """Percentage points; or the ratio of times."""
    effect: float
    p: float
    p_holm: float
    exact: bool
    level: float

    @property
    def verdict(self) -> str:
        """What it means, in plain words."""
        if math.isnan(self.p):
            return "cannot be tested: no question has such answers about both versions"
        more = self.difference.value - (self.hypothesis == "faster")
        if self.hypothesis == "correct":
            size = f"{abs(more):.1f} points {'more' if more > 0 else 'fewer'} correct answers"
        else:
            size = f"correct answers take {abs(more):.0%} {'longer' if more > 0 else 'less time'}"
        if not self.p_holm < 1 - self.level:
            return f"not shown: {size}, which may be chance"
        helps = (more > 0) == (self.hypothesis == "correct")
        return f"{'supported' if helps else 'the opposite holds'}: {size}"


@dataclass(frozen=True)
class _Table:
    """Participants by questions: which version was read (1, -1 for the baseline, 0 for none), and a value."""

    side: Array
    value: Array

    def sums(self, side: Array) -> list[Array]:
        """Each cell as numbers to add up: answers and values about both versions together, and their differences."""
        read = np.abs(side)
        return [read, side, read * self.value, side * self.value]


def both_hypotheses(
    answers: Sequence[Answer],
    version: str,
    baseline: str,
    passage: str | None = None,
    *,
    resamples: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
) -> list[Tested]:
    """Both hypotheses, about one passage or about all. The p-values are not corrected yet; see `corrected`."""
    check_at_least("resamples", resamples, 1)
    used = [
        answer for answer in answers if answer.version in (version, baseline) and passage in (None, answer.passage)
    ]
    right = [answer for answer in used if answer.correct]
    return [
        replace(found, passage=passage)
        for found in (
            _tested("correct", used, version, baseline, resamples, seed, level),
            _tested("faster", right, version, baseline, resamples, seed, level),
        )
    ]


def corrected(tests: Sequence[Tested]) -> list[Tested]:
    """The tests of one family, their p-values corrected for their number (Holm 1979)."""
    p = holm(np.array([found.p for found in tests]))
    return [replace(found, p_holm=float(value)) for found, value in zip(tests, p, strict=True)]


def _tested(
    hypothesis: Hypothesis,
    answers: Sequence[Answer],
    version: str,
    baseline: str,
    resamples: int,
    seed: int,
    level: float,
) -> Tested:
    table = _table(answers, version, hypothesis)
    people, questions = table.side.shape
    values, drawn, trials = (np.full((rows, 2), np.nan) for rows in (1, resamples, 1))
    exact = people <= EXACT
    if people:
        cells = table.sums(table.side)
        values = _contrast([cell.sum(0, keepdims=True) for cell in cells])
        drawn = _contrast(weighted_totals(bootstrap_weights(people, resamples, seed), cells))
        signs = _all_signs(people) if exact else 2 * np.concatenate(list(swaps(people, resamples, seed))) - 1
        read, side, total, signed = cells
        same = np.ones((len(signs), 1))
        trials = _contrast([same * read.sum(0), signs @ side, same * total.sum(0), signs @ signed])
    differences = drawn[:, 1] - drawn[:, 0]
    observed = float(values[0, 1] - values[0, 0])
    effect = _cohen_h(values[0]) if hypothesis == "correct" else observed / _spread(table)
    shown = np.exp if hypothesis == "faster" else _percent
    return Tested(
        hypothesis=hypothesis,
        version=version,
        baseline=baseline,
        passage=None,
        participants=people,
        questions=questions,
        answers=len(answers),
        of_version=float(shown(values[0, 1])),
        of_baseline=float(shown(values[0, 0])),
        difference=figures(shown(np.array([observed])), shown(differences)[:, None], level)[0],
        effect=effect,
        p=_p(observed, trials[:, 1] - trials[:, 0], exact),
        p_holm=math.nan,
        exact=exact,
        level=level,
    )


def _percent(share: Array) -> Array:
    return 100 * share


def _table(answers: Sequence[Answer], version: str, hypothesis: Hypothesis) -> _Table:
    rows = {name: place for place, name in enumerate(dict.fromkeys(answer.participant for answer in answers))}
    asked = dict.fromkeys((answer.passage, answer.question) for answer in answers)
    columns = {name: place for place, name in enumerate(asked)}
    side, value = (np.zeros((len(rows), len(columns))) for _ in range(2))
    for answer in answers:
        at = rows[answer.participant], columns[answer.passage, answer.question]
        side[at] = 1 if answer.version == version else -1
        value[at] = bool(answer.correct) if hypothesis == "correct" else math.log(answer.seconds)
    return _Table(side, value)


def _contrast(sums: Sequence[Array]) -> Array:
    """The weighted means of baseline and version, (..., 2), from what the answers to each question add up to."""
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


def _all_signs(people: int) -> Array:
    signs: Array = 2 * (np.arange(2**people)[:, None] >> np.arange(people) & 1).astype(float) - 1
    return signs


def _p(observed: float, trials: Array, exact: bool) -> float:
    trials = trials[~np.isnan(trials)]
    if math.isnan(observed) or not len(trials):
        return math.nan
    beyond = int((np.abs(trials) >= abs(observed) - ROUNDING).sum())
    return beyond / len(trials) if exact else (beyond + 1) / (len(trials) + 1)


def _cohen_h(shares: Array) -> float:
    first, second = 2 * np.arcsin(np.sqrt(np.clip(shares, 0, 1)))
    return float(second - first)


def _spread(table: _Table) -> float:
    """The standard deviation of values within questions and versions; NaN where nothing varies."""
    squares, freedom = 0.0, 0
    for side in (-1, 1):
        for column in range(table.side.shape[1]):
            values = table.value[table.side[:, column] == side, column]
            if len(values) > 1:
                squares += float(((values - values.mean()) ** 2).sum())
                freedom += len(values) - 1
    return math.sqrt(squares / freedom) if squares > 0 else math.nan
