"""The whole analysis: pairs of versions, groups of readers, notes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message
from plainly.comprehension.analysis import analyse
from plainly.comprehension.analysis_notes import notes_on
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.scores import Settings
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.inference import Resampling
from plainly.inference.estimates import Estimate

Make = Callable[..., Answer]


@pytest.mark.slow
def test_a_group_is_scored_as_if_alone() -> None:
    experiment = made_up_experiment()
    records = gathered(simulated(experiment, 60, seed=9).answers, experiment)
    whole = analyse(records, experiment, by=["level", "age:45"], resampling=Resampling(resamples=50))
    for name, belongs in {
        "beginner": lambda a: a.fields["level"] == "beginner",
        "under 45": lambda a: float(a.fields["age"]) < 45,
        "45 and over": lambda a: float(a.fields["age"]) >= 45,
    }.items():
        alone = analyse(
            Records(tuple(filter(belongs, records.answers))), experiment, resampling=Resampling(resamples=50)
        )
        column = "level" if name == "beginner" else "age:45"
        rows = [row for row in whole.groups[column] if row.group == name]
        assert [replace(row, group="") for row in rows] == list(alone.texts)


def _said(notes: Iterable[Message]) -> str:
    return " ".join(map(str, notes))


def test_pairs_of_versions(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    # Simplified: both right in 5 and 2 seconds: Pr = 100, t = 3.5, complete = 100 / 2 x (30 / 5 + 8 / 2) = 500.
    more = [answered("cem", q, 0, s, version="simplified") for q, s in (("q1", 5.0), ("q2", 2.0))]
    (pair,) = analyse(gathered([*four_answers, *more], by_hand), by_hand, resampling=Resampling(resamples=20)).pairs
    assert (pair.version, pair.baseline) == ("simplified", "complex")
    assert pair.differences["c-score-simple"].value == pytest.approx(100 / 3.5 - 50 / 12)
    assert pair.differences["c-score-complete"].value == pytest.approx(500 - 87.5)
    assert pair.tests[0].difference.value == pytest.approx(50)
    back = analyse(
        gathered([*four_answers, *more], by_hand), by_hand, baseline="simplified", resampling=Resampling(resamples=20)
    )
    assert back.pairs[0].differences["c-score-complete"].value == pytest.approx(87.5 - 500)


def test_every_two_of_three_versions_are_compared() -> None:
    """Two systems are compared with each other too, all in one family; with a baseline, with that one only."""
    experiment = made_up_experiment(passages=3, versions=("complex", "ours", "theirs"))
    records = gathered(simulated(experiment, 30, seed=1).answers, experiment)
    every, against = (
        [("ours", "complex"), ("theirs", "complex"), ("theirs", "ours")],
        [("complex", "ours"), ("theirs", "ours")],
    )
    for baseline, pairs, name in ((None, every, "all"), ("ours", against, "baseline")):
        analysis = analyse(records, experiment, baseline=baseline, resampling=Resampling(resamples=20))
        tests = analysis.hypotheses
        assert [(test.version, test.baseline) for test in tests] == [pair for pair in pairs for _ in range(2)]
        assert [(row.version, row.baseline) for row in analysis.pairs] == 3 * pairs
        assert f"|pairs:{name}|" in analysis.signature
        # Holm 1979: the smallest p times their number, the next times one less, ..., and never below the one before.
        least = 0.0
        for place, test in enumerate(sorted(tests, key=lambda test: test.p)):
            least = max(least, min(1, test.p * (len(tests) - place)))
            assert test.p_holm == pytest.approx(least)
    assert "not compared" not in _said(analyse(records, experiment, resampling=Resampling(resamples=20)).notes)


def test_verdicts_at_the_edge_and_against_their_intervals_are_noted() -> None:
    """Of p = 0.05 by 20,000 exchanges the standard error is sqrt(0.05 x 0.95 / 20000) = 0.0015."""
    experiment = made_up_experiment()
    found = analyse(
        gathered(simulated(experiment, 40, seed=3).answers, experiment),
        experiment,
        resampling=Resampling(resamples=20),
    )
    first = replace(found.hypotheses[0], exact=False, exchanges=20_000, confidence=0.95)

    def notes(p: float, low: float, high: float) -> str:
        test = replace(first, p=p / 2, p_holm=p, difference=Estimate(5.0, low, high))
        return _said(notes_on(replace(found, hypotheses=(test,), pairs=()), experiment))

    assert notes(0.05, 1, 9).count("another seed could give another verdict: more correct, all passages") == 1
    # Corrected for two tests, p = 0.04 has a standard error of 2 sqrt(0.02 x 0.98 / 20000) = 0.002: 5 of them away.
    assert "another seed" not in notes(0.04, 1, 9)
    assert "(p 0.0470)" in notes(0.047, 1, 9)
    # Three of 100 exchanges, corrected for 32 tests: p is 1. No seed gives a p below 1 / 101, corrected 32 / 101.
    first = replace(first, exchanges=100)
    assert "another seed" not in _said(
        notes_on(replace(found, hypotheses=(replace(first, p=4 / 101, p_holm=1.0),), pairs=()), experiment)
    )
    first = replace(first, exchanges=20_000)
    agree, against = notes(0.03, 1, 9), notes(0.03, -1, 9)
    assert "the test decides" not in agree
    assert (
        "includes no difference, but the test is significant, and the test decides: more correct, all pass" in against
    )
    assert "is not significant, and the test decides: more correct, all passages, simpl" in notes(0.2, 1, 9)


@pytest.mark.slow
def test_the_verdict_does_not_hang_on_the_seed() -> None:
    """1000 exchanges gave p-values 0.007 apart (one standard error) at 0.05, and so either verdict."""
    experiment = made_up_experiment()
    records = gathered(simulated(experiment, 40, Effects(difference=0.07), seed=5).answers, experiment)
    found = [
        analyse(
            records,
            experiment,
            resampling=Resampling(resamples=20, seed=seed),
        ).hypotheses[0]
        for seed in range(6)
    ]
    assert 0.01 < found[0].p < 0.2
    assert np.std([test.p for test in found]) < 3 * math.sqrt(found[0].p / 20_000)


def test_answers_past_the_limit_are_noted(by_hand: Experiment, four_answers: list[Answer]) -> None:
    def notes(limit: float | None) -> str:
        timed = replace(by_hand, answer_seconds=limit)
        return _said(analyse(gathered(four_answers, timed), timed, resampling=Resampling(resamples=20)).notes)

    # The four answers take 10, 4, 30 and 4 seconds.
    assert "1 answer took longer than the 10 seconds that the experiment allows, at row 4; it counts" in notes(10)
    assert "2 answers took longer than the 9.5 seconds that the experiment allows, the first at row 2; th" in notes(
        9.5
    )
    assert "allows" not in notes(30) + notes(None)


def test_the_first_row_that_is_no_number_is_named() -> None:
    """Participants are sorted: 10 comes after 2, though it stands before it."""
    answers = simulated(made_up_experiment(), 12, seed=1).answers
    named = [
        replace(answer, fields={"level": "well"}, file="a.csv", row=row) for row, answer in enumerate(answers, 2)
    ]
    with pytest.raises(PlainlyError, match=r"a\.csv:2: level is no number: 'well'"):
        analyse(gathered(named[::-1]), by=["level:45"], resampling=Resampling(resamples=5))


def test_names_of_groups_are_made_visible(four_answers: list[Answer]) -> None:
    """A mark that turns the direction of writing would turn what comes after it."""
    turned = [replace(answer, fields={"level": "go\u202eod\n%"}) for answer in four_answers]
    found = analyse(gathered(turned), by=["level"], resampling=Resampling(resamples=20))
    assert {row.group for row in found.groups["level"]} == {r"go\u202eod\n%"}
    hidden = [replace(answer, passage="1\u202e") for answer in four_answers]
    assert _said(analyse(gathered(hidden), resampling=Resampling(resamples=20)).notes).isprintable()


def test_notes(four_answers: list[Answer], by_hand: Experiment) -> None:
    analysis = analyse(gathered(four_answers), resampling=Resampling(resamples=20))
    assert analysis.formulas == ("c-score-simple",)
    text = _said(analysis.notes)
    assert "only c-score-simple" in text
    assert "texts with fewer than 20 are passage 1, complex (2)" in text
    assert "there is nothing to compare" in text
    gap = analyse(gathered([four_answers[0]], by_hand), by_hand, resampling=Resampling(resamples=20))
    assert "passage 1, complex: 1 of its questions have no answers" in map(str, gap.notes)


def test_refusals(four_answers: list[Answer]) -> None:
    records = gathered([replace(answer, fields={"age": "old"}) for answer in four_answers])
    with pytest.raises(UnknownName, match="did you mean 'age'"):
        analyse(records, by=["agee"])
    with pytest.raises(PlainlyError, match="row 2: age is no number: 'old'"):
        analyse(records, by=["age:45"], resampling=Resampling(resamples=5))
    with pytest.raises(PlainlyError, match="as age:45 or age:25:45, not age:x"):
        analyse(records, by=["age:x"], resampling=Resampling(resamples=5))
    with pytest.raises(UnknownName):
        analyse(records, baseline="plain")
    with pytest.raises(PlainlyError, match="confidence"):
        analyse(records, resampling=Resampling(confidence=2))
    with pytest.raises(PlainlyError, match="resamples"):
        analyse(records, resampling=Resampling(resamples=0))
    with pytest.raises(PlainlyError, match="permutations must be at least 1"):
        analyse(records, permutations=0)


def test_same_seed_same_numbers_and_plain_json() -> None:
    experiment = made_up_experiment(passages=2)
    records = gathered(simulated(experiment, 20, seed=3).answers, experiment)
    first, second = (
        analyse(records, experiment, by=["level"], resampling=Resampling(resamples=30)) for _ in range(2)
    )
    assert first.to_dict() == second.to_dict()
    assert json.loads(json.dumps(first.to_dict(), allow_nan=False)) == first.to_dict()


def test_the_order_of_the_rows_decides_nothing() -> None:
    """The same answers, from the last row to the first: the same signature, and the same numbers to the last bit."""
    experiment = made_up_experiment(passages=2)
    records = gathered(simulated(experiment, 20, Effects(unfinished=0.2), seed=3).answers, experiment)
    backwards = Records(tuple(reversed(records.answers)))
    first, second = (
        analyse(item, experiment, by=["level"], resampling=Resampling(resamples=30)) for item in (records, backwards)
    )
    assert first.to_dict() == second.to_dict()


@pytest.mark.slow
def test_few_participants_are_noted_by_text_and_group() -> None:
    """38 participants in all, but 19 of each text; 40 of them, 20 of each, but fewer of each group."""
    experiment = made_up_experiment()

    def notes(participants: int, *by: str) -> str:
        answers = simulated(experiment, participants, seed=3).answers
        return _said(
            analyse(gathered(answers, experiment), experiment, by=by, resampling=Resampling(resamples=20)).notes
        )

    assert "texts with fewer than 20 are passage 1, complex (19); passage 1, simplified (19); " in notes(38)
    assert "and 4 more" in notes(38)
    assert "fewer than 20" not in notes(40)
    assert "groups of level with fewer than 20 are beginner of passage 1, complex (" in notes(40, "level")


def test_few_resamples_are_noted() -> None:
    """p of 30 random exchanges is at least 1/31 = 0.032, which Holm's rule multiplies by the 8 tests of passages."""
    experiment = made_up_experiment()
    records = gathered(simulated(experiment, 40, seed=3).answers, experiment)
    notes = list(map(str, analyse(records, experiment, resampling=Resampling(resamples=1), permutations=30).notes))
    assert "30 permutations can give no p below 0.032; 1000 or more are usual" in notes
    assert "intervals from 1 resample are rough; 1000 are usual" in notes
    (blocked,) = (note for note in notes if "(single passages)" in note)
    assert blocked.startswith("of 8 tests (single passages) none can come out significant")
    assert "the smallest corrected p is 0.26" in blocked
    usual = _said(analyse(records, experiment).notes)
    assert "resample" not in usual
    assert "permutation" not in usual


def test_guessing_is_shown_apart(by_hand: Experiment, four_answers: list[Answer]) -> None:
    """Worked out in test_scores.py: 2 of 4 answers are correct, 12.5 % of the answers after the correction."""
    records = gathered(four_answers, by_hand)
    plain, corrected = (
        analyse(records, by_hand, settings=Settings(guessing=guessing), resampling=Resampling(resamples=20))
        for guessing in (False, True)
    )
    assert corrected.texts[0].correct == plain.texts[0].correct == 50
    assert corrected.texts[0].corrected == pytest.approx(12.5)
    assert math.isnan(plain.texts[0].corrected)
    assert any("both hypotheses" in note and "as they were given" in note for note in map(str, corrected.notes))
    assert "guessing" not in _said(plain.notes)


def test_rows_kept_apart_are_listed(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    bad = answered("eve", "q9", 0, 3.0, row=6, file="a.csv")
    found = analyse(gathered([*four_answers, bad], by_hand, "apart"), by_hand, resampling=Resampling(resamples=20))
    (row,) = found.to_dict()["counts"]["apart"]
    assert (row["file"], row["row"], row["kind"]) == ("a.csv", 6, "unknown question")
    assert "q9" in row["reason"]
    assert "|faults:apart|" in found.signature
