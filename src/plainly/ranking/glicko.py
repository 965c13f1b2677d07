"""Glicko ratings (Glickman 1999): Elo with a deviation for each rating, which shrinks with every match.

Matches of one period count at once. Here a period is one match, unless said otherwise. Deviations never grow between
periods, as texts do not change. The order of the judgements matters, though less than for Elo.
"""

from __future__ import annotations

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.metrics import Array
from plainly.ranking.fits import Fit, Index, logistic, normal_draws

START = 1500.0
DEVIATION = 350.0
Q = float(np.log(10) / 400)


def estimate(first: Index, second: Index, outcome: Array, n: int, *, period: int = 1) -> Fit:
    """Ratings and their deviations; `period` is the number of judgements that count at once."""
    if period < 1:
        raise PlainlyError(f"a period must have at least one judgement, not {period}")
    ratings, deviations = np.full(n, START), np.full(n, DEVIATION)
    for start in range(0, len(first), period):
        part = slice(start, start + period)
        ratings, deviations = after_period(ratings, deviations, first[part], second[part], outcome[part])

    def chance(one: Index, other: Index) -> Array:
        doubt = _doubt(np.hypot(deviations[one], deviations[other]))
        return logistic(Q * doubt * (ratings[one] - ratings[other]))

    return Fit(ratings, chance, normal_draws(ratings, deviations))


def after_period(
    ratings: Array, deviations: Array, first: Index, second: Index, outcome: Array
) -> tuple[Array, Array]:
    """Ratings and deviations after the matches of one period."""
    here, there = np.concatenate([first, second]), np.concatenate([second, first])
    won = np.concatenate([outcome, 1 - outcome])
    doubt = _doubt(deviations[there])
    expected = logistic(Q * doubt * (ratings[here] - ratings[there]))
    certainty = deviations**-2 + np.bincount(here, (Q * doubt) ** 2 * expected * (1 - expected), len(ratings))
    moved = np.bincount(here, doubt * (won - expected), len(ratings))
    return ratings + Q * moved / certainty, certainty**-0.5


def _doubt(deviation: Array) -> Array:
    """The less is known of the opponent, the less a match says."""
    return 1 / np.sqrt(1 + 3 * (Q * deviation / np.pi) ** 2)
