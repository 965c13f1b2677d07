"""Formulas that were made for one language: German, Spanish, Italian, Polish."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from plainly.metrics._text_counts import BASIC_COUNTS
from plainly.metrics.base import Array, Facts, ratio
from plainly.metrics.readability.formula import (
    Readability,
    Totals,
    facts_of,
    percentage,
    sentence_length,
    syllables_per_word,
)
from plainly.metrics.readability.textstat import EXACT, AsTextstat
from plainly.metrics.settings import lang_setting


@dataclass(frozen=True, kw_only=True)
class WienerSachtextformel(AsTextstat):
    """a MS + b SL + c IW - d ES + e: school years of German non-fiction (Bamberger and Vanecek 1984).

    MS, IW and ES are the percentages of words with three syllables or more, with more than six letters and with one
    syllable, SL is words per sentence.
    """

    languages = frozenset({"de"})
    counts: ClassVar = (*BASIC_COUNTS, "polysyllables", "monosyllables", "long_words")
    weights: ClassVar[tuple[float, float, float, float, float]]

    lang: str = lang_setting("de")

    def formula(self, total: Totals) -> Array:
        polysyllables, sentence, long, monosyllables, constant = self.weights
        grade = (
            polysyllables * percentage(total, "polysyllables")
            + sentence * sentence_length(total)
            + long * percentage(total, "long_words")
            - monosyllables * percentage(total, "monosyllables")
            + constant
        )
        return np.asarray(np.round(grade, 1)) if self.rounds else grade


def _wstf(number: int, from_what: str, lowest: float) -> Facts:
    return facts_of(
        f"Wiener Sachtextformel {number}",
        f"school years (4 to 15) of German non-fiction from {from_what}",
        "Bamberger and Vanecek 1984, Lesen - Verstehen - Lernen - Schreiben",
        range=(lowest, inf),
    )


class WienerSachtextformel1(WienerSachtextformel):
    name = "wstf1"
    facts = _wstf(1, "words of three syllables, sentence length, long words and words of one syllable", -4.145)
    weights = (0.1935, 0.1672, 0.1297, 0.0327, -0.875)


class WienerSachtextformel2(WienerSachtextformel):
    name = "wstf2"
    facts = _wstf(2, "words of three syllables, sentence length and long words", -2.779)
    weights = (0.2007, 0.1682, 0.1373, 0.0, -2.779)


class WienerSachtextformel3(WienerSachtextformel):
    name = "wstf3"
    facts = _wstf(3, "words of three syllables and sentence length", -1.1144)
    weights = (0.2963, 0.1905, 0.0, 0.0, -1.1144)


class WienerSachtextformel4(WienerSachtextformel):
    name = "wstf4"
    facts = _wstf(4, "sentence length and words of three syllables", -1.693)
    weights = (0.2744, 0.2656, 0.0, 0.0, -1.693)


@dataclass(frozen=True, kw_only=True)
class SpanishReadability(AsTextstat):
    """A formula that was made for Spanish."""

    languages = frozenset({"es"})

    lang: str = lang_setting("es")


class SzigrisztPazos(SpanishReadability):
    """206.835 - 62.3 syllables / words - words / sentences (Szigriszt Pazos 1993). textstat has 206.84."""

    name = "szigriszt-pazos"
    facts = facts_of(
        "Szigriszt-Pazos perspicuity",
        "0 (hard) to 100 (easy) from sentence length and syllables per word, for Spanish",
        "Szigriszt Pazos 1993, Sistemas predictivos de legibilidad del mensaje escrito, Madrid",
        direction="higher",
        range=(-inf, 206.84 - 62.3),
    )

    def formula(self, total: Totals) -> Array:
        base = 206.835 if self.variant == EXACT else 206.84
        return self.rounded(base - 62.3 * syllables_per_word(total) - sentence_length(total))


class GutierrezDePolini(SpanishReadability):
    """95.2 - 9.7 letters / words - 0.35 words / sentences (Gutiérrez de Polini 1972)."""

    name = "gutierrez-polini"
    facts = facts_of(
        "Gutiérrez de Polini",
        "0 (hard) to 100 (easy) from letters per word and sentence length, for Spanish",
        "Gutiérrez de Polini 1972, Investigación sobre lectura en Venezuela",
        direction="higher",
        range=(-inf, 95.2),
    )
    counts = ("words", "sentences", "letters")

    def formula(self, total: Totals) -> Array:
        letters = ratio(total["letters"], total["words"])
        return self.rounded(95.2 - 9.7 * letters - 0.35 * sentence_length(total))


class Crawford(SpanishReadability):
    """-0.205 sentences + 0.049 syllables - 3.407, both per 100 words (Crawford 1985)."""

    name = "crawford"
    facts = facts_of(
        "Crawford",
        "school years of Spanish texts for children, from sentences and syllables per 100 words",
        "Crawford 1985, Fórmula y gráfico para determinar la comprensibilidad de textos del nivel primario "
        "en castellano, Lectura y Vida",
        range=(-inf, inf),
        caution="Crawford's formula is made for the six grades of primary school",
    )
    textstat_decimals = 1

    def formula(self, total: Totals) -> Array:
        sentences = 100 * ratio(total["sentences"], total["words"])
        syllables = 100 * syllables_per_word(total)
        return self.rounded(-0.205 * sentences + 0.049 * syllables - 3.407)


@dataclass(frozen=True, kw_only=True)
class Gulpease(Readability):
    """89 + (300 sentences - 10 letters) / words (Lucisano and Piemontese 1988)."""

    name = "gulpease"
    facts = facts_of(
        "Gulpease",
        "0 (hard) to 100 (easy) from sentences and letters per word, for Italian",
        "Lucisano and Piemontese 1988, Gulpease: una formula per la predizione della difficoltà dei testi in "
        "lingua italiana, Scuola e Città",
        direction="higher",
        range=(-inf, inf),
    )
    languages = frozenset({"it"})
    counts: ClassVar = ("words", "sentences", "letters")

    lang: str = lang_setting("it")

    def formula(self, total: Totals) -> Array:
        return 89 + ratio(300 * total["sentences"] - 10 * total["letters"], total["words"])


@dataclass(frozen=True, kw_only=True)
class Pisarek(Readability):
    """sqrt(SL² + P²) / 2, P the percentage of words with four syllables or more (Pisarek 1969)."""

    name = "pisarek"
    facts = facts_of(
        "Pisarek",
        "school years from sentence length and the share of words with four syllables or more, for Polish",
        "Pisarek 1969, Jak mierzyć zrozumiałość tekstu?, Zeszyty Prasoznawcze",
    )
    languages = frozenset({"pl"})
    counts: ClassVar = (*BASIC_COUNTS, "words_of_four_syllables")

    lang: str = lang_setting("pl")

    def formula(self, total: Totals) -> Array:
        return np.asarray(np.hypot(sentence_length(total), percentage(total, "words_of_four_syllables")) / 2)
