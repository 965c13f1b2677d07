"""Who was compared with whom: only texts that comparisons connect can be ranked against each other."""

from __future__ import annotations

import numpy as np

from plainly.base.messages import Message, message
from plainly.corpus.readers.files import shown
from plainly.metrics import Array
from plainly.ranking.fits import Index
from plainly.ranking.judgements import Judgements

NAMED = 5
"""So many texts of a part are named."""


def components(first: Index, second: Index, n: int) -> Index:
    """The number of the part to which each of n texts belongs, parts in order of their first text.

    Labels are lowered to the smallest among neighbours, and then to the labels of labels, until nothing moves.
    """
    label = np.arange(n)
    while True:
        lower = label.copy()
        least = np.minimum(label[first], label[second])
        np.minimum.at(lower, first, least)
        np.minimum.at(lower, second, least)
        lower = lower[lower]
        if (lower == label).all():
            break
        label = lower
    numbers: Index = np.unique(label, return_inverse=True)[1]
    return numbers


def parts(judgements: Judgements) -> list[list[str]]:
    """The texts of each connected part, the largest first."""
    numbers = components(judgements.first, judgements.second, len(judgements.texts))
    found: list[list[str]] = [[] for _ in range(int(numbers.max()) + 1)]
    for text, number in zip(judgements.texts, numbers.tolist(), strict=True):
        found[number].append(text)
    return sorted(found, key=len, reverse=True)


def described(found: list[list[str]]) -> Message:
    """The parts in words."""
    more = message("ranking.parts.more", " and {count} more", count=len(found) - NAMED)
    return message(
        "ranking.parts",
        "the comparisons fall into {count} parts that no comparison connects: {named}{more}",
        count=len(found),
        named=", ".join(f"[{_named(part)}]" for part in found[:NAMED]),
        more=more if len(found) > NAMED else "",
    )


def unbeaten(first: Index, second: Index, outcome: Array, n: int) -> int:
    """How many texts won, or lost, every one of their matches."""
    matches = np.bincount(first, minlength=n) + np.bincount(second, minlength=n)
    won = np.bincount(first, outcome, n) + np.bincount(second, 1 - outcome, n)
    return int(((matches > 0) & ((won == 0) | (won == matches))).sum())


def _named(part: list[str]) -> str:
    more = f", ... {len(part)} texts" if len(part) > NAMED else ""
    return ", ".join(map(shown, part[:NAMED])) + more
