"""Gates for automatic checks: exit status 1 with the reason, whatever else is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from plainly.demo import demo_corpus

UNITS = 60


def test_a_gate_on_scores(plainly: Any, demo_files: list[str]) -> None:
    arguments = ["score", *demo_files, "--system", "splitter.txt", "--baselines", "identity", "--quiet"]
    assert plainly(*arguments, "--fail-under", "sari=20").status == 0
    failed = plainly(*arguments, "--fail-under", "sari=40", "--fail-over", "fkgl=5")
    assert failed.status == 1
    assert failed.err == (
        "failed: sari of splitter is 21.3; --fail-under sari=40\n"
        "failed: fkgl of splitter is 11.75; --fail-over fkgl=5\n"
    )
    assert failed.out  # the table is printed all the same


@pytest.mark.parametrize(
    ("gate", "complaint"),
    [
        (["--fail-under", "fkgl=8"], "fkgl is better when it is lower; say --fail-over fkgl=8"),
        (["--fail-over", "sari=8"], "sari is better when it is higher; say --fail-under sari=8"),
        (["--fail-under", "sari"], "--fail-under takes METRIC=NUMBER, not 'sari'"),
        (["--fail-under", "sari=inf"], "--fail-under takes METRIC=NUMBER, not 'sari=inf'"),
        (["--fail-under", "sari=x"], "--fail-under takes METRIC=NUMBER, not 'sari=x'"),
        (["--fail-under", "chrf=8"], "chrf is not among the metrics of this run; say --metrics sari,bleu,fkgl,chrf"),
        (["--metrics", "sari:star", "--fail-under", "sari=8"], "unknown metric 'sari'; did you mean 'sari:star'?"),
        (["--fail-under", "sair=8"], "--fail-under: unknown metric 'sair'; did you mean 'sari'?"),
    ],
)
def test_gates_that_make_no_sense(plainly: Any, demo_files: list[str], gate: list[str], complaint: str) -> None:
    run = plainly("score", *demo_files, "--system", "splitter.txt", *gate, "--quiet")
    assert (run.status, run.out) == (2, "")  # said before the work
    assert complaint in run.err


def test_a_gate_with_nothing_to_test_fails(plainly: Any, demo_files: list[str]) -> None:
    arguments = ["--system", "splitter.txt", "--baseline", "splitter", "--fail-if-worse", "--quiet"]
    run = plainly("compare", *demo_files, *arguments)
    assert (run.status, run.err) == (1, "failed: there is no system to test against splitter\n")


def test_a_gate_on_a_system_that_is_worse(plainly: Any, demo_files: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt", "--quiet"]
    arguments = ["compare", *demo_files, *systems, "--metrics", "sari,bleu"]
    failed = plainly(*arguments, "--baseline", "careful-writer", "--fail-if-worse")
    assert failed.status == 1
    assert failed.err.startswith("failed: splitter is worse than careful-writer by 26.01 sari (p = 0.00")
    assert plainly(*arguments, "--baseline", "splitter", "--fail-if-worse").status == 0
    by_bleu = plainly(*arguments, "--baseline", "splitter", "--fail-if-worse", "bleu")
    assert (by_bleu.status, "careful-writer is worse than splitter" in by_bleu.err) == (1, True)
    refused = plainly(*arguments, "--fail-if-worse")
    assert (refused.status, "it needs a baseline; say --baseline" in refused.err) == (2, True)


def test_a_gate_is_not_passed_by_what_cannot_be_tested(plainly: Any) -> None:
    corpus = demo_corpus("en")
    for name, count in (("few", 3), ("none", 0)):
        lines = []
        for i in range(UNITS if count == 0 else count):
            outputs = {"a": corpus.outputs["splitter"][i], "b": corpus.outputs["truncation"][i] if count else None}
            record = {"source": corpus.sources[i], "references": corpus.references[i], "outputs": outputs}
            lines.append(json.dumps(record) + "\n")
        Path(f"{name}.jsonl").write_text("".join(lines), "utf-8")
        gate = ["--metrics", "sari", "--baseline", "a", "--fail-if-worse", "--quiet"]
        run = plainly("compare", "--data", f"{name}.jsonl", *gate)
        assert (run.status, run.err) == (1, "failed: b could not be tested against a by sari\n")


def test_gates_take_names_in_any_case(plainly: Any, demo_files: list[str]) -> None:
    score = ["score", *demo_files, "--system", "splitter.txt", "--quiet", "--metrics", "SARI"]
    assert plainly(*score, "--fail-under", "SARI=20").status == 0
    assert plainly(*score, "--fail-under", "Sari=40").status == 1
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt", "--quiet"]
    compare = ["compare", *demo_files, *systems, "--metrics", "sari,bleu", "--baseline", "splitter"]
    assert plainly(*compare, "--fail-if-worse", "SARI").status == 0
    assert plainly(*compare, "--fail-if-worse", "BLEU").status == 1


@pytest.mark.parametrize(
    "more",
    [
        ["--per-segment"],
        ["--per-segment", "--format", "csv", "-o", "x.csv"],
        ["--write-statistics", "kept"],  # a run in parts
        ["--per-segment", "-o", "x.parquet"],  # another
    ],
)
def test_a_gate_holds_beside_other_options(plainly: Any, demo_files: list[str], more: Sequence[str]) -> None:
    arguments = ["score", *demo_files, "--system", "splitter.txt", "--metrics", "sari", "--quiet", *more]
    failed = plainly(*arguments, "--fail-under", "sari=40")
    assert failed.status == 1
    assert failed.err.endswith("failed: sari of splitter is 21.3; --fail-under sari=40\n")
    for path in ("x.csv", "x.parquet"):
        Path(path).unlink(missing_ok=True)
    again = [item if item != "kept" else "kept2" for item in arguments]
    assert plainly(*again, "--fail-under", "sari=20").status == 0


@pytest.mark.parametrize("beside", ["--explain-sari", "--list"])
def test_a_gate_without_scores_is_refused(plainly: Any, demo_files: list[str], beside: str) -> None:
    run = plainly("score", *demo_files, "--system", "splitter.txt", beside, "--fail-under", "sari=40")
    assert run.refusal == f"--fail-under does not go with {beside}"
    assert run.out == ""


@pytest.mark.parametrize(
    ("gate", "complaint"),
    [
        ("sair", "--fail-if-worse: unknown metric 'sair'; did you mean 'sari'?"),
        ("compression-ratio", "--fail-if-worse: neither end of compression-ratio is better"),
    ],
)
def test_a_comparison_is_refused_before_the_work(
    plainly: Any, demo_files: list[str], gate: str, complaint: str
) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "missing.txt"]  # reading would fail
    metrics = ["--metrics", "sari,compression-ratio"]
    run = plainly("compare", *demo_files, *systems, *metrics, "--baseline", "missing", "--fail-if-worse", gate)
    assert run.refusal == complaint


def test_leaving_out_segments_passes_no_gate(plainly: Any) -> None:
    """It is better where it has an output, and has none where it would be worse."""
    corpus = demo_corpus("en")
    lines = []
    for i in range(UNITS):
        output = corpus.outputs["careful-writer"][i] if i % 2 else None
        outputs = {"old": corpus.outputs["splitter"][i], "new": output}
        lines.append(
            json.dumps({"source": corpus.sources[i], "references": corpus.references[i], "outputs": outputs}) + "\n"
        )
    Path("d.jsonl").write_text("".join(lines), "utf-8")
    gate = ["--metrics", "sari", "--baseline", "old", "--fail-if-worse", "--quiet"]
    run = plainly("compare", "--data", "d.jsonl", *gate)
    assert (run.status, run.err) == (1, "failed: new lacks sari in 30 segments that old has\n")
