"""How fast is plainly, as ratios against other tools in the same run: `make bench`.

    python -m benchmarks [NAME ...] [-o FILE.json] [--against FILE.json]

writes its figures to benchmarks/results.json, benchmark by benchmark, says what became slower since those that were
there, and `python docs/generate.py --examples` makes docs/speed.md and its pictures of the file.

The data are the ASSET test set (359 sources, 10 references) and 16 published systems where ../shared is there,
else the bundled demo set. EASSE takes part if `import easse` works (it is not on the package index; put a checkout
on PYTHONPATH). Libraries compute with one thread. On a busy machine only processor time is kept. No test asserts any
of these times.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")  # threads that wait count as work

from benchmarks import (
    bertscore,
    gaming,
    inference,
    metaeval,
    operations,
    ranking,
    report,
    scale,
    speed,
    startup,
)
from benchmarks.data import Data, load
from benchmarks.results import BUSY, RESULTS, TOLERANCE, busy, changes, fixed_work, read, results, section, write
from benchmarks.rows import Row
from benchmarks.tables import render

BENCHMARKS: Mapping[str, Callable[[Data], list[Row]]] = {
    "scores": speed.run,
    "intervals": inference.run,
    "gaming": gaming.run,
    "metaeval": lambda _: metaeval.run(),
    "operations": operations.run,
    "ranking": lambda _: ranking.run(),
    "models": bertscore.run,
    "report": report.run,
    "start-up": lambda _: startup.run(),
    "growth": scale.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of {', '.join(BENCHMARKS)}")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS, help=f"default: benchmarks/{RESULTS.name}")
    parser.add_argument("--against", type=Path, help="the figures to compare with; default: what the output was")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help=f"of changes; default: {TOLERANCE}")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    against = options.against or options.output
    last = read(against) if against.exists() else None
    was_busy, data, said = busy(), load(), []
    for name in options.names or BENCHMARKS:
        yardstick = fixed_work()
        rows = BENCHMARKS[name](data)
        made = {name: section(rows, was_busy, min(yardstick, fixed_work()))}
        kept = read(options.output) if options.output.exists() else None
        found = results(made, f"{data.name}: {len(data.sources)} segments", kept)
        write(options.output, found)
        print(_table(name, rows), flush=True)
        said += changes(name, last, found, options.tolerance)
    print(*([BUSY] if was_busy else []), *said, f"written to {options.output}", sep="\n")


def _table(name: str, rows: list[Row]) -> str:
    heads = [name, "peer", "its seconds of processor time", "plainly's", "ratio", "MB"]
    cells = [
        [
            row.what if row.segments is None else f"{row.what}, {row.segments:,}",
            row.peer if row.theirs else "",
            row.theirs and row.theirs.processor,
            row.ours.processor,
            row.ratio,
            row.memory,
        ]
        for row in rows
    ]
    return render(heads, cells, "table", [0, 0, 3, 3, 1, 0])


if __name__ == "__main__":
    main()
