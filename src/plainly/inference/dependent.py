"""Does one measure agree with people more than another does? Tests of two correlations that share a side.

williams      For Pearson's r (Williams 1959, as Steiger 1980 recommends it). With r12 and r13 the correlations of two
              measures with people, r23 that of the measures, and K = 1 - r12² - r13² - r23² + 2 r12 r13 r23,

                  t = (r12 - r13) sqrt((n - 1) (1 + r23) / (2 K (n - 1) / (n - 3) + (r12 + r13)² (1 - r23)³ / 4))

              has Student's distribution with n - 3 degrees of freedom if the true correlations are equal. It takes
              rows as independent and values as normal. Measures that resemble each other (a large r23) are told
              apart by smaller differences.
permutation   For any coefficient and for clusters (Deutsch, Dror and Roth 2021, TACL 9). If two measures agree with
              people equally well, it does not matter which of them gave which score. So in each trial the scores of
              a cluster are swapped, or not, by a fair coin. Scores of different scales cannot be swapped: Pearson's
              coefficient swaps standard scores, the others swap ranks. Neither changes the coefficient itself.

                  p = (1 + number of |d*| >= |d|) / (trials + 1)

Both are two-sided.
"""

from __future__ import annotations

import math
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.correlation import (
    WEIGHTS_AT_A_TIME,
    Coefficient,
    average_ranks,
    coefficients,
    tamed,
)
from plainly.inference.estimates import ROUNDING
from plainly.inference.paired import p_value
from plainly.inference.resampling import (
    RESAMPLES,
    SEED,
    Clusters,
    check_at_least,
    cluster_numbers,
    row_block,
    swaps,
)
from plainly.metrics import Array

PAIRS_AT_A_TIME = 1 << 21
Single: TypeAlias = NDArray[np.float32]


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """p of Williams's test; NaN for fewer than four rows or a correlation that is none.

    >>> round(williams(0.4, 0.5, 0.1, 103), 2)
    0.37
    """
    from scipy.special import stdtr

    correlations = (r12, r13, r23)
    if any(abs(r) > 1 for r in correlations):
        raise PlainlyError(f"correlations lie between -1 and 1, not {', '.join(f'{r:g}' for r in correlations)}")
    if not all(math.isfinite(r) for r in correlations) or n < 4:
        return math.nan
    if r12 == r13:
        return 1.0
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    below = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if below == 0:
        return 0.0 if r23 > -1 else math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return float(2 * stdtr(n - 3, -abs(t)))


def permutation_difference(
    metric_a: ArrayLike,
    metric_b: ArrayLike,
    human: ArrayLike,
    *,
    coefficient: Coefficient = "pearson",
    clusters: Clusters | None = None,
    trials: int = RESAMPLES,
    seed: int = SEED,
) -> float:
    """p of the permutation test, over the rows that all three have a value of; NaN where one of them is constant."""
    if coefficient not in get_args(Coefficient):
        raise UnknownName("coefficient", coefficient, get_args(Coefficient))
    check_at_least("trials", trials, 1)
    columns = [np.asarray(values, dtype=np.float64) for values in (metric_a, metric_b, human)]
    if any(column.ndim != 1 or len(column) != len(columns[0]) for column in columns):
        shapes = ", ".join(str(column.shape) for column in columns)
        raise PlainlyError(f"two measures and people are compared in lists of as many numbers, not {shapes}")
    table = np.column_stack(columns)
    kept = np.isfinite(table).all(axis=1)
    if kept.sum() < 3:
        return math.nan
    numbers = np.arange(len(table)) if clusters is None else cluster_numbers(clusters, len(table))
    numbers = np.unique(numbers[kept], return_inverse=True)[1].reshape(-1)
    table = tamed(table[kept])
    people = table[:, 2:]
    observed = _difference(coefficient, table[:, :1], table[:, 1:2], people)[0]
    if not math.isfinite(observed):
        return math.nan
    first, second = _comparable(coefficient, table[:, :2]).T
    null = []
    units = int(numbers.max()) + 1
    for coins in swaps(units, trials, seed, row_block(units, len(table), WEIGHTS_AT_A_TIME)):
        moved = coins[:, numbers].T
        if coefficient == "kendall":
            null.append(_swapped_taus(first, second, people[:, 0], moved.T))
            continue
        swapped = np.where(moved, second[:, None], first[:, None]), np.where(moved, first[:, None], second[:, None])
        null.append(_difference(coefficient, *swapped, people))
    return p_value(float(observed), np.concatenate(null), tolerance=ROUNDING)


def _difference(coefficient: Coefficient, first: Array, second: Array, people: Array) -> Array:
    """(rows, trials) twice, (rows, 1) -> (trials)."""
    ones = np.ones((1, len(people)))
    found, other = (coefficients(coefficient, columns, people, ones)[0, :, 0] for columns in (first, second))
    return np.asarray(found - other)


def _comparable(coefficient: Coefficient, scores: Array) -> Array:
    if coefficient != "pearson":
        return average_ranks(scores)
    return np.asarray((scores - scores.mean(axis=0)) / scores.std(axis=0))


def _swapped_taus(first: Array, second: Array, people: Array, moved: Array) -> Array:
    """Tau of the first less tau of the second in each trial; `moved` (trials, rows) is 1 where a row is swapped.

    Tau adds up signs of pairs of rows. Which sign a pair has depends on the coins of its two rows only. So all trials
    are products of the coins with three matrices of signs: first with first, first with second, second with second.
    """
    kept, swapped = (1 - moved).astype(np.float32), moved.astype(np.float32)
    surplus, untied, of_people = np.zeros((2, len(moved))), np.zeros((2, len(moved))), 0.0
    step = max(1, PAIRS_AT_A_TIME // len(people))
    for start in range(0, len(people), step):
        rows = slice(start, start + step)
        seen = np.sign(people[rows, None] - people)
        of_people += float(np.abs(seen).sum())
        for x, y in ((first, first), (first, second), (second, second)):
            apart = np.sign(x[rows, None] - y)
            for sums, matrix in ((surplus, apart * seen), (untied, np.abs(apart))):
                _add_pairs(sums, matrix.astype(np.float32), rows, kept, swapped, (x is first, y is first))
    taus = np.where(untied > 0, surplus, np.nan) / np.sqrt(np.maximum(untied, 1.0) * of_people)
    return np.asarray(taus[0] - taus[1])


def _add_pairs(
    sums: Array, matrix: Single, rows: slice, kept: Single, swapped: Single, of_first: tuple[bool, bool]
) -> None:
    """The signs of a matrix that stand in the first column after swapping, and those in the second."""
    by_kept = kept @ matrix.T  # over the rows that stay, for each row of the block: (trials, block)
    by_swapped = matrix.sum(axis=1) - by_kept
    twice = 1 if of_first[0] == of_first[1] else 2  # first with second stands for second with first, too
    for place, stays in enumerate((kept, swapped)):
        goes, by_stays, by_goes = (swapped, by_kept, by_swapped) if place == 0 else (kept, by_swapped, by_kept)
        left = stays if of_first[0] else goes
        right = by_stays if of_first[1] else by_goes
        sums[place] += twice * (left[:, rows] * right).sum(axis=1, dtype=np.float64)
