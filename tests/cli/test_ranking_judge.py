"""`plainly ranking judge`: what is refused before anybody is asked. tests/judges has the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

# Nobody answers there: a question would end in another message.
JUDGE = ("ranking", "judge", "--url", "http://127.0.0.1:9/v1", "--model", "none", "--tries", "1")
FILES = ("--texts", "texts.jsonl", "--pairs", "pairs.csv", "--store", "replies.jsonl")


@pytest.fixture(autouse=True)
def _files() -> None:
    texts = [{"id": name, "text": f"Text {name} is here."} for name in "abc"]
    Path("texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts), "utf-8")
    Path("pairs.csv").write_text("first,second\na,b\nb,c\n", "utf-8")
    Path("folder").mkdir()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["-o", "nowhere/found.csv"], "cannot write nowhere/found.csv: No such file or directory"),
        (["-o", "folder"], "cannot write folder: Is a directory"),
        (["-o", ""], "give --output FILE"),
        (["-o", "found.csv", "--scores", "no/s.csv", "--strategy", "score"], "cannot write no/s.csv"),
        (["-o", "pairs.csv"], "pairs.csv is an input of this run"),
        (["--scores", "texts.jsonl", "--strategy", "score"], "texts.jsonl is an input of this run"),
    ],
)
def test_outputs_are_checked_first(plainly: Any, options: list[str], complaint: str) -> None:
    before = Path("pairs.csv").read_text("utf-8"), Path("texts.jsonl").read_text("utf-8")
    assert complaint in plainly(*JUDGE, *FILES, *options).refusal
    assert (Path("pairs.csv").read_text("utf-8"), Path("texts.jsonl").read_text("utf-8")) == before
    assert sorted(path.name for path in Path().iterdir()) == ["folder", "pairs.csv", "texts.jsonl"]


def test_one_more_is_and_two_more_are(plainly: Any) -> None:
    """With a budget of nothing, every pair is unscored; three of them are named."""
    pytest.importorskip("httpx2", reason="needs plainly[judges]")
    for pairs, said in (
        (["a,b", "b,c", "c,a", "b,a"], "1 more is"),
        (["a,b", "b,c", "c,a", "b,a", "c,b"], "2 more are"),
    ):
        Path("pairs.csv").write_text("\n".join(["first,second", *pairs]) + "\n", "utf-8")
        run = plainly(*JUDGE, *FILES, "-o", "found.csv", "--max-calls", "0")
        assert f"note: {said} unscored (--format json lists all)" in run.err
    one = plainly(*JUDGE, *FILES[:2], "--strategy", "rank-all", "--scores", "s.csv", "--max-calls", "0", *FILES[4:])
    assert one.err.startswith("1 call: ")
