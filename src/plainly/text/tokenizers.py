"""Tokenisers: how a line becomes tokens. Every tokeniser ends in a native split and encoding.

A tokeniser is either a rule of the compiled kernel (13a, white space) or a function that writes blanks between
tokens, whose result the kernel splits at white space. Another package registers one by an entry point in the group
`plainly.tokenizers`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly._kernels import Vocabulary
from plainly.base.errors import PlainlyError
from plainly.base.packages import package_folder
from plainly.base.registry import Registry
from plainly.text import spacy_tokenizer, stanza_tokenizer
from plainly.text.languages import get_language


@dataclass(frozen=True)
class Tokenizer:
    """One way to cut text into tokens."""

    name: str
    about: str
    rule: str = "whitespace"
    separate: Callable[[str, str], str] | None = None  # of text and language
    package: str = ""  # whose version moves tokens
    there: Callable[[str], bool] | None = None  # whether all it needs for a language is installed; imports nothing

    def versions(self) -> dict[str, str]:
        """The version of that package, for long signatures."""
        if not self.package:
            return {}
        try:
            return {self.package: version(self.package)}
        except PackageNotFoundError:
            return {self.package: "not installed"}

    def encode(
        self, vocabulary: Vocabulary, texts: Sequence[str], lowercase: bool, lang: str
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The token numbers of the texts and where each text begins; lower-casing comes before tokenising."""
        language = get_language(lang)
        if self.separate is None and not language.dotless_i:  # the kernel lower-cases as Python does
            return vocabulary.encode(texts, self.rule, lowercase)
        lowered = [language.lower(text) for text in texts] if lowercase else texts
        separated = lowered if self.separate is None else [self.separate(text, lang) for text in lowered]
        return vocabulary.encode(separated, self.rule)

    def look(self, lang: str) -> None:
        """Raises what `tokens` would raise where it cannot run for the language; loads it only if it must."""
        if self.there is None or not self.there(lang):
            self.tokens("A word.", lang=lang)

    def tokens(self, text: str, lowercase: bool = False, lang: str = "en") -> list[str]:
        """The tokens of one text."""
        vocabulary = Vocabulary()
        ids, _ = self.encode(vocabulary, [text], lowercase, lang)
        tokens = vocabulary.tokens()
        return [tokens[i] for i in ids]


def get_tokenizer(name: str) -> Tokenizer:
    """The tokeniser of that name."""
    return TOKENIZERS[name]


def tokenizers_for(lang: str) -> list[str]:
    """The names of the tokenisers that know the language and can run on this machine."""
    return [name for name in TOKENIZERS if _runs(name, lang)]


def _runs(name: str, lang: str) -> bool:
    try:
        get_tokenizer(name).tokens("A word.", lang=lang)
    except PlainlyError:
        return False
    return True


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


def _sacrebleu_is_there(_: str) -> bool:
    return package_folder("sacrebleu") is not None


def _has_moses_rules(lang: str) -> bool:
    """Whether sacremoses names a list of abbreviations for the language in its source."""
    folder = package_folder("sacremoses")
    source = folder / "_data_nonbreaking_prefixes.py" if folder else None
    name = f"nonbreaking_prefix.{get_language(lang).code}"
    return source is not None and source.is_file() and re.search(rf"{name}\b", source.read_text("utf-8")) is not None


@cache
def _sacrebleu_international() -> Any:
    from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

    return TokenizerV14International()


@cache
def _sacremoses(lang: str) -> Any:
    from sacremoses import MosesTokenizer
    from sacremoses.corpus import NonbreakingPrefixes

    language = get_language(lang)
    if language.code not in NonbreakingPrefixes().available_langs:  # it would take those of English, without a word
        raise PlainlyError(f"sacremoses has no rules for {language.name}")
    tokenizer = MosesTokenizer(lang=language.code)
    # sacremoses 0.1 and later hold these patterns as plain strings, and penn_tokenize fails on them.
    for name in ("MOSES_PENN_REGEXES_1", "MOSES_PENN_REGEXES_2"):
        pairs = getattr(tokenizer, name)
        setattr(tokenizer, name, [(re.compile(pattern), substitute) for pattern, substitute in pairs])
    return tokenizer


_OWN = [
    Tokenizer("13a", "mteval-v13a, the default of sacrebleu and EASSE", rule="13a"),
    Tokenizer(
        "intl",
        "mteval-v14 international: splits at all Unicode punctuation",
        separate=_international,
        package="sacrebleu",
        there=_sacrebleu_is_there,
    ),
    Tokenizer("none", "white space only: for text that is already tokenised"),
    Tokenizer("char", "every character is a token", separate=_characters),
    Tokenizer("moses", "Moses, through sacremoses", separate=_moses, package="sacremoses", there=_has_moses_rules),
    Tokenizer(
        "penn",
        "Penn Treebank rules, made for English, through sacremoses",
        separate=_penn,
        package="sacremoses",
        there=_has_moses_rules,
    ),
    Tokenizer(
        "spacy",
        "spaCy's rules for the language",
        separate=spacy_tokenizer.separate,
        package="spacy",
        there=spacy_tokenizer.is_there,
    ),
    Tokenizer("stanza", "Stanza's model of the language", separate=stanza_tokenizer.separate, package="stanza"),
]
TOKENIZERS = Registry(
    "tokenizer",
    {tokenizer.name: tokenizer for tokenizer in _OWN},
    "plainly.tokenizers",
    "a plainly.text.tokenizers.Tokenizer",
    lambda found: isinstance(found, Tokenizer),
)
"""All tokenisers, by name."""
