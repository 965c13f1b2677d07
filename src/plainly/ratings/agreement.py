"""Do raters see the same in the same outputs? Krippendorff's alpha, and each rater beside the mean of the others.

Intervals draw items, each with all of its outputs and ratings. The mean of the other raters is kept as it is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from plainly.base.errors import UnknownName
from plainly.base.plain_data import plain_fields
from plainly.inference.agreement import MISSING, Codes
from plainly.inference.alpha import Alpha, Measurement
from plainly.inference.estimates import Estimate, estimates
from plainly.inference.resampling import Resampling, bootstrap_weights, pooled, weighted_totals
from plainly.metrics import Array, ratio
from plainly.ratings.records import Ratings

Choice = Literal["auto", "ordinal", "interval"]
MOST_POINTS = 11
"""A scale with more values than this is taken as one of equal steps: 0 to 100, for example."""
VARIES = 1e-12  # a smaller share of the squares is rounding


@dataclass(frozen=True)
class ScaleAgreement:
    """How far raters agree on a scale."""

    scale: str
    raters: int
    outputs: int
    """With two ratings or more."""
    ratings: int
    """Of these outputs."""
    measurement: Measurement
    alpha: Estimate
    with_others: Estimate
    """The mean over raters of their correlation (Pearson) with the mean of the others."""
    by_rater: Mapping[str, tuple[int, Estimate]]
    """That correlation for each rater, and on how many outputs it rests."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        by_rater = {name: {"outputs": n, **figure.to_dict()} for name, (n, figure) in self.by_rater.items()}
        return {**plain_fields(self), "by_rater": by_rater}


def scale_agreement(ratings: Ratings, scale: str, resampling: Resampling, choice: Choice = "auto") -> ScaleAgreement:
    """The agreement on one scale, of all that is rated: outputs of systems and references."""
    if choice not in get_args(Choice):
        raise UnknownName("level of measurement", choice, get_args(Choice))
    by_output: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for entry in ratings.judged:
        if entry.scale == scale and entry.value is not None:
            by_output[entry.item, entry.system][entry.rater] = entry.value
    twice = {key: values for key, values in by_output.items() if len(values) > 1}
    taking_part = {name for values in twice.values() for name in values}
    raters = [name for name in ratings.raters if name in taking_part]
    columns = {name: place for place, name in enumerate(raters)}
    table = np.full((len(twice), len(raters)), np.nan)
    for row, values in enumerate(twice.values()):
        table[row, [columns[name] for name in values]] = list(values.values())
    measurement = _measurement(table, choice)
    places = {item: place for place, item in enumerate(dict.fromkeys(item for item, _ in twice))}
    items = np.array([places[item] for item, _ in twice], dtype=np.int64)
    alpha, others = _resampled(table, items, measurement, resampling)
    counts = (~np.isnan(table)).sum(0).tolist()
    return ScaleAgreement(
        scale=scale,
        raters=len(raters),
        outputs=len(twice),
        ratings=sum(counts),
        measurement=measurement,
        alpha=alpha,
        with_others=others[-1],
        by_rater={name: (counts[place], others[place]) for place, name in enumerate(raters)},
    )


def _measurement(table: Array, choice: Choice) -> Measurement:
    if choice != "auto":
        return choice
    return "ordinal" if len(np.unique(table[~np.isnan(table)])) <= MOST_POINTS else "interval"


def _resampled(
    table: Array, items: Codes, measurement: Measurement, resampling: Resampling
) -> tuple[Estimate, list[Estimate]]:
    """Alpha; the correlation of each rater, and the mean of these."""
    if not len(table):
        nothing = Estimate(math.nan, math.nan, math.nan)
        return nothing, [nothing]
    there = ~np.isnan(table)
    values, codes = np.unique(table[there], return_inverse=True)
    coded = np.full(table.shape, MISSING, dtype=np.int64)
    coded[there] = codes
    alpha = Alpha(measurement, values)
    known = np.where(there, table, 0.0)
    others = (known.sum(1, keepdims=True) - known) / (there.sum(1, keepdims=True) - 1)  # every output has two ratings
    rows = [alpha.rows(coded), *(_products(own, mean) for own, mean in zip(table.T, others.T, strict=True))]
    by_item = [pooled(row, items) for row in rows]
    size = len(by_item[0])
    totals = [part.sum(0, keepdims=True) for part in by_item]
    drawn = weighted_totals(bootstrap_weights(size, resampling.resamples, resampling.seed), by_item)
    (found,) = _bounded(alpha.score(totals[0])[:, None], alpha.score(drawn[0])[:, None], resampling, size)
    own, resampled = (np.column_stack([_pearson(sums) for sums in parts[1:]]) for parts in (totals, drawn))
    mean, means = (_mean(part)[:, None] for part in (own, resampled))
    return found, _bounded(np.hstack([own, mean]), np.hstack([resampled, means]), resampling, size)


def _bounded(own: Array, drawn: Array, resampling: Resampling, items: int) -> list[Estimate]:
    """One item says nothing about others."""
    return estimates(own[0], drawn if items > 1 else np.full_like(drawn, np.nan), resampling.confidence)


def _products(own: Array, others: Array) -> Array:
    """What a correlation adds up, from each output: 1, x, y, x², y², xy; 0 where the rater has not rated it."""
    there = ~np.isnan(own)
    x, y = (np.where(there, values - values[there].mean(), 0.0) for values in (own, others))
    products: Array = np.column_stack([there, x, y, x**2, y**2, x * y])
    return products


def _pearson(sums: Array) -> Array:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread = [ratio(n * square - total**2, n * n) for square, total in ((xx, x), (yy, y))]
    scale = np.sqrt(np.where((spread[0] <= VARIES) | (spread[1] <= VARIES), 0.0, spread[0] * spread[1]))
    return ratio(ratio(n * xy - x * y, n * n), np.nan_to_num(scale))


def _mean(values: Array) -> Array:
    there = ~np.isnan(values)
    return ratio(np.where(there, values, 0.0).sum(1), there.sum(1).astype(float))
