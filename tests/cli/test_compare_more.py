"""`plainly compare` and `score`: the verdict, runs, slices and gates, as people call them."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.demo import demo_corpus

DEMO = ["compare", "--demo", "--metrics", "sari,bleu,fkgl"]
UNITS = 60


@pytest.fixture
def texts() -> list[str]:
    """The demo set as files, and a system that ran three times."""
    corpus = demo_corpus("en")
    Path("src.txt").write_text("".join(f"{text}\n" for text in corpus.sources), "utf-8")
    for place in range(3):
        lines = (group[place] for group in corpus.references)
        Path(f"ref.{place}").write_text("".join(f"{text}\n" for text in lines), "utf-8")
    for name, texts in corpus.outputs.items():
        Path(f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    draw = np.random.default_rng(1)
    better, worse = corpus.outputs["careful-writer"], corpus.outputs["splitter"]
    for seed in (1, 2, 3):
        mixed = [b if draw.random() < 0.8 else w for b, w in zip(better, worse, strict=True)]
        Path(f"seed{seed}.txt").write_text("".join(f"{text}\n" for text in mixed), "utf-8")
    return ["--sources", "src.txt", *(item for i in range(3) for item in ("--references", f"ref.{i}"))]


def test_the_verdict_comes_first_and_stands_in_json(plainly: Any) -> None:
    printed = plainly(*DEMO).printed
    assert printed.startswith("careful-writer has the best SARI of 5 systems: ")
    found = plainly(*DEMO, "--format", "json").json["verdict"]
    assert (found["metric"], found["best"]) == ("sari", "careful-writer")
    assert found["sentences"][0] in printed
    assert [one["metric"] for one in found["disagreements"]] == ["bleu", "fkgl"]


def test_systems_are_sorted_and_baselines_apart(plainly: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly(*DEMO, "--format", "csv").printed)))
    sari = [row for row in rows if row["metric"] == "sari"]
    systems = [row for row in sari if row["kind"] == "system"]
    scores = [float(row["score"]) for row in systems]
    assert scores == sorted(scores, reverse=True)
    assert [int(row["rank"]) for row in systems] == [1, 2, 3, 4, 5]
    assert [(row["system"], row["rank"]) for row in sari if row["kind"] == "baseline"] == [("identity", "6")]
    assert "Where would baselines stand?" in plainly(*DEMO).printed


def test_the_other_tables_are_named(plainly: Any) -> None:
    assert "--table pairs" in plainly(*DEMO).err
    assert "--baseline NAME" in plainly(*DEMO).err


@pytest.mark.parametrize("given", [["m=seed*.txt"], ["m=seed1.txt", "m=seed2.txt", "m=seed3.txt"]])
def test_runs_of_one_system(plainly: Any, texts: list[str], given: list[str]) -> None:
    systems = [item for name in [*given, "splitter.txt"] for item in ("--system", name)]
    arguments = ["compare", *texts, *systems, "--metrics", "sari"]
    found = plainly(*arguments, "--format", "json").json["systems"]
    assert list(found) == ["m", "splitter", "identity"]
    runs = found["m"]["sari"]["runs"]
    assert list(runs) == ["m/seed1", "m/seed2", "m/seed3"]
    assert found["m"]["sari"]["score"]["value"] == pytest.approx(sum(runs.values()) / 3, rel=1e-12)
    assert found["m"]["sari"]["spread"] == pytest.approx(np.std(list(runs.values()), ddof=1), rel=1e-12)
    single = plainly("score", *texts, "--system", "seed2.txt", "--metrics", "sari", "--format", "json").json
    assert runs["m/seed2"] == single["systems"]["seed2"]["sari"]["score"]["value"]
    scored = plainly("score", *texts, *systems, "--metrics", "sari", "--format", "json").json
    assert scored["systems"]["m"]["sari"]["score"] == found["m"]["sari"]["score"]
    assert scored["systems"]["m"]["sari"]["runs"] == runs
    table = plainly(*arguments, "--table", "runs", "--format", "csv").printed
    assert [row["run"] for row in csv.DictReader(io.StringIO(table))] == list(runs)


def test_a_pattern_without_a_name_makes_systems(plainly: Any, texts: list[str]) -> None:
    found = plainly("compare", *texts, "--system", "seed*.txt", "--metrics", "sari", "--format", "json").json
    assert list(found["systems"]) == ["seed1", "seed2", "seed3", "identity"]


def test_a_pattern_that_fits_nothing(plainly: Any, texts: list[str]) -> None:
    run = plainly("compare", *texts, "--system", "m=sead*.txt")
    assert (run.status, run.err) == (2, "plainly: --system: no file fits sead*.txt\n")


def test_slices_by_length(plainly: Any, texts: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    arguments = ["compare", *texts, *systems, "--metrics", "sari", "--by", "length"]
    assert "Where is one system better than the other by SARI?" in plainly(*arguments).printed
    found = plainly(*arguments, "--format", "json").json["slices"]
    assert sum(one["segments"] for one in found) == UNITS
    rows = list(csv.DictReader(io.StringIO(plainly(*arguments, "--table", "slices", "--format", "csv").printed)))
    assert [row["slice"] for row in rows] == [one["slice"] for one in found]
    assert [float(row["difference"]) for row in rows] == [one["difference"]["value"] for one in found]


def test_slices_that_are_not_there(plainly: Any, texts: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    run = plainly("compare", *texts, *systems, "--by", "lenght")
    assert (run.status, run.err) == (2, "plainly: unknown slice 'lenght'; did you mean 'length'?\n")
    run = plainly("compare", *texts, *systems, "--table", "slices")
    assert run.status == 2
    assert "say --by length" in run.err


def test_a_gate_on_scores(plainly: Any, texts: list[str]) -> None:
    arguments = ["score", *texts, "--system", "splitter.txt", "--baselines", "identity", "--quiet"]
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
        (["--fail-under", "sair=8"], "unknown metric of --fail-under 'sair'; did you mean 'sari'?"),
    ],
)
def test_gates_that_make_no_sense(plainly: Any, texts: list[str], gate: list[str], complaint: str) -> None:
    run = plainly("score", *texts, "--system", "splitter.txt", *gate, "--quiet")
    assert (run.status, run.out) == (2, "")  # said before the work
    assert complaint in run.err


def test_a_gate_with_nothing_to_test_fails(plainly: Any, texts: list[str]) -> None:
    arguments = ["--system", "splitter.txt", "--baseline", "splitter", "--fail-if-worse", "--quiet"]
    run = plainly("compare", *texts, *arguments)
    assert (run.status, run.err) == (1, "failed: there is no system to test against splitter\n")


def test_no_system_is_best_where_neither_end_is_better(plainly: Any, texts: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    printed = plainly("compare", *texts, *systems, "--metrics", "compression-ratio").printed
    assert "] *" not in printed
    assert "no better end" in printed


def test_a_gate_on_a_system_that_is_worse(plainly: Any, texts: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt", "--quiet"]
    arguments = ["compare", *texts, *systems, "--metrics", "sari,bleu"]
    failed = plainly(*arguments, "--baseline", "careful-writer", "--fail-if-worse")
    assert failed.status == 1
    assert failed.err.startswith("failed: splitter is worse than careful-writer by 26.01 sari (p = 0.00")
    assert plainly(*arguments, "--baseline", "splitter", "--fail-if-worse").status == 0
    by_bleu = plainly(*arguments, "--baseline", "splitter", "--fail-if-worse", "bleu")
    assert (by_bleu.status, "careful-writer is worse than splitter" in by_bleu.err) == (1, True)
    refused = plainly(*arguments, "--fail-if-worse")
    assert (refused.status, "needs --baseline" in refused.err) == (2, True)


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


def test_one_system_is_said_to_be_alone(plainly: Any, texts: list[str]) -> None:
    printed = plainly("compare", *texts, "--system", "splitter.txt", "--metrics", "sari").printed
    assert "There is no other system to compare it with." in printed
    assert not math.isnan(float(printed.split("splitter has SARI ")[1].split()[0]))


def test_slices_by_the_operations_of_the_references(
    plainly: Any, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAINLY_TAGS", str(tmp_path / "tags"))
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    arguments = ["compare", *texts, *systems, "--metrics", "sari", "--by", "length,operation", "--tagger", "rules"]
    first = plainly(*arguments, "--format", "json")
    assert "tagging 180 references with rules ...\n" in first.err
    found = first.json["slices"]
    assert list(dict.fromkeys(one["by"] for one in found)) == ["length", "operation"]
    assert all(one["segments"] >= 10 for one in found if one["by"] == "operation")
    assert "Synonym" in [one["slice"] for one in found]
    again = plainly(*arguments)
    assert "references" not in again.err  # their tags were kept
    assert "at least half of its references have it; found by tagger|kind:rules|lang:en|words:" in again.printed
    assert "tagging" not in plainly(*arguments, "--quiet").err
    monkeypatch.setenv("PLAINLY_TAGS", str(tmp_path / "others"))
    assert plainly(*arguments, "--quiet").err == ""


def test_by_operation_the_verdict_names_operations_in_words(
    plainly: Any, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What tells the two apart, beyond chance; of six systems only these two are tagged."""
    monkeypatch.setenv("PLAINLY_TAGS", str(tmp_path / "tags"))
    systems = [part for name in ("careful-writer", "splitter", "truncation") for part in ("--system", f"{name}.txt")]
    arguments = ["compare", *texts, *systems, "--metrics", "sari", "--by", "operation", "--tagger", "rules"]
    run = plainly(*arguments, "--format", "json")
    assert "tagging 120 outputs with rules ...\n" in run.err
    verdict = run.json["verdict"]
    best, next_ = verdict["order"][:2]
    said = [one for one in verdict["sentences"] if "More often" in one or "Less often" in one]
    assert said
    assert all(f" often in {best} than in {next_}: " in one and " % of the segments)" in one for one in said)
    assert not any(name in one for one in said for name in ("delprop", "delmod", "incst"))
    printed = plainly(*arguments, "--quiet").printed
    assert all(one in printed for one in said)
    against = plainly(*arguments, "--quiet", "--baseline", "truncation").printed
    assert f" often in {best} than in truncation: " in against
    copied = plainly(*arguments, "--quiet", "--baselines", "identity", "--baseline", "identity").printed
    assert " often in " not in copied  # nobody tagged the copy


def test_slices_by_operation_need_references(plainly: Any, texts: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    run = plainly("compare", *texts[:2], *systems, "--metrics", "fkgl", "--by", "operation", "--quiet")
    assert run.refusal.startswith("slices by operation need sources and references")
