"""`plainly operations train`: annotations in, weights out, which `tag` takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainly.models.parsers import DEPENDENCIES, missing_parser
from plainly.operations import AnnotatedPair, Group, read_jsonl, write_jsonl
from plainly.operations.tagger import learned

QUICK = ["--networks", "1", "--epochs", "1", "--without-parser"]


@pytest.fixture
def annotations(tmp_path: Path) -> str:
    pairs = [
        AnnotatedPair(str(i), ("A", hard, "slept"), ("A", "cat", "slept"), (Group((1,), (1,), "synonym"),), "a")
        for i, hard in enumerate(["feline", "tomcat", "kitten", "mouser"])
    ]
    path = tmp_path / "pairs.jsonl"
    write_jsonl(pairs, path)
    return str(path)


def test_weights_are_made_and_used(plainly: Any, annotations: str, tmp_path: Path) -> None:
    weights = str(tmp_path / "mine.npz")
    answer = plainly("operations", "train", "--annotations", annotations, *QUICK, "-o", weights)
    assert "learned from 4 pairs of 4 sources" in answer.err
    (tmp_path / "s").write_text("A feline slept\n", encoding="utf-8")
    (tmp_path / "t").write_text("A cat slept\n", encoding="utf-8")
    texts = ["--sources", str(tmp_path / "s"), "--system", f"x={tmp_path / 't'}"]
    pair = json.loads(plainly("operations", "tag", *texts, "--model", weights).printed)
    assert pair["annotator"] == "learned:mine"


@pytest.mark.parametrize(("lang", "why"), [("de", "parser for 'de'"), ("tr", "there is no parser for 'tr'")])
def test_without_a_parser_that_gives_dependencies(
    plainly: Any, annotations: str, tmp_path: Path, lang: str, why: str
) -> None:
    if missing_parser(lang, {DEPENDENCIES}) is None:
        pytest.skip(f"a parser for {lang!r} is installed that gives dependencies")
    weights = tmp_path / "w.npz"
    answer = plainly(
        "operations", "train", "--annotations", annotations, *QUICK[:-1], "--lang", lang, "-o", str(weights)
    )
    assert answer.status == 0
    assert "note: learning as with --without-parser: " in answer.err
    assert why in answer.err
    assert not learned.read_model(weights.read_bytes(), weights.name).parsed


def test_sources_can_be_left_out(plainly: Any, annotations: str, tmp_path: Path) -> None:
    arguments = ["--annotations", annotations, *QUICK, "-o", str(tmp_path / "w.npz")]
    err = plainly("operations", "train", *arguments, "--leave-out", "0,2-2").err
    assert "from 2 pairs of 2 sources; 2 pairs left out; " in err
    reversed_range = plainly("operations", "train", *arguments, "--leave-out", "3-1")
    assert "the range 3-1 ends before it begins; did you mean 1-3?" in reversed_range.refusal
    refused = plainly("operations", "train", *arguments, "--leave-out", "7")
    assert "--leave-out names '7', which is the id of no pair" in refused.refusal


def test_cross_validation_writes_pairs(plainly: Any, annotations: str, tmp_path: Path) -> None:
    out = tmp_path / "cv.jsonl"
    plainly(
        "operations",
        "train",
        "--annotations",
        annotations,
        *QUICK,
        "--cross-validate",
        "--folds",
        "2",
        "-o",
        str(out),
    )
    assert [(pair.id, pair.annotator) for pair in read_jsonl(out)] == [(str(i), "learned") for i in range(4)]


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--epochs", "0"], "--epochs must be at least 1"),
        (["--networks", "0"], "--networks must be at least 1"),
        (["--folds", "1"], "--folds must be at least 2"),
        (["--lang", "xx"], "unknown language"),
        (["--tagger", "encoder"], "w.npz: weights are written to files that end in .safetensors"),
        (["--cross-validate", "--folds", "2"], "w.npz: pairs are written to files that end in .jsonl"),
        (["--leave-out", "0-3"], "nothing to learn from"),
    ],
)
def test_what_is_refused(plainly: Any, annotations: str, tmp_path: Path, extra: list[str], said: str) -> None:
    arguments = ["--annotations", annotations, "-o", str(tmp_path / "w.npz"), *extra]
    assert said in plainly("operations", "train", *arguments).refusal
    assert not (tmp_path / "w.npz").exists()


@pytest.mark.parametrize(
    ("output", "folds", "said"),
    [
        ("w.txt", [], "w.txt: weights are written to files that end in .npz"),
        (
            "w.aln",
            ["--cross-validate", "--folds", "2"],
            "w.aln: pairs are written to files that end in .jsonl, .ndjson",
        ),
        ("w.jsonl", ["--cross-validate", "--folds", "5"], "5 folds need as many sources, but there are 4"),
    ],
)
def test_outputs_that_do_not_fit(plainly: Any, annotations: str, output: str, folds: list[str], said: str) -> None:
    assert said in plainly("operations", "train", "--annotations", annotations, *QUICK, *folds, "-o", output).refusal
    assert not Path(output).exists()
