"""Do groups of readers understand the same text differently? The second scenario of the paper.

Two groups are compared by both hypotheses, about each text that both read, and about all texts together. The formulas
are those of `plainly.comprehension.contrasts`. The test is a permutation of participants: if groups make no
difference, any of these readers could have been in either group. All ways to part them into two groups of these
sizes are tried, or a random sample of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from plainly.base.messages import Message, message
from plainly.comprehension.contrasts import (
    HYPOTHESES,
    MOST_EXACT,
    Cells,
    Contrast,
    Hypothesis,
    contrast,
    corrected,
    used,
    value_of,
)
from plainly.comprehension.reader_groups import NOT_SAID
from plainly.comprehension.records import Answer
from plainly.inference.resampling import Resampling
from plainly.metrics import Array

MOST_COMPARED = 6
"""Groups. More of them make so many pairs that none could be told apart."""
_SHUFFLES = 5  # whose random numbers these are: design, simulation and power have 0 to 4
_AT_A_TIME = 1 << 17  # labels; memory only: they are dealt out one row after the other

Text = tuple[str, str]


@dataclass(frozen=True)
class GroupTested(Contrast):
    """One hypothesis about two groups of readers. Differences are `group` minus `other`."""

    column: str
    """What parts the groups, as `age:45`."""
    passage: str | None
    """None: all texts together."""
    version: str | None
    group: str
    other: str
    of_group: float
    """Percentage of correct answers, or geometric mean of seconds."""
    of_other: float

    @property
    def verdict(self) -> Message:
        """What it means, in plain words."""
        if math.isnan(self.p):
            return message(
                "comprehension.verdict.untested-groups",
                "cannot be tested: no question has such answers of both groups",
            )
        if not self.significant:
            return self.not_shown
        return message("comprehension.verdict.differ", "they differ: {size}", size=self.size)


def compared(
    column: str,
    groups: Mapping[str, Sequence[Answer]],
    texts: Sequence[Text],
    resampling: Resampling,
    permutations: int,
) -> list[GroupTested]:
    """Every two groups about all texts together, and then about each; two families of corrected p-values."""
    named = {name: answers for name, answers in groups.items() if name != NOT_SAID}
    if len(named) > MOST_COMPARED:
        return []
    families: list[list[GroupTested]] = [[], []]
    for text in (None, *texts):
        for group, other in combinations(named, 2):
            sides = (_about(named[group], text), _about(named[other], text))
            if all(sides):
                found = [_tested(hypothesis, *sides, resampling, permutations) for hypothesis in HYPOTHESES]
                passage, version = text or (None, None)
                families[text is not None] += [
                    GroupTested(
                        **vars(made),
                        column=column,
                        passage=passage,
                        version=version,
                        group=group,
                        other=other,
                        of_group=one,
                        of_other=two,
                    )
                    for made, one, two in found
                ]
    return [found for family in families for found in corrected(family)]


def _about(answers: Sequence[Answer], text: Text | None) -> list[Answer]:
    return [answer for answer in answers if text in (None, (answer.passage, answer.version))]


def _tested(
    hypothesis: Hypothesis,
    group: Sequence[Answer],
    other: Sequence[Answer],
    resampling: Resampling,
    permutations: int,
) -> tuple[Contrast, float, float]:
    cells = Cells.of(
        [
            (
                *(answer.participant, (answer.passage, answer.version, answer.question)),
                *(side, value_of(answer, hypothesis)),
            )
            for answers, side in ((group, 1), (other, -1))
            for answer in used(answers, hypothesis)
        ]
    )
    labels = np.sign(cells.side.sum(1))
    exact = math.comb(len(labels), int((labels > 0).sum())) <= MOST_EXACT
    # Labels dealt out anew, as changes of the labels that are.
    exchanges = (
        dealt * labels
        for dealt in (_all_deals(labels) if exact else _some_deals(labels, permutations, resampling.seed))
    )
    return contrast(hypothesis, cells, exchanges, exact, resampling)


def _all_deals(labels: Array) -> Iterator[Array]:
    """Every way to deal out labels of 1 and -1."""
    chosen = list(combinations(range(len(labels)), int((labels > 0).sum())))
    dealt = -np.ones((len(chosen), len(labels)))
    for row, places in zip(dealt, chosen, strict=True):
        row[list(places)] = 1
    yield dealt


def _some_deals(labels: Array, permutations: int, seed: int) -> Iterator[Array]:
    """Labels at random: those of the first group go to whom the smallest random numbers fall."""
    people, ones = len(labels), int((labels > 0).sum())
    draw = np.random.default_rng([seed, _SHUFFLES, people])
    size = max(1, _AT_A_TIME // people)
    for start in range(0, permutations, size):
        numbers = draw.random((min(size, permutations - start), people))
        bound = np.partition(numbers, ones, axis=1)[:, ones, None]
        yield np.where(numbers < bound, 1.0, -1.0)
