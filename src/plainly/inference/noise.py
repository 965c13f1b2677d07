"""How far is a measure behind another in its agreement with people, and is that more than noise?

Both correlations are computed on the same resamples of whole clusters, so what makes a resample easy for both cancels
out. Only rows count that both measures have a value of. A measure lies within the noise of another if the interval of
the difference holds 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.correlation import WEIGHTS_AT_A_TIME, Coefficient, coefficients, tamed
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import (
    USUAL,
    Clusters,
    Resampled,
    Resampling,
    check_at_least,
    cluster_numbers,
    interval,
    row_weights,
)
from plainly.metrics import Array


@dataclass(frozen=True)
class Gap:
    """The coefficient of the leading measure less that of another, on the rows that both have."""

    difference: Estimate
    n: int

    @property
    def within_noise(self) -> bool:
        """Whether nothing shows that the other is worse. Where nothing can be said, nothing shows it."""
        return not self.difference.low > 0

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {"difference": self.difference.to_dict(), "n": self.n, "within_noise": self.within_noise}


def noise_band(
    scores: ArrayLike,
    human: ArrayLike,
    leader: int,
    *,
    coefficient: Coefficient = "pearson",
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
) -> list[Gap]:
    """How far each column of `scores` lies behind column `leader`. Of all of them, larger must be better."""
    columns, people = np.asarray(scores, dtype=np.float64), np.asarray(human, dtype=np.float64)
    if coefficient not in get_args(Coefficient):
        raise UnknownName("coefficient", coefficient, get_args(Coefficient))
    if columns.ndim != 2 or people.ndim != 1 or len(columns) != len(people):
        raise PlainlyError(
            f"scores are columns as long as the list of values, not {columns.shape} and {people.shape}"
        )
    check_at_least("resamples", resampling.resamples, 1)
    numbers = np.arange(len(people)) if clusters is None else cluster_numbers(clusters, len(people))
    columns, people = tamed(columns), tamed(people[:, None])
    there = np.isfinite(columns) & np.isfinite(columns[:, [leader]]) & np.isfinite(people)
    gaps: dict[int, Gap] = {}
    for pattern in np.unique(there, axis=1).T:
        members = np.flatnonzero((there == pattern[:, None]).all(axis=0))
        x = columns[pattern][:, [leader, *members.tolist()]]
        values = _coefficients(coefficient, x, people[pattern], numbers, pattern, resampling)
        for place, member in enumerate(members.tolist(), start=1):
            apart = values[:, 0] - values[:, place]
            gaps[member] = Gap(interval(Resampled(float(apart[0]), apart[1:]), resampling), int(pattern.sum()))
    return [gaps[column] for column in range(columns.shape[1])]


def _coefficients(
    coefficient: str,
    x: Array,
    people: Array,
    numbers: NDArray[np.int64],
    kept: NDArray[np.bool_],
    resampling: Resampling,
) -> Array:
    """Of each column: as they are, then on each resample (1 + resamples, columns)."""
    if not len(x):
        return np.full((1 + resampling.resamples, x.shape[1]), math.nan)
    units = int(numbers.max()) + 1
    blocks = row_weights(units, numbers[kept], resampling.resamples, resampling.seed, WEIGHTS_AT_A_TIME)
    own = coefficients(coefficient, x, people, np.ones((1, len(x))))
    drawn = [coefficients(coefficient, x, people, weights) for weights in blocks]
    return np.concatenate([own, *drawn])[:, :, 0]
