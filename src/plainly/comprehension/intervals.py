"""Between which bounds a number would lie with other readers like these.

Participants are drawn anew, each with all answers. The bounds are those of the BCa method (Efron 1987), which moves
the quantiles of the resampled numbers for bias and skewness: times are skewed, and so is a share divided by a time.
The tails are widened for few participants (Hesterberg 2015); `plainly.inference.small_sample` has the formula.
"""

from __future__ import annotations

import math
from dataclasses import replace

from plainly.inference.estimates import Estimate
from plainly.inference.resampling import Resampled, Resampling, interval
from plainly.inference.small_sample import widened
from plainly.metrics import Array

METHOD = "bca-t"
"""As signatures name it."""


def bounded(
    observed: Array, drawn: Array, left_out: Array, participants: int, resampling: Resampling
) -> list[Estimate]:
    """Numbers with their intervals, from (numbers), (resamples, numbers) and (participants left out, numbers).

    `participants` are those whose answers count; of two sides that are compared, those of the smaller one. A single
    participant says nothing about others: there are no bounds then.
    """
    found = []
    for place, value in enumerate(map(float, observed)):
        estimate = Estimate(value, confidence=resampling.confidence)
        if participants > 1 and math.isfinite(value):
            wide = replace(resampling, method="bca", confidence=widened(resampling.confidence, participants))
            bounds = interval(Resampled(value, drawn[:, place], left_out[:, place]), wide)
            estimate = replace(bounds, confidence=resampling.confidence)
        found.append(estimate)
    return found
