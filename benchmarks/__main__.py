"""How fast is plainly, as ratios against other tools in the same run: `make bench`.

    python -m benchmarks [--repeat N] [--big] [--scale N ...] [--json FILE]

The data are the ASSET test set (359 sources, 10 references) and 16 published systems where ../shared is there,
else the bundled demo set. EASSE takes part if `import easse` works (it is not on the package index; put a checkout
on PYTHONPATH). No test asserts any of these times.
"""

from __future__ import annotations

import argparse
import json
import platform
from pathlib import Path

from benchmarks import bertscore, gaming, inference, operations, ranking, report, scale, speed, startup, streaming
from benchmarks.data import Data, load
from benchmarks.tables import render
from plainly.base.version import __version__


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--repeat", type=int, default=5, help="the best of so many runs counts (default: 5)")
    parser.add_argument("--big", action="store_true", help="also 359,000 segments, and memory of streams")
    parser.add_argument(
        "--scale", type=int, nargs="+", metavar="N", help="only this: N pairs, from Parquet to Parquet (say 1000000)"
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    data = load()
    print(f"plainly {__version__}, Python {platform.python_version()}, {data.name}: {len(data.sources)} segments\n")
    results = {"scale": scale.run(data, options.scale)} if options.scale else _all(data, options)
    for title, rows in results.items():
        print(render([title, "seconds", "plainly", "ratio"], rows, "table", decimals=4))
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=2) + "\n")


def _all(data: Data, options: argparse.Namespace) -> dict[str, speed.Rows]:
    results = {"speed": speed.run(data, options.repeat)}
    results["intervals and tests"] = inference.run(data, options.repeat)
    results["gaming"] = gaming.run(data)
    results["operations"] = operations.run(data)
    results["ranking"] = ranking.run()
    results["models"] = bertscore.run(data)
    results["report"] = report.run(data, min(options.repeat, 3))
    results["start-up"] = startup.run(options.repeat)
    if options.big:
        results["streaming"] = streaming.run(data)
    return results


if __name__ == "__main__":
    main()
