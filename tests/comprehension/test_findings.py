"""What an analysis says, in every language, and which tables it has."""

from __future__ import annotations

from dataclasses import replace

from plainly.comprehension import Answer, Experiment, analyse, gathered
from plainly.comprehension.findings import findings
from plainly.comprehension.simulation import made_up_experiment, simulated
from plainly.findings import printed
from plainly.inference import Resampling


def test_tables_verdicts_and_notes_in_german() -> None:
    experiment = made_up_experiment(passages=2)
    answers = simulated(experiment, 24, seed=1).answers
    found = analyse(gathered(answers, experiment), experiment, resampling=Resampling(resamples=20))
    told = findings(found)
    assert told.names == ["texts", "pairs", "hypotheses", "participants", "items", "distractors", "counts"]
    assert findings(found, brief=True).names == ["texts", "pairs", "hypotheses", "counts"]
    assert findings(found, "apart").names == ["apart"]
    german = printed(told, lang="de")
    assert "Wie gut wird jeder Text verstanden?" in german
    assert "Mehr richtige Antworten mit simplified als mit complex: " in german
    assert "Intervalle aus 20 Ziehungen sind ungenau; üblich sind 1000" in german
    assert not [table.question for table in told.tables if table.question.text("de") == table.question.text()]
    assert not [note.message for note in told.notes if note.message.text("de") == note.message.text()]
    assert not [verdict for verdict in told.verdict if verdict.text("de") == verdict.text()]


def test_an_estimate_in_json_is_a_value_and_its_bounds() -> None:
    experiment = made_up_experiment(passages=2)
    answers = simulated(experiment, 24, seed=1).answers
    resampling = Resampling(resamples=20, confidence=0.8)
    content = findings(analyse(gathered(answers, experiment), experiment, resampling=resampling)).data
    assert set(content["texts"][0]["scores"]["c-score-simple"]) == {"value", "low", "high"}
    assert content["settings"]["confidence"] == 0.8
    assert "confidence" not in content["hypotheses"][0]


def test_questions_by_type(by_hand: Experiment, four_answers: list[Answer]) -> None:
    """Both questions ask for a condition: 2 of 4 answers are correct, after 10, 30, 4 and 4 seconds."""
    few = Resampling(resamples=20)
    plain = findings(analyse(gathered(four_answers, by_hand), by_hand, resampling=few))
    assert "types" not in plain.names
    asked_for = findings(analyse(gathered(four_answers, by_hand), by_hand, resampling=few), "types")
    assert "there is nothing to show in the table types" in [
        note.message.text("en") for note in asked_for.notes if note.aside
    ]
    assert "nothing to show" not in " ".join(note.message.text("en") for note in plain.notes)
    assert "type" not in [column.name for column in plain.only("items").tables[0].columns]
    (passage,) = by_hand.passages
    asked = tuple(replace(question, type="condition") for question in passage.questions)
    typed = replace(by_hand, passages=(replace(passage, questions=asked),))
    told = findings(analyse(gathered(four_answers, typed), typed, resampling=few))
    assert told.only("types").tables[0].rows == [["condition", "complex", 2, 4, 50.0, 12.0]]
    items = told.only("items").tables[0]
    place = [column.name for column in items.columns].index("type")
    assert [row[place] for row in items.rows] == ["condition", "condition"]
    # one question of another type: q1 has size 2, and 20 s on average
    mixed = replace(by_hand, passages=(replace(passage, questions=(asked[0], passage.questions[1])),))
    told = findings(analyse(gathered(four_answers, mixed), mixed, resampling=few))
    assert told.only("types").tables[0].rows == [["condition", "complex", 1, 2, 50.0, 20.0]]
