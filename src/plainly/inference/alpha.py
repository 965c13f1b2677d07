"""Krippendorff's alpha: do raters agree, when ratings are missing and some disagreements are worse than others?

    alpha = 1 - observed disagreement / expected disagreement

An item with m ratings (two at least) adds the differences of all its ordered pairs of ratings, each divided by m - 1;
what is expected adds those of all pairs of ratings of all such items, divided by n - 1 for n ratings
(Krippendorff 2011, "Computing Krippendorff's alpha-reliability"). The difference of two values c and k is

    nominal    1 where they are not the same
    ordinal    (rank of c - rank of k)^2, with the mean rank of each value among all ratings
    interval   (c - k)^2
    ratio      ((c - k) / (c + k))^2

Krippendorff writes the ordinal difference as the ratings from c to k, those of c and k by half. That is the
difference of their mean ranks. Where all ratings are the same, alpha is NaN.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.agreement import MISSING, Codes, category_counts, encode
from plainly.metrics import Array, ratio

Measurement = Literal["nominal", "ordinal", "interval", "ratio"]

ROUNDING = 1e-12  # a spread of less than this share of the squares is none


@dataclass(frozen=True)
class Alpha:
    """Alpha as sums over items: `rows` may be added up by unit and resampled, `score` takes the sums.

    `values` are what the codes stand for: sorted numbers, except where the measurement is nominal.
    """

    measurement: Measurement
    values: Array

    def rows(self, codes: Codes) -> Array:
        """(items, columns). An item with fewer than two ratings counts nothing.

        Ordinal ratings need a column for every two values, as the ranks change with every resample.
        """
        if self.measurement == "interval":
            return self._interval_rows(codes)
        counts = category_counts(codes, len(self.values))
        ratings = counts.sum(1)
        counts *= (ratings > 1)[:, None]
        share = np.where(ratings > 1, 1 / np.maximum(ratings - 1, 1), 0.0)
        if self.measurement == "ordinal":  # coincidences: those of c with all values add up to the ratings that are c
            others = counts[:, None, :] - np.eye(len(self.values))
            return (counts[:, :, None] * others * share[:, None, None]).reshape(len(codes), len(self.values) ** 2)
        differing = np.einsum("ic,ck,ik->i", counts, self._differences(), counts, optimize=True) * share
        return np.column_stack([differing, counts])

    def score(self, totals: Array) -> Array:
        """Alpha from summed rows, for any number of sums at once."""
        if self.measurement == "ordinal":
            return self._ordinal(totals)
        differing = totals[..., 0]
        if self.measurement == "interval":
            n, sums, squares = (totals[..., i] for i in (1, 2, 3))
            expected = 2 * (n * squares - sums**2)
            return _alpha(differing, np.where(expected <= ROUNDING * n * squares, 0.0, expected), n)
        counts = totals[..., 1:]
        return _alpha(differing, ((counts @ self._differences()) * counts).sum(-1), counts.sum(-1))

    def _interval_rows(self, codes: Codes) -> Array:
        """Straight from the ratings: there may be as many different values as ratings, and no column for each."""
        there = codes != MISSING
        there &= (there.sum(1) > 1)[:, None]
        x = np.where(there, np.append(self._scaled(), 0.0)[codes], 0.0)  # a missing one, -1, finds the last
        n, sums, squares = there.sum(1).astype(float), x.sum(1), (x**2).sum(1)
        differing = 2 * (n * squares - sums**2) / np.maximum(n - 1, 1)
        return np.column_stack([differing, n, sums, squares])

    def _ordinal(self, totals: Array) -> Array:
        size = len(self.values)
        coincidences = totals.reshape(*totals.shape[:-1], size, size)
        counts = coincidences.sum(-1)
        ranks = np.cumsum(counts, -1) - counts / 2
        difference = (ranks[..., :, None] - ranks[..., None, :]) ** 2
        expected = (counts[..., :, None] * counts[..., None, :] * difference).sum((-2, -1))
        return _alpha((coincidences * difference).sum((-2, -1)), expected, counts.sum(-1))

    def _differences(self) -> Array:
        if self.measurement == "nominal":
            return 1 - np.eye(len(self.values))
        x = self._scaled()
        differences: Array = np.nan_to_num(ratio(x[:, None] - x, x[:, None] + x)) ** 2  # two zeros do not differ
        return differences

    def _scaled(self) -> Array:
        """The values as alpha may see them: it depends on neither the unit nor, for intervals, the origin."""
        x: Array = self.values / (np.abs(self.values).max(initial=0) or 1.0)
        return x - x.mean() if self.measurement == "interval" and len(x) else x


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable]], measurement: Measurement = "nominal") -> float:
    """The agreement of several raters, one row an item and one column a rater; None and NaN are missing."""
    if measurement not in _CODED:
        raise UnknownName("level of measurement", measurement, _CODED)
    codes, values = _CODED[measurement](ratings)
    if measurement == "ratio" and values.min(initial=0) < 0:
        raise PlainlyError(f"a ratio scale has no values below 0, but there is {values.min():g}")
    alpha = Alpha(measurement, values)
    return float(alpha.score(alpha.rows(codes).sum(0)))


def _names(ratings: Sequence[Sequence[Hashable]]) -> tuple[Codes, Array]:
    """The codes of ratings that are names, and as many numbers as there are names."""
    codes, known = encode(ratings)
    return codes, np.arange(len(known), dtype=float)


def _numbers(ratings: Sequence[Sequence[Hashable]]) -> tuple[Codes, Array]:
    """The codes of numeric ratings and the sorted values that they stand for."""
    try:
        table = np.array([[np.nan if cell is None else cell for cell in row] for row in ratings], dtype=float)
    except (TypeError, ValueError):
        raise PlainlyError("ordinal, interval and ratio ratings must be numbers, as many for each item") from None
    table = table.reshape(len(ratings), -1) if table.size else np.empty((0, 0))
    there = ~np.isnan(table)
    if np.isinf(table).any():
        raise PlainlyError("ratings must be finite numbers")
    values, places = np.unique(table[there], return_inverse=True)
    codes = np.full(table.shape, MISSING, dtype=np.int64)
    codes[there] = places
    return codes, values


_CODED = {"nominal": _names, "ordinal": _numbers, "interval": _numbers, "ratio": _numbers}


def _alpha(differing: Array, expected: Array, n: Array) -> Array:
    return 1 - ratio(differing * (n - 1), expected)
