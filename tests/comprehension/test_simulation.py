"""Simulated answers follow the plan, and what they say is true of them is true."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import lognorm

from plainly.base.errors import PlainlyError
from plainly.comprehension.experiment import Field
from plainly.comprehension.records import gathered
from plainly.comprehension.simulation import Effects, made_up_experiment, model_of, simulated

PAPER = made_up_experiment()


def test_the_experiment_of_the_paper() -> None:
    assert len(PAPER.passages) * len(PAPER.version_ids) == 8
    assert [len(passage.questions) for passage in PAPER.passages] == [4, 5, 4, 5]
    made = simulated(PAPER, 103)
    assert len({answer.participant for answer in made.answers}) == 103
    assert len(made.answers) == 103 * 18
    found = gathered(made.answers, PAPER)  # the checks that real answers pass
    assert len(found.answers) == len(made.answers)
    assert not found.apart


def test_answers_follow_the_plan() -> None:
    made = simulated(PAPER, 9, seed=4)
    planned = [
        (str(sheet.participant), reading.passage, reading.version, asked.question)
        for sheet in made.plan.sheets
        for reading in sheet.readings
        for asked in reading.questions
    ]
    assert planned == [(item.participant, item.passage, item.version, item.question) for item in made.answers]
    assert [item.order for item in made.answers] == list(range(18)) * 9
    assert all((item.answer == 0) == item.correct for item in made.answers)
    assert simulated(PAPER, 9, seed=4) == made
    assert simulated(PAPER, 9, seed=5).answers != made.answers


@pytest.mark.slow
def test_shares_and_times_are_as_told() -> None:
    """Each share and mean of 2000 readers a version lies within 4.5 standard errors of the truth."""
    made = simulated(PAPER, 4000, Effects(difference=0.15, faster=0.2), seed=11)
    values = defaultdict(list)
    for item in made.answers:
        values[item.passage, item.version, item.question].append((item.correct, item.seconds))
    assert len(values) == len(made.truth) == 36
    for told in made.truth:
        seen = np.array(values[told.passage, told.version, told.question], dtype=float)
        errors = seen.std(0, ddof=1) / np.sqrt(len(seen))
        assert (np.abs(seen.mean(0) - [told.correct, told.seconds]) < 4.5 * errors).all(), told
    times = {
        version: [item.seconds for item in made.truth if item.version == version] for version in PAPER.version_ids
    }
    assert np.array(times["simplified"]) / np.array(times["complex"]) == pytest.approx(0.8)


@pytest.mark.parametrize("guessing", [None, 0.0, 0.4])
def test_shares_over_readers_and_questions(guessing: float | None) -> None:
    """The mean over abilities and eases, here by the trapezoidal rule, is the share that was asked for."""
    effects = Effects(correct=0.55, difference=-0.1, guessing=guessing)
    model = model_of(made_up_experiment(answers=(2,) if guessing == 0.4 else (4,)), effects)
    grid = np.linspace(-12, 12, 20001)
    density = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
    spread = np.sqrt(effects.ability_sd**2 + effects.ease_sd**2)
    chance = 0.25 if guessing is None else guessing
    for base, share in zip(model.base, (0.55, 0.45), strict=True):
        known = 1 / (1 + np.exp(-(base[0] + spread * grid)))
        mean = ((chance + (1 - chance) * known) * density).sum() * (grid[1] - grid[0])
        assert mean == pytest.approx(share, abs=1e-6)


def test_wrong_answers_are_spread_evenly() -> None:
    chosen = Counter(item.answer for item in simulated(PAPER, 500, seed=3).answers if not item.correct)
    assert set(chosen) == {1, 2, 3}
    total = sum(chosen.values())
    assert all(abs(count - total / 3) < 4 * np.sqrt(total * 2 / 9) for count in chosen.values())


def test_participants_who_stop() -> None:
    made = simulated(PAPER, 200, Effects(unfinished=0.3), seed=2)
    texts = defaultdict(set)
    for item in made.answers:
        texts[item.participant, item.completed].add(item.passage)
    assert {len(read) for (_, completed), read in texts.items() if completed} == {4}
    stopped = [len(read) for (_, completed), read in texts.items() if not completed]
    assert set(stopped) == {1, 2, 3}
    assert 40 < len(stopped) < 80  # 60 expected, standard deviation 6.5


def test_the_form_is_filled_in() -> None:
    form = (*PAPER.form, Field("job", "Your work?"), Field("expert", "Do you know the field?", "yes-no"))
    made = simulated(replace(PAPER, form=form), 50)
    filled = [item.fields for item in made.answers]
    assert all(19 <= int(said["age"]) <= 59 for said in filled)
    assert {said["level"] for said in filled} == {"beginner", "intermediate", "native"}
    assert {said["expert"] for said in filled} == {"y", "n"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"correct": 0.2}, "a share of 0.2 correct answers cannot be: it must lie above that of guessing, 0.25"),
        ({"difference": 0.4}, "a share of 1 correct answers cannot be"),
        ({"correct": float("nan")}, "correct must be a number"),
        ({"seconds": 0}, "seconds must be above 0"),
        ({"faster": 1}, "faster is a share"),
        ({"guessing": 1.0}, "guessing is a share"),
        ({"unfinished": 2}, "unfinished is a share"),
        ({"ability_sd": -1}, "ability_sd must lie between 0 and 10"),
    ],
)
def test_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        simulated(PAPER, 4, Effects(**settings))


def test_extreme_readers() -> None:
    """The widest spreads that are allowed give numbers."""
    widest = Effects(ability_sd=10, ease_sd=10, speed_sd=10, length_sd=10, noise_sd=10)
    made = simulated(PAPER, 30, widest)
    assert all(0 < item.seconds < np.inf for item in made.answers)
    assert all(0 <= item.correct <= 1 and item.seconds < np.inf for item in made.truth)


def test_no_answer_after_the_limit() -> None:
    """With speed and noise of 0.3 and 0.5, log times spread by 0.583: half of them are above the median of 20 s."""
    timed, seconds = replace(PAPER, answer_seconds=20.0), 20.0
    effects = Effects(faster=0, length_sd=0)
    made, free = simulated(timed, 400, effects), simulated(PAPER, 400, effects)
    late = [answer for answer in made.answers if answer.answer is None]
    assert len(late) / len(made.answers) == pytest.approx(0.5, abs=0.02)
    assert all((answer.correct, answer.seconds) == (False, seconds) for answer in late)
    given = [(cut, whole) for cut, whole in zip(made.answers, free.answers, strict=True) if whole.seconds <= seconds]
    assert all(cut == whole for cut, whole in given)
    assert len(given) + len(late) == len(made.answers)
    assert not gathered(made.answers, timed).apart
    means = {item.seconds for item in made.truth}
    assert len(means) == 1
    assert np.mean([cut.seconds for cut, _ in given]) == pytest.approx(means.pop(), rel=0.02)
    # As scipy integrates it: the mean of a log-normal time, given that it is at most 20.
    time = lognorm(s=np.hypot(0.3, 0.5), scale=20)
    assert made.truth[0].seconds == pytest.approx(time.expect(lambda t: t, ub=20.0, conditional=True), rel=1e-6)
    assert free.truth[0].seconds == pytest.approx(time.mean())
    assert [item.correct for item in made.truth] == [item.correct for item in free.truth]


def test_no_time_is_longer_than_a_day() -> None:
    made = simulated(PAPER, 20, Effects(noise_sd=10))
    assert max(answer.seconds for answer in made.answers) == 86_400
    assert not gathered(made.answers, PAPER).apart
