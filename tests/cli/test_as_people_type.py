"""Calls as people try them: several files after an option, patterns, names of metrics in any case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SOURCES = ["The feline reposed on the rug.", "Precipitation is anticipated.", "It ceased abruptly."]
REFERENCES = [
    ["The cat lay on the rug.", "Rain is expected.", "It stopped."],
    ["The cat slept on the rug.", "It will rain.", "It stopped suddenly."],
]
OUTPUTS = {"mine": ["The cat lay on the rug.", "Rain is coming.", "It stopped."], "other": SOURCES}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "out").mkdir()
    texts = {"src.txt": SOURCES, "ref.0": REFERENCES[0], "ref.1": REFERENCES[1]}
    texts |= {f"out/{name}.txt": lines for name, lines in OUTPUTS.items()}
    for name, lines in texts.items():
        Path(name).write_text("\n".join(lines) + "\n", "utf-8")


PLAIN = ["--references", "ref.0", "--references", "ref.1", "--system", "out/mine.txt", "--system", "out/other.txt"]


@pytest.mark.parametrize(
    "given",
    [
        ["--references", "ref.0", "ref.1", "--system", "out/mine.txt", "out/other.txt", "--metrics", "sari,bleu"],
        ["--references", "ref.*", "--system", "out/*.txt", "--metrics", "sari", "bleu"],
        ["--references", "~/ref.?", "--system", "~/out/*.txt", "--metrics", "SARI", "--metrics", "BLEU"],
        [*PLAIN, "--metrics", "Sari, bleu"],
    ],
)
def test_each_is_the_same_call(plainly: Any, given: list[str]) -> None:
    whole = ["score", "--sources", "src.txt", "--format", "json", "--quiet"]
    expected = plainly(*whole, *PLAIN, "--metrics", "sari,bleu").json
    assert set(expected["systems"]) == {"mine", "other"}
    assert plainly(*whole, *given).json == expected


def test_a_pattern_that_fits_no_file(plainly: Any) -> None:
    run = plainly("score", "--sources", "src.txt", "--references", "none.*", "--system", "out/mine.txt")
    assert (run.status, run.err) == (2, "plainly: --references: no file fits none.*\n")


def test_signatures_that_differ_end_with_1(plainly: Any) -> None:
    ours = "bleu|lang:en|tok:13a|case:lower|refs:10|smooth:exp|plainly:0.1.0"
    theirs = "BLEU|nrefs:10|case:lc|eff:no|tok:13a|smooth:exp|version:2.4.0"
    assert plainly("compare-signatures", ours, theirs).status == 0
    run = plainly("compare-signatures", ours, theirs.replace("10", "8"), "--format", "json")
    assert run.status == 1
    assert json.loads(run.out)["comparable"] is False
