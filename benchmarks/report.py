"""The report as a whole process: its processor time, beside that of EASSE's `report`.

EASSE's takes one system (of several it fails), so that is what the ratio is about. Where EASSE cannot be imported,
its recorded time on ASSET is taken, and the row says so.
"""

from __future__ import annotations

import importlib.util
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import Data
from benchmarks.speed import Rows

RECORDED = 11.6  # seconds of processor time: EASSE 0.2.4, ASSET test, one system, on two cores of a shared machine
MANY = 24


def run(data: Data, repeat: int) -> Rows:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = _written(folder / "sources", data.sources)
        references = [_written(folder / f"reference.{i}", lines) for i, lines in enumerate(data.references)]
        texts = list(data.systems.values())
        outputs = [_written(folder / f"system-{i}", _turned(texts, i)) for i in range(MANY)]
        page = str(folder / "report.html")
        command = [sys.executable, "-m", "plainly", "report", "--sources", sources, "--quiet", "-o", page]
        command += [part for path in references for part in ("--references", path)]

        def ours(systems: int) -> float:
            return _least([*command, *(part for path in outputs[:systems] for part in ("--system", path))], repeat)

        ours(1)  # puts the chart library together, which is kept
        one, two, many = ours(1), ours(2), ours(MANY)
        theirs = _easse(sources, references, outputs[0], page, repeat)
    peer = "EASSE" if theirs else "EASSE, recorded"
    if theirs is None and data.name == "ASSET test":
        theirs = RECORDED
    return [
        [f"report of one system, processor time: {peer}", theirs, one, theirs / one if theirs else None],
        ["report of 2 systems, processor time", None, two, None],
        [f"report of {MANY} systems, processor time", None, many, None],
    ]


def _easse(sources: str, references: Sequence[str], output: str, page: str, repeat: int) -> float | None:
    if importlib.util.find_spec("easse") is None:
        return None
    command = [sys.executable, "-m", "easse.cli", "report", "-t", "custom", "--orig_sents_path", sources]
    command += ["--refs_sents_paths", ",".join(references), "-i", output, "-p", page]
    return _least(command, min(repeat, 3))


def _turned(texts: Sequence[list[str]], i: int) -> list[str]:
    """The i-th system; beyond those there are, a mixture of two, line by line."""
    one, other = texts[i % len(texts)], texts[(i + 1) % len(texts)]
    return one if i < len(texts) else [pair[k % 2] for k, pair in enumerate(zip(one, other, strict=True))]


def _least(command: Sequence[str], repeat: int) -> float:
    """Seconds of processor time, user's and system's, of the quickest of `repeat` processes."""
    return min(_processor_time(command) for _ in range(repeat))


def _processor_time(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _written(path: Path, lines: Sequence[str]) -> str:
    path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    return str(path)
