"""What every estimator takes and gives: matches as arrays, and ratings with the chances that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plainly.metrics import Array

Index = NDArray[np.int64]
Chance = Callable[[Index, Index], Array]
Draws = Callable[[int, np.random.Generator], Array]
Again = Callable[[Index, Index, Array], Array]


@dataclass(frozen=True)
class Fit:
    """Ratings of n texts, and what they say of a match."""

    ratings: Array
    chance: Chance
    """That the text shown first beats the other."""
    draws: Draws | None = None
    """Ratings as they might be as well, (draws, n), for estimators that know how sure they are."""
    found: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What was estimated besides ratings, for the signature."""
    position: Array | None = None
    """Advantage of the side shown first, in logits: estimate and standard error."""
    again: Again | None = None
    """Ratings of the same texts from other judgements, with what was found here: quick where these differ little."""


class Estimator(Protocol):
    """Rates n texts from matches in their order; `outcome` is 1, 0 or 0.5 from the side of the first text."""

    def __call__(self, first: Index, second: Index, outcome: Array, n: int) -> Fit: ...


def logistic(x: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def summed(places: Index, values: Array, size: int = 0) -> Array:
    """Values added up by place."""
    return np.bincount(places, values, size).astype(float, copy=False)


def normal_draws(ratings: Array, deviations: Array) -> Draws:
    """Draws for estimators that know a deviation of each rating, and nothing of what ties them together."""

    def draws(count: int, draw: np.random.Generator) -> Array:
        return ratings + deviations * draw.standard_normal((count, len(ratings)))

    return draws
