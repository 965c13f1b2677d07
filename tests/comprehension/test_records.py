"""Answers in files, and the rules for what counts."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.comprehension.formats import read_answers, read_records, write_records
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.selection import Outliers, Rules, select
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated

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
        ({"answer": 0.5}, ":2: answer must be a whole number from 0 on, or empty, not 0.5"),
        ({"answer": ".0"}, ":2: answer must be a whole number from 0 on, or empty, not .0"),
        ({"answer": "1."}, ":2: answer must be a whole number"),
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


def test_all_rows_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    header, good = "user,pair,text,question,answer,time", "ann,1,complex,q1,0,900"
    path.write_text("\n".join([header, good.replace("900", "soon"), good, good.replace(",0,", ",a,")]) + "\n")
    with pytest.raises(PlainlyError) as refused:
        read_answers(path)
    assert str(refused.value) == (
        f"{path}:2: time must be a number of milliseconds, not soon; "
        f"{path}:4: answer must be a whole number from 0 on, or empty, not a"
    )
    path.write_text("\n".join([header, *[good.replace("900", "soon")] * 23]) + "\n")
    with pytest.raises(PlainlyError, match=r":21: time must be a number of milliseconds, not soon; and 3 more$"):
        read_answers(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("user,pair,text,question,answer\nann,1,complex,q1,0\n")
    with pytest.raises(PlainlyError, match=r"a\.csv:2: time is missing"):
        read_records(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text(TABLE_1 + "\n")
    with pytest.raises(PlainlyError, match="holds no answers"):
        read_records(tmp_path / "b.csv")


def test_whole_numbers_with_a_point(tmp_path: Path) -> None:
    """As pandas writes a column of whole numbers in which some cells are empty."""
    path = tmp_path / "a.csv"
    path.write_text(
        "user,pair,text,question,answer,time,completed,correct,order\n"
        "ann,1,complex,q1,0.0,900,1.0,1.0,0.0\nann,1,complex,q2,,900,1.0,,1.0\n"
    )
    first, second = read_answers(path)
    assert (first.answer, first.correct, first.completed, first.order) == (0, True, True, 0)
    assert (second.answer, second.correct, second.order) == (None, None, 1)
    (tmp_path / "a.jsonl").write_text('{"user": 1, "pair": 1, "text": 1, "question": 1, "answer": 2.0, "time": 9}\n')
    assert read_answers(tmp_path / "a.jsonl")[0].answer == 2


def test_times_that_are_not_in_milliseconds(answered: Make, four_answers: list[Answer]) -> None:
    def notes(factor: float) -> tuple[str, ...]:
        times = [replace(answer, seconds=answer.seconds * factor) for answer in four_answers]
        return tuple(map(str, select(Records(tuple(times))).notes))

    # Times of 10, 4, 30 and 4 seconds: the median is 7.
    assert notes(1) == ()
    assert notes(1 / 1000) == (
        "half of the times are below 7 milliseconds; are they in seconds? They were taken for milliseconds",
    )
    assert notes(1000) == (
        "half of the times are above 116.7 minutes; are they in microseconds? They were taken for milliseconds",
    )
    odd = [answered("cem", "q1", 0, 0.0125, row=6), answered("dan", "q1", 0, 1801, row=7)]
    odd.append(answered("eve", "q1", 0, 1e9, row=8))
    assert tuple(map(str, select(Records((*four_answers, *odd))).notes)) == (
        "1 answer came within 300 milliseconds, at row 6; outliers can be left out",
        "2 answers took more than 30 minutes, the first at row 7; outliers can be left out",
    )


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


def test_nan_in_json_is_an_empty_cell(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    row = {"user": "1", "pair": "1", "text": "complex", "question": "q1", "answer": math.nan, "time": math.nan}
    path.write_text(json.dumps({**row, "age": math.nan, "correct": math.nan, "order": math.nan}))
    (answer,) = read_answers(path)
    assert (answer.answer, answer.correct, answer.order, answer.fields) == (None, None, 0, {"age": ""})
    assert math.isnan(answer.seconds)


def test_semicolons_have_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("user;pair;text;question;answer;time\n1;1;complex;q1;0;900\n")
    with pytest.raises(PlainlyError, match=r"the header is user;pair;.*; export it as CSV UTF-8 with commas"):
        read_answers(path)
