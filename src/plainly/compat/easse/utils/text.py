"""Words, sentences and syllables as EASSE's FKGL counts them."""

from __future__ import annotations

from plainly.base.errors import UnknownName
from plainly.compat.easse._splitter import sentence_variant
from plainly.text.languages import get_language
from plainly.text.sentences import punkt_sentences
from plainly.text.syllables import count_syllables_easse


def to_words(text: str) -> list[str]:
    """What stands between blanks; in tokenised text that includes punctuation."""
    return text.split()


def count_words(text: str) -> int:
    """The number of these."""
    return len(to_words(text))


def to_sentences(text: str, language: str = "english") -> list[str]:
    """The sentences of a text, by NLTK's Punkt where it is there."""
    if language != "english":
        raise UnknownName("language of the sentence splitter", language, ["english"])
    return punkt_sentences(text) if sentence_variant() == "easse" else get_language("en").split_sentences(text)


def count_sentences(text: str, language: str = "english") -> int:
    """The number of these."""
    return len(to_sentences(text, language))


def count_syllables_in_word(word: str) -> int:
    """The syllables of a word by EASSE's rules, which give *he* and *three* none."""
    return count_syllables_easse(word)


def count_syllables_in_sentence(sentence: str) -> int:
    """The sum over its words."""
    return sum(map(count_syllables_in_word, to_words(sentence)))
