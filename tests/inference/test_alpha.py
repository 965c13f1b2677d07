"""Krippendorff's alpha: against the package `krippendorff`, his own example, and the definition pair by pair."""

from __future__ import annotations

import math
import tracemalloc
from itertools import permutations
from typing import get_args

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.inference.alpha import Alpha, Measurement, krippendorff_alpha

# Ratings drawn as in test_agreement (seed 20), about 30 % of them then taken away.
DRAW = np.random.default_rng(20)
TRUTH = DRAW.integers(0, 5, 40)
RATINGS = np.array(
    [[t if DRAW.random() < 0.6 else DRAW.integers(0, 5) for _ in range(4)] for t in TRUTH], dtype=float
)
GAPS = RATINGS.copy()
GAPS[DRAW.random(GAPS.shape) < 0.3] = np.nan

# krippendorff 0.9.0: alpha(GAPS.T, level_of_measurement=...), alpha(RATINGS.T, ...)
PEER = {
    "nominal": (0.2691441441441442, 0.35206546386670623),
    "ordinal": (0.34102453711520064, 0.372503562094711),
    "interval": (0.3400332476953303, 0.37329805637529245),
    "ratio": (0.22711010395803632, 0.32051426633696856),
}


def by_definition(ratings: list[list[float]], measurement: str) -> float:
    """Every ordered pair of ratings, with Krippendorff's own differences."""
    units = [[value for value in row if not math.isnan(value)] for row in ratings]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    counts = {value: values.count(value) for value in values}

    def difference(c: float, k: float) -> float:
        low, high = min(c, k), max(c, k)
        if measurement == "nominal":
            return float(c != k)
        if measurement == "interval":
            return (c - k) ** 2
        if measurement == "ratio":
            return 0.0 if c == k else ((c - k) / (c + k)) ** 2
        return (sum(n for value, n in counts.items() if low <= value <= high) - (counts[c] + counts[k]) / 2) ** 2

    within = sum(difference(c, k) / (len(unit) - 1) for unit in units for c, k in permutations(unit, 2))
    between = sum(difference(c, k) for c, k in permutations(values, 2)) / (len(values) - 1)
    return 1 - within / between


@pytest.mark.parametrize("measurement", get_args(Measurement))
def test_figures_of_the_peer_and_of_the_definition(measurement: Measurement) -> None:
    for ratings, expected in zip((GAPS, RATINGS), PEER[measurement], strict=True):
        assert krippendorff_alpha(ratings.tolist(), measurement) == pytest.approx(expected, abs=1e-12)
        assert by_definition(ratings.tolist(), measurement) == pytest.approx(expected, abs=1e-12)


def test_the_example_of_krippendorff() -> None:
    # Krippendorff (2011), section C: four observers, twelve units. He prints .743, .815, .849, .797.
    rows = [
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    ]
    table = [[None if cell == "." else float(cell) for cell in row.split()] for row in rows]
    ratings = [list(unit) for unit in zip(*table, strict=True)]
    printed = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}
    found = {measurement: round(krippendorff_alpha(ratings, measurement), 3) for measurement in get_args(Measurement)}
    assert found == printed


@pytest.mark.parametrize("measurement", get_args(Measurement))
def test_weights_repeat_units(measurement: Measurement) -> None:
    codes = np.where(np.isnan(GAPS), -1, GAPS).astype(np.int64)
    alpha = Alpha(measurement, np.arange(5.0))
    weights = np.random.default_rng(3).integers(0, 3, (6, 40))
    values = alpha.score(weights @ alpha.rows(codes))
    for row, value in zip(weights, values, strict=True):
        repeated = np.repeat(GAPS, row, axis=0)
        assert value == pytest.approx(krippendorff_alpha(repeated.tolist(), measurement), abs=1e-12)


def test_the_scale_does_not_matter() -> None:
    assert krippendorff_alpha((GAPS * 1e300).tolist(), "ratio") == pytest.approx(PEER["ratio"][0])
    assert krippendorff_alpha((GAPS * 1e-300).tolist(), "interval") == pytest.approx(PEER["interval"][0])
    assert krippendorff_alpha((GAPS + 1e6).tolist(), "interval") == pytest.approx(PEER["interval"][0])
    assert krippendorff_alpha(np.exp(GAPS).tolist(), "ordinal") == pytest.approx(PEER["ordinal"][0])


@pytest.mark.parametrize("measurement", get_args(Measurement))
@pytest.mark.parametrize("ratings", [[], [[1, 1], [1, 1]], [[1, None], [None, 2]]])
def test_without_variation_there_is_no_alpha(measurement: Measurement, ratings: list[list[float | None]]) -> None:
    assert math.isnan(krippendorff_alpha(ratings, measurement))


def test_intervals_need_no_table_of_different_values() -> None:
    # 40,000 different values: a column for each would be 20,000 * 40,000 numbers, 6 GB. Each item has the values i
    # and i + 0.5, so its ordered pairs differ by 2 * 0.5^2. Values 0, 0.5, ..., N / 2 - 0.5 vary by (N^2 - 1) / 48.
    items = np.arange(20_000)
    codes = np.column_stack([2 * items, 2 * items + 1])
    values = np.arange(40_000) / 2
    alpha = Alpha("interval", values)
    tracemalloc.start()
    rows = alpha.rows(codes)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000
    n = 40_000
    expected = 1 - (20_000 * 0.5 * (n - 1)) / (2 * n * n * (n**2 - 1) / 48)
    assert float(alpha.score(rows.sum(0))) == pytest.approx(expected, abs=1e-12)


def test_labels_of_any_kind_are_nominal() -> None:
    assert krippendorff_alpha([["a", ("b",)], [("b",), ("b",)], ["a", "a"]]) == pytest.approx(4 / 9)


def test_bad_input() -> None:
    with pytest.raises(PlainlyError, match="unknown level of measurement 'rato'; did you mean 'ratio'"):
        krippendorff_alpha([[1, 2]], "rato")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="no values below 0, but there is -2"):
        krippendorff_alpha([[1, -2]], "ratio")
    with pytest.raises(PlainlyError, match="must be numbers"):
        krippendorff_alpha([["a", "b"]], "interval")
    with pytest.raises(PlainlyError, match="finite"):
        krippendorff_alpha([[1, math.inf]], "interval")
