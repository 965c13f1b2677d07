"""`plainly compare` and `score`: the verdict, runs and slices, as people call them."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly import evaluate
from plainly.demo import demo_corpus

DEMO = ["compare", "--demo", "--metrics", "sari,bleu,fkgl"]
UNITS = 60


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
def test_runs_of_one_system(plainly: Any, demo_files: list[str], given: list[str]) -> None:
    systems = [item for name in [*given, "splitter.txt"] for item in ("--system", name)]
    arguments = ["compare", *demo_files, *systems, "--metrics", "sari"]
    found = plainly(*arguments, "--format", "json").json["systems"]
    assert list(found) == ["m", "splitter", "identity"]
    runs = found["m"]["sari"]["runs"]
    assert list(runs) == ["m/seed1", "m/seed2", "m/seed3"]
    assert found["m"]["sari"]["score"]["value"] == pytest.approx(sum(runs.values()) / 3, rel=1e-12)
    assert found["m"]["sari"]["spread"] == pytest.approx(np.std(list(runs.values()), ddof=1), rel=1e-12)
    single = plainly("score", *demo_files, "--system", "seed2.txt", "--metrics", "sari", "--format", "json").json
    assert runs["m/seed2"] == single["systems"]["seed2"]["sari"]["score"]["value"]
    scored = plainly("score", *demo_files, *systems, "--metrics", "sari", "--format", "json").json
    assert scored["systems"]["m"]["sari"]["score"] == found["m"]["sari"]["score"]
    assert scored["systems"]["m"]["sari"]["runs"] == runs
    table = plainly(*arguments, "--table", "runs", "--format", "csv").printed
    assert [row["run"] for row in csv.DictReader(io.StringIO(table))] == list(runs)


def test_a_pattern_without_a_name_makes_systems(plainly: Any, demo_files: list[str]) -> None:
    found = plainly("compare", *demo_files, "--system", "seed*.txt", "--metrics", "sari", "--format", "json").json
    assert list(found["systems"]) == ["seed1", "seed2", "seed3", "identity"]


def test_a_pattern_that_fits_nothing(plainly: Any, demo_files: list[str]) -> None:
    run = plainly("compare", *demo_files, "--system", "m=sead*.txt")
    assert (run.status, run.err) == (2, "plainly: --system: no file fits sead*.txt\n")


def test_slices_by_length(plainly: Any, demo_files: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    arguments = ["compare", *demo_files, *systems, "--metrics", "sari", "--by", "length"]
    assert "Where is one system better than the other by SARI?" in plainly(*arguments).printed
    found = plainly(*arguments, "--format", "json").json["slices"]
    assert sum(one["segments"] for one in found) == UNITS
    rows = list(csv.DictReader(io.StringIO(plainly(*arguments, "--table", "slices", "--format", "csv").printed)))
    assert [row["slice"] for row in rows] == [one["slice"] for one in found]
    assert [float(row["difference"]) for row in rows] == [one["difference"]["value"] for one in found]


def test_slices_that_are_not_there(plainly: Any, demo_files: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    run = plainly("compare", *demo_files, *systems, "--by", "lenght")
    assert (run.status, run.err) == (2, "plainly: unknown slice 'lenght'; did you mean 'length'?\n")
    run = plainly("compare", *demo_files, *systems, "--table", "slices")
    assert run.status == 2
    assert "say --by length" in run.err


def test_no_system_is_best_where_neither_end_is_better(plainly: Any, demo_files: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    printed = plainly("compare", *demo_files, *systems, "--metrics", "compression-ratio").printed
    assert "] *" not in printed
    assert "no better end" in printed


def test_one_system_is_said_to_be_alone(plainly: Any, demo_files: list[str]) -> None:
    printed = plainly("compare", *demo_files, "--system", "splitter.txt", "--metrics", "sari").printed
    assert "There is no other system to compare it with." in printed
    assert not math.isnan(float(printed.split("splitter has SARI ")[1].split()[0]))
    assert "How well does each system do?" in printed
    for word in ("rank", "Which system is better", "differs from the best system"):
        assert word not in printed, word


@pytest.mark.slow
def test_slices_by_the_operations_of_the_references(
    plainly: Any, demo_files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAINLY_TAGS", str(tmp_path / "tags"))
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    arguments = [
        "compare",
        *demo_files,
        *systems,
        "--metrics",
        "sari",
        "--by",
        "length,operation",
        "--tagger",
        "rules",
    ]
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


@pytest.mark.slow
def test_by_operation_the_verdict_names_operations_in_words(
    plainly: Any, demo_files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What tells the two apart, beyond chance; of six systems only these two are tagged."""
    monkeypatch.setenv("PLAINLY_TAGS", str(tmp_path / "tags"))
    systems = [part for name in ("careful-writer", "splitter", "truncation") for part in ("--system", f"{name}.txt")]
    arguments = ["compare", *demo_files, *systems, "--metrics", "sari", "--by", "operation", "--tagger", "rules"]
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


