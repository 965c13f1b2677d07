"""Groups of readers compared: by hand, against every way to part them, and on readers with a known difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from plainly.comprehension import readers
from plainly.comprehension.analysis import analyse
from plainly.comprehension.contrasts import PERMUTATIONS
from plainly.comprehension.reader_groups import groups_of
from plainly.comprehension.readers import compared
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.inference import Resampling

Make = Callable[..., Answer]
TEXT = ("1", "complex")


@pytest.fixture
def five(answered: Make) -> list[Answer]:
    """Two young and three old readers of one text with two questions. Answer 0 is correct."""
    rows = [
        ("ann", "young", (0, 2.0), (0, 4.0)),
        ("ben", "young", (0, 8.0), (1, 4.0)),
        ("cem", "old", (0, 8.0), (1, 9.0)),
        ("dan", "old", (1, 9.0), (0, 16.0)),
        ("eve", "old", (1, 7.0), (1, 5.0)),
    ]
    return [
        answered(who, question, given, seconds, fields={"group": group})
        for who, group, *cells in rows
        for question, (given, seconds) in zip(("q1", "q2"), cells, strict=True)
    ]


def _difference(answers: list[Answer], young: set[str]) -> float:
    """Of the shares of correct answers; all questions have the same readers, so no weights are needed."""
    sides = (
        [answer.correct for answer in answers if (answer.participant in young) == side] for side in (True, False)
    )
    one, other = (np.mean(side) for side in sides)
    return float(one - other)


def test_by_hand(five: list[Answer]) -> None:
    together, _, right, fast = compared("group", groups_of(five, "group"), [TEXT], Resampling(50), PERMUTATIONS)
    assert (right.group, right.other) == ("old", "young")
    assert (right.passage, right.version) == TEXT
    assert together.passage is None
    # old: 2 of 6 correct; young: 3 of 4.
    assert right.of_group == pytest.approx(100 / 3)
    assert right.of_other == pytest.approx(75)
    assert right.difference.value == pytest.approx(100 / 3 - 75)
    assert right.effect == pytest.approx(2 * math.asin(math.sqrt(1 / 3)) - 2 * math.asin(math.sqrt(3 / 4)))
    assert (right.participants, right.questions, right.answers, right.exact) == (5, 2, 10, True)
    # Correct answers: question 1 old 8 s, young 2 and 8 s (geometric mean 4): weight 1 x 2 / 3;
    # question 2 old 16 s, young 4 s: weight 1 x 1 / 2. Log ratios are log 2 and log 4 = 2 log 2.
    expected = (2 / 3 * 1 + 1 / 2 * 2) / (2 / 3 + 1 / 2)
    assert fast.difference.value == pytest.approx(2**expected)


def test_p_is_the_share_of_all_ways_to_part_them(five: list[Answer]) -> None:
    right = compared("group", groups_of(five, "group"), [TEXT], Resampling(50), PERMUTATIONS)[2]
    names = sorted({answer.participant for answer in five})
    seen = abs(_difference(five, {"ann", "ben"}))
    ways = [abs(_difference(five, set(pair))) for pair in combinations(names, 2)]
    assert right.p == pytest.approx(np.mean([way >= seen - 1e-9 for way in ways]))


def test_sampled_ways_agree_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = list(simulated(made_up_experiment(passages=2), 12, seed=8).answers)
    groups = groups_of(answers, "age:40")
    exact = compared("age:40", groups, [], Resampling(20), PERMUTATIONS)
    monkeypatch.setattr(readers, "MOST_EXACT", 2)
    sampled = compared("age:40", groups, [], Resampling(4000), PERMUTATIONS)
    assert exact[0].exact
    assert not sampled[0].exact
    for one, other in zip(exact, sampled, strict=True):
        assert other.p == pytest.approx(one.p, abs=4 * math.sqrt(0.25 / 4000))


def _two_kinds(seed: int, readers_of_each: int, weak: Effects, strong: Effects) -> Records:
    """Readers of two groups with the same questions; what is true of the second group is `strong`."""
    experiment = made_up_experiment(passages=2)
    answers = []
    for group, effects, start in (("weak", weak, 0), ("strong", strong, 1000)):
        for answer in simulated(experiment, readers_of_each, effects, seed=seed + start).answers:
            name = f"{group}{answer.participant}"
            answers.append(replace(answer, participant=name, fields={"group": group}))
    return gathered(answers)


def test_a_known_difference_is_found() -> None:
    still = {"ease_sd": 0.0, "length_sd": 0.0}  # each simulation draws its own questions
    weak, strong = Effects(correct=0.5, **still), Effects(correct=0.75, seconds=14.0, **still)
    found = analyse(_two_kinds(5, 40, weak, strong), by=["group"])
    more, faster = found.group_tests["group"][:2]
    assert (more.group, more.other) == ("strong", "weak")
    assert more.verdict.text().startswith("they differ: ")
    assert "points more correct answers" in more.verdict.text()
    assert more.difference.low < 25 < more.difference.high
    assert faster.verdict.text().startswith("they differ: correct answers take ")
    assert faster.difference.low < 0.7 < faster.difference.high
    single = [test for test in found.group_tests["group"] if test.passage is not None]
    assert len(single) == 8  # 2 passages in 2 versions, 2 hypotheses
    assert all(test.p_holm >= test.p for test in single)
    assert found.to_dict()["group_tests"]["group"][0]["verdict"] == more.verdict.text()


def test_groups_that_are_not_compared(five: list[Answer]) -> None:
    silent = [replace(answer, fields={"group": ""}) if answer.participant == "eve" else answer for answer in five]
    tests = analyse(gathered(silent), by=["group"], resampling=Resampling(resamples=20)).group_tests["group"]
    assert {(test.group, test.other) for test in tests} == {("old", "young")}  # not those who did not say
    many = [
        replace(answer, participant=f"{answer.participant}{n}", fields={"group": f"{answer.participant}{n}"})
        for n in range(2)
        for answer in five
    ]
    found = analyse(gathered(many), by=["group"], resampling=Resampling(resamples=20))
    assert found.group_tests["group"] == ()
    assert "group has 10 groups; more than 6 are not tested against each other" in map(str, found.notes)


@pytest.mark.slow
def test_no_difference_is_found_as_seldom_as_promised() -> None:
    """Where groups do not differ, p is at most 0.05 in about 5 % of 300 experiments; four standard errors are 5 %."""
    experiment = made_up_experiment(passages=2, questions=(4,))
    below, inside = np.zeros(2), np.zeros(2)
    for seed in range(300):
        answers = simulated(experiment, 40, seed=seed).answers
        tests = compared("age:40", groups_of(answers, "age:40"), [], Resampling(200, seed), 1000)
        below += [test.p <= 0.05 for test in tests]
        inside += [
            test.difference.low <= same <= test.difference.high for test, same in zip(tests, (0, 1), strict=True)
        ]
    assert (below / 300 <= 0.10).all(), below
    assert (below / 300 >= 0.01).all(), below
    assert (inside / 300 >= 0.90).all(), inside
