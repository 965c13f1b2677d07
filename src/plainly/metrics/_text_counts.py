"""The counts that readability formulas rest on, one row a segment: words, sentences, syllables and more.

Two ways of counting, each computed once a corpus and system and then shared by all metrics:

* `easse_counts`: on lower-cased, tokenised text, as EASSE's FKGL; punctuation marks are words.
* `textbook_counts`: on the text as it stands, as the formulas were meant; a word has a letter or a digit.

A third, that of textstat, stands in `plainly.metrics.readability.textstat`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from plainly.corpus import Corpus
from plainly.corpus.corpus import Encoded, EncodedCorpus
from plainly.text.languages import get_language
from plainly.text.sentences import punkt_sentences
from plainly.text.syllables import count_syllables_easse

Counts = NDArray[np.int64]
Counter = Callable[[str], int]

BASIC_COUNTS = ("words", "sentences", "syllables")
TEXTBOOK_COUNTS = (
    *BASIC_COUNTS,
    "polysyllables",
    "letters",
    "characters",
    "monosyllables",
    "words_of_four_syllables",
    "long_words",
)

POLYSYLLABLE = 3  # from this many syllables on, a word is hard for SMOG and Gunning's fog
MOST_LEARNED = 1 << 17  # tokens, which take up to 30 MB
LONGEST_LEARNED = 64  # characters; longer ones are no words, and hardly come twice
LONG = 6  # a word of more letters is long for LIX and the Wiener Sachtextformel


def easse_counts(corpus: Corpus, system: str, lang: str, tokenizer: str, punkt: bool) -> Counts:
    """The `BASIC_COUNTS` of each output, its sentences by Punkt or by the splitter of the language: (segments, 3)."""
    count = _by_punkt if punkt else _by_language
    return corpus.prepared(("easse", tokenizer, system, lang, punkt), lambda: count(corpus, system, lang, tokenizer))


def textbook_counts(corpus: Corpus, system: str | None, lang: str) -> Counts:
    """The `TEXTBOOK_COUNTS` of each output, or of each source where `system` is None: (segments, 9).

    A word stands between blanks or dashes and has a letter or digit; the marks around it are no part of it.
    A text without words has no sentence. Polysyllables are words of three syllables or more, words of four
    syllables those of four or more; characters are letters and digits; a long word has more than six letters.
    In a language whose syllables plainly cannot count, what rests on syllables is 0.
    """
    return corpus.prepared(("textbook", lang, system), lambda: _textbook(corpus, system, lang))


def count_words_that(corpus: Corpus, system: str, key: str, holds: Callable[[str], bool]) -> Counts:
    """How many words of each output have a property: (segments,). `key` names the property."""

    def number(token: str) -> tuple[int]:
        return (sum(map(holds, plain_words(token))),)

    table = corpus.prepared(("words that", key), lambda: TokenTable(corpus.encoded("none", True), number, 1))
    return table.sums(corpus.encoded("none", True).output(system))[:, 0]


def plain_words(token: str) -> list[str]:
    """The words in what stands between two blanks, without the marks around them; bare marks hold none."""
    return [found[0] for part in _DASHES.split(token) if (found := _WORD.search(part))]


def sentence_counts(corpus: Corpus, system: str | None, lang: str, tokenizer: str, lowercase: bool) -> Counts:
    """The sentences of each tokenised output, or of each source where `system` is None: (segments,)."""

    def count() -> Counts:
        return count_sentences(lang, corpus.encoded(tokenizer, lowercase).joined(system).strings())

    return corpus.prepared(("sentences", tokenizer, lowercase, system, lang), count)


def count_sentences(lang: str, texts: Sequence[str]) -> Counts:
    """The sentences of each text, by the splitter of the language."""
    return np.fromiter(map(get_language(lang).count_sentences, texts), dtype=np.int64, count=len(texts))


class Learned(dict[str, int]):
    """A number that depends on a token alone, worked out once a process: most texts have most words in common."""

    def __init__(self, number: Counter) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, token: str) -> int:
        number = self._number(token)
        if len(token) < LONGEST_LEARNED:
            if len(self) >= MOST_LEARNED:
                self.clear()
            self[token] = number
        return number


class TokenTable:
    """Whole numbers that depend on a token alone, computed once a token and summed over texts."""

    def __init__(self, encoded: EncodedCorpus, numbers: Callable[[str], Sequence[int] | int], width: int) -> None:
        self._encoded = encoded
        self._numbers = numbers
        self._known = np.zeros(0, dtype=bool)
        self._values = np.zeros((0, width), dtype=np.int64)

    def sums(self, encoded: Encoded) -> Counts:
        """The sum over the tokens of each text: (texts, width)."""
        return sums(self.of(encoded.ids), encoded.offsets)

    def of(self, ids: NDArray[np.int32]) -> Counts:
        """The numbers of each token: (tokens, width)."""
        self._learn(ids)
        return self._values[ids]

    def _learn(self, ids: NDArray[np.int32]) -> None:
        # The vocabulary also holds tokens of references, which nobody asks for, and grows with every system.
        tokens = self._encoded.tokens
        grown = len(tokens) - len(self._known)
        self._known = np.pad(self._known, (0, grown))
        self._values = np.pad(self._values, ((0, grown), (0, 0)))
        wanted = np.zeros(len(self._known), dtype=bool)
        wanted[ids] = True
        new = np.flatnonzero(wanted & ~self._known)
        if len(new):
            numbers = list(map(self._numbers, map(tokens.__getitem__, new.tolist())))
            self._values[new] = np.array(numbers, dtype=np.int64).reshape(len(new), -1)
            self._known[new] = True


def sums(values: Counts, offsets: Counts) -> Counts:
    """The sum of values[offsets[i]:offsets[i + 1]] for each i."""
    running = np.zeros((len(values) + 1, *values.shape[1:]), dtype=np.int64)
    np.cumsum(values, axis=0, out=running[1:])
    return np.diff(running[offsets], axis=0)


def _by_language(corpus: Corpus, system: str, lang: str, tokenizer: str) -> Counts:
    encoded = corpus.encoded(tokenizer, True)
    table = corpus.prepared(
        ("easse syllables", tokenizer),
        lambda: TokenTable(encoded, _EASSE_SYLLABLES.__getitem__, 1),
    )
    output = encoded.output(system)
    sentences = sentence_counts(corpus, system, lang, tokenizer, lowercase=True)
    return np.column_stack([output.lengths, sentences, table.sums(output)])


def _by_punkt(corpus: Corpus, system: str, _: str, tokenizer: str) -> Counts:
    """As EASSE, which counts words inside sentences: where Punkt cuts a token in two ("2002.'s"), it is two words."""
    rows = np.zeros((len(corpus), len(BASIC_COUNTS)), dtype=np.int64)
    for row, text in zip(rows, corpus.encoded(tokenizer, True).joined(system).strings(), strict=True):
        sentences = punkt_sentences(text)
        words = [word for sentence in sentences for word in sentence.split()]
        row[:] = len(words), len(sentences), sum(map(count_syllables_easse, words))
    return rows


def _textbook(corpus: Corpus, system: str | None, lang: str) -> Counts:
    count_syllables = get_language(lang).count_syllables
    width = len(TEXTBOOK_COUNTS) - 1  # all but the sentences
    encoded = corpus.encoded("none", True)
    table = corpus.prepared(
        ("textbook words", lang),
        lambda: TokenTable(encoded, lambda token: _word_numbers(token, count_syllables), width),
    )
    texts = corpus.sources if system is None else corpus.output(system)
    words = table.sums(encoded.source if system is None else encoded.output(system))
    sentences = count_sentences(lang, [text or "" for text in texts])
    sentences[words[:, 0] == 0] = 0
    return np.column_stack([words[:, 0], sentences, words[:, 1:]])


@lru_cache(maxsize=1 << 16)
def _word_numbers(token: str, count_syllables: Counter | None) -> tuple[int, ...]:
    words = plain_words(token)
    syllables = [max(1, count_syllables(word)) for word in words] if count_syllables else []
    return (
        len(words),
        sum(syllables),
        sum(n >= POLYSYLLABLE for n in syllables),
        sum(map(str.isalpha, token)),
        sum(map(str.isalnum, token)),
        sum(n == 1 for n in syllables),
        sum(n >= 4 for n in syllables),
        sum(sum(map(str.isalpha, word)) > LONG for word in words),
    )


_EASSE_SYLLABLES = Learned(count_syllables_easse)
_DASHES = re.compile(r"—|--+|…|\.\.\.+")
_WORD = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)
