"""Alignment: kept words, moved blocks, links; worked by hand, and the likeness of words against rapidfuzz."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from plainly.operations.tagger.alignment import Alignment, align
from plainly.operations.tagger.lexicon import LONGEST, likeness, same_stem, words_of


def aligned(source: str, target: str, lang: str = "en") -> Alignment:
    return align(source.split(), target.split(), words_of(lang))


def test_kept_words_ignore_case() -> None:
    assert aligned("the cat slept .", "The cat slept .").kept == ((0, 0), (1, 1), (2, 2), (3, 3))


def test_content_words_weigh_more_than_marks() -> None:
    # Either "," or "bridge" can be kept. The common subsequences have one token each, so the weights decide.
    found = aligned(", bridge", "bridge ,")
    assert found.kept == ((1, 0),)


def test_side_by_side_is_better_than_scattered() -> None:
    # Both "the" of the target fit. The second makes a run with "river".
    assert (0, 2) in aligned("the river", "the old the river").kept


def test_a_moved_block_is_found_once() -> None:
    found = aligned("in 1990 Anna left the town", "Anna left the town in 1990")
    assert [tuple(block) for block in found.moved] == [(0, 4, 2)]
    assert found.links == ()


def test_marks_alone_do_not_move() -> None:
    assert aligned("a , b", ", a b").moved == ()


def test_forms_of_a_word_are_linked() -> None:
    found = aligned("they reported riots", "they will report some riot")
    assert {(link.source, link.target) for link in found.links} == {(1, 2), (2, 4)}


def test_words_in_the_same_gap_are_linked() -> None:
    found = aligned("the feline slept", "the cat slept")
    assert [(link.source, link.target) for link in found.links] == [(1, 1)]


def test_turkish_letters_are_lowered_as_in_turkish() -> None:
    assert aligned("ISPARTA güzel", "ısparta güzel", "tr").kept == ((0, 0), (1, 1))


@given(st.text(max_size=12), st.text(max_size=12))
def test_likeness_is_the_indel_ratio(first: str, second: str) -> None:
    # rapidfuzz: fuzz.ratio is 100 * 2 * LCS / (sum of the lengths); two empty texts are alike.
    assert likeness(first, second) == pytest.approx(fuzz.ratio(first, second) / 100)


def test_endless_words_are_cut() -> None:
    assert likeness("a" * 10_000, "b" * 10_000) == 0
    assert likeness("a" * LONGEST + "b", "a" * LONGEST + "c") == 1


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [("report", "reporting", True), ("city", "cities", True), ("cat", "dog", False), ("state", "of", False)],
)
def test_stems(first: str, second: str, same: bool) -> None:
    assert same_stem(first, second) is same


def test_long_texts_are_aligned_in_time() -> None:
    words = [f"w{i % 997}" for i in range(6_000)]
    found = align(words, words[200:], words_of("en"))
    assert len(found.kept) == 5_800
