"""How time and memory grow with the data: whole `plainly score` processes, from 1,000 pairs to a million.

Each pair has one reference. Sources, outputs and references are those of the other benchmarks, over and over, each
with one word exchanged for another, so that no two texts are the same.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from benchmarks.data import Data
from benchmarks.rows import Row, Times, processor_time

SIZES = (1_000, 10_000, 100_000, 1_000_000)
PARQUET = "Parquet to Parquet, scores and features of each pair"
LINES = "line files, scores of the corpus"
SAMPLE = 2_000
"""Pairs for the plain-Python twins of the kernels."""
ROW_GROUP = 50_000
EASSE = 3 * 0.11e-3 + 2 * 30.7 / 35_900 / 11 + 16.2 / 359_000 + 82.8 / 359_000
"""CPU seconds that EASSE 0.2.4 takes for a pair with one reference, from times that were taken of it with ten.

SARI takes 0.11 ms a text, and there are three. BLEU took 30.7 s for 35,900 segments of 11 texts, of which two are
left. FKGL took 16.2 s and the seven pair features 82.8 s for 359,000 segments, whatever their references.
"""


def run(data: Data, sizes: Sequence[int] = SIZES) -> list[Row]:
    """Every size by one worker; the largest also by as many as there are cores, and beside others' rates."""
    cores, largest = os.cpu_count() or 1, max(sizes)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = folder / "pairs.parquet"
        write(data, SAMPLE, pairs)
        plain = features(pairs, 1, ["--no-intervals"], {"PLAINLY_KERNELS": "plain"})[0]
        for size in sizes:
            write(data, size, pairs)
            seconds, memory = features(pairs, 1)
            rows.append(Row(PARQUET, seconds, segments=size, memory=memory))
            if size == largest:
                twins = Times(plain.processor * size / SAMPLE)
                one, easse = f"{size:,} pairs, 1 worker", Times(EASSE * size)
                rows.append(Row(one, seconds, "EASSE 0.2.4, by its rate", easse, recorded=True))
                rows.append(Row(one, seconds, "plainly in plain Python, by a sample", twins, recorded=True))
                if cores > 1:
                    seconds, memory = features(pairs, cores)
                    rows.append(Row(f"{size:,} pairs, {cores} workers", seconds, memory=memory))
            seconds, memory = _scores(pairs)
            rows.append(Row(LINES, seconds, segments=size, memory=memory))
    return rows


def write(data: Data, size: int, path: Path) -> None:
    """So many pairs, as Parquet or JSONL by the ending."""
    if path.suffix == ".jsonl":
        with path.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(pair, ensure_ascii=False) + "\n" for pair in _pairs(data, size))
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


def features(
    pairs: Path, workers: int, more: Sequence[str] = (), environment: Mapping[str, str] = MappingProxyType({})
) -> tuple[Times, float]:
    """Scores and features of each pair, into the file `scores` of the same form."""
    command = ["--data", str(pairs), "--metrics", "sari,bleu,fkgl,features", "--per-segment"]
    command += ["-o", str(pairs.with_stem("scores")), "--workers", str(workers)]
    return _score([*command, *more], environment)


def _scores(pairs: Path) -> tuple[Times, float]:
    """Of the same pairs, as line files."""
    import pyarrow.parquet

    files = {name: pairs.with_name(f"{name}.txt") for name in ("source", "reference", "output")}
    streams = {name: path.open("w", encoding="utf-8") for name, path in files.items()}
    for batch in pyarrow.parquet.ParquetFile(pairs).iter_batches(columns=list(files)):
        for name, stream in streams.items():
            stream.writelines(f"{text}\n" for text in batch.column(name).to_pylist())
    for stream in streams.values():
        stream.close()
    command = ["--sources", str(files["source"]), "--references", str(files["reference"])]
    return _score([*command, "--system", str(files["output"]), "--metrics", "sari,bleu,fkgl"])


def _score(arguments: Sequence[str], environment: Mapping[str, str] = MappingProxyType({})) -> tuple[Times, float]:
    """Seconds of a whole process, and the largest memory of it and its children together, in MB."""
    command = [sys.executable, "-m", "plainly", "score", *arguments, "--quiet"]
    wall, processor = time.perf_counter(), processor_time()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment}) as process:
        peak = _Peak(process.pid)
        peak.start()
        status = process.wait()
    seconds = Times(processor_time() - processor, time.perf_counter() - wall)
    peak.join()
    if status:
        raise SystemExit(f"plainly score failed: {' '.join(arguments)}")
    return seconds, peak.bytes / 1e6


class _Peak(threading.Thread):
    """Looks, ten times a second, at the largest memory so far of a process and all its children, as long as it lives.

    What they share is counted for each of them. Only Linux tells; elsewhere the peak is 0.
    """

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self._process = process

    def run(self) -> None:
        while Path(f"/proc/{self._process}/status").exists():
            self.bytes = max(self.bytes, _memory(self._process))
            time.sleep(0.1)


def _memory(process: int) -> int:
    try:
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        children = [
            child
            for task in Path(f"/proc/{process}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:  # it has ended
        return 0
    return (int(peak[1]) * 1024 if peak else 0) + sum(_memory(int(child)) for child in children)
