"""Where does a curve first reach a target? For plans: how many judgements, how many participants."""

from __future__ import annotations

import math
from collections.abc import Sequence


def crossing(tried: Sequence[int], values: Sequence[float], target: float) -> int | None:
    """The first whole number at which the values reach the target, on straight lines between those tried; or None.

    >>> crossing([10, 20], [0.5, 0.9], 0.8)
    18
    """
    place = next((place for place, value in enumerate(values) if value >= target), None)
    if place is None or place == 0:
        return None if place is None else tried[0]
    part = (target - values[place - 1]) / (values[place] - values[place - 1])
    return math.ceil(tried[place - 1] + round(float(part), 12) * (tried[place] - tried[place - 1]))
