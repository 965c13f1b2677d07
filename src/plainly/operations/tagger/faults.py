"""Is the whole pair erroneous (the label `err`)? A detector of its own, over what the alignment left over.

It is a logistic regression over features of the pair: how much was dropped, how much is new, whether names, numbers
and negations changed. It knows nothing of meaning, and its figures (docs/operations-tagger.md) are modest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly.operations.tagger.encoding import Prepared
from plainly.operations.tagger.flat import FREE, LINKED, MOVED, Flat, content

Floats = NDArray[np.float64]

NEGATIONS = frozenset(["not", "no", "never", "n't", "none", "neither", "nor", "without", "cannot"])
STEPS = 50


class Detector(NamedTuple):
    """A logistic regression on standardised features, and from which probability on a pair is called erroneous."""

    means: Floats
    spreads: Floats
    weights: Floats
    """The last one is the constant."""
    threshold: float

    def __call__(self, prepared: Prepared) -> Floats:
        """The probability of an error for each pair."""
        return _logistic(_scaled(pair_features(prepared), self.means, self.spreads) @ self.weights)


def pair_features(prepared: Prepared) -> Floats:
    """One row a pair."""
    source, target = prepared.flats
    lengths = [np.maximum(1, side.lengths).astype(np.float64) for side in (source, target)]
    ratio = np.log(lengths[1] / lengths[0])
    columns = [ratio, np.abs(ratio), np.log(lengths[0]), np.log(lengths[1])]
    for side, length in zip((source, target), lengths, strict=True):
        names = (side.words["capital"] > 0) & (side.place > 0)
        for which in (
            side.kept,
            side.state == MOVED,
            side.state == LINKED,
            side.state == FREE,
            (side.state == FREE) & content(side),
            (side.state == LINKED) & content(side) & (side.score < 0.7),
            (side.state == FREE) & names,
            (side.state <= LINKED) & (side.words["digit"] > 0),
            (side.state == FREE) & (side.words["common"] < 0.3) & content(side),
        ):
            count = _sum(side, which)
            columns += [count / length, np.log1p(count)]
        negated = np.array([low in NEGATIONS for low in side.lows], bool)
        columns += [_sum(side, side.words["stop"] > 0), _sum(side, negated & ~side.kept)]
        last = np.zeros(len(side.lengths))
        ends = side.offsets[1:][side.lengths > 0] - 1
        last[side.lengths > 0] = side.words["stop"][ends]
        columns.append(last)
    blocks = [len(alignment.moved) for alignment in prepared.alignments]
    return np.column_stack([*columns, np.log1p(blocks)])


def _sum(side: Flat, which: NDArray[np.bool_]) -> Floats:
    return np.bincount(side.text, which, minlength=len(side.lengths)).astype(np.float64)


def fit(rows: Floats, erroneous: NDArray[np.bool_], ridge: float = 20.0) -> tuple[Floats, Floats, Floats]:
    """Means, spreads and weights of the regression that is likeliest under a penalty on large weights (Newton)."""
    means, spreads = rows.mean(axis=0), rows.std(axis=0)
    spreads[spreads == 0] = 1
    inputs = _scaled(rows, means, spreads)
    weights = np.zeros(inputs.shape[1])
    penalty = np.full(len(weights), ridge)
    penalty[-1] = 0
    for _ in range(STEPS):
        found = _logistic(inputs @ weights)
        slope = inputs.T @ (found - erroneous) + penalty * weights
        curve = (inputs * (found * (1 - found))[:, None]).T @ inputs + np.diag(penalty) + 1e-9 * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return means, spreads, weights


def safe_threshold(probabilities: Floats, erroneous: NDArray[np.bool_]) -> float:
    """The lowest probability from which on at least half of the flags are right; probabilities must be out of fold.

    Where there is none, one half: then the regression itself says that an error is likelier than not.
    """
    order = np.argsort(-probabilities, kind="stable")
    right = np.cumsum(erroneous[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero((right >= 0.5) & (np.arange(len(order)) >= FEW - 1))
    return float(probabilities[order[good[-1]]]) if len(good) else 0.5


FEW = 5  # flags are too few to judge by


def cross_validated(rows: Floats, erroneous: NDArray[np.bool_], groups: Sequence[int]) -> Floats:
    """For each pair, the probability by a regression that saw no pair of its group."""
    folds = np.asarray(groups)
    found = np.zeros(len(rows))
    for fold in np.unique(folds):
        means, spreads, weights = fit(rows[folds != fold], erroneous[folds != fold])
        found[folds == fold] = _logistic(_scaled(rows[folds == fold], means, spreads) @ weights)
    return found


def _scaled(rows: Floats, means: Floats, spreads: Floats) -> Floats:
    return np.column_stack([np.clip((rows - means) / spreads, -4, 4), np.ones(len(rows))])


def _logistic(values: Floats) -> Floats:
    result: Floats = 0.5 * np.tanh(0.5 * values) + 0.5
    return result
