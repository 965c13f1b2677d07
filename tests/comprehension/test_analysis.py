"""The whole analysis: pairs of versions, groups of readers, notes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from plainly.comprehension.analysis import analyse
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.simulation import made_up_experiment, simulated
from plainly.errors import PlainlyError, UnknownName

Make = Callable[..., Answer]


def test_a_group_is_scored_as_if_alone() -> None:
    experiment = made_up_experiment()
    records = gathered(simulated(experiment, 60, seed=9).answers, experiment)
    whole = analyse(records, experiment, by=["level", "age:45"], resamples=50)
    for name, belongs in {
        "beginner": lambda a: a.fields["level"] == "beginner",
        "under 45": lambda a: float(a.fields["age"]) < 45,
        "45 and over": lambda a: float(a.fields["age"]) >= 45,
    }.items():
        alone = analyse(Records(tuple(filter(belongs, records.answers))), experiment, resamples=50)
        column = "level" if name == "beginner" else "age:45"
        rows = [row for row in whole.groups[column] if row.group == name]
        assert [replace(row, group="") for row in rows] == list(alone.texts)


def test_pairs_of_versions(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    # Simplified: both right in 5 and 2 seconds: Pr = 100, t = 3.5, complete = 100 / 2 x (30 / 5 + 8 / 2) = 500.
    more = [answered("cem", q, 0, s, version="simplified") for q, s in (("q1", 5.0), ("q2", 2.0))]
    (pair,) = analyse(gathered([*four_answers, *more], by_hand), by_hand, resamples=20).pairs
    assert (pair.version, pair.baseline) == ("simplified", "complex")
    assert pair.differences["c-score-simple"].value == pytest.approx(100 / 3.5 - 50 / 12)
    assert pair.differences["c-score-complete"].value == pytest.approx(500 - 87.5)
    assert pair.tests[0].difference.value == pytest.approx(50)
    back = analyse(gathered([*four_answers, *more], by_hand), by_hand, baseline="simplified", resamples=20)
    assert back.pairs[0].differences["c-score-complete"].value == pytest.approx(87.5 - 500)


def test_three_versions_are_compared_with_the_baseline() -> None:
    experiment = made_up_experiment(passages=3, versions=("complex", "ours", "theirs"))
    analysis = analyse(gathered(simulated(experiment, 30, seed=1).answers, experiment), experiment, resamples=20)
    assert [(test.version, test.baseline) for test in analysis.hypotheses] == [
        ("ours", "complex"), ("ours", "complex"), ("theirs", "complex"), ("theirs", "complex"),
    ]  # fmt: skip
    assert len(analysis.pairs) == 6


def test_notes(four_answers: list[Answer], by_hand: Experiment) -> None:
    analysis = analyse(gathered(four_answers), resamples=20)
    assert analysis.formulas == ("c-score-simple",)
    text = " ".join(analysis.notes)
    assert "only c-score-simple" in text
    assert "fewer than 20 participants" in text
    assert "there is nothing to compare" in text
    gap = analyse(gathered([four_answers[0]], by_hand), by_hand, resamples=20)
    assert "passage 1, complex: 1 of its questions have no answers" in gap.notes


def test_refusals(four_answers: list[Answer]) -> None:
    records = gathered([replace(answer, fields={"age": "old"}) for answer in four_answers])
    with pytest.raises(UnknownName, match="did you mean 'age'"):
        analyse(records, by=["agee"])
    with pytest.raises(PlainlyError, match="row 2: age is no number: 'old'"):
        analyse(records, by=["age:45"], resamples=5)
    with pytest.raises(PlainlyError, match="as age:45, not age:x"):
        analyse(records, by=["age:x"], resamples=5)
    with pytest.raises(UnknownName):
        analyse(records, baseline="plain")
    with pytest.raises(PlainlyError, match="level"):
        analyse(records, level=2)
    with pytest.raises(PlainlyError, match="resamples"):
        analyse(records, resamples=0)


def test_same_seed_same_numbers_and_plain_json() -> None:
    experiment = made_up_experiment(passages=2)
    records = gathered(simulated(experiment, 20, seed=3).answers, experiment)
    first, second = (analyse(records, experiment, by=["level"], resamples=30) for _ in range(2))
    assert first.to_dict() == second.to_dict()
    assert json.loads(json.dumps(first.to_dict(), allow_nan=False)) == first.to_dict()
    shuffled = Records(tuple(reversed(records.answers)))
    again = analyse(shuffled, experiment, resamples=30)
    assert [row.scores["c-score-simple"].value for row in again.texts] == pytest.approx(
        [row.scores["c-score-simple"].value for row in first.texts]
    )
