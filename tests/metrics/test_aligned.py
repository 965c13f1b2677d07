"""Metrics over aligned sentences: what the sentence metric says of the groups, and nearly what it says of lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plainly
from plainly import metrics
from plainly.corpus import Corpus

RIVER = "The river rises in the northern mountains and flows through seven towns."
MILLS = "Water mills once lined its banks, but most of them were demolished after the flood of 1910."
FISH = "Biologists have recently reintroduced salmon, which had been extinct there for decades."
EASY = [
    "The river starts in the northern mountains.",
    "Water mills lined its banks. Most of them were demolished after the flood.",
    "Biologists have brought back salmon.",
]
INNER = {"aligned-sari": "sari", "aligned-bleu": "bleu"}
both = pytest.mark.parametrize("name", INNER)


def score(name: str, corpus: Corpus) -> float:
    metric = metrics.get(name)
    return float(metric.score(metric.measure(corpus, "it").sum(axis=0)).value)


@both
def test_a_document_scores_as_its_aligned_sentences(name: str) -> None:
    references = [[*EASY], ["The river flows through seven towns.", "Most water mills are gone.", FISH]]
    document = Corpus(
        [" ".join([RIVER, MILLS, FISH])], [[" ".join(text) for text in references]], {"it": [" ".join(EASY[::-1])]}
    )
    sentences = Corpus([RIVER, MILLS, FISH], list(zip(*references, strict=True)), {"it": EASY})
    metric = metrics.get(name)
    assert metric.measure(document, "it")[0, -1] == 3  # groups; the output has them in another order
    assert score(name, document) == pytest.approx(score(INNER[name], sentences))
    whole = Corpus(document.sources, document.references, document.outputs)
    assert score(name, document) != pytest.approx(score(INNER[name], whole), abs=0.5)


@both
def test_deletion_and_insertion(name: str) -> None:
    """A deleted sentence is a group with an empty text; an inserted one joins the sentence before it."""
    hint = "Salmon are fish."
    document = Corpus([f"{RIVER} {MILLS} {FISH}"], [[f"{RIVER} {FISH} {hint}"]], {"it": [f"{hint} {RIVER} {MILLS}"]})
    groups = Corpus(
        [RIVER, MILLS, FISH],
        [[RIVER], [""], [f"{FISH} {hint}"]],
        {"it": [f"{hint} {RIVER}", MILLS, ""]},
    )
    assert score(name, document) == pytest.approx(score(INNER[name], groups))


@both
def test_sentences_that_any_text_merges_are_one_group(name: str) -> None:
    merged = "Water mills lined the banks, and biologists have reintroduced the extinct salmon."
    document = Corpus([f"{RIVER} {MILLS} {FISH}"], [[f"{RIVER} {merged}"]], {"it": [f"{RIVER} {MILLS}"]})
    groups = Corpus([RIVER, f"{MILLS} {FISH}"], [[RIVER], [merged]], {"it": [RIVER, MILLS]})
    assert score(name, document) == pytest.approx(score(INNER[name], groups))


@both
def test_what_cannot_be_scored(name: str) -> None:
    corpus = Corpus(
        [RIVER, None, RIVER, RIVER, ""],
        [[RIVER], [RIVER], [], [RIVER], [RIVER]],
        {"it": [RIVER, RIVER, RIVER, None, RIVER]},
    )
    rows = metrics.get(name).measure(corpus, "it")
    assert rows[:, 0].tolist() == [1, 0, 0, 0, 1]
    assert not rows[1:4].any()


def test_signature_says_how_it_was_aligned() -> None:
    signature = metrics.get("aligned-sari").signature("2")
    assert signature.startswith("aligned-sari|lang:en|tok:13a|case:lower|refs:2|variant:easse|")
    assert "|sentences:builtin|alignment:ngrams|" in signature


@pytest.mark.slow
def test_documents_of_real_sentences_score_as_the_sentences_do(shared: Path) -> None:
    """ASSET in documents of ten lines: over aligned sentences, SARI and BLEU are what they are line by line."""

    def lines(path: Path) -> list[str]:
        return path.read_text("utf-8").removesuffix("\n").split("\n")

    data = shared / "data"
    sources = lines(data / "asset" / "asset.test.orig")
    references = list(zip(*(lines(data / "asset" / f"asset.test.simp.{i}") for i in range(3)), strict=True))
    published = data / "system_outputs" / "asset_turkcorpus"
    outputs = {name: lines(published / f"{name}.txt") for name in ("Dress-Ls", "UNTS_10K")}
    by_line = plainly.evaluate(sources, outputs, references, metrics=["sari", "bleu"], intervals=None)
    documents = [str(i // 10) for i in range(len(sources))]
    by_document = plainly.evaluate(
        sources,
        outputs,
        references,
        metrics=[*INNER, *INNER.values()],
        documents=documents,
        unit="document",
        intervals=None,
    )
    for system in outputs:
        for name, inner in INNER.items():
            line, aligned = by_line[system][inner].score, by_document[system][name].score
            assert aligned == pytest.approx(line, abs=0.15)
        assert abs(by_document[system]["sari"].score - by_line[system]["sari"].score) > 0.5  # without an alignment
    assert by_document["Dress-Ls"]["aligned-sari"].scored == 36


def test_rows_do_not_depend_on_the_other_documents() -> None:
    metric = metrics.get("aligned-sari")
    corpus = Corpus([f"{RIVER} {FISH}", MILLS], [[RIVER], [EASY[1]]], {"it": [EASY[0], MILLS]})
    alone = [metric.measure(corpus.slice(i, i + 1), "it") for i in range(2)]
    np.testing.assert_allclose(np.concatenate(alone), metric.measure(corpus, "it"))
