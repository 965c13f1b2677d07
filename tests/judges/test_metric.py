"""The metric `judge`: ratings become statistics and scores; nothing is sent unless a judge is named."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from scripted import Fault, ScriptedJudge, user_text

from plainly import metrics
from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.scoring import evaluate

Serve = Callable[..., ScriptedJudge]
SOURCES = ["The feline reposed upon the rug.", "Precipitation is anticipated.", "He departed."]
OUTPUTS = ["The cat lay on the rug.", "Rain is expected.", "He left."]
REFERENCES = [["The cat slept on the rug.", "A cat lay there."], ["It will rain."], ["He went."]]


def rate(body: dict[str, Any], number: int) -> str:
    """The cat gets 90, 80, 70, the rain 50, 40, 30, and the third one no numbers."""
    text = user_text(body)
    if OUTPUTS[2] in text:
        return "Lovely!"
    marks = (90, 80, 70) if OUTPUTS[0] in text else (50, 40, 30)
    return "fluency: {}\nmeaning: {}\nsimplicity: {}".format(*marks)


def named(judge: ScriptedJudge, **more: Any) -> dict[str, Any]:
    return {"judge_url": judge.url, "judge_model": "scripted", **more}


def test_ratings_are_averaged(serve: Serve) -> None:
    judge = serve(rate)
    metric = metrics.get("judge", **named(judge))
    rows = metric.measure(Corpus(SOURCES, REFERENCES, {"it": OUTPUTS}), "it")
    assert metric.columns == ("segments", "fluency", "meaning", "simplicity")
    assert rows.tolist() == [[1, 90, 80, 70], [1, 50, 40, 30], [0, 0, 0, 0]]
    score = metric.score(rows.sum(axis=0))
    assert float(score.value) == 60  # of 70, 60 and 50
    assert {name: float(value) for name, value in score.components.items()} == {
        "fluency": 70,
        "meaning": 60,
        "simplicity": 50,
    }
    assert np.isnan(metric.score(np.zeros(4)).value)
    assert metric.remarks == ["judge: 1 of 3 outputs unscored: the reply was outside of what was offered, 3 times"]
    assert judge.calls == 2 + 3
    metric.close()


def test_what_the_judge_is_shown(serve: Serve) -> None:
    judge = serve(lambda body, number: "simplicity: 5")
    settings = named(judge, judge_aspects="simplicity", judge_references=True, judge_settings=["top_p=0.5"])
    scores = evaluate(SOURCES[:1], OUTPUTS[:1], REFERENCES[:1], metrics=["judge"], **settings)
    found = scores["output"]["judge"]
    assert found.score == 5
    assert set(found.components) == {"simplicity"}
    text = user_text(judge.bodies[0])
    for part in (SOURCES[0], OUTPUTS[0], *REFERENCES[0]):
        assert part in text
    assert "fluency" not in text
    assert judge.bodies[0]["top_p"] == 0.5
    assert (
        "|model:scripted|temperature:0|top_p:0.5|prompt:assessment-1|aspects:simplicity|shown:source+references|"
        in (found.signature)
    )
    assert judge.url not in found.signature


def test_an_output_is_rated_once(serve: Serve) -> None:
    judge = serve(rate)
    outputs = {"one": OUTPUTS[:2] * 700, "two": [OUTPUTS[1], OUTPUTS[0]] * 700, "three": OUTPUTS[:2] * 700}
    scores = evaluate(SOURCES[:2] * 700, outputs, metrics=["judge"], intervals=False, threads=2, **named(judge))
    assert {name: scores[name]["judge"].score for name in outputs} == {"one": 60, "two": 60, "three": 60}
    assert judge.calls == 4


def test_a_judge_that_fails_leaves_the_other_metrics(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    judge = serve(lambda body, number: Fault(401, b"who are you?"))
    options = ["--set", f"judge.url={judge.url}", "--set", "judge.model=m", "--format", "json", "--no-intervals"]
    assert main(["score", "--demo", "--metrics", "fkgl,judge", *options]) == 0
    printed = capsys.readouterr()
    results = json.loads(printed.out)["systems"]["hasty-model"]
    assert results["judge"]["score"]["value"] is None
    assert results["fkgl"]["score"]["value"] > 0
    assert "note: judge failed and has no scores: the judge at" in printed.err
    assert "status 401: who are you?" in printed.err
    assert judge.calls <= 4  # as many as are asked at a time


def test_replies_that_are_no_ratings_leave_the_other_metrics(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = serve(lambda body, number: "banana")
    references = [group[0] for group in REFERENCES]
    for name, texts in {"source": SOURCES, "output": OUTPUTS, "reference": references}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts[:2]), "utf-8")
    files = ["--sources", tmp_path / "source", "--references", tmp_path / "reference"]
    files += ["--system", f"it={tmp_path / 'output'}"]
    options = [
        "--metrics",
        "bleu,judge",
        "--set",
        f"judge.url={judge.url}",
        "--set",
        "judge.model=m",
        "--format",
        "json",
    ]
    assert main(["score", *map(str, files), *options]) == 0
    printed = capsys.readouterr()
    results = json.loads(printed.out)["systems"]["it"]
    assert (results["judge"]["score"]["value"], results["judge"]["scored"]) == (None, 0)
    assert results["bleu"]["score"]["value"] > 0
    assert "note: judge: 2 of 2 outputs unscored: the reply was outside of what was offered, 3 times" in printed.err
    assert evaluate([None], ["He left."], metrics=["judge"], **named(judge)).unscorable() == {
        "judge": "no segment has the source it needs"
    }


def test_a_budget_of_calls(serve: Serve) -> None:
    judge = serve(rate)
    metric = metrics.get("judge", **named(judge, judge_calls=1))
    metric.measure(Corpus(SOURCES, (), {"it": OUTPUTS}), "it")
    assert metric.failure == "1 call is used up; allow more judge_calls. The replies so far are kept"
    metric.close()
    assert judge.calls == 1


def test_nothing_is_sent_unless_a_judge_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: Any) -> NoReturn:
        raise AssertionError("something reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(PlainlyError, match="judge cannot be computed: it needs a judge: name its judge_url"):
        evaluate(SOURCES, OUTPUTS, metrics=["judge"])
    with pytest.raises(MissingResource, match="it needs a judge"):
        metrics.get("judge", judge_model="m").measure(Corpus(SOURCES, (), {"it": OUTPUTS}), "it")
    assert main(["score", "--demo", "--metrics", "fkgl,judge"]) == 2
    assert "it needs a judge" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"judge_aspects": "fluency,beauty"}, "unknown aspect of judge 'beauty'"),
        ({"judge_aspects": "fluency,fluency"}, "each aspect is named once"),
        ({"judge_aspects": ","}, "each aspect is named once"),
        ({"judge_calls": -1}, "judge_calls must be a number from 0 on"),
        ({"judge_url": "nowhere", "judge_model": "m"}, "a judge's URL is like"),
        ({"judge_url": "http://x/v1", "judge_model": "m", "judge_settings": ["n=2"]}, "'n' is no setting"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], message: str) -> None:
    with pytest.raises((PlainlyError, UnknownName), match=message):
        metrics.get("judge", **settings)
