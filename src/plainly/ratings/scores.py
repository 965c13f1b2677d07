"""How good are systems on each scale, and which differences are more than chance?

The score of a system is the mean over items of the mean rating of each item. Both the items and the raters are a
sample, so both are drawn anew (`plainly.inference.two_way_bootstrap`). Two systems are compared on the items
that both have ratings of:

    p = (1 + number of |d* - m| >= |d|) / (B + 1)     d the difference, d* those of B resamples, m their mean

and Holm's correction counts all pairs of a scale. z-scores take out how strict a rater is and how far apart his
ratings lie: (value - mean) / sd over all that he rated on the scale, sd with n in the denominator.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from plainly.base.groups import grouped
from plainly.inference.estimates import ROUNDING, Estimate, estimates
from plainly.inference.multiple import holm
from plainly.inference.paired import enough_units, p_value
from plainly.inference.resampling import Resampling
from plainly.inference.two_way_bootstrap import Drawn, Means, crossed_means
from plainly.metrics import Array
from plainly.ratings.records import Rating, Ratings, Role


@dataclass(frozen=True)
class SystemScore:
    """A system on a scale."""

    scale: str
    system: str
    role: Role
    items: int
    raters: int
    ratings: int
    unjudged: int
    """How often raters said that they could not judge it."""
    mean: Estimate
    to_ceiling: Estimate | None
    """Its mean less that of all references, on the items that both have; None without references."""


@dataclass(frozen=True)
class PairScore:
    """One system less another on a scale."""

    scale: str
    first: str
    second: str
    items: int
    difference: Estimate
    p: float
    p_holm: float


def standardised(ratings: Ratings) -> tuple[Ratings, list[str]]:
    """z-scores in place of values; and who has none on a scale, as all of his ratings there are the same.

    Such ratings are left out.
    """
    rated = grouped(ratings.judged, lambda entry: (entry.rater, entry.scale))
    values = {key: [entry.value or 0.0 for entry in own] for key, own in rated.items()}
    found = {key: (float(np.mean(own)), float(np.std(own))) for key, own in values.items()}
    flat = {key for key, (mean, sd) in found.items() if sd <= ROUNDING * max(1.0, abs(mean))}

    entries = []
    for entry in ratings.entries:
        key = (entry.rater, entry.scale)
        if entry.value is None or entry.role == "check":
            entries.append(entry)
        elif key not in flat:
            mean, sd = found[key]
            entries.append(replace(entry, value=(entry.value - mean) / sd))
    without = [f"{rater} ({scale})" for rater, scale in found if (rater, scale) in flat]
    return Ratings(tuple(entries)), without


def score_scale(
    ratings: Ratings, scale: str, draw: Drawn, resampling: Resampling
) -> tuple[list[SystemScore], list[PairScore]]:
    """Every system on a scale, and every pair of systems, from one set of resamples; by name, references last."""
    own = [entry for entry in ratings.entries if entry.scale == scale and entry.role != "check"]
    roles = {entry.system: entry.role for entry in own}
    systems = {name: roles[name] for name in sorted(roles, key=lambda name: (roles[name] == "reference", name))}
    items = list(dict.fromkeys(entry.item for entry in own))
    raters = list(dict.fromkeys(entry.rater for entry in own))
    tables = [rating_table([entry for entry in own if entry.system == name], items, raters) for name in systems]
    references = [table for table, role in zip(tables, systems.values(), strict=True) if role == "reference"]
    apart = list(combinations(range(len(tables)), 2))
    to_ceiling = [(place, len(tables)) for place in range(len(tables))] if references else []
    means = crossed_means(
        [*tables, *([_pooled(references)] if references else [])],
        [*apart, *to_ceiling],
        resamples=resampling.resamples,
        seed=resampling.seed,
        draw=draw,
    )
    found = figures(means, resampling)
    start = len(tables) + bool(references)
    scores = []
    for place, (name, role) in enumerate(systems.items()):
        there = ~np.isnan(tables[place])
        scores.append(
            SystemScore(
                scale,
                name,
                role,
                int(there.any(1).sum()),
                int(there.any(0).sum()),
                int(there.sum()),
                sum(entry.system == name and entry.value is None for entry in own),
                found[place],
                found[start + len(apart) + place] if references and role != "reference" else None,
            )
        )
    return scores, _pairs(scale, list(systems), tables, apart, means, found, start, resampling.confidence)


def _pairs(
    scale: str,
    systems: Sequence[str],
    tables: Sequence[Array],
    apart: Sequence[tuple[int, int]],
    means: Means,
    found: Sequence[Estimate],
    start: int,
    confidence: float,
) -> list[PairScore]:
    rated = [~np.isnan(table).all(1) for table in tables]
    shared = [int((rated[a] & rated[b]).sum()) for a, b in apart]
    p = np.array(
        [
            difference_p(
                float(means.observed[start + place]), means.drawn[:, start + place], shared[place], confidence
            )
            for place in range(len(apart))
        ]
    )
    return [
        PairScore(scale, systems[a], systems[b], shared[place], found[start + place], float(p[place]), float(holm_p))
        for place, ((a, b), holm_p) in enumerate(zip(apart, holm(p), strict=True))
    ]


def figures(means: Means, resampling: Resampling) -> list[Estimate]:
    """Where nothing varies, as with a single item, resamples say nothing: no bounds."""
    found = estimates(means.observed, means.drawn, resampling.confidence)
    return [figure if figure.low < figure.high else Estimate(figure.value, math.nan, math.nan) for figure in found]


def difference_p(observed: float, drawn: Array, items: int, confidence: float) -> float:
    """NaN where there are too few items for any difference to be more than chance."""
    known = drawn[~np.isnan(drawn)]
    if math.isnan(observed) or not len(known) or not enough_units(items, 1 - confidence):
        return math.nan
    return p_value(observed, known - known.mean(), tolerance=ROUNDING)


def rating_table(entries: Sequence[Rating], items: Sequence[str], raters: Sequence[str]) -> Array:
    """(items, raters), NaN where there is no rating."""
    rows = {name: place for place, name in enumerate(items)}
    columns = {name: place for place, name in enumerate(raters)}
    table = np.full((len(items), len(raters)), np.nan)
    for entry in entries:
        if entry.value is not None:
            table[rows[entry.item], columns[entry.rater]] = entry.value
    return table


def _pooled(tables: Sequence[Array]) -> Array:
    """The mean of what a rater said of several texts of an item."""
    stacked = np.stack(tables)
    there = ~np.isnan(stacked)
    counts = there.sum(0)
    return np.where(counts > 0, np.where(there, stacked, 0.0).sum(0) / np.maximum(counts, 1), np.nan)
