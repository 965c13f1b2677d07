"""Learning the weights: ridge regression, with the penalty that foresees best what it has not seen.

The penalty is chosen on the rows learned from alone, by the tests that `Pool.splits` makes of them. So with several
data sets it is the one that carries over best from set to set. Many columns of judgements are learned at once, as
tests by chance ask for (`chance`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.metaeval.quality.model import SMALLEST_SPREAD, scaled_values
from plainly.metaeval.quality.pool import FEWEST_OUTPUTS, Pool, Rows
from plainly.metrics import Array

PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Each times the number of rows: with 1, a weight is half of what it would be if inputs were independent."""
INNER_FOLDS = 5


@dataclass(frozen=True)
class Fitted:
    """What was learned from some rows: of every column of judgements for itself."""

    means: Array
    spreads: Array
    weights: Array  # (inputs, columns)
    start: Array
    penalty: Array
    single: NDArray[np.intp]
    """The input that agrees best with people on these rows."""
    sign: Array
    """-1 where less of it is better."""

    def predicted(self, values: Array) -> Array:
        """By all inputs: (rows, columns)."""
        found: Array = self.start + scaled_values(values, self.means, self.spreads) @ self.weights
        return found

    def by_single(self, values: Array) -> Array:
        """By the one input alone, on the scale of the rows learned from."""
        return self.sign * scaled_values(values, self.means, self.spreads)[:, self.single]


def fitted(pool: Pool, rows: Rows, people: Array) -> Fitted:
    """Learned from these rows of the pool and of `people` (rows, columns); the penalty is chosen among them, too."""
    errors = np.zeros((len(PENALTIES), people.shape[1]))
    for seen, unseen in pool.splits(rows, INNER_FOLDS):
        if len(seen) >= FEWEST_OUTPUTS:
            solver = _Solver(pool.values[seen], people[seen])
            scaled = scaled_values(pool.values[unseen], solver.means, solver.spreads)
            for place, penalty in enumerate(PENALTIES):
                missed = scaled @ solver.weights(penalty) + solver.start - people[unseen]
                errors[place] += (missed**2).sum(axis=0)
    # Of equal ones the largest penalty: where nothing could be tested, little is claimed.
    penalty = np.array(PENALTIES)[len(errors) - 1 - np.argmin(errors[::-1], axis=0)]
    return _Solver(pool.values[rows], people[rows]).fitted(penalty)


class _Solver:
    """Ridge regression for any penalty: (X'X + penalty x rows) weights = X'y, solved in the axes of X'X."""

    def __init__(self, values: Array, people: Array) -> None:
        self.means, self.spreads = moments(values)
        self.start = people.mean(axis=0)
        self._people = people - self.start
        self._scaled = scaled_values(values, self.means, self.spreads)
        self._sizes, self._axes = np.linalg.eigh(self._scaled.T @ self._scaled)
        self._along = self._axes.T @ (self._scaled.T @ self._people)

    def weights(self, penalty: float | Array) -> Array:
        """One penalty for all columns, or one for each."""
        shrunk = self._sizes[:, None] + np.asarray(penalty) * len(self._scaled)
        found: Array = self._axes @ (self._along / shrunk)
        return found

    def fitted(self, penalty: Array) -> Fitted:
        agreement = agreements(self._scaled, self._people)
        single = np.argmax(np.abs(agreement), axis=0)
        signs = np.where(np.take_along_axis(agreement, single[None], axis=0)[0] < 0, -1.0, 1.0)
        return Fitted(self.means, self.spreads, self.weights(penalty), self.start, penalty, single, signs)


def moments(values: Array) -> tuple[Array, Array]:
    """The mean and the spread of each input, over its values; 0 and 1 where there is nothing to go by."""
    there = np.isfinite(values)
    counts = np.maximum(there.sum(axis=0), 1)
    means = np.where(there, values, 0.0).sum(axis=0) / counts
    spreads = np.sqrt((np.where(there, values - means, 0.0) ** 2).sum(axis=0) / counts)
    return means, np.where(spreads > np.maximum(SMALLEST_SPREAD, 1e-9 * np.abs(means)), spreads, 1.0)


def agreements(columns: Array, people: Array) -> Array:
    """Pearson's coefficient of each column with each of people's: (columns, people); 0 where one does not vary."""
    centred, around = columns - columns.mean(axis=0), people - people.mean(axis=0)
    size = np.sqrt(np.outer((centred**2).sum(axis=0), (around**2).sum(axis=0)))
    product = centred.T @ around
    found: Array = np.divide(product, size, out=np.zeros_like(product), where=size > SMALLEST_SPREAD)
    return found
