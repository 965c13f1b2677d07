"""How often does a 95 % interval of the difference of two equal systems hold 0: `python -m benchmarks.ratings`.

50 items and some raters; items and single ratings have the standard deviation 1, and each rater likes each system
more or less by a standard deviation that is given. The table stands in docs/ratings.md. It takes minutes.
"""

from __future__ import annotations

import numpy as np

from benchmarks.tables import Cell, render
from plainly.inference.two_way_bootstrap import Drawn, crossed_means

ITEMS, TRIALS, RESAMPLES = 50, 1000, 400
DRAWS: tuple[Drawn, ...] = ("both", "items")


def main() -> None:
    rows: list[list[Cell]] = []
    for raters in (3, 5, 10, 20):
        for spread in (0.0, 0.2, 0.5):
            rows.append([raters, spread, *(100 * share for share in _coverage(raters, spread))])
    print(render(["raters", "sd of raters", "both drawn, %", "items drawn, %"], rows, "markdown", [0, 1, 0, 0]))


def _coverage(raters: int, spread: float) -> list[float]:
    draw = np.random.default_rng(1)
    held = dict.fromkeys(DRAWS, 0)
    for trial in range(TRIALS):
        tables = [
            draw.normal(0, 1, (ITEMS, 1)) + draw.normal(0, spread, (1, raters)) + draw.normal(0, 1, (ITEMS, raters))
            for _ in range(2)
        ]
        for name in DRAWS:
            found = crossed_means(tables, [(0, 1)], resamples=RESAMPLES, seed=trial, draw=name)
            low, high = np.quantile(found.drawn[:, 2], [0.025, 0.975])
            held[name] += int(low <= 0 <= high)
    return [count / TRIALS for count in held.values()]


if __name__ == "__main__":
    main()
