"""What of a text may make it hard: about 130 numbers, each named so that an explanation can be read.

A feature that needs what a language lacks (a list of word frequencies, syllables, function words, ends of
sentences, blanks between words) is left out for that language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from plainly.simplicity.flat_texts import Bools, Flat, Floats, Ints, flatten, summed
from plainly.text.languages import Language, get_language

DIGITS = 6  # features are rounded, so that the last bit of a logarithm moves nothing
RARE = 3.5  # the Zipf value below which a word is rare: less than 3.2 times in a million words

LETTERS = (6, 8, 10, 12)
SYLLABLES = (2, 3, 4)
ZIPF = (2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5)
QUANTILES = (0.1, 0.25, 0.5, 0.75)
LOWEST = (1, 3, 5, 8)

Named = tuple[str, Floats]


@cache
def families(lang: str) -> dict[str, str]:
    """Feature -> what it is about (marks, word length, ...), for all features that a language has."""
    flat, language = flatten([""], lang), get_language(lang)
    return {name: family for family, some in _features(flat, language) for name, _ in some}


def features(texts: Sequence[str], lang: str) -> dict[str, Floats]:
    """Feature -> its value for each text. A text's values do not depend on the other texts."""
    found = _features(flatten(texts, lang), get_language(lang))
    return {name: np.round(values, DIGITS) for _, some in found for name, values in some}


def _features(flat: Flat, language: Language) -> Iterator[tuple[str, Iterator[Named]]]:
    """Family after family, as far as the language goes."""
    yield "length", _characters(flat)
    yield "marks", _marks(flat)
    if not language.spaces:
        return
    words = _Groups(flat.text, flat.size)
    yield "length", _counts(flat, words)
    yield "word length", _lengths(flat, words)
    yield "variety", _variety(flat, words)
    yield "names and numbers", _capitals(flat, words)
    if language.marks_sentences:
        yield "sentence length", _sentences(flat, words)
        yield "readability formulas", _formulas(flat, words)
    if language.count_syllables is not None:
        yield "word length", _syllables(flat, words)
        if language.marks_sentences:
            yield "readability formulas", _syllable_formulas(flat, words)
    if language.stop_words:
        yield "function words", _function_words(flat, words)
    if language.frequency_list is not None:
        yield "word frequency", _frequencies(flat, words, bool(language.stop_words))


def _characters(flat: Flat) -> Iterator[Named]:
    yield "ln(characters + 1)", np.log1p(flat.characters)
    yield "characters", flat.characters.astype(np.float64)


def _marks(flat: Flat) -> Iterator[Named]:
    for name, counts in flat.marks.items():
        yield name, counts.astype(np.float64)
        yield f"{name} per character", _ratio(counts, flat.characters)
    yield "capital letters per character", _ratio(flat.capitals, flat.characters)
    yield "non-ASCII characters per character", _ratio(flat.foreign, flat.characters)


def _counts(flat: Flat, words: _Groups) -> Iterator[Named]:
    yield "words", words.count
    yield "ln(words + 1)", np.log1p(words.count)
    chunks = _Groups(flat.chunk, _groups(flat.chunk)).count
    of_text = _Groups(_owner(flat.chunk, flat.text), flat.size)
    yield "words between marks", of_text.mean(chunks)
    yield "most words between marks", of_text.highest(chunks)
    yield "stretches between marks", of_text.count


def _lengths(flat: Flat, words: _Groups) -> Iterator[Named]:
    letters = flat.letters
    yield "letters per word", words.mean(letters)
    yield "spread of letters per word", words.spread(letters)
    yield "letters of the longest word", words.highest(letters)
    for count in (3, 5):
        yield f"mean letters of the {count} longest words", -words.lowest(-letters, count)
    for quantile in QUANTILES[1:]:
        yield f"letters per word, {quantile:.0%} quantile", words.quantile(letters, quantile)
    for limit in LETTERS:
        yield f"words of more than {limit} letters", words.total(letters > limit)
        yield f"share of words of more than {limit} letters", words.mean(letters > limit)


