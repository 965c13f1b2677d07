"""A number with its interval, what every study says its results in; and between which bounds the interval lies.

The score would fall between them on other test sets like this one. Two methods find them:

percentile   the quantiles (1 - confidence) / 2 and (1 + confidence) / 2 of the resampled scores (Efron 1979).
bca          the same with quantiles moved for bias and skewness, bias-corrected and accelerated (Efron 1987).
             With F the normal distribution, t the score, t* the resampled scores and t(i) the score without unit i:

                 z0 = F^-1(share of t* below t, ties half)
                 a  = sum (m - t(i))^3 / (6 (sum (m - t(i))^2)^1.5),  m the mean of all t(i)
                 quantile q becomes F(z0 + (z0 + z) / (1 - a (z0 + z))),  z = F^-1(q)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from plainly.base.exact_sums import Array
from plainly.base.messages import Message

CONFIDENCE = 0.95
Tails = tuple[float, float]
Method = Callable[[float, Array, Array | None, Tails], Tails]
"""The score, sorted resampled scores, those with each unit left out, two shares -> at which shares the bounds lie."""

ROUNDING = 1e-10  # scores that differ by less than this share of their size differ by rounding only
NORMAL = NormalDist()


@dataclass(frozen=True)
class Estimate:
    """A number and the interval around it. What does not exist is NaN."""

    value: float
    low: float = math.nan
    high: float = math.nan
    confidence: float = CONFIDENCE
    n: int | None = None
    """Units behind it, where they were counted."""
    dropped: int = 0
    """Resamples that gave no value."""

    @property
    def has_interval(self) -> bool:
        return not math.isnan(self.low)

    def within(self, ends: Tails) -> Estimate:
        """The same, with an interval that does not reach beyond where the number can lie."""
        if not self.has_interval:
            return self
        return replace(self, low=max(self.low, ends[0]), high=min(self.high, ends[1]))

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __neg__(self) -> Estimate:
        """The estimate of the negated number."""
        return Estimate(-self.value, -self.high, -self.low, self.confidence, self.n, self.dropped)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON, in every command; what is not a number becomes null."""
        return {"value": finite(self.value), "low": finite(self.low), "high": finite(self.high)}


def estimates(values: Array, drawn: Array, confidence: float) -> list[Estimate]:
    """Numbers with the spread of their resamples: (resamples, numbers). Resamples without a number do not count."""
    bounds = np.full((2, len(values)), np.nan)
    there = ~np.isnan(drawn).all(0)
    if there.any():
        tails = [(1 - confidence) / 2, (1 + confidence) / 2]
        bounds[:, there] = np.nanquantile(drawn[:, there], tails, axis=0)
    missing = np.isnan(drawn).sum(0)
    return [
        Estimate(float(value), float(low), float(high), confidence, dropped=int(dropped))
        for value, low, high, dropped in zip(values, *bounds, missing, strict=True)
    ]


def as_data(result: Any, *without: str) -> dict[str, Any]:
    """The fields of a result as JSON holds them, but for those named; what is not a number becomes null."""
    return {one.name: _plain(getattr(result, one.name)) for one in fields(result) if one.name not in without}


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Message):
        return value.text()
    if isinstance(value, Mapping):
        return {key: _plain(own) for key, own in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(own) for own in value]
    return finite(value) if isinstance(value, float) else value


def finite(value: float) -> float | None:
    """The number as JSON can hold it: None where there is none."""
    return value if math.isfinite(value) else None


def bounds(observed: float, drawn: Array, left_out: Array | None, method: str, confidence: float) -> Tails:
    """The bounds of a score from its resamples; those without a score (NaN) do not count."""
    values = np.sort(drawn[np.isfinite(drawn)])
    if not len(values):
        return math.nan, math.nan
    if values[-1] - values[0] <= ROUNDING * abs(values[0]):
        same = observed if math.isfinite(observed) else float(values[0])
        return same, same
    low, high = METHODS[method](observed, values, left_out, ((1 - confidence) / 2, (1 + confidence) / 2))
    return _quantile(values, low), _quantile(values, high)


def percentile(observed: float, values: Array, left_out: Array | None, tails: Tails) -> Tails:
    return tails


def bca(observed: float, values: Array, left_out: Array | None, tails: Tails) -> Tails:
    if left_out is None:
        raise ValueError("a BCa interval needs the scores with each unit left out; resample with leave_out=True")
    below = np.searchsorted(values, observed, "left") + np.searchsorted(values, observed, "right")
    # A score beyond all resamples has no finite z0; it counts as if one further resample lay beyond it.
    edge = 1 / (len(values) + 1)
    bias = NORMAL.inv_cdf(min(max(float(below) / (2 * len(values)), edge), 1 - edge))
    acceleration = _acceleration(left_out)

    def moved(tail: float) -> float:
        z = bias + NORMAL.inv_cdf(tail)
        room = 1 - acceleration * z
        return NORMAL.cdf(bias + z / room) if room > 0 else float(z > 0)

    return moved(tails[0]), moved(tails[1])


METHODS: Mapping[str, Method] = {"percentile": percentile, "bca": bca}
LEFT_OUT = frozenset({"bca"})
"""The methods that need the scores with each unit left out."""


def _quantile(values: Array, share: float) -> float:
    """A quantile of sorted values, linear between them. As `np.quantile`, which takes a hundred times as long."""
    place = share * (len(values) - 1)
    below = int(place)
    step = values[min(below + 1, len(values) - 1)] - values[below]
    return float(values[below] + step * (place - below))


def _acceleration(left_out: Array) -> float:
    values = left_out[np.isfinite(left_out)]
    if len(values) < 2 or values.max() - values.min() <= ROUNDING * abs(values[0]):
        return 0.0
    # Divided by the largest: of the far too small numbers that a large test set gives, the cubes would be 0.
    deviations = values.mean() - values
    deviations /= np.abs(deviations).max()
    return float((deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5))
