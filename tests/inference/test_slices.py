"""Differences on parts of a test set, by hand and against the whole."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from plainly.inference import Resampling, compare, holm
from plainly.inference.slices import compare_slices
from plainly.metrics import Array, Metric

Rows = Callable[[Array], Array]
EVEN = np.arange(80) % 2 == 0


@pytest.fixture
def statistics(as_rows: Rows) -> dict[str, dict[str, Array]]:
    """b is better by 1 on even segments, and the same as a on the others, but for noise."""
    draw = np.random.default_rng(3)
    base = draw.normal(size=80)
    values = {"a": base, "b": base + EVEN + draw.normal(size=80) / 3}
    return {name: {"mean": as_rows(own)} for name, own in values.items()}


def test_where_a_system_is_better(statistics: dict[str, dict[str, Array]], mean: Metric) -> None:
    slices = {"even": EVEN, "odd": ~EVEN}
    even, odd = compare_slices(statistics, "mean", mean, slices, [("b", "a")])
    assert (even.slice, even.segments, even.better, odd.better) == ("even", 40, "b", None)
    for one, inside in ((even, EVEN), (odd, ~EVEN)):
        by_hand = [float(statistics[name]["mean"][inside, 1].mean()) for name in "ba"]
        assert [one.first_score.value, one.second_score.value] == pytest.approx(by_hand, rel=1e-12)
        assert one.difference.difference == pytest.approx(by_hand[0] - by_hand[1], rel=1e-9)
    raw = np.array([even.difference.p, odd.difference.p])
    assert [even.p_holm, odd.p_holm] == holm(raw).tolist()


def test_a_slice_of_everything_is_the_whole(statistics: dict[str, dict[str, Array]], mean: Metric) -> None:
    (whole,) = compare_slices(statistics, "mean", mean, {"all": np.ones(80, dtype=bool)}, [("a", "b")])
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
    (one,) = compare_slices(third, "mean", mean, {"even": EVEN}, [("m", "c")], runs=runs, clusters=clusters)
    assert one.difference.units == 20
    means = [float(third[name]["mean"][EVEN, 1].mean()) for name in "abc"]
    assert one.difference.difference == pytest.approx(sum(means[:2]) / 2 - means[2], rel=1e-9)


def test_a_part_in_which_nothing_was_scored_is_left_out(mean: Metric, as_rows: Rows) -> None:
    holes = np.where(EVEN, np.nan, 1.0)
    statistics = {"a": {"mean": as_rows(holes)}, "b": {"mean": as_rows(np.ones(80))}}
    found = compare_slices(statistics, "mean", mean, {"even": EVEN, "odd": ~EVEN}, [("a", "b")])
    assert [(one.slice, one.segments) for one in found] == [("odd", 40)]


@pytest.mark.slow
def test_slices_of_noise_are_called_better_as_seldom_as_promised(mean: Metric, as_rows: Rows) -> None:
    """Of 200 test sets in which nothing differs, at most 5 % show a slice: fewer than 19 in 99 % (binomial)."""
    wrong = 0
    for seed in range(200):
        draw = np.random.default_rng([seed, 5])
        statistics = {name: {"mean": as_rows(draw.normal(size=120))} for name in "ab"}
        slices = {k: np.arange(120) % 4 == k for k in range(4)}
        found = compare_slices(statistics, "mean", mean, slices, [("a", "b")], resampling=Resampling(400, seed))
        wrong += any(one.significant for one in found)
    assert wrong < 19
