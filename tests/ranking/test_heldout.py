"""Cross-validation: folds that keep pairs together, losses from their definition, and slopes that calibrate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize
from sklearn.metrics import log_loss

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling
from plainly.metrics import Array
from plainly.ranking import Judgements, cross_validate, estimator
from plainly.ranking.fewer_raters import Way, fewer_raters
from plainly.ranking.fits import Fit, Index
from plainly.ranking.heldout import fold_numbers, pair_numbers, slope_of

Simulated = Callable[..., Judgements]


def test_a_pair_is_in_one_fold(judgements: Judgements) -> None:
    pair = pair_numbers(judgements)
    fold = fold_numbers(pair, 5, 0)
    assert all(len(set(fold[pair == number])) == 1 for number in range(pair.max() + 1))
    sizes = np.bincount([fold[pair == number][0] for number in range(pair.max() + 1)])
    assert sizes.max() - sizes.min() <= 1


def test_both_orders_are_one_pair(judgements: Judgements) -> None:
    for number in range(pair_numbers(judgements).max() + 1):
        chosen = np.flatnonzero(pair_numbers(judgements) == number)
        assert len({judgements.items[i].pair for i in chosen}) == 1


def test_numbers_of_a_method_that_knows_nothing(judgements: Judgements) -> None:
    def coin(first: Index, second: Index, outcome: Array, n: int) -> Fit:
        return Fit(np.zeros(n), lambda one, other: np.full(len(one), 0.5))

    (found,) = cross_validate(judgements, {"coin": coin}, resampling=Resampling(resamples=20))
    assert found.accuracy.value == 0.5
    assert found.log_loss.value == pytest.approx(np.log(2))
    assert found.calibrated_log_loss.value == pytest.approx(np.log(2))


def test_log_loss_is_that_of_sklearn(judgements: Judgements) -> None:
    """A method that never learns: its chances do not depend on the folds."""
    chances = 1 / (1 + np.exp(-(np.arange(12)[:, None] - np.arange(12)) / 3))

    def truth(first: Index, second: Index, outcome: Array, n: int) -> Fit:
        return Fit(np.arange(n, dtype=float), lambda one, other: chances[one, other])

    (found,) = cross_validate(judgements, {"truth": truth}, resampling=Resampling(resamples=20), repeats=2)
    p = chances[judgements.first, judgements.second]
    assert found.log_loss.value == pytest.approx(log_loss(judgements.outcome, p))
    assert found.accuracy.value == pytest.approx(np.mean((p > 0.5) == judgements.outcome))
    assert found.calibrated_log_loss.value == pytest.approx(found.log_loss.value, abs=0.02)  # it is calibrated


def test_slope_is_the_best() -> None:
    draw = np.random.default_rng(1)
    logits = draw.normal(size=500)
    outcome = (draw.random(500) < 1 / (1 + np.exp(-2.5 * logits))).astype(float)

    def loss(slope: float) -> float:
        return float((np.logaddexp(0, slope * logits) - outcome * slope * logits).sum())

    best = optimize.minimize_scalar(loss, bounds=(0, 10), method="bounded", options={"xatol": 1e-8}).x
    assert slope_of(logits, outcome) == pytest.approx(best, abs=1e-5)
    assert slope_of(logits, (logits > 0).astype(float)) == 100  # never wrong: as steep as it gets
    assert slope_of(logits, (logits < 0).astype(float)) == 0  # always wrong: better say nothing
    assert slope_of(np.zeros(3), np.ones(3)) == 1


@pytest.mark.slow
def test_bradley_terry_foretells_better_than_elo(simulated: Simulated) -> None:
    rows = cross_validate(
        simulated(texts=25, matches=200),
        {name: estimator(name) for name in ("elo", "bradley-terry")},
        resampling=Resampling(resamples=200),
    )
    elo, bradley_terry = rows
    assert bradley_terry.log_loss.value < elo.log_loss.value
    ahead = bradley_terry.ahead["log_loss"]
    assert ahead.value == pytest.approx(bradley_terry.log_loss.value - elo.log_loss.value)
    assert ahead.high < 0
    assert elo.ahead == {}


def test_too_many_folds(judgements: Judgements) -> None:
    with pytest.raises(PlainlyError, match=r"the number of folds must lie between 2 and the number of pairs \(\d+\)"):
        cross_validate(judgements, {"elo": estimator("elo")}, folds=1000)


def test_few_pairs(judgements: Judgements) -> None:
    few = judgements.select(range(12))  # four matches of three raters
    (found,) = cross_validate(few, {"elo": estimator("elo")}, folds=4, resampling=Resampling(resamples=10))
    assert (found.pairs, found.folds) == (4, 4)
    with pytest.raises(PlainlyError, match="cross-validation needs at least four pairs of texts, not 3"):
        cross_validate(judgements.select(range(9)), {"elo": estimator("elo")}, folds=3)


def test_fewer_raters(simulated: Simulated) -> None:
    judgements = simulated(texts=20, matches=100, raters=6)
    ways = [Way("elo", "majority", "first", {}), Way("bradley-terry", "all", None, {})]
    found = fewer_raters(judgements, [1, 5], ways, draws=5).rows
    assert [(row.raters, row.way, row.judgements) for row in found] == [
        (1, "elo:majority", 100),
        (1, "bradley-terry", 100),
        (5, "elo:majority", 500),
        (5, "bradley-terry", 500),
    ]
    assert found[3].spearman.value > found[1].spearman.value > 0.5
    against = fewer_raters(judgements, [6], ways, against=simulated(texts=20, matches=900, seed=9)).rows
    assert [row.draws for row in against] == [1, 1]
    assert against[1].spearman.value > 0.9
    with pytest.raises(PlainlyError, match="must lie between 1 and 5 here, not 6"):
        fewer_raters(judgements, [6], ways)
    with pytest.raises(PlainlyError, match="the yardstick says nothing of text 't"):
        fewer_raters(judgements, [2], ways, against=simulated(texts=10))
