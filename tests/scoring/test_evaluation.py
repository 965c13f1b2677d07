"""What people do with an evaluation: show it, save it, read it again, put two together, make a page of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plainly
from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.inference import Resampling
from plainly.metrics import get
from plainly.scoring import Evaluation, concatenate, evaluate_stream, merge

FEW = Resampling(resamples=100)


def scored(corpus: Corpus, metrics: tuple[str, ...] = ("sari", "bleu"), **settings: Any) -> Evaluation:
    settings = {"intervals": FEW, **settings}
    return plainly.evaluate(corpus.sources, corpus.outputs, corpus.references, metrics=metrics, **settings)


@pytest.fixture(scope="module")
def demo() -> Corpus:
    corpus = demo_corpus("en")
    return corpus.with_outputs({name: corpus.outputs[name] for name in ("careful-writer", "splitter")})


@pytest.fixture(scope="module")
def evaluation(demo: Corpus) -> Evaluation:
    return scored(demo)


def content(evaluation: Evaluation) -> dict[str, Any]:
    """All that two equal evaluations share."""
    return {
        "scores": json.loads(evaluation.table("json")),
        "metrics": dict(evaluation.metrics),
        "references": dict(evaluation.references),
        "statistics": {
            system: {label: evaluation.kept_statistics[system][label].tolist() for label in evaluation.metrics}
            for system in evaluation
        },
    }


@pytest.fixture
def odd_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Corpus, list[str]]:
    """The demo set with a system whose lines are shifted, in memory and as files."""
    monkeypatch.chdir(tmp_path)
    corpus = demo_corpus("en")
    moved = [*corpus.outputs["splitter"][1:], corpus.outputs["splitter"][0]]
    corpus = corpus.with_outputs({"good": corpus.outputs["careful-writer"], "moved": moved})
    columns = {"src.txt": corpus.sources, "good.txt": corpus.outputs["good"], "moved.txt": moved}
    columns |= {f"ref.{i}": [group[i] for group in corpus.references] for i in range(3)}
    for name, texts in columns.items():
        Path(name).write_text("".join(f"{text}\n" for text in texts), "utf-8")
    systems = ["--system", "good.txt", "moved.txt"]
    return corpus, ["--sources", "src.txt", "--references", "ref.*", *systems, "--metrics", "sari", "--quiet"]


def test_python_has_what_the_commands_print_as_json(
    odd_files: tuple[Corpus, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Warnings and the version, too."""
    corpus, arguments = odd_files
    scores = scored(corpus, ("sari",), intervals=Resampling())
    assert main(["score", *arguments, "--format", "json"]) == 0
    assert scores.to_dict() == json.loads(capsys.readouterr().out)
    assert len(scores.to_dict()["warnings"]) == 1
    with_copy = scored(corpus, ("sari",), intervals=Resampling(), baselines=["identity"])
    assert main(["compare", *arguments, "--format", "json"]) == 0
    assert with_copy.compare().to_dict() == json.loads(capsys.readouterr().out)


