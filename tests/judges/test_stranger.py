"""A small package outside the tree brings a pairing and a prompt; the commands take both by name."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import ScriptedJudge, user_text

from plainly.base.errors import PlainlyError, UnknownName
from plainly.judges import get_prompt, read_prompt
from plainly.ranking.judging import Pair, Plan

Serve = Callable[..., ScriptedJudge]
PAIRING = """
import numpy as np
from plainly.ranking.pairing import Adaptive, Listed


def neighbours(texts, matches, draw, *, repeats=False):
    return np.array([(i, i + 1) for i in range(texts - 1)][:matches])


def extremes(standing, draw):
    order = np.argsort(standing.ratings)
    return np.array([[order[0], order[-1]]])


NEIGHBOURS = Listed(neighbours)
EXTREMES = Adaptive(extremes)
"""
PROMPT = """
from pathlib import Path
from plainly.judges import read_prompt

FOR_CHILDREN = read_prompt(Path(__file__).with_name("for-children.toml"))
"""
TOML = '''
name = "for-children"
version = 3
tokens = 4
user = """
Which text would a child rather read?
One: $first
Other: $second
"""
again = "A or B."
'''


@pytest.fixture
def stranger(package: Callable[..., Path], tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `plainly` in a process that finds the package."""
    points = {"neighbours": "strange_pairs:NEIGHBOURS", "extremes": "strange_pairs:EXTREMES"}
    folder = package("plainly.pairings", points, strange_pairs=PAIRING)
    package("plainly.prompts", {"for-children": "strange_words:FOR_CHILDREN"}, strange_words=PROMPT)
    (folder / "for-children.toml").write_text(TOML, "utf-8")
    texts = [{"id": name, "text": f"Text {name}."} for name in "abcd"]
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts), "utf-8")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "plainly", "ranking", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(folder)})

    return run


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines()))[1:]


@pytest.mark.slow
def test_a_pairing(stranger: Callable[..., Any], tmp_path: Path) -> None:
    listed = stranger("pairs", "--texts", "texts.jsonl", "--pairing", "neighbours", "--matches", "3")
    assert listed.returncode == 0, listed.stderr
    assert [set(pair) for _, *pair in rows(listed.stdout)] == [{"a", "b"}, {"b", "c"}, {"c", "d"}]

    judged = "first,second,winner,question\na,b,a,harder\nb,c,b,harder\nc,d,c,harder\n"
    (tmp_path / "so-far.csv").write_text(judged, "utf-8")
    further = stranger("pairs", "--texts", "texts.jsonl", "--pairing", "extremes", "--judgements", "so-far.csv")
    assert further.returncode == 0, further.stderr
    assert [set(pair) for _, *pair in rows(further.stdout)] == [{"a", "d"}]
    assert "pairs follow Bradley-Terry ratings" in further.stderr

    few = ["--count", "6", "--pair-counts", "4", "--runs", "4", "--accuracy", "0.9", "--method", "bradley-terry"]
    for name in ("neighbours", "extremes"):
        assert stranger("simulate", *few, "--pairing", name).returncode == 0

    mistyped = stranger("pairs", "--texts", "texts.jsonl", "--pairing", "neighbors")
    assert mistyped.returncode == 2
    assert mistyped.stderr == "plainly: unknown pairing 'neighbors'; did you mean 'neighbours'?\n"


@pytest.mark.parametrize("prompt", ["for-children", "elsewhere/for-children.toml"])
def test_a_prompt(stranger: Callable[..., Any], serve: Serve, tmp_path: Path, prompt: str) -> None:
    (tmp_path / "pairs.csv").write_text("first,second\na,b\n", "utf-8")
    asked = []

    def answer(body: dict[str, Any], number: int) -> str:
        asked.append(user_text(body))
        return "A"

    judge = serve(answer)
    where = ["--url", judge.url, "--model", "scripted", "--store", "replies.jsonl", "--strategy", "pairwise"]
    files = ["--texts", "texts.jsonl", "--pairs", "pairs.csv", "-o", "found.csv"]
    done = stranger("judge", *where, *files, "--prompt", prompt, "--format", "json")
    assert done.returncode == 0, done.stderr
    assert asked == ['Which text would a child rather read?\nOne: """\nText a.\n"""\nOther: """\nText b.\n"""']
    assert "|prompt:for-children-3-" in json.loads(done.stdout)["signature"]


def test_a_prompt_must_have_the_places_of_its_strategy(tmp_path: Path) -> None:
    path = tmp_path / "for-children.toml"
    path.write_text(TOML.replace("One: $first\nOther: $second", "$text"), "utf-8")
    said = r"^prompt for-children goes with the strategy score; both-orders needs a place for \$first and \$second$"
    with pytest.raises(PlainlyError, match=said):
        Plan({"a": "x", "b": "y"}, (Pair("a", "b"),), prompt=read_prompt(path))


def test_a_changed_prompt_has_another_signature(tmp_path: Path) -> None:
    own = get_prompt("pairwise")
    path = tmp_path / "for-children.toml"
    signatures = [own.signature]
    for words in (TOML, TOML.replace("a child", "a grandmother")):
        path.write_text(words, "utf-8")
        signatures.append(read_prompt(path).signature)
    assert signatures[0] == "pairwise-1"
    assert len(set(signatures)) == 3


def test_prompts_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"unknown prompt 'pairwize'; did you mean 'pairwise'\?"):
        get_prompt("pairwize")
    with pytest.raises(PlainlyError, match=r"gone\.toml: "):
        get_prompt(str(tmp_path / "gone.toml"))
    (tmp_path / "other.toml").write_text(TOML, "utf-8")
    with pytest.raises(PlainlyError, match="the name must be that of the file, 'other'"):
        get_prompt(str(tmp_path / "other.toml"))
