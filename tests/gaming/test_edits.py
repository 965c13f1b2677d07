"""Each edit keeps its promise, on any text; the six of the paper give the outcomes that the oracle lists."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError, UnknownName
from plainly.gaming.edits import BUILT_IN, SANITY, TRIVIAL, Edit, Segment, broken, get, names, possible
from plainly.text.languages import LANGUAGES

from ..cases import each

ARTICLES = {code for code, entry in LANGUAGES.items() if entry.article}
NEGATIONS = {code for code, entry in LANGUAGES.items() if entry.negations}
ALL = [edit.name for edit in BUILT_IN]


def outcomes(name: str, output: str, seed: int = 0, **around: object) -> list[str]:
    return list(get(name).outcomes(Segment(output, **around), np.random.default_rng(seed)))  # type: ignore[arg-type]


def test_the_edits_of_the_paper_have_the_outcomes_of_the_oracle(shared: Path) -> None:
    # shared/oracle/fkgl_wikilarge.json: another implementation, which reproduces the printed tables of the paper
    cases = json.loads((shared / "oracle" / "fkgl_wikilarge.json").read_text())["unit_cases"]["modifications"]
    assert {case["method"] for case in cases} == {edit.name for edit in TRIVIAL}
    for case in cases:
        assert outcomes(case["method"], case["input"]) == case["outputs"]


@pytest.mark.parametrize("name", [edit.name for edit in TRIVIAL])
@pytest.mark.parametrize("text", ["", "Word.", " "])
def test_the_edits_of_the_paper_leave_fewer_than_two_tokens_alone(name: str, text: str) -> None:
    assert outcomes(name, text) == [text]


@pytest.mark.parametrize(
    ("name", "expected"),
    [  # two tokens: 1 .. n-2 holds no position, 1 .. n-1 holds one
        ("random-period", ["Go home"]),
        ("random-the", ["Go the home"]),
        ("replace-longest", ["Go the"]),
        ("replace-rand-period", ["Go ."]),
        ("replace-rand-the", ["Go home"]),
        ("random-period+replace-longest", ["Go . the"]),
    ],
)
def test_two_tokens(name: str, expected: list[str]) -> None:
    assert outcomes(name, "Go home") == expected


@given(st.lists(st.text(min_size=1).filter(lambda token: token.split() == [token]), min_size=3))
def test_the_edits_of_the_paper_change_one_token(tokens: list[str]) -> None:
    text = " ".join(tokens)
    n = len(tokens)
    for name, count, longer in [
        ("random-period", n - 2, 1),
        ("random-the", n - 1, 1),
        ("replace-longest", 1, 0),
        ("replace-rand-period", n - 1, 0),
        ("replace-rand-the", n - 2, 0),
        ("random-period+replace-longest", n - 1, 1),
    ]:
        found = [edited.split() for edited in outcomes(name, text)]
        assert len(found) == count
        assert all(len(edited) == n + longer for edited in found)
    for edited in outcomes("random-the", text):
        rest = edited.split()
        assert any(rest[p] == "the" and rest[:p] + rest[p + 1 :] == tokens for p in range(1, n))
    for edited in outcomes("replace-rand-period", text):
        assert sum(old != new for old, new in zip(tokens, edited.split(), strict=True)) <= 1


@given(st.text(), st.integers(0, 9))
def test_every_edit_survives_any_text(text: str, seed: int) -> None:
    for name in ALL:
        for lang in ("en", "zh"):
            segment = Segment(text, "A source.", ["A reference."], (text, "Another output."), lang)
            found = get(name).outcomes(segment, np.random.default_rng(seed))
            assert len(found) > 0
            assert all(isinstance(edited, str) for edited in found)
            assert list(get(name).outcomes(segment, np.random.default_rng(seed))) == list(found)


def test_one_text_is_drawn_from_the_outcomes() -> None:
    rng = np.random.default_rng(0)
    drawn = {get("random-the").apply(Segment("a b c d"), rng) for _ in range(100)}
    assert drawn == set(outcomes("random-the", "a b c d"))


def test_compositions_do_the_last_first() -> None:
    assert outcomes("replace-longest+lower-case", "A Longest B") == ["a the b"]
    assert outcomes("duplicate+replace-longest", "A longest") == ["A the A the"]
    assert outcomes("lower-case+random-the", "A B C") == ["a the b c", "a b the c"]
    assert len(outcomes("random-the+random-period", "a b c d")) == 2  # one outcome for each of the first edit
    # the composition of the paper reaches one position further than its parts put together
    apart = get("random-period") + get("replace-longest")
    assert apart.name == "random-period+replace-longest"
    listed = list(apart.outcomes(Segment("a bb c"), np.random.default_rng(0)))
    assert listed == ["a . the c"]
    assert outcomes(apart.name, "a bb c") == ["a . the c", "a the . c"]


def test_stand_ins_exist_for_many_languages() -> None:
    assert len(ARTICLES) >= 10
    assert len(NEGATIONS) >= 10
    assert outcomes("random-the", "Er schläft", lang="de") == ["Er die schläft"]
    assert outcomes("random-period", "वह घर गया", lang="hi") == ["वह । घर गया"]
    assert outcomes("random-the", "我来", lang="zh") == ["我的来"]  # no blanks: each character is a token


def test_a_language_without_stand_ins_is_refused() -> None:
    with pytest.raises(PlainlyError, match=r"no word in the place of 'the' for language 'la' \(only for: ar, "):
        outcomes("random-the", "Gallia est omnis divisa", lang="la")
    with pytest.raises(PlainlyError, match="no list of negations for language 'ja'"):
        outcomes("drop-negation", "猫", lang="ja")


@each(
    "lang, text, expected",
    [
        ("en", "He did not go.", "He did go."),
        ("en", "He didn't go, he can’t.", "He did go, he can."),
        ("en", "Never again did n't he", "again did he"),
        ("en", "Why not?", "Why?"),
        ("en", "Nothing moves.", "Something moves."),
        ("en", "He knows a knot.", "He knows a knot."),
        ("de", "Er hat kein Haus und schläft nicht.", "Er hat ein Haus und schläft."),
        ("fr", "Ce n'est pas vrai.", "Ce est vrai."),
        ("fr", "Il ne dort jamais .", "Il dort ."),
        ("es", "No viene nadie.", "viene alguien."),
        ("it", "Non dorme.", "dorme."),
        ("pt", "Ele não dorme.", "Ele dorme."),
        ("nl", "Hij slaapt niet.", "Hij slaapt."),
        ("sv", "Han sover inte.", "Han sover."),
        ("ru", "Он не спит.", "Он спит."),
        ("pl", "On nie śpi.", "On śpi."),
        ("zh", "他不来", "他来"),
        ("hi", "वह नहीं आया", "वह आया"),
    ],
)
def test_negations_are_dropped(lang: str, text: str, expected: str) -> None:
    assert outcomes("drop-negation", text, lang=lang) == [expected]


def test_copies() -> None:
    assert outcomes("copy-source", "o", source="s") == ["s"]
    assert outcomes("copy-source", "o") == ["o"]
    assert outcomes("copy-reference", "o", references=["a", "b"]) == ["a", "b"]
    assert outcomes("copy-reference", "o") == ["o"]


def test_delete_shuffle_duplicate_lower_case() -> None:
    assert outcomes("delete-last-quarter", "a b c d e f g h i") == ["a b c d e f g"]
    assert outcomes("delete-last-quarter", "a b c") == ["a b c"]
    shuffled = outcomes("shuffle-words", "a b c d e f", sample=5)
    assert len(shuffled) == 5
    assert all(sorted(text.split()) == list("abcdef") for text in shuffled)
    assert len(set(shuffled)) > 1
    assert outcomes("duplicate", "A b.") == ["A b. A b."]
    assert outcomes("duplicate", "") == [""]
    assert outcomes("lower-case", "A B É") == ["a b é"]


def test_one_number_is_changed_at_a_time() -> None:
    found = outcomes("swap-number", "In 1999 he paid 3,50 for ٣٤.")
    assert len(found) == 3
    for text, (before, number, after) in zip(
        found,
        [("In ", "1999", " he paid 3,50 for ٣٤."), ("In 1999 he paid ", "3,50", " for ٣٤."), ("for ", "٣٤", ".")],
        strict=True,
    ):
        start = text.index(before) + len(before)
        new = text[start : start + len(number)]
        assert text.endswith(after)
        assert int(new[0]) != 0
        assert all((a == b) is (not b.isdecimal()) for a, b in zip(new, number, strict=True))
    assert outcomes("swap-number", "no number") == ["no number"]


def test_names_come_from_other_outputs() -> None:
    outputs = ("Then Ada Byron Lovelace, a writer, left.", "She met Charles Babbage.", "no name")
    assert outcomes("swap-entities", outputs[0], outputs=outputs, sample=1) == [
        "Then Charles Babbage, a writer, left."
    ]
    assert outcomes("swap-entities", outputs[1], outputs=outputs, sample=1) == ["She met Ada Byron Lovelace."]
    assert outcomes("swap-entities", outputs[2], outputs=outputs) == ["no name"]
    assert outcomes("swap-entities", outputs[1], outputs=outputs[1:]) == [outputs[1]]


def test_unrelated_text_is_another_output() -> None:
    outputs = ("a", "b", None, "c", "a")
    for seed in range(5):
        assert sorted(outcomes("unrelated", "a", seed, outputs=outputs)) == ["b", "c"]
        assert len(outcomes("unrelated", "a", seed, outputs=outputs, sample=1)) == 1
    assert outcomes("unrelated", "a", outputs=("a", None)) == ["a"]


def test_registry() -> None:
    assert names()[: len(BUILT_IN)] == ALL
    assert len(SANITY) == 10
    with pytest.raises(UnknownName, match="unknown edit 'random-teh'; did you mean 'random-the'"):
        get("random-teh")
    with pytest.raises(UnknownName):
        get("random-the+")


def test_edits_of_a_language() -> None:
    both = {"source", "references"}
    assert possible("en", both) == (names(), {})
    assert list(possible("ja", both)[1]) == ["drop-negation"]
    assert possible("la", both)[0] == [edit.name for edit in SANITY if edit.name != "drop-negation"]
    assert {name: str(why) for name, why in possible("en", {"source"})[1].items()} == {
        "copy-reference": "it needs references"
    }
    assert str(get("copy-source+copy-reference").lacks("en", ())) == "it needs references and source"
    assert get("drop-negation+random-the").languages == ARTICLES & NEGATIONS
    assert get("lower-case+random-the").languages == ARTICLES
    for name in names():
        for lang in get(name).languages or ():
            assert outcomes(name, "one two three", lang=lang)


SHOUT = Edit("shout", "in capitals", lambda segment, rng: [segment.output.upper()])


def test_other_packages_register_edits(package: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shouting", SimpleNamespace(SHOUT=SHOUT))
    package("plainly.edits", {"shout": "shouting:SHOUT"})
    assert outcomes("shout+replace-longest", "a longest b") == ["A THE B"]
    assert names()[-1] == "shout"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("shout", "no_such_package:SHOUT", "cannot be loaded"),
        ("shout", "json:dumps", "is not a plainly.gaming.Edit"),
        ("unrelated", "json:dumps", "registered twice"),
    ],
)
def test_what_cannot_be_registered_is_said(package: Callable[..., Path], name: str, value: str, message: str) -> None:
    package("plainly.edits", {name: value})
    assert names() == ALL  # the others are there
    (fault,) = broken()
    assert message in fault
    if name not in ALL:
        with pytest.raises(PlainlyError, match=message):
            get(name)
