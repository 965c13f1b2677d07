"""Tokenisers: how a line becomes tokens. Every tokeniser ends in a native split and encoding.

A tokeniser is either a rule of the compiled kernel (13a, white space) or a function that writes blanks between
tokens, whose result the kernel splits at white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly._kernels import Vocabulary
from plainly.errors import UnknownName


@dataclass(frozen=True)
class Tokenizer:
    """One way to cut text into tokens."""

    name: str
    about: str
    rule: str = "whitespace"
    separate: Callable[[str, str], str] | None = None  # of text and language

    def encode(
        self, vocabulary: Vocabulary, texts: Sequence[str], lowercase: bool, lang: str
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The token numbers of the texts and where each text begins; lower-casing comes before tokenising."""
        if self.separate is None:
            return vocabulary.encode(texts, self.rule, lowercase)
        lowered = [text.lower() for text in texts] if lowercase else texts
        return vocabulary.encode([self.separate(text, lang) for text in lowered], self.rule)

    def tokens(self, text: str, lowercase: bool = False, lang: str = "en") -> list[str]:
        """The tokens of one text."""
        vocabulary = Vocabulary()
        ids, _ = self.encode(vocabulary, [text], lowercase, lang)
        tokens = vocabulary.tokens()
        return [tokens[i] for i in ids]


def get_tokenizer(name: str) -> Tokenizer:
    """The tokeniser of that name."""
    if name not in TOKENIZERS:
        raise UnknownName("tokenizer", name, TOKENIZERS)
    return TOKENIZERS[name]


def _characters(text: str, _: str) -> str:
    return " ".join(text)


def _international(text: str, _: str) -> str:
    separated: str = _sacrebleu_international()(text)
    return separated


def _moses(text: str, lang: str) -> str:
    separated: str = _sacremoses(lang).tokenize(text, escape=False, return_str=True)
    return separated


def _penn(text: str, lang: str) -> str:
    separated: str = _sacremoses(lang).penn_tokenize(text, return_str=True)
    return separated


@cache
def _sacrebleu_international() -> Any:
    from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

    return TokenizerV14International()


@cache
def _sacremoses(lang: str) -> Any:
    from sacremoses import MosesTokenizer

    tokenizer = MosesTokenizer(lang=lang)
    # sacremoses 0.1 and later hold these patterns as plain strings, and penn_tokenize fails on them.
    for name in ("MOSES_PENN_REGEXES_1", "MOSES_PENN_REGEXES_2"):
        pairs = getattr(tokenizer, name)
        setattr(tokenizer, name, [(re.compile(pattern), substitute) for pattern, substitute in pairs])
    return tokenizer


TOKENIZERS = {
    tokenizer.name: tokenizer
    for tokenizer in [
        Tokenizer("13a", "mteval-v13a, the default of sacrebleu and EASSE", rule="13a"),
        Tokenizer("intl", "mteval-v14 international: splits at all Unicode punctuation", separate=_international),
        Tokenizer("none", "white space only: for text that is already tokenised"),
        Tokenizer("char", "every character is a token", separate=_characters),
        Tokenizer("moses", "Moses, through sacremoses", separate=_moses),
        Tokenizer("penn", "Penn Treebank, through sacremoses", separate=_penn),
    ]
}
