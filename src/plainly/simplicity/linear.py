"""Ridge regression on features and n-grams together, solved without forming any large matrix.

Sums run in the order of the rows, never through a linear-algebra library: the number of cores moves no digit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plainly.simplicity.flat_texts import Floats, Ints, summed
from plainly.simplicity.ngrams import Entries

PRECISION = 1e-11  # of the solution, relative; far below what the stored weights keep
MOST_STEPS = 5000


@dataclass(frozen=True)
class Design:
    """What texts are described by: scaled features (texts, features), and their n-grams, if any."""

    features: Floats
    entries: Entries
    grams: int

    def __len__(self) -> int:
        return len(self.features)

    def only(self, rows: Ints) -> Design:
        """Some of the texts; `rows` rise."""
        place = np.full(len(self), -1)
        place[rows] = np.arange(len(rows))
        kept = place[self.entries.row] >= 0
        entries = Entries(place[self.entries.row[kept]], self.entries.column[kept], self.entries.value[kept])
        return Design(self.features[rows], entries, self.grams)

    def times(self, weights: Floats, gram_weights: Floats) -> Floats:
        """What the weights say of each text."""
        entries = self.entries
        said: Floats = (self.features * weights).sum(axis=1)
        return said + summed(entries.row, entries.value * gram_weights[entries.column], len(self))

    def transposed(self, errors: Floats) -> tuple[Floats, Floats]:
        """The errors of the texts, gathered by feature and by n-gram."""
        entries = self.entries
        grams = summed(entries.column, entries.value * errors[entries.row], self.grams)
        return (self.features * errors[:, None]).sum(axis=0), grams


def ridge(design: Design, target: Floats, penalty: float) -> tuple[Floats, Floats]:
    """The weights of features and n-grams that minimise squared errors + penalty x squared weights.

    By conjugate gradients on (X X' + penalty) a = target; the weights are X' a.
    """
    solution = np.zeros(len(target))
    left = target.copy()
    direction = left.copy()
    size = (left * left).sum()
    enough = PRECISION**2 * size
    for _ in range(MOST_STEPS):
        if size <= enough:
            break
        image = design.times(*design.transposed(direction)) + penalty * direction
        step = size / (direction * image).sum()
        solution += step * direction
        left -= step * image
        before, size = size, (left * left).sum()
        direction = left + (size / before) * direction
    return design.transposed(solution)
