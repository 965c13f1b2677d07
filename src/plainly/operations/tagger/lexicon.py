"""What the tagger knows of single words of a language, without any model."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import IntEnum
from functools import cache, cached_property, lru_cache
from hashlib import sha256

from plainly.text.frequency import RANKED, word_ranks
from plainly.text.languages import Language, get_language


class Kind(IntEnum):
    """How much a word says."""

    MARK = 0  # no letter and no digit
    FUNCTION = 1
    CONTENT = 2


class Words:
    """The words of one language; made by `words_of`."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.stops = frozenset(language.sentences.stops + language.sentences.terminators) - {"…"}
        """Marks that end a sentence."""
        self.kind = lru_cache(1 << 16)(self._kind)
        self.lower = lru_cache(1 << 16)(language.lower)

    def _kind(self, low: str) -> Kind:
        if not any(map(str.isalnum, low)):
            return Kind.MARK
        return Kind.FUNCTION if low.replace("’", "'") in self.language.stop_words else Kind.CONTENT

    @cached_property
    def checksum(self) -> str:
        """Of the words and marks that the entry of the language names: another entry, another checksum."""
        known = [sorted(self.language.stop_words), sorted(self.stops), self.language.dotless_i]
        return sha256(json.dumps(known).encode()).hexdigest()[:12]

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        return word_ranks(self.language.frequency_list) if self.language.frequency_list else {}

    def commonness(self, low: str) -> float:
        """From 0 (not among the frequent words, or unknown) to 1 (the most frequent word)."""
        rank = self._ranks.get(low)
        return 0.0 if rank is None else 1 - math.log1p(rank) / math.log1p(RANKED)

    def place(self, low: str, among: int) -> int:
        """The place of a word among so many frequent words, from 1 on; 0 if it is none of them."""
        place = self._ranks.get(low, among) + 1
        return place if place <= among else 0


@cache
def words_of(lang: str) -> Words:
    return Words(get_language(lang))


@lru_cache(1 << 18)
def likeness(first: str, second: str) -> float:
    """How alike two words are in form, from 0 to 1: twice the longest common subsequence over both lengths."""
    if first == second:
        return 1.0
    first, second = first[:LONGEST], second[:LONGEST]
    if not set(first) & set(second):
        return 0.0
    row = [0] * (len(second) + 1)
    for letter in first:
        diagonal = 0
        for j, other in enumerate(second, 1):
            above = row[j]
            row[j] = diagonal + 1 if letter == other else max(above, row[j - 1])
            diagonal = above
    return 2 * row[-1] / (len(first) + len(second))


LONGEST = 40  # letters of a word that are compared: an endless token must not take endless time


@lru_cache(1 << 18)
def shared_beginning(first: str, second: str) -> int:
    """The number of letters that two words begin with alike."""
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count


def same_stem(first: str, second: str) -> bool:
    """Whether two words look like forms of one: "report, reporting", "city, cities"; not "state, station"."""
    shared = shared_beginning(first, second)
    return shared >= 3 and max(len(first), len(second)) - shared <= 4 and shared >= 0.6 * min(len(first), len(second))
