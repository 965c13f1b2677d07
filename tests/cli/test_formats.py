"""Every format holds the same numbers, which are those of plainly.evaluate."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import Any

import pytest

import plainly as package
from plainly.metrics import names
from plainly.scoring import Evaluation, evaluate

FORMATS = ["table", "json", "csv", "tsv", "markdown", "latex", "html"]


@pytest.fixture
def expected(test_set: Any) -> Evaluation:
    return evaluate(test_set.sources, test_set.outputs, test_set.references)


def cells(expected: Evaluation) -> list[list[str]]:
    return [[system, *(f"{r.score:.2f}" for r in results.values())] for system, results in expected.systems.items()]


def test_json_has_the_documented_shape(plainly: Any, files: list[str], expected: Evaluation) -> None:
    content = plainly("score", *files, "--format", "json").json
    assert list(content) == ["plainly", "segments", "resampling", "systems"]
    said = {"resamples": 1000, "seed": 12345, "confidence": 0.95, "method": "percentile", "unit": "segment"}
    assert content["resampling"] == said
    assert content["plainly"] == package.__version__
    assert content["segments"] == 6
    assert list(content["systems"]) == ["mine", "other"]
    for system, results in content["systems"].items():
        assert list(results) == ["sari", "bleu", "fkgl"]
        for label, found in results.items():
            result = expected[system][label]
            assert found["score"] == result.estimate.to_dict()
            assert found["components"] == dict(result.components)
            assert found["signature"] == result.signature
            assert (found["scored"], found["unscored"]) == (6, 0)


def test_tables_show_intervals(plainly: Any, files: list[str], expected: Evaluation) -> None:
    low, high = expected["mine"]["sari"].estimate.low, expected["mine"]["sari"].estimate.high
    shown = f"{expected['mine']['sari'].score:.2f} [{low:.2f}, {high:.2f}]"
    for form in ("table", "markdown", "html"):
        assert shown in plainly("score", *files, "--format", form).printed
    beside = f"{expected['mine']['sari'].score:.2f} & $_{{{low:.2f}}}^{{{high:.2f}}}$"
    assert beside in plainly("score", *files, "--format", "latex").printed
    assert "6 segments, 1000 resamples, seed 12345; 95% intervals\n" in plainly("score", *files).printed
    rows = list(csv.DictReader(io.StringIO(plainly("score", *files, "--format", "csv").printed)))
    assert (float(rows[0]["score low"]), float(rows[0]["score high"])) == (low, high)
    narrower = plainly("score", *files, "--format", "json", "--confidence", "0.5", "--seed", "1").json
    assert narrower["resampling"]["confidence"] == 0.5
    assert narrower["systems"]["mine"]["sari"]["score"]["high"] < high


def test_json_components_have_the_documented_names(plainly: Any, files: list[str]) -> None:
    results = plainly("score", *files, "--format", "json").json["systems"]["mine"]
    sari = results["sari"]["components"]
    assert results["sari"]["score"]["value"] == pytest.approx(
        (sari["add"] + sari["keep"] + sari["delete"]) / 3, rel=1e-12
    )
    assert {f"{o}_{rate}_4" for o in ("add", "keep", "delete") for rate in ("precision", "recall", "f1")} < set(sari)
    assert {"words", "sentences", "syllables"} < set(results["fkgl"]["components"])
    assert results["sari"]["signature"].startswith("sari|lang:en|tok:13a|case:lower|refs:2|variant:easse|plainly:")


def test_table(plainly: Any, files: list[str], expected: Evaluation) -> None:
    lines = plainly("score", *files, "--no-intervals").printed.splitlines()
    assert lines[0].split() == ["system", "SARI", "↑", "BLEU", "↑", "FKGL", "↓"]
    assert [line.split() for line in lines[2:4]] == cells(expected)
    assert lines[4:6] == ["", "6 segments"]
    assert lines[6:] == [result.signature for result in expected["mine"].values()]


def test_csv(plainly: Any, files: list[str], expected: Evaluation) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly("score", *files, "--format", "csv").printed)))
    assert [(row["system"], row["metric"]) for row in rows] == [
        (system, metric) for system in ("mine", "other") for metric in ("sari", "bleu", "fkgl")
    ]
    for row in rows:
        result = expected[row["system"]][row["metric"]]
        assert float(row["score"]) == result.score
        assert row["signature"] == result.signature
        assert (row["scored"], row["unscored"]) == ("6", "0")


def test_markdown(plainly: Any, files: list[str], expected: Evaluation) -> None:
    lines = plainly("score", *files, "--format", "markdown", "--no-intervals").printed.splitlines()
    assert lines[0] == "| system | SARI ↑ | BLEU ↑ | FKGL ↓ |"
    assert lines[1] == "| --- | ---: | ---: | ---: |"
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:4]] == cells(expected)
    assert f"- `{expected['mine']['sari'].signature}`" in lines


def test_latex(plainly: Any, files: list[str], expected: Evaluation) -> None:
    lines = plainly("score", *files, "--format", "latex", "--no-intervals").printed.splitlines()
    assert lines[3] == r"\begin{tabular}{@{}lrrr@{}}"
    assert lines[5] == r"  system & SARI $\uparrow$ & BLEU $\uparrow$ & FKGL $\downarrow$ \\"
    assert [line.removesuffix(r" \\").split(" & ") for line in lines[7:9]] == [
        [f"  {first}", *rest] for first, *rest in cells(expected)
    ]
    end = lines.index(r"\end{table}")
    assert f"% {expected['mine']['sari'].signature}" in lines[end + 1 :]
    assert all(line.startswith("% ") for line in lines[end + 1 :])


def test_latex_takes_any_system_name(plainly: Any, files: list[str]) -> None:
    printed = plainly("score", "--system", r"50%_a&b|{c}=mine.txt", "--metrics", "fkgl", "--format", "latex").printed
    assert r"50\%\_a\&b\textbar{}\{c\} & " in printed


def test_markdown_takes_any_system_name(plainly: Any, files: list[str]) -> None:
    printed = plainly("score", "--system", "a|b=mine.txt", "--metrics", "fkgl", "--format", "markdown").printed
    assert r"| a\|b | " in printed


def test_wide_characters_stay_aligned(plainly: Any, files: list[str]) -> None:
    lines = plainly("score", "--system", "漢字=mine.txt", "--system", "abcd=mine.txt", "--metrics", "fkgl").printed
    chinese, english = lines.splitlines()[2:4]
    assert len(english) - len(chinese) == 2  # each of the two wide characters takes two columns


@pytest.mark.parametrize("form", FORMATS)
def test_components_are_shown(form: str, plainly: Any, files: list[str], expected: Evaluation) -> None:
    printed = plainly(
        "score", *files, "--metrics", "sari,sari:star", "--components", "--format", form
    ).printed.replace(r"\_", "_")
    if form != "json":
        assert "sari.delete_precision_4" in printed
        assert "sari:star.delete_precision_4" in printed
    value = expected["mine"]["sari"].components["delete_precision_4"]
    assert (str(value) if form in ("csv", "tsv", "json") else f"{value:.2f}") in printed


def test_components_are_not_shown_unless_asked_for(plainly: Any, files: list[str]) -> None:
    assert "delete" not in plainly("score", *files, "--format", "csv").printed


def test_what_was_not_scored_is_a_gap_and_no_number(plainly: Any, tmp_path: Any) -> None:
    (tmp_path / "records.jsonl").write_text('{"source": "a b", "reference": "a", "outputs": {"m": null, "n": "a"}}\n')
    run = plainly("score", "--data", "records.jsonl", "--format", "json")
    missing = run.json["systems"]["m"]["sari"]
    assert missing["score"]["value"] is None
    assert (missing["scored"], missing["unscored"]) == (0, 1)
    assert set(missing["components"].values()) == {None}
    assert "sari, bleu, fkgl left 1 of 1 segment of m unscored" in plainly("score", "--data", "records.jsonl").printed
    for form, gap in {"table": r"^m( +-){3}$", "csv": "^m,sari,,,,0,1,", "markdown": r"^\| m \| - \| - \|"}.items():
        assert re.search(gap, plainly("score", "--data", "records.jsonl", "--format", form).printed, re.MULTILINE)
    (row, _) = plainly("score", "--data", "records.jsonl", "--per-segment").rows
    assert set(row["scores"].values()) == {None}


@pytest.mark.parametrize("form", FORMATS)
def test_list_names_every_metric(form: str, plainly: Any) -> None:
    printed = plainly("score", "--list", "--format", form).printed
    for name in names():
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", printed)


def test_list_as_json_has_all_facts(plainly: Any) -> None:
    facts = plainly("score", "--list", "--format", "json").json["metrics"]
    assert [entry["name"] for entry in facts] == names()
    for entry in facts:
        assert entry["title"]
        assert entry["about"]
        assert entry["paper"]
        assert entry["better"] in ("higher", "lower", "none")
        assert all(bound is None or math.isfinite(bound) for bound in entry["range"])
    sari = facts[0]
    assert sari["needs"] == ["references", "source"]
    assert next(iter(sari["variants"])) == "easse"