def _variety(flat: Flat, words: _Groups) -> Iterator[Named]:
    pairs = np.unique(np.column_stack([flat.text, flat.form]), axis=0)
    kinds = np.bincount(pairs[:, 0], minlength=flat.size).astype(np.float64)
    yield "different words", kinds
    yield "share of different words", _ratio(kinds, words.count)
    yield "different words per root of words", _ratio(kinds, np.sqrt(words.count))
    yield "repeated words", words.count - kinds


def _capitals(flat: Flat, words: _Groups) -> Iterator[Named]:
    yield "words all in capitals", words.total(flat.shouted)
    yield "share of words all in capitals", words.mean(flat.shouted)
    yield "names", words.total(flat.named)
    yield "share of names", words.mean(flat.named)
    yield "numbers", words.total(~flat.alphabetic)
    yield "share of numbers", words.mean(~flat.alphabetic)


def _sentences(flat: Flat, words: _Groups) -> Iterator[Named]:
    lengths = _Groups(flat.sentence, _groups(flat.sentence)).count
    sentences = _Groups(_owner(flat.sentence, flat.text), flat.size)
    per_sentence = _ratio(words.count, sentences.count)
    yield "sentences", sentences.count
    yield "words per sentence", per_sentence
    yield "ln(words per sentence + 1)", np.log1p(per_sentence)
    yield "words of the longest sentence", sentences.highest(lengths)
    yield "words of the shortest sentence", -sentences.highest(-lengths)
    yield "spread of words per sentence", sentences.spread(lengths)
    yield "commas per sentence", _ratio(flat.marks["commas"], sentences.count)


def _formulas(flat: Flat, words: _Groups) -> Iterator[Named]:
    """Those that rest on letters; each is 0 for a text without words."""
    sentences = _Groups(_owner(flat.sentence, flat.text), flat.size).count
    per_sentence, some = _ratio(words.count, sentences), words.count > 0
    per_word = words.mean(flat.letters)
    long = words.total(flat.letters > 6)
    yield "ARI", 4.71 * per_word + 0.5 * per_sentence - 21.43 * some
    yield "Coleman-Liau", 5.88 * per_word - 29.6 * _ratio(sentences, words.count) - 15.8 * some
    yield "LIX", per_sentence + 100 * _ratio(long, words.count)
    yield "RIX", _ratio(long, sentences)


def _syllables(flat: Flat, words: _Groups) -> Iterator[Named]:
    syllables = flat.syllables
    yield "syllables", words.total(syllables)
    yield "syllables per word", words.mean(syllables)
    yield "spread of syllables per word", words.spread(syllables)
    yield "most syllables in a word", words.highest(syllables)
    for limit in SYLLABLES:
        yield f"words of more than {limit} syllables", words.total(syllables > limit)
        yield f"share of words of more than {limit} syllables", words.mean(syllables > limit)


def _syllable_formulas(flat: Flat, words: _Groups) -> Iterator[Named]:
    sentences = _Groups(_owner(flat.sentence, flat.text), flat.size).count
    per_sentence, some = _ratio(words.count, sentences), words.count > 0
    per_word, hard = words.mean(flat.syllables), flat.syllables > 2
    yield "FKGL", 0.39 * per_sentence + 11.8 * per_word - 15.59 * some
    yield "Flesch reading ease", 206.835 * some - 1.015 * per_sentence - 84.6 * per_word
    yield "Gunning fog", 0.4 * (per_sentence + 100 * words.mean(hard))
    yield "SMOG", 1.043 * np.sqrt(30 * _ratio(words.total(hard), sentences)) + 3.1291 * some


