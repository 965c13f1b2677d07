"""The metric `plainly-quality`: the contract of all metrics, kept with a model of one's own."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plainly
from plainly.base.errors import MissingResource, PlainlyError
from plainly.demo import demo_corpus
from plainly.inference import Resampling
from plainly.metaeval.quality import Inputs, Model, train
from plainly.metaeval.quality.metric import Quality
from plainly.metrics import Array, get

from .conftest import Make, both


@pytest.fixture(scope="module")
def model(make: Make, inputs: Inputs) -> Model:
    return train([make(both)], ["quality"], inputs, resampling=Resampling(50), threads=1).model


@pytest.fixture
def file(model: Model, tmp_path: Path) -> str:
    path = tmp_path / "m.json"
    path.write_text(model.text())
    return str(path)


def changed(model: Model, file: str, **changes: object) -> str:
    Path(file).write_text(replace(model, **changes).text())  # type: ignore[arg-type]
    return file


def test_statistics_add_up_to_the_mean_prediction(model: Model, file: str, values: Array) -> None:
    corpus, metric = demo_corpus("en"), Quality(quality_model=file)
    system = next(iter(corpus.outputs))
    rows = metric.measure(corpus, system)
    assert rows.shape == (60, len(metric.columns))
    np.testing.assert_array_equal(rows[:, 0], 1)
    np.testing.assert_allclose(rows[:, 1], model.predicted(values[:60]))
    assert metric.score(rows.sum(axis=0)).value == pytest.approx(model.predicted(values[:60]).mean())
    parts = [metric.measure(corpus.slice(0, 25), system), metric.measure(corpus.slice(25, 60), system)]
    np.testing.assert_allclose(np.concatenate(parts), rows)


def test_good_systems_score_higher(file: str) -> None:
    corpus = demo_corpus("en")
    scores = plainly.evaluate(
        corpus.sources, corpus.outputs, corpus.references, metrics=["plainly-quality"], quality_model=file
    )
    label = "plainly-quality"
    # Readable and with what the references keep: what a careful writer does, and a copy does not.
    assert scores["careful-writer"][label].score > scores["identity"][label].score
    assert scores["careful-writer"][label].estimate.has_interval


def test_signatures_name_the_model_and_its_inputs(model: Model, file: str) -> None:
    metric = Quality(quality_model=file)
    assert f"|model:{model.identity}|" in metric.signature("3")
    assert "|refs:3|" in metric.signature("3")
    assert "inputs:bleu+sari/keep+fkgl+compression-ratio+word-length" in metric.signature("3", long=True)
    assert Path(file).name not in metric.signature("3", long=True)


def test_texts_that_lack_what_an_input_needs(file: str) -> None:
    rows = Quality(quality_model=file).measure(plainly.Corpus(["A."], [[]], {"s": ["B."]}), "s")
    np.testing.assert_array_equal(rows, [[0, 0, 0]])
    rows = Quality(quality_model=file).measure(plainly.Corpus(["A."], [["B."]], {"s": [""]}), "s")
    assert rows[0, 0] == 1
    assert np.isfinite(rows).all()
    assert rows[0, 2] == 1  # an empty output has no grade level; it stands at the mean


def test_it_travels_to_other_processes(file: str) -> None:
    metric = Quality(quality_model=file)
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert again.facts.needs == metric.facts.needs >= {"source", "references"}
    assert Quality.facts.needs == frozenset()


def test_without_a_model_it_says_how_to_get_one() -> None:
    assert "plainly metaeval train" in str(Quality.missing("en"))
    metric = get("plainly-quality")
    assert "model:none" in metric.signature()
    with pytest.raises(MissingResource, match="no model ships"):
        metric.measure(demo_corpus("en"), "identity")


def test_what_does_not_fit_is_refused(model: Model, file: str) -> None:
    with pytest.raises(PlainlyError, match="is a model of 'en', not of 'de'"):
        Quality(quality_model=file, lang="de")
    with pytest.raises(PlainlyError, match="it cannot score documents"):
        Quality(quality_model=file, unit="document")
    other = {**model.settings, "bleu": {**model.settings["bleu"], "tokenizer": "intl"}}
    with pytest.raises(PlainlyError, match=r"learned with bleu as .*intl.*, but here it is"):
        Quality(quality_model=changed(model, file, settings=other))
    with pytest.raises(PlainlyError, match=r"m\.json: unknown metric 'blue'"):
        Quality(quality_model=changed(model, file, inputs=("blue", *model.inputs[1:])))
    with pytest.raises(PlainlyError, match=r"m\.json: the input wstf1 cannot be computed"):
        Quality(quality_model=changed(model, file, inputs=("wstf1", *model.inputs[1:])))
