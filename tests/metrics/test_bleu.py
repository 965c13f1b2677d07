"""BLEU equals sacrebleu's."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly import metrics
from plainly.corpus import Corpus

tokens = st.sampled_from([*["The", "the", "cat", "sat", "on", "mat"], ".", ",", "U.S.", "3.5", "(a)"])
texts = st.lists(tokens, max_size=9).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    n = draw(st.integers(1, 5))
    references = draw(st.integers(1, 3))
    return (
        draw(st.lists(texts, min_size=n, max_size=n)),
        [draw(st.lists(texts, min_size=references, max_size=references)) for _ in range(n)],
    )


def corpus(outputs: list[str], references: list[list[str]]) -> Corpus:
    return Corpus([""] * len(outputs), references, {"it": outputs})


@settings(max_examples=2 * settings.default.max_examples)
@given(corpora(), st.booleans())
def test_corpus_bleu(data: tuple[list[str], list[list[str]]], lowercase: bool) -> None:
    outputs, references = data
    peer = sacrebleu.BLEU(lowercase=lowercase, force=True).corpus_score(outputs, list(zip(*references, strict=True)))
    metric = metrics.get("bleu", lowercase=lowercase)
    ours = metric.score(metric.measure(corpus(outputs, references), "it").sum(axis=0))
    assert float(ours.value) == pytest.approx(peer.score, abs=1e-9)
    assert float(ours.components["brevity_penalty"]) == pytest.approx(peer.bp, abs=1e-12)
    assert float(ours.components["output_length"]) == peer.sys_len
    assert float(ours.components["reference_length"]) == peer.ref_len
    for n, precision in enumerate(peer.precisions, 1):
        assert float(ours.components[f"precision_{n}"]) == pytest.approx(precision, abs=1e-9)


@settings(max_examples=2 * settings.default.max_examples)
@given(corpora())
def test_sentence_bleu(data: tuple[list[str], list[list[str]]]) -> None:
    outputs, references = data
    peer = sacrebleu.BLEU(smooth_method="floor", effective_order=True, lowercase=True, force=True)
    scores = [peer.sentence_score(o, r).score for o, r in zip(outputs, references, strict=True)]
    metric = metrics.get("bleu-sentence")
    rows = metric.measure(corpus(outputs, references), "it")
    assert metric.score(rows).value.tolist() == pytest.approx(scores, abs=1e-9)
    assert float(metric.score(rows.sum(axis=0)).value) == pytest.approx(sum(scores) / len(scores), abs=1e-9)


def test_ragged_references_as_sacrebleu_takes_them() -> None:
    outputs = ["the cat sat", "on a mat today", "x y"]
    ragged = [["the cat sat down", "a cat sat"], ["on the mat today"], ["x", "y z", "x y z"]]
    padded = [[group[i] if i < len(group) else None for group in ragged] for i in range(3)]
    metric = metrics.get("bleu")
    ours = metric.score(metric.measure(corpus(outputs, ragged), "it").sum(axis=0))
    assert float(ours.value) == pytest.approx(sacrebleu.BLEU().corpus_score(outputs, padded).score, abs=1e-9)
