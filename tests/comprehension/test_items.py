"""Difficulty, discrimination and distractors of questions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scipy.stats import pointbiserialr

from plainly.comprehension.experiment import Experiment
from plainly.comprehension.items import items
from plainly.comprehension.records import Answer
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated

Make = Callable[..., Answer]


def test_by_hand(by_hand: Experiment, four_answers: list[Answer]) -> None:
    close, when = items(four_answers, by_hand)
    assert (close.question, close.answers, close.correct, close.seconds) == ("q1", 2, 0.5, 20.0)
    assert close.chosen == ((0, 1), (1, 0), (2, 1))
    assert close.shares[2] == (2, 1, 50.0)
    # ann: right in q1, wrong elsewhere; bob the other way round. The correlation is -1.
    assert close.discrimination == pytest.approx(-1)
    assert when.right == 0
    assert close.remarks == ("too few answers to judge",)


def test_discrimination_as_scipy_has_it() -> None:
    answers = simulated(made_up_experiment(), 60, Effects(ability_sd=1.5), seed=4).answers
    found = items(answers)
    assert len(found) == 36  # 18 questions in two versions
    for item in found:
        group = [
            a for a in answers if (a.passage, a.version, a.question) == (item.passage, item.version, item.question)
        ]
        rest = []
        for answer in group:
            others = [a.correct for a in answers if a.participant == answer.participant and a is not answer]
            rest.append(sum(map(bool, others)) / len(others))
        expected = pointbiserialr([bool(a.correct) for a in group], rest).statistic
        assert item.discrimination == pytest.approx(expected)


def test_remarks(by_hand: Experiment, answered: Make) -> None:
    rows = [answered(f"p{n}", "q1", 1 if n < 9 else 0, 5.0) for n in range(12)]
    rows += [answered(f"p{n}", "q2", 0, 5.0) for n in range(12)]
    close, when = items(rows, by_hand)
    assert "no better than guessing" in close.remarks
    assert "nobody chose answer 2" in close.remarks
    assert "answer 1 is chosen more often than the correct one" in close.remarks
    assert "nearly everyone is right" in when.remarks
