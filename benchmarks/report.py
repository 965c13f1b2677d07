"""The report as a whole process: its processor time, beside that of EASSE's `report`.

EASSE's takes one system (of several it fails), so that is what the ratio is about. Where EASSE cannot be imported,
its recorded time on ASSET is taken, and the row says so.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import ASSET, Data
from benchmarks.rows import Row, Times, timed_process

RECORDED = Times(11.6)
"""EASSE 0.2.4 on the ASSET test set, one system: on another day, on two cores of such a machine."""
MANY = 24
REPEAT = 3


def run(data: Data) -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = _written(folder / "sources", data.sources)
        references = [_written(folder / f"reference.{i}", lines) for i, lines in enumerate(data.references)]
        texts = list(data.systems.values())
        outputs = [_written(folder / f"system-{i}", _turned(texts, i)) for i in range(MANY)]
        page = str(folder / "report.html")
        command = [sys.executable, "-m", "plainly", "report", "--sources", sources, "--quiet", "-o", page]
        command += [part for path in references for part in ("--references", path)]

        def ours(systems: int, repeat: int = REPEAT) -> Times:
            given = (part for path in outputs[:systems] for part in ("--system", path))
            return timed_process([*command, *given], repeat)

        ours(1, 1)  # puts the chart library together, which is kept
        easse = _easse(sources, references, outputs[0], page)
        recorded = RECORDED if data.name == ASSET else None
        return [
            Row("report of one system", ours(1), "EASSE 0.2.4", easse or recorded, easse is None),
            Row("report of 2 systems", ours(2)),
            Row(f"report of {MANY} systems", ours(MANY)),
        ]


def _easse(sources: str, references: Sequence[str], output: str, page: str) -> Times | None:
    if importlib.util.find_spec("easse") is None:
        return None
    command = [sys.executable, "-m", "easse.cli", "report", "-t", "custom", "--orig_sents_path", sources]
    command += ["--refs_sents_paths", ",".join(references), "-i", output, "-p", page]
    return timed_process(command, REPEAT)


def _turned(texts: Sequence[list[str]], i: int) -> list[str]:
    """The i-th system; beyond those there are, a mixture of two, line by line."""
    one, other = texts[i % len(texts)], texts[(i + 1) % len(texts)]
    return one if i < len(texts) else [pair[k % 2] for k, pair in enumerate(zip(one, other, strict=True))]


def _written(path: Path, lines: Sequence[str]) -> str:
    path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    return str(path)
