"""The two hypotheses: worked by hand, against every exchange written out, and on experiments with known effects."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from plainly.comprehension.analysis import analyse
from plainly.comprehension.contrasts import corrected
from plainly.comprehension.hypotheses import EXACT, both_hypotheses
from plainly.comprehension.records import Answer, gathered
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.inference import Resampling
from plainly.inference.estimates import Estimate

Make = Callable[..., Answer]


@pytest.fixture
def crossed(answered: Make) -> list[Answer]:
    """Four readers of two passages with a question each; two read passage 1 simplified, two passage 2."""
    rows = [
        ("ann", "1", "complex", 0, 8.0),
        ("ben", "1", "complex", 1, 9.0),
        ("cem", "1", "simplified", 0, 2.0),
        ("dan", "1", "simplified", 0, 4.0),
        ("ann", "2", "simplified", 0, 3.0),
        ("ben", "2", "simplified", 1, 5.0),
        ("cem", "2", "complex", 1, 6.0),
        ("dan", "2", "complex", 1, 7.0),
    ]
    return [
        answered(who, f"q{passage}", given, seconds, passage=passage, version=version)
        for who, passage, version, given, seconds in rows
    ]


def test_by_hand(crossed: list[Answer]) -> None:
    right, fast = both_hypotheses(crossed, "simplified", "complex", resampling=Resampling(resamples=50))
    # Question 1: simplified 2 of 2, complex 1 of 2; question 2: 1 of 2 and 0 of 2. Weights 2 x 2 / 4 = 1 each.
    assert right.of_version == pytest.approx(75)  # (1 + 1/2) / 2
    assert right.of_baseline == pytest.approx(25)  # (1/2 + 0) / 2
    assert right.difference.value == pytest.approx(50)
    # h = 2 arcsin(sqrt(3/4)) - 2 arcsin(sqrt(1/4)) = 2 pi/3 - pi/3.
    assert right.effect == pytest.approx(math.pi / 3)
    assert (right.participants, right.questions, right.answers) == (4, 2, 8)
    # Correct answers: question 1 has 8 s complex, 2 s and 4 s simplified; question 2 has none complex: weight 0.
    # Mean log times: log 8 against (log 2 + log 4) / 2 = log sqrt(8), ratio sqrt(8) / 8.
    assert fast.difference.value == pytest.approx(math.sqrt(8) / 8)
    assert fast.of_version == pytest.approx(math.sqrt(8))
    assert fast.of_baseline == pytest.approx(8)
    # Only log 2 and log 4 vary within a question and version: their standard deviation is log 2 / sqrt(2).
    assert fast.effect == pytest.approx((math.log(8) / 2 - math.log(8)) / (math.log(2) / math.sqrt(2)))
    # ann, cem and dan have a correct answer.
    assert (fast.participants, fast.answers) == (3, 4)


def _plain_difference(answers: list[Answer], value: Callable[[Answer], float]) -> float:
    """The same difference, with loops and nothing else."""
    above = below = 0.0
    for key in {(answer.passage, answer.question) for answer in answers}:
        sides: dict[str, list[float]] = {"simplified": [], "complex": []}
        for answer in answers:
            if (answer.passage, answer.question) == key:
                sides[answer.version].append(value(answer))
        n, m = len(sides["simplified"]), len(sides["complex"])
        if n and m:
            weight = n * m / (n + m)
            above += weight * (sum(sides["simplified"]) / n - sum(sides["complex"]) / m)
            below += weight
    return above / below if below else math.nan


def _all_exchanges(answers: list[Answer], value: Callable[[Answer], float]) -> float:
    """The p-value from every way to exchange the names of the versions for some of the participants."""
    people = sorted({answer.participant for answer in answers})
    other = {"simplified": "complex", "complex": "simplified"}
    observed, found = _plain_difference(answers, value), []
    for exchanged in product([False, True], repeat=len(people)):
        those = {name for name, yes in zip(people, exchanged, strict=True) if yes}
        changed = [replace(a, version=other[a.version]) if a.participant in those else a for a in answers]
        found.append(_plain_difference(changed, value))
    found = [difference for difference in found if not math.isnan(difference)]
    return sum(abs(difference) >= abs(observed) - 1e-9 for difference in found) / len(found)


@pytest.mark.parametrize("seed", range(4))
def test_every_exchange_written_out(seed: int) -> None:
    simulation = simulated(made_up_experiment(passages=2, questions=(2,)), 7, Effects(difference=0.3), seed=seed)
    answers = list(simulation.answers)
    right, fast = both_hypotheses(answers, "simplified", "complex", resampling=Resampling(resamples=20))
    assert right.exact
    assert right.p == pytest.approx(_all_exchanges(answers, lambda answer: float(bool(answer.correct))))
    correct = [answer for answer in answers if answer.correct]
    assert fast.p == pytest.approx(_all_exchanges(correct, lambda answer: math.log(answer.seconds)))


def test_sampled_exchanges_agree_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = list(simulated(made_up_experiment(passages=2), EXACT, Effects(difference=0.1), seed=8).answers)
    exact, _ = both_hypotheses(answers, "simplified", "complex", resampling=Resampling(resamples=20))
    monkeypatch.setattr("plainly.comprehension.hypotheses.EXACT", 2)
    sampled, _ = both_hypotheses(answers, "simplified", "complex", resampling=Resampling(resamples=20))
    # All, but for the two that leave a passage with one version.
    assert (exact.exact, exact.exchanges) == (True, 2**EXACT - 2)
    assert not sampled.exact
    assert sampled.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / sampled.exchanges))


def test_sampling_ends_when_it_has_seen_enough() -> None:
    """Besag and Clifford (1991): with the h-th exchange that is as large, p is h / exchanges; else all are made."""
    answers = list(simulated(made_up_experiment(), 60, Effects(difference=0.25, faster=0), seed=5).answers)
    right, fast = both_hypotheses(
        answers, "simplified", "complex", resampling=Resampling(resamples=20), permutations=5000
    )
    assert (right.exchanges, right.p) == (5000, 1 / 5001)
    assert 1000 <= fast.exchanges < 5000
    assert fast.p == 1000 / fast.exchanges
    again = both_hypotheses(
        answers, "simplified", "complex", resampling=Resampling(resamples=20), permutations=fast.exchanges - 1
    )[1]
    assert again.p == 1000 / fast.exchanges  # (999 + 1) / (exchanges - 1 + 1)


def test_hard_passages_cancel_out(answered: Make) -> None:
    """Versions are alike within each passage, but more readers saw the easy passage simplified."""
    rows = []
    for passage, given, simplified, complex_ in (("easy", 0, 9, 3), ("hard", 1, 3, 9)):
        for version, many in (("simplified", simplified), ("complex", complex_)):
            rows += [
                answered(f"{passage}{version}{n}", "q", given, 5.0, passage=passage, version=version)
                for n in range(many)
            ]
    right, _ = both_hypotheses(rows, "simplified", "complex", resampling=Resampling(resamples=50))
    assert right.difference.value == 0  # a plain comparison would say 75 % against 25 %
    assert right.p == 1


def test_verdicts(crossed: list[Answer]) -> None:
    tests = corrected(both_hypotheses(crossed, "simplified", "complex", resampling=Resampling(resamples=50)))
    assert [found.verdict.text().split(":")[0] for found in tests] == ["not shown", "not shown"]
    right, fast = (replace(found, p_holm=0.01) for found in tests)
    assert right.verdict.text() == "supported: 50.0 points more correct answers"
    assert fast.verdict.text() == "supported: correct answers take 65% less time"
    same = replace(right, p_holm=0.6, difference=Estimate(-0.04, -9.0, 9.0))
    assert same.verdict.text() == "not shown: no difference in correct answers"
    same = replace(fast, p_holm=0.6, difference=Estimate(1.004, 0.5, 2.0))
    assert same.verdict.text() == "not shown: no difference in the times of correct answers"
    back = both_hypotheses(crossed, "complex", "simplified", resampling=Resampling(resamples=50))
    right, fast = (replace(found, p_holm=0.01) for found in back)
    assert right.verdict.text() == "the opposite holds: 50.0 points fewer correct answers"
    assert fast.verdict.text() == "the opposite holds: correct answers take 183% longer"
    alone = [answer for answer in crossed if answer.version == "complex"]
    assert (
        "cannot be tested"
        in both_hypotheses(alone, "simplified", "complex", resampling=Resampling(resamples=5))[0].verdict.text()
    )


def test_a_known_effect_is_found() -> None:
    experiment = made_up_experiment()
    effects = Effects(difference=0.15, faster=0.25)
    simulation = simulated(experiment, 103, effects, seed=1)
    analysis = analyse(gathered(simulation.answers, experiment), experiment, resampling=Resampling(resamples=400))
    right, fast = analysis.hypotheses
    assert right.verdict.text().startswith("supported")
    assert fast.verdict.text().startswith("supported")
    truth = {
        version: np.mean([t.correct for t in simulation.truth if t.version == version])
        for version in ("complex", "simplified")
    }
    assert right.difference.low < 100 * (truth["simplified"] - truth["complex"]) < right.difference.high
    assert fast.difference.low < 0.75 < fast.difference.high


@pytest.mark.slow
def test_no_effect_is_found_as_seldom_as_promised_and_intervals_hold_it() -> None:
    """Where versions do not differ, p is below 0.05 in about 5 % of experiments, and 0 lies in 95 % of intervals."""
    experiment = made_up_experiment(passages=2, questions=(4,))
    below, inside = np.zeros(2), np.zeros(2)
    for seed in range(300):
        answers = simulated(experiment, 30, Effects(difference=0.0, faster=0.0), seed=seed).answers
        found = both_hypotheses(
            answers,
            "simplified",
            "complex",
            resampling=Resampling(resamples=200, seed=seed),
        )
        below += [test.p <= 0.05 for test in found]
        inside += [
            test.difference.low <= same <= test.difference.high for test, same in zip(found, (0, 1), strict=True)
        ]
    # Four standard errors of a share of 0.05 in 300 are 0.05.
    assert (below / 300 <= 0.10).all(), below
    assert (below / 300 >= 0.01).all(), below
    assert (inside / 300 >= 0.88).all(), inside
