"""Whose answers should one look at? Readers who cannot have read, who choose a place and not an answer, or nothing.

A finding is a reason to look, not to leave somebody out: fast readers exist. The rules:

fast-reading   at least half of the passages were left at more than `FASTEST` words a second.
fast-answers   so were at least half of the questions that were answered, their answers counted in.
same-place     one place of the list was chosen so often that chance would do it for one reader in a thousand. The
               design moves the correct answer through all places, so knowledge does not look like this.
unanswered     more than half of the questions have no answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from plainly.inference.haste import FASTEST

Oddity = Literal["fast-reading", "fast-answers", "same-place", "unanswered"]

ENOUGH = 4
"""Of questions, to say anything of them."""
CHANCE = 0.001


@dataclass(frozen=True)
class Read:
    """A passage as one participant read it."""

    words: int
    seconds: float
    """NaN where it is not known."""
    cut: bool = False
    """Whether the limit ended it; such a passage was not left too early."""


@dataclass(frozen=True)
class Chosen:
    """A question as one participant answered it."""

    words: int
    """Of the question and all its answers."""
    seconds: float
    place: int | None
    """Of the chosen answer on the screen, from 0; None: no answer."""
    places: int


@dataclass(frozen=True)
class Finding:
    """What is odd: in `count` of `total` cases. Of `same-place`, the place from 0."""

    kind: Oddity
    count: int
    total: int
    place: int = 0


def odd(passages: Sequence[Read], questions: Sequence[Chosen]) -> list[Finding]:
    """What is odd about one participant."""
    return [*_fast(passages, questions), *_same_place(questions), *_unanswered(questions)]


def _fast(passages: Sequence[Read], questions: Sequence[Chosen]) -> Iterator[Finding]:
    read = [item for item in passages if not item.cut]
    given = [item for item in questions if item.place is not None]
    kinds: list[tuple[Oddity, Sequence[Read | Chosen], int]] = [
        ("fast-reading", read, 1),
        ("fast-answers", given, ENOUGH),
    ]
    for kind, items, enough in kinds:
        fast = sum(item.words > FASTEST * item.seconds for item in items)  # NaN is not fast
        if len(items) >= enough and 2 * fast >= len(items):
            yield Finding(kind, fast, len(items))


def _same_place(questions: Sequence[Chosen]) -> Iterator[Finding]:
    given = [item for item in questions if item.place is not None]
    if not given:
        return
    ((place, count),) = Counter(item.place for item in given).most_common(1)
    places = min(item.places for item in given)
    if places * _at_least(count, len(given), 1 / places) < CHANCE:
        yield Finding("same-place", count, len(given), place or 0)


def _at_least(count: int, total: int, share: float) -> float:
    """The probability of so many successes or more, each with this probability."""
    from scipy.special import bdtrc

    return float(bdtrc(count - 1, total, share))


def _unanswered(questions: Sequence[Chosen]) -> Iterator[Finding]:
    missing = sum(item.place is None for item in questions)
    if len(questions) >= ENOUGH and 2 * missing > len(questions):
        yield Finding("unanswered", missing, len(questions))
