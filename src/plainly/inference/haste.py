"""Who cannot have read: the same rules for judgements of all kinds.

There are two. One compares people with each other. The other is absolute, for a group may be careless as a whole:
nobody reads more than `FASTEST` words a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import median

FASTEST = 15.0
"""Words a second; people read 3 to 5, and skim 10."""
HASTY = 1 / 3
"""Of the median time of the others: who is quicker than that can hardly have read the texts."""
FEWEST_TIMED = 5
"""Tasks with a time, below which the speed of reading says nothing."""


def seconds_per_word(tasks: Iterable[tuple[float | None, float]], fewest: int = FEWEST_TIMED) -> float:
    """The median over tasks with known seconds and words; NaN where there are too few.

    >>> seconds_per_word([(4, 40), (6, 30), (3, 10), (None, 10), (2, 20), (5, 20)])
    0.2
    """
    paces = [seconds / words for seconds, words in tasks if seconds is not None and words]
    return median(paces) if paces and len(paces) >= fewest else math.nan


def unread(pace: float) -> bool:
    """Whether so few seconds a word are too few; NaN is not.

    >>> unread(0.05), unread(0.2), unread(math.nan)
    (True, False, False)
    """
    return pace < 1 / FASTEST


def hastier(own: float, others: Iterable[float]) -> bool:
    """Whether a time is much shorter than the others, in the median; those that are not known (NaN) do not count."""
    known = [time for time in others if not math.isnan(time)]
    return bool(known) and own < HASTY * median(known)
