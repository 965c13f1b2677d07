"""Do two measures rise together? Pearson, Spearman and Kendall, with p-values and intervals.

pearson    r = cov(x, y) / (sd(x) sd(y))
spearman   r of the ranks; equal values share the mean of their ranks
kendall    tau-b = (C - D) / sqrt((P - X) (P - Y)) over the P pairs of observations: C concordant, D discordant,
           X and Y tied in x and in y (Kendall 1945)

An observation with a missing value (NaN) on either side does not count; `n` says how many do. Where one side does
not vary there is no coefficient: NaN.

p is two-sided. For r it comes from Student's t with n - 2 degrees of freedom, for tau from the normal distribution
with the variance that ties leave (Kendall 1970). Both take the observations as independent. Ten references of one
source are not. So intervals draw whole clusters (`clusters`), and `p_resampled` comes from the same draws: with z
Fisher's atanh and se the standard deviation of the resampled z,

    p_resampled = 2 (1 - F(|z| / se)),  F the normal distribution
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.estimates import Estimate, finite
from plainly.inference.resampling import (
    NO_RESAMPLING,
    USUAL,
    Clusters,
    Resampled,
    Resampling,
    cluster_numbers,
    interval,
    row_weights,
)
from plainly.inference.sorted_pairs import Ties, in_groups
from plainly.metrics import Array

Coefficient = Literal["spearman", "pearson", "kendall"]
WEIGHTS_AT_A_TIME = 1 << 21  # resampled weights in memory: 16 MB
VARIES = 1e-26  # what centring leaves of a constant is smaller, as a share of its square
ALMOST_ONE = 1 - 1e-12  # beyond it Fisher's z is infinite for what may be rounding


@dataclass(frozen=True)
class Correlation:
    """A coefficient, how many observations it rests on, and how sure it is."""

    estimate: Estimate
    n: int
    p: float  # observations taken as independent
    p_resampled: float | None = None  # clusters taken as independent

    @property
    def value(self) -> float:
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        resampled = None if self.p_resampled is None else finite(self.p_resampled)
        return {**self.estimate.to_dict(), "p": finite(self.p), "n": self.n, "p_resampled": resampled}


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Spearman's rank correlation.

    >>> round(spearman([1, 2, 3, 4], [1, 3, 2, 4]).value, 4)
    0.8
    """
    return _single("spearman", x, y)


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Pearson's correlation."""
    return _single("pearson", x, y)


