"""Means of ratings where both the items and the raters are a sample: each is drawn anew, independently of the other.

A table is (items, raters), NaN where a rater did not rate an item. Its mean is that of the items' means, so an item
with many ratings weighs no more than others. A resample draws as many items as there are and as many raters as there
are; a rating counts as often as its item times as often as its rater was drawn (McCullagh 2000 and Owen 2007, who
calls it the pigeonhole bootstrap). Where raters have habits of their own, drawing items alone gives intervals that
are too short: other raters would have said something else.

Tables of several systems meet the same draws, so their differences are paired, by item and by rater.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from plainly.base.errors import UnknownName
from plainly.inference.resampling import BLOCK, bootstrap_weights, check_at_least
from plainly.metrics import Array, ratio

Drawn = Literal["both", "items", "raters"]
"""What is drawn anew. What is not drawn stays as it is: conclusions are about these raters, or these items."""


@dataclass(frozen=True)
class Means:
    """Of tables, then of differences of two tables: as they are, and on each resample (resamples, numbers)."""

    observed: Array
    drawn: Array


def crossed_means(
    tables: Sequence[Array],
    differences: Sequence[tuple[int, int]] = (),
    *,
    resamples: int,
    seed: int,
    draw: Drawn = "both",
) -> Means:
    """The mean of each table, then the mean of each difference, over the items that both tables have ratings of.

    An item that no drawn rater has rated does not count in that resample. A mean of nothing is NaN.
    """
    if draw not in get_args(Drawn):
        raise UnknownName("kind of draw", draw, get_args(Drawn))
    check_at_least("resamples", resamples, 1)
    items, raters = tables[0].shape
    observed = _means(tables, differences, np.ones((1, items)), np.ones((1, raters)))[0]
    drawn = [
        _means(tables, differences, *weights)
        for weights in _weights(items, raters, resamples, seed, draw, len(tables))
    ]
    return Means(observed, np.concatenate(drawn))


def _weights(
    items: int, raters: int, resamples: int, seed: int, draw: Drawn, tables: int
) -> Iterator[tuple[Array, Array]]:
    """How often each item and each rater is drawn; two streams of random numbers, from one seed."""
    step = max(1, BLOCK // max(1, items * tables))
    seeds = np.random.SeedSequence(seed).generate_state(2, np.uint64).tolist()
    chosen = [
        np.concatenate(list(bootstrap_weights(size, resamples, part))) if draw in ("both", name) else None
        for name, size, part in (("items", items, seeds[0]), ("raters", raters, seeds[1]))
    ]
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        of_items, of_raters = (
            np.ones((size, units)) if weights is None else weights[start : start + size]
            for weights, units in zip(chosen, (items, raters), strict=True)
        )
        yield of_items, of_raters


def _means(
    tables: Sequence[Array], differences: Sequence[tuple[int, int]], of_items: Array, of_raters: Array
) -> Array:
    """(resamples, numbers)."""
    by_item = [_of_items(table, of_raters) for table in tables]
    columns = [_over_items(means, of_items) for means in by_item]
    columns += [_over_items(by_item[first] - by_item[second], of_items) for first, second in differences]
    return np.column_stack(columns)


def _of_items(table: Array, weights: Array) -> Array:
    """The mean of each item on each resample of the raters: (resamples, items)."""
    there = ~np.isnan(table)
    return ratio(weights @ np.where(there, table, 0.0).T, weights @ there.T.astype(float))


def _over_items(means: Array, weights: Array) -> Array:
    there = ~np.isnan(means)
    return ratio((weights * np.where(there, means, 0.0)).sum(1), (weights * there).sum(1))
