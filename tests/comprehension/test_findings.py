"""What an analysis says, in every language, and which tables it has."""

from __future__ import annotations

from plainly.comprehension import analyse, gathered
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
