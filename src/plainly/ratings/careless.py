"""Habits of raters that say nothing of the outputs: haste, the same value again and again, failed checks.

A flag is a reason to look at a rater's answers, not a reason to drop them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from plainly.base.groups import grouped
from plainly.inference.estimates import Estimate
from plainly.inference.haste import hastier, seconds_per_word, unread
from plainly.ratings.records import Rating, Ratings

STRAIGHT = 0.9
"""Of the ratings the same value, or of the outputs the same on all scales."""
BEYOND = 0.2
"""So much more often than the other raters, in the median: some outputs do deserve the same again and again."""
FEWEST = 10
"""Ratings or outputs, below which a habit may be chance."""
FEWEST_COMPARED = 20
"""Outputs beside the other raters, below which hardly anybody surely agrees with them."""


@dataclass(frozen=True)
class Habits:
    """What a rater's answers have in common, whatever the outputs."""

    ratings: int
    unjudged: int
    median_seconds: float
    """Of a page; NaN where no times are known."""
    seconds_per_word: float
    """The median over pages; NaN where fewer than five have times and known texts."""
    one_value: float
    """The share of the value that is given most often, on any scale."""
    outputs: int
    """With values on two scales or more."""
    same_on_all: float
    """The share of these outputs that have the same value on all scales; NaN where there are none."""
    checks: int
    """Answers to attention checks that may be right or wrong."""
    failed: int


def habits(ratings: Ratings) -> dict[str, Habits]:
    """Of each rater."""
    own = grouped(ratings.entries, lambda entry: entry.rater)
    return {name: _habits(own[name]) for name in ratings.raters}


def flags(name: str, everyone: Mapping[str, Habits], with_others: Sequence[tuple[int, Estimate]]) -> tuple[str, ...]:
    """What is odd about a rater, in words; `with_others` is his correlation with the others, scale by scale."""
    own = everyone[name]
    others = [kept for other, kept in everyone.items() if other != name]
    found = []
    if own.failed:
        found.append("failed checks")
    if hastier(own.median_seconds, (kept.median_seconds for kept in others)):
        found.append("hasty")
    if unread(own.seconds_per_word):
        found.append("unread")
    if own.ratings >= FEWEST and _beyond(own.one_value, [kept.one_value for kept in others]):
        found.append("one value")
    if own.outputs >= FEWEST and _beyond(own.same_on_all, [kept.same_on_all for kept in others]):
        found.append("same on all scales")
    compared = [figure for outputs, figure in with_others if outputs >= FEWEST_COMPARED and figure.low == figure.low]
    if compared and all(figure.low <= 0 for figure in compared):
        found.append("agrees with nobody")
    return tuple(found)


def _habits(entries: Sequence[Rating]) -> Habits:
    judged = [entry for entry in entries if entry.value is not None and entry.role != "check"]
    pages = grouped((entry for entry in entries if entry.seconds is not None), _page)
    times = {page: own[-1].seconds or 0.0 for page, own in pages.items()}
    by_output = grouped(judged, lambda entry: (entry.item, entry.system))
    several = [[entry.value for entry in own] for own in by_output.values() if len(own) > 1]
    checks = [entry for entry in entries if entry.expected is not None and entry.value is not None]
    most = max(Counter(entry.value for entry in judged).values(), default=0)
    return Habits(
        ratings=len(judged),
        unjudged=sum(entry.value is None and entry.role != "check" for entry in entries),
        median_seconds=median(times.values()) if times else math.nan,
        seconds_per_word=seconds_per_word((times[page], _words(own)) for page, own in pages.items()),
        one_value=most / len(judged) if judged else math.nan,
        outputs=len(several),
        same_on_all=sum(len(set(values)) == 1 for values in several) / len(several) if several else math.nan,
        checks=len(checks),
        failed=sum(entry.failed for entry in checks),
    )


def _page(entry: Rating) -> object:
    return entry.page or (entry.item, entry.system)


def _words(page: Sequence[Rating]) -> int:
    """Those of a page: as its ratings say, else those of its outputs, by spaces."""
    said = max((entry.words or 0 for entry in page), default=0)
    return said or sum(len(text.split()) for text in {entry.system: entry.output for entry in page}.values())


def _beyond(share: float, others: Sequence[float]) -> bool:
    known = [value for value in others if value == value]
    return share >= STRAIGHT and share > (median(known) if known else 0.0) + BEYOND
