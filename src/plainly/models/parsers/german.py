"""German: parts of speech and lemmas by HanTa, the Hanover Tagger (Wartena 2019). It builds no trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain
from threading import Lock
from typing import Any

from plainly.models.parsers.parsed import EVERYTHING, LEMMAS, TAGS, Parsed, Parser, Sentence, Token
from plainly.models.parsers.tidy import LONGEST_SENTENCE, is_symbol, tidied
from plainly.text.languages import get_language

# HanTa's time grows with the square of the length of a word. What is longer is judged by its end, where German
# words have their part of speech, and is its own lemma.
_LONGEST_WORD = 40


class GermanParser(Parser):
    name = "hanta"
    provides = frozenset({TAGS, LEMMAS})

    def __init__(self) -> None:
        self.version = version("HanTa")
        self._lock = Lock()

    @staticmethod
    def installed() -> bool:
        """Whether HanTa is here, and spaCy, whose tokeniser cuts the words."""
        return find_spec("HanTa") is not None and find_spec("spacy") is not None

    def parse(self, texts: Sequence[str], needs: frozenset[str] = EVERYTHING) -> list[Parsed]:
        split = get_language("de").split_sentences
        with self._lock:
            return [Parsed(tuple(chain.from_iterable(map(self._tagged, split(text))))) for text in texts]

    def _tagged(self, sentence: str) -> Iterator[Sentence]:
        words = [token.text for token in self._tokenizer(tidied(sentence))]
        for start in range(0, len(words), LONGEST_SENTENCE):
            piece = words[start : start + LONGEST_SENTENCE]
            tags = self._tagger.tag_sent([word[-_LONGEST_WORD:] for word in piece], taglevel=0)
            yield tuple(
                Token(word, self._lemma(word, tag), _universal(tag, word), tag)
                for word, tag in zip(piece, tags, strict=True)
            )

    @cached_property
    def _tokenizer(self) -> Any:
        import spacy

        return spacy.blank("de").tokenizer

    @cached_property
    def _tagger(self) -> Any:
        from HanTa.HanoverTagger import HanoverTagger

        return HanoverTagger("morphmodel_ger.pgz")

    @cached_property
    def _lemma(self) -> Any:
        @lru_cache(maxsize=1 << 16)
        def find(word: str, tag: str) -> str:
            if len(word) > _LONGEST_WORD or tag in ("NE", "FM", "XY", "CARD", "UNKNOWN"):
                return word
            return str(self._tagger.analyze(word, pos=tag)[0])

        return find


def _universal(tag: str, word: str) -> str:
    """The universal part of speech of HanTa's tag, which is one of the Stuttgart-Tübingen tag set."""
    if is_symbol(word):
        return "SYM"
    if not any(map(str.isalnum, word)):
        return "PUNCT"  # HanTa does not know all marks
    return _UNIVERSAL.get(tag.partition("(")[0], "X")


_UNIVERSAL = {
    tag: pos
    for pos, tags in {
        "ADJ": "ADJ",
        "ADP": "APPR APPRART APPO APZR PTKVZ",
        "ADV": "ADV PROAV PWAV PTKA",
        "AUX": "VA VM",
        "CCONJ": "KON KOKOM",
        "DET": "ART PDAT PIAT PPOSAT PWAT",
        "INTJ": "ITJ PTKANT",
        "NOUN": "NN NNA NNI TRUNC",
        "NUM": "CARD",
        "PART": "PTKNEG PTKZU",
        "PRON": "PDS PIS PPER PPOSS PRELS PRELAT PRF PWS",
        "PROPN": "NE",
        "SCONJ": "KOUS KOUI",
        "VERB": "VV",
    }.items()
    for tag in tags.split()
}
