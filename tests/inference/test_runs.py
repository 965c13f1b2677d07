"""Systems of several runs: the mean, the spread, and intervals that hold where other runs would have come out."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from plainly import metrics as registry
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.inference import Resampling, compare, confidence_interval
from plainly.inference.runs import members_of
from plainly.metrics import Array, Metric

Rows = Callable[[Array], Array]
RUNS = {"m": ("m/1", "m/2", "m/3")}


def test_systems_with_their_runs() -> None:
    assert members_of(["m/1", "x", "m/2", "m/3"], RUNS) == {"m": ("m/1", "m/2", "m/3"), "x": ("x",)}
    with pytest.raises(PlainlyError, match=r"there is no run 'm/3'"):
        members_of(["m/1", "m/2"], RUNS)
    with pytest.raises(PlainlyError, match="rename one"):
        members_of(["m", "m/1", "m/2", "m/3"], RUNS)


@pytest.fixture
def rows(as_rows: Rows) -> dict[str, Array]:
    draw = np.random.default_rng(5)
    base = draw.normal(size=200)
    shifts = {"m/1": 1.0, "m/2": 1.4, "m/3": 0.9, "x": 0.0}
    return {name: as_rows(base + shift + draw.normal(size=200) / 5) for name, shift in shifts.items()}


def test_the_mean_and_the_spread_of_runs(rows: dict[str, Array], mean: Metric) -> None:
    found = compare({name: {"mean": table} for name, table in rows.items()}, {"mean": mean}, runs=RUNS)
    assert list(found.systems) == ["m", "x"]
    single = [float(rows[run][:, 1].mean()) for run in RUNS["m"]]
    standing = found["m"]["mean"]
    assert standing.score == pytest.approx(np.mean(single), rel=1e-12)
    assert list(standing.runs.values()) == pytest.approx(single, rel=1e-12)
    assert standing.spread == pytest.approx(np.std(single, ddof=1), rel=1e-12)
    assert (found["x"]["mean"].runs, math.isnan(found["x"]["mean"].spread)) == ({}, True)
    assert [(pair.first, pair.second) for pair in found.pairs] == [("m", "x")]


def test_a_system_that_ran_once_keeps_its_interval(rows: dict[str, Array], mean: Metric) -> None:
    found = compare({name: {"mean": table} for name, table in rows.items()}, {"mean": mean}, runs=RUNS)
    assert found["x"]["mean"].estimate == confidence_interval(mean, rows["x"])


def test_runs_that_differ_widen_the_interval(rows: dict[str, Array], mean: Metric) -> None:
    statistics = {name: {"mean": table} for name, table in rows.items()}
    with_runs = compare(statistics, {"mean": mean}, runs=RUNS)["m"]["mean"].estimate
    of_one = compare(statistics, {"mean": mean})["m/1"]["mean"].estimate
    assert with_runs.high - with_runs.low > of_one.high - of_one.low


def test_more_trials_do_not_move_the_interval(rows: dict[str, Array], mean: Metric) -> None:
    statistics = {name: {"mean": table} for name, table in rows.items()}
    few, many = (compare(statistics, {"mean": mean}, runs=RUNS, trials=trials) for trials in (1000, 5000))
    assert few["m"]["mean"].estimate == many["m"]["mean"].estimate


def test_runs_are_compared_on_the_segments_that_all_of_them_have(rows: dict[str, Array], mean: Metric) -> None:
    """A run that lacks hard segments neither raises the mean of the runs nor their spread."""
    holes = {**rows, "m/2": rows["m/2"].copy()}
    holes["m/2"][:50] = 0.0
    found = compare({name: {"mean": table} for name, table in holes.items()}, {"mean": mean}, runs=RUNS)
    single = [float(rows[run][50:, 1].mean()) for run in RUNS["m"]]
    standing = found["m"]["mean"]
    assert list(standing.runs.values()) == pytest.approx(single, rel=1e-12)
    assert standing.score == pytest.approx(np.mean(single), rel=1e-12)
    assert (standing.scored, standing.unscored, standing.lacking) == (150, 50, 50)
    assert found.pair("m", "x", "mean").segments == 150


def test_intervals_of_runs_end_where_scores_can_lie() -> None:
    """Two runs draw from a Student's t of one degree of freedom, which knows no end."""
    metric = registry.get("exact-copies")
    assert metric.facts.range == (0.0, 1.0)
    draw = np.random.default_rng(2)
    tables = [np.column_stack([np.ones(40), draw.random(40) < share]).astype(float) for share in (0.9, 0.5, 0.1)]
    statistics = {name: {"copies": table} for name, table in zip(("m/1", "m/2", "x"), tables, strict=True)}
    found = compare(statistics, {"copies": metric}, runs={"m": ("m/1", "m/2")})
    assert (found["m"]["copies"].estimate.low, found["m"]["copies"].estimate.high) == (0.0, 1.0)
    estimate = found.pair("m", "x", "copies").estimate
    assert (estimate.low, estimate.high) == (-1.0, 1.0)


