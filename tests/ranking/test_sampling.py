"""Texts drawn from parallel corpora: equal sides, never both of a pair, balanced, no duplicates; and the folder."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.ranking import read_texts
from plainly.ranking.dataset import add_scores, contrast, write_dataset
from plainly.ranking.pair_files import read_pairs
from plainly.ranking.pairing import balanced_pairs
from plainly.ranking.repair import repaired
from plainly.ranking.sampling import LABELS, Sample, TextPair, draw_texts, words

from ..real import NOT_HERE, SHARED

ARTS = SHARED / "data" / "arts"


def corpus(name: str, size: int, domain: str = "") -> list[TextPair]:
    """Pairs without a word in common."""
    return [
        TextPair(
            " ".join(f"{name}long{i}w{j}" for j in range(6)),
            (" ".join(f"{name}short{i}w{j}" for j in range(3)),),
            domain,
            f"{name}:{i}",
        )
        for i in range(size)
    ]


@given(st.lists(st.integers(2, 12), min_size=1, max_size=4), st.integers(2, 30), st.integers(0, 2**32))
def test_equal_sides_and_never_both_of_a_pair(sizes: list[int], count: int, seed: int) -> None:
    corpora = {f"c{i}": corpus(f"c{i}", size) for i, size in enumerate(sizes)}
    count = min(count, sum(sizes))
    sample = draw_texts(corpora, count, seed=seed)
    sides = Counter(text.label for text in sample.texts)
    assert sides["source"] - sides["simplified"] == count % 2
    assert len({text.place for text in sample.texts}) == count
    assert len({text.id for text in sample.texts}) == count


@pytest.mark.parametrize(("names", "said"), [("a", "3 pairs in 1 corpus"), ("ab", "6 pairs in 2 corpora")])
def test_too_many_texts(names: str, said: str) -> None:
    with pytest.raises(PlainlyError, match=f"{said}$"):
        draw_texts({name: corpus(name, 3) for name in names}, 50)


def test_balanced_over_corpora_and_domains() -> None:
    corpora = {
        "a": corpus("a", 100, "news"),
        "b": corpus("b", 100, "news"),
        "c": corpus("c", 100, "law"),
        "d": corpus("d", 4, "law"),
    }
    sample = draw_texts(corpora, 80, seed=1)
    cells = Counter((text.domain, text.label) for text in sample.texts)
    assert set(cells.values()) == {20}
    corpora_counts = Counter((text.corpus, text.label) for text in sample.texts)
    assert corpora_counts["a", "source"] == corpora_counts["b", "source"] == 10
    assert corpora_counts["d", "source"] + corpora_counts["d", "simplified"] == 4  # all it has; c makes up for it
    assert corpora_counts["c", "source"] + corpora_counts["c", "simplified"] == 36


def test_same_seed_same_texts() -> None:
    corpora = {"a": corpus("a", 30)}
    assert draw_texts(corpora, 10, seed=4) == draw_texts(corpora, 10, seed=4)
    assert draw_texts(corpora, 10, seed=4) != draw_texts(corpora, 10, seed=5)


def test_duplicates_and_near_duplicates_are_passed_over() -> None:
    """Of "one two three four" and "one two three five", 3 of 5 words are in both: Jaccard .6."""
    alike = ["one two three four", "one two three five"]
    simplified = [TextPair("", (word,)) for word in ("alpha", "beta", "gamma")]
    for sources, near, drawn, passed in (
        ([alike[0], "One, two: THREE four!"], 1.0, 1, "1 duplicate"),
        (alike, 0.6, 1, "1 near-duplicate"),
        (alike, 0.61, 2, ""),
    ):
        pairs = [*simplified, *(TextPair(source, ()) for source in sources)]
        assert len(draw_texts({"a": pairs}, 2 * drawn, near=near).texts) == 2 * drawn
        with pytest.raises(PlainlyError, match=rf"no source texts are left after {2 * drawn}.*{passed}"):
            draw_texts({"a": pairs}, 2 * drawn + 1, near=near)


def test_texts_of_an_earlier_dataset_do_not_come_again() -> None:
    pairs = corpus("a", 3)
    sample = draw_texts({"a": pairs}, 2, exclude=[pairs[0].source, pairs[1].source], seed=3)
    assert {text.original for text in sample.texts if text.label == "source"} == {pairs[2].source}


def test_length() -> None:
    pairs = [TextPair("x" * n, ("y" * n,)) for n in range(1, 21)]
    sample = draw_texts({"a": pairs}, 4, limit=5)
    assert max(len(text.text) for text in sample.texts) <= 5
    assert sample.limit == 5
    # 40 texts of lengths 1, 1, 2, 2, ...: nine tenths go up to 18.
    assert draw_texts({"a": pairs}, 6, cut_longest=0.1).limit == 18
    # A second corpus weighs as much however small it is: 20 and 2 texts, three quarters of the weight go up to ...
    other = [TextPair("z" * 100, ("w" * 100,))]
    assert draw_texts({"a": pairs, "b": other}, 6, cut_longest=0.25).limit == 100


def test_a_simplification_that_is_its_source_is_neither() -> None:
    pairs = [TextPair("one two", ("One two.",)), TextPair("three four", ("five",))]
    sample = draw_texts({"a": pairs}, 2)
    assert {text.label: text.text for text in sample.texts} == {"source": "one two", "simplified": "five"}


def test_repairs_come_before_the_checks() -> None:
    pairs = [TextPair("the end .", ("an -LRB- odd -RRB- one",)), TextPair("other words here", ("more of them",))]
    sample = draw_texts({"a": pairs}, 2, mend=repaired, limit=16)
    for text in sample.texts:
        assert text.text == repaired(text.original).text
        assert text.rules == repaired(text.original).rules


def test_words_in_scripts_without_blanks() -> None:
    assert words("Ein Wort, zwei") == ["ein", "wort", "zwei"]
    assert words("大きい家") == ["大", "き", "い", "家"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"count": 1}, "at least 2 texts, not 1"),
        ({"count": 4, "limit": 0}, "at least 1 character"),
        ({"count": 4, "cut_longest": 1.0}, "below 1"),
        ({"count": 4, "near": 0.0}, "near-duplicates"),
        ({"count": 40}, "no .* texts are left after 3"),
    ],
)
def test_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        draw_texts({"a": corpus("a", 3)}, **settings)  # type: ignore[arg-type]


def made(folder: Path) -> Sample:
    sample = draw_texts({"a|b": corpus("a", 20, "news"), "c": corpus("c", 20)}, 10)
    pairs = balanced_pairs(10, 20, np.random.default_rng(0))
    write_dataset(str(folder), sample, pairs, licence="CC0, our own", settings={"count": 10})
    return sample


def test_folder(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "set"
    sample = made(folder)
    texts = read_texts(folder / "texts.jsonl")
    assert [text.id for text in texts] == [text.id for text in sample.texts]
    assert texts[0].fields["characters"] == len(texts[0].text)
    pairs = read_pairs(folder / "pairs.csv")
    assert len(pairs) == 20
    assert {pair.first for pair in pairs} | {pair.second for pair in pairs} == {text.id for text in texts}
    readme = (folder / "README.md").read_text("utf-8")
    for said in ("seed 12345", "5 source, 5 simplified", "Licence: CC0, our own", r"| a\|b | news |", '"count": 10'):
        assert said in readme
    for corpus in ("a|b", "c"):
        own = [text for text in sample.texts if text.corpus == corpus]
        sides = [[len(text.text) for text in own if text.label == label] for label in LABELS]
        said = " | ".join(f"{len(lengths)} | {sum(lengths) / len(lengths):.1f}" for lengths in sides)
        assert f" | {said} |\n" in readme
    assert [path.name for path in folder.parent.iterdir()] == ["set"]
    with pytest.raises(PlainlyError, match="is there already"):
        made(folder)


def test_scores_are_added_with_statistics(tmp_path: Path) -> None:
    sample = made(tmp_path / "set")
    table = tmp_path / "scores.csv"
    lines = [f"{text.id},{0.8 if text.label == 'source' else 0.1 * i}" for i, text in enumerate(sample.texts)]
    table.write_text("\n".join(["text,score", *lines]), "utf-8")
    for _ in range(2):  # a second time replaces the first
        found = add_scores(str(tmp_path / "set"), str(table))
    assert found is not None
    assert found.source.mean == pytest.approx(0.8)
    readme = (tmp_path / "set" / "README.md").read_text("utf-8")
    assert readme.count("Mann-Whitney") == 1
    assert "Shapiro-Wilk (a small p: not normal): source p = nan, simplified p = " in readme  # all sources have 0.8
    with (tmp_path / "set" / "scores.csv").open(encoding="utf-8") as stream:
        assert [row["id"] for row in csv.DictReader(stream)] == [text.id for text in sample.texts]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text,score\nx,1\n", r"s\.csv:2: text x is not among the texts"),
        ("text,score\na,1\na,1\n", r"s\.csv:3: text a is there twice"),
        ("text,score\na,high\n", r"s\.csv:2: score must be a number"),
        ("text,score\na,1\n", r"s\.csv: text b has no score"),
    ],
)
def test_faulty_scores(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "s.csv").write_text(content, "utf-8")
    (tmp_path / "texts.jsonl").write_text('{"id": "a", "text": "A."}\n{"id": "b", "text": "B."}\n', "utf-8")
    with pytest.raises(PlainlyError, match=message):
        add_scores(str(tmp_path), str(tmp_path / "s.csv"))


# Engelmann et al. (2024), appendix A.7: means of source and simplified texts, and p (none printed where not
# significant). Which ratings reproduce which line: shared/notes/arts.md, section 2.3.
A7 = [
    ("arts94", "arts94_gold5", 0.5289, 0.4698, None),
    ("arts94", "gpt4_arts94", 0.5448, 0.4532, None),
    ("arts300", "gpt4_arts300", 0.5447, 0.4603, 0.0119),
    ("arts3000", "gpt4_arts3000", 0.5241, 0.4759, 5.06e-6),
]


@pytest.mark.skipif(not ARTS.exists(), reason=NOT_HERE)
@pytest.mark.parametrize(("texts", "ratings", "source", "simplified", "p"), A7)
def test_statistics_of_the_paper(texts: str, ratings: str, source: float, simplified: float, p: float | None) -> None:
    lines = (ARTS / "texts" / f"{texts}.jsonl").read_text("utf-8").splitlines()
    labels = {str(row["text_id"]): row["label"] for row in map(json.loads, lines)}
    with (ARTS / "derived" / f"{ratings}_elo_k16.csv").open(encoding="utf-8") as stream:
        scores = {row["text_id"]: float(row["score_rank"]) for row in csv.DictReader(stream)}
    found = contrast([labels[name] for name in scores], list(scores.values()))
    assert found.source.mean == pytest.approx(source, abs=5e-5)
    assert found.simplified.mean == pytest.approx(simplified, abs=5e-5)
    if p is None:
        assert found.test.p > 0.05
    else:
        assert found.test.p == pytest.approx(p, rel=0.005)
