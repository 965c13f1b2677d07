"""A study that is broken off at any moment goes on with what is kept, and ends with the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plainly.demo import demo_corpus

from ..waiting import LONG, until

pytestmark = [pytest.mark.service, pytest.mark.slow]
COMMAND = str(Path(sys.executable).parent / "plainly")
YIELDING = ["nice", "-n", "19", COMMAND]
"""A run that gives way to the test which breaks it off: else it may end before a busy machine lets the test go on."""
COPIES = 40  # of the demo set, each with texts of its own
SEED = 7
STUDY = """
[test_set]
sources = "src.txt"
references = "ref.txt"

[systems]
careful-writer = "careful-writer.txt"
splitter = "splitter.txt"

[metrics]
names = ["sari", "bleu", "f1-token", "fkgl", "lexical-complexity"]

[comparison]
by = ["length"]

[[exports]]
file = "pairs.json"

[[exports]]
file = "scores.csv"
table = "scores"

[[exports]]
file = "segments.jsonl"
table = "segments"
"""
OUTPUTS = ("out.txt", "pairs.json", "scores.csv", "segments.jsonl")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    corpus = demo_corpus("en")
    columns = {"src": corpus.sources, "ref": [group[0] for group in corpus.references]}
    columns |= {name: corpus.outputs[name] for name in ("careful-writer", "splitter")}
    for name, texts in columns.items():
        lines = "".join(f"{text} This is part {copy}.\n" for copy in range(COPIES) for text in texts)
        (tmp_path / f"{name}.txt").write_text(lines, "utf-8")
    (tmp_path / "study.toml").write_text(STUDY, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def kept(folder: str = ".plainly") -> int:
    """Bytes of rows on the disk."""
    return sum(path.stat().st_size for path in Path(folder).glob("*/*.rows"))


def ended_or_kept(process: subprocess.Popen[str], least: float) -> bool:
    return process.poll() is not None or kept() > least


def arguments() -> list[str]:
    return ["run", "--threads", "2", "-o", "out.txt"]


def results() -> dict[str, bytes]:
    return {name: Path(name).read_bytes() for name in OUTPUTS}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_broken_off_at_five_moments_it_ends_with_the_same_bytes(how: signal.Signals, study: Path) -> None:
    done = subprocess.run([COMMAND, *arguments()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    whole, expected = kept(), results()
    for name in OUTPUTS:
        Path(name).unlink()
    Path(".plainly").rename("before")
    draw = random.Random(SEED)
    moments = sorted(draw.uniform(0.02, 0.85) for _ in range(5))  # shares of the rows
    for moment in moments:
        before = kept()
        process = subprocess.Popen(
            [*YIELDING, *arguments()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        until(partial(ended_or_kept, process, max(moment * whole, before)), f"{moment:.0%} of the rows")
        assert process.poll() is None, process.communicate()
        process.send_signal(how)
        _, err = process.communicate(timeout=LONG)
        assert process.returncode == {signal.SIGKILL: -signal.SIGKILL, signal.SIGINT: 130}[how], err
        assert how == signal.SIGKILL or "what is measured is kept; plainly run study.toml goes on" in err
        assert not [name for name in OUTPUTS if Path(name).exists()]  # nothing half-written
        assert kept() > before  # and each time it went on
    last = subprocess.run([COMMAND, *arguments()], capture_output=True, text=True)
    assert last.returncode == 0, last.stderr
    assert results() == expected
    again = subprocess.run([COMMAND, *arguments()], capture_output=True, text=True)
    assert "all kept" in again.stderr
    assert results() == expected


def test_progress_is_said_off_a_terminal(study: Path) -> None:
    done = subprocess.run([COMMAND, *arguments()], capture_output=True, text=True)
    rows = [line for line in done.stderr.splitlines() if " of 36,000" in line]
    assert rows, done.stderr  # 2,400 segments of two systems and the copy of the source, by five metrics
    assert len(rows) <= 9


def test_two_runs_at_once_do_no_harm(study: Path) -> None:
    alone = subprocess.run([COMMAND, *arguments()], capture_output=True, text=True)
    assert alone.returncode == 0, alone.stderr
    expected = results()
    Path(".plainly").rename("before")
    both: list[Any] = [
        subprocess.Popen([COMMAND, *arguments()], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    for process in both:
        _, err = process.communicate(timeout=LONG)
        assert process.returncode == 0, err
    assert results() == expected
    again = subprocess.run([COMMAND, *arguments()], capture_output=True, text=True)
    assert "all kept" in again.stderr
