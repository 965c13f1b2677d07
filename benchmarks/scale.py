"""Big runs, from Parquet to Parquet: time, rows a second and memory of `plainly score --per-segment`.

    python -m benchmarks.scale 4000000 --form jsonl --workers 1 2 4 8

measures how much faster several workers are, also from JSONL to JSONL, where pyarrow is not there.

Each pair has one reference. Sources, outputs and references are those of the other benchmarks, over and over, each
with one word exchanged for another, so that no two texts are the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from benchmarks.data import Data, load

if TYPE_CHECKING:
    from benchmarks.speed import Rows

METRICS = "sari,bleu,fkgl,features"
SAMPLE = 2_000
"""Pairs for the plain-Python twins of the kernels."""
ROW_GROUP = 50_000
EASSE = 3 * 0.11e-3 + 2 * 30.7 / 35_900 / 11 + 16.2 / 359_000 + 82.8 / 359_000
"""CPU seconds that EASSE 0.2.4 takes for a pair with one reference, from times that were taken of it with ten.

SARI takes 0.11 ms a text, and there are three. BLEU took 30.7 s for 35,900 segments of 11 texts, of which two are
left. FKGL took 16.2 s and the seven pair features 82.8 s for 359,000 segments, whatever their references.
"""


def run(data: Data, sizes: Sequence[int]) -> Rows:
    """The first size by one worker and by as many as there are cores, the others by the latter only."""
    cores = os.cpu_count() or 1
    rows: Rows = []
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder) / "pairs.parquet"
        _write(data, SAMPLE, pairs)
        twins = _score(pairs, 1, ["--no-intervals"], {"PLAINLY_KERNELS": "plain"})[1] / SAMPLE
        for size in sizes:
            _write(data, size, pairs)
            alone: float | None = None
            for workers in sorted({1, cores}) if size == sizes[0] else [cores]:
                seconds, processor, peak = _score(pairs, workers)
                name = f"{size:,} pairs, {workers} worker{'s' if workers > 1 else ''}"
                said = f"{name}: {size / seconds:,.0f} rows/s, {processor:,.0f} s of CPU, peak {peak / 1e6:,.0f} MB"
                rows.append([said, alone, seconds, alone and alone / seconds])
                if workers == 1:
                    alone = seconds
                    for peer, rate in {"plain Python": twins, "EASSE, by its recorded rate": EASSE}.items():
                        rows.append([f"{name}, CPU: {peer}", rate * size, processor, rate * size / processor])
    return rows


def main() -> None:
    """Workers against one of them, on the same pairs: seconds, processor seconds, and that the bytes are the same."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale")
    parser.add_argument("pairs", type=int)
    parser.add_argument("--form", choices=("parquet", "jsonl"), default="parquet")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder) / f"pairs.{options.form}"
        _write(load(), options.pairs, pairs)
        alone: float | None = None
        for workers in options.workers:
            seconds, processor, peak = _score(pairs, workers)
            alone = alone or seconds
            digest = hashlib.md5(pairs.with_stem("scores").read_bytes()).hexdigest()
            print(
                f"{options.pairs:,} pairs, {workers} workers: {seconds:.2f} s, {alone / seconds:.2f} times as fast, "
                f"{processor:.1f} s of processor time, peak {peak / 1e6:,.0f} MB, scores {digest}",
                flush=True,
            )


def _write(data: Data, size: int, path: Path) -> None:
    if path.suffix == ".jsonl":
        with path.open("w", encoding="utf-8") as out:
            for pair in _pairs(data, size):
                out.write(json.dumps(pair, ensure_ascii=False) + "\n")
        return
    import pyarrow
    import pyarrow.parquet

    kinds = {"source": "string", "reference": "string", "output": "string", "id": "int64"}
    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in kinds.items()])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        pairs = _pairs(data, size)
        while rows := list(islice(pairs, ROW_GROUP)):
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))


def _pairs(data: Data, size: int) -> Iterator[dict[str, str | int]]:
    chance = random.Random(1)
    words = sorted({word for text in data.sources for word in text.split(" ")})
    systems = list(data.systems.values())

    def varied(text: str) -> str:
        parts = text.split(" ")
        parts[chance.randrange(len(parts))] = chance.choice(words)
        return " ".join(parts)

    for number in range(size):
        again, segment = divmod(number, len(data.sources))
        yield {
            "id": number,
            "source": varied(data.sources[segment]),
            "reference": varied(data.references[again % len(data.references)][segment]),
            "output": varied(systems[again % len(systems)][segment]),
        }


def _score(
    pairs: Path, workers: int, more: Sequence[str] = (), environment: Mapping[str, str] = MappingProxyType({})
) -> tuple[float, float, int]:
    """Seconds of the whole process, and the processor time and the largest memory of it and its children together."""
    scores = pairs.with_stem("scores")
    command = [sys.executable, "-m", "plainly", "score", "--data", str(pairs), "--metrics", METRICS]
    command += ["--per-segment", "-o", str(scores), "--workers", str(workers), "--quiet", *more]
    start, before = time.perf_counter(), _processor_time()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1", **environment}
    ) as process:
        peak = _Peak(process.pid)
        peak.start()
        status = process.wait()
    seconds = time.perf_counter() - start
    peak.join()
    if status:
        raise SystemExit(f"plainly score failed on {pairs.name}")
    return seconds, _processor_time() - before, peak.bytes


def _processor_time() -> float:
    """Of all children that have ended, and theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class _Peak(threading.Thread):
    """Looks, ten times a second, at the memory of a process and all its children, as long as it lives.

    What they share is counted for each of them. Only Linux tells; elsewhere the peak is 0.
    """

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self._process = process

    def run(self) -> None:
        while Path(f"/proc/{self._process}/statm").exists():
            self.bytes = max(self.bytes, _memory(self._process))
            time.sleep(0.1)


def _memory(process: int) -> int:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        children = [
            child
            for task in Path(f"/proc/{process}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except (OSError, IndexError):  # it has ended
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(_memory(int(child)) for child in children)


if __name__ == "__main__":
    main()
