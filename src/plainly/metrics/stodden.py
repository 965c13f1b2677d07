"""Features behind Table 1 of Stodden 2024 (EASSE-DE), as TS-eval-multi counts them.

They serve to compute the paper anew: they are found by name alone, and `all` leaves them out. Each is a mean over
segments. A word is a token there, so marks are words, and so is white space beyond one blank.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from plainly.corpus import Corpus
from plainly.metrics._text_counts import Counts, TokenTable, count_sentences
from plainly.metrics.base import NO_SETTINGS, Array, Facts, ratio
from plainly.metrics.linguistic.texts import parsed_sentences
from plainly.metrics.means import MeanOfSegments
from plainly.metrics.readability.textstat import ENGLISH
from plainly.metrics.settings import PARSER, SENTENCES, SYLLABLES, parser_setting, tokenizer_setting, variant_setting
from plainly.models.parsers import DEPENDENCIES, missing_parser, parser_for
from plainly.text.hyphenation import PYPHEN, pyphen_counter, pyphen_version
from plainly.text.languages import LANGUAGES, get_language

PAPER = "Stodden 2024, EASSE-DE and EASSE-multi, TSAR"
CAUTION = "only for replication: the conventions of stodden-2024"


def _facts(title: str, about: str, top: float, *needs: str, decimals: int = 2) -> Facts:
    title = f"{title} (EASSE-DE)"
    return Facts(title, about, "none", (0.0, top), frozenset(needs), PAPER, caution=CAUTION, decimals=decimals)


@dataclass(frozen=True, kw_only=True)
class OfSentences(MeanOfSegments):
    """What rests on how many sentences a text has. The paper asks a parser."""

    variants: ClassVar = {
        "builtin": "plainly's sentence splitter",
        "parser": "the sentences of a parser, as in EASSE-DE; needs a spaCy pipeline of the language",
    }
    languages = frozenset(code for code, one in LANGUAGES.items() if one.sentence_source)
    also_signed: ClassVar = {"sentences": SENTENCES, "parser": PARSER}

    variant: str = variant_setting(variants)
    parser: str = parser_setting()

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        if settings.get("variant") == "parser":
            return missing_parser(lang, {DEPENDENCIES}, settings.get("parser", ""))
        return super().missing(lang, settings)

    def settings(self) -> dict[str, str]:
        if self.variant != "parser":
            return {**super().settings(), "sentences": get_language(self.lang).sentence_source}
        parser = parser_for(self.lang, self.parser)
        return {**super().settings(), "parser": parser.identity if parser else "none"}

    def sentences(self, corpus: Corpus, system: str | None) -> Counts:
        """Those of each output, or of each source where `system` is None."""
        if self.variant == "parser":
            return parsed_sentences(corpus, system, self.lang, self.parser)
        texts = corpus.sources if system is None else corpus.output(system)
        return count_sentences(self.lang, [text or "" for text in texts])


@dataclass(frozen=True, kw_only=True)
class ReportedSentenceLength(OfSentences):
    """Tokens of an output / its sentences."""

    name = "sentence-length-easse-de"
    facts = _facts("Sentence length", "tokens per sentence, marks among them", inf)

    tokenizer: str = tokenizer_setting("spacy")

    def values(self, corpus: Corpus, system: str) -> Array:
        tokens = corpus.encoded(self.tokenizer, False).output(system).lengths + _white_space(corpus, system)
        return ratio(tokens.astype(float), self.sentences(corpus, system).astype(float))


@dataclass(frozen=True, kw_only=True)
class ReportedWordLength(MeanOfSegments):
    """Pieces of an output between the breaks of a hyphenation dictionary, and its own hyphens / its tokens."""

    name = "word-length-easse-de"
    facts = _facts("Word length", "syllables per token: a mark is one, and a hyphen in the text begins another", inf)
    languages = frozenset(
        code for code, one in LANGUAGES.items() if code == "en" or one.syllable_source.startswith(PYPHEN)
    )
    also_signed: ClassVar = {"syllables": SYLLABLES}

    tokenizer: str = tokenizer_setting("spacy")

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "syllables": self._dictionary}

    def versions(self) -> dict[str, str]:
        return {"pyphen": pyphen_version()}

    def values(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded(self.tokenizer, False)
        count = pyphen_counter(self._dictionary.removeprefix(PYPHEN))
        table = TokenTable(encoded, lambda token: count(token) + token.count("-"), 1)
        output, blank = encoded.output(system), _white_space(corpus, system)
        return ratio((table.sums(output)[:, 0] + blank).astype(float), (output.lengths + blank).astype(float))

    @property
    def _dictionary(self) -> str:
        return ENGLISH if self.lang == "en" else get_language(self.lang).syllable_source


def _white_space(corpus: Corpus, system: str) -> Counts:
    """Tokens of spaCy in which nothing is written: each run of white space that is more than a blank."""
    found = [len(_BLANK_TOKEN.findall((text or "").strip())) for text in corpus.output(system)]
    return np.array(found, dtype=np.int64)


_BLANK_TOKEN = re.compile(r"\s{2,}|[^\S ]")


@dataclass(frozen=True, kw_only=True)
class NToM(OfSentences):
    """100 where source or output has another number of sentences than one, else 0."""

    name = "n-to-m-easse-de"
    facts = _facts("n:m", "per cent of the pairs that are not one sentence each", 100.0, "source", decimals=1)

    def values(self, corpus: Corpus, system: str) -> Array:
        several: list[Counts] = [self.sentences(corpus, side) != 1 for side in (None, system)]
        return np.where(np.logical_or(*several), 100.0, 0.0)
