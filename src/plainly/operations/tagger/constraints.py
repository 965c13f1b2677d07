"""What a label cannot mean, whatever a network thinks of it: rules that hold after it has answered.

* `split` and `merge` stand on marks that end a sentence.
* The words of a `move` are the same on both sides, letter for letter but for capitals.
* A word that has nothing to do with another is no synonym, hyperonym or hyponym of it. Numbers that share no digits
  have nothing to do with each other; other words of different stems, if a model of meaning says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from plainly.operations.tagger.labeller import COLUMN, Labelled, Meaning, Pair
from plainly.operations.tagger.lexicon import Kind, Words, likeness, same_stem

Run = tuple[int, ...]

LEXICAL = ("synonym", "hyperonym", "hyponym")
ALIKE = 0.6  # letters in common from which on two words are related by form
_DIGITS = re.compile(r"\d+")


class Constraints:
    """The rules for one pair."""

    def __init__(self, pair: Pair, words: Words, meaning: Meaning | None = None) -> None:
        self._source, self._target = ([words.lower(token) for token in text] for text in pair)
        self._words, self._meaning = words, meaning

    def possible(self, labelled: Labelled) -> Labelled:
        """The probabilities without those of labels that a token cannot have, whatever stands beside it."""
        found = labelled.source.copy(), labelled.target.copy()
        sides = (self._source, self._target, "merge"), (self._target, self._source, "split")
        for probabilities, (own, other, sentence) in zip(found, sides, strict=True):
            there = set(other)
            for row, word in zip(probabilities, own, strict=True):
                if word not in self._words.stops:
                    row[COLUMN[sentence]] = 0
                if word not in there:
                    row[COLUMN["move"]] = 0
        return Labelled(*found, labelled.error)

    def stay(self, label: str, source: Run, target: Run) -> tuple[Run, Run]:
        """The tokens of a group that may keep its label; none at all where nothing is left on a side."""
        if label == "move":
            return self._equal(source, target)
        if label in LEXICAL and not self._related(source, target):
            return (), ()
        return source, target

    def _equal(self, source: Run, target: Run) -> tuple[Run, Run]:
        common = Counter(self._source[i] for i in source) & Counter(self._target[j] for j in target)
        return _of(common, source, self._source), _of(common, target, self._target)

    def _related(self, source: Run, target: Run) -> bool:
        first, second = (
            [text[position] for position in run if self._words.kind(text[position]) is Kind.CONTENT]
            for text, run in ((self._source, source), (self._target, target))
        )
        if not first or not second:
            return True  # function words: they have no meaning to be compared
        if any(_alike(a, b) for a in first for b in second):
            return True
        numbers, others = (_DIGITS.findall(" ".join(words)) for words in (first, second))
        if numbers and others:
            return any(a in b or b in a for a in numbers for b in others)
        return self._meaning is None or self._meaning.related(first, second)


def _alike(first: str, second: str) -> bool:
    """Whether two words are forms or spellings of one; of numbers that says nothing."""
    numbers = _DIGITS.search(first) and _DIGITS.search(second)
    return not numbers and (same_stem(first, second) or likeness(first, second) >= ALIKE)


def _of(common: Counter[str], run: Run, words: Sequence[str]) -> Run:
    """As many tokens of each word as are common, the first ones."""
    left = common.copy()
    kept = []
    for position in run:
        if left[words[position]]:
            left[words[position]] -= 1
            kept.append(position)
    return tuple(kept)
