"""What all readability formulas share: counts go in, a score and the counts come out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np

from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.metrics._text_counts import BASIC_COUNTS, TEXTBOOK_COUNTS, textbook_counts
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.settings import SENTENCES
from plainly.metrics.settings import SYLLABLES as SYLLABLE_SOURCE
from plainly.text.languages import LANGUAGES, Language, get_language

Totals = Mapping[str, Array]  # added-up counts by name

SPLIT = frozenset(code for code, language in LANGUAGES.items() if language.sentence_source)
"""The languages whose sentences plainly can count."""
SPLIT_INTO_WORDS = frozenset(code for code in SPLIT if LANGUAGES[code].spaces)
"""Those of them that put blanks between words, without which textbook counts have no words."""
SYLLABLES = frozenset(code for code in SPLIT_INTO_WORDS if LANGUAGES[code].syllable_source)
"""Those of them whose syllables plainly can count."""


def facts_of(
    title: str,
    about: str,
    paper: str,
    direction: Literal["higher", "lower"] = "lower",
    range: tuple[float, float] = (0.0, inf),
    **more: Any,
) -> Facts:
    """The facts of a formula, which needs nothing but outputs; of most, less is better."""
    return Facts(title, about, direction, range, frozenset(), paper, **more)


@dataclass(frozen=True, kw_only=True)
class Readability(Metric):
    """A formula over textbook counts: words without punctuation, sentences of the text as it stands."""

    counts: ClassVar[tuple[str, ...]] = BASIC_COUNTS
    also_signed: ClassVar = {
        "formula": Signed("whose constants a readability formula has, such as `amstad`"),
        "syllables": SYLLABLE_SOURCE,
        "sentences": SENTENCES,
    }

    @abstractmethod
    def formula(self, total: Totals) -> Array:
        """The score of added-up counts; whatever it gives where there are no words is not used."""

    def settings(self) -> dict[str, str]:
        settings = {**super().settings(), **self.conventions}
        if "syllables" in self.counted:
            settings["syllables"] = self.language.syllable_source
        return {**settings, "sentences": self.language.sentence_source}

    @property
    def conventions(self) -> dict[str, str]:
        """What a formula says of itself in signatures, such as whose constants it has."""
        return {}

    def versions(self) -> dict[str, str]:
        return self.language.syllable_versions if "syllables" in self.counted else {}

    @property
    def language(self) -> Language:
        return get_language(self.lang)

    @property
    def counted(self) -> tuple[str, ...]:
        """What is counted: all that the formula asks for, and syllables only in a language that has a counter."""
        return tuple(name for name in self.counts if name != "syllables" or self.language.syllable_source)

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *self.counted)

    def measure(self, corpus: Corpus, system: str) -> Array:
        chosen = [TEXTBOOK_COUNTS.index(name) for name in self.counted]
        counts = textbook_counts(corpus, system, self.lang)[:, chosen]
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def score(self, totals: Array) -> Score:
        total = self.totals(totals)
        empty = totals[..., 0] == 0
        nothing = (total["words"] == 0) | (total["sentences"] == 0)
        components = {name: np.where(empty, np.nan, total[name]) for name in self.counted}
        components["words_per_sentence"] = sentence_length(total)
        if "syllables" in total:
            components["syllables_per_word"] = syllables_per_word(total)
        return Score(np.where(nothing, np.nan, self.formula(total)), components)

    def totals(self, totals: Array) -> Totals:
        """The added-up statistics by name."""
        return {name: totals[..., i] for i, name in enumerate(self.columns)}


def sentence_length(total: Totals) -> Array:
    """Words per sentence."""
    return ratio(total["words"], total["sentences"])


def syllables_per_word(total: Totals) -> Array:
    """Syllables per word."""
    return ratio(total["syllables"], total["words"])


def percentage(total: Totals, of: str) -> Array:
    """100 times the share of words that are `of`."""
    return 100 * ratio(total[of], total["words"])
