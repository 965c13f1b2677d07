"""Tokenisers against the libraries whose rules they follow."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

from plainly._kernels import Vocabulary
from plainly.base.errors import PlainlyError, UnknownName
from plainly.text.tokenizers import get_tokenizer, tokenizers_for

PEERS = {"13a": Tokenizer13a(), "intl": TokenizerV14International(), "char": TokenizerChar()}


@pytest.mark.parametrize("name", PEERS)
@given(text=st.text(max_size=60) | st.text(alphabet="ab .,-019&;ampqu<>!()'\n", max_size=60))
def test_equal_to_sacrebleu_on_any_text(name: str, text: str) -> None:
    assert get_tokenizer(name).tokens(text) == PEERS[name](text).split()


@pytest.mark.slow
def test_13a_equals_sacrebleu_on_every_line_of_real_data(shared: Path) -> None:
    files = [path for path in (shared / "data").rglob("*") if path.is_file()]
    assert len(files) > 200
    lines = list({line for path in files for line in path.read_bytes().decode("utf-8").split("\n")})
    vocabulary = Vocabulary()
    ids, offsets = vocabulary.encode(lines, "13a")
    tokens, numbers, peer = vocabulary.tokens(), ids.tolist(), PEERS["13a"]
    for i, line in enumerate(lines):
        assert " ".join(tokens[j] for j in numbers[offsets[i] : offsets[i + 1]]) == peer(line), line


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("13a", "He paid $ 10.50 , not 3,000 ."),
        ("none", "He paid $10.50 , not 3,000."),
        ("intl", "He paid $ 10.50 , not 3,000."),  # mteval-v14 keeps a final full stop with a number
        ("moses", "He paid $ 10.50 , not 3,000 ."),
        ("penn", "He paid $ 10.50 , not 3,000 ."),
    ],
)
def test_a_line_under_each_tokeniser(name: str, expected: str) -> None:
    # 13a: from shared/oracle/fkgl_wikilarge.json (unit_cases); the others worked out by their published rules.
    assert " ".join(get_tokenizer(name).tokens("He paid $10.50 , not 3,000.")) == expected


@pytest.mark.parametrize("name", tokenizers_for("en"))
@settings(deadline=None)  # some load what they need on the first call
@given(text=st.text(max_size=40))
def test_any_text_is_survived(name: str, text: str) -> None:
    tokens = get_tokenizer(name).tokens(text, lowercase=True)
    assert all(token and token.split() == [token] for token in tokens)


def test_moses_knows_the_abbreviations_of_the_language() -> None:
    text = "Es kam bzw. ging ca. 5 Tage."
    assert get_tokenizer("moses").tokens(text, lang="de") == ["Es", "kam", "bzw.", "ging", "ca.", "5", "Tage", "."]
    assert get_tokenizer("moses").tokens(text, lang="en") != get_tokenizer("moses").tokens(text, lang="de")


def test_moses_refuses_a_language_without_rules() -> None:
    # sacremoses would take the abbreviations of English.
    with pytest.raises(PlainlyError, match="sacremoses has no rules for Thai"):
        get_tokenizer("moses").tokens("สวัสดี", lang="th")
    assert {"moses", "penn"}.isdisjoint(tokenizers_for("th"))


def test_what_runs_for_a_language() -> None:
    assert {"13a", "intl", "none", "char", "moses", "penn"} <= set(tokenizers_for("de"))


def test_lower_case_comes_first() -> None:
    assert get_tokenizer("13a").tokens("The U.S. &AMP; us", lowercase=True) == ["the", "u", ".", "s", ".", "&", "us"]


def test_an_unknown_tokeniser_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match=r"unknown tokenizer '31a'; did you mean '13a'\?"):
        get_tokenizer("31a")
