"""How often comparisons claim what is not so: at most as often as their level says, on small test sets, too.

Each test draws many test sets on which no system is better than another, and counts claims. Of so many, a procedure
of the level 5 % makes at most `at_most` claims in 99.9 % of cases (binomial).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from plainly import evaluate
from plainly.inference import Comparison, compare
from plainly.inference.verdict import verdict
from plainly.metrics import Array, Metric
from plainly.scoring import Evaluation
from plainly.scoring.slices import by_source_length, slices

Rows = Callable[[Array], Array]
Draw = Callable[[np.random.Generator, int], Array]
SIZES = (6, 12, 30, 100)
LEVEL = 0.05
KINDS: Mapping[str, Draw] = {
    "normal": lambda draw, n: draw.normal(size=n),
    "skewed": lambda draw, n: draw.lognormal(size=n),
    "mostly the same": lambda draw, n: np.where(draw.random(n) < 0.7, 0.0, draw.normal(size=n)),
}
"""The values of a system; those of another are drawn alike."""


def at_most(tests: int) -> int:
    return int(stats.binom.ppf(0.999, tests, LEVEL))


def best_and_any(found: Comparison, metric: Metric) -> tuple[bool, bool]:
    """Whether a system is called best, and whether any pair is told apart."""
    label = next(iter(found.directions))
    judged = verdict(found, {label: metric})
    return judged.best is not None, any(pair.significant for pair in found.pairs)


def trials_for(systems: int) -> int:
    """Enough for the smallest p of so many pairs, times their number, to get below the level."""
    return 1000 if systems == 2 else 4000


@pytest.mark.slow
@pytest.mark.parametrize("units", SIZES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("systems", "sets"), [(2, 1000), (6, 200)])
def test_equal_systems(kind: str, units: int, systems: int, sets: int, mean: Metric, as_rows: Rows) -> None:
    best = any_ = 0
    for seed in range(sets):
        draw = np.random.default_rng([seed, units, systems])
        hard = draw.normal(size=units)  # hard segments are hard for all
        statistics = {f"s{i}": {"m": as_rows(hard + KINDS[kind](draw, units))} for i in range(systems)}
        found = best_and_any(compare(statistics, {"m": mean}, trials=trials_for(systems)), mean)
        best, any_ = best + found[0], any_ + found[1]
    assert best <= any_ <= at_most(sets)


@pytest.mark.slow
@pytest.mark.parametrize("units", [6, 12])
def test_the_plain_bootstrap_claims_more(units: int, mean: Metric, as_rows: Rows) -> None:
    """Which is why p is calibrated: of 1,000 pairs of normal values it tells more apart than the level allows."""
    claims = 0
    for seed in range(1000):
        draw = np.random.default_rng([seed, units, 2])
        statistics = {name: {"m": as_rows(draw.normal(size=units))} for name in "ab"}
        claims += compare(statistics, {"m": mean}, method="bootstrap-plain").pairs[0].significant
    assert claims > at_most(1000)


@cache
def published(shared: Path) -> Evaluation:
    """Six systems on ASSET."""

    def lines(path: Path) -> list[str]:
        return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")

    data = shared / "data"
    outputs = sorted((data / "system_outputs" / "asset_turkcorpus").glob("*.txt"))[1:12:2]
    references = [lines(data / "asset" / f"asset.test.simp.{i}") for i in range(10)]
    return evaluate(
        lines(data / "asset" / "asset.test.orig"),
        {path.stem: lines(path) for path in outputs},
        list(map(list, zip(*references, strict=True))),
        metrics=["sari", "bleu", "fkgl"],
        intervals=None,
    )


def dealt_out(
    evaluation: Evaluation, label: str, systems: int, segments: NDArray[np.int64], draw: np.random.Generator
) -> dict[str, dict[str, Array]]:
    """Some segments, the outputs of each dealt out to the systems anew: none is better than another."""
    names = list(evaluation.kept_statistics)[:systems]
    tables = np.stack([evaluation.kept_statistics[name][label] for name in names])
    dealt = np.stack([draw.permutation(systems) for _ in segments])
    return {name: {label: tables[dealt[:, place], segments]} for place, name in enumerate(names)}


@pytest.mark.slow
@pytest.mark.parametrize("units", SIZES)
@pytest.mark.parametrize(
    ("label", "systems", "sets"), [("sari", 2, 400), ("bleu", 2, 400), ("fkgl", 2, 400), ("sari", 6, 100)]
)
def test_outputs_of_published_systems_swapped(label: str, units: int, systems: int, sets: int, shared: Path) -> None:
    evaluation = published(shared)
    metric = evaluation.metrics[label]
    best = any_ = 0
    for seed in range(sets):
        draw = np.random.default_rng([seed, units, systems])
        segments = draw.choice(evaluation.size, units, replace=False)
        statistics = dealt_out(evaluation, label, systems, segments, draw)
        found = best_and_any(compare(statistics, {label: metric}, trials=trials_for(systems)), metric)
        best, any_ = best + found[0], any_ + found[1]
    assert best <= any_ <= at_most(sets)


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "sets"), [(2, 150), (6, 80)])
def test_slices_of_published_systems_swapped(systems: int, sets: int, shared: Path) -> None:
    """In at most 5 % of tables is any system called better on any slice, though the best is chosen by its score."""
    evaluation = published(shared).without({"bleu", "fkgl"})
    assert evaluation.corpus is not None
    grouping = by_source_length(evaluation.corpus)
    assert grouping is not None
    wrong = 0
    for seed in range(sets):
        everything = np.arange(evaluation.size)
        draw = np.random.default_rng([seed, systems])
        statistics = dealt_out(evaluation, "sari", systems, everything, draw)
        results = {name: evaluation.systems[name] for name in statistics}
        null = replace(evaluation, statistics=statistics, systems=results)
        found = slices(null.compare(resamples=1000), [grouping])
        wrong += any(one.better for one in found.differences)
    assert wrong <= at_most(sets)
