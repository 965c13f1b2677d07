"""Word ranks."""

from __future__ import annotations

import pytest

from plainly.base.errors import UnknownName
from plainly.text.frequency import RANKED, ranks_version, word_ranks


def test_ranks_follow_frequency_from_zero() -> None:
    ranks = word_ranks("en")
    assert ranks["the"] == 0
    assert ranks["the"] < ranks["house"] < ranks["feline"] < RANKED
    assert sorted(ranks.values()) == list(range(RANKED))


def test_only_words_have_a_rank() -> None:
    assert all(any(map(str.isalpha, word)) for word in word_ranks("en"))
    assert word_ranks("en").keys().isdisjoint({"1", "_", "😂", "©"})  # wordfreq lists all four
    assert all(word == word.lower() for word in word_ranks("en"))


def test_the_order_is_that_of_wordfreq() -> None:
    from wordfreq import zipf_frequency

    words = list(word_ranks("en"))[::500]
    frequencies = [zipf_frequency(word, "en") for word in words]
    assert frequencies == sorted(frequencies, reverse=True)


def test_ranks_are_read_once() -> None:
    assert word_ranks("en") is word_ranks("en")


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(UnknownName, match="language with word ranks 'tlh'"):
        word_ranks("tlh")


def test_the_version_is_a_version() -> None:
    assert ranks_version()[0].isdigit()
