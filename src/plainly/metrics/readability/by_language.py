"""Formulas whose constants were fitted anew to other languages: Flesch's reading ease and SMOG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import ClassVar, NamedTuple

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.metrics._text_counts import BASIC_COUNTS
from plainly.metrics.base import Array, Facts, ratio
from plainly.metrics.readability.formula import (
    NEEDS_OUTPUTS,
    SYLLABLES,
    Readability,
    Totals,
    sentence_length,
    syllables_per_word,
)
from plainly.metrics.readability.textstat import EXACT, AsTextstat, half_up


class ReadingEase(NamedTuple):
    """base - per_sentence x words / sentences - per_word x syllables / words."""

    name: str
    base: float
    per_sentence: float
    per_word: float
    source: str


READING_EASE: Mapping[str, ReadingEase] = {
    "cs": ReadingEase("bendova-cinkova", 206.935, 1.672, 62.18, "Bendová and Cinková 2021"),
    "de": ReadingEase("amstad", 180.0, 1.0, 58.5, "Amstad 1978"),
    "en": ReadingEase("flesch", 206.835, 1.015, 84.6, "Flesch 1948"),
    # As printed, the second term counts sentences; words per sentence is what makes sense (Law 2011).
    "es": ReadingEase("fernandez-huerta", 206.84, 1.02, 60.0, "Fernández Huerta 1959, corrected by Law 2011"),
    # koRpus has 209, 1.15 and 68 under the same name; textstat, textacy and Cordial have these.
    "fr": ReadingEase("kandel-moles", 207.0, 1.015, 73.6, "Kandel and Moles 1958"),
    "hu": ReadingEase("textstat", 206.835, 1.015, 58.5, "textstat; no publication found"),
    "it": ReadingEase("franchina-vacca", 217.0, 1.3, 60.0, "Franchina and Vacca 1986"),
    "nl": ReadingEase("douma", 206.835, 0.93, 77.0, "Douma 1960"),
    "pt": ReadingEase("martins", 248.835, 1.015, 84.6, "Martins et al. 1996, for Brazilian Portuguese"),
    # Cited with 206.836, 1.52 and 65.14, too; these are the constants of textstat and textacy.
    "ru": ReadingEase("oborneva", 206.835, 1.3, 60.1, "Oborneva 2006"),
    "tr": ReadingEase("atesman", 198.825, 2.61, 40.175, "Ateşman 1997"),
}

# textstat has no constants for these, and takes the English ones without a word.
_NOT_IN_TEXTSTAT = ("cs", "pt", "tr")
# textstat up to 0.7.5 rounds syllables per 100 words in these, and per word elsewhere.
_PER_HUNDRED = ("es", "it")


@dataclass(frozen=True, kw_only=True)
class FleschReadingEase(AsTextstat):
    """FRE = base - a words / sentences - b syllables / words, the constants by language (`READING_EASE`)."""

    name = "fre"
    facts = Facts(
        title="Flesch reading ease",
        about="0 (hard) to 100 (easy) from sentence length and syllables per word, the constants by language",
        direction="higher",
        range=(-inf, max(ease.base - ease.per_sentence - ease.per_word for ease in READING_EASE.values())),
        needs=NEEDS_OUTPUTS,
        paper="Flesch 1948, A New Readability Yardstick, Journal of Applied Psychology; "
        "other languages: docs, readability",
    )
    languages = SYLLABLES & READING_EASE.keys()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant != EXACT and self.lang in _NOT_IN_TEXTSTAT:
            raise PlainlyError(
                f"{self.label} is not defined for language {self.lang!r}: textstat has no such formula"
            )

    @property
    def conventions(self) -> dict[str, str]:
        return {"formula": READING_EASE[self.lang].name}

    def formula(self, total: Totals) -> Array:
        ease = READING_EASE[self.lang]
        sentence, word = sentence_length(total), syllables_per_word(total)
        if self.rounds:
            sentence = half_up(sentence, 1)
            word = half_up(100 * word, 1) / 100 if self.lang in _PER_HUNDRED else half_up(word, 1)
        return self.rounded(ease.base - ease.per_sentence * sentence - ease.per_word * word)


class Grade(NamedTuple):
    """factor x sqrt(30 polysyllables / sentences) + constant."""

    name: str
    factor: float
    constant: float


SMOG: Mapping[str, Grade] = {
    "en": Grade("mclaughlin", 1.043, 3.1291),
    "de": Grade("bamberger-vanecek", 1.0, -2.0),
}


@dataclass(frozen=True, kw_only=True)
class Smog(Readability):
    """SMOG = 1.043 sqrt(30 polysyllables / sentences) + 3.1291 (McLaughlin 1969); for German, constants of its own.

    A polysyllable has three syllables or more. McLaughlin counted them in 30 sentences.
    """

    name = "smog"
    facts = Facts(
        title="SMOG",
        about="school years from the number of words with three syllables or more",
        direction="lower",
        range=(min(formula.constant for formula in SMOG.values()), inf),
        needs=NEEDS_OUTPUTS,
        paper="McLaughlin 1969, SMOG Grading: A New Readability Formula, Journal of Reading; "
        "German: Bamberger and Vanecek 1984, Lesen - Verstehen - Lernen - Schreiben",
        caution="SMOG is made for texts of 30 sentences or more",
    )
    languages = frozenset(SMOG)
    counts: ClassVar = (*BASIC_COUNTS, "polysyllables")

    @property
    def conventions(self) -> dict[str, str]:
        return {"formula": SMOG[self.lang].name}

    def formula(self, total: Totals) -> Array:
        formula = SMOG[self.lang]
        root = np.sqrt(30 * ratio(total["polysyllables"], total["sentences"]))
        return np.asarray(formula.factor * root + formula.constant)
