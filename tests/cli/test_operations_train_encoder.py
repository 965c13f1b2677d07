"""`plainly operations train --tagger encoder`: it needs torch, and says so."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from plainly.operations import AnnotatedPair, Group, write_jsonl
from plainly.operations.tagger import encoder

pytestmark = pytest.mark.skipif(
    encoder.missing("en") is not None, reason="the extra `models` or its model is not installed"
)
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")


@pytest.fixture
def annotated(tmp_path: Path) -> str:
    pairs = [
        AnnotatedPair(str(i), ("A", hard, "slept"), ("A", "cat", "slept"), (Group((1,), (1,), "synonym"),), "a")
        for i, hard in enumerate(["feline", "tomcat", "kitten", "mouser"])
    ]
    path = tmp_path / "pairs.jsonl"
    write_jsonl(pairs, path)
    return str(path)


@pytest.mark.slow
@needs_torch
def test_weights_are_made_and_used(plainly: Any, annotated: str, tmp_path: Path) -> None:
    weights = tmp_path / "mine.safetensors"
    quick = ["--tagger", "encoder", "--networks", "1", "--epochs", "1", "--annotator-changes", "2"]
    answer = plainly("operations", "train", "--annotations", annotated, *quick, "-o", str(weights))
    assert "learned from 4 pairs of 4 sources" in answer.err
    assert encoder.read_model(weights).about["annotators"] == ["1", "2"]
    (tmp_path / "s").write_text("A feline slept\n", encoding="utf-8")
    (tmp_path / "t").write_text("A cat slept\n", encoding="utf-8")
    texts = ["--sources", str(tmp_path / "s"), "--system", f"x={tmp_path / 't'}"]
    tagged = plainly("operations", "tag", *texts, "--tagger", "encoder", "--model", str(weights)).printed
    assert json.loads(tagged)["annotator"] == "encoder:mine"


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
def test_torch_is_asked_for(plainly: Any, annotated: str, tmp_path: Path) -> None:
    arguments = ["--annotations", annotated, "--tagger", "encoder", "-o", str(tmp_path / "w.safetensors")]
    assert "needs torch: pip install torch" in plainly("operations", "train", *arguments).refusal


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--without-parser"], "--without-parser is for --tagger learned"),
        (["--lang", "de"], "it knows en alone, not de"),
    ],
)
def test_what_is_refused(plainly: Any, annotated: str, tmp_path: Path, extra: list[str], said: str) -> None:
    arguments = ["--annotations", annotated, "--tagger", "encoder", "-o", str(tmp_path / "w.safetensors"), *extra]
    assert said in plainly("operations", "train", *arguments).refusal
    assert not (tmp_path / "w.safetensors").exists()


@pytest.mark.parametrize("changes", ["x", "3,2", "2,2", "-1", "1,", "9" * 40])
def test_annotators_change_at_rising_numbers(plainly: Any, annotated: str, tmp_path: Path, changes: str) -> None:
    arguments = ["--annotations", annotated, "--without-parser", "-o", str(tmp_path / "w.npz")]
    answer = plainly("operations", "train", *arguments, f"--annotator-changes={changes}")
    assert "--annotator-changes takes rising numbers" in answer.refusal
