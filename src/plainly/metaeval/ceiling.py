"""How well do people agree with each other? No metric can be asked for much more.

between       the mean correlation of two raters, over all pairs of raters, on the outputs that both rated
with_others   the mean correlation of a rater with the mean of the others
alpha         Krippendorff's alpha: ordinal up to 11 different values, else interval

A pair of raters (or a rater) counts by the number of outputs that it rests on; where everybody rated everything, all
count the same. Pairs with fewer than three outputs in common, and raters who always say the same, have no
correlation and do not count.

Metrics are held against the mean of all raters, which is steadier than a single one. So `between` is what one rater
agrees with another. A good metric can lie above it, and in principle above `with_others` too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.inference.agreement import MISSING
from plainly.inference.alpha import Alpha, Measurement
from plainly.inference.correlation import WEIGHTS_AT_A_TIME, Coefficient, coefficients, tamed
from plainly.inference.estimates import Estimate, as_data, estimates
from plainly.inference.resampling import (
    USUAL,
    Clusters,
    Resampling,
    bootstrap_weights,
    cluster_numbers,
    pooled,
    row_block,
    weighted_totals,
)
from plainly.metaeval.correlations import FEWEST, FEWEST_DRAWN
from plainly.metaeval.judged_set import many
from plainly.metrics import Array, ratio
from plainly.ratings.agreement import MOST_POINTS

ROUNDED = 1e-12  # a smaller share of the squares is what rounding leaves
NOTHING = Estimate(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Ceiling:
    """How far raters agree. Without two raters who can be compared, all numbers are NaN and `reason` says why."""

    raters: int
    outputs: int
    """Rated by two people or more."""
    between: Estimate
    with_others: Estimate
    alpha: Estimate
    alpha_measurement: Measurement
    between_ranks: dict[Coefficient, float]
    """As `between`, with Spearman's and Kendall's coefficient; no intervals."""
    reason: Message | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return as_data(self)


def ceiling(ratings: Array | None, *, clusters: Clusters | None = None, resampling: Resampling = USUAL) -> Ceiling:
    """The agreement of raters in a table (outputs, raters), NaN where one did not rate; None: no single ratings."""
    if ratings is not None and len(ratings) < FEWEST_DRAWN:
        resampling = replace(resampling, resamples=0)
    if ratings is None:
        return no_ceiling(message("metaeval.why.means", "single ratings are not known, only their means"))
    if ratings.ndim != 2:
        raise PlainlyError("ratings are a table: one row an output, one column a rater")
    numbers = np.arange(len(ratings)) if clusters is None else cluster_numbers(clusters, len(ratings))
    twice = np.isfinite(ratings).sum(axis=1) > 1
    table = ratings[twice]
    table = tamed(table.reshape(-1, 1)).reshape(table.shape)  # all in the same units
    table = np.where(np.isfinite(table), table, np.nan)
    table = table[:, ~np.isnan(table).all(axis=0)]
    units = np.unique(numbers[twice], return_inverse=True)[1].reshape(-1)
    reason = _why_not(ratings, table)
    if reason is not None:
        return no_ceiling(reason, int(np.isfinite(ratings).any(axis=0).sum()), len(table))
    values = np.unique(table[~np.isnan(table)])
    measurement: Measurement = "ordinal" if len(values) <= MOST_POINTS else "interval"
    pairs = _Pairs(table)
    drawn = _drawn(pairs, units, table.shape[1], resampling)
    between, with_others = estimates(pairs.means(np.ones((1, len(table))))[0], drawn, resampling.confidence)
    ranks: dict[Coefficient, float] = {name: pairs.mean_of(name) for name in ("spearman", "kendall")}
    return Ceiling(
        raters=table.shape[1],
        outputs=len(table),
        between=between,
        with_others=with_others,
        alpha=_alpha(table, values, measurement, units, resampling),
        alpha_measurement=measurement,
        between_ranks=ranks,
        reason=None if math.isfinite(between.value) else _no_pair(),
    )


def no_ceiling(reason: Message, raters: int = 0, outputs: int = 0) -> Ceiling:
    """No number, and why."""
    return Ceiling(raters, outputs, NOTHING, NOTHING, NOTHING, "interval", {}, reason)


def _why_not(ratings: Array, table: Array) -> Message | None:
    raters = int(np.isfinite(ratings).any(axis=0).sum())
    if raters < 2:
        if raters == 0:
            return message("metaeval.why.nobody", "nobody rated anything")
        return message("metaeval.why.one-rater", "there is one rater only, so nobody to agree with")
    if len(table) < FEWEST:
        outputs = many(len(table), "output") if len(table) else message("metaeval.no-outputs", "no outputs")
        said = "{outputs} rated by two people; it takes {least}"
        return message("metaeval.why.twice", said, outputs=outputs, least=FEWEST)
    if np.nanmin(table) == np.nanmax(table):
        return message("metaeval.why.habit", "all ratings are the same, so agreement cannot be told from habit")
    return None


def _no_pair() -> Message:
    return message("metaeval.why.no-pair", "no two raters share {least} outputs on which both vary", least=FEWEST)


def _drawn(pairs: _Pairs, units: NDArray[np.int64], raters: int, resampling: Resampling) -> Array:
    """(resamples, 2); none where there is only one unit, which says nothing about others."""
    count = int(units.max()) + 1
    if count < 2 or not resampling.resamples:
        return np.empty((0, 2))
    block = row_block(count, max(len(units), raters), WEIGHTS_AT_A_TIME)
    blocks = bootstrap_weights(count, resampling.resamples, resampling.seed, block)
    return np.concatenate([pairs.means(weights[:, units]) for weights in blocks])


def _alpha(
    table: Array, values: Array, measurement: Measurement, units: NDArray[np.int64], resampling: Resampling
) -> Estimate:
    codes = np.where(np.isnan(table), MISSING, np.searchsorted(values, np.nan_to_num(table)))
    alpha = Alpha(measurement, values)
    rows = pooled(alpha.rows(codes), units)
    drawn = np.empty((0, rows.shape[1]))
    if len(rows) > 1 and resampling.resamples:
        (drawn,) = weighted_totals(bootstrap_weights(len(rows), resampling.resamples, resampling.seed), [rows])
    observed = np.atleast_1d(alpha.score(rows.sum(axis=0)))
    return estimates(observed, alpha.score(drawn)[:, None], resampling.confidence)[0]


class _Pairs:
    """Raters with the outputs that they share: sums over these, for all partners of a rater and all draws at once."""

    def __init__(self, table: Array) -> None:
        self._table = table
        there = ~np.isnan(table)
        own = np.where(there, table, 0.0)
        own = np.where(there, own - own.sum(axis=0) / there.sum(axis=0), 0.0)  # less the rater's mean: no digits lost
        scale = np.abs(own).max(axis=0)
        self._own = own / np.where(scale > 0, scale, 1.0)
        self._there = there
        known = np.where(there, table, 0.0)
        mean = (known.sum(axis=1, keepdims=True) - known) / np.maximum(there.sum(axis=1, keepdims=True) - there, 1)
        self._others = np.where(there, mean - mean[there].mean(), 0.0)
        enough = np.flatnonzero(there.sum(axis=0) >= FEWEST)  # nobody else can share as many
        self._known = []
        for place, rater in enumerate(enough):
            rows = np.flatnonzero(there[:, rater])
            later = enough[place + 1 :]
            partners = later[there[np.ix_(rows, later)].sum(axis=0) >= FEWEST]
            self._known.append((int(rater), rows, partners))

    def means(self, weights: Array) -> Array:
        """`between` and `with_others`, with outputs counted by weights: (draws, outputs) -> (draws, 2)."""
        sums, counts = np.zeros((2, len(weights), 2))
        for rater, rows, partners in self._known:
            own, w = self._own[rows, rater, None], weights[:, rows]
            theirs = self._own[np.ix_(rows, partners)]
            there = self._there[np.ix_(rows, partners)].astype(np.float64)
            mean = self._others[rows, rater, None]
            for place, found in enumerate(
                (_summed(w, own, theirs, there), _summed(w, own, mean, np.ones_like(mean)))
            ):
                sums[:, place] += found[0]
                counts[:, place] += found[1]
        return ratio(sums, counts)

    def mean_of(self, coefficient: Coefficient) -> float:
        """As `between`, with another coefficient."""
        values, counts = [], []
        for rater, rows, partners in self._known:
            for partner in partners:
                shared = rows[self._there[rows, partner]]
                both = self._table[shared][:, [rater, partner]]
                values.append(coefficients(coefficient, both[:, :1], both[:, 1:], np.ones((1, len(both)))).item())
                counts.append(float(len(both)))
        known = np.where(np.isfinite(values), counts, 0.0)
        return float(ratio(np.nan_to_num(values) @ known, known.sum()))


def _summed(w: Array, own: Array, theirs: Array, there: Array) -> tuple[Array, Array]:
    """Correlations of one rater's values (rows, 1) with others' (rows, others), times the outputs they rest on.

    Their sum on each draw (draws, rows), and the sum of these outputs. `theirs` is 0 where `there` is.
    """
    n = w @ there
    found = _correlations(n, w @ (own * there), w @ theirs, w @ (own**2 * there), w @ theirs**2, w @ (own * theirs))
    counted = np.where(np.isfinite(found) & ((w > 0).astype(np.float64) @ there >= FEWEST), n, 0.0)
    return (np.nan_to_num(found) * counted).sum(axis=1), counted.sum(axis=1)


def _correlations(n: Array, x: Array, y: Array, xx: Array, yy: Array, xy: Array) -> Array:
    """Pearson's coefficient from sums."""
    variances = [n * squares - total**2 for squares, total in ((xx, x), (yy, y))]
    varies = [part > ROUNDED * n * squares for part, squares in zip(variances, (xx, yy), strict=True)]
    scale = np.where(varies[0] & varies[1], variances[0] * variances[1], 0.0)
    return np.clip(ratio(n * xy - x * y, np.sqrt(scale)), -1.0, 1.0)
