"""Regressions: conditions that a lasso must meet, and folds. Table 3 of Cardon et al. 2022: tests/replication."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.base.plain_data import plain_data
from plainly.inference import Resampling
from plainly.operations.correlation import Observations
from plainly.operations.regression import MODELS, fold_numbers, r_squared, regress

sklearn = pytest.importorskip("sklearn", reason="needs plainly[learn]")


@pytest.fixture(scope="module")
def made_up() -> Observations:
    """60 sources with 5 pairs each; y = 4 a - 2 b + noise, and c does nothing."""
    draw = np.random.default_rng(1)
    counts = draw.poisson(1.0, (300, 3)).astype(float)
    y = 50 + counts @ [4.0, -2.0, 0.0] + draw.normal(size=300)
    return Observations(
        tuple(str(i // 5) for i in range(300)),
        tuple(str(i % 5) for i in range(300)),
        np.zeros(300, dtype=bool),
        ("a", "b", "c"),
        counts,
        {"y": y},
        {"y": "higher"},
    )


@pytest.mark.parametrize("alpha", [0.05, 0.5, 2.0])
def test_lasso_meets_its_conditions(made_up: Observations, alpha: float) -> None:
    """At the minimum of |y - Xw|^2 / 2n + alpha |w|, |x'r| / n is alpha where w is not 0, and at most alpha else."""
    found = regress(made_up, "y", alpha=alpha, resampling=Resampling(resamples=0))
    weights = np.array([found.weights[name] for name in "abc"])
    x = made_up.counts - made_up.counts.mean(axis=0)
    assert found.intercept is not None
    residuals = made_up.scores["y"] - found.intercept - made_up.counts @ weights
    slopes = x.T @ residuals / len(x)
    assert residuals.mean() == pytest.approx(0, abs=1e-9)
    for slope, weight in zip(slopes, weights, strict=True):
        if weight:
            assert slope == pytest.approx(alpha * np.sign(weight), abs=1e-3)
        else:
            assert abs(slope) <= alpha + 1e-3


@pytest.mark.parametrize("model", MODELS)
def test_all_models_find_what_is_there(made_up: Observations, model: str) -> None:
    found = regress(made_up, "y", model, folds=3, resampling=Resampling(resamples=100))  # type: ignore[arg-type]
    assert 0.75 < found.r2_pooled.value < 1
    assert found.r2_pooled.value in found.r2_pooled
    assert found == regress(made_up, "y", model, folds=3, resampling=Resampling(resamples=100))  # type: ignore[arg-type]
    if model == "mlp":
        assert not found.weights
    else:
        assert max(found.weights, key=lambda name: abs(found.weights[name])) == "a"
    assert (found.n, found.sources, found.folds) == (300, 60, 3)
    assert plain_data(found)["r2_pooled"] == found.r2_pooled.to_dict()


def test_alpha_is_chosen_where_none_is_given(made_up: Observations) -> None:
    found = regress(made_up, "y", resampling=Resampling(resamples=0))
    assert found.alpha is not None
    assert found.alpha < 0.3
    assert found.weights["a"] == pytest.approx(4, abs=0.3)


def test_interval_of_r2_is_that_of_repeated_sources(made_up: Observations) -> None:
    from plainly.inference.resampling import bootstrap_weights
    from plainly.operations.regression import _pooled

    y = made_up.scores["y"]
    predicted = y + np.random.default_rng(2).normal(size=300)
    bounds = _pooled(made_up.ids, y, predicted, Resampling(40, 9, 0.9))
    values = []
    for row in np.concatenate(list(bootstrap_weights(60, 40, 9))).astype(int):
        drawn = np.repeat(np.arange(300), np.repeat(row, 5))
        values.append(r_squared(y[drawn], predicted[drawn]))
    assert (bounds.low, bounds.high) == pytest.approx(tuple(np.quantile(values, [0.05, 0.95])))


def test_folds_keep_groups_together() -> None:
    groups = [str(i % 7) for i in range(50)] + ["big"] * 20
    folds = fold_numbers(groups, 3)
    assert set(folds) == {0, 1, 2}
    for group in set(groups):
        assert len({fold for fold, own in zip(folds, groups, strict=True) if own == group}) == 1
    assert max(np.bincount(folds)) - min(np.bincount(folds)) <= 8
    assert fold_numbers(["a", "b", "a"], 10).tolist() == [0, 1, 0]
    with pytest.raises(PlainlyError, match="at least 2 folds"):
        fold_numbers(groups, 1)


def test_folds_are_those_of_scikit_learn(made_up: Observations) -> None:
    from sklearn.model_selection import GroupKFold

    folds = fold_numbers(made_up.ids, 10)
    theirs = [set(test) for _, test in GroupKFold(10).split(made_up.counts, groups=list(map(int, made_up.ids)))]
    ours = [set(np.flatnonzero(folds == fold)) for fold in range(10)]
    assert {frozenset(fold) for fold in ours} == {frozenset(fold) for fold in theirs}


def test_r2() -> None:
    y = np.array([1.0, 2.0, 3.0])
    assert r_squared(y, y) == 1
    assert r_squared(y, np.full(3, 2.0)) == 0
    assert r_squared(y, np.array([1.0, 2.0, 4.0])) == pytest.approx(0.5)  # 1 - 1 / 2
    assert np.isnan(r_squared(np.ones(3), y))


def test_refusals(made_up: Observations, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match="did you mean 'lasso'"):
        regress(made_up, "y", "laso")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="alpha must be above 0"):
        regress(made_up, "y", alpha=0)
    one = Observations(
        ("0", "0"), ("a", "b"), np.zeros(2, bool), ("a",), np.ones((2, 1)), {"y": np.arange(2.0)}, {"y": "higher"}
    )
    with pytest.raises(PlainlyError, match="folds by source need at least two"):
        regress(one, "y")
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingResource, match=r"pip install 'plainly\[learn\]'"):
        regress(made_up, "y")
