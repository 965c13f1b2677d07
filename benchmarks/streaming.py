"""Large corpora: time and peak memory of whole `plainly score` processes, at two sizes each."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.data import Data
from benchmarks.speed import Rows

METRICS = ["--metrics", "sari,bleu,fkgl", "--quiet", "--format", "json"]


def run(data: Data) -> Rows:
    rows: Rows = []
    output = data.systems.get("Dress-Ls") or next(iter(data.systems.values()))
    with tempfile.TemporaryDirectory() as folder:
        for times in (100, 1000):
            records = Path(folder) / f"{times}.jsonl"
            with records.open("w", encoding="utf-8") as stream:
                for i in range(times):
                    for source, references, text in zip(data.sources, data.grouped, output, strict=True):
                        # A running number makes every line unique, so that no cache is flattered.
                        record = {
                            "source": f"{source} {i}",
                            "references": references,
                            "outputs": {"it": f"{text} {i}"},
                        }
                        stream.write(json.dumps(record) + "\n")
            rows.append(_score(["--data", str(records)], f"JSONL, {times * len(output):,} records"))
            files = _line_files(Path(folder), data, output, times)
            rows.append(_score(files, f"line files, {times * len(output):,} segments"))
    return rows


def _line_files(folder: Path, data: Data, output: list[str], times: int) -> list[str]:
    arguments = []
    for option, name, texts in [
        ("--sources", "src", data.sources),
        *(("--references", f"ref{i}", texts) for i, texts in enumerate(data.references)),
        ("--system", "out", output),
    ]:
        path = folder / f"{name}.{times}.txt"
        path.write_text("".join(f"{text} {i}\n" for i in range(times) for text in texts), encoding="utf-8")
        arguments += [option, f"it={path}" if option == "--system" else str(path)]
    return arguments


def _score(arguments: list[str], name: str) -> list[str | float | None]:
    command = [str(Path(sys.executable).parent / "plainly"), "score", *arguments, *METRICS]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = _wait(process)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"{name}: plainly score failed")
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes on macOS, in kilobytes elsewhere
    return [f"{name}: peak {usage.ru_maxrss * unit / 1e6:.0f} MB", None, seconds, None]


def _wait(process: subprocess.Popen[bytes]) -> tuple[int, int, resource.struct_rusage]:
    import os

    return os.wait4(process.pid, 0)
