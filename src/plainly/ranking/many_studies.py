"""Elo and Bradley-Terry of many studies at once, for simulations: one row of every array is one study.

Every study has as many matches as the others, but its own ones. The ratings are those of `elo.fit` and
`bradley_terry.estimate` on each row alone, for a prior of the same width. Newton's steps are found by conjugate
gradients: a study has few matches, so most of its matrix is empty.
"""

from __future__ import annotations

import numpy as np

from plainly.metrics import Array
from plainly.ranking.elo import START, K, elo_many
from plainly.ranking.fits import Index, logistic

NEWTON_STEPS, GRADIENT_STEPS = 50, 200
CLOSE = 1e-4
"""Newton's steps end when no rating moves further, in logits."""
EXACT = 1e-3
"""How much of the error may be left in a step: the next one corrects it."""
FARTHEST = 2.0
"""Logits in one step: beyond it, a parabola is no fair picture of the likelihood."""


def elo_mean_many(
    first: Index,
    second: Index,
    outcome: Array,
    n: int,
    orders: int,
    draw: np.random.Generator,
    k: float = K,
    start: float = START,
) -> Array:
    """Elo after all matches, as the mean over random orders of them: (studies, n)."""
    studies, matches = first.shape
    total = np.zeros((studies, n))
    for _ in range(orders):
        order = np.argsort(draw.random((studies, matches)), axis=1)
        one, other = (np.take_along_axis(side, order, axis=1) for side in (first, second))
        total += elo_many(one, other, np.take_along_axis(outcome, order, axis=1), n, [matches], k, start)[0]
    return total / orders


def bradley_terry_many(
    first: Index,
    second: Index,
    outcome: Array,
    n: int,
    *,
    sd: float,
    weight: float = 1.0,
    begin: Array | None = None,
) -> Array:
    """Ratings in logits (studies, n) with a prior of width `sd`. Every match counts `weight` times.

    Newton's method begins at `begin`; near the mode it is soon done.
    """
    matches = _Matches(first, second, n)
    ratings = np.zeros((len(first), n)) if begin is None else begin.copy()
    for _ in range(NEWTON_STEPS):
        chance = logistic(matches.differences(ratings))
        uphill = matches.gathered(weight * (outcome - chance)) - ratings / sd**2
        step = _solved(matches, weight * chance * (1 - chance), sd**-2, uphill)
        step *= np.minimum(1.0, FARTHEST / np.maximum(np.abs(step).max(axis=1), 1e-12))[:, None]
        ratings += step
        if np.abs(step).max() < CLOSE:
            break
    return ratings


def covariance(first: Index, second: Index, ratings: Array, *, sd: float, weight: float = 1.0) -> Array:
    """Of the ratings (n,) of one study: the inverse of the curvature at the mode, (n, n)."""
    n = len(ratings)
    chance = logistic(ratings[first] - ratings[second])
    spread = weight * chance * (1 - chance)
    curvature = np.zeros((n, n))
    for one, other in ((first, second), (second, first)):
        np.add.at(curvature, (one, other), -spread)
        np.add.at(curvature, (one, one), spread)
    found: Array = np.linalg.inv(curvature + np.eye(n) / sd**2).astype(np.float64, copy=False)
    return found


class _Matches:
    """Who meets whom in all studies, as places in one long row of texts."""

    def __init__(self, first: Index, second: Index, n: int) -> None:
        self._shape = (len(first), n)
        base = n * np.arange(len(first))[:, None]
        self._first, self._second = (base + first).ravel(), (base + second).ravel()

    def differences(self, values: Array) -> Array:
        """(studies, n) -> (studies, matches): first less second."""
        flat = values.ravel()
        found: Array = (flat[self._first] - flat[self._second]).reshape(len(values), -1)
        return found

    def gathered(self, values: Array, sign: float = -1.0) -> Array:
        """(studies, matches) -> (studies, n): added at the first text, and at the second with this sign."""
        size = self._shape[0] * self._shape[1]
        flat = values.ravel()
        return (np.bincount(self._first, flat, size) + sign * np.bincount(self._second, flat, size)).reshape(
            self._shape
        )


def _solved(matches: _Matches, spread: Array, prior: float, right: Array) -> Array:
    """x with (curvature of each study + prior) x = right, by conjugate gradients scaled by the diagonal."""
    diagonal = matches.gathered(spread, 1.0) + prior
    found = np.zeros_like(right)
    residual = right.copy()
    goal = EXACT * np.sqrt((right**2).sum(axis=1)) + 1e-12
    scaled = residual / diagonal
    direction = scaled
    size = (residual * scaled).sum(axis=1)
    for _ in range(GRADIENT_STEPS):
        if (np.sqrt((residual**2).sum(axis=1)) <= goal).all():
            break
        product = matches.gathered(spread * matches.differences(direction)) + prior * direction
        along = size / np.maximum((direction * product).sum(axis=1), 1e-300)
        found += along[:, None] * direction
        residual -= along[:, None] * product
        scaled = residual / diagonal
        size, before = (residual * scaled).sum(axis=1), size
        direction = scaled + (size / np.maximum(before, 1e-300))[:, None] * direction
    return found
