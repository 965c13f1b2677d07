"""Answers in files, what is refused and what is kept apart, and the rules for what counts."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.comprehension.experiment import Experiment
from plainly.comprehension.formats import read_answers, read_records, write_records
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.selection import Outliers, Rules, select
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.errors import PlainlyError, UnknownName

Make = Callable[..., Answer]

TABLE_1 = (
    "entry,age,gender,profession,domain_background,native_language,level,"
    "text,completed,user,question,answer,time,pair"
)
"""The fields of Table 1 of Temnikova and Maneva (2013), and its example below."""
EXAMPLE = "1,24,f,Student,n,English,Native,4,1,1,30,0,18695,1"


def test_the_fields_of_table_1(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{TABLE_1},correct,mood\n{EXAMPLE},1,calm\n")
    (answer,) = read_records(path).answers
    assert answer.participant == "1"
    assert (answer.passage, answer.version, answer.question) == ("1", "4", "30")
    assert (answer.answer, answer.correct, answer.seconds, answer.completed) == (0, True, 18.695, True)
    assert answer.fields == {
        "entry": "1", "age": "24", "gender": "f", "profession": "Student", "domain_background": "n",
        "native_language": "English", "level": "Native", "mood": "calm",
    }  # fmt: skip
    assert answer.place == f"{path}:2"


def test_a_name_for_numbered_texts(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{TABLE_1},correct,version\n{EXAMPLE},1,simplified\n")
    (answer,) = read_answers(tmp_path / "a.csv")
    assert answer.version == "simplified"
    assert answer.fields["text"] == "4"


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_written_and_read_again(tmp_path: Path, name: str) -> None:
    answers = simulated(made_up_experiment(passages=2), 6, Effects(unfinished=0.5), seed=2).answers
    write_records(answers, tmp_path / name)
    again = read_answers(tmp_path / name)
    for before, after in zip(answers, again, strict=True):
        for field in ("participant", "passage", "version", "question", "answer", "correct", "order", "completed"):
            assert getattr(before, field) == getattr(after, field)
        assert after.seconds == pytest.approx(before.seconds, abs=1e-6)
        assert after.fields == before.fields


@pytest.mark.parametrize(
    ("cells", "complaint"),
    [
        ({"time": "soon"}, ":2: time must be a number of milliseconds, not soon"),
        ({"time": "nan"}, ":2: time must be a number"),
        ({"time": True}, ":2: time must be a number"),
        ({"answer": "-1"}, ":2: answer must be a whole number from 0 on, or empty, not -1"),
        ({"answer": "0.5"}, ":2: answer must be a whole number"),
        ({"user": ""}, ":2: user is empty"),
        ({"completed": "maybe"}, ":2: completed must be 1 or 0, not maybe"),
        ({"correct": "2"}, ":2: correct must be 1 or 0"),
        ({"pair": None, "text": []}, ":2: text must be text"),
        ({"age": "\ud800"}, ":2: half a character"),
    ],
)
def test_cells_that_cannot_be_read(tmp_path: Path, cells: dict[str, object], complaint: str) -> None:
    row = {
        "user": "a",
        "pair": "1",
        "text": "complex",
        "question": "q1",
        "answer": "0",
        "time": "900",
        "correct": "1",
    }
    lines = [json.dumps(row), json.dumps({**row, "user": "b", **cells})]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    with pytest.raises(PlainlyError) as refused:
        read_records(tmp_path / "a.jsonl", faults="apart")
    assert complaint in str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("user,pair,text,question,answer\nann,1,complex,q1,0\n")
    with pytest.raises(PlainlyError, match=r"a\.csv:2: time is missing"):
        read_records(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text(TABLE_1 + "\n")
    with pytest.raises(PlainlyError, match="holds no answers"):
        read_records(tmp_path / "b.csv")


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
        "time": ([*four, answered("cem", "q1", 0, -5, row=6)], "row 6: the time must be above 0, not -5", 1),
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
    with pytest.raises(PlainlyError, match=r"row 10: .*\(and 2 more like it\); mend it, or keep such rows apart"):
        gathered(worse, by_hand)
    with pytest.raises(PlainlyError, match="no answer can be used"):
        gathered(worse[4:], by_hand, faults="apart")


def test_completed_differs(answered: Make, four_answers: list[Answer]) -> None:
    mixed = [*four_answers, answered("ann", "q3", 0, 5, completed=False, row=6)]
    with pytest.raises(PlainlyError, match="row 6: whether participant ann completed"):
        gathered(mixed)


def test_unfinished_participants(answered: Make, four_answers: list[Answer]) -> None:
    records = gathered([*four_answers, answered("cem", "q1", 0, 5, completed=False)])
    kept, dropped = select(records), select(records, Rules(unfinished="drop"))
    for selection in (kept, dropped):
        assert (selection.counts.unfinished_participants, selection.counts.unfinished_answers) == (1, 1)
        assert (selection.counts.answers, selection.counts.participants) == (5, 3)
    assert (kept.counts.counted_answers, kept.counts.counted_participants) == (5, 3)
    assert (dropped.counts.counted_answers, dropped.counts.counted_participants) == (4, 2)
    with pytest.raises(PlainlyError, match="no answer is left"):
        select(gathered([answered("cem", "q1", 0, 5, completed=False)]), Rules(unfinished="drop"))


def test_questions_without_an_answer(answered: Make, four_answers: list[Answer]) -> None:
    records = gathered([*four_answers, answered("cem", "q1", None, 45.0)])
    apart, wrong = select(records), select(records, Rules(unanswered="wrong"))
    assert (apart.counts.unanswered, apart.counts.counted_answers) == (1, 4)
    assert (wrong.counts.unanswered, wrong.counts.counted_answers) == (1, 5)
    assert wrong.answers[-1].correct is False
    untimed = gathered([*four_answers, answered("cem", "q1", None, math.nan, row=8)])
    with pytest.raises(PlainlyError, match="row 8: a question without an answer needs a time"):
        select(untimed, Rules(unanswered="wrong"))


def test_outliers_by_hand() -> None:
    assert Outliers.parse("range:2,60").keep([1.9, 2, 60, 60.1]) == [False, True, True, False]
    # Logs to base e of e^0, e^1, e^1, e^1, e^2: mean 1, standard deviation sqrt(2 / 4) = 0.707.
    times = [math.exp(power) for power in (0, 1, 1, 1, 2)]
    assert Outliers.parse("sd:1.5").keep(times) == [True] * 5
    assert Outliers.parse("sd:1.4").keep(times) == [False, True, True, True, False]
    # Quartiles of the logs 0, 1, 2, 3, 10 are 1 and 3: fences at 1 - 1.5 x 2 = -2 and 3 + 1.5 x 2 = 6.
    assert Outliers.parse("fences:1.5").keep([math.exp(p) for p in (0, 1, 2, 3, 10)]) == [True] * 4 + [False]
    assert Outliers.parse("none").keep([1, 1e9]) == [True, True]
    assert Outliers.parse("sd:2").keep([5]) == [True]


def test_outliers_are_counted(answered: Make, four_answers: list[Answer]) -> None:
    selection = select(Records(tuple(four_answers)), Rules(Outliers.parse("range:1,20")))
    assert selection.counts.outliers == 1
    assert [answer.participant for answer in selection.answers] == ["ann", "ann", "bob"]
    assert str(selection.rules.outliers) == "range:1,20"


@pytest.mark.parametrize("text", ["sd", "sd:x", "sd:-1", "sd:inf", "range:3", "range:5,2", "none:1", "fences:1,2"])
def test_rules_that_make_no_sense(text: str) -> None:
    with pytest.raises(PlainlyError):
        Outliers.parse(text)
    with pytest.raises(UnknownName):
        Outliers.parse("fence:1")
    with pytest.raises(UnknownName):
        Rules(unfinished="hide")  # type: ignore[arg-type]
