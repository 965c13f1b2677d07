"""Learning the weights: ridge regression, with the penalty that foresees best what it has not seen.

The penalty is chosen on the rows learned from alone, by the tests that `Pool.splits` makes of them. So with several
data sets it is the one that carries over best from set to set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plainly.metaeval.quality.model import SMALLEST_SPREAD, scaled_values
from plainly.metaeval.quality.pool import FEWEST_OUTPUTS, Pool, Rows
from plainly.metrics import Array
from plainly.simplicity.linear import Design, ridge
from plainly.simplicity.ngrams import Entries

PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Each times the number of rows: with 1, a weight is half of what it would be if inputs were independent."""
INNER_FOLDS = 5


@dataclass(frozen=True)
class Fitted:
    """What was learned from some rows."""

    means: Array
    spreads: Array
    weights: Array
    start: float
    penalty: float
    single: int
    """The input that agrees best with people on these rows."""
    sign: int
    """-1 where less of it is better."""

    def predicted(self, values: Array) -> Array:
        """By all inputs."""
        found: Array = self.start + (scaled_values(values, self.means, self.spreads) * self.weights).sum(axis=1)
        return found

    def by_single(self, values: Array) -> Array:
        """By the one input alone, on the scale of the rows learned from."""
        return self.sign * scaled_values(values, self.means, self.spreads)[:, self.single]


def fitted(pool: Pool, rows: Rows) -> Fitted:
    """Learned from these rows; the penalty is chosen among them, too."""
    errors = np.zeros(len(PENALTIES))
    for seen, unseen in pool.splits(rows, INNER_FOLDS):
        if len(seen) >= FEWEST_OUTPUTS:
            for place, penalty in enumerate(PENALTIES):
                missed = _fitted(pool, seen, penalty).predicted(pool.values[unseen]) - pool.people[unseen]
                errors[place] += (missed**2).sum()
    # Of equal ones the largest penalty: where nothing could be tested, little is claimed.
    return _fitted(pool, rows, PENALTIES[len(errors) - 1 - int(np.argmin(errors[::-1]))])


def _fitted(pool: Pool, rows: Rows, penalty: float) -> Fitted:
    values, people = pool.values[rows], pool.people[rows]
    means, spreads = moments(values)
    scaled = scaled_values(values, means, spreads)
    start = float(people.mean())
    no_words = Entries(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    weights, _ = ridge(Design(scaled, no_words, 0), people - start, penalty * len(rows))
    agreement = agreements(scaled, people)
    single = int(np.argmax(np.abs(agreement)))
    return Fitted(means, spreads, weights, start, penalty, single, -1 if agreement[single] < 0 else 1)


def moments(values: Array) -> tuple[Array, Array]:
    """The mean and the spread of each input, over its values; 0 and 1 where there is nothing to go by."""
    there = np.isfinite(values)
    counts = np.maximum(there.sum(axis=0), 1)
    means = np.where(there, values, 0.0).sum(axis=0) / counts
    spreads = np.sqrt((np.where(there, values - means, 0.0) ** 2).sum(axis=0) / counts)
    return means, np.where(spreads > np.maximum(SMALLEST_SPREAD, 1e-9 * np.abs(means)), spreads, 1.0)


def agreements(columns: Array, people: Array) -> Array:
    """Pearson's coefficient of each column with people; 0 where a column does not vary."""
    centred, around = columns - columns.mean(axis=0), people - people.mean()
    product = (centred * around[:, None]).sum(axis=0)
    size = np.sqrt((centred**2).sum(axis=0) * (around**2).sum())
    found: Array = np.divide(product, size, out=np.zeros_like(product), where=size > SMALLEST_SPREAD)
    return found
