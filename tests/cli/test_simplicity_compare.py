"""`plainly simplicity compare`, as people run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TESTED = {f"word {'and more ' * n}things": hard for n, hard in ((8, 1.0), (5, 0.75), (2, 0.5), (1, 0.0))}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Texts that get longer, judgements that say so, four texts to be foreseen, and their lengths as embeddings."""
    monkeypatch.chdir(tmp_path)
    texts = [{"id": f"t{i}", "text": "word " * i + "and more things."} for i in range(1, 25)]
    tested = [{"id": f"u{i}", "text": text} for i, text in enumerate(TESTED)]
    for name, rows in {"texts": texts, "tested": tested}.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
        vectors = [{"id": one["id"], "embedding": [len(one["text"]), 1]} for one in rows]
        (tmp_path / f"{name}-vectors.jsonl").write_text("".join(json.dumps(one) + "\n" for one in vectors))
    votes = [f"t{i},t{j},t{j}" for i in range(1, 25) for j in (i + 1, i + 3, i + 7) if j <= 24]
    (tmp_path / "votes.csv").write_text("\n".join(["first,second,winner", *votes]) + "\n")
    (tmp_path / "hard.csv").write_text("id,score\n" + "".join(f"u{i},{y}\n" for i, y in enumerate(TESTED.values())))
    return tmp_path


WORDS = (
    *("simplicity", "compare", "votes.csv", "--winner", "harder", "--texts", "texts.jsonl"),
    *("--test-texts", "tested.jsonl", "--scores", "hard.csv", "--high", "harder", "--resamples", "50"),
)
VECTORS = ("--embeddings", "texts-vectors.jsonl", "--test-embeddings", "tested-vectors.jsonl")


@pytest.mark.usefixtures("files")
def test_the_command(plainly: Any) -> None:
    found = json.loads(plainly(*WORDS, *VECTORS, "--format", "json").printed)
    figures = {one["learner"]: one for one in found["learners"]}
    assert list(figures) == ["random", "mean", "length", "lite", "boosted-embeddings", "ridge-embeddings"]
    assert figures["ridge-embeddings"]["spearman"]["value"] == pytest.approx(
        1
    )  # hard texts have low targets, as here
    assert figures["random"]["spearman"]["value"] is None
    one = json.loads(plainly(*WORDS, "--learners", "length, mean", "--format", "json").printed)
    assert [each["learner"] for each in one["learners"]] == ["length", "mean"]


def test_texts_of_other_judgements_are_counted(plainly: Any, files: Path) -> None:
    """Judgements of some texts alone, or scores of some: perhaps these are the wrong files."""
    votes = (files / "votes.csv").read_text().splitlines()
    (files / "votes.csv").write_text("\n".join(vote for vote in votes if "t24" not in vote) + "\n")
    (files / "hard.csv").write_text("".join((files / "hard.csv").read_text().splitlines(keepends=True)[:-1]))
    said = plainly(*WORDS, "--learners", "length").err
    assert "texts that nobody judged, left out: 1" in said
    assert "test texts without a score, left out: 1" in said


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((*WORDS, "--embeddings", "texts-vectors.jsonl"), "--embeddings and --test-embeddings go together"),
        ((*WORDS, *VECTORS, "--encoder", "any"), "give one of them"),
        ((*WORDS, "--learners", "trees"), "unknown learner 'trees'"),
        ((*WORDS, "--encoder", "no/such-model"), "no/such-model"),
        (WORDS[:3], "--texts is missing"),
        ((*WORDS[:7], "--test-texts", "tested.jsonl"), "--scores is missing"),
        ((*WORDS[:9], "--scores", "hard.csv", "--high", "more formal"), "different questions"),
    ],
)
@pytest.mark.usefixtures("files")
def test_commands_that_are_refused(plainly: Any, options: tuple[str, ...], complaint: str) -> None:
    assert complaint in plainly(*options).refusal