def test_print_shows_warnings(odd_files: tuple[Corpus, list[str]]) -> None:
    scores = scored(odd_files[0], ("sari",))
    warning = "Warning: 59 of 60 outputs of moved fit another source better than their own"
    for printed in (str(scores), str(scores.compare(resamples=100)), str(Evaluation.from_json(scores.to_json()))):
        assert printed.startswith(warning), printed
    assert str(scores).splitlines()[1].startswith("good: sari ")
    assert str(scores.compare(resamples=100)).splitlines()[1].startswith("good has the best SARI of 2 systems")


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "markdown", "latex", "html", "json"])
def test_a_table_is_what_the_command_prints(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = demo_corpus("en")
    whole = scored(corpus, ("sari",), intervals=Resampling())
    assert main(["score", "--demo", "--metrics", "sari", "--format", form, "--quiet"]) == 0
    assert whole.table(form) == capsys.readouterr().out


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_every_table_for_people_carries_its_signatures(evaluation: Evaluation, form: str) -> None:
    assert evaluation["splitter"]["sari"].signature in evaluation.table(form)


def test_unknown_format(evaluation: Evaluation) -> None:
    with pytest.raises(UnknownName, match="latex"):
        evaluation.table("latx")


def test_a_data_frame_of_segments(evaluation: Evaluation, demo: Corpus) -> None:
    frame = evaluation.segments()
    assert list(frame.columns) == ["segment", "system", "sari", "bleu"]
    assert len(frame) == 2 * len(demo)
    row = frame[(frame["system"] == "splitter") & (frame["segment"] == 7)].iloc[0]
    alone = plainly.evaluate(
        [demo.sources[7]], [demo.outputs["splitter"][7]], [demo.references[7]], metrics=["sari"], intervals=None
    )
    assert row["sari"] == alone["output"]["sari"].score


def test_a_data_frame_names_segments_and_documents(demo: Corpus) -> None:
    named = replace(demo, ids=[f"s{i}" for i in range(60)], documents=[f"d{i // 10}" for i in range(60)])
    frame = evaluate_stream([named], [get("sari")], keep=100).segments()
    assert list(frame.columns) == ["segment", "id", "document", "system", "sari"]
    assert frame["id"][59] == "s59"
    assert frame["document"][59] == "d5"


def test_systems_can_be_gone_through(evaluation: Evaluation) -> None:
    assert list(evaluation) == ["careful-writer", "splitter"]


def test_json_and_back(evaluation: Evaluation, tmp_path: Path) -> None:
    text = evaluation.to_json(tmp_path / "scores.json")
    assert json.loads(text)["systems"] == json.loads(evaluation.table("json"))["systems"]
    for source in (text, tmp_path / "scores.json", str(tmp_path / "scores.json")):
        again = Evaluation.from_json(source)
        assert content(again) == content(evaluation)
        assert again.compare(resamples=100).pairs == evaluation.compare(resamples=100).pairs


def test_what_was_not_scored_survives_json() -> None:
    scores = plainly.evaluate(["a b", "c d"], ["a", None], [["a"], []], metrics=["sari", "smog"])
    again = Evaluation.from_json(scores.to_json())
    assert content(again) == content(scores)
    assert again["output"]["sari"].unscored == 1


def test_json_without_statistics() -> None:
    scores = plainly.evaluate(["a b"], ["a"], [["a"]], metrics=["bleu"], keep_statistics=False)
    again = Evaluation.from_json(scores.to_json())
    assert again.table() == scores.table()
    with pytest.raises(PlainlyError, match="keep_statistics=True"):
        again.compare()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data.pop("metrics"), "has no 'metrics'"),
        (lambda data: data["metrics"]["sari"].update(name="sarix"), "cannot be used: .*sarix.*did you mean"),
        (lambda data: data["statistics"]["splitter"]["sari"].pop(), "the statistics of sari have the shape"),
        (lambda data: data["statistics"]["splitter"]["sari"][3].pop(), "not what Evaluation.to_json writes"),
        (lambda data: data.update(ids=["a"]), "60 segments, but 1 ids"),
    ],
)
def test_damaged_files_are_refused(evaluation: Evaluation, tmp_path: Path, damage: Any, message: str) -> None:
    data = json.loads(evaluation.to_json())
    damage(data)
    (tmp_path / "scores.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(PlainlyError, match=message):
        Evaluation.from_json(tmp_path / "scores.json")


@pytest.mark.parametrize("text", ["{", "{}", "[]", "", "no/such/file"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(PlainlyError):
        Evaluation.from_json(text)


def test_parts_of_a_test_set_make_the_whole(evaluation: Evaluation, demo: Corpus) -> None:
    parts = [scored(demo.slice(start, end)) for start, end in [(0, 10), (10, 11), (11, 60)]]
    assert content(concatenate(parts)) == content(evaluation)


def test_systems_and_metrics_scored_apart_make_the_whole(evaluation: Evaluation, demo: Corpus) -> None:
    parts = [
        scored(demo.with_outputs({system: demo.outputs[system]}), (metric,))
        for system in demo.outputs
        for metric in ("sari", "bleu")
    ]
    assert content(merge(parts)) == content(evaluation)


def test_what_does_not_fit_is_not_put_together(evaluation: Evaluation, demo: Corpus) -> None:
    one = demo.with_outputs({"splitter": demo.outputs["splitter"]})
    with pytest.raises(PlainlyError, match="different systems"):
        concatenate([evaluation, scored(one)])
    with pytest.raises(PlainlyError, match="different metrics or settings"):
        concatenate([evaluation, scored(demo, lowercase=False)])
    with pytest.raises(PlainlyError, match="different segments"):
        merge([evaluation, scored(demo.slice(0, 5))])
    sources = [f"{source} Indeed." if i == 7 else source for i, source in enumerate(demo.sources)]
    with pytest.raises(PlainlyError, match="different segments: the source of segment 7 is"):
        merge([evaluation, scored(Corpus(sources, one.references, {"other": one.outputs["splitter"]}))])
    with pytest.raises(PlainlyError, match="different statistics of splitter by sari"):
        merge([evaluation, scored(one.with_outputs({"splitter": demo.outputs["careful-writer"]}))])
    with pytest.raises(PlainlyError, match="same metric with different settings"):
        merge([evaluation, scored(one, lowercase=False)])
    with pytest.raises(PlainlyError, match="careful-writer was not scored by chrf"):
        merge([evaluation, scored(one, ("chrf",))])
    with pytest.raises(PlainlyError, match="nothing"):
        merge([])


def test_a_notebook_shows_a_table() -> None:
    scores = plainly.evaluate(["a"], {"<b>&": ["a"]}, [["a"]], metrics=["bleu"])
    html = scores._repr_html_()
    assert '<td>&lt;b&gt;&amp;</td><td class="number">' in html
    assert scores["<b>&"]["bleu"].signature in html


def test_a_report_of_an_evaluation(demo: Corpus, tmp_path: Path) -> None:
    scores = scored(demo, ("sari",), baselines=["identity"])
    scores.report(tmp_path / "page.html", title="Mine & yours", against="identity", resamples=50)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "Mine &amp; yours" in page
    assert "Compression ratio" in page  # the background metrics come along
    with pytest.raises(PlainlyError, match="cannot write"):
        scores.report(tmp_path / "no" / "page.html", resamples=50)
    with pytest.raises(PlainlyError, match="the texts"):
        Evaluation.from_json(scores.to_json()).report(tmp_path / "other.html")
    assert not (tmp_path / "other.html").exists()


def test_as_people_write_it() -> None:
    given: dict[str, Any] = {"sources": ["It ceased."], "references": [["It stopped."]]}
    scores = plainly.evaluate(outputs=["It stopped."], metrics="SARI", **given)
    assert repr(scores).splitlines() == ["Evaluation: scores", "system  SARI ↑", "------  ------", "output   58.33"]
    both = plainly.evaluate(outputs=["It stopped."], metrics="sari, bleu", **given)
    assert list(both.metrics) == ["sari", "bleu"]
    frame = both.to_frame()
    assert list(frame["metric"]) == ["sari", "bleu"]
    assert frame["score"][0] == both["output"]["sari"].score
    with pytest.raises(PlainlyError, match="evaluate has no argument 'predictions'; say outputs="):
        plainly.evaluate(predictions=["It stopped."], **given)
