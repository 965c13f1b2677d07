"""The kind comprehension without a browser: what it reads, shows, accepts, exports and computes."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.comprehension.design import make_plan
from plainly.comprehension.experiment import read_experiment
from plainly.comprehension.formats import read_records
from plainly.comprehension.items import _remarks
from plainly.comprehension.plans import write_plan
from plainly.inference.estimates import Estimate
from plainly.studio.kinds.base import Campaign, Given, Kind
from plainly.studio.kinds.comprehension.material import experiment_of
from plainly.studio.texts import say

OPTIONS = {"seed": 12345, "reading_limit": True, "countdown": True}


# --- The file -----------------------------------------------------------------------------------------------------


def test_the_file_becomes_items_settings_and_the_first_rows(kind: Kind, experiment_file: Path) -> None:
    material = kind.read({"experiment": experiment_file}, OPTIONS)
    assert [item.name for item in material.items] == ["storm", "flood"]
    assert material.columns == ("passage", "version", "text", "words", "questions")
    assert [row[:2] for row in material.rows] == [
        ("storm", "complex"),
        ("storm", "simplified"),
        ("flood", "complex"),
        ("flood", "simplified"),
    ]
    assert material.rows[0][3:] == ("23", "4")  # counted by hand
    assert material.lang == "en"
    assert material.notes == ()
    assert material.settings["file"] == experiment_file.read_text("utf-8")
    assert material.settings["welcome"]["consent"] == "I agree that my answers are kept without my name."
    assert [field["id"] for field in material.settings["welcome"]["form"]] == ["age", "level"]
    json.dumps([material.settings, [item.content for item in material.items]], allow_nan=False)


def test_the_experiment_comes_back_from_what_is_kept(
    campaign: Campaign, experiment_file: Path, make_campaign: Callable[..., Campaign]
) -> None:
    kept = replace(campaign, settings=json.loads(json.dumps(campaign.settings)))
    there = read_experiment(experiment_file)
    assert experiment_of(kept) == replace(there, reading_seconds=None)  # passages carry it


def test_errors_are_refused_with_file_and_line_and_advice_becomes_notes(
    kind: Kind, experiment_file: Path, experiment_text: str
) -> None:
    twice = experiment_text.replace("Under the highest roof.", "Away from the outer walls.")
    experiment_file.write_text(twice, "utf-8")
    line = 1 + experiment_text[: experiment_text.index("- id: storm-room")].count("\n")
    with pytest.raises(PlainlyError, match=rf"storms\.yaml:{line}: storm-room: .*\[same-answer\]"):
        kind.read({"experiment": experiment_file}, OPTIONS)
    experiment_file.write_text(experiment_text.replace("name: storms\n", "name: storms\nnames: 1\n"), "utf-8")
    with pytest.raises(PlainlyError, match=r"storms\.yaml.*names"):
        kind.read({"experiment": experiment_file}, OPTIONS)
    without = experiment_text.replace("consent: I agree that my answers are kept without my name.\n", "")
    experiment_file.write_text(without, "utf-8")
    notes = kind.read({"experiment": experiment_file}, OPTIONS).notes
    assert len(notes) == 1
    assert notes[0].startswith("storms.yaml:1: experiment: no consent")


def test_half_a_character_is_refused(kind: Kind, experiment_file: Path, experiment_text: str) -> None:
    experiment_file.write_text(experiment_text.replace("An official alert.", '"\\ud83c"'), "utf-8")
    with pytest.raises(PlainlyError, match="half a character"):
        kind.read({"experiment": experiment_file}, OPTIONS)


# --- Tasks and what the browser gets ------------------------------------------------------------------------------


def test_participant_n_gets_sheet_n_of_the_plan(
    kind: Kind, make_campaign: Callable[..., Campaign], experiment_file: Path
) -> None:
    plan = make_plan(read_experiment(experiment_file), 9, seed=7)
    campaign = make_campaign(seed=7)
    for sheet in plan.sheets:
        tasks = kind.tasks(campaign, sheet.participant, [])
        assert [task["phase"] for task in tasks] == 2 * ["ready", "reading", "ready", *4 * ["question"]]
        readings = [task for task in tasks if task["phase"] == "reading"]
        assert [(task["passage"], task["version"]) for task in readings] == [
            (reading.passage, reading.version) for reading in sheet.readings
        ]
        asked = [(task["question"], tuple(task["answers"])) for task in tasks if task["phase"] == "question"]
        assert asked == [(item.question, item.answers) for reading in sheet.readings for item in reading.questions]
    assert kind.tasks(campaign, 0, []) == kind.tasks(campaign, 1, [])  # the owner's preview
    with pytest.raises(PlainlyError, match="100000 participants"):
        kind.tasks(campaign, 100_001, [])


def test_nothing_of_a_text_is_shown_before_it_and_no_answer_is_given_away(kind: Kind, campaign: Campaign) -> None:
    tasks = kind.tasks(campaign, 1, [])
    shown = [kind.shown(campaign, task) for task in tasks]
    assert shown[0] == {"phase": "ready", "for": "reading", "text": 1, "texts": 2, "questions": 4, "seconds": 60.0}
    assert set(shown[1]) == {"phase", "text", "texts", "questions", "words", "seconds"}
    question = next(place for place, task in enumerate(tasks) if task["phase"] == "question")
    assert set(shown[question]) == {
        "phase", "text", "texts", "questions", "number", "question", "answers", "seconds"
    }  # fmt: skip
    # Neither the version nor an order that begins with the correct answer is in what the browser gets.
    written = json.dumps([shown, kind.public(campaign)])
    assert not any(word in written for word in ("complex", "simplified", "correct", "distractor", "storm-", "flood-"))
    firsts = {
        kind.shown(campaign, task)["answers"].index(_key(campaign, task))
        for number in range(1, 9)
        for task in kind.tasks(campaign, number, [])
        if task["phase"] == "question"
    }
    assert firsts == {0, 1, 2, 3}


def test_limits_are_those_of_the_file_or_off(
    kind: Kind, make_campaign: Callable[..., Campaign], experiment_text: str
) -> None:
    def limits(campaign: Campaign) -> dict[tuple[str, str], Any]:
        tasks = kind.tasks(campaign, 1, [])
        return {(task["passage"], task["phase"]): kind.shown(campaign, task)["seconds"] for task in tasks}

    found = limits(make_campaign())
    assert found["storm", "reading"] == 60
    assert found["flood", "reading"] == 45
    assert found["flood", "question"] is None
    assert limits(make_campaign(reading_limit=False))["storm", "reading"] is None
    timed = experiment_text.replace("reading_seconds: 60\n", "answer_seconds: 20\n")
    found = limits(make_campaign(timed))
    assert found["storm", "reading"] is None
    assert found["storm", "question"] == 20


# --- Answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "answer"),
    [
        ("ready", 1),
        ("ready", {"place": 1}),
        ("reading", None),
        ("reading", []),
        ("reading", {"over": 1}),
        ("reading", {"over": True, "before": -1}),
        ("reading", {"before": True}),
        ("reading", {"before": math.nan}),
        ("reading", {"before": "1"}),
        ("reading", {"before": 10**400}),
        ("reading", {"place": 1}),
        ("reading", {"done": True}),
        ("reading", {"done": 0}),
        ("reading", {"done": False, "over": True}),
        ("question", {}),
        ("question", {"place": 4}),
        ("question", {"place": -1}),
        ("question", {"place": True}),
        ("question", {"place": 1.0}),
        ("question", {"place": "1"}),
        ("question", {"place": [1]}),
        ("question", {"place": 1, "correct": True}),
        ("question", {"place": 10**400}),
    ],
)
def test_hostile_answers_are_refused(kind: Kind, campaign: Campaign, phase: str, answer: Any) -> None:
    task = next(task for task in kind.tasks(campaign, 1, []) if task["phase"] == phase)
    with pytest.raises(PlainlyError):
        kind.checked(campaign, task, answer)


def test_an_answer_keeps_its_place_on_the_screen_and_nothing_else(kind: Kind, campaign: Campaign) -> None:
    """The place in the file would tell which one is correct: that is 0."""
    task = next(task for task in kind.tasks(campaign, 1, []) if task["phase"] == "question")
    assert kind.checked(campaign, task, {"place": 2}) == {"place": 2, "over": False, "before": 0.0}
    assert kind.checked(campaign, task, {"place": None, "over": True, "before": 3}) == {
        "place": None,
        "over": True,
        "before": 3.0,
    }


def test_what_is_begun_is_no_answer_yet(kind: Kind, campaign: Campaign, went: Any, reader: Any) -> None:
    given = went(campaign, 1, reader(), stop=5)
    task = kind.tasks(campaign, 1, [])[5]
    begun = kind.checked(campaign, task, {"done": False})
    assert not kind.done(begun)
    assert all(kind.done(one.answer) for one in given)
    open_task = replace(given[-1], place=5, task=task, answer=begun, seconds=0.0)
    assert kind.exports(campaign, [], [*given, open_task]) == kind.exports(campaign, [], given)


# --- Exports ------------------------------------------------------------------------------------------------------


def test_only_answers_to_questions_count(kind: Kind) -> None:
    assert not kind.counts({"phase": "ready"}, {"ready": True})
    assert not kind.counts({"phase": "reading"}, {"over": False, "before": 0.0})
    assert not kind.counts({"phase": "question"}, {"over": True, "before": 0.0, "place": None})
    assert not kind.counts({"phase": "question"}, {"done": False})
    assert kind.counts({"phase": "question"}, {"over": False, "before": 0.0, "place": 0})


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_remark_of_the_study_has_its_words(lang: str) -> None:
    remarks = [
        *_remarks(1, 1.0, Estimate(0, 0, 0), [], 0, 4),
        *_remarks(99, 1.0, Estimate(-0.5, -0.9, -0.1), [(0, 9), (1, 0), (2, 10)], 0, 4),
        *_remarks(99, 0.1, Estimate(0.0, -0.1, 0.1), [], 0, 4),
    ]
    assert len({one.key for one in remarks}) == 7
    for one in remarks:
        assert "{" not in one.text(lang)
        assert (one.text(lang) == one.text()) is (lang == "en")


def test_nobody_has_answered(kind: Kind, campaign: Campaign) -> None:
    files = {file.name: file.content for file in kind.exports(campaign, [], [])}
    assert set(files) == {"answers.csv", "plan.csv", "experiment.yaml"}
    assert files["answers.csv"] == "user,pair,text,question,answer,time,completed,correct,order\n"
    assert files["plan.csv"].count("\n") == 1
    summary = kind.summary(campaign, [], [], say("en"))
    assert summary.message == ("There are no answers yet.",)
    assert kind.report(campaign, [], [], "2026-11-02") is None


def test_exported_answers_are_read_back_with_all_their_times(
    kind: Kind, campaign: Campaign, went: Any, reader: Any, tmp_path: Path
) -> None:
    fields = {"age": "41", "level": "well"}
    given = went(campaign, 1, reader(wrong=("storm-end",), missing=("flood-where",)), fields=fields)
    given += went(campaign, 2, reader(), stop=8, fields={"age": "20", "level": "native"})
    people = [given[0].person, given[-1].person]
    files = {file.name: file.content for file in kind.exports(campaign, people, given)}
    rows = list(csv.DictReader(io.StringIO(files["answers.csv"])))
    assert len(rows) == 8 + 4
    by_question = {(row["user"], row["question"]): row for row in rows}
    wrong = by_question["P001", "storm-end"]
    assert (wrong["answer"], wrong["correct"], wrong["completed"], wrong["age"]) == ("1", "0", "1", "41")
    task = next(one.task for one in given if one.task.get("question") == "storm-end")
    assert int(wrong["position"]) == task["answers"].index(1) + 1
    seconds = 4.0 + len("storm-end") / 8 + (wrong["text"] == "complex")
    assert float(wrong["time"]) == seconds * 1000
    assert float(wrong["server_time"]) == seconds * 1000 + 250
    assert (wrong["reading_time"], wrong["reading_server_time"], wrong["resumed"]) == ("20000", "20250", "0")
    missing = by_question["P001", "flood-where"]
    assert (missing["answer"], missing["correct"], missing["position"]) == ("", "0", "")
    assert {row["completed"] for row in rows if row["user"] == "P002"} == {"0"}
    assert [row["order"] for row in rows] == [*map(str, range(8)), *map(str, range(4))]

    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    records = read_records(tmp_path / "answers.csv", read_experiment(tmp_path / "experiment.yaml"))
    assert len(records.answers) == 12
    write_plan(make_plan(experiment_of(campaign), 2), tmp_path / "expected.csv")
    assert files["plan.csv"] == (tmp_path / "expected.csv").read_text("utf-8")


def test_a_reload_counts_and_is_marked(kind: Kind, campaign: Campaign, went: Any, reader: Any) -> None:
    def resuming(task: Any) -> Any:
        answer, seconds = reader()(task)
        return ({**answer, "before": 7.5}, seconds) if task.get("question") == "flood-where" else (answer, seconds)

    (answers, *_) = kind.exports(campaign, [], went(campaign, 1, resuming))
    rows = {row["question"]: row for row in csv.DictReader(io.StringIO(answers.content))}
    plain = 4.0 + len("flood-where") / 8 + (rows["flood-where"]["text"] == "complex")
    assert float(rows["flood-where"]["time"]) == (plain + 7.5) * 1000
    assert [name for name, row in rows.items() if row["resumed"] == "1"] == ["flood-where"]


def test_without_a_time_of_the_browser_that_of_the_server_counts(
    kind: Kind, campaign: Campaign, went: Any, reader: Any
) -> None:
    given = [replace(one, seconds=None) for one in went(campaign, 1, reader())]
    rows = list(csv.DictReader(io.StringIO(kind.exports(campaign, [], given)[0].content)))
    assert all(float(row["time"]) == float(row["server_time"]) for row in rows)
    back = [replace(one, time="2026-11-02T08:00:00.000Z") for one in given]  # and the clock stood still
    rows = list(csv.DictReader(io.StringIO(kind.exports(campaign, [], back)[0].content)))
    assert {(row["time"], row["answer"], row["server_time"]) for row in rows} == {("", "", "")}
    assert all(row["position"] for row in rows)


def test_fields_of_the_form_cannot_take_the_place_of_columns(
    kind: Kind, campaign: Campaign, went: Any, reader: Any
) -> None:
    fields = {"time": "late", "answer": "yes", "form_time": "x", "age": "30"}
    content = kind.exports(campaign, [], went(campaign, 1, reader(), fields=fields))[0].content
    header = content.split("\n", 1)[0].split(",")
    assert len(header) == len(set(header))
    row = next(csv.DictReader(io.StringIO(content)))
    assert row["form_answer"] == "yes"
    assert {row["form_time"], row["form_form_time"]} == {"late", "x"}
    assert float(row["time"]) > 0


# --- Results ------------------------------------------------------------------------------------------------------


def _study(campaign: Campaign, went: Any, reader: Any) -> list[Given]:
    """Eight readers; complex texts cost two of them an answer."""
    given: list[Given] = []
    for number in range(1, 9):
        wrong = ("storm-end", "flood-avoid") if number % 3 == 0 else ("storm-first",) if number == 4 else ()
        given += went(campaign, number, reader(wrong), fields={"age": str(20 + number), "level": "well"})
    return given


def test_the_summary_has_the_numbers_of_the_command_line(
    kind: Kind, campaign: Campaign, went: Any, reader: Any, tmp_path: Path
) -> None:
    given = _study(campaign, went, reader)
    people = list({one.person.number: one.person for one in given}.values())
    for file in kind.exports(campaign, people, given):
        (tmp_path / file.name).write_text(file.content, "utf-8")
    arguments = ["comprehension", "score", str(tmp_path / "answers.csv"), "--format", "json"]
    arguments += ["--experiment", str(tmp_path / "experiment.yaml"), "-o", str(tmp_path / "score.json")]
    assert main(arguments) in (None, 0)
    printed = json.loads((tmp_path / "score.json").read_text("utf-8"))

    summary = kind.summary(campaign, people, given, say("en"))
    assert summary.signatures == (printed["signature"],)
    texts, pairs, tests, reading, faster, people, questions, _, _ = summary.tables
    assert [row[0] for row in people.rows] == [
        row["column"] for row in printed["participants"] for _ in row["groups"]
    ]
    formulas = ["c-score-simple", "c-score-complete", "c-score-textsize"]
    assert [row[:2] for row in texts.rows] == [(row["passage"], row["version"]) for row in printed["texts"]]
    for row, there in zip(texts.rows, printed["texts"], strict=True):
        assert row[5:7] == (there["correct"], there["seconds"])
        assert list(row[7:]) == [there["scores"][name] for name in formulas]
    for row, there in zip(pairs.rows, printed["pairs"], strict=True):
        assert list(row[3:]) == [there["differences"][name] for name in formulas]
    tested = [*(test for pair in printed["pairs"] for test in pair["tests"]), *printed["hypotheses"]]
    assert [row[-1] for row in tests.rows] == [test["verdict"] for test in tested]
    assert [row[4] for row in reading.rows] == [there["seconds"] for there in printed["reading"]]
    assert [row[-1] for row in faster.rows] == [test["verdict"] for test in printed["reading_tests"]]
    assert len(summary.message) == 2
    assert [row[5] for row in questions.rows] == [item["seconds"] for item in printed["items"]]
    assert set(printed["notes"]) <= set(summary.notes)
    wrong = sum(
        one.answer.get("place") == one.task.get("answers", []).index(1) for one in given if "question" in one.task
    )
    assert summary.headlines[0].number.value == 64
    assert summary.headlines[2].number.value == pytest.approx(100 * (64 - wrong) / 64)


def test_the_summary_is_plain_and_its_pictures_can_be_drawn(
    kind: Kind, campaign: Campaign, went: Any, reader: Any
) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    summary = kind.summary(campaign, [], _study(campaign, went, reader), say("de"))
    json.dumps(
        [[grid.rows for grid in summary.tables], [one.to_dict() for one in summary.headlines]],
        allow_nan=False,
    )
    names = [picture.name for picture in summary.pictures]
    assert names[1:4] == ["questions", "reading", "participants-1"]
    for picture in summary.pictures:
        json.dumps(picture.spec, allow_nan=False)
        assert "<svg" in vl_convert.vegalite_to_svg(json.dumps(picture.spec))
        assert picture.words
    assert summary.tables[0].title == "Wie gut wird jeder Text verstanden?"
    assert not [
        text for grid in summary.tables for text in (grid.title, grid.note, *grid.columns) if "comprehension." in text
    ]


def test_the_report_is_the_page_of_the_command_line(kind: Kind, campaign: Campaign, went: Any, reader: Any) -> None:
    pytest.importorskip("vl_convert")
    page = kind.report(campaign, [], _study(campaign, went, reader), "2026-11-02")
    assert page is not None
    assert "<title>Storms" in page
    assert "2026-11-02" in page


def test_one_answer_is_enough_for_a_summary(kind: Kind, campaign: Campaign, went: Any, reader: Any) -> None:
    for stop in range(1, 8):
        summary = kind.summary(campaign, [], went(campaign, 1, reader(), stop=stop), say("en"))
        assert bool(summary.tables) == (stop > 3)


def test_odd_participants_are_named(kind: Kind, campaign: Campaign, went: Any, reader: Any) -> None:
    def same_place(task: Any) -> Any:
        answer, _ = reader()(task)
        return ({"place": 1}, 0.4) if task["phase"] == "question" else (answer, 0.5)

    every = ("storm-room", "storm-power", "storm-end", "storm-first", "flood-where", "flood-carry", "flood-avoid")
    given = went(campaign, 1, reader()) + went(campaign, 2, same_place) + went(campaign, 3, reader(missing=every))
    found = kind.summary(campaign, [], given, say("en")).suspicious
    assert found == {
        "P002": (
            "left 2 of 2 texts faster than anybody reads",
            "answered 8 of 8 questions faster than anybody reads them",
            "chose answer B in 8 of 8 questions",
        ),
        "P003": ("gave no answer to 7 of 8 questions",),
    }


def _key(campaign: Campaign, task: Any) -> str:
    questions = campaign.by_name[task["passage"]].content["questions"]
    question = next(item for item in questions if item["id"] == task["question"])
    return str(question["answers"][question["correct"]])
