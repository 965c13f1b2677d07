"""Power: against formulas where there are some, and against the test that results are made with."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import log, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.comprehension.hypotheses import both_hypotheses
from plainly.comprehension.power import Study, needed, power, sign_flip_p
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.inference import Resampling

PAPER = made_up_experiment()
EVEN = made_up_experiment(questions=(4,))
"""8 questions about each version."""


def _formula(difference: float, variance: float, participants: int) -> float:
    """Of a two-sided z test at 0.05 of a mean with this variance. Flips are like a t test: a little weaker."""
    z = abs(difference) / sqrt(variance / participants)
    return NormalDist().cdf(z - NormalDist().inv_cdf(0.975))


def test_correct_answers_by_formula() -> None:
    """If nobody differs, a participant's difference has the variance p (1 - p) / 8 + q (1 - q) / 8."""
    effects = Effects(correct=0.6, difference=0.05, ability_sd=0, ease_sd=0, guessing=0)
    expected = _formula(0.05, 0.6 * 0.4 / 8 + 0.65 * 0.35 / 8, 100)
    assert expected == pytest.approx(0.543, abs=0.001)
    assert power(Study(EVEN, effects, 4000), 100).correct.value == pytest.approx(expected, abs=0.035)


def test_times_by_formula() -> None:
    """If nearly all answers are correct, a difference of log times has the variance 2 x noise^2 / 8."""
    effects = Effects(correct=0.998, difference=0, faster=0.1, ability_sd=0, ease_sd=0, guessing=0)
    expected = _formula(log(0.9), 2 * 0.5**2 / 8, 40)
    assert expected == pytest.approx(0.760, abs=0.001)
    assert power(Study(EVEN, effects, 4000), 40).time.value == pytest.approx(expected, abs=0.035)


def test_nothing_to_find() -> None:
    """Without a difference, 5 % are found: 1000 runs leave 3.0 to 7.0 % (3 standard errors)."""
    found = power(Study(PAPER, Effects(difference=0, faster=0), 1000), 24)
    assert 0.03 < found.correct.value < 0.07
    assert 0.03 < found.time.value < 0.07


def test_flips_against_all_flips() -> None:
    values = np.array([[0.3, 0.1, -0.2, 0.4, 0.25, 0.05, 0.1, -0.1], [1.0, -1.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5]])
    signs = np.array(list(product((-1, 1), repeat=8)))
    for row, found in zip(values, sign_flip_p(values, np.random.default_rng(1), 40_000), strict=True):
        exact = np.mean(np.abs(signs @ row) >= abs(row.sum()) - 1e-12)
        assert found == pytest.approx(exact, abs=0.01)


def test_more_participants_more_power() -> None:
    study = Study(PAPER, Effects(), 400)
    values = [power(study, number).correct.value for number in (8, 24, 72)]
    assert values == sorted(values)
    assert power(study, 24) == power(study, 24)


def test_how_many_are_needed() -> None:
    study = Study(PAPER, Effects(difference=0.15), 400, seed=3)
    found = needed(study, "correct")
    assert found.low <= found.participants
    assert found.high is None or found.participants <= found.high
    again = power(Study(PAPER, Effects(difference=0.15), 2000, seed=4), found.participants)
    assert again.correct.value == pytest.approx(0.8, abs=0.08)


def test_a_third_version_does_not_count() -> None:
    three = made_up_experiment(6, (4,), versions=("complex", "a", "b"))
    found = power(Study(three, Effects(difference=0.2), 200), 60)
    assert found.correct.value > 0.9


@pytest.mark.slow
def test_the_test_of_the_results_has_this_power() -> None:
    """150 simulated experiments through `both_hypotheses`: within 3 standard errors, 0.10 and 0.13."""
    effects, runs = Effects(), 150
    found = np.zeros(2)
    for seed in range(runs):
        tests = both_hypotheses(
            simulated(PAPER, 40, effects, seed).answers, "simplified", "complex", resampling=Resampling(resamples=400)
        )
        found += [test.p <= 0.05 for test in tests]
    expected = power(Study(PAPER, effects, 2000), 40)
    assert found[0] / runs == pytest.approx(expected.correct.value, abs=0.10)
    assert found[1] / runs == pytest.approx(expected.time.value, abs=0.13)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"runs": 0}, "1 to 100000 runs"),
        ({"alpha": 0.0005}, "alpha must lie above 0.001"),
        ({"alpha": float("nan")}, "alpha must lie above"),
    ],
)
def test_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        Study(PAPER, Effects(), **settings)  # type: ignore[arg-type]


def test_questions_without_an_answer() -> None:
    study = Study(PAPER, Effects(difference=0, faster=0.0001), 20)
    with pytest.raises(PlainlyError, match="where there is no difference"):
        needed(study, "correct")
    with pytest.raises(PlainlyError, match="unknown outcome 'speed'"):
        needed(study, "speed")
    with pytest.raises(PlainlyError, match="power must lie between 0 and 1"):
        needed(study, "time", 1.0)
    with pytest.raises(PlainlyError, match="1 to 4096 participants, not 0"):
        power(study, 0)


@pytest.mark.slow
def test_out_of_reach() -> None:
    with pytest.raises(PlainlyError, match="with 4096 participants it is 0"):
        needed(Study(PAPER, Effects(faster=0.0001), 20), "time", 0.9)


def test_a_limit_of_time_costs_power() -> None:
    """Half of the answers are not given, and slow ones are missing from the comparison of times."""
    free, timed = (
        power(Study(replace(PAPER, answer_seconds=limit), Effects(), runs=200), 40) for limit in (None, 20.0)
    )
    assert timed.correct.high < free.correct.low
    assert timed.time.high < free.time.low
