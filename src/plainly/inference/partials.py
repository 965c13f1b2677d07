"""Do two measures rise together beyond what others explain? Partial correlations.

Both measures are predicted from the controls, by least squares with a constant. The partial correlation is the
correlation of what the predictions leave over. With S the covariances of x, y and the controls c,

    r = T_xy / sqrt(T_xx T_yy),   T = S - S_c' S_cc^-1 S_c     (the Schur complement)

For Spearman's coefficient all of them are ranks. p is two-sided, from Student's t with n - 2 - k degrees of freedom
for k controls; controls that say the same count once. Intervals draw whole clusters, as those of `correlation` do.
Where the controls leave nothing of one side, there is no coefficient: NaN. So it is for a metric that is a control.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.correlation import (
    WEIGHTS_AT_A_TIME,
    Correlation,
    average_ranks,
    beta_share,
    correlation,
    tamed,
)
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import (
    USUAL,
    Clusters,
    Resampling,
    cluster_numbers,
    row_weights,
)
from plainly.metrics import Array, ratio

PartialCoefficient = Literal["pearson", "spearman"]
LEFT = 1e-9  # a smaller share of a variance is what rounding leaves


def partial(
    x: ArrayLike,
    y: ArrayLike,
    controls: ArrayLike,
    *,
    coefficient: PartialCoefficient = "pearson",
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
) -> Correlation:
    """The correlation of x and y with one or more controls (columns) removed.

    >>> round(partial([1, 2, 3, 4, 6], [2, 1, 4, 3, 7], [1, 1, 2, 2, 3], resampling=NO_RESAMPLING).value, 4)
    -0.5922
    """
    columns = _columns(x, y, controls)
    if coefficient not in get_args(PartialCoefficient):
        raise UnknownName("coefficient", coefficient, get_args(PartialCoefficient))
    numbers = np.arange(len(columns)) if clusters is None else cluster_numbers(clusters, len(columns))
    kept = np.isfinite(columns).all(axis=1)
    columns = columns[kept]
    if len(columns) < 2:
        return Correlation(Estimate(math.nan), len(columns), math.nan)
    columns = _standardised(columns)
    ranked = coefficient == "spearman"
    whole = _covariances(columns, np.ones((1, len(columns))), ranked)
    value = float(_partial(whole)[0])
    p = _p(value, len(columns), _rank(whole[0, 2:, 2:]))
    units = int(numbers.max()) + 1
    blocks = row_weights(units, numbers[kept], resampling.resamples, resampling.seed, WEIGHTS_AT_A_TIME)
    values = [_partial(_covariances(columns, weights, ranked)) for weights in blocks]
    return correlation(value, len(columns), p, np.concatenate([*values, np.empty(0)]), resampling)


def _columns(x: ArrayLike, y: ArrayLike, controls: ArrayLike) -> Array:
    first, second, others = (np.asarray(values, dtype=np.float64) for values in (x, y, controls))
    others = others[:, None] if others.ndim == 1 else others
    if first.ndim != 1 or second.ndim != 1 or others.ndim != 2:
        raise PlainlyError("a partial correlation takes two lists of numbers, and controls as columns")
    if not len(first) == len(second) == len(others):
        lengths = f"{len(first)}, {len(second)} and {len(others)}"
        raise PlainlyError(f"a partial correlation takes as many values on all sides, not {lengths}")
    return np.column_stack([first, second, others])


def _standardised(columns: Array) -> Array:
    """Columns of about the same size, so that no digits are lost; one that varies by rounding only becomes 0."""
    columns = tamed(columns)
    centred = columns - columns.mean(axis=0)
    spread = np.sqrt((centred**2).mean(axis=0))
    varies = spread > 1e-13 * np.abs(columns).max(axis=0)
    return np.where(varies, ratio(centred, spread), 0.0)


def _covariances(columns: Array, weights: Array, ranked: bool) -> Array:
    """(rows, m), weights (draws, rows) -> (draws, m, m)."""
    if ranked:
        return np.concatenate([_moments(_standardised_ranks(columns, w), w[None]) for w in weights])
    return _moments(columns, weights)


def _standardised_ranks(columns: Array, weights: Array) -> Array:
    return np.asarray(average_ranks(columns, weights) / max(weights.sum(), 1.0) - 0.5)


def _moments(columns: Array, weights: Array) -> Array:
    size = columns.shape[1]
    products = (columns[:, :, None] * columns[:, None, :]).reshape(len(columns), size * size)
    totals = weights.sum(axis=1, keepdims=True)
    means = ratio(weights @ columns, totals)
    squares: Array = ratio(weights @ products, totals).reshape(-1, size, size)
    covariances: Array = squares - means[:, :, None] * means[:, None, :]
    return covariances


def _partial(covariances: Array) -> Array:
    """(draws, m, m) -> (draws); the first two are the measures."""
    values = np.full(len(covariances), np.nan)
    there = np.isfinite(covariances).all(axis=(1, 2))
    found = covariances[there]
    spread = np.sqrt(np.maximum(found.diagonal(axis1=1, axis2=2), 0.0))
    scaled = np.nan_to_num(ratio(found, spread[:, :, None] * spread[:, None, :]))  # correlations; 0 of a constant
    across = scaled[:, :2, 2:]
    inverse = np.linalg.pinv(scaled[:, 2:, 2:], rcond=LEFT, hermitian=True)
    left = scaled[:, :2, :2] - across @ inverse @ across.transpose(0, 2, 1)
    variances = np.where(left.diagonal(axis1=1, axis2=2) > LEFT, left.diagonal(axis1=1, axis2=2), 0.0)
    values[there] = np.clip(ratio(left[:, 0, 1], np.sqrt(variances.prod(axis=1))), -1.0, 1.0)
    return values


def _rank(covariances: Array) -> int:
    spread = np.sqrt(np.maximum(covariances.diagonal(), 0.0))
    scaled = np.nan_to_num(ratio(covariances, np.outer(spread, spread)))
    return int(np.linalg.matrix_rank(scaled, tol=LEFT, hermitian=True))


def _p(value: float, n: int, controls: int) -> float:
    freedom = n - 2 - controls
    if not math.isfinite(value) or freedom < 1:
        return math.nan
    return beta_share((1 - value) * (1 + value), freedom / 2, 0.5)
