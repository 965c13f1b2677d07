"""Lengths of sentences and words, in any language that plainly can split: LIX, RIX and plain averages."""

from __future__ import annotations

from math import inf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from plainly.corpus import Corpus
from plainly.metrics._text_counts import TEXTBOOK_COUNTS, textbook_counts
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.readability.formula import (
    SPLIT,
    SPLIT_INTO_WORDS,
    SYLLABLES,
    Readability,
    Totals,
    facts_of,
    percentage,
    sentence_length,
    syllables_per_word,
)
from plainly.metrics.settings import SENTENCES
from plainly.text.languages import get_language


class Lix(Readability):
    """LIX = words / sentences + 100 long words / words (Björnsson 1968). A long word has more than six letters."""

    name = "lix"
    facts = facts_of(
        "LIX",
        "below 30 easy, above 60 very hard: sentence length and the share of words of more than six letters",
        "Björnsson 1968, Läsbarhet",
    )
    languages = SPLIT_INTO_WORDS
    counts: ClassVar = ("words", "sentences", "long_words")

    def formula(self, total: Totals) -> Array:
        return sentence_length(total) + percentage(total, "long_words")


class Rix(Readability):
    """RIX = long words / sentences (Anderson 1981). A long word has more than six letters."""

    name = "rix"
    facts = facts_of(
        "RIX",
        "words of more than six letters per sentence",
        "Anderson 1981, Analysing the Readability of English and Non-English Texts in the Classroom with Lix",
    )
    languages = SPLIT_INTO_WORDS
    counts: ClassVar = ("words", "sentences", "long_words")

    def formula(self, total: Totals) -> Array:
        return ratio(total["long_words"], total["sentences"])


class SentenceLength(Readability):
    """Words per sentence."""

    name = "sentence-length"
    facts = facts_of(
        "Sentence length",
        "words per sentence",
        "a part of most readability formulas; see Flesch 1948",
    )
    languages = SPLIT_INTO_WORDS

    def formula(self, total: Totals) -> Array:
        return sentence_length(total)


class SyllablesPerWord(Readability):
    """Syllables per word."""

    name = "syllables-per-word"
    facts = facts_of(
        "Syllables per word",
        "syllables per word, at least one a word",
        "a part of most readability formulas; see Flesch 1948",
        range=(1.0, inf),
        decimals=3,
    )
    languages = SYLLABLES

    def formula(self, total: Totals) -> Array:
        return syllables_per_word(total)


class SplitShare(Metric):
    """The share of segments whose output has more sentences than their source."""

    name = "split-share"
    facts = Facts(
        title="Split share",
        about="share of segments whose output has more sentences than the source",
        direction="none",
        range=(0.0, 1.0),
        needs=frozenset({"source"}),
        paper="Tanprasert and Kauchak 2021, Flesch-Kincaid is Not a Text Simplification Evaluation Metric",
        decimals=3,
    )
    languages = SPLIT
    also_signed: ClassVar = {"sentences": SENTENCES}

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "sentences": get_language(self.lang).sentence_source}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "split", "sentences", "source_sentences")

    def measure(self, corpus: Corpus, system: str) -> Array:
        output, source = (self._sentences(corpus, side) for side in (system, None))
        counts = np.stack([output > source, output, source], axis=1)
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def score(self, totals: Array) -> Score:
        empty = totals[..., 0] == 0
        names = enumerate(self.columns[1:], start=1)
        components = {name: np.where(empty, np.nan, totals[..., i]) for i, name in names}
        return Score(ratio(totals[..., 1], totals[..., 0]), components)

    def _sentences(self, corpus: Corpus, system: str | None) -> NDArray[np.int64]:
        return textbook_counts(corpus, system, self.lang)[:, TEXTBOOK_COUNTS.index("sentences")]
