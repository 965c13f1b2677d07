"""Learning: what is known to be true is found, the verdict is earned, and tests are never seen while learning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling
from plainly.metaeval.quality import Inputs, Trained, pooled, train
from plainly.metaeval.quality.ridge import PENALTIES, _Solver, fitted
from plainly.metrics import Array

from .conftest import NAMES, Formula, Make, both, one

QUICK = Resampling(resamples=200, seed=3)
HALVES = {"first": range(30), "second": range(30, 60)}


def learned(make: Make, inputs: Inputs, formula: Formula, sets: dict[str, range] | None = None) -> Trained:
    parts = sets or {"made-up": range(60)}
    judged = [make(formula, name=name, segments=own, seed=place) for place, (name, own) in enumerate(parts.items())]
    return train(judged, ["quality"], inputs, resampling=QUICK, threads=1)


@pytest.mark.parametrize("sets", [None, HALVES])
def test_two_things_that_count_beat_either_alone(make: Make, inputs: Inputs, sets: dict[str, range] | None) -> None:
    found = learned(make, inputs, both, sets)
    assert found.better
    assert all(test.verdict == "better" for test in found.deciding)
    # The formula has a variance of at least 1 beside a noise of 0.09, so its correlation is above 0.95.
    assert all(test.combined.value > 0.9 > test.by_single.value for test in found.deciding)
    weights = dict(zip(found.model.inputs, found.model.weights, strict=True))
    assert weights["sari/keep"] > 0.3
    assert weights["fkgl"] < -0.3
    assert max(abs(weights[name]) for name in ("bleu", "compression-ratio", "word-length")) < 0.15


@pytest.mark.parametrize("sets", [None, HALVES])
def test_where_one_thing_counts_the_combination_is_refused(
    make: Make, inputs: Inputs, sets: dict[str, range] | None
) -> None:
    found = learned(make, inputs, one, sets)
    assert not found.better
    assert {test.single for test in found.deciding} == {"bleu"}
    assert "is not shown to be better than the best single one" in str(found.verdict)
    assert "of bleu)" in str(found.verdict)


def test_noise_alone_is_not_learned(make: Make, inputs: Inputs) -> None:
    found = learned(make, inputs, lambda z: 0 * z["bleu"])
    assert not found.better
    assert abs(found.validations[0].combined.value) < 0.2
    assert found.model.about["penalty"] == max(PENALTIES)


def test_several_sets_are_held_out_in_turn(make: Make, inputs: Inputs) -> None:
    found = learned(make, inputs, both, HALVES)
    assert [(test.tested_on, test.trained_on) for test in found.validations] == [
        ("first", ()),
        ("second", ()),
        ("first", ("second",)),
        ("second", ("first",)),
    ]
    assert [test.seen for test in found.validations] == [180] * 4
    assert [test.sources for test in found.validations] == [30] * 4


def test_what_is_like_the_test_is_not_learned_from(make: Make, inputs: Inputs) -> None:
    whole, part = make(both, name="whole"), make(both, name="part", segments=range(20))
    found = train([whole], ["quality"], inputs, unseen=[part], resampling=QUICK, threads=1)
    test = found.deciding[0]
    # 20 of the 60 sources, in the outputs of six systems.
    assert (test.tested_on, test.left_out, test.seen) == ("part", 120, 240)
    assert found.model.about["outputs"] == 240


@pytest.mark.slow
def test_the_same_data_under_another_name_are_no_test(make: Make, inputs: Inputs) -> None:
    with pytest.raises(PlainlyError, match="360 of 360 outputs are too much like those held out"):
        train([make(both)], ["quality"], inputs, unseen=[make(both, name="again")], resampling=QUICK, threads=1)
    found = train([make(both), make(both, name="again")], ["quality"], inputs, resampling=QUICK, threads=1)
    assert found.untested == ("made-up", "again")
    assert not any(test.held_out for test in found.validations)


def test_a_source_in_other_letters_is_still_the_same(make: Make, inputs: Inputs) -> None:
    shouted = make(both, name="shouted", segments=range(30))
    shouted = replace(shouted, sources=tuple(str(text).upper() + " ..." for text in shouted.sources))
    pool = pooled([make(both), shouted], ["quality"], inputs, threads=1)
    assert len(pool.unlike(pool.rows("made-up"), "shouted")) == 180


def test_two_sources_are_enough(make: Make, inputs: Inputs) -> None:
    judged = make(both)
    two = replace(judged, segments=tuple(str(int(segment) % 2) for segment in judged.segments))
    found = train([two], ["quality"], inputs, resampling=QUICK, threads=1)
    assert found.validations[0].sources == 2


def test_less_may_be_better(make: Make, inputs: Inputs) -> None:
    up, down = (make(both, direction=direction) for direction in ("higher", "lower"))
    weights = [train([own], ["quality"], inputs, resampling=QUICK, threads=1).model.weights for own in (up, down)]
    np.testing.assert_array_equal(weights[0], weights[1])
    found = train([down], ["quality"], inputs, resampling=QUICK, threads=1)
    assert found.turned == ("made-up",)
    assert str(found.notes[0]).startswith("made-up: less is better of what was judged")
    assert found.model.about["turned round, as less is better"] == ["made-up"]
    assert not learned(make, inputs, both).notes


@pytest.mark.parametrize("noise", [0.3, 3.0])
def test_one_input_alone_is_as_good_as_itself(make: Make, noise: float) -> None:
    """Else folds would be held against each other by what their judgements left for learning."""
    alone = Inputs.named(["bleu"], "en")
    (test,) = train([make(one, noise=noise)], ["quality"], alone, resampling=QUICK, threads=1).validations
    assert test.gap.difference.value == pytest.approx(0, abs=1e-12)
    assert test.gap.difference.low == pytest.approx(0, abs=1e-12)
    assert test.combined.value == pytest.approx(test.by_afterwards, abs=2e-3)  # but for what lies beyond four spreads
    assert test.verdict == "not shown to be better"


def test_all_sides_are_turned_so_that_more_is_better(make: Make, inputs: Inputs) -> None:
    (test,) = train([make(lambda z: -z["fkgl"])], ["quality"], inputs, resampling=QUICK, threads=1).validations
    assert (test.single, test.afterwards) == ("fkgl", "fkgl")
    assert min(test.by_single.value, test.by_afterwards) > 0.9


def test_ridge_is_that_of_scikit_learn(make: Make, inputs: Inputs, values: Array) -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    pool = pooled([make(both)], ["quality"], inputs, threads=1)
    people = np.column_stack([pool.people, pool.people[::-1]])
    found = _Solver(pool.values, people).fitted(np.array([0.1, 3.0]))
    there = np.where(np.isfinite(pool.values), pool.values, found.means)
    scaled = np.clip((there - found.means) / found.spreads, -4, 4)
    for column, penalty in enumerate((0.1, 3.0)):
        theirs = linear_model.Ridge(alpha=penalty * len(people), fit_intercept=False).fit(scaled, people[:, column])
        np.testing.assert_allclose(found.weights[:, column], theirs.coef_, rtol=1e-6, atol=1e-9)


def test_folds_keep_a_source_together(make: Make, inputs: Inputs) -> None:
    pool = pooled([make(both)], ["quality"], inputs, threads=1)
    for seen, unseen in pool.splits(np.arange(len(pool.people))):
        assert not set(pool.groups[seen].tolist()) & set(pool.groups[unseen].tolist())


def test_an_input_without_values_weighs_nothing(make: Make, inputs: Inputs) -> None:
    pool = pooled([make(both)], ["quality"], inputs, threads=1)
    empty = pool.values.copy()
    empty[:, 0] = np.nan
    found = fitted(replace(pool, values=empty), np.arange(len(empty)), pool.people[:, None])
    assert found.weights[0, 0] == 0
    assert np.isfinite(found.predicted(empty)).all()


def test_threads_and_order_of_inputs_change_nothing(make: Make, inputs: Inputs) -> None:
    turned = Inputs.named(NAMES[::-1], "en")
    first = train([make(both)], ["quality"], inputs, resampling=QUICK, threads=1)
    second = train([make(both)], ["quality"], turned, resampling=QUICK, threads=3)
    np.testing.assert_allclose(first.model.weights, second.model.weights[::-1], rtol=1e-7)
    assert first.model.text() == train([make(both)], ["quality"], inputs, resampling=QUICK, threads=3).model.text()


def test_sets_may_call_the_same_thing_by_different_names(make: Make, inputs: Inputs) -> None:
    other = make(both, name="other", segments=range(30, 60))
    other = replace(other, values={"goodness": other.values["quality"]}, directions={})
    pool = pooled([make(both, segments=range(30)), other], ["quality", "goodness"], inputs, threads=1)
    assert pool.sets == ("made-up", "other")
    with pytest.raises(PlainlyError, match="other: unknown dimension 'quality'"):
        pooled([make(both), other], ["quality"], inputs, threads=1)


def test_what_cannot_be_learned_from_is_said(make: Make, inputs: Inputs) -> None:
    judged = make(both)
    with pytest.raises(PlainlyError, match="judged all 360 outputs of made-up the same"):
        train([replace(judged, values={"quality": np.ones(360)})], ["quality"], inputs)
    with pytest.raises(PlainlyError, match="0 judged outputs with references and source; it takes at least 20"):
        train([replace(judged, references=((),) * 360)], ["quality"], inputs)
    with pytest.raises(PlainlyError, match="several languages: de, en"):
        train([judged, replace(judged, name="German", lang="de")], ["quality"], inputs)
    with pytest.raises(PlainlyError, match="the data set made-up is there twice"):
        train([judged, judged], ["quality"], inputs)
    with pytest.raises(PlainlyError, match="all judged outputs of made-up have the same source"):
        train([replace(judged, segments=("0",) * 360)], ["quality"], inputs)
    with pytest.raises(PlainlyError, match="18 judged outputs"):
        train([judged.select(range(18))], ["quality"], inputs)


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ([], "1 to 100 inputs, not 0"),
        (["bleu"] * 101, "1 to 100 inputs, not 101"),
        (["bleu", "bleu"], "bleu is named twice"),
        (["sari:easse/keep", "sari/keep"], "sari/keep is named twice"),
        (["sari/kept"], "unknown component of sari 'kept'; did you mean 'keep'"),
        (["plainly-quality"], "cannot be an input of itself"),
        (["wstf1"], "the input wstf1 cannot be computed"),
        (["no-such"], "unknown metric"),
        (["judge"], "the input judge cannot be computed"),
    ],
)
def test_inputs_that_are_none(names: list[str], complaint: str) -> None:
    with pytest.raises(PlainlyError, match=complaint):
        Inputs.named(names, "en")
