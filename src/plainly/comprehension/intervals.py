"""Between which bounds a number would lie with other readers like these.

Participants are drawn anew, each with all answers. The bounds are those of the BCa method (Efron 1987), which moves
the quantiles of the resampled numbers for bias and skewness: times are skewed, and so is a share divided by a time.
The tails are widened for few participants (Hesterberg 2015); `plainly.inference.small_sample` has the formula.
"""

from __future__ import annotations

import math

from plainly.inference.intervals import interval
from plainly.inference.resampling import Resampled
from plainly.inference.small_sample import widened
from plainly.metrics import Array
from plainly.ranking.results import Figure

METHOD = "bca-t"
"""As signatures name it."""


def bounded(observed: Array, drawn: Array, left_out: Array, participants: int, level: float) -> list[Figure]:
    """Numbers with their intervals, from (numbers), (resamples, numbers) and (participants left out, numbers).

    `participants` are those whose answers count; of two sides that are compared, those of the smaller one. A single
    participant says nothing about others: there are no bounds then.
    """
    found = []
    for place, value in enumerate(map(float, observed)):
        low = high = math.nan
        if participants > 1 and math.isfinite(value):
            resampled = Resampled(value, drawn[:, place], left_out[:, place])
            bounds = interval(resampled, "bca", widened(level, participants))
            low, high = bounds.low, bounds.high
        found.append(Figure(value, low, high))
    return found
