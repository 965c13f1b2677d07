"""Elo ratings: after each match the winner takes points from the loser, the more the less it was expected to win.

    expected = 1 / (1 + 10^((loser - winner) / 400)),   winner += k (1 - expected),   loser -= k (1 - expected)

The result depends on the order of the matches. The mean over random orders does not, and the spread over orders
(the order band) says how much of a rating is the order alone. With few matches a text, ratings stay close together:
their win probabilities are far too near one half.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from plainly.metrics import Array
from plainly.ranking.fits import Draws, Fit, Index, logistic

K = 16.0
START = 1200.0
ORDERS = 200
AT_A_TIME = 1 << 23
"""Places of matches in memory: 64 MB."""
SCALE = float(np.log(10) / 400)
"""One point of Elo in logits."""


def fit(first: Index, second: Index, outcome: Array, n: int, *, k: float = K, start: float = START) -> Array:
    """Ratings after all matches, in the order given."""
    ratings = [start] * n
    for a, b, won in zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True):
        moved = k * (won - 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400)))
        ratings[a] += moved
        ratings[b] -= moved
    return np.array(ratings)


def replay(
    first: Index, second: Index, outcome: Array, n: int, order: Index, *, k: float = K, start: float = START
) -> Array:
    """Ratings for each of many orders or resamples at once: `order` is (runs, matches), the result (runs, n)."""
    ratings = np.full((len(order), n), start)
    flat = ratings.ravel()
    base = n * np.arange(len(order))
    for match in order.T:
        a, b = base + first[match], base + second[match]
        moved = k * (outcome[match] - 1 / (1 + 10 ** ((flat[b] - flat[a]) / 400)))
        flat[a] += moved
        flat[b] -= moved
    return ratings


def replay_all(
    first: Index,
    second: Index,
    outcome: Array,
    n: int,
    orders: Iterable[Index],
    *,
    k: float = K,
    start: float = START,
) -> Array:
    """The same for orders one by one, of any number and length, in bounded memory."""
    found = []
    blocks = groupby(enumerate(orders), lambda numbered: (numbered[0] * len(first) // AT_A_TIME, len(numbered[1])))
    for _, block in blocks:
        order = np.stack([places for _, places in block])
        found.append(replay(first, second, outcome, n, order, k=k, start=start))
    return np.concatenate(found)


def estimate(first: Index, second: Index, outcome: Array, n: int, *, k: float = K, start: float = START) -> Fit:
    """Elo in the order given."""
    return _fitted(fit(first, second, outcome, n, k=k, start=start))


def estimate_mean(
    first: Index,
    second: Index,
    outcome: Array,
    n: int,
    *,
    k: float = K,
    start: float = START,
    orders: int = ORDERS,
    seed: int = 12345,
) -> Fit:
    """The mean of Elo over random orders of the matches."""

    def band(count: int, draw: np.random.Generator) -> Array:
        orders = (draw.permutation(len(first)) for _ in range(count))
        return replay_all(first, second, outcome, n, orders, k=k, start=start)

    return _fitted(band(orders, np.random.default_rng(seed)).mean(0), band)


def _fitted(ratings: Array, band: Draws | None = None) -> Fit:
    def chance(first: Index, second: Index) -> Array:
        return logistic(SCALE * (ratings[first] - ratings[second]))

    return Fit(ratings, chance, band)
