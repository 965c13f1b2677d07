"""BLEU, SARI and features of the German systems, beside what the functions of EASSE-DE gave (shared/oracle)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plainly.corpus import Corpus
from plainly.scoring import Evaluation, evaluate

SETS = {"DEplain-web": "deplain_web/deplain_web", "GEOlino": "geolino/geolino"}
SETTINGS = {"none": "none", "13a": "13a", "spacy-de": "spacy", "spacy-en": "spacy"}


@pytest.fixture(scope="module")
def oracle(shared: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((shared / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]
    return content


@cache
def read(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text("utf-8").removesuffix("\n").split("\n")]


@cache
def corpus(shared: Path, name: str) -> Corpus:
    """The test set with all outputs that the oracle and our copy of the data have; the files are named as there."""
    stem = shared / "data" / "german" / SETS[name]
    outputs = {path.name: read(path) for path in sorted((stem.parent / "system_outputs").glob("*.txt"))}
    references = [[text] for text in read(stem.parent / f"{stem.name}.test.simp")]
    return Corpus(read(stem.parent / f"{stem.name}.test.orig"), references, outputs, lang="de")


def known_systems(oracle: dict[str, Any], texts: Corpus, name: str) -> dict[str, Any]:
    """Output file -> what the oracle says of it; the oracle names some files otherwise."""
    found = {}
    for key, record in oracle[name]["systems"].items():
        file = key.removeprefix("easse-multi:").removesuffix("_clean.txt")
        if file in texts.outputs and not (key != file and file in oracle[name]["systems"]):
            found[file] = record
    return found


def scored(texts: Corpus, metrics: list[str], **settings: Any) -> Evaluation:
    lang = settings.pop("lang", "de")
    return evaluate(
        texts.sources, texts.outputs, texts.references, lang=lang, metrics=metrics, intervals=None, **settings
    )


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize(
    "setting", ["none", "13a", *(pytest.param(name, marks=pytest.mark.slow) for name in ("spacy-de", "spacy-en"))]
)
def test_bleu_and_sari(shared: Path, oracle: dict[str, Any], name: str, setting: str, lowercase: bool) -> None:
    if setting.startswith("spacy"):
        pytest.importorskip("spacy")
    texts = corpus(shared, name)
    lang = "en" if setting == "spacy-en" else "de"
    found = scored(texts, ["bleu", "sari"], tokenizer=SETTINGS[setting], lowercase=lowercase, lang=lang)
    known = known_systems(oracle, texts, name)
    assert len(known) >= 12
    # The tokens of spaCy may move with its version; the counts of words are checked in tests/text.
    tolerance = 0.005 if setting.startswith("spacy") else 1e-6
    for system, record in known.items():
        expected = record["settings"][f"{setting}|lc={lowercase}"]
        sari = found[system]["sari"]
        values = [
            found[system]["bleu"].score,
            sari.score,
            *(sari.components[part] for part in ("add", "keep", "delete")),
        ]
        assert values == pytest.approx(
            [expected[key] for key in ("BLEU", "SARI", "SARI_add", "SARI_keep", "SARI_del")], abs=tolerance
        ), system


@pytest.mark.parametrize("name", SETS)
def test_features(shared: Path, oracle: dict[str, Any], name: str) -> None:
    texts = corpus(shared, name)
    names = {"compression_ratio": "compression-ratio", "levenshtein_similarity": "levenshtein-similarity"}
    found = scored(texts, list(names.values()), tokenizer="none", lowercase=False)
    for system, record in known_systems(oracle, texts, name).items():
        for key, metric in names.items():
            assert found[system][metric].score == pytest.approx(record["features"][key], abs=1e-6), (system, metric)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_copies(shared: Path, oracle: dict[str, Any], name: str) -> None:
    pytest.importorskip("spacy")
    texts = corpus(shared, name)
    found = scored(texts, ["exact-copies"], tokenizer="spacy", lowercase=False)
    for system, record in known_systems(oracle, texts, name).items():
        assert found[system]["exact-copies"].score == pytest.approx(record["features"]["exact_copies"], abs=1e-9), (
            system
        )
