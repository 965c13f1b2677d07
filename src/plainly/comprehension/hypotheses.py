"""The two hypotheses of the paper: with the simpler version, more answers are correct, and correct ones come faster.

`plainly.comprehension.contrasts` has the formulas. The test is a permutation of participants. Each reads some
passages in one version and some in the other. If versions make no difference, the two may change names for a
participant without any change in the answers. All such exchanges are tried, or a random sample of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plainly.comprehension.contrasts import (
    HYPOTHESES,
    MOST_EXACT,
    Cells,
    Contrast,
    Drawing,
    Hypothesis,
    contrast,
    used,
)
from plainly.comprehension.records import Answer
from plainly.inference.resampling import check_at_least, swaps
from plainly.metrics import Array

EXACT = int(math.log2(MOST_EXACT))
"""Up to so many participants all exchanges are tried."""


@dataclass(frozen=True)
class Tested(Contrast):
    """One hypothesis about two versions. Differences are `version` minus `baseline`."""

    version: str
    baseline: str
    passage: str | None
    """None: all passages together."""
    of_version: float
    """Percentage of correct answers, or geometric mean of seconds."""
    of_baseline: float

    @property
    def verdict(self) -> str:
        """What it means, in plain words."""
        if math.isnan(self.p):
            return "cannot be tested: no question has such answers about both versions"
        if not self.significant:
            return self.not_shown
        return f"{'supported' if self.better else 'the opposite holds'}: {self.size}"


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
    read = [
        answer for answer in answers if answer.version in (version, baseline) and passage in (None, answer.passage)
    ]
    found = []
    for hypothesis in HYPOTHESES:
        cells = _cells(hypothesis, read, version)
        people = len(cells.side)
        exact = people <= EXACT
        signs = _all_signs(people) if exact else 2 * np.concatenate(list(swaps(people, resamples, seed))) - 1
        made, of_version, of_baseline = contrast(hypothesis, cells, signs, exact, Drawing(resamples, seed, level))
        found.append(
            Tested(
                **vars(made),
                version=version,
                baseline=baseline,
                passage=passage,
                of_version=of_version,
                of_baseline=of_baseline,
            )
        )
    return found


def _cells(hypothesis: Hypothesis, answers: Sequence[Answer], version: str) -> Cells:
    sides = [
        (answer, (answer.passage, answer.question), 1 if answer.version == version else -1)
        for answer in used(answers, hypothesis)
    ]
    return Cells.of(hypothesis, sides)


def _all_signs(people: int) -> Array:
    signs: Array = 2 * (np.arange(2**people)[:, None] >> np.arange(people) & 1).astype(float) - 1
    return signs
