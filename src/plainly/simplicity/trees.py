"""Boosted regression trees in plain numpy: small, without chance beyond a seed, and explained step by step.

A tree moves its prediction at every split on the way from the root to a leaf. Each move is credited to the
feature of that split, so the contributions of the features add up to the prediction.

Sums run in the order of the rows, on one core: the same data give the same trees to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.simplicity.flat_texts import Floats, Ints

BINS = 48  # cut points tried for a feature, at most
NONE = -1  # the feature of a node that is not split


@dataclass(frozen=True)
class Growth:
    """How trees are grown; the defaults were chosen by cross-validation on ARTS3000."""

    trees: int = 200
    depth: int = 3
    rate: float = 0.06
    rows: float = 0.5
    """The share of the texts that a tree sees."""
    columns: float = 0.25
    """The share of the features that a tree may split on."""
    leaf: int = 10
    """The least number of texts in a leaf."""
    ridge: float = 5.0
    """Added to the number of texts of a node: small nodes say less."""


@dataclass(frozen=True)
class Trees:
    """Full binary trees, level by level: the children of node i are 2i + 1 and 2i + 2."""

    feature: NDArray[np.int16]
    """(trees, inner nodes): on which column a node is split."""
    threshold: NDArray[np.float32]
    """(trees, inner nodes): a value above it goes right."""
    value: NDArray[np.float32]
    """(trees, nodes): what the tree would say if it ended here."""

    def contributions(self, matrix: Floats) -> Floats:
        """What each feature adds, (texts, features); the sum of `value[:, 0]` is not part of it."""
        found = np.zeros(matrix.shape)
        rows = np.arange(len(matrix))
        value = self.value.astype(np.float64)
        for tree, (feature, threshold) in enumerate(zip(self.feature, self.threshold, strict=True)):
            node = np.zeros(len(matrix), dtype=np.int64)
            while 2 * node[0] + 2 < value.shape[1] if len(node) else False:
                column = feature[node]
                right = (matrix[rows, column] > threshold[node]) & (column != NONE)
                child = 2 * node + 1 + right
                found[rows, column] += value[tree, child] - value[tree, node]
                node = child
        return found

    def predicted(self, matrix: Floats) -> Floats:
        """What the trees say of each text."""
        said: Floats = self.start + self.contributions(matrix).sum(axis=1)
        return said

    @property
    def start(self) -> float:
        """What all trees say together before they look at a text."""
        return float(self.value[:, 0].astype(np.float64).sum())


def grow(matrix: Floats, target: Floats, growth: Growth, seed: int) -> Trees:
    """Trees that predict `target`, each grown on what those before it left over."""
    cuts = [_cuts(column) for column in matrix.T]
    codes = np.column_stack([np.searchsorted(cut, column) for cut, column in zip(cuts, matrix.T, strict=True)])
    chance = np.random.default_rng(seed)
    left_over = target - target.mean()
    features, thresholds, values = [], [], []
    for _ in range(growth.trees):
        rows = np.flatnonzero(chance.random(len(matrix)) < growth.rows)
        columns = np.flatnonzero(chance.random(matrix.shape[1]) < growth.columns)
        if not len(rows) or not len(columns):
            continue
        split, code, value = _tree(codes, left_over, rows, columns, growth)
        left_over = left_over - value[_leaves(codes, split, code, growth.depth)]
        features.append(split)
        thresholds.append([cuts[f][c] if f != NONE else 0.0 for f, c in zip(split.tolist(), code, strict=True)])
        values.append(value)
    nodes = 2**growth.depth - 1
    return Trees(
        np.array(features, dtype=np.int16).reshape(-1, nodes),
        np.array(thresholds, dtype=np.float32).reshape(-1, nodes),
        np.array(values, dtype=np.float32).reshape(-1, 2 * nodes + 1),
    )


def _cuts(column: Floats) -> NDArray[np.float32]:
    """Where a feature may be split: between neighbouring values, at most `BINS` of them, equally filled."""
    values = np.unique(column)
    between = (values[1:] + values[:-1]) / 2
    if len(between) > BINS:
        wanted = np.sort(column)[np.linspace(0, len(column) - 1, BINS + 2)[1:-1].astype(np.int64)]
        between = between[np.unique(np.minimum(np.searchsorted(values, wanted), len(between) - 1))]
    return np.unique(between.astype(np.float32))


def _tree(codes: Ints, left_over: Floats, rows: Ints, columns: Ints, growth: Growth) -> tuple[Ints, Ints, Floats]:
    """The column and the cut of each inner node, and the value of each node."""
    inner = 2**growth.depth - 1
    split, cut = np.full(inner, NONE, dtype=np.int64), np.zeros(inner, dtype=np.int64)
    value = np.zeros(2 * inner + 1)
    seen, error = codes[np.ix_(rows, columns)], left_over[rows]
    slots = np.arange(len(columns)) * (BINS + 1) + seen
    node = np.zeros(len(rows), dtype=np.int64)
    for level in range(growth.depth):
        first, width = 2**level - 1, 2**level
        shape = (width, len(columns), BINS + 1)
        place = ((node - first)[:, None] * (len(columns) * (BINS + 1)) + slots).ravel()
        size = width * len(columns) * (BINS + 1)
        count = np.bincount(place, minlength=size).reshape(shape).astype(np.float64)
        total = np.bincount(place, np.repeat(error, len(columns)), minlength=size).reshape(shape)
        left, left_total = count.cumsum(axis=2)[..., :-1], total.cumsum(axis=2)[..., :-1]
        all_, all_total = count.sum(axis=2)[..., None], total.sum(axis=2)[..., None]
        right, right_total = all_ - left, all_total - left_total
        ridge = growth.ridge
        gain = left_total**2 / (left + ridge) + right_total**2 / (right + ridge) - all_total**2 / (all_ + ridge)
        gain = np.round(np.where((left >= growth.leaf) & (right >= growth.leaf), gain, 0), 9)
        flat = gain.reshape(width, -1)
        best = flat.argmax(axis=1)
        for n in np.flatnonzero(flat.max(axis=1) > 0):
            place_of_column, cut[first + n] = divmod(int(best[n]), BINS)
            split[first + n] = columns[place_of_column]
        node = 2 * node + 1 + ((split[node] != NONE) & (codes[rows, split[node]] > cut[node]))
        for child, parent in ((c, (c - 1) // 2) for c in range(2 * first + 1, 2 * first + 1 + 2 * width)):
            inside = node == child
            if split[parent] == NONE:
                value[child] = value[parent]
            else:
                value[child] = growth.rate * error[inside].sum() / (inside.sum() + ridge)
    return split, cut, value


def _leaves(codes: Ints, split: Ints, cut: Ints, depth: int) -> Ints:
    node = np.zeros(len(codes), dtype=np.int64)
    rows = np.arange(len(codes))
    for _ in range(depth):
        column = split[node]
        node = 2 * node + 1 + ((column != NONE) & (codes[rows, column] > cut[node]))
    return node
