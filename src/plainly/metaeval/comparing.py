"""Which metric agrees with people best, and which others are as good as far as these data show?

The best metric is the one with the largest coefficient in its own good direction: for FKGL, where less is better, the
most negative one. A metric without a direction is listed, but it does not take part. Every other metric is held
against the best one, on the outputs that both have a score of:

    gap          how far it is behind, with an interval; within noise if that holds 0
    williams     p for Pearson's coefficient, rows taken as independent; NaN for other coefficients
    permutation  p with the scores of whole clusters swapped
    p_holm       that p, corrected for the number of metrics

The best one was chosen on the same data. So it leads by a little luck, the more so the more metrics there are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plainly.inference.correlation import Coefficient, correlate
from plainly.inference.dependent import permutation_difference, williams
from plainly.inference.estimates import as_data
from plainly.inference.multiple import holm
from plainly.inference.noise import Gap, noise_band
from plainly.inference.paired import Direction
from plainly.inference.resampling import NO_RESAMPLING, USUAL, Clusters, Resampled, Resampling
from plainly.metaeval.correlations import FEWEST_DRAWN, check_lengths, cleaned, orientation, why_not
from plainly.metaeval.systems import OverSystems, system_interval
from plainly.metrics import Array


@dataclass(frozen=True)
class Standing:
    """A metric beside the best one. Without a direction, or without a coefficient, it does not take part."""

    metric: str
    takes_part: bool
    best: bool
    gap: Gap | None
    p_williams: float
    p_permutation: float
    p_holm: float

    @property
    def within_noise(self) -> bool:
        """Whether these data do not show that it is worse than the best one; true of the best one itself."""
        return self.best or (self.gap is not None and self.gap.within_noise)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**as_data(self), "within_noise": self.within_noise}


def against_best(
    scores: Mapping[str, Array],
    human: Array,
    directions: Mapping[str, Direction],
    *,
    human_direction: Direction = "higher",
    coefficient: Coefficient = "pearson",
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
) -> dict[str, Standing]:
    """Every metric beside the best one, in the order of `scores`."""
    check_lengths(scores, human, clusters)
    scores, human = cleaned(scores, human)
    signs = {metric: orientation(directions.get(metric, "higher"), human_direction) for metric in scores}
    racing = [metric for metric in scores if signs[metric] and why_not(scores[metric], human) is None]
    if not racing:
        return {metric: _outside(metric) for metric in scores}
    turned = np.column_stack([signs[metric] * scores[metric] for metric in racing])
    goodness = [row[0].value for row in correlate(turned, human, coefficient=coefficient, resampling=NO_RESAMPLING)]
    first = int(np.nanargmax(goodness))
    options: dict[str, Any] = {"coefficient": coefficient, "clusters": clusters}
    gaps = noise_band(turned, human, first, resampling=resampling, **options)
    if int(np.isfinite(human).sum()) < FEWEST_DRAWN:
        gaps = [replace(gap, difference=replace(gap.difference, low=math.nan, high=math.nan)) for gap in gaps]
    others = [place for place in range(len(racing)) if place != first]
    swapped = np.full(len(racing), np.nan)
    for place in others:
        pair = turned[:, first], turned[:, place]
        swapped[place] = permutation_difference(
            *pair, human, trials=resampling.resamples, seed=resampling.seed, **options
        )
    corrected = holm(swapped)
    found = {metric: _outside(metric) for metric in scores}
    for place, metric in enumerate(racing):
        tested = place != first and coefficient == "pearson"
        found[metric] = Standing(
            metric=metric,
            takes_part=True,
            best=place == first,
            gap=None if place == first else gaps[place],
            p_williams=_williams(turned[:, first], turned[:, place], human) if tested else math.nan,
            p_permutation=float(swapped[place]),
            p_holm=float(corrected[place]),
        )
    return found


def systems_against_best(
    over_systems: OverSystems,
    *,
    human_direction: Direction = "higher",
    coefficient: Coefficient = "pearson",
    resampling: Resampling = USUAL,
) -> dict[str, Standing]:
    """The same over systems, from the resamples of segments and systems; so few points leave nothing to permute."""
    signs = {name: orientation(found.direction, human_direction) for name, found in over_systems.agreements.items()}
    goodness = {
        name: signs[name] * found.coefficient(coefficient).value
        for name, found in over_systems.agreements.items()
        if signs[name] and found.reason is None
    }
    standings = {name: _outside(name) for name in over_systems.agreements}
    if not goodness:
        return standings
    first = max(goodness, key=lambda name: goodness[name])
    leading = signs[first] * over_systems.drawn[first][coefficient]
    for name, value in goodness.items():
        apart = Resampled(goodness[first] - value, leading - signs[name] * over_systems.drawn[name][coefficient])
        n = min(over_systems.agreements[first].n, over_systems.agreements[name].n)
        gap = Gap(system_interval(apart, n, resampling), n)
        no_p = {"p_williams": math.nan, "p_permutation": math.nan, "p_holm": math.nan}
        standings[name] = Standing(name, True, name == first, None if name == first else gap, **no_p)
    return standings


def _outside(metric: str) -> Standing:
    return Standing(metric, False, False, None, math.nan, math.nan, math.nan)


def _williams(first: Array, other: Array, human: Array) -> float:
    kept = np.isfinite(first) & np.isfinite(other) & np.isfinite(human)
    table = np.column_stack([first, other, human])[kept]
    grid = correlate(table, table, coefficient="pearson", resampling=NO_RESAMPLING)
    return williams(grid[0][2].value, grid[1][2].value, grid[0][1].value, len(table))
