"""How much faster several workers are than one, on the same pairs, and that they write the same bytes.

    python -m benchmarks.workers 4000000 --form jsonl --workers 1 2 4 8

Only an idle machine with so many cores can tell. Where pyarrow is not there, JSONL will do.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from pathlib import Path

from benchmarks.data import load
from benchmarks.scale import features, write


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workers", description=__doc__.partition("\n")[0])
    parser.add_argument("pairs", type=int)
    parser.add_argument("--form", choices=("parquet", "jsonl"), default="parquet")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder) / f"pairs.{options.form}"
        write(load(), options.pairs, pairs)
        alone: float | None = None
        for workers in options.workers:
            seconds, memory = features(pairs, workers, environment={"OMP_NUM_THREADS": "1"})
            assert seconds.wall is not None
            alone = alone or seconds.wall
            digest = hashlib.md5(pairs.with_stem("scores").read_bytes()).hexdigest()
            print(
                f"{options.pairs:,} pairs, {workers} workers: {seconds.wall:.2f} s, "
                f"{alone / seconds.wall:.2f} times as fast, {seconds.processor:.1f} s of processor time, "
                f"peak {memory:,.0f} MB, scores {digest}",
                flush=True,
            )


if __name__ == "__main__":
    main()
