"""A metric of another package brings its settings along: no line of plainly knows of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
METRIC = """
from dataclasses import dataclass
import numpy as np
from plainly.metrics import SCORED, Facts, Metric, Score, ratio, scored, setting, with_scored

@dataclass(frozen=True, kw_only=True)
class LongWords(Metric):
    name = "long-words"
    facts = Facts("Long words", "share of long words", "lower", (0.0, 1.0), frozenset(), "nobody 2026")
    longest: int = setting(6, short="max", help="letters of the longest short word", differs="other words are long")

    @property
    def columns(self):
        return (SCORED, "words", "long_words")

    def measure(self, corpus, system):
        texts = [(text or "").split() for text in corpus.output(system)]
        counts = [[len(words), sum(len(word) > self.longest for word in words)] for words in texts]
        return with_scored(scored(corpus, system, self.facts.needs), np.array(counts))

    def score(self, totals):
        return Score(ratio(totals[..., 2], totals[..., 1]))
"""


@pytest.fixture
def python(tmp_path: Path):
    """Runs Python where the package is installed."""
    (tmp_path / "my_metrics.py").write_text(METRIC, "utf-8")
    info = tmp_path / "my_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-metrics\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[plainly.metrics]\nlong-words = my_metrics:LongWords\n", "utf-8")
    (tmp_path / "out.txt").write_text("Rain is expected.\nThe cat slept.\n", "utf-8")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(tmp_path), str(DOCS)])
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


SCORE = ("-m", "plainly", "score", "--system", "x=out.txt", "--metrics", "long-words", "--no-intervals")


@pytest.mark.slow
def test_set_list_and_signature(python) -> None:
    run = python(*SCORE, "--set", "long-words.longest=4", "--format", "json")
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)["systems"]["x"]["long-words"]
    assert result["score"]["value"] == pytest.approx(2 / 6)
    assert result["signature"].startswith("long-words|lang:en|max:4|")
    assert "|longest:4|" in result["long_signature"]

    listed = python("-m", "plainly", "score", "--list", "--format", "json")
    own = next(one for one in json.loads(listed.stdout)["metrics"] if one["name"] == "long-words")
    assert own["settings"] == {
        "longest": {"default": 6, "help": "letters of the longest short word", "choices": None}
    }

    first, second = result["signature"], result["long_signature"].replace("longest:4", "longest:5")
    compared = python("-m", "plainly", "compare-signatures", first, second, "--format", "json")
    assert json.loads(compared.stdout)["differences"] == [
        {"field": "longest", "first": "4", "second": "5", "meaning": "other words are long"}
    ]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("long-words.longst=4", "unknown setting of long-words 'longst'; did you mean 'longest'?"),
        ("long-words.longest=four", "longest must be a whole number, not 'four'"),
        ("chrf.word_order=2", "chrf is not among the metrics, so it has no use for word_order"),
        ("longest=4", "--set takes METRIC.NAME=VALUE, not 'longest=4'"),
    ],
)
def test_what_is_refused(python, given: str, why: str) -> None:
    run = python(*SCORE, "--set", given)
    assert (run.returncode, run.stderr) == (2, f"plainly: {why}\n")


@pytest.mark.slow
def test_docs_have_its_row(python) -> None:
    code = "from generate import *; own = ['long-words']; print(metrics_page(own), signature_table(own))"
    run = python("-c", code)
    assert run.returncode == 0, run.stderr
    assert "| [`long-words`](#long-words) | share of long words |" in run.stdout
    assert "`longest=6`" in run.stdout
    assert "| `max` | `longest` | letters of the longest short word |" in run.stdout


def test_help_imports_no_metric(python) -> None:
    said = "print([name for name in sys.modules if name.startswith('plainly.metrics')])"
    code = (
        f"import atexit, sys, plainly.cli; atexit.register(lambda: {said}); plainly.cli.main(['score', '--help-all'])"
    )
    run = python("-c", code)
    assert "--set METRIC.NAME=VALUE" in run.stdout
    assert run.stdout.endswith("\n[]\n"), run.stderr
