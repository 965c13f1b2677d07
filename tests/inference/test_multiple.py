"""Holm's correction, ranks and detectable differences, by hand."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.inference import (
    holm,
    max_t,
    minimum_detectable_difference,
    rank_intervals,
    ranks,
    resamples_for,
    resamples_needed,
)
from plainly.inference.power import typical
from plainly.inference.small_sample import calibrated

from ..cases import each

probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_holm_by_hand() -> None:
    # Sorted .005 .01 .03 .04, times 4 3 2 1: .02 .03 .06 .04; a corrected p is never below the one before: .06.
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # R: p.adjust(c(0.001, 0.2, 0.5, 0.6), "holm") is 0.004 0.600 1.000 1.000: 4 x .001, 3 x .2, 2 x .5, max(.6, 1).
    assert holm(np.array([0.001, 0.2, 0.5, 0.6])) == pytest.approx([0.004, 0.6, 1, 1])
    assert holm(np.array([0.3])) == pytest.approx([0.3])
    assert len(holm(np.array([]))) == 0


def test_a_missing_p_stays_missing_and_does_not_count() -> None:
    corrected = holm(np.array([0.01, math.nan, 0.04]))
    assert corrected[[0, 2]] == pytest.approx([0.02, 0.04])
    assert math.isnan(corrected[1])


@given(probabilities)
def test_holm_lies_between_nothing_and_bonferroni(values: list[float]) -> None:
    p = np.array(values)
    corrected = holm(p)
    assert (corrected >= p - 1e-12).all()
    assert (corrected <= np.minimum(1, len(p) * p) + 1e-12).all()
    order = np.argsort(p)
    assert (np.diff(corrected[order]) >= -1e-12).all()
    np.testing.assert_allclose(holm(p[::-1]), corrected[::-1])


@given(st.integers(1, 5000), st.sampled_from([0.001, 0.01, 0.05, 0.1]))
def test_as_many_resamples_as_needed_and_not_more(tests: int, alpha: float) -> None:
    needed = resamples_needed(tests, alpha)
    assert tests / (needed + 1) < alpha
    assert tests / needed >= alpha * (1 - 1e-6)


@each("tests, alpha, units", [(1, 0.05, 30), (15, 0.05, 60), (276, 0.05, 359), (10, 0.01, 100)])
def test_a_calibrated_p_needs_more_resamples(tests: int, alpha: float, units: int) -> None:
    needed = resamples_needed(tests, alpha, units)
    assert tests * calibrated(1 / (needed + 2), units) < alpha <= tests * calibrated(1 / (needed - 1), units)
    assert needed > resamples_needed(tests, alpha)


def test_how_many_resamples_tests_should_have() -> None:
    assert resamples_for(1, 0.05) == 1000  # ten times 20 are fewer than the usual
    assert resamples_for(15, 0.05) == 3000  # ten times 300
    assert resamples_for(276, 0.05) == 20_000  # ten times 5,520 would cost too much
    assert resamples_for(15, 0.05, units=6) == 1000  # no number would do


def test_of_tests_apart_max_t_is_sidak_and_of_one_test_again_and_again_it_is_that_one() -> None:
    # Chance takes one of m independent tests as far as z with 1 - (1 - p)^m, p = 2 (1 - F(z)): .0253 for 2.8 and 5.
    chance = np.random.default_rng(1).standard_normal((5, 100_000))
    error = 4 * math.sqrt(0.0253 * 0.9747 / 100_000)  # four standard errors
    apart = max_t(np.array([2.8, 0.1, -0.2, 0.3, 0.4]), chance.__getitem__)
    assert apart[0] == pytest.approx(1 - (1 - 2 * (1 - NormalDist().cdf(2.8))) ** 5, abs=error)
    again = max_t(np.full(5, 2.8), lambda place: chance[0])
    alone = max_t(np.array([2.8]), lambda place: chance[0])
    assert again.tolist() == [alone[0]] * 5


def test_max_t_steps_down_and_leaves_out_what_is_missing() -> None:
    chance = np.array([[0.1, 2.5, math.nan, 1.2], [0.2, 2.4, 1.9, 0.4], [9.0, 9.0, 9.0, 9.0]])
    # largest: 1.0 against |.2 2.4 1.9 .4| is reached twice, (1 + 2) / 5; 2.0 against .2 2.5 1.9 1.2 once, 2 / 5
    found = max_t(np.array([2.0, -1.0, math.nan]), chance.__getitem__)
    assert found[:2].tolist() == [0.4, 0.6]
    assert math.isnan(found[2])


def test_ranks_by_hand() -> None:
    values = np.array([30.0, 50, 50, math.nan, 10])
    best, worst = ranks(values, "higher")
    assert best.tolist() == [3, 1, 1, 0, 4]
    assert worst.tolist() == [3, 2, 2, 0, 4]
    best, worst = ranks(values, "lower")
    assert best.tolist() == [2, 3, 3, 0, 1]
    assert worst.tolist() == [2, 4, 4, 0, 1]
    assert ranks(values, "none")[0].tolist() == [0] * 5


def test_two_systems_may_be_compared_by_other_values_than_they_are_shown_with() -> None:
    # The second has the best value, but where it can be compared the first is better; of the third nothing is known
    # beside the second.
    values = np.array([30.0, 50.0, 10.0])
    nothing = (np.float64(math.nan), np.float64(math.nan))
    apart = {(0, 1): (np.float64(5), np.float64(4)), (1, 0): (np.float64(4), np.float64(5))}
    best, worst = ranks(values, "higher", {**apart, (1, 2): nothing, (2, 1): nothing})
    assert best.tolist() == [1, 2, 2]
    assert worst.tolist() == [1, 3, 3]


def test_rounding_makes_no_ranks() -> None:
    best, _ = ranks(np.array([0.1 + 0.2, 0.3]), "higher")
    assert best.tolist() == [1, 1]


def test_rank_intervals_by_hand() -> None:
    # 100 resamples: the first system leads in 97 of them, the second in 3. At 95 % up to 2.5 may lie beyond a bound.
    first = np.array([2.0] * 97 + [1.0] * 3)
    second = np.full(100, 1.5)
    assert rank_intervals(np.stack([first, second]), "higher", 0.95) == [(1, 2), (1, 2)]
    assert rank_intervals(np.stack([first, second]), "higher", 0.9) == [(1, 1), (2, 2)]
    assert rank_intervals(np.stack([first, second]), "lower", 0.9) == [(2, 2), (1, 1)]
    assert rank_intervals(np.stack([first, second]), "none") == [None, None]


def test_equal_systems_share_their_ranks_and_missing_ones_have_none() -> None:
    values = np.array([[1.0, 2], [1, 2], [math.nan, 0], [math.nan, math.nan]])
    assert rank_intervals(values, "higher") == [(1, 2), (1, 2), (3, 3), None]


@given(st.integers(1, 8), st.integers(0, 1000), st.sampled_from(["higher", "lower"]))
def test_rank_intervals_follow_the_systems(systems: int, seed: int, direction: str) -> None:
    draw = np.random.default_rng(seed)
    values = draw.integers(0, 5, size=(systems, 30)).astype(float)
    found = rank_intervals(values, direction)  # type: ignore[arg-type]
    assert all(one is not None and 1 <= one[0] <= one[1] <= systems for one in found)
    order = draw.permutation(systems)
    assert rank_intervals(values[order], direction) == [found[i] for i in order]  # type: ignore[arg-type]


def test_detectable_difference_by_hand() -> None:
    # z(0.975) + z(0.8) = 1.959964 + 0.841621 (any table of the normal distribution)
    assert minimum_detectable_difference(1.0) == pytest.approx(2.801585, abs=1e-6)
    assert minimum_detectable_difference(0.5, alpha=0.01, power=0.9) == pytest.approx(
        0.5 * (2.575829 + 1.281552), abs=1e-6
    )
    # Of 12 units: t(0.975) + t(0.8) with 11 degrees of freedom, 2.200985 + 0.875530, and sqrt(12 / 11).
    few = (2.200985 + 0.875530) * math.sqrt(12 / 11)
    assert minimum_detectable_difference(1.0, units=12) == pytest.approx(few, abs=1e-5)
    assert math.isnan(minimum_detectable_difference(1.0, units=1))
    for wrong in ({"alpha": 0}, {"alpha": 5}, {"power": 1}):
        with pytest.raises(PlainlyError, match="must lie between 0 and 1"):
            minimum_detectable_difference(1.0, **wrong)


def test_what_is_typical() -> None:
    assert typical([1.0, 5.0, 2.0, 0.0, math.nan]) == 2.0
    assert math.isnan(typical([0.0]))