def test_slices_by_operation_need_references(plainly: Any, demo_files: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    run = plainly("compare", *demo_files[:2], *systems, "--metrics", "fkgl", "--by", "operation", "--quiet")
    assert run.refusal.startswith("slices by operation need sources and references")


def records(path: str, **columns: list[Any]) -> list[str]:
    """The demo set as records with these columns, and two of its systems."""
    corpus = demo_corpus("en")
    names = ("careful-writer", "splitter")
    lines = [
        {
            "source": corpus.sources[i],
            "references": corpus.references[i],
            "outputs": {name: corpus.outputs[name][i] for name in names},
            **{name: values[i] for name, values in columns.items()},
        }
        for i in range(UNITS)
    ]
    Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return ["compare", "--data", path, "--metrics", "sari"]


def test_segments_without_a_value_are_counted(plainly: Any) -> None:
    """Nothing, an empty text and blanks are no value."""
    nothing = [None, "", "  "]
    genre = [nothing[i // 2 % 3] if i % 2 else "news" if i % 4 else "law" for i in range(UNITS)]
    arguments = [*records("d.jsonl", genre=genre, even=[str(i % 2) for i in range(UNITS)]), "--by", "genre,even"]
    found = plainly(*arguments, "--format", "json").json
    assert [one["slice"] for one in found["slices"] if one["by"] == "genre"] == ["law", "news"]
    assert found["segments_without_value"] == {"genre": 30, "even": 0}
    printed = plainly(*arguments).printed
    assert "genre: 30 segments have no value and are in no slice" in printed
    assert "even:" not in printed


def test_slices_obey_the_choice_of_a_test(plainly: Any, demo_files: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    arguments = ["compare", *demo_files, *systems, "--metrics", "sari", "--by", "length", "--test", "randomisation"]
    found = plainly(*arguments, "--format", "json").json
    assert {one["method"] for one in found["slices"]} == {"randomisation"}
    assert (
        "all pairs of systems on all slices, and must be below 0.05; paired randomisation"
        in plainly(*arguments).printed
    )


def test_all_tests_of_a_table_of_slices_are_counted(plainly: Any) -> None:
    """Five systems: the best one is tested against four, but might have come from any of ten pairs; four slices."""
    printed = plainly("compare", "--demo", "--metrics", "sari", "--by", "length").printed
    assert "any of 40 tests" in printed
    against = plainly("compare", "--demo", "--metrics", "sari", "--by", "length", "--baseline", "splitter").printed
    assert "any of 16 tests" in against


def test_an_unknown_slice_is_told_of_operation(plainly: Any, demo_files: list[str]) -> None:
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt"]
    assert "did you mean 'operation'?" in plainly("compare", *demo_files, *systems, "--by", "operations").refusal


def test_runs_that_lack_segments(plainly: Any) -> None:
    """The mean is over the segments that all runs have; a warning names the run, and score says what a row is."""
    corpus = demo_corpus("en")
    with Path("runs.csv").open("w", encoding="utf-8", newline="") as file:
        write = csv.writer(file)
        write.writerow(["id", "source", "reference.0", "system", "run", "output"])
        for run, name in (("s1", "careful-writer"), ("s2", "hasty-model")):
            for i in range(UNITS):
                if run == "s1" or i < 45:
                    output = corpus.outputs[name][i]
                    write.writerow([i, corpus.sources[i], corpus.references[i][0], "mine", run, output])
        for i in range(UNITS):
            write.writerow(
                [i, corpus.sources[i], corpus.references[i][0], "other", "", corpus.outputs["splitter"][i]]
            )
    arguments = ["--data", "runs.csv", "--metrics", "sari", "--quiet"]
    scored = plainly("score", *arguments)
    assert "mine is the mean of 2 runs\n" in scored.printed
    assert scored.err == (
        "warning: run s2 of mine lacks 15 of 60 segments that another run has; "
        "mine is scored on the 45 that all its runs have (sari)\n"
    )
    compared = plainly("compare", *arguments, "--format", "json").json["systems"]["mine"]["sari"]
    assert (
        plainly("score", *arguments, "--format", "json").json["systems"]["mine"]["sari"]["score"] == compared["score"]
    )
    assert (compared["scored"], compared["unscored"], compared["lacking"]) == (45, 15, 15)
    few = [
        list(map(str, texts))[:45] for texts in (corpus.sources, *(corpus.outputs[n] for n in ("careful-writer",)))
    ]
    alone = evaluate(few[0], few[1], [[group[0]] for group in corpus.references[:45]], metrics="sari", intervals=None)
    assert compared["runs"]["mine/s1"] == alone["output"]["sari"].score


def test_why_is_said_where_it_explains_the_difference(plainly: Any, demo_files: list[str]) -> None:
    """Not against a baseline, not of a difference that may be chance, and not of one on fewer segments."""
    why = "Where the difference to splitter comes from:"
    systems = ["--system", "careful-writer.txt", "--system", "splitter.txt", "--metrics", "sari"]
    assert why in plainly("compare", *demo_files, *systems).printed
    assert "comes from" not in plainly("compare", *demo_files, *systems, "--baseline", "careful-writer").printed
    alike = ["--system", "seed1.txt", "--system", "seed2.txt", "--metrics", "sari"]
    printed = plainly("compare", *demo_files, *alike).printed
    assert printed.startswith("No system is shown to be best by SARI.")
    assert "comes from" not in printed
    few = records("few.jsonl")
    lines = Path("few.jsonl").read_text("utf-8").splitlines()
    first = json.loads(lines[0])
    del first["outputs"]["splitter"]
    Path("few.jsonl").write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n", "utf-8")
    printed = plainly(*few).printed
    assert printed.startswith("careful-writer has the best SARI of 2 systems")
    assert "careful-writer and splitter are compared on the 59 of 60 segments that both have." in printed
    assert "comes from" not in printed
