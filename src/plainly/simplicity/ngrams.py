"""The wording of a text: n-grams of characters within words, and of words, weighted by how telling they are.

An n-gram that occurs c times in a text, and in d of the n texts learned from, has the value
(1 + ln c) (1 + ln((1 + n) / (1 + d))); the values of each kind are scaled to a sum of squares of 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from plainly.simplicity.flat_texts import Floats, Ints, summed
from plainly.text.languages import get_language

SHORTEST, LONGEST = 2, 5  # characters of an n-gram, with the blanks around its word
LONGEST_WORD = 100  # characters of a word that are looked at
KINDS = ("characters", "words")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Entries:
    """A sparse matrix: the value in each `row` (text) and `column` (n-gram) that is not 0, row by row."""

    row: Ints
    column: Ints
    value: Floats


@dataclass(frozen=True)
class Wording:
    """The n-grams that are known, of both kinds, and in how many of the `texts` learned from they occur."""

    lang: str
    texts: int
    characters: tuple[str, ...]
    words: tuple[str, ...]
    documents: NDArray[np.int32]
    """First of the n-grams of characters, then of those of words."""

    @classmethod
    def learned(cls, texts: Sequence[str], lang: str, least: int) -> Wording:
        """The n-grams that occur in at least `least` texts. What is in many texts gives none of them away."""
        kept = []
        for count in (_character_grams, _word_grams):
            documents = Counter(gram for text in texts for gram in set(count(_spelled(text, lang))))
            kept.append(sorted((gram, times) for gram, times in documents.items() if times >= least))
        return cls(
            lang,
            len(texts),
            tuple(gram for gram, _ in kept[0]),
            tuple(gram for gram, _ in kept[1]),
            np.array([times for kind in kept for _, times in kind], dtype=np.int32),
        )

    def __len__(self) -> int:
        return len(self.documents)

    def entries(self, texts: Sequence[str]) -> Entries:
        """The values of all known n-grams in the texts."""
        columns: list[int] = []
        sizes = []  # of two rows a text, one for each kind
        of_token: dict[str, list[int]] = {}
        for text in texts:
            spelled = _spelled(text, self.lang)
            before = len(columns)
            for token in spelled:
                known = of_token.get(token)
                if known is None:
                    known = of_token[token] = [*filter(None, map(self._characters.get, _character_grams([token])))]
                columns += known
            middle = len(columns)
            columns += filter(None, map(self._words.get, _word_grams(spelled)))
            sizes += [middle - before, len(columns) - middle]
        place = np.repeat(np.arange(len(sizes)), sizes) * len(self) + np.array(columns, dtype=np.int64) - 1
        found, counts = np.unique(place, return_counts=True)
        row, column = np.divmod(found, max(1, len(self)))
        value = (1 + np.log(counts)) * self._weight[column]
        norm = np.sqrt(summed(row, value**2, len(sizes)))
        return Entries(row // 2, column, value / norm[row])

    def places(self, text: str) -> Iterator[tuple[int, list[int]]]:
        """Each occurrence of a known n-gram: its column, and the tokens (between blanks) that it touches."""
        spelled = _spelled(text, self.lang)
        starts = []
        for number, token in enumerate(spelled):
            for gram in _character_grams([token]):
                if column := self._characters.get(gram):
                    yield column - 1, [number]
            starts += [number] * len(_WORD.findall(token))
        owners = [*([owner] for owner in starts), *([a, b] for a, b in pairwise(starts))]
        for gram, owner in zip(_word_grams(spelled), owners, strict=True):
            if column := self._words.get(gram):
                yield column - 1, owner

    @cached_property
    def _characters(self) -> dict[str, int]:
        """N-gram -> column + 1, so that no column counts as nothing."""
        return {gram: place for place, gram in enumerate(self.characters, 1)}

    @cached_property
    def _words(self) -> dict[str, int]:
        return {gram: place for place, gram in enumerate(self.words, 1 + len(self.characters))}

    @cached_property
    def _weight(self) -> Floats:
        return 1 + np.log((1 + self.texts) / (1 + self.documents.astype(np.float64)))


def _spelled(text: str, lang: str) -> list[str]:
    """What stands between blanks, in small letters."""
    return get_language(lang).lower(text).split()


def _character_grams(tokens: Iterable[str]) -> list[str]:
    grams = []
    for token in tokens:
        padded = f" {token[:LONGEST_WORD]} "
        size = len(padded)
        for length in range(SHORTEST, min(LONGEST, size) + 1):
            grams += [padded[i : i + length] for i in range(size - length + 1)]
    return grams


def _word_grams(tokens: Iterable[str]) -> list[str]:
    """Words and marks, then pairs of neighbours."""
    words = [word for token in tokens for word in _WORD.findall(token)]
    return [*words, *map(" ".join, pairwise(words))]
