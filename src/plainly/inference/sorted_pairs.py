"""On how many pairs of rows do two measures agree? Counted by sorting, in n log n steps for n rows.

The kinds of pairs are those of `ties`: C, D, H, M and B. Rows stand in the order of the measure. Those that lie more
than epsilon below a row are then the first few of all, and still the first few of any part that keeps the order. So
sums over them are differences of cumulative sums. Rows below that are lower for people, too, are found bit by bit:
among rows whose rank for people agrees in all higher bits, those whose next bit is 0 where it is 1 here.

Where rows lie is found once. The counts of a resample then follow from the weights of its rows. They are whole
numbers, so no order of summing moves a bit. Draws stand side by side in memory: every step is one of whole rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plainly.metrics import Array

Places = NDArray[np.int64]
WIDE = 128
"""So many draws side by side are worth a step of Python a row."""


class SortedPairs:
    """Two columns of finite numbers. Scores that differ by `epsilon` or less are tied."""

    def __init__(self, metric: Array, human: Array, epsilon: float = 0.0) -> None:
        order = np.argsort(metric, kind="stable")
        below = _below(metric[order], epsilon)
        ranks = np.unique(human, return_inverse=True)[1].reshape(-1)[order]
        self._apart = PairsBelow(order, order, np.zeros_like(below), below)
        self._agree = []
        for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
            ones = (ranks >> bit & 1).astype(bool)
            upper, lower = np.flatnonzero(ones), np.flatnonzero(~ones)
            self._agree.append(in_groups(order, upper, lower, ranks >> (bit + 1), below))
        every = np.arange(len(ranks))
        self._only_human = in_groups(order, every, every, ranks, below)
        self._same_human = Ties(ranks[np.argsort(order)])

    def kinds(self, weights: Array) -> Array:
        """(draws, rows) -> (draws, 5): pairs of the kinds C, D, H, M and B. Copies of a row are no pair."""
        rows = np.ascontiguousarray(weights.T)
        total, squares = rows.sum(axis=0), np.einsum("rd,rd->d", rows, rows)
        apart, only_human = self._apart.count(rows), self._only_human.count(rows)
        agree = sum((part.count(rows) for part in self._agree), np.zeros(len(total)))
        copies, pairs = (squares - total) / 2, (total**2 - squares) / 2
        both = self._same_human.count(rows) - copies - only_human
        return np.column_stack([agree, apart - agree - only_human, only_human, pairs - apart - both, both])


class PairsBelow:
    """Pairs of a row of `upper` and one of `lower`: of the latter, those from place `starts` until before `ends`."""

    def __init__(self, upper: Places, lower: Places, starts: Places, ends: Places) -> None:
        some = starts < ends
        self._upper, self._starts, self._ends, self._lower = upper[some], starts[some], ends[some], lower

    def count(self, weights: Array) -> Array:
        """Weights (rows, draws) -> (draws)."""
        below = _cumulative(weights[self._lower])
        between = below[self._ends] - below[self._starts]
        counted: Array = np.einsum("rd,rd->d", weights[self._upper], between)
        return counted


class Ties:
    """Pairs of rows of the same group, copies of a row among them."""

    def __init__(self, groups: Places) -> None:
        self._order = np.argsort(groups, kind="stable")
        self._starts = np.flatnonzero(np.diff(groups[self._order], prepend=-1))

    def count(self, weights: Array) -> Array:
        """Weights (rows, draws) -> (draws)."""
        if not len(self._order):
            return np.zeros(weights.shape[1])
        sizes = np.add.reduceat(weights[self._order], self._starts, axis=0)
        return np.asarray((np.einsum("gd,gd->d", sizes, sizes) - sizes.sum(axis=0)) / 2)


def in_groups(order: Places, upper: Places, lower: Places, groups: Places, below: Places) -> PairsBelow:
    """Pairs within a group; places are those in the order of the measure, in which the first `below` lie below."""
    n = len(order)
    lower = lower[np.argsort(groups[lower], kind="stable")]
    keys = groups[lower] * n + lower  # rises
    starts, ends = (np.searchsorted(keys, groups[upper] * n + bound) for bound in (0, below[upper]))
    return PairsBelow(order[upper], order[lower], starts, ends)


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
    """Sums of the first 0, 1, ... rows."""
    sums = np.zeros((len(weights) + 1, weights.shape[1]))
    if weights.shape[1] < WIDE:
        np.cumsum(weights, axis=0, out=sums[1:])
    else:  # numpy would go down column by column
        for before, row, after in zip(sums, weights, sums[1:], strict=False):
            np.add(before, row, out=after)
    return sums
