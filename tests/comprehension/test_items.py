"""Difficulty, discrimination and distractors of questions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scipy.stats import pearsonr, pointbiserialr

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
    assert close.discrimination.value == pytest.approx(-1)
    assert (close.wording, close.options[1]) == ("What do you close?", "The door.")
    assert when.right == 0
    assert [str(remark) for remark in close.remarks] == ["too few answers to judge"]


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
        assert item.discrimination.value == pytest.approx(expected)
        bounds = pearsonr([bool(a.correct) for a in group], rest).confidence_interval(0.95)
        assert (item.discrimination.low, item.discrimination.high) == pytest.approx(tuple(bounds))


def test_remarks(by_hand: Experiment, answered: Make) -> None:
    rows = [answered(f"p{n}", "q1", 1 if n < 9 else 0, 5.0) for n in range(12)]
    rows += [answered(f"p{n}", "q2", 0, 5.0) for n in range(12)]
    close, when = items(rows, by_hand)
    assert "no better than guessing" in map(str, close.remarks)
    assert "nobody chose answer 2" in map(str, close.remarks)
    assert "answer 1 is chosen more often than the correct one" in map(str, close.remarks)
    assert "nearly everyone is right" in map(str, when.remarks)


def test_remarks_only_on_what_is_clear(by_hand: Experiment, answered: Make) -> None:
    """Of 20 answers a correlation of -0.01 may be 0.43; of 400 it cannot be 0.2. One of -0.6 is below 0 anyway."""

    def remarks(readers: int, alike: int) -> tuple[str, ...]:
        """About q2; of ten readers, so many are right in both questions or in none."""
        rows = []
        for number in range(readers):
            first = number % 2
            second = first if number // 2 % 5 * 2 < alike else 1 - first
            rows += [answered(f"p{number}", "q1", first, 5.0), answered(f"p{number}", "q2", second, 5.0)]
        item = items(rows, by_hand)[1]
        assert item.discrimination.value == pytest.approx((alike - 5) / 5, abs=0.01)
        return tuple(map(str, item.remarks))

    weak, bad = "tells little about readers", "readers who do well elsewhere do worse here"
    assert not {weak, bad} & set(remarks(20, 4))  # -0.2
    assert bad in remarks(20, 2)  # -0.6
    assert bad in remarks(400, 4)
    assert weak not in remarks(20, 6)  # 0.2
    assert bad not in remarks(400, 6)
