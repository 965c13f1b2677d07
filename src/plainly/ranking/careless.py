"""Habits of raters that say nothing of the texts: haste, one side, answers that change from one time to the next.

A flag is a reason to look at a rater's judgements, not a reason to drop them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, median

from plainly.base.groups import grouped
from plainly.inference.estimates import Estimate
from plainly.inference.haste import hastier, seconds_per_word, unread
from plainly.ranking.judgements import Judgement, Judgements

ONE_SIDED = 0.1
"""So far from one half, and surely so, the share of the side shown first must be."""
SURE = 0.001
FEWEST_COMPARED = 20
"""Matches beside the yardstick, below which hardly any rater is surely better than chance."""
OUTLYING = 3.0
"""Robust standard deviations below the median share of agreement."""


@dataclass(frozen=True)
class Habits:
    """What a rater's judgements have in common, whatever the texts."""

    judgements: int
    median_seconds: float
    """NaN where no times are known."""
    seconds_per_word: float
    """The median, over the words of both texts; NaN where fewer than five times are known, or no texts."""
    first_share: float
    """How often the text shown first wins, of all decided judgements."""
    decided: int
    repeated: int
    """Judgements of a pair that the rater had judged before."""
    consistent: int
    """Of these, how many say the same as the one before."""


def words_of(texts: Mapping[str, str]) -> dict[str, int]:
    """How many words each text has, by spaces: too few where a script has none, so that nobody is suspected there."""
    return {name: len(text.split()) for name, text in texts.items()}


def habits(judgements: Judgements, words: Mapping[str, int] | None = None) -> list[Habits]:
    """Of each rater, in their order; `words` of each text, if they are known."""
    by_rater = grouped(judgements.items, lambda item: item.rater)
    return [_habits(items, words or {}) for items in by_rater.values()]


def flags(
    own: Habits, everyone: Sequence[Habits], kappa: Estimate, share: float, shares: Sequence[float], compared: int
) -> tuple[str, ...]:
    """What is odd about a rater, in words; `share` and `kappa` are his agreement with the yardstick, on so many."""
    found = []
    if hastier(own.median_seconds, (other.median_seconds for other in everyone if other is not own)):
        found.append("hasty")
    if unread(own.seconds_per_word):
        found.append("unread")
    if own.decided and abs(own.first_share - 0.5) > ONE_SIDED:
        z = abs(own.first_share - 0.5) * 2 * math.sqrt(own.decided)
        if 2 * NormalDist().cdf(-z) < SURE:
            found.append("one-sided")
    if kappa.high == kappa.high and kappa.low <= 0 and compared >= FEWEST_COMPARED:
        found.append("no better than chance")
    elif _outlying(share, shares):
        found.append("disagrees")
    return tuple(found)


def _habits(items: Sequence[Judgement], words: Mapping[str, int]) -> Habits:
    seconds = [item.seconds for item in items if item.seconds is not None]
    won = [item.winner == item.first for item in items if item.winner is not None]
    before: dict[tuple[str, str], str | None] = {}
    repeated = consistent = 0
    for item in items:
        if item.pair in before:
            repeated += 1
            consistent += before[item.pair] == item.winner
        before[item.pair] = item.winner
    return Habits(
        len(items),
        median(seconds) if seconds else math.nan,
        seconds_per_word((item.seconds, words.get(item.first, 0) + words.get(item.second, 0)) for item in items),
        sum(won) / len(won) if won else math.nan,
        len(won),
        repeated,
        consistent,
    )


def _outlying(share: float, shares: Sequence[float]) -> bool:
    """Far below the others, by the median absolute deviation (as a standard deviation of normal values)."""
    known = [value for value in shares if value == value]
    if len(known) < 4 or share != share:
        return False
    middle = median(known)
    spread = 1.4826 * median(abs(value - middle) for value in known)
    return spread > 0 and share < middle - OUTLYING * spread
