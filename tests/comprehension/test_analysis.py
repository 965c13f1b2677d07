"""The whole analysis: pairs of versions, groups of readers, notes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from plainly.comprehension.analysis import analyse
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.scores import Settings
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
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
    assert "texts with fewer than 20 are passage 1, complex (2)" in text
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


def test_the_order_of_the_rows_decides_nothing() -> None:
    """The same answers, from the last row to the first: the same signature, and the same numbers to the last bit."""
    experiment = made_up_experiment(passages=2)
    records = gathered(simulated(experiment, 20, Effects(unfinished=0.2), seed=3).answers, experiment)
    backwards = Records(tuple(reversed(records.answers)))
    first, second = (analyse(item, experiment, by=["level"], resamples=30) for item in (records, backwards))
    assert first.to_dict() == second.to_dict()


def test_few_participants_are_noted_by_text_and_group() -> None:
    """38 participants in all, but 19 of each text; 40 of them, 20 of each, but fewer of each group."""
    experiment = made_up_experiment()

    def notes(participants: int, *by: str) -> str:
        answers = simulated(experiment, participants, seed=3).answers
        return " ".join(analyse(gathered(answers, experiment), experiment, by=by, resamples=20).notes)

    assert "texts with fewer than 20 are passage 1, complex (19); passage 1, simplified (19); " in notes(38)
    assert "and 4 more" in notes(38)
    assert "fewer than 20" not in notes(40)
    assert "groups of level with fewer than 20 are beginner of passage 1, complex (" in notes(40, "level")


def test_few_resamples_are_noted() -> None:
    """p of 30 random exchanges is at least 1/31 = 0.032, which Holm's rule multiplies by the 8 tests of passages."""
    experiment = made_up_experiment()
    records = gathered(simulated(experiment, 40, seed=3).answers, experiment)
    notes = analyse(records, experiment, resamples=30).notes
    assert "30 resamples can give no p below 0.032; 1000 are usual" in notes
    (blocked,) = (note for note in notes if "(single passages)" in note)
    assert blocked.startswith("of 8 tests (single passages) none can come out significant")
    assert "the smallest corrected p is 0.26" in blocked
    assert not any("resample" in note for note in analyse(records, experiment, resamples=1000).notes)


def test_guessing_is_shown_apart(by_hand: Experiment, four_answers: list[Answer]) -> None:
    """Worked out in test_scores.py: 2 of 4 answers are correct, 12.5 % of the answers after the correction."""
    records = gathered(four_answers, by_hand)
    plain, corrected = (
        analyse(records, by_hand, settings=Settings(guessing=guessing), resamples=20) for guessing in (False, True)
    )
    assert corrected.texts[0].correct == plain.texts[0].correct == 50
    assert corrected.texts[0].corrected == pytest.approx(12.5)
    assert math.isnan(plain.texts[0].corrected)
    assert any("both hypotheses" in note and "as they were given" in note for note in corrected.notes)
    assert not any("guessing" in note for note in plain.notes)


def test_rows_kept_apart_are_listed(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    bad = answered("eve", "q9", 0, 3.0, row=6, file="a.csv")
    found = analyse(gathered([*four_answers, bad], by_hand, "apart"), by_hand, resamples=20)
    (row,) = found.to_dict()["counts"]["apart"]
    assert (row["file"], row["row"], row["kind"]) == ("a.csv", 6, "unknown question")
    assert "q9" in row["reason"]
    assert "|faults:apart|" in found.signature
