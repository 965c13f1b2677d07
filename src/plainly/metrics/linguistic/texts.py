"""The texts of a corpus as the features see them, each distinct text parsed once for all features and systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from plainly.corpus import Corpus
from plainly.metrics._text_counts import plain_words
from plainly.metrics.linguistic.trees import Tree
from plainly.models.parsers import Parsed, Token, parse
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


def texts_of(corpus: Corpus, lang: str, parsed: bool) -> Mapping[str, Text]:
    """All sources and outputs of a corpus: what is written -> the text."""
    return corpus.prepared(("linguistic texts", lang, parsed), lambda: _texts(corpus, lang, parsed))


def parsed_texts(corpus: Corpus, lang: str) -> Mapping[str, Parsed]:
    """The same, as the parser gives them."""

    def build() -> dict[str, Parsed]:
        distinct = _distinct(corpus)
        return dict(zip(distinct, parse(distinct, lang), strict=True))

    return corpus.prepared(("parsed texts", lang), build)


def _texts(corpus: Corpus, lang: str, parsed: bool) -> dict[str, Text]:
    language = get_language(lang)
    trees: Callable[[str], Parsed | None] = parsed_texts(corpus, lang).get if parsed else lambda _: None
    return {raw: Text(raw, language, trees(raw)) for raw in _distinct(corpus)}


def _distinct(corpus: Corpus) -> list[str]:
    everything: Iterator[str | None] = chain(corpus.sources, *corpus.outputs.values())
    return list(dict.fromkeys(text for text in everything if text is not None))
