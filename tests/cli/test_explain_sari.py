"""--explain-sari: SARI under all settings, and which setting explains which part of a gap."""

from __future__ import annotations

import csv
import io
import math
from itertools import product
from typing import Any

import pytest

from plainly.corpus import Corpus
from plainly.metrics import get
from plainly.metrics.sari import Sari
from plainly.text.tokenizers import tokenizers_for


def sari(test_set: Any, system: str, variant: str, tokenizer: str, lowercase: bool) -> float:
    metric = get("sari", variant=variant, tokenizer=tokenizer, lowercase=lowercase)
    corpus = Corpus(test_set.sources, test_set.references, test_set.outputs)
    return float(metric.score(metric.measure(corpus, system).sum(axis=0)).value)


def test_the_grid_has_all_settings(plainly: Any, files: list[str], test_set: Any) -> None:
    grids = plainly("score", *files, "--explain-sari", "--format", "json").json["systems"]
    assert list(grids) == ["mine", "other"]
    for system, grid in grids.items():
        found = {(entry["variant"], entry["tokenizer"], entry["lowercase"]): entry["sari"] for entry in grid}
        assert len(found) == len(grid)
        wanted = set(product(Sari.variants, tokenizers_for("en"), (True, False)))
        assert set(found) == {s for s in wanted if s[0] != "easse-legacy" or not s[2]}  # legacy is always cased
        for (variant, tokenizer, lowercase), score in found.items():
            assert score == pytest.approx(sari(test_set, system, variant, tokenizer, lowercase), rel=1e-12)


def test_the_grid_as_a_table(plainly: Any, files: list[str], test_set: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("score", *files, "--explain-sari", "--format", "csv").printed)))
    assert [(row["system"], row["variant"]) for row in rows] == list(product(("mine", "other"), Sari.variants))
    for row in rows:
        assert float(row["13a cased"]) == pytest.approx(sari(test_set, row["system"], row["variant"], "13a", False))
        assert bool(row["13a lower"]) == (row["variant"] != "easse-legacy")
    table = plainly("score", *files, "--explain-sari").printed
    for name, about in Sari.variants.items():
        assert f"{name:<15} {about}\n" in table


SETTINGS = [
    ("easse", "huggingface,none,cased"),
    ("huggingface,none,cased", "easse"),
    ("paper,intl", "sentence,13a,cased"),
    ("easse", "easse-legacy,none"),
    ("easse-legacy,none", "star,13a,lower"),
    ("easse-sentence", "easse-sentence"),
]


@pytest.mark.parametrize(("start", "end"), SETTINGS)
def test_the_changes_add_up(start: str, end: str, plainly: Any, files: list[str], test_set: Any) -> None:
    for gap in plainly("score", *files, "--explain-sari", start, end, "--format", "json").json["gaps"]:
        before = gap["from"]["sari"]
        for step in gap["steps"]:
            assert step["sari"] == pytest.approx(before + step["change"])
            before = step["sari"]
        assert before == gap["to"]["sari"]
        for name, side in ((start, gap["from"]), (end, gap["to"])):
            variant, tokenizer, case = [*name.split(","), *["", "13a", "lower"][len(name.split(",")) :]]
            lowercase = case == "lower" and variant != "easse-legacy"
            assert side["given"] == name
            assert side["sari"] == pytest.approx(sari(test_set, gap["system"], variant, tokenizer, lowercase))


def test_each_step_names_its_cause(plainly: Any, files: list[str]) -> None:
    def causes(start: str, end: str) -> list[str]:
        gaps = plainly("score", *files, "--explain-sari", start, end, "--format", "json").json["gaps"]
        return [step["cause"] for step in gaps[0]["steps"]]

    star = "delete scored by precision instead of F1"
    legacy = "source not tokenised, nothing lower-cased"
    assert causes("easse", "easse") == []
    assert causes("easse", "star,none,cased") == [star, "tokenizer 13a -> none", "lower-cased -> cased"]
    assert causes("star,none,cased", "easse") == [f"{star} (undone)", "tokenizer none -> 13a", "cased -> lower-cased"]
    assert causes("easse", "easse-legacy") == ["lower-cased -> cased", legacy]
    assert causes("easse-legacy", "easse") == [f"{legacy} (undone)", "cased -> lower-cased"]


