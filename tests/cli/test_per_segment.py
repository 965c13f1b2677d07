"""--per-segment: one row a segment and system, also when the corpus comes in several chunks."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from plainly.scoring import evaluate


def test_rows(plainly: Any, files: list[str], test_set: Any) -> None:
    rows = plainly("score", *files, "--per-segment").rows
    assert [(row["segment"], row["system"]) for row in rows] == [(i, s) for i in range(6) for s in ("mine", "other")]
    evaluation = evaluate(test_set.sources, test_set.outputs, test_set.references)
    for row in rows:
        assert list(row) == ["segment", "system", "scores"]
        for label, score in row["scores"].items():
            expected = evaluation.segment_scores(row["system"], label)[row["segment"]]
            assert score == (expected if expected == expected else None)
    assert rows[-2]["scores"]["fkgl"] is None  # an empty output has no grade; it is not 0


def test_csv_and_jsonl_agree(plainly: Any, files: list[str]) -> None:
    rows = plainly("score", *files, "--per-segment", "--format", "json").rows
    table = list(csv.DictReader(io.StringIO(plainly("score", *files, "--per-segment", "--format", "csv").printed)))
    assert list(table[0]) == ["segment", "id", "system", "sari", "bleu", "fkgl"]
    for row, cells in zip(rows, table, strict=True):
        assert (int(cells["segment"]), cells["id"], cells["system"]) == (row["segment"], "", row["system"])
        for label, score in row["scores"].items():
            assert (float(cells[label]) if cells[label] else None) == score


@pytest.mark.parametrize("label", ["sari:easse-sentence", "sari:sentence", "bleu-sentence"])
def test_the_mean_over_segments_is_the_corpus_score(label: str, plainly: Any, many_files: list[str]) -> None:
    rows = plainly("score", *many_files, "--metrics", label, "--per-segment").rows
    corpus = plainly("score", *many_files, "--metrics", label, "--format", "json").json["systems"]["mine"]
    assert fmean(row["scores"][label] for row in rows) == pytest.approx(corpus[label]["score"]["value"], rel=1e-12)


def test_segment_numbers_run_across_chunks(plainly: Any, many_files: list[str]) -> None:
    rows = plainly("score", *many_files, "--metrics", "sari", "--per-segment", "--baselines", "identity").rows
    mine = [row for row in rows if row["system"] == "mine"]
    assert [row["segment"] for row in mine] == list(range(2500))
    assert sorted(row["segment"] for row in rows if row["system"] == "identity") == list(range(2500))
    sources, references, outputs = (Path(name).read_text().split("\n") for name in ("src.txt", "ref.0", "mine.txt"))
    for i in (0, 2047, 2048, 2499):
        alone = evaluate([sources[i]], [outputs[i]], [[references[i]]], metrics=["sari"])
        assert mine[i]["scores"]["sari"] == alone["output"]["sari"].score


def test_ids_are_kept(plainly: Any, tmp_path: Path) -> None:
    records = [{"id": name, "source": "a b c", "reference": "a b", "output": "a"} for name in ("x", "ü,1")]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    rows = plainly("score", "--data", "r.jsonl", "--per-segment").rows
    assert [(row["segment"], row["id"]) for row in rows] == [(0, "x"), (1, "ü,1")]
    table = plainly("score", "--data", "r.jsonl", "--per-segment", "--format", "csv").printed
    assert [row["id"] for row in csv.DictReader(io.StringIO(table))] == ["x", "ü,1"]


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_other_formats_are_refused(form: str, plainly: Any, files: list[str]) -> None:
    refusal = plainly("score", *files, "--per-segment", "--format", form).refusal
    assert refusal == "--per-segment prints json (one object a line) or csv"


@pytest.mark.parametrize("to_file", [False, True])
def test_a_late_fault_leaves_nothing_behind(to_file: bool, plainly: Any, many_files: list[str]) -> None:
    """The first chunk is fine and has been scored when the fault in the second is found."""
    lines = Path("src.txt").read_text().split("\n")
    lines[2300] = ""
    Path("src.txt").write_text("\n".join(lines))
    Path("result.csv").write_text("old")
    output = ["--output", "result.csv"] if to_file else []
    refusal = plainly("score", *many_files, "--per-segment", "--format", "csv", *output).refusal
    assert refusal == "src.txt:2301: empty source"
    assert Path("result.csv").read_text() == "old"
