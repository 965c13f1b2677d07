"""EASSE's own numbers (shared/oracle, computed by EASSE 0.2.4 itself) through its own functions."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plainly.compat.easse.bleu import corpus_averaged_sentence_bleu, corpus_bleu
from plainly.compat.easse.cli import cli
from plainly.compat.easse.compression import corpus_f1_token
from plainly.compat.easse.fkgl import FKGLScorer, corpus_fkgl
from plainly.compat.easse.quality_estimation import (
    corpus_quality_estimation,
    count_sentence_splits,
    get_additions_proportion,
    get_average,
    get_compression_ratio,
    get_deletions_proportion,
    get_levenshtein_similarity,
    is_exact_match,
)
from plainly.compat.easse.sari import compute_ngram_stats, corpus_sari, get_corpus_sari_operation_scores
from plainly.compat.easse.utils.helpers import read_lines
from plainly.compat.easse.utils.preprocessing import normalize
from plainly.compat.easse.utils.text import count_syllables_in_word

SYSTEMS = ("Dress-Ls", "PBMT-R", "RM+EX+LS")
TEST_SETS = {
    "asset_test": ("asset/asset.test.orig", "asset/asset.test.simp.{}", 10),
    "turkcorpus_test": ("turkcorpus/turkcorpus.test.orig", "turkcorpus/turkcorpus.test.simp.{}", 8),
    "hsplit_test": ("hsplit/hsplit.test.tok.orig", "hsplit/hsplit.test.tok.simp.{}", 4),
}
COUNTS = [f"{op}_{count}" for op in ("add", "keep", "del") for count in ("sys_correct", "sys_total", "ref_total")]

pytestmark = pytest.mark.usefixtures("exact_splitter")


@cache
def oracle(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def texts(data: Path, test_set: str) -> tuple[list[str], list[list[str]]]:
    orig, reference, count = TEST_SETS[test_set]
    return read_lines(data / orig), [read_lines(data / reference.format(i)) for i in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", ["13a", "intl", "none"])
@pytest.mark.parametrize("test_set", TEST_SETS)
def test_corpus_scores(shared: Path, test_set: str, tokenizer: str) -> None:
    check_systems(shared, test_set, tokenizer, SYSTEMS)


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", ["moses", "penn"])
@pytest.mark.parametrize("test_set", TEST_SETS)
def test_corpus_scores_with_slow_tokenisers(shared: Path, test_set: str, tokenizer: str) -> None:
    check_systems(shared, test_set, tokenizer, SYSTEMS[:1])


def check_systems(shared: Path, test_set: str, tokenizer: str, systems: tuple[str, ...]) -> None:
    orig, refs = texts(shared / "data", test_set)
    records = [
        record
        for record in oracle(shared / "oracle" / "easse_en.json")["records"]
        if (record["kind"], record["test_set"], record["tokenizer"]) == ("detokenised", test_set, tokenizer)
        and record["system"] in systems
    ]
    assert len(records) == 2 * len(systems)
    for record in records:
        out = read_lines(shared / "data" / "system_outputs" / "asset_turkcorpus" / f"{record['system']}.txt")
        check(record, orig, out, refs, tokenizer, record["lowercase"])


def check(
    record: dict[str, Any], orig: list[str], out: list[str], refs: list[list[str]], tokenizer: str, lowercase: bool
) -> None:
    """Everything the record holds, from each function of its own."""
    settings: dict[str, Any] = {"lowercase": lowercase, "tokenizer": tokenizer}
    sari = near(1e-9)
    paper, legacy = record["sari_paper_version"], record["sari_legacy"]
    parts = get_corpus_sari_operation_scores(orig, out, refs, **settings)
    assert parts == sari([record["sari_add"], record["sari_keep"], record["sari_del"]])
    assert corpus_sari(orig, out, refs, **settings) == sari(record["sari"])
    by_precision = corpus_sari(orig, out, refs, use_f1_for_deletion=False, **settings)
    assert by_precision == sari(record["sari_del_precision_only"])
    parts = get_corpus_sari_operation_scores(orig, out, refs, use_paper_version=True, **settings)
    assert parts == sari([paper["add"], paper["keep"], paper["del"]])
    parts = get_corpus_sari_operation_scores(orig, out, refs, legacy=True, **settings)
    assert parts == sari([legacy["add"], legacy["keep"], legacy["del"]])

    exact = near(1e-6)
    assert corpus_bleu(out, refs, **settings) == exact(record["bleu"])
    assert corpus_averaged_sentence_bleu(out, refs, **settings) == exact(record["mean_sentence_bleu"])
    assert corpus_f1_token(out, refs, **settings) == exact(record["f1_token"])
    assert corpus_fkgl(out, tokenizer=tokenizer) == exact(record["fkgl"])
    estimated, expected = corpus_quality_estimation(orig, out, **settings), record["quality_estimation"]
    assert list(estimated) == list(expected)
    del estimated["Lexical complexity score"]  # its word ranks could not be had
    assert estimated == {name: exact(expected[name]) for name in estimated}


def near(tolerance: float) -> Callable[[Any], Any]:
    return lambda expected: pytest.approx(expected, rel=0, abs=tolerance)


def test_sari_counts(shared: Path) -> None:
    orig, refs = texts(shared / "data", "asset_test")
    record = next(
        record
        for record in oracle(shared / "oracle" / "easse_en.json")["records"]
        if (record["system"], record["test_set"], record["kind"]) == ("Dress-Ls", "asset_test", "detokenised")
    )
    assert (record["tokenizer"], record["lowercase"]) == ("13a", True)
    out = read_lines(shared / "data" / "system_outputs" / "asset_turkcorpus" / "Dress-Ls.txt")
    orig, out, *refs = [[normalize(text) for text in column] for column in (orig, out, *refs)]
    assert dict(zip(COUNTS, compute_ngram_stats(orig, out, refs), strict=True)) == record["counts"]


@pytest.mark.filterwarnings("ignore:.*references are empty")
def test_edge_cases(shared: Path) -> None:
    for case in oracle(shared / "oracle" / "easse_edge_cases.json")["cases"]:
        check_edge_case(case)


def check_edge_case(case: dict[str, Any]) -> None:
    orig, out, refs, expected = case["orig"], case["sys"], case["refs"], case["sari"]
    settings: dict[str, Any] = {"lowercase": case["lowercase"], "tokenizer": case["tokenizer"]}
    sari, exact = near(1e-9), near(1e-6)
    parts = get_corpus_sari_operation_scores(orig, out, refs, **settings)
    assert parts == sari([expected["sari_add"], expected["sari_keep"], expected["sari_del"]])
    assert corpus_sari(orig, out, refs, use_paper_version=True, **settings) == sari(
        expected["sari_paper_version"]["sari"]
    )
    assert corpus_sari(orig, out, refs, use_f1_for_deletion=False, **settings) == sari(
        expected["sari_del_precision_only"]
    )
    assert corpus_sari(orig, out, refs, legacy=True, **settings) == sari(case["sari_legacy"])
    normalised = [[normalize(text, **settings) for text in column] for column in (orig, out, *refs)]
    stats = compute_ngram_stats(normalised[0], normalised[1], normalised[2:])
    assert dict(zip(COUNTS, stats, strict=True)) == expected["counts"]

    assert corpus_f1_token(out, refs, **settings) == exact(case["f1_token"])
    assert corpus_fkgl(out, case["tokenizer"]) == exact(case["fkgl_sys"])
    assert corpus_fkgl(orig, case["tokenizer"]) == exact(case["fkgl_orig"])
    for function, field in ((corpus_bleu, "bleu"), (corpus_averaged_sentence_bleu, "mean_sentence_bleu")):
        if "" in (text for column in refs for text in column):  # from sacrebleu 2.2 on these are references
            field += "_sacrebleu_2.6.0"
        if field in case:
            assert function(out, refs, **settings) == exact(case[field])
    features = case["quality_estimation"]
    if "raises" not in features:
        found = corpus_quality_estimation(orig, out, **settings)
        del found["Lexical complexity score"]
        assert found == {name: exact(features[name]) for name in found}
        pairs = {
            "Compression ratio": get_compression_ratio,
            "Sentence splits": count_sentence_splits,
            "Levenshtein similarity": get_levenshtein_similarity,
            "Exact copies": is_exact_match,
            "Additions proportion": get_additions_proportion,
            "Deletions proportion": get_deletions_proportion,
        }
        for name, function in pairs.items():
            assert get_average(function, normalised[0], normalised[1]) == exact(features[name]), name


def test_readme_example(shared: Path) -> None:
    """The example in EASSE's README, with the number it prints."""
    cases = oracle(shared / "oracle" / "easse_edge_cases.json")["cases"]
    example = next(case for case in cases if case["case"] == "readme_example")
    score = corpus_sari(orig_sents=example["orig"], sys_sents=example["sys"], refs_sents=example["refs"])
    assert score == pytest.approx(33.17472563619544, rel=0, abs=1e-12)


def test_fkgl_scorer_adds_up_to_the_corpus(shared: Path) -> None:
    out = read_lines(shared / "data" / "system_outputs" / "asset_turkcorpus" / "Dress-Ls.txt")
    scorer = FKGLScorer()
    for text in out:
        scorer.add(normalize(text))
    assert scorer.score() == pytest.approx(corpus_fkgl(out), abs=1e-12)


def test_syllables(shared: Path) -> None:
    expected = oracle(shared / "oracle" / "easse_word_level.json")["meta"]["syllables"]
    assert {word: count_syllables_in_word(word) for word in expected} == expected


def test_command_line(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `easse evaluate` with its defaults prints for Dress-Ls on ASSET."""
    data = shared / "data"
    references = ",".join(str(data / f"asset/asset.test.simp.{i}") for i in range(10))
    arguments = ["evaluate", "-t", "custom", "--orig_sents_path", str(data / "asset/asset.test.orig")]
    arguments += ["--refs_sents_paths", references]
    arguments += ["-i", str(data / "system_outputs/asset_turkcorpus/Dress-Ls.txt")]
    assert cli(arguments) == 0
    assert capsys.readouterr().out == "{'bleu': 86.389, 'sari': 36.591, 'fkgl': 7.664}\n"
