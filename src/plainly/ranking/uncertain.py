"""Which places in a ranking are still uncertain, and about how many judgements would settle them?

Intervals narrow with the square root of the judgements: half as wide takes four times as many. So a text with m
matches whose rank is known to within w ranks needs about m (w / goal)^2 in all, until it is known to within the goal.
This holds while the interval is narrow beside the whole ranking; for wider ones, it is a rough guide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from plainly.base.errors import PlainlyError
from plainly.inference.estimates import Estimate
from plainly.ranking.ratings import Ranking

GOAL = 0.1
"""A tenth of all ranks."""


@dataclass(frozen=True)
class Uncertain:
    """A text whose place is not known well enough."""

    text: str
    rank: Estimate
    matches: int
    further: int
    """Judgements, of this text with others."""

    @property
    def width(self) -> float:
        """Within how many ranks it is known."""
        return self.rank.high - self.rank.low + 1


def usual_goal(texts: int) -> int:
    """Within how many ranks places should be known: a tenth of them, at least one."""
    return max(1, round(GOAL * texts))


def uncertain(ranking: Ranking, goal: float | None = None) -> list[Uncertain]:
    """Texts whose rank is known less well than to within `goal` ranks, the least known first."""
    goal = usual_goal(len(ranking.rows)) if goal is None else goal
    if not goal >= 1:
        raise PlainlyError(f"a rank cannot be known to within {goal:g} ranks; 1 is the least")
    found = []
    for row in ranking.rows:
        width = row.rank.high - row.rank.low + 1
        if math.isfinite(width) and width > goal:
            further = math.ceil(max(row.matches, 1) * ((width / goal) ** 2 - 1))
            found.append(Uncertain(row.text, row.rank, row.matches, further))
    return sorted(found, key=lambda each: (-each.width, each.rank.value))
