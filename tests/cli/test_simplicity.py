"""`plainly simplicity`: score, explain and train, as people run them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from plainly.simplicity import load_model

EASY, HARD = "The cat sat on the mat.", "The feline assumed a sedentary position upon the upholstered furniture."


def test_scores_are_those_of_the_model(plainly: Any) -> None:
    content = json.loads(plainly("simplicity", "score", EASY, "…", HARD, "--format", "json").printed)
    first, nothing, last = content["texts"]
    assert [first["score"]["value"], last["score"]["value"]] == load_model("full").scores([EASY, HARD]).tolist()
    assert nothing["score"] == {"value": None, "low": None, "high": None}
    assert content["unscored"] == 1
    assert content["direction"] == "higher = simpler"
    assert first["score"]["low"] < first["score"]["value"] < first["score"]["high"] <= 1


def test_texts_from_a_file(plainly: Any, tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text(f"{EASY}\n\n{HARD}\n", "utf-8")
    run = plainly("simplicity", "score", "--file", str(path), "--model", "lite", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run.printed)))
    assert [row["text"] for row in rows] == [EASY, "", HARD]
    assert rows[1]["simplicity"] == ""
    assert float(rows[0]["simplicity"]) > float(rows[2]["simplicity"])


@pytest.mark.parametrize("by", [[], ["--each-feature"]])
@pytest.mark.parametrize("model", ["lite", "full"])
def test_rows_of_an_explanation_add_up(plainly: Any, by: list[str], model: str) -> None:
    options = [*by, "--model", model, "--top", "2", "--format", "csv"]
    rows = list(csv.DictReader(io.StringIO(plainly("simplicity", "explain", HARD, *options).printed)))
    *parts, total = [float(row["adds"]) for row in rows]
    assert rows[-1]["part"] == "score"
    assert sum(parts) == pytest.approx(total)


def test_explains_what_cannot_be_scored(plainly: Any) -> None:
    assert "not scored" in plainly("simplicity", "explain", "?!").printed
    content = json.loads(plainly("simplicity", "explain", "?!", HARD, "--format", "json").printed)
    assert content["texts"][0]["score"] is None
    assert len(content["texts"][1]["features"]) == 139


def ranking(folder: Path, count: int = 24) -> list[str]:
    """Texts that get longer, and judgements that say so."""
    texts = [{"id": f"t{i}", "text": "word " * i + "and more things."} for i in range(1, count + 1)]
    (folder / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts), "utf-8")
    rows = ["first,second,winner"]
    for i in range(1, count + 1):
        rows += [f"t{i},t{j},t{max(i, j)}" for j in (i + 1, i + 3, i + 7) if j <= count]
    (folder / "ours.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return ["--judgements", str(folder / "ours.csv"), "--texts", str(folder / "texts.jsonl"), "--winner", "harder"]


def test_trains_a_model_that_scores(plainly: Any, tmp_path: Path) -> None:
    options = [*ranking(tmp_path), "--size", "lite", "-o", str(tmp_path / "ours.json")]
    run = plainly("simplicity", "train", *options)
    assert "length alone" in run.err
    short, long = "word and more things.", "word " * 20 + "and more things."
    found = plainly("simplicity", "score", short, long, "--model", str(tmp_path / "ours.json"), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(found.printed)))
    assert float(rows[0]["simplicity"]) > 0.8
    assert float(rows[1]["simplicity"]) < 0.3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score"], "give a text, --file FILE, or - for standard input"),
        (["score", "a", "--file", "x.txt"], "not both"),
        (["score", "a", "--model", "huge"], "huge is neither lite nor full, nor a file to read"),
        (["score", "a", "--confidence", "2"], "must lie between 0 and 1, for example 0.95, not 2"),
        (["score", "--file", "no-such.txt"], "no-such.txt: no such file"),
        (["explain", "a", "--top", "0"], "--top must be at least 1"),
        (["train", "--judgements", "x.csv", "-o", "m.npz"], "--texts is missing"),
    ],
)
def test_refusals(plainly: Any, arguments: list[str], message: str) -> None:
    assert message in plainly("simplicity", *arguments).refusal


@pytest.mark.parametrize("name", ["ours.csv", "texts.jsonl", "test.jsonl"])
def test_a_model_is_not_written_over_what_it_learns_from(plainly: Any, tmp_path: Path, name: str) -> None:
    options = ranking(tmp_path)
    (tmp_path / "test.jsonl").write_text('{"id": "x", "text": "Something else."}\n', "utf-8")
    before = (tmp_path / name).read_bytes()
    run = plainly("simplicity", "train", *options, "--test-texts", tmp_path / "test.jsonl", "-o", tmp_path / name)
    assert "a model is written as npz or json" in run.refusal
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("action", ["score", "explain"])
def test_results_are_not_written_over_the_texts(plainly: Any, tmp_path: Path, action: str) -> None:
    path = tmp_path / "texts.txt"
    path.write_text(EASY, "utf-8")
    assert "is an input of this run" in plainly("simplicity", action, "--file", path, "-o", path).refusal
    assert path.read_text("utf-8") == EASY
    own = tmp_path / "own.json"
    own.write_bytes(load_model("lite").save())
    assert "is an input of this run" in plainly("simplicity", action, EASY, "--model", own, "-o", own).refusal


def test_a_refused_training_leaves_no_file(plainly: Any, tmp_path: Path) -> None:
    output = tmp_path / "m.npz"
    run = plainly("simplicity", "train", *ranking(tmp_path, 9), "-o", output)
    assert "at least 20 texts" in run.refusal
    assert not output.exists()