def test_two_published_numbers(plainly: Any, files: list[str], test_set: Any) -> None:
    """A number stands for the setting that comes nearest to it."""
    arguments = ["score", *files[:-2], "--format", "json", "--explain-sari"]
    first, second = (sari(test_set, "mine", variant, "13a", True) for variant in ("easse", "huggingface"))
    (gap,) = plainly(*arguments, f"{first:.6f}", f"{second:.6f}").json["gaps"]
    assert gap["from"]["sari"] == pytest.approx(first, abs=1e-6)
    assert gap["to"]["sari"] == pytest.approx(second, abs=1e-6)
    assert gap["from"]["given"] == f"{first:.6f}"
    assert math.fsum(step["change"] for step in gap["steps"]) == pytest.approx(second - first, abs=1e-6)
    (gap,) = plainly(*arguments, "easse", "100").json["gaps"]
    everything = plainly(*arguments).json["systems"]["mine"]
    assert gap["to"]["sari"] == max(entry["sari"] for entry in everything)


def test_a_gap_as_a_table(plainly: Any, files: list[str]) -> None:
    lines = plainly("score", *files, "--explain-sari", "easse", "star").printed.splitlines()
    assert lines[0].split() == ["system", "what", "changes", "SARI", "change"]
    assert lines[2].startswith("mine    from: easse, tok 13a, lower-cased")
    assert lines[2].endswith("-")
    assert lines[4].startswith("mine    to: star, tok 13a, lower-cased")


def test_baselines_are_explained_too(plainly: Any, files: list[str], test_set: Any) -> None:
    grids = plainly("score", *files, "--explain-sari", "--baselines", "identity", "--format", "json").json["systems"]
    assert list(grids) == ["mine", "other", "identity"]


def test_what_was_not_scored_is_null(plainly: Any, tmp_path: Any) -> None:
    (tmp_path / "r.jsonl").write_text('{"source": "a b", "reference": "a", "outputs": {"m": null}}\n')
    grids = plainly("score", "--data", "r.jsonl", "--explain-sari", "--format", "json").json["systems"]
    assert {entry["sari"] for entry in grids["m"]} == {None}


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (["40"], "--explain-sari takes nothing, or two numbers or settings"),
        (["40", "41", "42"], "--explain-sari takes nothing, or two numbers or settings"),
        (["eese", "star"], "unknown variant of sari 'eese'; did you mean 'easse'?"),
        (["easse,13b", "star"], "unknown tokenizer '13b'; did you mean '13a'?"),
        (["easse,13a,upper", "star"], "'easse,13a,upper' is not variant,tokenizer,lower|cased"),
        (["easse,13a,lower,x", "star"], "'easse,13a,lower,x' is not variant,tokenizer,lower|cased"),
        (["nan", "40"], "unknown variant of sari 'nan'; known: easse, easse-legacy, easse-sentence, huggingface, "),
        (["40", "inf"], "unknown variant of sari 'inf'; known: easse, easse-legacy, easse-sentence, huggingface, "),
    ],
)
def test_bad_settings(ends: list[str], said: str, plainly: Any, files: list[str]) -> None:
    assert plainly("score", *files, "--explain-sari", *ends).refusal.startswith(said)


def test_what_it_needs(plainly: Any, files: list[str]) -> None:
    outputs_only = ["--system", "mine=mine.txt", "--explain-sari"]
    assert plainly("score", *outputs_only).refusal == "sari cannot be computed: it needs references and source"
    no_system = ["--sources", "src.txt", "--references", "ref.0", "--explain-sari"]
    assert plainly("score", *no_system).refusal == "--explain-sari needs the outputs of a system"
