"""Habits of annotators that say nothing of the texts: haste, one label for everything, a first draft left as it is.

A flag is a reason to look at an annotator's work, not a reason to drop it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from plainly.inference.haste import hastier, seconds_per_word, unread
from plainly.operations.annotations import AnnotatedPair

FEWEST_PAIRS = 5
FEWEST_GROUPS = 10
NEARLY_ALL = 0.95


@dataclass(frozen=True)
class Work:
    """One pair as an annotator left it, the draft that the work began with, and how long it took."""

    pair: AnnotatedPair
    draft: AnnotatedPair
    seconds: float | None


@dataclass(frozen=True)
class Habits:
    """What an annotator's work has in common, whatever the texts."""

    pairs: int
    seconds: float
    """The median for a pair; NaN where no times are known."""
    seconds_per_token: float
    """The median; NaN where no times are known."""
    changed_texts: int
    """Pairs whose two texts are not the same."""
    groups: int
    commonest: str
    """The label of most groups; empty where there are none."""
    commonest_share: float
    drafts: int
    """Pairs that came with a draft in which something was marked."""
    kept: int
    """Of these, how many were left as they were."""


def habits(done: Sequence[Work]) -> Habits:
    """Of one annotator."""
    timed = [(work.seconds, _tokens(work.pair)) for work in done if work.seconds is not None]
    labels = Counter(group.label for work in done for group in work.pair.operations)
    top = labels.most_common(1)
    drafts = [work for work in done if work.draft.groups]
    return Habits(
        len(done),
        median(seconds for seconds, _ in timed) if timed else math.nan,
        seconds_per_word(timed, fewest=1),
        sum(work.pair.source != work.pair.target for work in done),
        labels.total(),
        top[0][0] if top else "",
        top[0][1] / labels.total() if top else math.nan,
        len(drafts),
        sum(_marks(work.draft) == _marks(work.pair) for work in drafts),
    )


def flags(own: Habits, others: Sequence[Habits]) -> tuple[str, ...]:
    """What is odd about an annotator: any of hasty, keeps the draft, one label, marks nothing."""
    found = []
    pace = own.seconds_per_token
    if own.pairs >= FEWEST_PAIRS and (unread(pace) or hastier(pace, (other.seconds_per_token for other in others))):
        found.append("hasty")
    if own.drafts >= FEWEST_PAIRS and own.kept >= NEARLY_ALL * own.drafts:
        found.append("keeps the draft")
    if own.groups >= FEWEST_GROUPS and own.commonest_share >= NEARLY_ALL:
        found.append("one label")
    if own.changed_texts >= FEWEST_PAIRS and not own.groups:
        found.append("marks nothing")
    return tuple(found)


def _tokens(pair: AnnotatedPair) -> int:
    return max(1, len(pair.source) + len(pair.target))


def _marks(pair: AnnotatedPair) -> set[tuple[tuple[int, ...], tuple[int, ...], str]]:
    """What is marked, whatever the order and whoever was how sure; the words of the flag mean nothing."""
    return {(group.source, group.target, group.label) for group in pair.operations} | (
        {((), (), "flagged")} if pair.erroneous else set()
    )
