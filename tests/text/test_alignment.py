"""Sentence alignment: cases by hand, properties of every alignment, and gold alignments of real documents."""

from __future__ import annotations

import csv
import random
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.text.alignment import (
    CROSSING,
    GRAM,
    REACH,
    THRESHOLD,
    WIDEST,
    Link,
    _in_order,
    _vectors,
    align,
    align_sentences,
)
from plainly.text.languages import get_language

Pairs = list[tuple[tuple[int, ...], tuple[int, ...]]]


def pairs(source: str, output: str, lang: str = "en") -> Pairs:
    return [(link.source, link.output) for link in align(source, output, lang).links]


RIVER = "The river rises in the northern mountains and flows through seven towns."
MILLS = "Water mills once lined its banks, but most of them were demolished after the flood of 1910."
FISH = "Biologists have recently reintroduced salmon, which had been extinct there for decades."


def test_one_to_one_and_deletion() -> None:
    output = "The river starts in the northern mountains. Biologists have brought back salmon."
    assert pairs(f"{RIVER} {MILLS} {FISH}", output) == [((0,), (0,)), ((1,), ()), ((2,), (1,))]


def test_a_sentence_is_split() -> None:
    output = (
        "The river rises in the mountains. Water mills lined the banks. Most mills were demolished after the flood. "
        "Biologists reintroduced salmon."
    )
    assert pairs(f"{RIVER} {MILLS} {FISH}", output) == [((0,), (0,)), ((1,), (1, 2)), ((2,), (3,))]


def test_sentences_are_merged() -> None:
    output = "Water mills lined the banks, and biologists have reintroduced the extinct salmon. The end."
    assert pairs(f"{RIVER} {MILLS} {FISH}", output) == [((0,), ()), ((1, 2), (0,)), ((), (1,))]


def test_sentences_change_places() -> None:
    assert pairs(f"{RIVER} {MILLS} {FISH}", f"{MILLS} {RIVER} {FISH}") == [((0,), (1,)), ((1,), (0,)), ((2,), (2,))]


def test_an_insertion_follows_the_sentence_before_it() -> None:
    output = f"Listen! {RIVER} Towns are places where people live together. {FISH}"
    assert pairs(f"{RIVER} {MILLS} {FISH}", output) == [
        ((), (0,)),
        ((0,), (1,)),
        ((), (2,)),
        ((1,), ()),
        ((2,), (3,)),
    ]


def test_similarity_is_that_of_the_texts() -> None:
    assert align(RIVER, RIVER, "en").links == [Link((0,), (0,), pytest.approx(1.0))]
    assert align("ab", "cd", "en").links == [Link((), (0,), 0.0), Link((0,), (), 0.0)]
    # One of two n-grams is in both sentences, the others are in one: with idf ln(1 + 2/2) and ln(1 + 2/1), the cosine
    # is ln(2)^2 / (ln(2)^2 + ln(3)^2).
    assert align("ab cd", "ab xy", "en").links[0].similarity == pytest.approx(0.28472, abs=1e-5)


def test_nothing_to_align() -> None:
    assert align("", "", "en").links == []
    assert pairs("", "One. Two.") == [((), (0,)), ((), (1,))]
    assert pairs("One. Two.", "") == [((0,), ()), ((1,), ())]
    assert pairs("...", "!?") == [((), (0,)), ((0,), ())]


def test_languages_without_blanks() -> None:
    source = "川は北の山に源を発し、七つの町を流れる。かつて岸辺には水車が並んでいた。"
    assert pairs(source, "川は七つの町を流れる。昔は水車が並んでいた。", "ja") == [((0,), (0,)), ((1,), (1,))]


words = st.sampled_from(["The", "river", "flows", "on", "mills", "salmon", "towns", "1910", "漢字", "…"])
sentences = st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), max_size=9)


@given(sentences, sentences)
def test_every_sentence_is_in_one_link(source: list[str], output: list[str]) -> None:
    links = align_sentences(source, output, "en")
    assert sorted(chain.from_iterable(link.source for link in links)) == list(range(len(source)))
    assert sorted(chain.from_iterable(link.output for link in links)) == list(range(len(output)))
    firsts = [link.source[0] for link in links if link.source]
    assert firsts == sorted(firsts)
    for link in links:
        assert -1e-9 <= link.similarity <= 1 + 1e-9
        assert (link.similarity > 0) == bool(link.source and link.output)
        assert min(len(link.source), len(link.output)) <= 1


@given(sentences, sentences)
def test_links_in_order_are_worth_most(source: list[str], output: list[str]) -> None:
    """The dynamic programme against a search of all alignments, in plain recursion."""
    first, second = _vectors(source, output, GRAM)

    def worth(a: int, i: int, b: int, j: int) -> float:
        """Of the sources a .. i - 1 as the outputs b .. j - 1, their vectors added up."""
        product = first.products(a, i, second, b, j).sum()
        norms = [v.products(x, y, v, x, y).sum() ** 0.5 for v, x, y in ((first, a, i), (second, b, j))]
        return float(product / (norms[0] * norms[1] or 1.0)) - THRESHOLD

    @cache
    def best(i: int, j: int) -> float:
        options = [0.0]
        if i:
            options.append(best(i - 1, j))
        if j:
            options.append(best(i, j - 1))
        for k in range(1, WIDEST + 1):
            if i and j >= k:
                options.append(best(i - 1, j - k) + worth(i - 1, i, j - k, j))
            if j and i >= k:
                options.append(best(i - k, j - 1) + worth(i - k, i, j - 1, j))
        return max(options)

    found = sum(link.similarity - THRESHOLD for link in _in_order(first, second))
    assert found == pytest.approx(best(len(source), len(output)), abs=1e-9)


