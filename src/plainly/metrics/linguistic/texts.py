"""The texts of a corpus as the features see them, each distinct text parsed once for all features and systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import MissingResource
from plainly.corpus import Corpus
from plainly.metrics._text_counts import plain_words
from plainly.metrics.linguistic.trees import Tree
from plainly.models.parsers import (
    DEPENDENCIES,
    ENTITIES,
    EVERYTHING,
    Parsed,
    Parser,
    Token,
    missing_parser,
    parser_for,
)
from plainly.text.languages import Language, get_language


class Text:
    """A text and, where it was parsed, its tokens and trees. What is asked for twice is computed once."""

    def __init__(self, raw: str, language: Language, parsed: Parsed | None = None) -> None:
        self.raw = raw
        self.language = language
        self._parsed = parsed

    @cached_property
    def plain_words(self) -> list[str]:
        """What stands between blanks or dashes and has a letter or digit, without the marks around it."""
        return [word for token in self.raw.split() for word in plain_words(token)]

    @cached_property
    def tokens(self) -> list[Token]:
        """Words and marks, as the parser cuts them."""
        return [] if self._parsed is None else self._parsed.tokens

    @cached_property
    def words(self) -> list[Token]:
        """The tokens that have a letter or digit."""
        return [token for token in self.tokens if is_word(token)]

    @cached_property
    def forms(self) -> Counter[str]:
        """All tokens, as they are written."""
        return Counter(token.text for token in self.tokens)

    @cached_property
    def lemmas(self) -> Counter[str]:
        """The lemmas of all tokens, in lower case."""
        return Counter(map(lemma_of, self.tokens))

    @cached_property
    def trees(self) -> list[Tree]:
        """One a sentence."""
        return [] if self._parsed is None else [Tree(sentence, is_word) for sentence in self._parsed.sentences]


def is_word(token: Token) -> bool:
    """A token with a letter or digit; else it is a mark."""
    return any(map(str.isalnum, token.text))


def lemma_of(token: Token) -> str:
    return token.lemma.lower()


def texts_of(corpus: Corpus, lang: str, parser: Parser | None, *, names: bool = False) -> Mapping[str, Text]:
    """All sources and outputs of a corpus: what is written -> the text. `parser` is for those who ask for a parse."""

    def build() -> dict[str, Text]:
        parsed = parsed_texts(corpus, parser, names=names) if parser else {}
        language = get_language(lang)
        return {raw: Text(raw, language, parsed.get(raw)) for raw in _distinct(corpus)}

    return corpus.prepared(("linguistic texts", lang, parser and parser.identity, names), build)


def parsed_texts(corpus: Corpus, parser: Parser, *, names: bool = False) -> Mapping[str, Parsed]:
    """The same, as the parser gives them: names alone, or all but names, which take as long as all the rest."""

    def build() -> dict[str, Parsed]:
        distinct = _distinct(corpus)
        needs = frozenset({ENTITIES}) if names else EVERYTHING - {ENTITIES}
        return dict(zip(distinct, parser.parse(distinct, needs), strict=True))

    return corpus.prepared(("parsed texts", parser.identity, names), build)


def parsed_sentences(corpus: Corpus, system: str | None, lang: str, name: str) -> NDArray[np.int64]:
    """How many sentences a parser finds in each output, or in each source where `system` is None."""
    if why := missing_parser(lang, {DEPENDENCIES}, name):
        raise MissingResource(f"no parser can split sentences here: {why}")
    parser = parser_for(lang, name)
    assert parser
    parsed = parsed_texts(corpus, parser)
    texts = corpus.sources if system is None else corpus.output(system)
    return np.array([len(parsed[text].sentences) if text is not None else 0 for text in texts], dtype=np.int64)


def _distinct(corpus: Corpus) -> list[str]:
    everything: Iterator[str | None] = chain(corpus.sources, *corpus.outputs.values())
    return list(dict.fromkeys(text for text in everything if text is not None))
