"""Confidence intervals: between which bounds the score would fall on other test sets like this one.

percentile   the quantiles (1 - level) / 2 and (1 + level) / 2 of the resampled scores (Efron 1979).
bca          the same with quantiles moved for bias and skewness, bias-corrected and accelerated (Efron 1987).
             With F the normal distribution, t the score, t* the resampled scores and t(i) the score without unit i:

                 z0 = F^-1(share of t* below t, ties half)
                 a  = sum (m - t(i))^3 / (6 (sum (m - t(i))^2)^1.5),  m the mean of all t(i)
                 quantile q becomes F(z0 + (z0 + z) / (1 - a (z0 + z))),  z = F^-1(q)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.estimates import finite
from plainly.inference.resampling import RESAMPLES, SEED, Clusters, Resampled, Statistics, resample
from plainly.metrics import Array, Metric

IntervalMethod = Literal["percentile", "bca"]

LEVEL = 0.95
ROUNDING = 1e-10  # scores that differ by less than this share of their size differ by rounding only
NORMAL = NormalDist()


@dataclass(frozen=True)
class Interval:
    """A confidence interval and how it was made. `dropped` resamples had nothing that could be scored."""

    low: float
    high: float
    level: float
    method: IntervalMethod
    resamples: int
    dropped: int
    seed: int | None

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __neg__(self) -> Interval:
        """The interval of the negated score."""
        settings = (self.level, self.method, self.resamples, self.dropped, self.seed)
        return Interval(-self.high, -self.low, *settings)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "low": finite(self.low),
            "high": finite(self.high),
            "level": self.level,
            "method": self.method,
            "resamples": self.resamples,
            "dropped": self.dropped,
            "seed": self.seed,
        }


def confidence_interval(
    metric: Metric,
    rows: Array,
    *,
    clusters: Clusters | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    method: IntervalMethod = "percentile",
    level: float = LEVEL,
) -> Interval:
    """The interval of one system's score. `rows` is what `metric.measure` gave."""
    statistics, metrics = {"": {"": rows}}, {"": metric}
    return confidence_intervals(
        statistics, metrics, clusters=clusters, resamples=resamples, seed=seed, method=method, level=level
    )[""][""]


def confidence_intervals(
    statistics: Statistics,
    metrics: Mapping[str, Metric],
    *,
    clusters: Clusters | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    method: IntervalMethod = "percentile",
    level: float = LEVEL,
) -> dict[str, dict[str, Interval]]:
    """The interval of every system by every metric, from the same resamples."""
    check_interval(method, level)
    resampled = resample(
        statistics, metrics, clusters=clusters, resamples=resamples, seed=seed, leave_out=method == "bca"
    )
    return {
        system: {label: interval(scores, method, level, seed) for label, scores in by_label.items()}
        for system, by_label in resampled.items()
    }


def interval(
    resampled: Resampled, method: IntervalMethod = "percentile", level: float = LEVEL, seed: int | None = None
) -> Interval:
    """The interval of a score that was resampled already; `bca` needs the scores with each unit left out."""
    check_interval(method, level)
    values = np.sort(resampled.values[np.isfinite(resampled.values)])
    dropped = len(resampled.values) - len(values)
    low, high = _bounds(resampled, values, method, level)
    return Interval(low, high, level, method, len(resampled.values), dropped, seed)


def check_interval(method: str, level: float) -> None:
    if method not in get_args(IntervalMethod):
        raise UnknownName("interval method", method, get_args(IntervalMethod))
    if not 0 < level < 1:
        raise PlainlyError(f"the level must lie between 0 and 1, for example 0.95, not {level}")


def _bounds(resampled: Resampled, values: Array, method: str, level: float) -> tuple[float, float]:
    """The bounds from sorted scores without NaN."""
    if not len(values):
        return math.nan, math.nan
    if values[-1] - values[0] <= ROUNDING * abs(values[0]):
        same = resampled.observed if math.isfinite(resampled.observed) else float(values[0])
        return same, same
    tails = [(1 - level) / 2, (1 + level) / 2]
    if method == "bca":
        tails = _moved(resampled, values, tails)
    low, high = (_quantile(values, tail) for tail in tails)
    return low, high


def _quantile(values: Array, share: float) -> float:
    """A quantile of sorted values, linear between them. As `np.quantile`, which takes a hundred times as long."""
    place = share * (len(values) - 1)
    below = int(place)
    step = values[min(below + 1, len(values) - 1)] - values[below]
    return float(values[below] + step * (place - below))


def _moved(resampled: Resampled, values: Array, tails: list[float]) -> list[float]:
    if resampled.left_out is None:
        raise ValueError("a BCa interval needs the scores with each unit left out; resample with leave_out=True")
    below = np.searchsorted(values, resampled.observed, "left") + np.searchsorted(values, resampled.observed, "right")
    # A score beyond all resamples has no finite z0; it counts as if one further resample lay beyond it.
    edge = 1 / (len(values) + 1)
    bias = NORMAL.inv_cdf(min(max(float(below) / (2 * len(values)), edge), 1 - edge))
    acceleration = _acceleration(resampled.left_out)
    moved = []
    for tail in tails:
        z = bias + NORMAL.inv_cdf(tail)
        room = 1 - acceleration * z
        moved.append(NORMAL.cdf(bias + z / room) if room > 0 else float(z > 0))
    return moved


def _acceleration(left_out: Array) -> float:
    values = left_out[np.isfinite(left_out)]
    if len(values) < 2 or values.max() - values.min() <= ROUNDING * abs(values[0]):
        return 0.0
    # Divided by the largest: of the far too small numbers that a large test set gives, the cubes would be 0.
    deviations = values.mean() - values
    deviations /= np.abs(deviations).max()
    return float((deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5))
