"""chrF and TER: equal to sacrebleu's corpus and sentence scores, for any number of references a segment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus

OUTPUTS = ["The cat sat on the mat.", "He came home. He slept.", "", "Äpfel  kosten 3,50 €"]
REFERENCES = [
    ["A cat sat on a mat.", "on the mat the cat sat."],
    ["He came home and slept.", ""],
    ["Nothing is left.", "Gone."],
    ["Die Äpfel kosten 3,50 €.", "äpfel kosten 3,50 €"],
]
PEERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("chrf", {}, {}),
    ("chrf", {"lowercase": True, "char_order": 4}, {"lowercase": True, "char_order": 4}),
    ("chrf", {"word_order": 2, "beta": 3}, {"word_order": 2, "beta": 3}),
    ("ter", {}, {}),
    ("ter", {"lowercase": False}, {"case_sensitive": True}),
]
BOTH = pytest.mark.parametrize("name", ["chrf", "ter"])

# hypothesis: short texts of few words, so that there are matches, shifts and repeats
WORDS = st.lists(st.sampled_from(["a", "B", "cat", "cats", "sat.", "Ü"]), max_size=6).map(" ".join)
GROUPS = st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=3)), min_size=1, max_size=4)


def corpus(outputs: list[str | None], references: list[list[str]]) -> Corpus:
    return Corpus([None] * len(outputs), references, {"s": outputs})


def value(metric: metrics.Metric, data: Corpus) -> float:
    return float(metric.score(metric.measure(data, "s").sum(axis=0)).value)


@pytest.mark.parametrize(("name", "ours", "theirs"), PEERS)
def test_equals_sacrebleu(name: str, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    metric, peer = metrics.get(name, **ours), getattr(sacrebleu.metrics, name.upper())(**theirs)
    columns = list(zip(*REFERENCES, strict=True))
    expected = peer.corpus_score(OUTPUTS, columns).score
    assert value(metric, corpus(OUTPUTS, REFERENCES)) == pytest.approx(expected, abs=1e-9)
    # each row alone is sacrebleu's score of a corpus of that one segment
    rows = metric.measure(corpus(OUTPUTS, REFERENCES), "s")
    pairs = zip(OUTPUTS, REFERENCES, strict=True)
    alone = [peer.corpus_score([output], [[text] for text in group]).score for output, group in pairs]
    np.testing.assert_allclose(metric.score(rows).value, alone, atol=1e-9)


@pytest.mark.parametrize(("name", "ours", "theirs"), PEERS)
@given(groups=GROUPS)
def test_equals_sacrebleu_with_ragged_references(
    name: str, ours: dict[str, Any], theirs: dict[str, Any], groups: list[tuple[str, list[str]]]
) -> None:
    groups = [group for group in groups if group[1]]
    if groups:
        outputs, references = [group[0] for group in groups], [group[1] for group in groups]
        # sacrebleu takes None for a reference that is not there, but wants one in the first row
        columns = [[(*group, None, None)[k] for group in references] for k in range(3)]
        columns = [column for column in columns if any(text is not None for text in column)]
        peer = getattr(sacrebleu.metrics, name.upper())(**theirs)
        expected = peer._aggregate_and_compute(peer._extract_corpus_statistics(outputs, columns)).score
        ours_value = value(metrics.get(name, **ours), corpus(outputs, references))
        assert ours_value == pytest.approx(expected, abs=1e-9)


def test_ter_worked_by_hand() -> None:
    # "a b c d" -> "d a b c x": shift d to the front (1), insert x (1): 2 edits, 5 reference words
    # against "a b": delete c and d: 2 edits. Fewest edits 2, mean reference length (5 + 2) / 2 = 3.5
    metric = metrics.get("ter")
    rows = metric.measure(corpus(["a b c d"], [["d a b c x", "a b"]]), "s")
    assert rows.tolist() == [[1, 2, 3.5]]
    score = metric.score(rows[0])
    assert score.value == pytest.approx(100 * 2 / 3.5)
    assert {name: float(part) for name, part in score.components.items()} == {"edits": 2, "reference_length": 3.5}


def test_chrf_worked_by_hand() -> None:
    # "a bc" is abc without white space: unigrams a b c, bigrams ab bc; "abd": a b d, ab bd
    # matches 2 of 3 and 3, 1 of 2 and 2: P = R = (2/3 + 1/2) / 2 = 7/12, so F = 7/12 for any beta
    metric = metrics.get("chrf", char_order=2)
    rows = metric.measure(corpus(["a bc"], [["abd"]]), "s")
    assert rows.tolist() == [[1, 3, 3, 2, 2, 2, 1]]
    score = metric.score(rows[0])
    assert score.value == pytest.approx(700 / 12)
    assert score.components["precision_char_1"] == pytest.approx(200 / 3)
    assert score.components["recall_char_2"] == pytest.approx(50)


def test_chrf_takes_the_reference_that_is_best_for_its_beta() -> None:
    # "ab" against "abcdef" (P 1, R 1/3) and "ax" (P 1/2, R 1/2), unigrams: F1 is 1/2 for both, so the first
    # counts; F3 = 10 PR / (9P + R) is 10/28 and 1/2, so the second counts. The same corpus serves both.
    data = corpus(["ab"], [["abcdef", "ax"]])
    assert value(metrics.get("chrf", char_order=1, beta=3), data) == pytest.approx(50)
    rows = metrics.get("chrf", char_order=1, beta=1).measure(data, "s")
    assert rows[0].tolist() == [1, 2, 6, 2]


@BOTH
def test_what_is_missing_is_not_scored(name: str) -> None:
    metric = metrics.get(name)
    rows = metric.measure(corpus([None, "a", ""], [["a"], [], ["a"]]), "s")
    assert rows[:, 0].tolist() == [0, 0, 1]
    assert not rows[:2].any()
    scores = metric.score(rows)
    assert np.isnan(scores.value).tolist() == [True, True, False]
    assert all(np.isnan(part[:2]).all() for part in scores.components.values())


@BOTH
@given(groups=GROUPS, random=st.randoms(use_true_random=False))
def test_rows_belong_to_segments(name: str, groups: list[tuple[str, list[str]]], random: Any) -> None:
    metric = metrics.get(name)

    def rows_of(groups: list[tuple[str, list[str]]]) -> Any:
        return metric.measure(corpus([group[0] for group in groups], [group[1] for group in groups]), "s")

    rows = rows_of(groups)
    np.testing.assert_array_equal(rows, np.concatenate([rows_of([group]) for group in groups]))
    order = random.sample(range(len(groups)), len(groups))
    np.testing.assert_array_equal(rows_of([groups[i] for i in order]), rows[order])
    shuffled = rows_of([(output, random.sample(group, len(group))) for output, group in groups])
    np.testing.assert_allclose(metric.score(shuffled).value, metric.score(rows).value)


@BOTH
@given(output=st.text(), references=st.lists(st.text(), min_size=1, max_size=2))
def test_any_text_survives(name: str, output: str, references: list[str]) -> None:
    assert value(metrics.get(name), corpus([output], [references])) >= 0


@BOTH
def test_systems_share_one_pass_and_keep_their_own_rows(name: str) -> None:
    outputs = {"first": ["a b", None], "second": ["c", "a b"]}
    data = Corpus([None, None], [["a b"], ["a b", "c"]], outputs)
    metric = metrics.get(name)
    for system, texts in outputs.items():
        alone = metric.measure(Corpus([None, None], data.references, {system: texts}), system)
        np.testing.assert_array_equal(metric.measure(data, system), alone)


def test_signatures_say_what_sacrebleu_did() -> None:
    assert metrics.get("chrf").signature("2").startswith("chrf|lang:en|case:mixed|refs:2|")
    assert "tok:tercom" in metrics.get("ter").signature("2")
    for name in ("chrf", "ter"):
        assert f"sacrebleu:{sacrebleu.__version__}" in metrics.get(name).signature("2", long=True)


@pytest.mark.parametrize("bad", [{"char_order": 0}, {"word_order": -1}, {"beta": 0}])
def test_impossible_orders_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(PlainlyError, match="chrf needs"):
        metrics.get("chrf", **bad)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "references", "segments"),
    [("chrf", 10, 359), ("ter", 3, 100)],  # TER is slow
)
def test_equals_sacrebleu_on_asset(shared: Path, name: str, references: int, segments: int) -> None:
    def read(path: str) -> list[str]:
        return (shared / "data" / path).read_text("utf-8").split("\n")[:segments]

    outputs = read("system_outputs/asset_turkcorpus/Dress-Ls.txt")
    columns = [read(f"asset/asset.test.simp.{i}") for i in range(references)]
    expected = getattr(sacrebleu, f"corpus_{name}")(outputs, columns).score
    data = corpus(list(outputs), [list(group) for group in zip(*columns, strict=True)])
    assert value(metrics.get(name), data) == pytest.approx(expected, abs=1e-9)
