"""Experiment files: what they hold, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.comprehension.counted_words import words
from plainly.comprehension.experiment import Experiment, Question, read_experiment

FILE = """name: doors
lang: en-GB
reading_seconds: 60
form:
  - {id: age, label: "How old are you?", kind: number, required: false}
passages:
  - id: door
    seconds: 30
    versions:
      - {id: complex, text: Refrain from opening the door.}
      - {id: simplified, text: Do not open the door.}
    questions:
      - id: q1
        text: What stays shut?
        correct: The door.
        distractors: [The gate., "7"]
  - id: gate
    versions:
      - {id: complex, text: Kindly close the gate.}
      - {id: simplified, text: Shut the gate.}
    questions:
      - {id: q2, text: "Which one?", correct: The gate., distractors: [The door.]}
"""


def _read(folder: Path, text: str) -> Experiment:
    path = folder / "doors.yaml"
    path.write_text(text, encoding="utf-8")
    return read_experiment(path)


def test_what_it_holds(tmp_path: Path) -> None:
    found = _read(tmp_path, FILE)
    assert (found.name, found.lang, found.version_ids) == ("doors", "en", ("complex", "simplified"))
    assert [passage.seconds for passage in found.passages] == [30.0, 60.0]
    first = found.passage("door").questions[0]
    assert first == Question("q1", "What stays shut?", ("The door.", "The gate.", "7"), 0)
    assert (first.key, first.distractors) == ("The door.", ("The gate.", "7"))
    assert (found.form[0].kind, found.form[0].required) == ("number", False)
    assert found.answer_seconds is None


def test_lines(tmp_path: Path) -> None:
    found = _read(tmp_path, FILE)
    assert [passage.line for passage in found.passages] == [7, 17]
    assert [version.line for version in found.passages[0].versions] == [10, 11]
    assert [passage.questions[0].line for passage in found.passages] == [13, 22]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name: doors", "title: doors", "experiment: unknown key 'title'"),
        ("name: doors", 'name: "two\\nlines"', "name must be one line"),
        ("lang: en-GB", "lang: xx", "unknown language 'xx'"),
        ("correct: The door.\n", "correct: [The door., A door.]\n", ":13: question 'q1': there must be one correct"),
        ('"7"', "7", ":13: question 'q1': put the answer 7 in quotation marks"),
        ('"7"', "yes", ":13: question 'q1': put the answer True in quotation marks"),
        ('"7"', '" "', ":13: question 'q1': an answer is empty"),
        ("        distractors: [The gate., ", "        wrong: [The gate., ", "unknown key 'wrong'"),
        ("id: q2", "id: q1", ":22: question 'q1' is there twice"),
        ("id: gate", "id: door", ":17: passage 'door' is there twice"),
        ("id: gate", "id: a door", ":17: passage: 'a door' is no id"),
        ("id: gate", "id: 2", ":17: passage: put the id 2 in quotation marks"),
        (
            "id: simplified, text: Do",
            "id: complex, text: Do",
            ":11: passage 'door': version 'complex' is there twice",
        ),
        ("seconds: 30", "seconds: -1", "seconds is a number of seconds, above 0"),
        ("seconds: 30", "seconds: .nan", "seconds is a number of seconds, above 0"),
        ("seconds: 30", "pages: 30", ":8: passage 'door': unknown key 'pages'"),
        ("kind: number", "kind: colour", "kind must be one of text, number, choice, yes-no, not 'colour'"),
        ("kind: number", "kind: choice", "a choice needs at least two options"),
        ("kind: number", "options: [a, b]", "options go with kind: choice"),
        ("text: Shut the gate.", "text: ''", "text is empty"),
        ("text: Shut the gate.", "line: 3", "unknown key 'line'"),
        ("passages:", "passages: []\nothers:", "unknown key 'others'"),
    ],
)
def test_refused_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in FILE
    with pytest.raises(PlainlyError) as refusal:
        _read(tmp_path, FILE.replace(old, new, 1))
    assert message in str(refusal.value)
    assert str(refusal.value).startswith(str(tmp_path / "doors.yaml"))


def test_all_faults_at_once(tmp_path: Path) -> None:
    text = FILE.replace("name: doors", "title: doors").replace("id: q2", "id: q1").replace('"7"', "7")
    text = text.replace("{id: simplified, text: Shut the gate.}", "{id: complex}")
    text = text.replace("kind: number", "kind: colour")
    with pytest.raises(PlainlyError) as refusal:
        _read(tmp_path, text)
    assert str(refusal.value) == (
        f"{tmp_path}/doors.yaml:1: experiment: unknown key 'title'; line 1: experiment: name is missing; "
        "line 5: form field 'age': kind must be one of "
        "text, number, choice, yes-no, not 'colour'; line 13: question 'q1': put the answer 7 in quotation marks; "
        "line 20: passage 'gate', version 'complex': text is missing"
    )
    head = "lang: xx-none\nreading_seconds: -5\nanswer_seconds: soon\nfoo: 1\nbar: 2\n"
    with pytest.raises(PlainlyError) as refusal:
        _read(
            tmp_path,
            FILE.replace("lang: en-GB\nreading_seconds: 60\n", head).replace(
                "seconds: 30", "seconds: 0\n    pages: 3", 1
            ),
        )
    said = str(refusal.value).split("; ")
    for place, fault in (
        (":2: ", "lang"), ("line 3: ", "reading_seconds is a number"), ("line 4: ", "answer_seconds is a number"),
        ("line 5: ", "unknown key 'foo'"), ("line 6: ", "unknown key 'bar'"), ("", "seconds is a number"),
        ("", "unknown key 'pages'"),
    ):  # fmt: skip
        assert any(place in text and fault in text for text in said), (place, fault, said)
    twice = FILE.replace("id: q2", "id: q1").replace("id: gate", "id: door")
    with pytest.raises(
        PlainlyError, match=r":17: passage 'door' is there twice; line 22: question 'q1' is there twice$"
    ):
        _read(tmp_path, twice)


def test_only_the_first_faults_are_said(tmp_path: Path) -> None:
    question = '      - {id: q2, text: "Which one?", correct: The gate., distractors: [The door.]}\n'
    bad = "".join(question.replace("q2", f"q{number}").replace("The gate.", "1") for number in range(2, 27))
    with pytest.raises(PlainlyError) as refusal:
        _read(tmp_path, FILE.replace(question, bad))
    assert str(refusal.value).count("in quotation marks") == 20
    assert str(refusal.value).endswith("; and 5 more")


@pytest.mark.parametrize("text", ["", "- a", "3", "name: x\nlang: en\npassages: []\n", "a: &x [*x]", "\x00", "a: {"])
def test_no_experiment(tmp_path: Path, text: str) -> None:
    with pytest.raises(PlainlyError, match=r"doors\.yaml"):
        _read(tmp_path, text)


def test_no_such_passage(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match="did you mean 'gate'"):
        _read(tmp_path, FILE).passage("gates")


def test_words() -> None:
    assert words("Don’t – stop: at 3.5 km/h, 10,000 steps_on…") == [
        "don't", "stop", "at", "3.5", "km", "h", "10,000", "steps", "on",
    ]  # fmt: skip
    assert words("關門。", "zh") == ["關", "門"]
    assert words("IĞDIR", "tr") == ["ığdır"]
    assert words("–") == []


def test_a_type_of_question(tmp_path: Path) -> None:
    question = '      - {id: q2, text: "Which one?", correct: The gate., distractors: [The door.]}\n'
    typed = question.replace("}", ", type: order}")
    questions = [
        one for passage in _read(tmp_path, FILE.replace(question, typed)).passages for one in passage.questions
    ]
    assert [one.type for one in questions if one.id == "q2"] == ["order"]
    assert not any(one.type for one in questions if one.id != "q2")
    with pytest.raises(PlainlyError, match="question 'q2': unknown type 'ordr'; did you mean 'order'"):
        _read(tmp_path, FILE.replace(question, typed.replace("order", "ordr")))
