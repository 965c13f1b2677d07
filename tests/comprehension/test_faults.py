"""Answers that cannot be right: refused with their rows, or kept apart, listed and counted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.comprehension.analysis import analyse
from plainly.comprehension.experiment import Experiment, Field
from plainly.comprehension.records import Answer, RowApart, gathered
from plainly.comprehension.selection import select
from plainly.inference import Resampling

Make = Callable[..., Answer]


def _faulty(answered: Make, four: list[Answer]) -> dict[str, tuple[list[Answer], str, int]]:
    """Kinds of fault: the answers, what is said, and how many answers are kept apart."""
    return {
        "unknown text": ([*four, answered("cem", "q1", 0, 5, passage="9", row=6)], "no passage 9", 1),
        "unknown question": (
            [*four, answered("cem", "q7", 0, 5, row=6)],
            "row 6: passage 1 has no question q7",
            1,
        ),
        "unknown answer": ([*four, answered("cem", "q2", 2, 5, row=6)], "row 6: question q2 has answers 0 to 1", 1),
        "contradiction": (
            [*four, answered("cem", "q1", 1, 5, correct=True, row=6)],
            "row 6: answer 1 is marked as correct, but by the experiment it is wrong",
            1,
        ),
        "time": (
            [*four, answered("cem", "q1", 0, -5, row=6)],
            "row 6: the time must be above 0, not -5000 milliseconds",
            1,
        ),
        "twice": ([*four, answered("ann", "q1", 1, 5, row=6)], "row 6: participant ann answered question q1", 1),
        "both versions": (
            [*four, answered("ann", "q1", 0, 5, version="simplified", row=6)],
            "row 6: participant ann saw version simplified of passage 1, and complex at row 2",
            3,
        ),
    }


@pytest.mark.parametrize(
    "kind", ["unknown text", "unknown question", "unknown answer", "contradiction", "time", "twice", "both versions"]
)
def test_faults_are_refused_or_kept_apart(
    kind: str, by_hand: Experiment, answered: Make, four_answers: list[Answer]
) -> None:
    answers, complaint, many = _faulty(answered, four_answers)[kind]
    with pytest.raises(PlainlyError) as refused:
        gathered(answers, by_hand)
    assert complaint in str(refused.value)
    records = gathered(answers, by_hand, faults="apart")
    assert records.kept_apart == {kind: many}
    assert len(records.answers) == len(answers) - many
    counts = select(records).counts
    assert counts.answers == 5
    assert counts.faulty == {kind: many}
    assert counts.counted_answers == 5 - many


def test_an_absent_time(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    with pytest.raises(PlainlyError, match="row 9: the time is absent"):
        gathered([*four_answers, answered("cem", "q1", 0, math.nan, row=9)], by_hand)
    with pytest.raises(PlainlyError, match="row 9: the time must be above 0"):
        gathered([*four_answers, answered("cem", "q1", 0, 0.0, row=9)], by_hand)
    assert len(gathered([*four_answers, answered("cem", "q1", None, math.nan, row=9)], by_hand).answers) == 5


def test_two_correct_answers(answered: Make, four_answers: list[Answer]) -> None:
    """Without the experiment only the marks tell which answer is correct, and they must agree."""
    two = [*four_answers, answered("cem", "q1", 1, 5, correct=True, row=6)]
    with pytest.raises(PlainlyError, match="row 6: question q1 has two correct answers: 1, and 0 at row 2"):
        gathered(two)
    assert gathered(two, faults="apart").kept_apart == {"two correct answers": 3}
    both = [*four_answers, answered("cem", "q1", 0, 5, correct=False, row=6)]
    with pytest.raises(PlainlyError, match="row 6: answer 0 to question q1 is correct here or at row 2"):
        gathered(both)


def test_answers_without_a_mark(answered: Make, by_hand: Experiment) -> None:
    with pytest.raises(PlainlyError, match="row 3: whether the answer is correct is not said"):
        gathered([answered("ann", "q1", 0, 5, correct=None, row=3)])
    (marked,) = gathered([answered("ann", "q1", 0, 5, correct=None, row=3)], by_hand).answers
    assert marked.correct is True


def test_many_faults_are_counted(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    worse = [*four_answers, *(answered(f"p{n}", "q1", 0, -1, row=10 + n) for n in range(3))]
    with pytest.raises(PlainlyError, match=r"row 10: .*\(and 2 more: time, rows 11, 12\); mend them, or keep"):
        gathered(worse, by_hand)
    with pytest.raises(PlainlyError, match="no answer can be used"):
        gathered(worse[4:], by_hand, faults="apart")


def test_all_kinds_of_faults_are_said(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    bad = [
        answered("ann", "q1", 1, 5, row=6),
        answered("cem", "q9", 0, 5, row=7),
        answered("cem", "q1", 0, -1, row=8),
    ]
    with pytest.raises(PlainlyError) as refused:
        gathered([*four_answers, *bad], by_hand)
    assert str(refused.value) == (
        "row 6: participant ann answered question q1 before, at row 2 (and 2 more: unknown question, row 7; "
        "time, row 8); mend them, or keep such rows apart with --faults apart"
    )
    many = [answered(f"p{n}", "q1", 0, -1, row=10 + n) for n in range(30)]
    with pytest.raises(PlainlyError, match=r"\(and 29 more: time, rows 11, .*, 29 \.\.\.\); mend them"):
        gathered(many, by_hand)


def test_small_times_are_said_as_the_file_has_them(by_hand: Experiment, answered: Make) -> None:
    with pytest.raises(PlainlyError, match="above 0, not -5 milliseconds;"):
        gathered([answered("ann", "q1", 0, -0.005)], by_hand)


@pytest.mark.parametrize("fault", [{"seconds": -1.0}, {"question": "q9"}, {"given": None, "seconds": math.nan}])
def test_both_versions_although_one_row_is_faulty(
    fault: dict[str, Any], by_hand: Experiment, answered: Make, four_answers: list[Answer]
) -> None:
    """Who saw both versions saw them, whatever else is wrong with the row that says so."""
    cells = {"question": "q1", "given": 0, "seconds": 5.0, **fault}
    records = gathered(
        [*four_answers, answered("ann", **cells, version="simplified", row=6)], by_hand, faults="apart"
    )
    assert {answer.participant for answer in records.answers} == {"bob"}
    assert [row.row for row in records.apart] == [2, 3, 6]
    assert sum(records.kept_apart.values()) == 3
    assert all("ann saw version simplified of passage 1" in row.reason for row in records.apart)


def test_an_unknown_version_was_not_read(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    slip = answered("ann", "q1", 0, 5, version="simplifed", row=6)
    assert gathered([*four_answers, slip], by_hand, faults="apart").kept_apart == {"unknown text": 1}


def test_rows_that_are_kept_apart_are_listed(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    """Each row once, with all that is wrong with it; it counts as of one kind."""
    bad = answered("ann", "q1", 0, -1, row=6, file="a.csv")
    records = gathered([*four_answers, bad], by_hand, faults="apart")
    reason = "the time must be above 0, not -1000 milliseconds; participant ann answered question q1 before, at row 2"
    assert records.apart == (RowApart("a.csv", 6, "ann", "time", reason),)
    assert (records.kept_apart, records.faults) == ({"time": 1}, "apart")
    counts = select(records).counts
    assert (counts.answers, counts.participants, counts.apart) == (5, 2, records.apart)


def test_faults_are_in_the_analysis(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    records = gathered([*four_answers, answered("cem", "q1", 0, -1, row=6)], by_hand, faults="apart")
    found = analyse(records, by_hand, resampling=Resampling(resamples=20))
    assert "|faults:apart|" in found.signature
    assert (
        "|faults:refuse|"
        in analyse(gathered(four_answers, by_hand), by_hand, resampling=Resampling(resamples=20)).signature
    )
    reason = "the time must be above 0, not -1000 milliseconds"
    assert found.to_dict()["counts"]["apart"] == [
        {"file": "", "row": 6, "participant": "cem", "kind": "time", "reason": reason}
    ]


def test_the_first_by_order_stands(by_hand: Experiment, answered: Make) -> None:
    later, first = answered("ann", "q1", 1, 5, order=7, row=2), answered("ann", "q1", 0, 5, order=3, row=3)
    records = gathered([later, first], by_hand, faults="apart")
    assert [answer.row for answer in records.answers] == [3]
    assert records.apart[0].reason == "participant ann answered question q1 before, at row 3"


def test_a_reader_of_two_ages(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    def eve(cells: dict[str, str], row: int) -> Answer:
        return answered("eve", f"q{row - 5}", 0, 5, row=row, fields=cells)

    aged = [*four_answers, eve({"age": "20"}, 6), eve({"age": "21"}, 7)]
    with pytest.raises(PlainlyError, match="row 7: age of participant eve is 21, but 20 at row 6; mend it"):
        gathered(aged, by_hand)
    assert gathered(aged, by_hand, faults="apart").kept_apart == {"contradiction": 2}
    with pytest.raises(PlainlyError, match="row 7: level of participant eve is empty, but good at row 6"):
        gathered([eve({"level": "good"}, 6), eve({}, 7)], by_hand)
    # Columns that are not known to be about readers may change from row to row, unless readers are compared by them.
    moods = [eve({"entry": "1", "mood": "calm"}, 6), eve({"entry": "2", "mood": "bored"}, 7)]
    assert len(gathered(moods, by_hand).answers) == 2
    asked = replace(by_hand, form=(Field("mood", "How are you?"),))
    for found in ({"experiment": asked}, {"experiment": by_hand, "by": ["mood"]}):
        with pytest.raises(PlainlyError, match="row 7: mood of participant eve is bored, but calm at row 6"):
            gathered(moods, **found)


def test_the_row_that_is_wrong_is_named_in_all_that_are_kept_apart(
    by_hand: Experiment, answered: Make, four_answers: list[Answer]
) -> None:
    """Of four rows, one says otherwise: that one is wrong, wherever it stands."""
    ages = ["31", "77", "77", "77"]
    aged = [
        answered("eve", f"q{1 + place % 2}", 0, 5, passage=str(1 + place // 2), row=6 + place, fields={"age": age})
        for place, age in enumerate(ages)
    ]
    with pytest.raises(PlainlyError, match="row 6: age of participant eve is 31, but 77 at row 7; mend it"):
        gathered([*four_answers, *aged])
    reason = "age of participant eve is 31, but 77 at row 7"
    apart = gathered([*four_answers, *aged], faults="apart").apart
    assert [row.reason for row in apart] == [reason, *3 * [f"row 6: {reason}"]]
    saw = answered("ann", "q1", 0, 5, version="simplified", row=6)
    both = gathered([*four_answers, saw], by_hand, faults="apart").apart
    reason = "participant ann saw version simplified of passage 1, and complex at row 2"
    assert [row.reason for row in both] == [f"row 6: {reason}", f"row 6: {reason}", reason]


def test_a_time_of_more_than_a_day(by_hand: Experiment, answered: Make, four_answers: list[Answer]) -> None:
    for seconds in (86_400.001, 1e305, math.inf):
        with pytest.raises(PlainlyError, match="row 9: the time must be at most a day, 86400000 milliseconds, not"):
            gathered([*four_answers, answered("cem", "q1", 0, seconds, row=9)], by_hand)
    assert len(gathered([*four_answers, answered("cem", "q1", 0, 86_400.0, row=9)], by_hand).answers) == 5


def test_completed_differs(answered: Make, four_answers: list[Answer]) -> None:
    mixed = [*four_answers, answered("ann", "q3", 0, 5, completed=False, row=6)]
    with pytest.raises(PlainlyError, match="row 6: whether participant ann completed"):
        gathered(mixed)