def kendall(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Kendall's tau-b."""
    return _single("kendall", x, y)


def correlate(
    xs: ArrayLike,
    ys: ArrayLike,
    *,
    coefficient: Coefficient = "spearman",
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
) -> list[list[Correlation]]:
    """Every column of `xs` with every column of `ys`, from one set of resamples."""
    left, right = _columns(xs), _columns(ys)
    _check(coefficient, left, right)
    numbers = np.arange(len(left)) if clusters is None else cluster_numbers(clusters, len(left))
    found: dict[tuple[int, int], Correlation] = {}
    for kept, of_left, of_right in _blocks_without_gaps(left, right):
        x, y = left[kept][:, of_left], right[kept][:, of_right]
        observed = coefficients(coefficient, x, y, np.ones((1, len(x))))[0]
        drawn = np.empty((0, *observed.shape))
        if resampling.resamples and len(x):
            units = int(numbers.max()) + 1
            blocks = row_weights(units, numbers[kept], resampling.resamples, resampling.seed, WEIGHTS_AT_A_TIME)
            drawn = np.concatenate([coefficients(coefficient, x, y, weights) for weights in blocks])
        for i, column in enumerate(of_left):
            for j, other in enumerate(of_right):
                value = float(observed[i, j])
                p = _p(coefficient, value, x[:, i], y[:, j])
                values = drawn[:, i, j] if len(drawn) else np.full(resampling.resamples, np.nan)
                found[column, other] = correlation(value, len(x), p, values, resampling)
    return [[found[i, j] for j in range(right.shape[1])] for i in range(left.shape[1])]


def correlation(value: float, n: int, p: float, drawn: Array, resampling: Resampling) -> Correlation:
    """A coefficient with what its resamples say of it, if there are any."""
    if not resampling.resamples:
        return Correlation(Estimate(value), n, p)
    return Correlation(interval(Resampled(value, drawn), resampling), n, p, p_resampled(value, drawn))


def average_ranks(values: Array, weights: Array | None = None) -> Array:
    """Ranks from 1 of each column, equal values at the mean of theirs; a row with weight w stands there w times."""
    return _Ranking(values).ranks(np.ones(len(values)) if weights is None else weights)


def _single(coefficient: Coefficient, x: ArrayLike, y: ArrayLike) -> Correlation:
    return correlate(x, y, coefficient=coefficient, resampling=NO_RESAMPLING)[0][0]


def _columns(values: ArrayLike) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim not in (1, 2):
        raise PlainlyError("a correlation takes a list of numbers, or columns of them")
    return tamed(array[:, None] if array.ndim == 1 else array)


def tamed(columns: Array) -> Array:
    """Columns of numbers so large or small that squares would be lost, in other units (a power of 2: exact)."""
    largest = np.abs(np.where(np.isfinite(columns), columns, 0.0)).max(axis=0, initial=0.0)
    wild = (largest > 1e100) | ((largest > 0) & (largest < 1e-100))
    return np.ldexp(columns, np.where(wild, -np.frexp(largest)[1], 0)) if wild.any() else columns


def _check(coefficient: str, left: Array, right: Array) -> None:
    if coefficient not in get_args(Coefficient):
        raise UnknownName("coefficient", coefficient, get_args(Coefficient))
    if len(left) != len(right):
        raise PlainlyError(f"a correlation takes as many values on both sides, not {len(left)} and {len(right)}")


def _blocks_without_gaps(left: Array, right: Array) -> Iterator[tuple[NDArray[np.int64], list[int], list[int]]]:
    """Columns that lack the same rows, left and right, with the rows that both have."""
    for there, columns in _by_gaps(left):
        for here, others in _by_gaps(right):
            yield np.flatnonzero(there & here), columns, others


def _by_gaps(values: Array) -> list[tuple[NDArray[np.bool_], list[int]]]:
    groups: dict[bytes, tuple[NDArray[np.bool_], list[int]]] = {}
    for column, there in enumerate(np.isfinite(values).T):
        groups.setdefault(there.tobytes(), (there, []))[1].append(column)
    return list(groups.values())


def coefficients(coefficient: str, x: Array, y: Array, weights: Array) -> Array:
    """(rows, p), (rows, q), weights (draws, rows) -> (draws, p, q)."""
    if coefficient == "kendall":
        pairs = [[_Concordance(x[:, i], y[:, j]) for j in range(y.shape[1])] for i in range(x.shape[1])]
        rows = np.ascontiguousarray(weights.T)
        return np.stack([np.stack([pair.tau(rows) for pair in row], axis=1) for row in pairs], axis=1)
    if coefficient == "spearman":
        of_x, of_y = _Ranking(x), _Ranking(y)
        return np.stack([_moment_correlations(of_x.ranks(w), of_y.ranks(w), w) for w in weights])
    return np.stack([_moment_correlations(x, y, w) for w in weights])


def _moment_correlations(x: Array, y: Array, weights: Array) -> Array:
    total = weights.sum()
    if total == 0:
        return np.full((x.shape[1], y.shape[1]), np.nan)
    (x, spread_x), (y, spread_y) = (_centred(values, weights, total) for values in (x, y))
    return _over_root((weights[:, None] * x).T @ y, np.outer(spread_x, spread_y))


def _centred(values: Array, weights: Array, total: float) -> tuple[Array, Array]:
    """Columns less their mean, and their sums of squares: 0 where a column varies by rounding only."""
    means = (weights @ values) / total
    centred = values - means
    spread = weights @ (centred * centred)
    return centred, np.where(spread > VARIES * total * means**2, spread, 0.0)


def _over_root(product: Array, squares: Array) -> Array:
    """product / sqrt(squares), within [-1, 1]; NaN where one side does not vary."""
    varies = squares > 0
    return np.where(varies, np.clip(product / np.sqrt(np.where(varies, squares, 1.0)), -1.0, 1.0), np.nan)


class _Ranking:
    """The distinct values of each column, numbered once; the ranks then follow from the weights alone."""

    def __init__(self, values: Array) -> None:
        numbers, first = [], 0
        for column in values.T:
            distinct, which = np.unique(column, return_inverse=True)
            numbers.append(first + which.reshape(-1))
            first += len(distinct)
        self._numbers = np.stack(numbers, axis=1)  # of all columns: no number stands in two
        self._column = np.zeros(first)
        self._column[self._numbers] = np.arange(values.shape[1])

    def ranks(self, weights: Array) -> Array:
        """A row that stands w times in the draw shares w ranks."""
        repeated = np.repeat(weights, self._numbers.shape[1])
        counts = np.bincount(self._numbers.reshape(-1), repeated, minlength=len(self._column))
        up_to = np.cumsum(counts) - self._column * weights.sum()
        ranks: Array = (up_to - (counts - 1) / 2)[self._numbers]
        return ranks


class _Concordance:
    """Tau-b of two columns, with the sorting done once.

    Rows are put in the order of x, those with equal x in the order of y. Then a discordant pair is a larger y before
    a smaller one. They are found bit by bit: among rows whose rank in y agrees in all higher bits, those pairs whose
    next bit is 1 before 0. Tau does not change if the two change places; y is the one with fewer distinct values.
    """

    def __init__(self, x: Array, y: Array) -> None:
        numbered = [np.unique(values, return_inverse=True)[1] for values in (x, y)]
        y_ranks, x_ranks = sorted(numbered, key=lambda numbers: int(numbers.max(initial=0)))
        both = np.unique(np.stack([x_ranks, y_ranks]), axis=1, return_inverse=True)[1].reshape(-1)
        self._ties = [Ties(groups) for groups in (x_ranks, y_ranks, both)]
        order = np.lexsort((y_ranks, x_ranks))
        ranks, places = y_ranks[order], np.arange(len(order))
        self._discordant = []
        for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
            ones = (ranks >> bit & 1).astype(bool)
            before, after = np.flatnonzero(ones), np.flatnonzero(~ones)
            self._discordant.append(in_groups(order, after, before, ranks >> (bit + 1), places))

    def tau(self, weights: Array) -> Array:
        """(rows, draws) -> (draws)."""
        surplus, untied_x, untied_y = self._counts(weights)
        return _over_root(surplus, untied_x * untied_y)

    def surplus(self, weights: Array) -> Array:
        """Concordant less discordant pairs: (rows, draws) -> (draws)."""
        return self._counts(weights)[0]

    def _counts(self, weights: Array) -> tuple[Array, Array, Array]:
        """The surplus, and pairs that are not tied in x and in y."""
        pairs = _pairs(weights.sum(axis=0))
        tied_x, tied_y, tied_both = (ties.count(weights) for ties in self._ties)
        discordant = sum((part.count(weights) for part in self._discordant), np.zeros(weights.shape[1]))
        return pairs - tied_x - tied_y + tied_both - 2 * discordant, pairs - tied_x, pairs - tied_y


def _pairs(counts: Array) -> Array:
    return np.asarray(counts * (counts - 1) / 2)


def _p(coefficient: str, value: float, x: Array, y: Array) -> float:
    if not math.isfinite(value) or len(x) < 3:
        return math.nan
    if coefficient != "kendall":
        return student_p(value, len(x) - 2)
    spread = math.sqrt(_tau_variance(x, y))
    surplus = float(_Concordance(x, y).surplus(np.ones((len(x), 1)))[0])
    return math.erfc(abs(surplus) / spread / math.sqrt(2)) if spread else math.nan


def _tau_variance(x: Array, y: Array) -> float:
    """The variance of C - D under independence, given the ties (Kendall 1970, chapter 4)."""
    n = len(x)
    tx, ty = (np.unique(values, return_counts=True)[1].astype(np.float64) for values in (x, y))

    def swings(t: Array) -> float:
        return float((t * (t - 1) * (2 * t + 5)).sum())

    def triples(t: Array) -> float:
        return float((t * (t - 1) * (t - 2)).sum())

    variance = (n * (n - 1) * (2 * n + 5) - swings(tx) - swings(ty)) / 18
    variance += 2 * float(_pairs(tx).sum()) * float(_pairs(ty).sum()) / (n * (n - 1))
    return variance + triples(tx) * triples(ty) / (9 * n * (n - 1) * (n - 2))


def p_resampled(value: float, values: Array) -> float:
    """p of a coefficient from its resamples, see the top of this file; NaN where they do not vary."""
    drawn = values[np.isfinite(values)]
    if not math.isfinite(value) or len(drawn) < 2:
        return math.nan
    spread = float(np.arctanh(np.clip(drawn, -ALMOST_ONE, ALMOST_ONE)).std(ddof=1))
    z = math.atanh(min(max(value, -ALMOST_ONE), ALMOST_ONE))
    if spread == 0:
        return math.nan
    return math.erfc(abs(z) / spread / math.sqrt(2))


def student_p(value: float, freedom: int) -> float:
    """Two-sided p of a correlation, from Student's t with so many degrees of freedom: I of (1 - r^2)."""
    from scipy.special import betainc

    return float(betainc(freedom / 2, 0.5, max(0.0, (1 - value) * (1 + value))))
