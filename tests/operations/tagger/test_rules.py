"""The rules, on pairs written for this test; what the guide of ASSETann says of each case stands beside it."""

from __future__ import annotations

import pytest

from plainly.base.errors import PlainlyError
from plainly.operations.tagger import load, tag, tokens


def labels(source: str, target: str, lang: str = "en") -> set[tuple[str, str, str]]:
    """The groups as (label, words of the source, words of the target)."""
    a, b = tuple(source.split()), tuple(target.split())
    (groups,) = tag([(a, b)], load("rules", lang), lang)
    return {
        (group.label, " ".join(a[i] for i in group.source), " ".join(b[j] for j in group.target)) for group in groups
    }


def test_a_word_for_another_is_a_synonym() -> None:
    assert labels("The feline slept .", "The cat slept .") == {("synonym", "feline", "cat")}


def test_articles_and_marks_change_for_consistency() -> None:
    # Guide 3.3.1: marks, and determiners that could be called synonyms, are insertions and deletions -cst.
    assert labels("He saw a dog , here", "He saw the dog here") == {
        ("delcst", "a", ""),
        ("incst", "", "the"),
        ("delcst", ",", ""),
    }


def test_the_new_full_stop_is_the_split() -> None:
    # Guide 3.5.5: only the full stop bears the label; "It was" is inserted for consistency.
    found = labels("A red house stood here and was big .", "A red house stood here . It was big .")
    assert ("split", "", ".") in found
    assert ("incst", "", "It") in found


def test_moved_words_keep_their_block() -> None:
    assert labels("In 1990 Anna left the town", "Anna left the town in 1990") == {("move", "In 1990", "in 1990")}


def test_a_deleted_adjective_is_a_modifier() -> None:
    assert labels("a very beautiful town", "a town") == {("delmod", "very beautiful", "")}


def test_number_and_tense() -> None:
    assert labels("two cars stopped", "two car stopped") == {("p2s", "cars", "car")}
    assert labels("they waited here", "they waiting here") == {("verbf", "waited", "waiting")}


def test_a_german_pair() -> None:
    found = labels(
        "Die umfangreichen Verhandlungen wurden gestern , am Montag , beendet .",
        "Die langen Gespräche wurden gestern beendet .",
        "de",
    )
    assert ("synonym", "Verhandlungen", "Gespräche") in found or (
        "synonym",
        "umfangreichen Verhandlungen",
        "langen Gespräche",
    ) in found
    deleted = " ".join(
        words for label, words, _ in sorted(found, key=lambda item: item[1]) if label.startswith("del")
    )
    assert set(deleted.split()) == {",", "am", "Montag"}


def test_kinds_are_checked() -> None:
    with pytest.raises(PlainlyError, match="unknown tagger 'rule'; did you mean 'rules'"):
        load("rule", "en")
    with pytest.raises(PlainlyError, match="may not be used commercially"):
        load("learned", "en", commercial=True)
    assert load("auto", "en", commercial=True).name == "rules"
    assert load("auto", "de").name == "rules"


def test_tokens() -> None:
    assert tokens("He left, alone.", "en") == ("He", "left", ",", "alone", ".")
    assert tokens("He left, alone .", "en", tokenized=True) == ("He", "left,", "alone", ".")
