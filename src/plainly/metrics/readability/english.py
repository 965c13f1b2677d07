"""School grades of English texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import inf
from typing import Any, ClassVar

import numpy as np

from plainly.base.errors import MissingResource
from plainly.corpus import Corpus
from plainly.metrics._familiar_words import is_familiar, listed
from plainly.metrics._text_counts import BASIC_COUNTS, Counts, count_words_that, easse_counts, textbook_counts
from plainly.metrics.base import NO_SETTINGS, Array, Score, ratio, scored, with_scored
from plainly.metrics.readability.formula import (
    Readability,
    Totals,
    facts_of,
    percentage,
    sentence_length,
    syllables_per_word,
)
from plainly.metrics.readability.textstat import ROUNDED, counts_of_one, half_up
from plainly.metrics.settings import tokenizer_setting, variant_setting
from plainly.text.sentences import look_for_punkt


class EnglishReadability(Readability):
    """A formula that was made for English, and is refused for other languages."""

    languages = frozenset({"en"})


@dataclass(frozen=True, kw_only=True)
class Fkgl(EnglishReadability):
    """FKGL = 0.39 words / sentences + 11.8 syllables / words - 15.59 (Kincaid et al. 1975)."""

    name = "fkgl"
    facts = facts_of(
        "FKGL",
        "Flesch-Kincaid grade level: US school years from sentence length and syllables per word",
        "Kincaid et al. 1975, Derivation of New Readability Formulas for Navy Enlisted Personnel, "
        "Research Branch Report 8-75",
        range=(-3.79, inf),
        caution="FKGL can be lowered by trivial edits; read its counts instead (docs: fkgl)",
    )
    variants: ClassVar = {
        "builtin": "EASSE's words and syllables, plainly's sentence splitter; at least 0",
        "easse": "the same with NLTK's Punkt splitter: EASSE's numbers, which give 0 to a text without words",
        "textbook": "no punctuation, at least one syllable a word, sentences of the raw text, no floor",
    }

    tokenizer: str = tokenizer_setting()
    variant: str = variant_setting(variants)

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        why = super().missing(lang, settings)
        if why is None and settings.get("variant") == "easse":
            try:
                look_for_punkt()
            except MissingResource as error:
                return str(error)
        return why

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        if self.variant == "textbook":
            del settings["tokenizer"]  # words stand between blanks, whatever the tokeniser
            return settings
        return {**settings, "syllables": "easse", "sentences": "punkt-nltk" if self._punkt else "builtin"}

    def versions(self) -> dict[str, str]:
        return _version_of("nltk") if self._punkt else {}

    def measure(self, corpus: Corpus, system: str) -> Array:
        if self.variant == "textbook":
            return super().measure(corpus, system)
        counts = easse_counts(corpus, system, self.lang, self.tokenizer, self._punkt)
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def score(self, totals: Array) -> Score:
        score = super().score(totals)
        if not self._punkt:
            return score
        # EASSE takes 0/0 as 0, and then the floor.
        wordless = (totals[..., 0] > 0) & np.isnan(score.value)
        return Score(np.where(wordless, 0.0, score.value), score.components)

    def formula(self, total: Totals) -> Array:
        grade = 0.39 * sentence_length(total) + 11.8 * syllables_per_word(total) - 15.59
        return grade if self.variant == "textbook" else np.maximum(grade, 0.0)

    @property
    def _punkt(self) -> bool:
        return self.variant == "easse"


class AutomatedReadabilityIndex(EnglishReadability):
    """ARI = 4.71 characters / words + 0.5 words / sentences - 21.43 (Senter and Smith 1967).

    Characters are letters and digits.
    """

    name = "ari"
    facts = facts_of(
        "Automated readability index",
        "US school years from sentence length and characters per word",
        "Senter and Smith 1967, Automated Readability Index, AMRL-TR-66-220",
        range=(-16.72, inf),
    )
    counts: ClassVar = (*BASIC_COUNTS, "characters")

    def formula(self, total: Totals) -> Array:
        return 4.71 * ratio(total["characters"], total["words"]) + 0.5 * sentence_length(total) - 21.43


class ColemanLiau(EnglishReadability):
    """CLI = 0.0588 L - 0.296 S - 15.8, L letters and S sentences per 100 words (Coleman and Liau 1975)."""

    name = "coleman-liau"
    facts = facts_of(
        "Coleman-Liau index",
        "US school years from letters and sentences per 100 words",
        "Coleman and Liau 1975, A Computer Readability Formula Designed for Machine Scoring, "
        "Journal of Applied Psychology",
        range=(-inf, inf),
    )
    counts: ClassVar = (*BASIC_COUNTS, "letters")

    def formula(self, total: Totals) -> Array:
        letters = 100 * ratio(total["letters"], total["words"])
        sentences = 100 * ratio(total["sentences"], total["words"])
        return 0.0588 * letters - 0.296 * sentences - 15.8


class GunningFog(EnglishReadability):
    """Fog = 0.4 (words / sentences + 100 polysyllables / words) (Gunning 1952).

    Gunning did not count names, compounds of easy words, and verbs that -ed or -es makes long; a program that
    knows no grammar counts them, and so does this one.
    """

    name = "gunning-fog"
    facts = facts_of(
        "Gunning fog index",
        "US school years from sentence length and the share of words with three syllables or more",
        "Gunning 1952, The Technique of Clear Writing",
    )
    counts: ClassVar = (*BASIC_COUNTS, "polysyllables")

    def formula(self, total: Totals) -> Array:
        return 0.4 * (sentence_length(total) + percentage(total, "polysyllables"))


@dataclass(frozen=True, kw_only=True)
class DaleChall(EnglishReadability):
    """DC = 0.1579 p + 0.0496 words / sentences, p the percentage of unfamiliar words; + 3.6365 where p > 5.

    The formula of Dale and Chall 1948 as adjusted in Chall and Dale 1995.
    """

    name = "dale-chall"
    facts = facts_of(
        "Dale-Chall",
        "reading level (below 5: grade 4, from 9: college) from unfamiliar words and sentence length",
        "Chall and Dale 1995, Readability Revisited: The New Dale-Chall Readability Formula",
    )
    variants: ClassVar = {
        "wordfreq": "familiar are the 3,000 most frequent English words of wordfreq",
        "textstat": "familiar are the words of the list that the package textstat carries",
        ROUNDED: "the same list with the counts and the rounding of textstat up to 0.7.5, each segment for itself",
    }
    counts: ClassVar = (*BASIC_COUNTS, "unfamiliar_words")

    variant: str = variant_setting(variants)

    def versions(self) -> dict[str, str]:
        return _version_of("wordfreq" if self.variant == "wordfreq" else "textstat")

    def measure(self, corpus: Corpus, system: str) -> Array:
        counts = textbook_counts(corpus, system, self.lang)[:, :3]
        if self.variant == ROUNDED:
            known = listed(self.lang)
            found = [counts_of_one(text or "", known) for text in corpus.output(system)]
            own = np.array(found, dtype=np.int64).reshape(-1, 3)
            counts = np.column_stack([own[:, :2], counts[:, 2], own[:, 2]])
        else:
            counts = np.column_stack([counts, self._unfamiliar(corpus, system)])
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def _unfamiliar(self, corpus: Corpus, system: str) -> Counts:
        def is_unfamiliar(word: str) -> bool:
            return not is_familiar(word, self.lang, self.variant)

        return count_words_that(corpus, system, f"unfamiliar {self.lang} {self.variant}", is_unfamiliar)

    def formula(self, total: Totals) -> Array:
        unfamiliar = percentage(total, "unfamiliar_words")
        rounds = self.variant == ROUNDED
        length = half_up(sentence_length(total), 1) if rounds else sentence_length(total)
        score = 0.1579 * unfamiliar + 0.0496 * length
        score = np.where(unfamiliar > 5, score + 3.6365, score)
        return half_up(score, 2) if rounds else score


def _version_of(package: str) -> dict[str, str]:
    try:
        return {package: version(package)}
    except PackageNotFoundError:
        return {package: "not installed"}
