"""The two hypotheses of the paper: with the simpler version, more answers are correct, and correct ones come faster.

`plainly.comprehension.contrasts` has the formulas. The test is a permutation of participants. Each reads some
passages in one version and some in the other. If versions make no difference, the two may change names for a
participant without any change in the answers. All such exchanges are tried, or a random sample of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plainly.base.messages import Message, message
from plainly.comprehension.contrasts import (
    HYPOTHESES,
    MOST_EXACT,
    PERMUTATIONS,
    Cells,
    Contrast,
    Hypothesis,
    contrast,
    used,
    value_of,
)
from plainly.comprehension.records import Answer
from plainly.inference.resampling import USUAL, Resampling
from plainly.metrics import Array

EXACT = int(math.log2(MOST_EXACT))
"""Up to so many participants all exchanges are tried."""
_COINS = 6  # whose random numbers these are: design, simulation, power and groups of readers have 0 to 5
_AT_A_TIME = 1 << 17  # coins; decides on random numbers, and never depends on the machine


@dataclass(frozen=True)
class Tested(Contrast):
    """One hypothesis about two versions. Differences are `version` minus `baseline`."""

    version: str
    baseline: str
    passage: str | None
    """None: all passages together."""
    of_version: float
    """Percentage of correct answers, or geometric mean of seconds, or of words per minute."""
    of_baseline: float

    @property
    def verdict(self) -> Message:
        """What it means, in plain words."""
        if math.isnan(self.p):
            return message(
                "comprehension.verdict.untested",
                "cannot be tested: no question has such answers about both versions",
            )
        if not self.significant:
            return self.not_shown
        if self.better:
            return message("comprehension.verdict.supported", "supported: {size}", size=self.size)
        return message("comprehension.verdict.opposite", "the opposite holds: {size}", size=self.size)


def both_hypotheses(
    answers: Sequence[Answer],
    version: str,
    baseline: str,
    passage: str | None = None,
    *,
    resampling: Resampling = USUAL,
    permutations: int = PERMUTATIONS,
) -> list[Tested]:
    """Both hypotheses, about one passage or about all. The p-values are not corrected yet; see `corrected`."""
    read = [
        answer for answer in answers if answer.version in (version, baseline) and passage in (None, answer.passage)
    ]
    return [
        tested(hypothesis, _cells(hypothesis, read, version), version, baseline, passage, resampling, permutations)
        for hypothesis in HYPOTHESES
    ]


def tested(
    hypothesis: Hypothesis,
    cells: Cells,
    version: str,
    baseline: str,
    passage: str | None,
    resampling: Resampling,
    permutations: int,
) -> Tested:
    """Two versions compared: the side 1 is the version, -1 its baseline."""
    people = len(cells.side)
    exact = people <= EXACT
    exchanges = iter([_all_signs(people)]) if exact else _some_signs(people, permutations, resampling.seed)
    made, of_version, of_baseline = contrast(hypothesis, cells, exchanges, exact, resampling)
    return Tested(
        **vars(made),
        version=version,
        baseline=baseline,
        passage=passage,
        of_version=of_version,
        of_baseline=of_baseline,
    )


def _cells(hypothesis: Hypothesis, answers: Sequence[Answer], version: str) -> Cells:
    return Cells.of(
        [
            (
                *(answer.participant, (answer.passage, answer.question)),
                *(1 if answer.version == version else -1, value_of(answer, hypothesis)),
            )
            for answer in used(answers, hypothesis)
        ]
    )


def _all_signs(people: int) -> Array:
    signs: Array = 2 * (np.arange(2**people)[:, None] >> np.arange(people) & 1).astype(float) - 1
    return signs


def _some_signs(people: int, permutations: int, seed: int) -> Iterator[Array]:
    """A fair coin for each participant, tossed anew for each exchange."""
    draw = np.random.default_rng([seed, _COINS, people])
    size = max(1, _AT_A_TIME // people)
    for start in range(0, permutations, size):
        rows = min(size, permutations - start)
        coins = np.frombuffer(draw.bytes(rows * -(-people // 8)), dtype=np.uint8).reshape(rows, -1)
        yield 2 * np.unpackbits(coins, axis=1, count=people).astype(float) - 1
