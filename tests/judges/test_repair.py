"""Formatting mended by a language model: a real server that follows a script; words must stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import ScriptedJudge

from plainly.cli import main
from plainly.ranking import read_texts

Serve = Callable[[Any], ScriptedJudge]


@pytest.fixture(autouse=True)
def _corpus() -> None:
    Path("src.txt").write_text("".join(f"the old bell{i} of paris{i} rang{i}\n" for i in range(6)), "utf-8")
    Path("simp.txt").write_text("".join(f"a tone{i} came{i}\n" for i in range(6)), "utf-8")


def sample(judge: ScriptedJudge, *more: str) -> int:
    files = ["--corpus", "bells=src.txt,simp.txt", "--count", "6", "--licence", "CC0", "-o", "made"]
    server = ["--mend", "judge", "--url", judge.url, "--model", "scripted", "--store", "replies.jsonl"]
    return main(["ranking", "sample", *files, "--near-duplicates", "1", *server, *more])


def asked(body: dict[str, Any]) -> str:
    """The text between the fences."""
    content: str = body["messages"][-1]["content"]
    return content.split('"""')[1].strip()


def test_a_model_may_change_capitals_and_marks(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(lambda body, _: f'"""\n{asked(body).replace("paris", "Paris")}.\n"""')
    assert sample(judge) == 0
    texts = [text.text for text in read_texts("made/texts.jsonl")]
    assert all(text.endswith(".") for text in texts)
    assert sum("Paris" in text for text in texts) == 3
    assert "scripted mended 6 texts; 0 stay as the rules left them" in capsys.readouterr().err
    assert "judge 6" in Path("made/README.md").read_text("utf-8")
    assert len(judge.bodies) == 6


def test_a_changed_word_is_refused(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(lambda body, _: asked(body).replace("old", "ancient"))
    assert sample(judge) == 0
    texts = [text.text for text in read_texts("made/texts.jsonl")]
    assert not any("ancient" in text for text in texts)
    assert "scripted mended 0 texts; 3 stay as the rules left them" in capsys.readouterr().err


def test_needs_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--corpus", "bells=src.txt,simp.txt", "--count", "6", "--licence", "CC0", "-o", "made"]
    assert main(["ranking", "sample", *files, "--mend", "judge"]) == 2
    assert capsys.readouterr().err == "plainly: --mend judge needs --url and --model\n"
    assert not Path("made").exists()
