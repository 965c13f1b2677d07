"""Formulas whose constants were fitted anew to other languages: Flesch's reading ease and SMOG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.metrics._text_counts import BASIC_COUNTS
from plainly.metrics.base import NO_SETTINGS, Array, ratio
from plainly.metrics.readability.formula import (
    SYLLABLES,
    Readability,
    Totals,
    facts_of,
    sentence_length,
    syllables_per_word,
)
from plainly.metrics.readability.textstat import AMERICAN, EXACT, ROUNDED, AsTextstat, half_up
from plainly.metrics.settings import variant_setting
from plainly.text.languages import LANGUAGES, Scale

READING_EASE = {code: entry.reading_ease for code, entry in LANGUAGES.items() if entry.reading_ease}
SMOG = {code: entry.smog for code, entry in LANGUAGES.items() if entry.smog}


@dataclass(frozen=True, kw_only=True)
class FleschReadingEase(AsTextstat):
    """FRE = base - a words / sentences - b syllables / words, the constants by language (`READING_EASE`)."""

    name = "fre"
    facts = facts_of(
        "Flesch reading ease",
        "0 (hard) to 100 (easy) from sentence length and syllables per word, the constants by language",
        "Flesch 1948, A New Readability Yardstick, Journal of Applied Psychology; other languages: docs, readability",
        direction="higher",
        range=(-inf, max(ease.base - ease.per_sentence - ease.per_word for ease in READING_EASE.values())),
    )
    languages = SYLLABLES & READING_EASE.keys()
    variants: ClassVar = {
        **AsTextstat.variants,
        AMERICAN: "the same with the hyphenation of American English, which it took where no language was set",
    }

    variant: str = variant_setting(variants)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == AMERICAN and self.lang != "en":
            raise PlainlyError(f"{self.label} is American English; take fre:{ROUNDED} for language {self.lang!r}")
        if self.variant != EXACT and not READING_EASE[self.lang].in_textstat:
            raise PlainlyError(
                f"{self.label} is not defined for language {self.lang!r}: textstat has no such formula"
            )

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        textstat = settings.get("variant") not in (None, "", EXACT)
        if textstat and lang in cls.languages and not READING_EASE[lang].in_textstat:
            return f"textstat has no such formula for language {lang!r}"
        return super().missing(lang, settings)

    @property
    def conventions(self) -> dict[str, str]:
        return {"formula": READING_EASE[self.lang].name}

    @property
    def scale(self) -> Scale | None:
        return READING_EASE[self.lang].scale

    def formula(self, total: Totals) -> Array:
        ease = READING_EASE[self.lang]
        sentence, word = sentence_length(total), syllables_per_word(total)
        if self.rounds:
            sentence = half_up(sentence, 1)
            word = half_up(100 * word, 1) / 100 if ease.per_hundred else half_up(word, 1)
        return self.rounded(ease.base - ease.per_sentence * sentence - ease.per_word * word)


class Smog(Readability):
    """SMOG = 1.043 sqrt(30 polysyllables / sentences) + 3.1291 (McLaughlin 1969); for German, constants of its own.

    A polysyllable has three syllables or more. McLaughlin counted them in 30 sentences.
    """

    name = "smog"
    facts = facts_of(
        "SMOG",
        "school years from the number of words with three syllables or more",
        "McLaughlin 1969, SMOG Grading: A New Readability Formula, Journal of Reading; "
        "German: Bamberger and Vanecek 1984, Lesen - Verstehen - Lernen - Schreiben",
        range=(min(formula.constant for formula in SMOG.values()), inf),
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