def test_a_long_text() -> None:
    """More than 100,000 characters in 1,000 sentences, of which a fifth is deleted."""
    draw = random.Random(5)
    vocabulary = [f"{a}{b}" for a in ("lamp", "river", "stone", "tree", "word") for b in range(400)]
    source = [" ".join(draw.choices(vocabulary, k=14)) for _ in range(1000)]
    output = [" ".join(sentence.split()[:9]) for sentence in source if draw.random() > 0.2]
    assert sum(map(len, source)) > 100_000
    links = align_sentences(source, output, "en")
    assert sum(1 for link in links if link.source and link.output) == len(output)


@pytest.mark.slow
def test_texts_longer_than_the_reach() -> None:
    size = 4 * REACH
    source = [f"word{i} thing{i}" for i in range(size)]
    links = align_sentences(source, source, "en")
    assert [(link.source, link.output) for link in links] == [((i,), (i,)) for i in range(size)]


# ---- real documents


def split(segments: list[tuple[int, str]], lang: str) -> tuple[list[int], list[str]]:
    found = [(i, sentence) for i, text in segments for sentence in get_language(lang).split_sentences(text)]
    return [i for i, _ in found], [sentence for _, sentence in found]


def precision_and_recall(
    documents: list[tuple[list[tuple[int, str]], list[tuple[int, str]]]], lang: str
) -> tuple[float, float]:
    """Of links between segments, where both sides of an aligned pair have the same number."""
    right = found = wanted = 0
    for source, output in documents:
        (a, sources), (b, outputs) = split(source, lang), split(output, lang)
        links = align_sentences(sources, outputs, lang)
        made = {(a[i], b[j]) for link in links for i in link.source for j in link.output}
        right += sum(1 for i, j in made if i == j)
        found += len(made)
        wanted += len(set(a) & set(b))
    return right / found, right / wanted


def test_gold_alignments_of_german_documents(shared: Path) -> None:
    """DEplain-web, aligned by hand: what docs/documents.md says of every other document."""
    home = shared / "data" / "german" / "deplain_web"
    texts = [
        (home / f"deplain_web.test.{side}").read_text("utf-8").removesuffix("\n").split("\n")
        for side in ("orig", "simp")
    ]
    with (home / "deplain_web.test.meta.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    documents: dict[tuple[str, str], list[int]] = {}
    for i, row in enumerate(rows):
        documents.setdefault((row["corpus"], row["pair_id"]), []).append(i)

    def in_order(members: list[int], side: int) -> list[tuple[int, str]]:
        name = ("original_id", "simplification_id")[side]
        place = {i: tuple(map(int, rows[i][name].split("|")[0].split("-"))) for i in members}
        return [(i, texts[side][i]) for i in sorted(members, key=lambda i: place[i])]

    kept = [members for members in documents.values() if len(members) >= 3]
    half = [(in_order(members, 0), in_order(members, 1)) for members in kept[1::2]]
    precision, recall = precision_and_recall(half, "de")
    assert len(half) == 66
    assert precision > 0.89
    assert recall > 0.87


def test_documents_made_of_english_pairs(shared: Path) -> None:
    lines = {
        side: (shared / "data" / "asset" / f"asset.test.{side}").read_text("utf-8").removesuffix("\n").split("\n")
        for side in ("orig", "simp.3")
    }
    draw = random.Random(2)
    documents = []
    for start in range(0, 359, 20):
        members = list(range(start, min(start + 20, 359)))
        moved = list(members)
        for k in range(0, len(moved) - 1, 2):
            if draw.random() < 0.2:
                moved[k], moved[k + 1] = moved[k + 1], moved[k]
        documents.append(([(i, lines["orig"][i]) for i in members], [(i, lines["simp.3"][i]) for i in moved]))
    precision, recall = precision_and_recall(documents, "en")
    assert precision > 0.995
    assert recall > 0.99


def test_crossings_need_more_than_links_in_order() -> None:
    # "ab" alone is 1 of 3 words: too little to change places for.
    source = ["ab cd ef", "gh ij kl"]
    links = align_sentences(source, ["gh ij kl", "ab mn op"], "en")
    assert [(link.source, link.output) for link in links] == [((0,), ()), ((1,), (0,)), ((), (1,))]
    moved = align_sentences(source, ["gh ij kl", "ab cd op"], "en")
    assert [(link.source, link.output) for link in moved] == [((0,), (1,)), ((1,), (0,))]
    assert moved[0].similarity >= CROSSING
