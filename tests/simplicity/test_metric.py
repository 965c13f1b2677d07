"""The metric `simplicity`: means, gains, what is not scored, and models of one's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.simplicity import load_model
from plainly.simplicity.metric import Simplicity

SOURCES = ["The physician prescribed antibiotics to combat the infection.", "He relinquished his position.", None]
OUTPUTS = ["The doctor gave antibiotics.", "…", "He left."]


def test_mean_of_outputs_and_gain_over_sources() -> None:
    corpus = Corpus(SOURCES, outputs={"x": OUTPUTS})
    metric = Simplicity()
    rows = metric.measure(corpus, "x")
    first, last = load_model("full").scores([OUTPUTS[0], OUTPUTS[2]])
    (source,) = load_model("full").scores([str(SOURCES[0])])
    assert rows[:, 0].tolist() == [1, 0, 1]  # nothing to read in the second: not scored, and not 0
    found = metric.score(rows.sum(axis=0))
    assert found.value == pytest.approx((first + last) / 2)
    assert found.components["source"] == pytest.approx(source)
    assert found.components["gain"] == pytest.approx(first - source)  # the third has no source
    each = metric.score(rows)
    assert np.isnan(each.value[1])
    assert each.value[2] == pytest.approx(last)


def test_is_a_registered_metric() -> None:
    from importlib.metadata import entry_points

    points = {point.name: point.value for point in entry_points(group="plainly.metrics")}
    assert points.get("simplicity") == "plainly.simplicity.metric:Simplicity", "install the package anew"


def test_variant_is_in_the_signature() -> None:
    assert "|variant:lite|" in Simplicity(variant="lite").signature()
    assert "wordfreq:" in Simplicity().signature(long=True)
    assert Simplicity(variant="lite").label == "simplicity:lite"


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(load_model("lite").save())
    metric = Simplicity(simplicity_model=str(own))
    corpus = Corpus([None] * 3, outputs={"x": OUTPUTS})
    expected = Simplicity(variant="lite").measure(corpus, "x")
    assert metric.measure(corpus, "x").tolist() == expected.tolist()
    assert "|variant:lite|model:" in metric.signature()
    assert str(tmp_path) not in metric.signature()


@pytest.mark.parametrize("name", ["full", "lite"])
def test_a_model_that_ships_has_one_signature(name: str) -> None:
    metric = Simplicity(variant="full", simplicity_model=name)
    assert metric.signature(long=True) == Simplicity(variant=name).signature(long=True)
    assert metric == Simplicity(variant=name)
    assert metric.model is load_model(name)


def test_other_languages_need_a_model(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match="no model of 'de' ships; train one"):
        Simplicity(lang="de")
    own = tmp_path / "own.json"
    own.write_bytes(load_model("lite").save())
    with pytest.raises(PlainlyError, match="a model of 'en', not of 'de'"):
        Simplicity(lang="de", simplicity_model=str(own))
    assert Simplicity.missing("en") is None
