"""Many texts as one row of words, with what is known of each word: features are computed for all texts at once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.text.frequency import word_frequencies
from plainly.text.languages import Language, get_language

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MARKS = {
    "commas": ",،、，",
    "semicolons": ";؛；",
    "colons": ":：",
    "brackets": "()[]（）",
    "quotes": '"“”„«»「」',
    "apostrophes": "'’‘",
    "dashes": "-–—",
    "stops": ".。।",
    "questions and exclamations": "?!？！؟",
    "slashes": "/",
    "percent and money": "%$€£¥",
    "digits": "0123456789",
}
CLOSING = frozenset(",;:.!?)]”»،؛，；：。！？।—–")
SPELLED = str.maketrans({"’": "'", "ʼ": "'", "\u00ad": None})  # one apostrophe; soft hyphens are not read
_BETWEEN = re.compile(r"[-‐‑‒–—/…]|\.\.+")  # what stands between the words of a token


@dataclass(frozen=True)
class Flat:
    """The words of many texts, one after the other; each row below has one value a word."""

    size: int
    """How many texts."""
    text: Ints
    """Which text a word stands in; these rise."""
    sentence: Ints
    """Which sentence it stands in, counted through all texts."""
    chunk: Ints
    """Which stretch between marks (commas, stops, brackets) it stands in, counted through all texts."""
    form: Ints
    """Which word it is, whatever its capitals: equal numbers, equal words."""
    letters: Floats
    syllables: Floats
    """0 where the language has no way to count them."""
    zipf: Floats
    """How common: log10 of the times in 10^9 words, 0 for words not listed or where there is no list."""
    alphabetic: Bools
    """Whether it has a letter; else it is a number."""
    function: Bools
    """Whether it is one of the language's function words."""
    shouted: Bools
    """All in capitals, two letters or more."""
    named: Bools
    """Capitalised, and not the first word of its sentence: likely a name."""
    characters: Ints
    """Of each text, how long it is."""
    capitals: Ints
    """Of each text, how many capital letters."""
    foreign: Ints
    """Of each text, how many characters outside ASCII."""
    marks: dict[str, Ints]
    """Of each text, how many of each of `MARKS`."""


def summed(owner: Ints, values: Floats | Bools, size: int) -> Floats:
    """The sum of the values of each owner, 0 to size - 1, in their order."""
    return np.bincount(owner, values, minlength=size).astype(np.float64)


def flatten(texts: Sequence[str], lang: str) -> Flat:
    """The words of the texts. In a language without blanks between words, a stretch between blanks is a word."""
    language = get_language(lang)
    table = _Table(language)
    split = language.split_sentences if language.marks_sentences else lambda text: [text]
    words: list[int] = []
    text_sizes, sentence_sizes, chunk_sizes = [], [], []
    for text in texts:
        before = len(words)
        for sentence in split(text):
            begin = chunk = len(words)
            for token in sentence.split():
                found, closes = table.words(token)
                words += found
                if closes and len(words) > chunk:
                    chunk_sizes.append(len(words) - chunk)
                    chunk = len(words)
            if len(words) > chunk:
                chunk_sizes.append(len(words) - chunk)
            if len(words) > begin:
                sentence_sizes.append(len(words) - begin)
        text_sizes.append(len(words) - before)
    known = table.rows()[np.array(words, dtype=np.int64)]
    first = np.zeros(len(words), dtype=bool)
    first[np.cumsum([0, *sentence_sizes])[:-1]] = True
    return Flat(
        size=len(texts),
        text=_numbered(text_sizes),
        sentence=_numbered(sentence_sizes),
        chunk=_numbered(chunk_sizes),
        form=known[:, 0].astype(np.int64),
        letters=known[:, 1],
        syllables=known[:, 2],
        zipf=known[:, 3],
        alphabetic=known[:, 1] > 0,
        function=known[:, 4] > 0,
        shouted=known[:, 5] > 0,
        named=(known[:, 6] > 0) & ~first,
        characters=np.array([len(text) for text in texts], dtype=np.int64),
        capitals=np.array([sum(map(str.isupper, text)) for text in texts], dtype=np.int64),
        foreign=np.array([len(text) - len(text.encode("ascii", "ignore")) for text in texts], dtype=np.int64),
        marks={
            name: np.array([sum(map(text.count, marks)) for text in texts], dtype=np.int64)
            for name, marks in MARKS.items()
        },
    )


def _numbered(sizes: list[int]) -> Ints:
    return np.repeat(np.arange(len(sizes)), sizes)


class _Table:
    """What is known of each word, looked up once a token."""

    def __init__(self, language: Language) -> None:
        self._lower = language.lower
        self._syllables = language.count_syllables
        self._frequencies = word_frequencies(language.frequency_list) if language.frequency_list else {}
        self._function_words = language.stop_words
        self._tokens: dict[str, tuple[tuple[int, ...], bool]] = {}
        self._forms: dict[str, int] = {}
        self._rows: list[tuple[float, ...]] = []

    def words(self, token: str) -> tuple[tuple[int, ...], bool]:
        """The rows of the words in what stands between two blanks, and whether a mark closes it."""
        known = self._tokens.get(token)
        if known is None:
            pieces = [word for part in _BETWEEN.split(token.translate(SPELLED)) if (word := _stripped(part))]
            known = tuple(map(self._row, pieces)), token[-1] in CLOSING or token[-2:-1] in CLOSING
            self._tokens[token] = known
        return known

    def rows(self) -> Floats:
        return np.array(self._rows, dtype=np.float64).reshape(-1, 7)

    def _row(self, word: str) -> int:
        low = self._lower(word)
        letters = sum(map(str.isalpha, word))
        self._rows.append(
            (
                self._forms.setdefault(low, len(self._forms)),
                letters,
                max(1, self._syllables(word)) if self._syllables else 0,
                self._zipf(low) if letters else 0.0,
                low in self._function_words,
                letters > 1 and word.isupper(),
                word[0].isupper(),
            )
        )
        return len(self._rows) - 1

    def _zipf(self, low: str) -> float:
        found = self._frequencies.get(low)
        return found if found is not None else self._frequencies.get(low.removesuffix("'s"), 0.0)


def _stripped(part: str) -> str:
    """The word without the marks around it; letters, digits and what combines with them stay."""
    begin, end = 0, len(part)
    while begin < end and not part[begin].isalnum():
        begin += 1
    while end > begin and not (part[end - 1].isalnum() or unicodedata.category(part[end - 1])[0] == "M"):
        end -= 1
    return part[begin:end]
