"""`plainly operations subset`, as its users run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SOURCES = ("The old physician prescribed strong pills .", "A vast crowd assembled in the square .", "He slept .")
TARGETS = {
    "ref0": ("The doctor gave pills .", "A big crowd met in the square .", "He slept ."),
    "ref1": ("The old doctor prescribed strong pills .", "A crowd was there .", "He was asleep ."),
    "ref2": ("A physician prescribed pills .", "Many people met .", "He ."),
}
LABELS = {
    "ref0": (("synonym", "delmod"), ("synonym",), ()),
    "ref1": (("synonym",), ("delmod", "err"), ("verbf",)),
    "ref2": (("delmod",), ("hyperonym",), ("err",)),
}
SIDES = {"synonym": ([2], [1]), "hyperonym": ([2], [1]), "verbf": ([1], [1]), "delmod": ([1], []), "err": ([0], [0])}
SUBSET = ("operations", "subset", "--annotations", "refs.jsonl", "--random-subsets", 10, "--resamples", 20)


@pytest.fixture(autouse=True)
def _files() -> None:
    with Path("refs.jsonl").open("w", encoding="utf-8") as out:
        for origin, targets in TARGETS.items():
            for i, target in enumerate(targets):
                groups = [
                    {"source": SIDES[label][0], "target": SIDES[label][1], "label": label}
                    for label in LABELS[origin][i]
                ]
                record = {"id": str(i), "origin": origin, "source": SOURCES[i].split(), "target": target.split()}
                out.write(json.dumps({**record, "groups": groups}) + "\n")
    Path("mine.txt").write_text("The doctor prescribed pills .\nA big crowd met .\nHe slept .\n", "utf-8")
    Path("raw.src").write_text("".join(source.replace(" .", ".") + "\n" for source in SOURCES), "utf-8")
    for origin, targets in TARGETS.items():
        Path(f"raw.{origin}").write_text("".join(target.replace(" .", ".") + "\n" for target in targets), "utf-8")


RAW = ["--raw-sources", "raw.src", *(part for origin in TARGETS for part in ("--raw-targets", f"raw.{origin}"))]
SYSTEM = ["--system", "mine=mine.txt"]


def test_scores_beside_random_references(plainly: Any) -> None:
    printed = plainly(*SUBSET, *SYSTEM, "--subset", "clean=not err", "--subset", "lexical and not err").printed
    for words in ("beyond random", "mean over systems", "clean", "lexical and not err", "mean of 10 draws"):
        assert words in printed
    assert "refs:2-3|weight:segments" in printed
    counts = plainly(*SUBSET, *SYSTEM, "--subset", "not err", "--reference-weighting", "counts").printed
    assert "weight:counts" in counts


def test_json(plainly: Any) -> None:
    content = plainly(*SUBSET, *SYSTEM, "--subset", "lexical", "--within", "not err", "--format", "json").json
    assert content["sizes"] == [{"subset": "lexical", "sources": 2, "references": 4, "fewest": 2, "most": 2}]
    (score,) = content["scores"]
    assert score["from_whole"]["value"] == pytest.approx(score["score"]["value"] - score["whole"])
    assert set(score["from_random"]) == {"value", "low", "high"}
    assert (content["draws"], content["within"], content["seed"]) == (10, "not err", 12345)


def test_what_is_written_can_be_scored(plainly: Any) -> None:
    arguments = [*SYSTEM, *RAW, "--subset", "lexical=lexical and not err", "--write", "out", "--format", "json"]
    score = plainly(*SUBSET, *arguments).json["scores"][0]["score"]["value"]
    records = [json.loads(line) for line in Path("out/lexical.jsonl").read_text("utf-8").splitlines()]
    assert [len(record["references"]) for record in records] == [2, 2]
    assert records[0] == {
        "id": "0",
        "source": "The old physician prescribed strong pills.",
        "references": ["The doctor gave pills.", "The old doctor prescribed strong pills."],
        "outputs": {"mine": "The doctor prescribed pills ."},
    }
    again = plainly("score", "--data", "out/lexical.jsonl", "--metrics", "sari", "--format", "json").json
    assert again["systems"]["mine"]["sari"]["score"]["value"] == pytest.approx(score)
    members = plainly(*SUBSET, *SYSTEM, *RAW, "--members", "out/members.tsv", "--format", "json").json
    assert members["scores"][0]["score"]["value"] == pytest.approx(score)


def test_sizes_without_outputs(plainly: Any) -> None:
    run = plainly(*SUBSET, "--subset", "not err", "--subset", "synonym or verbf")
    assert run.printed.splitlines()[2].split() == ["not", "err", "3", "7", "2", "3"]
    assert "note: no outputs are scored" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which references? Say --subset EXPRESSION"),
        (["--subset", "lexical andd err"], "at character 9: 'andd' is not expected here"),
        (["--subset", "merge"], "subset 'merge' is empty"),
        (["--subset", "err", "--subset", "err"], "the name 'err' is there twice"),
        (["--subset", "err", "--within", "nothing"], "unknown label or class 'nothing'"),
        (["--subset", "not err", "--metrics", "fkgl"], "fkgl reads no references"),
        (["--subset", "not err", "--random-subsets", "0"], "draws must be at least 1"),
        (["--subset", "not err", "--confidence", "2"], "the confidence must lie between 0 and 1"),
        (["--subset", "not err", "--threads", "0"], "--threads must be at least 1"),
        (["--subset", "not err", "--resamples", "-1"], "resamples must be at least 0"),
        (["--subset", "=err"], "--subset takes EXPRESSION or NAME=EXPRESSION, not '=err'"),
        (["--subset", "not err", "--system", "mine=raw.src"], "the name 'mine' is there twice"),
        (["--subset", "not err", "--system", "short=short.txt"], "short.txt: line 2 is missing"),
        (["--members", "mine.txt"], "mine.txt:1: the columns are id, origin"),
        (
            ["--subset", "a/b=not err", "--subset", "a-b=not err", "--write", "out"],
            "two subsets would have the same file",
        ),
        (["--subset", "not err", "--write", "mine.txt"], "cannot write to mine.txt"),
        (["--subset", "not err", "--raw-sources", "blank.src"], "blank.src:2: empty source"),
    ],
)
def test_refusals(plainly: Any, arguments: list[str], message: str) -> None:
    Path("short.txt").write_text("One .\n", "utf-8")
    Path("blank.src").write_text("One .\n\nThree .\n", "utf-8")
    few = [] if {"--random-subsets", "--resamples"} & set(arguments) else ["--random-subsets", 2, "--resamples", 2]
    assert message in plainly(*SUBSET[:4], *few, *SYSTEM, "--quiet", *arguments).refusal
    assert not list(Path().glob("out/*.jsonl"))


def test_metrics_are_refused_without_outputs_too(plainly: Any) -> None:
    given = (*SUBSET, "--quiet", "--subset", "not err", "--profile", "easse", "--metrics")
    assert plainly(*given, "chrf").refusal.startswith("unknown metric of the profile easse 'chrf'")
    assert "not err" in plainly(*given, "sari").printed


def test_inputs_are_not_written_over(plainly: Any) -> None:
    Path("lexical.jsonl").write_text(Path("refs.jsonl").read_text("utf-8"), "utf-8")
    before = Path("lexical.jsonl").read_text("utf-8")
    given = (
        "operations",
        "subset",
        "--annotations",
        "lexical.jsonl",
        "--subset",
        "lexical",
        "--write",
        ".",
        "--quiet",
    )
    assert "lexical.jsonl is an input of this run" in plainly(*given).refusal
    assert Path("lexical.jsonl").read_text("utf-8") == before
    raw = ("operations", "subset", "--annotations", "refs.jsonl", "--subset", "lexical", *RAW)
    raw = (*raw, "--format", "table", "-o", "raw.src", "--quiet")
    assert "raw.src is an input of this run" in plainly(*raw).refusal


def test_empty_targets_are_noted(plainly: Any) -> None:
    lines = Path("refs.jsonl").read_text("utf-8").splitlines()
    empty = {"id": "0", "origin": "ref9", "source": SOURCES[0].split(), "target": [], "groups": []}
    Path("refs.jsonl").write_text("\n".join([*lines, json.dumps(empty)]) + "\n", "utf-8")
    assert "note: 1 targets are empty texts" in plainly(*SUBSET, "--subset", "not err").err


# ---- the ordinary reader looks out for the two faults


def test_id_prefixes_are_noted(plainly: Any) -> None:
    for name in ("raw.src", "raw.ref0"):
        lines = Path(name).read_text("utf-8").splitlines()
        Path(name).write_text("".join(f"{i}\t{line}\n" for i, line in enumerate(lines)), "utf-8")
    run = plainly("score", "--sources", "raw.src", "--references", "raw.ref0", *SYSTEM, "--metrics", "sari")
    assert run.status == 0
    assert "note: sources begin with a number and a tab, as '0\\tThe old physician '" in run.err
    assert "note: references begin with a number and a tab" in run.err
    assert "outputs of mine begin" not in run.err
    quiet = plainly("score", "--sources", "raw.src", "--references", "raw.ref0", *SYSTEM, "--quiet")
    assert quiet.err == ""


def test_id_prefixes_are_noted_here_too(plainly: Any) -> None:
    for name in ("raw.src", "raw.ref0", "raw.ref1", "mine.txt"):
        lines = Path(name).read_text("utf-8").splitlines()
        Path(name).write_text("".join(f"{i}\t{line}\n" for i, line in enumerate(lines)), "utf-8")
    run = plainly(*SUBSET, *SYSTEM, *RAW, "--subset", "not err")
    assert run.status == 0
    for texts in ("untokenised sources", "untokenised targets", "outputs of mine"):
        assert f"note: {texts} begin with a number and a tab, as '0\\tThe " in run.err
    assert "begin with a number" not in plainly(*SUBSET, *SYSTEM, *RAW, "--subset", "not err", "--quiet").err
    assert "begin with a number" not in plainly(*SUBSET, "--subset", "not err").err


def test_without_resamples_there_are_no_intervals(plainly: Any) -> None:
    given = [*SUBSET[:-1], 0, *SYSTEM, "--subset", "not err"]
    assert "in brackets" not in plainly(*given).printed
    (score,) = plainly(*given, "--format", "json").json["scores"]
    (usual,) = plainly(*SUBSET, *SYSTEM, "--subset", "not err", "--format", "json").json["scores"]
    assert (score["score"]["value"], score["random"], score["p"]) == (
        usual["score"]["value"],
        usual["random"],
        usual["p"],
    )
    assert score["score"]["low"] is score["from_whole"]["high"] is None


def test_numbers_at_the_start_are_no_ids(plainly: Any) -> None:
    Path("n.src").write_text("12 men came.\n2020 was dry.\n3\tmen left.\n", "utf-8")
    run = plainly("score", "--sources", "n.src", "--references", "raw.ref0", *SYSTEM, "--metrics", "sari")
    assert run.status == 0
    assert "begin with a number" not in run.err


def test_blank_references_are_noted(plainly: Any) -> None:
    Path("gaps.ref").write_text("The doctor gave pills.\n\n \n", "utf-8")
    given = ("score", "--sources", "raw.src", "--references", "raw.ref0", "--references", "gaps.ref", *SYSTEM)
    kept = plainly(*given, "--metrics", "sari", "--empty-reference", "keep")
    assert "note: 2 blank references count as references" in kept.err
    assert "gaps.ref:2: empty reference" in plainly(*given, "--metrics", "sari").refusal
    missing = plainly(*given, "--metrics", "sari", "--empty-reference", "missing")
    assert "blank references" not in missing.err
    assert "refs:1-2|weight:segments" in missing.printed


def _lines(name: str, lines: list[str]) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def test_several_tables_in_one_file_are_refused_before_the_work(plainly: Any) -> None:
    for form in (["--format", "csv"], ["-o", "x.tsv"]):
        refusal = plainly(*SUBSET[:2], "--annotations", "nowhere.jsonl", *SYSTEM, "--subset", "any", *form).refusal
        assert refusal == "one file holds one table: scores, summary, sizes"