def test_intervals_of_the_parts_of_runs_end_there_too() -> None:
    """SARI is the mean of three parts, of 0 to 100 each. One run is the reference, the other copies the source."""
    metric = registry.get("sari")
    sources = [f"The feline number {i} perceived one bird." for i in range(6)]
    references = [[f"Cat {i} saw one bird."] for i in range(6)]
    outputs = {"m/1": [own for (own,) in references], "m/2": sources}
    corpus = Corpus(sources, references, outputs)
    statistics = {run: {"sari": metric.measure(corpus, run)} for run in outputs}
    found = compare(statistics, {"sari": metric}, runs={"m": ("m/1", "m/2")}, components=True)["m"]["sari"]
    assert [(found.components[part].low, found.components[part].high) for part in metric.parts] == [(0.0, 100.0)] * 3


def test_randomisation_does_not_know_runs(rows: dict[str, Array], mean: Metric) -> None:
    statistics = {name: {"mean": table} for name, table in rows.items()}
    with pytest.raises(PlainlyError, match="need the bootstrap"):
        compare(statistics, {"mean": mean}, runs=RUNS, method="randomisation")


def _draw_runs(draw: np.random.Generator, count: int, as_rows: Rows, truth: float, run_sd: float) -> list[Array]:
    """Runs of a system with true mean `truth`: a run adds its own luck to all of its segments."""
    difficulty = draw.normal(size=100)
    return [as_rows(truth + draw.normal() * run_sd + difficulty + draw.normal(size=100) / 2) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3, 5])
def test_intervals_hold_the_truth_as_often_as_promised(count: int, mean: Metric, as_rows: Rows) -> None:
    """Of 400 intervals of 95 %, at least 365 hold the truth in more than 99 % of cases (binomial: 380, sd 4.4).

    The luck of a run is as large as that of the segments together: a test set of 100 with sd 1 has 0.1.
    """
    held = 0
    for seed in range(400):
        draw = np.random.default_rng([seed, count])
        tables = _draw_runs(draw, count, as_rows, 3.0, 0.1)
        statistics = {f"m/{i}": {"mean": table} for i, table in enumerate(tables)}
        found = compare(statistics, {"mean": mean}, runs={"m": tuple(statistics)}, resampling=Resampling(400, seed))
        estimate = found["m"]["mean"].estimate
        held += estimate.low <= 3.0 <= estimate.high
    assert held >= 365


@pytest.mark.slow
def test_two_systems_of_one_kind_are_told_apart_as_seldom_as_promised(mean: Metric, as_rows: Rows) -> None:
    """At the level 5 %, of 300 tests fewer than 26 find a difference in 99 % of cases (binomial)."""
    wrong = 0
    for seed in range(300):
        draw = np.random.default_rng([seed, 77])
        difficulty = draw.normal(size=100)
        statistics = {
            f"{system}/{run}": {"mean": as_rows(draw.normal() * 0.2 + difficulty + draw.normal(size=100) / 2)}
            for system in "ab"
            for run in range(4)
        }
        runs = {system: tuple(f"{system}/{run}" for run in range(4)) for system in "ab"}
        found = compare(statistics, {"mean": mean}, runs=runs, resampling=Resampling(400, seed))
        wrong += found.pairs[0].significant
    assert wrong < 26
