"""Discourse markers: words that say how a sentence or clause goes with what was said before.

The lists are plainly's own and stand in the entries of languages. They hold connectives that rarely do anything
else: "but" is in, "so" and "then" are not. A marker is found as a run of words, the longest first, whatever its case.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from plainly.text.languages import get_language


def count_markers(words: Sequence[str], lang: str) -> int:
    """How many markers stand in a row of words; no word is counted twice."""
    known, longest = _known(lang)
    lowered = [word.lower() for word in words]
    place = count = 0
    while place < len(lowered):
        for length in range(longest, 0, -1):
            if tuple(lowered[place : place + length]) in known:
                count += 1
                place += length
                break
        else:
            place += 1
    return count


@cache
def _known(lang: str) -> tuple[frozenset[tuple[str, ...]], int]:
    markers = frozenset(tuple(marker.split()) for marker in get_language(lang).markers)
    return markers, max(map(len, markers))
