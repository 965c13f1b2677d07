"""On how many pairs of rows do two measures agree? Counted by sorting, in n log n steps for n rows.

The kinds of pairs are those of `ties`: C, D, H, M and B. Rows stand in the order of the measure. Those that lie more
than epsilon below a row are then the first few of all, and still the first few of any part that keeps the order. So
sums over them are differences of cumulative sums. Rows below that are lower for people, too, are found bit by bit:
among rows whose rank for people agrees in all higher bits, those whose next bit is 0 where it is 1 here.

Where rows lie is found once. The counts of a resample then follow from the weights of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.metrics import Array

Places = NDArray[np.int64]


@dataclass(frozen=True)
class _Part:
    """Rows group by group: their places, and of each row where its group starts and where those below it end."""

    places: Places
    starts: Places
    ends: Places


class SortedPairs:
    """Two columns of finite numbers. Scores that differ by `epsilon` or less are tied."""

    def __init__(self, metric: Array, human: Array, epsilon: float = 0.0) -> None:
        self._order = np.argsort(metric, kind="stable")
        self._below = _below(metric[self._order], epsilon)
        ranks = np.unique(human, return_inverse=True)[1].reshape(-1)[self._order]
        self._same = self._part(ranks)
        self._levels = []
        for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
            part = self._part(ranks >> (bit + 1))
            self._levels.append((part, ((ranks[part.places] >> bit) & 1).astype(np.float64)))

    def kinds(self, weights: Array) -> Array:
        """(draws, rows) -> (draws, 5): pairs of the kinds C, D, H, M and B. Copies of a row are no pair."""
        weights = weights[:, self._order]
        apart = (weights * _cumulative(weights)[:, self._below]).sum(axis=1)
        agree = np.zeros(len(weights))
        for part, bits in self._levels:
            own = weights[:, part.places]
            lower = _cumulative(own * (1 - bits))
            agree += (own * bits * (lower[:, part.ends] - lower[:, part.starts])).sum(axis=1)
        own = weights[:, self._same.places]
        up_to = _cumulative(own)
        tied_human = (own * (up_to[:, :-1] - up_to[:, self._same.starts])).sum(axis=1)
        only_human = (own * (up_to[:, self._same.ends] - up_to[:, self._same.starts])).sum(axis=1)
        pairs = (weights.sum(axis=1) ** 2 - (weights**2).sum(axis=1)) / 2
        both = tied_human - only_human
        return np.column_stack([agree, apart - agree - only_human, only_human, pairs - apart - both, both])

    def _part(self, groups: Places) -> _Part:
        places = np.argsort(groups, kind="stable")
        n = len(groups)
        keys = groups[places] * n + places  # rises
        ends = np.searchsorted(keys, groups[places] * n + self._below[places])
        return _Part(places, np.searchsorted(keys, groups[places] * n), ends)


def _below(rising: Array, epsilon: float) -> Places:
    """Of each value: how many are smaller by more than epsilon. Found by halving: what is asked is the difference."""
    low, high = np.zeros(len(rising), dtype=np.int64), np.arange(len(rising))
    while (low < high).any():
        middle = (low + high) // 2
        with np.errstate(over="ignore"):  # an infinite difference is one all the same
            smaller = (rising - rising[middle] > epsilon) & (low < high)
        low, high = np.where(smaller, middle + 1, low), np.where(smaller, high, middle)
    return low


def _cumulative(weights: Array) -> Array:
    """Sums of the first 0, 1, ... columns."""
    sums = np.zeros((len(weights), weights.shape[1] + 1))
    np.cumsum(weights, axis=1, out=sums[:, 1:])
    return sums