def _function_words(flat: Flat, words: _Groups) -> Iterator[Named]:
    yield "function words", words.total(flat.function)
    yield "share of function words", words.mean(flat.function)
    content = _Groups(flat.text[flat.alphabetic & ~flat.function], flat.size)
    yield "content words", content.count
    yield "letters per content word", content.mean(flat.letters[flat.alphabetic & ~flat.function])


def _frequencies(flat: Flat, words: _Groups, function_words: bool) -> Iterator[Named]:
    """Of all words; of those that are no names; and of content words."""
    kinds: list[tuple[str, Bools]] = [("", flat.alphabetic), (" without names", flat.alphabetic & ~flat.named)]
    if function_words:
        kinds.append((" of content words", flat.alphabetic & ~flat.function))
    for suffix, chosen in kinds:
        zipf, some = flat.zipf[chosen], _Groups(flat.text[chosen], flat.size)
        yield f"rarity summed{suffix}", some.total(8 - zipf)
        yield f"mean Zipf value{suffix}", some.mean(zipf)
        yield f"spread of Zipf values{suffix}", some.spread(zipf)
        for count in LOWEST:
            yield f"mean Zipf value of the {count} rarest words{suffix}", some.lowest(zipf, count)
        for quantile in QUANTILES:
            yield f"Zipf value, {quantile:.0%} quantile{suffix}", some.quantile(zipf, quantile)
    zipf, all_words = flat.zipf[flat.alphabetic], _Groups(flat.text[flat.alphabetic], flat.size)
    for limit in ZIPF:
        yield f"words with a Zipf value below {limit:g}", all_words.total(zipf < limit)
        yield f"share of words with a Zipf value below {limit:g}", all_words.mean(zipf < limit)
    yield "words not in the frequency list", all_words.total(zipf == 0)
    chosen = flat.alphabetic & ~flat.named
    yield "rare words without names", _Groups(flat.text[chosen], flat.size).total(flat.zipf[chosen] < RARE)


class _Groups:
    """Sums and order statistics of values over groups (texts, sentences); an empty group has 0."""

    def __init__(self, owner: Ints, size: int) -> None:
        self.owner, self.size = owner, size
        self.count = np.bincount(owner, minlength=size).astype(np.float64)
        self._starts = np.concatenate([[0], np.cumsum(self.count)[:-1]]).astype(np.int64)[:size]

    def total(self, values: Floats | Bools) -> Floats:
        return summed(self.owner, values, self.size)

    def mean(self, values: Floats | Bools) -> Floats:
        return _ratio(self.total(values), self.count)

    def spread(self, values: Floats) -> Floats:
        return np.sqrt(self.mean((values - self.mean(values)[self.owner]) ** 2))

    def highest(self, values: Floats) -> Floats:
        return -self.lowest(-values, 1)

    def lowest(self, values: Floats, count: int) -> Floats:
        """The mean of the `count` lowest values of each group, or of all where it has fewer."""
        order = np.lexsort((values, self.owner))
        taken = order[np.arange(len(order)) - self._starts[self.owner] < count]
        return _ratio(summed(self.owner[taken], values[taken], self.size), np.minimum(self.count, count))

    def quantile(self, values: Floats, share: float) -> Floats:
        """The value that a share of the group does not exceed."""
        order = np.lexsort((values, self.owner))
        place = self._starts + np.clip(np.ceil(share * self.count) - 1, 0, None).astype(np.int64)
        found = np.zeros(self.size)
        some = self.count > 0
        found[some] = values[order[place[some]]]
        return found


def _groups(owner: Ints) -> int:
    return int(owner[-1]) + 1 if len(owner) else 0


def _owner(part: Ints, text: Ints) -> Ints:
    """Which text each part (sentence, stretch) belongs to."""
    return text[np.flatnonzero(np.diff(part, prepend=-1))]


def _ratio(numerator: Floats | Ints, denominator: Floats | Ints) -> Floats:
    """0 where there is nothing to divide by: an empty text has no words, and none of them is long."""
    return np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=np.asarray(denominator) != 0)
