"""OSMAN, a readability formula for Arabic, with and without vowel marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import ClassVar

import numpy as np

from plainly.corpus import Corpus
from plainly.metrics._text_counts import TokenTable, textbook_counts
from plainly.metrics.base import Array, ratio, scored, with_scored
from plainly.metrics.readability.formula import Readability, Totals, facts_of, sentence_length
from plainly.metrics.settings import lang_setting


@dataclass(frozen=True, kw_only=True)
class Osman(Readability):
    """200.791 - 1.015 words / sentences - 24.181 (hard + syllables + complex + faseeh) / words.

    As in the paper, a hard word has more than five letters, a complex one more than four syllables, and a faseeh
    ("eloquent") one is complex and has a letter that informal writing drops, or ends in waw-nun or waw-alif. A short
    vowel is one syllable, a long one two, and so are tanwin and shadda. A word without marks has, for each letter
    but alif and alif maqsura, one short vowel; the paper adds the marks by another program first.
    """

    name = "osman"
    facts = facts_of(
        "OSMAN",
        "0 (hard) to 100 (easy) from lengths, syllables and formal spellings of words, for Arabic",
        "El-Haj and Rayson 2016, OSMAN: A Novel Arabic Readability Metric, LREC",
        direction="higher",
        range=(-inf, 200.791),
        caution="without vowel marks, OSMAN estimates the syllables",
    )
    languages = frozenset({"ar"})
    counts: ClassVar = ("words", "sentences", "arabic_syllables", "hard_words", "complex_words", "faseeh_words")

    lang: str = lang_setting("ar")

    @property
    def conventions(self) -> dict[str, str]:
        return {"syllables": "osman"}

    def measure(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded("none", True)
        table = corpus.prepared(("osman",), lambda: TokenTable(encoded, _token_numbers, 4))
        counts = np.column_stack(
            [textbook_counts(corpus, system, self.lang)[:, :2], table.sums(encoded.output(system))]
        )
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def formula(self, total: Totals) -> Array:
        per_word = ratio(sum((total[name] for name in self.counts[3:]), total["arabic_syllables"]), total["words"])
        return 200.791 - 1.015 * sentence_length(total) - 24.181 * per_word


@lru_cache(maxsize=1 << 16)
def _token_numbers(token: str) -> tuple[int, int, int, int]:
    """Syllables, hard, complex and faseeh words of what stands between two blanks."""
    words = [(syllables(word), _MARKS.sub("", word)) for word in _WORD.findall(token)]
    complex_words = [letters for count, letters in words if count > 4]
    return (
        sum(count for count, _ in words),
        sum(len(letters) > 5 for _, letters in words),
        len(complex_words),
        sum(_FASEEH.search(letters) is not None for letters in complex_words),
    )


def syllables(word: str) -> int:
    """The syllables of an Arabic word as OSMAN weighs them."""
    short = len(_SHORT.findall(word))
    if not short:
        return len(_VOWELLED.findall(word))
    heavy = len(_LONG.findall(word)) + len(_STRESS.findall(word))
    return short + 2 * heavy


# Fatha before alif (maqsura), damma before waw, kasra before ya are long vowels.
_LONG = re.compile("\u064e(?=[\u0627\u0649])|\u064f(?=\u0648)|\u0650(?=\u064a)")
_SHORT = re.compile("\u064e(?![\u0627\u0649])|\u064f(?!\u0648)|\u0650(?!\u064a)")
_STRESS = re.compile("[\u064b-\u064d\u0651]")  # tanwin and shadda
_MARKS = re.compile("[\u0640\u064b-\u065f\u0670]")  # with the stroke that stretches a word
_LETTERS = "\u0621-\u063a\u0641-\u064a\u0671"
_WORD = re.compile(f"[{_LETTERS}][{_LETTERS}\u0640\u064b-\u065f\u0670]*")
_VOWELLED = re.compile("[\u0621-\u0626\u0628-\u063a\u0641-\u0648\u064a]")  # all letters but alif and alif maqsura
_FASEEH = re.compile("[\u0621\u0624\u0626\u0630\u0638]|\u0648[\u0627\u0646]$")
