"""Readability formulas: school grades from the length of sentences and words, of the output alone.

All sum their counts over the segments before they divide, so a corpus is scored as one running text. None of
them looks at meaning or grammar: an output that is short and wrong reads well. Read the counts, which every
score carries, before the grade.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import inf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from plainly.corpus import Corpus
from plainly.metrics._familiar_words import is_familiar
from plainly.metrics._text_counts import (
    BASIC_COUNTS,
    TEXTBOOK_COUNTS,
    count_words_that,
    easse_counts,
    textbook_counts,
)
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.text.languages import get_language

Totals = Mapping[str, Array]  # added-up counts by name
NEEDS_OUTPUTS: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Readability(Metric):
    """A formula over textbook counts: words without punctuation, sentences of the text as it stands."""

    languages = frozenset({"en"})
    counts: ClassVar[tuple[str, ...]] = BASIC_COUNTS

    @abstractmethod
    def formula(self, total: Totals) -> Array:
        """The score of added-up counts; whatever it gives where there are no words is not used."""

    def settings(self) -> dict[str, str]:
        source = get_language(self.lang).syllable_source
        return {**super().settings(), "syllables": source, "sentences": "builtin"}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *self.counts)

    def measure(self, corpus: Corpus, system: str) -> Array:
        chosen = [TEXTBOOK_COUNTS.index(name) for name in self.counts]
        counts = textbook_counts(corpus, system, self.lang)[:, chosen]
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def score(self, totals: Array) -> Score:
        total = {name: totals[..., i] for i, name in enumerate(self.columns)}
        empty = totals[..., 0] == 0
        nothing = (total["words"] == 0) | (total["sentences"] == 0)
        components = {name: np.where(empty, np.nan, total[name]) for name in self.columns[1:]}
        components["words_per_sentence"] = _sentence_length(total)
        components["syllables_per_word"] = _syllables_per_word(total)
        return Score(np.where(nothing, np.nan, self.formula(total)), components)


@dataclass(frozen=True, kw_only=True)
class Fkgl(Readability):
    """FKGL = 0.39 words / sentences + 11.8 syllables / words - 15.59 (Kincaid et al. 1975)."""

    name = "fkgl"
    facts = Facts(
        title="FKGL",
        about="Flesch-Kincaid grade level: US school years from sentence length and syllables per word",
        direction="lower",
        range=(-3.79, inf),
        needs=NEEDS_OUTPUTS,
        paper="Kincaid et al. 1975, Derivation of New Readability Formulas for Navy Enlisted Personnel, "
        "Research Branch Report 8-75",
        caution="FKGL can be lowered by trivial edits; read its counts instead (docs: fkgl)",
    )
    variants: ClassVar = {
        "builtin": "EASSE's words and syllables, plainly's sentence splitter; at least 0",
        "easse": "the same with NLTK's Punkt splitter: EASSE's numbers, which give 0 to a text without words",
        "textbook": "no punctuation, at least one syllable a word, sentences of the raw text, no floor",
    }

    tokenizer: str = "13a"
    variant: str = "builtin"

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
        grade = 0.39 * _sentence_length(total) + 11.8 * _syllables_per_word(total) - 15.59
        return grade if self.variant == "textbook" else np.maximum(grade, 0.0)

    @property
    def _punkt(self) -> bool:
        return self.variant == "easse"


@dataclass(frozen=True, kw_only=True)
class FleschReadingEase(Readability):
    """FRE = 206.835 - 1.015 words / sentences - 84.6 syllables / words (Flesch 1948)."""

    name = "fre"
    facts = Facts(
        title="Flesch reading ease",
        about="0 (hard) to 100 (easy) from sentence length and syllables per word",
        direction="higher",
        range=(-inf, 122.235),
        needs=NEEDS_OUTPUTS,
        paper="Flesch 1948, A New Readability Yardstick, Journal of Applied Psychology",
    )

    def formula(self, total: Totals) -> Array:
        return 206.835 - 1.015 * _sentence_length(total) - 84.6 * _syllables_per_word(total)


@dataclass(frozen=True, kw_only=True)
class Smog(Readability):
    """SMOG = 1.043 sqrt(30 polysyllables / sentences) + 3.1291 (McLaughlin 1969).

    A polysyllable has three syllables or more. McLaughlin counted them in 30 sentences.
    """

    name = "smog"
    facts = Facts(
        title="SMOG",
        about="US school years from the number of words with three syllables or more",
        direction="lower",
        range=(3.1291, inf),
        needs=NEEDS_OUTPUTS,
        paper="McLaughlin 1969, SMOG Grading: A New Readability Formula, Journal of Reading",
        caution="SMOG is made for texts of 30 sentences or more",
    )
    counts = (*BASIC_COUNTS, "polysyllables")

    def formula(self, total: Totals) -> Array:
        return 1.043 * np.sqrt(30 * ratio(total["polysyllables"], total["sentences"])) + 3.1291


@dataclass(frozen=True, kw_only=True)
class AutomatedReadabilityIndex(Readability):
    """ARI = 4.71 characters / words + 0.5 words / sentences - 21.43 (Senter and Smith 1967).

    Characters are letters and digits.
    """

    name = "ari"
    facts = Facts(
        title="Automated readability index",
        about="US school years from sentence length and characters per word",
        direction="lower",
        range=(-16.72, inf),
        needs=NEEDS_OUTPUTS,
        paper="Senter and Smith 1967, Automated Readability Index, AMRL-TR-66-220",
    )
    counts = (*BASIC_COUNTS, "characters")

    def formula(self, total: Totals) -> Array:
        return 4.71 * ratio(total["characters"], total["words"]) + 0.5 * _sentence_length(total) - 21.43


@dataclass(frozen=True, kw_only=True)
class ColemanLiau(Readability):
    """CLI = 0.0588 L - 0.296 S - 15.8, L letters and S sentences per 100 words (Coleman and Liau 1975)."""

    name = "coleman-liau"
    facts = Facts(
        title="Coleman-Liau index",
        about="US school years from letters and sentences per 100 words",
        direction="lower",
        range=(-inf, inf),
        needs=NEEDS_OUTPUTS,
        paper="Coleman and Liau 1975, A Computer Readability Formula Designed for Machine Scoring, "
        "Journal of Applied Psychology",
    )
    counts = (*BASIC_COUNTS, "letters")

    def formula(self, total: Totals) -> Array:
        letters = 100 * ratio(total["letters"], total["words"])
        sentences = 100 * ratio(total["sentences"], total["words"])
        return 0.0588 * letters - 0.296 * sentences - 15.8


@dataclass(frozen=True, kw_only=True)
class GunningFog(Readability):
    """Fog = 0.4 (words / sentences + 100 polysyllables / words) (Gunning 1952).

    Gunning did not count names, compounds of easy words, and verbs that -ed or -es makes long; a program that
    knows no grammar counts them, and so does this one.
    """

    name = "gunning-fog"
    facts = Facts(
        title="Gunning fog index",
        about="US school years from sentence length and the share of words with three syllables or more",
        direction="lower",
        range=(0.0, inf),
        needs=NEEDS_OUTPUTS,
        paper="Gunning 1952, The Technique of Clear Writing",
    )
    counts = (*BASIC_COUNTS, "polysyllables")

    def formula(self, total: Totals) -> Array:
        return 0.4 * (_sentence_length(total) + 100 * ratio(total["polysyllables"], total["words"]))


@dataclass(frozen=True, kw_only=True)
class DaleChall(Readability):
    """DC = 0.1579 p + 0.0496 words / sentences, p the percentage of unfamiliar words; + 3.6365 where p > 5.

    The formula of Dale and Chall 1948 as adjusted in Chall and Dale 1995.
    """

    name = "dale-chall"
    facts = Facts(
        title="Dale-Chall",
        about="reading level (below 5: grade 4, from 9: college) from unfamiliar words and sentence length",
        direction="lower",
        range=(0.0, inf),
        needs=NEEDS_OUTPUTS,
        paper="Chall and Dale 1995, Readability Revisited: The New Dale-Chall Readability Formula",
    )
    variants: ClassVar = {
        "wordfreq": "familiar are the 3,000 most frequent English words of wordfreq",
        "textstat": "familiar are the words of the list that the package textstat carries",
    }
    counts = (*BASIC_COUNTS, "unfamiliar_words")

    variant: str = "wordfreq"

    def versions(self) -> dict[str, str]:
        return _version_of(self.variant)

    def measure(self, corpus: Corpus, system: str) -> Array:
        def is_unfamiliar(word: str) -> bool:
            return not is_familiar(word, self.lang, self.variant)

        key = f"unfamiliar {self.lang} {self.variant}"
        unfamiliar = count_words_that(corpus, system, key, is_unfamiliar)
        counts = np.column_stack([textbook_counts(corpus, system, self.lang)[:, :3], unfamiliar])
        return with_scored(scored(corpus, system, self.facts.needs), counts)

    def formula(self, total: Totals) -> Array:
        percentage = 100 * ratio(total["unfamiliar_words"], total["words"])
        score = 0.1579 * percentage + 0.0496 * _sentence_length(total)
        return np.where(percentage > 5, score + 3.6365, score)


@dataclass(frozen=True, kw_only=True)
class SentenceLength(Readability):
    """Words per sentence."""

    name = "sentence-length"
    facts = Facts(
        title="Sentence length",
        about="words per sentence",
        direction="lower",
        range=(0.0, inf),
        needs=NEEDS_OUTPUTS,
        paper="a part of most readability formulas; see Flesch 1948",
    )

    def formula(self, total: Totals) -> Array:
        return _sentence_length(total)


@dataclass(frozen=True, kw_only=True)
class SyllablesPerWord(Readability):
    """Syllables per word."""

    name = "syllables-per-word"
    facts = Facts(
        title="Syllables per word",
        about="syllables per word, at least one a word",
        direction="lower",
        range=(1.0, inf),
        needs=NEEDS_OUTPUTS,
        paper="a part of most readability formulas; see Flesch 1948",
        decimals=3,
    )

    def formula(self, total: Totals) -> Array:
        return _syllables_per_word(total)


@dataclass(frozen=True, kw_only=True)
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
    languages = frozenset({"en"})

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "sentences": "builtin"}

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


def _sentence_length(total: Totals) -> Array:
    return ratio(total["words"], total["sentences"])


def _syllables_per_word(total: Totals) -> Array:
    return ratio(total["syllables"], total["words"])


def _version_of(package: str) -> dict[str, str]:
    try:
        return {package: version(package)}
    except PackageNotFoundError:
        return {package: "not installed"}
