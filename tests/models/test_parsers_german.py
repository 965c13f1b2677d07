"""The German parser: HanTa's tags and lemmas in the shape that all parsers share."""

from __future__ import annotations

import pytest

from plainly.models.parsers import Parsed
from plainly.models.parsers.german import GermanParser

if not GermanParser.installed():
    pytest.skip("the extra `parsers` is not installed", allow_module_level=True)

PARSER = GermanParser()


def test_a_sentence() -> None:
    """Parts of speech and dictionary forms as a grammar gives them; "war" and "hat" are auxiliaries in STTS."""
    text = "Das alte Haus am See wurde 1990 von Anna verkauft, weil niemand dort wohnen wollte."
    (sentence,) = PARSER.parse([text])[0].sentences
    assert [(token.text, token.lemma, token.pos) for token in sentence] == [
        ("Das", "der", "DET"),
        ("alte", "alt", "ADJ"),
        ("Haus", "Haus", "NOUN"),
        ("am", "an", "ADP"),
        ("See", "See", "NOUN"),
        ("wurde", "werden", "AUX"),
        ("1990", "1990", "NUM"),
        ("von", "von", "ADP"),
        ("Anna", "Anna", "PROPN"),
        ("verkauft", "verkaufen", "VERB"),
        (",", ",", "PUNCT"),
        ("weil", "weil", "SCONJ"),
        ("niemand", "niemand", "PRON"),
        ("dort", "dort", "ADV"),
        ("wohnen", "wohnen", "VERB"),
        ("wollte", "wollen", "AUX"),
        (".", ".", "PUNCT"),
    ]


def test_it_builds_no_trees_and_says_so() -> None:
    assert PARSER.provides == {"tags", "lemmas"}
    assert {(token.head, token.dep, token.entity) for token in PARSER.parse(["Es regnet."])[0].tokens} == {
        (-1, "", False)
    }


def test_sentences_are_those_of_plainly() -> None:
    text = "Am 3. Mai kam z. B. Dr. Meier. Er blieb!"
    assert [sentence[0].text for sentence in PARSER.parse([text])[0].sentences] == ["Am", "Er"]


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_no_text_has_no_sentence(text: str) -> None:
    assert PARSER.parse([text]) == [Parsed(())]


@pytest.mark.parametrize(("text", "pos"), [("--", "PUNCT"), ("🙂", "SYM"), ("„", "PUNCT")])
def test_bare_signs(text: str, pos: str) -> None:
    assert {token.pos for token in PARSER.parse([text])[0].tokens} == {pos}


def test_a_very_long_word_is_judged_by_its_end() -> None:
    word = "Donaudampfschifffahrts" * 5 + "gesellschaften"
    (token,) = PARSER.parse([word])[0].tokens
    assert (token.text, token.lemma, token.pos) == (word, word, "NOUN")


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "times"), [("x", 20_000), ("🙂", 12_000)])
def test_long_texts_come_back_whole(unit: str, times: int) -> None:
    """Of 12,000 unknown words in a row HanTa alone makes a KeyError."""
    text = unit * times
    assert "".join(token.text for token in PARSER.parse([text])[0].tokens) == text
