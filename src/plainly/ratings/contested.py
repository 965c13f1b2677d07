"""Which outputs do raters see most differently? Those are worth a look together, or a clearer scale."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from plainly.ratings.records import Ratings, Role


@dataclass(frozen=True)
class Contested:
    """An output on which raters differ, on one scale."""

    scale: str
    item: str
    system: str
    role: Role
    range: float
    """From the lowest value to the highest."""
    deviation: float
    """The standard deviation of the values, as those of a sample."""
    ratings: Mapping[str, float]
    """By rater, the lowest first."""


def contested(ratings: Ratings, most: int | None = None) -> list[Contested]:
    """Outputs whose ratings differ, scale by scale, the widest range first; at most `most` of a scale."""
    found = []
    for scale in ratings.scales:
        values: dict[tuple[str, str, Role], dict[str, float]] = defaultdict(dict)
        for entry in ratings.judged:
            if entry.scale == scale and entry.value is not None:
                values[entry.item, entry.system, entry.role][entry.rater] = entry.value
        rows = [_row(scale, *output, own) for output, own in values.items() if len(set(own.values())) > 1]
        found += sorted(rows, key=lambda row: (-row.range, -row.deviation))[:most]
    return found


def _row(scale: str, item: str, system: str, role: Role, values: Mapping[str, float]) -> Contested:
    ordered = dict(sorted(values.items(), key=lambda one: one[1]))
    numbers = np.array(list(ordered.values()))
    return Contested(scale, item, system, role, float(np.ptp(numbers)), float(numbers.std(ddof=1)), ordered)
