"""Differences on parts of a test set, by hand and against the whole."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from plainly.inference import Resampling, Settings, compare, paired_randomisation
from plainly.inference.paired import TestMethod
from plainly.inference.slices import compare_slices
from plainly.metrics import Array, Metric

Rows = Callable[[Array], Array]
EVEN = np.arange(80) % 2 == 0


def settings(method: TestMethod = "bootstrap", trials: int = 1000) -> Settings:
    return Settings(method, trials, Resampling(), baseline=None, family="metric", power=0.8)


@pytest.fixture
def statistics(as_rows: Rows) -> dict[str, dict[str, Array]]:
    """b is better by 1 on even segments, and the same as a on the others, but for noise."""
    draw = np.random.default_rng(3)
    base = draw.normal(size=80)
    values = {"a": base, "b": base + EVEN + draw.normal(size=80) / 3}
    return {name: {"mean": as_rows(own)} for name, own in values.items()}


def test_where_a_system_is_better(statistics: dict[str, dict[str, Array]], mean: Metric) -> None:
    slices = {"even": EVEN, "odd": ~EVEN}
    even, odd = compare_slices(statistics, "mean", mean, slices, [("b", "a")], settings())
    assert (even.slice, even.segments, even.better, odd.better) == ("even", 40, "b", None)
    for one, inside in ((even, EVEN), (odd, ~EVEN)):
        by_hand = [float(statistics[name]["mean"][inside, 1].mean()) for name in "ba"]
        assert [one.first_score.value, one.second_score.value] == pytest.approx(by_hand, rel=1e-12)
        assert one.difference.difference == pytest.approx(by_hand[0] - by_hand[1], rel=1e-9)
    assert even.difference.p <= even.p_corrected < 0.05
    assert odd.difference.p <= odd.p_corrected <= 1


def test_a_slice_of_everything_is_the_whole(statistics: dict[str, dict[str, Array]], mean: Metric) -> None:
    (whole,) = compare_slices(statistics, "mean", mean, {"all": np.ones(80, dtype=bool)}, [("a", "b")], settings())
    compared = compare(statistics, {"mean": mean})
    pair = compared.pair("a", "b", "mean")
    assert (whole.difference.estimate, whole.difference.p) == (pair.estimate, pair.p)
    assert (whole.first_score, whole.second_score) == (
        compared["a"]["mean"].estimate,
        compared["b"]["mean"].estimate,
    )


def test_documents_and_runs(statistics: dict[str, dict[str, Array]], mean: Metric) -> None:
    runs = {"m": ("a", "b")}
    third = {**statistics, "c": statistics["a"]}
    clusters = [i // 4 for i in range(80)]
    (one,) = compare_slices(
        third, "mean", mean, {"even": EVEN}, [("m", "c")], settings(), runs=runs, clusters=clusters
    )
    assert one.difference.units == 20
    means = [float(third[name]["mean"][EVEN, 1].mean()) for name in "abc"]
    assert one.difference.difference == pytest.approx(sum(means[:2]) / 2 - means[2], rel=1e-9)


def test_a_part_in_which_nothing_was_scored_is_left_out(mean: Metric, as_rows: Rows) -> None:
    holes = np.where(EVEN, np.nan, 1.0)
    statistics = {"a": {"mean": as_rows(holes)}, "b": {"mean": as_rows(np.ones(80))}}
    found = compare_slices(statistics, "mean", mean, {"even": EVEN, "odd": ~EVEN}, [("a", "b")], settings())
    assert [(one.slice, one.segments) for one in found] == [("odd", 40)]


def test_all_tests_of_the_table_are_corrected_together(
    statistics: dict[str, dict[str, Array]], mean: Metric, as_rows: Rows
) -> None:
    three = {**statistics, "c": {"mean": as_rows(np.random.default_rng(8).normal(size=80))}}
    pairs, cut = [("b", "a"), ("b", "c")], {"even": EVEN, "odd": ~EVEN}
    found = compare_slices(three, "mean", mean, cut, pairs, settings())
    assert len(found) == 4
    assert all(one.difference.p <= one.p_corrected for one in found)
    chosen = compare_slices(three, "mean", mean, cut, pairs, settings(), among=[*pairs, ("a", "c")])
    assert [one.difference for one in chosen] == [one.difference for one in found]
    assert all(more.p_corrected >= one.p_corrected for more, one in zip(chosen, found, strict=True))
    alone = [compare_slices(three, "mean", mean, {n: cut[n]}, [p], settings()) for n in cut for p in pairs]
    assert all(one.p_corrected >= own.difference.p for one, (own,) in zip(found, alone, strict=True))
    same = compare_slices(three, "mean", mean, {"one": EVEN, "two": EVEN}, [("b", "c")], settings())
    single = compare_slices(three, "mean", mean, {"one": EVEN}, [("b", "c")], settings())
    assert {one.p_corrected for one in same} == {one.p_corrected for one in single}  # the same test twice is one test


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_equal_systems_differ_on_some_slice_as_seldom_as_promised(
    mean: Metric, as_rows: Rows, method: TestMethod
) -> None:
    """Of 400 null data sets at most as many as chance allows: the 99.9 % quantile of the binomial of 5 % is 35."""
    slices = {f"{start}": np.arange(80) // 20 == start for start in range(4)}
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    wrong = 0
    for seed in range(400):
        values = np.random.default_rng(seed).exponential(size=(3, 80))
        statistics = {name: {"mean": as_rows(own)} for name, own in zip("abc", values, strict=True)}
        found = compare_slices(statistics, "mean", mean, slices, pairs, settings(method))
        wrong += any(one.significant for one in found)
    assert wrong <= 35


def test_slices_are_tested_as_the_whole_is(statistics: dict[str, dict[str, Array]], mean: Metric) -> None:
    cut = {"odd": ~EVEN}
    (one,) = compare_slices(statistics, "mean", mean, cut, [("a", "b")], settings("randomisation", trials=3000))
    assert (one.difference.method, one.difference.trials) == ("randomisation", 3000)
    a, b = (statistics[name]["mean"][~EVEN] for name in "ab")
    alone = paired_randomisation(mean, a, b, trials=3000)
    error = 4 * np.sqrt(2 * alone.p * (1 - alone.p) / 3000)  # other coins: four standard errors of their difference
    assert one.difference.p == pytest.approx(alone.p, abs=error)
    assert 0.05 < alone.p < 0.95  # else this would show nothing
    (plain,) = compare_slices(statistics, "mean", mean, cut, [("a", "b")], settings("bootstrap-plain"))
    (usual,) = compare_slices(statistics, "mean", mean, cut, [("a", "b")], settings())
    assert plain.difference.p < usual.difference.p


def test_a_slice_of_one_segment_has_no_interval_and_no_test(
    statistics: dict[str, dict[str, Array]], mean: Metric
) -> None:
    (one,) = compare_slices(statistics, "mean", mean, {"one": np.arange(80) == 3}, [("a", "b")], settings())
    bounds = [
        one.first_score.low,
        one.second_score.high,
        one.difference.estimate.low,
        one.difference.p,
        one.p_corrected,
    ]
    assert np.isnan(bounds).all()
    assert (one.segments, one.significant, one.better) == (1, False, None)
