"""Every number of shared/oracle/easse_en.json whose texts are in shared/data: EASSE itself, run on real outputs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plainly import metrics
from plainly.corpus import Corpus
from plainly.corpus.corpus import truncated

from ..real import NOT_HERE, SHARED

OUTPUTS = SHARED / "data" / "system_outputs" / "asset_turkcorpus"
TEST_SETS = {
    "asset_test": ("asset/asset.test.orig", "asset/asset.test.simp.{}", 10),
    "turkcorpus_test": ("turkcorpus/turkcorpus.test.orig", "turkcorpus/turkcorpus.test.simp.{}", 8),
    "hsplit_test": ("hsplit/hsplit.test.tok.orig", "hsplit/hsplit.test.tok.simp.{}", 4),
    "turkcorpus_test_legacy": (
        "turkcorpus/legacy_tok_lower/turkcorpus.test.tok.orig",
        "turkcorpus/legacy_tok_lower/turkcorpus.test.tok.simp.{}",
        8,
    ),
}
OPERATIONS = {"add": "add", "keep": "keep", "del": "delete"}
FEATURES = {
    "Compression ratio": "compression-ratio",
    "Sentence splits": "sentence-splits:easse",
    "Levenshtein similarity": "levenshtein-similarity",
    "Exact copies": "exact-copies",
    "Additions proportion": "additions-proportion",
    "Deletions proportion": "deletions-proportion",
}


def lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


@cache
def oracle() -> dict[str, Any]:
    if not SHARED.is_dir():
        pytest.skip(NOT_HERE)
    content: dict[str, Any] = json.loads((SHARED / "oracle" / "easse_en.json").read_text())
    return content


@cache
def corpus(test_set: str) -> Corpus:
    """A test set with every output that shared/data has for it, so that its references are prepared once."""
    source, reference, count = TEST_SETS[test_set]
    sources = lines(SHARED / "data" / source)
    references = [lines(SHARED / "data" / reference.format(i)) for i in range(count)]
    folder = OUTPUTS / "tokenised_only" if test_set == "turkcorpus_test_legacy" else OUTPUTS
    outputs = {path.name.removesuffix(".txt"): lines(path) for path in folder.glob("*.txt")}
    outputs["Identity baseline"] = sources
    outputs["Truncate baseline"] = [truncated(text) for text in sources]
    return Corpus(sources, list(zip(*references, strict=True)), outputs)


@cache
def reference_baseline(test_set: str) -> Corpus:
    """Reference 0 against references 1, 1, 2, ...: as EASSE does it."""
    whole = corpus(test_set)
    others = [(group[1], *group[1:]) for group in whole.references]
    return Corpus(whole.sources, others, {"Reference baseline": [group[0] for group in whole.references]})


def covered(tokenizer: str) -> Iterator[tuple[dict[str, Any], Corpus]]:
    """The records whose texts are in shared/data, each with its corpus."""
    for record in oracle()["records"]:
        if record["tokenizer"] != tokenizer or record["kind"].startswith("muss"):
            continue
        if record["kind"].startswith("tokenised:"):
            record = {**record, "system": f"{record['system']}.{record['kind'].removeprefix('tokenised:')}"}
        found = (reference_baseline if record["system"] == "Reference baseline" else corpus)(record["test_set"])
        if record["system"] in found.outputs:
            yield record, found


def score(name: str, data: Corpus, record: dict[str, Any]) -> metrics.Score:
    settings = {"tokenizer": record["tokenizer"], "lowercase": record["lowercase"]}
    metric = metrics.configure(name, settings)
    return metric.score(metric.measure(data, record["system"]).sum(axis=0))


SLOW = ("intl", "none", "moses", "penn")
TOKENIZERS = ["13a", *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_sari_and_bleu(tokenizer: str) -> None:
    compared = 0
    for record, data in covered(tokenizer):
        where = f"{record['system']} on {record['test_set']}, lower {record['lowercase']}"
        sari = score("sari", data, record)
        assert float(sari.value) == pytest.approx(record["sari"], abs=1e-9), where
        for theirs, ours in OPERATIONS.items():
            assert float(sari.components[ours]) == pytest.approx(record[f"sari_{theirs}"], abs=1e-9), where
            for rate, values in record["per_ngram"][theirs].items():
                for n, value in enumerate(values, 1):
                    assert float(sari.components[f"{ours}_{rate}_{n}"]) == pytest.approx(value, abs=1e-9), where
        star = score("sari:star", data, record).value
        assert float(star) == pytest.approx(record["sari_del_precision_only"], abs=1e-9), where
        paper = score("sari:paper", data, record).value
        assert float(paper) == pytest.approx(record["sari_paper_version"]["sari"], abs=1e-9), where
        legacy = score("sari:easse-legacy", data, record).value
        assert float(legacy) == pytest.approx(record["sari_legacy"]["sari"], abs=1e-9), where
        mean = score("sari:easse-sentence", data, record).value
        assert float(mean) == pytest.approx(record["mean_sentence_sari"], abs=1e-9), where
        assert float(score("bleu", data, record).value) == pytest.approx(record["bleu"], abs=1e-6), where
        sentence_bleu = score("bleu-sentence", data, record).value
        assert float(sentence_bleu) == pytest.approx(record["mean_sentence_bleu"], abs=1e-6), where
        f1 = score("f1-token", data, record).value
        assert float(f1) == pytest.approx(record["f1_token"], abs=1e-6), where
        compared += 1
    assert compared >= 120


@pytest.mark.parametrize("tokenizer", ["13a", "none"])
def test_the_counts_behind_sari(tokenizer: str) -> None:
    records = list(covered(tokenizer))
    assert len(records) >= 120
    for record, data in records:
        settings = {"tokenizer": tokenizer, "lowercase": record["lowercase"], "reference_weighting": "counts"}
        metric = metrics.get("sari", **settings)
        totals = dict(zip(metric.columns, metric.measure(data, record["system"]).sum(axis=0), strict=True))
        for theirs, ours in OPERATIONS.items():
            for name, column in (("sys_correct", "correct"), ("sys_total", "made"), ("ref_total", "wanted")):
                counted = [totals[f"{ours}_{column}_{n}"] for n in (1, 2, 3, 4)]
                assert counted == record["counts"][f"{theirs}_{name}"], (record["system"], theirs, name)


@pytest.mark.slow
@pytest.mark.usefixtures("punkt")
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_fkgl_and_features(tokenizer: str) -> None:
    records = list(covered(tokenizer))
    assert len(records) >= 120
    for record, data in records:
        where = f"{record['system']} on {record['test_set']}, lower {record['lowercase']}"
        assert float(score("fkgl:easse", data, record).value) == pytest.approx(record["fkgl"], abs=1e-6), where
        for theirs, ours in FEATURES.items():
            value = record["quality_estimation"][theirs]
            assert float(score(ours, data, record).value) == pytest.approx(value, abs=1e-6), (where, ours)


def test_other_implementations_of_sari() -> None:
    # The original Python script (on 13a tokens) and Hugging Face's metric, run on the same outputs.
    compared: dict[str, int] = defaultdict(int)
    for other in oracle()["meta"]["other_sari_implementations"]:
        data = corpus(other["test_set"])
        settings = {"system": other["system"], "tokenizer": "13a", "lowercase": True}
        for variant, field in (("sentence", "xu2016_script_13a"), ("huggingface", "hf_evaluate_sari")):
            value = float(score(f"sari:{variant}", data, settings).value)
            assert value == pytest.approx(other[field], abs=1e-9), (other["system"], variant)
            compared[variant] += 1
    assert compared == {"sentence": 32, "huggingface": 32}


def test_sari_of_single_sentences() -> None:
    oracle()
    rows = json.loads((SHARED / "oracle" / "easse_sentence_sari.json").read_text())["per_sentence"]
    assert rows
    for row in rows:
        test_set, tokenizer, case = row["setting"].split("|")
        metric = metrics.get("sari", tokenizer=tokenizer, lowercase=case == "lowercase=True")
        alone = metric.score(metric.measure(corpus(test_set), row["system"])).value
        assert alone.tolist() == pytest.approx(row["sari"], abs=1e-9)


EDGES = SHARED / "oracle" / "easse_edge_cases.json"


def _edge_cases() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(EDGES.read_text())["cases"] if EDGES.exists() else []
    return cases


@pytest.mark.skipif(not EDGES.exists(), reason=NOT_HERE)
@pytest.mark.parametrize("case", _edge_cases(), ids=lambda c: f"{c['case']}-{c['tokenizer']}-{c['lowercase']}")
def test_edge_cases(case: dict[str, Any]) -> None:
    data = Corpus(case["orig"], list(zip(*case["refs"], strict=True)), {"it": case["sys"]})
    case = {**case, "system": "it"}
    assert float(score("sari", data, case).value) == pytest.approx(case["sari"]["sari"], abs=1e-9)
    alone = metrics.get("sari", tokenizer=case["tokenizer"], lowercase=case["lowercase"])
    assert alone.score(alone.measure(data, "it")).value.tolist() == pytest.approx(
        case["sari"]["sentence_sari"], abs=1e-9
    )
    assert float(score("sari:easse-legacy", data, case).value) == pytest.approx(case["sari_legacy"], abs=1e-9)
    bleu = case.get("bleu_sacrebleu_2.6.0", case["bleu"])
    if not isinstance(bleu, dict):
        assert float(score("bleu", data, case).value) == pytest.approx(bleu, abs=1e-6)
    mean = case.get("mean_sentence_bleu_sacrebleu_2.6.0", case["mean_sentence_bleu"])
    if not isinstance(mean, dict):
        assert float(score("bleu-sentence", data, case).value) == pytest.approx(mean, abs=1e-6)
