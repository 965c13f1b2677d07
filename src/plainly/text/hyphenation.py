"""How many syllables a word has, by the hyphenation dictionaries that `pyphen` ships.

Hyphenation is not syllabification: the dictionaries never break off one letter, so "Abend" has one piece and
"Oma" has one. The error is the same for sources and outputs, and published German scores rest on it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib.metadata import version

from plainly.base.errors import MissingResource, UnknownName

PYPHEN = "pyphen-"  # how a syllable source names a dictionary: pyphen-de_DE


@cache
def pyphen_counter(dictionary: str) -> Callable[[str], int]:
    """Counts the pieces of a word, in lower case: the places where it may be broken, and one.

    So does textstat. What has no such place (a number, a comma) is one piece.
    """
    try:
        from pyphen import LANGUAGES, Pyphen
    except ImportError:
        raise MissingResource("Syllables need pyphen: pip install pyphen") from None
    if dictionary not in LANGUAGES:
        raise UnknownName("dictionary of pyphen", dictionary, LANGUAGES)
    positions = Pyphen(lang=dictionary).positions

    @lru_cache(maxsize=1 << 16)
    def count(word: str) -> int:
        return len(positions(word.lower())) + 1

    return count


def pyphen_version() -> str:
    """Another version may hold other dictionaries."""
    return version("pyphen")
