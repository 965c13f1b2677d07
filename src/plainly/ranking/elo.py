"""Elo ratings: after each match the winner takes points from the loser, the more the less it was expected to win.

    expected = 1 / (1 + 10^((loser - winner) / 400)),   winner += k (1 - expected),   loser -= k (1 - expected)

The result depends on the order of the matches. The mean over random orders does not, and the spread over orders
(the order band) says how much of a rating is the order alone. With few matches a text, ratings stay close together:
their win probabilities are far too near one half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np

from plainly.metrics import Array
from plainly.ranking.fits import Draws, Fit, Index, logistic

K = 16.0
START = 1200.0
ORDERS = 200
AT_A_TIME = 1 << 21
"""Matches in memory: with their places and outcomes some 64 MB."""
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


def elo_many(
    first: Index, second: Index, outcome: Array, n: int, after: Sequence[int], k: float = K, start: float = START
) -> list[Array]:
    """Ratings (runs, n) of many runs at once, (runs, matches), after these numbers of matches, in ascending order."""
    runs, matches = first.shape
    ratings = np.full(runs * n, start)
    base = n * np.arange(runs)
    left, right, won = (base[:, None] + first).T.copy(), (base[:, None] + second).T.copy(), outcome.T.copy()
    stops = set(after)
    found = []
    for match in range(matches):
        a, b = left[match], right[match]
        moved = k * (won[match] - 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400)))
        ratings[a] += moved
        ratings[b] -= moved
        if match + 1 in stops:
            found.append(ratings.reshape(runs, n).copy())
    return found


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
    """Ratings for each of many orders or resamples, of any number and length, in bounded memory: (orders, n)."""
    found = []
    blocks = groupby(enumerate(orders), lambda numbered: (numbered[0] * len(first) // AT_A_TIME, len(numbered[1])))
    for _, block in blocks:
        order = np.stack([places for _, places in block])
        found += elo_many(first[order], second[order], outcome[order], n, [order.shape[1]], k, start)
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
