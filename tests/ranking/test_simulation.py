"""Simulated studies: against the published simulation, against ratings one by one, and reproducible."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

from plainly.base.errors import PlainlyError
from plainly.ranking import bradley_terry, elo
from plainly.ranking.many_studies import bradley_terry_many, covariance, elo_mean_many
from plainly.ranking.pairing import balanced_many, random_many
from plainly.ranking.simulation import needed, simulate
from plainly.ranking.studies import PAPER, Crowd, Setting, slope_of

from ..real import NOT_HERE, SHARED

ORACLE = SHARED / "oracle" / "arts.json"
NAMES = {"oracle": "oracle", "u1_p.10": "one rater, 90 %", "u2_p.25": "one rater, 75 %"}
NAMES["maj16_p.25"] = "majority of 16, 75 %"
SMALL = Setting(texts=12, pairs=(6, 30), runs=40)


@pytest.mark.skipif(not ORACLE.exists(), reason=NOT_HERE)
def test_the_simulation_of_the_paper() -> None:
    """Means and deviations of 2,000 runs of an independent program; with 200 runs, .015 is its stated tolerance."""
    reference = json.loads(ORACLE.read_text("utf-8"))["simulation"]
    found = simulate(Setting(pairs=(47, 376), runs=200))
    for key, name in NAMES.items():
        for point, (pairs, (mean, sd)) in zip(
            found.curve(name), reference["reference_2000_runs_mean_sd"][key].items(), strict=True
        ):
            assert point.pairs == int(pairs)
            assert point.rho.value == pytest.approx(mean, abs=reference["tolerance_for_200_runs"])
            assert point.sd == pytest.approx(sd, rel=0.25)  # four standard errors of a deviation from 200 runs
            assert point.error == pytest.approx(point.sd / math.sqrt(200))


# shared/notes/arts.md, sections 2.4 and 3.1: means of 300 to 2,000 runs of an independent program, 376 pairs.
PUBLISHED = [
    ("elo", "balanced", "constant", (0.913, 0.842, 0.654, 0.903)),
    ("bradley-terry", "balanced", "constant", (None, 0.858, 0.659, None)),
    ("elo", "balanced", "closeness", (None, 0.892, 0.773, None)),
    ("elo-mean", "balanced", "closeness", (None, 0.899, 0.781, None)),
    ("bradley-terry", "balanced", "closeness", (None, 0.923, 0.784, None)),
    ("bradley-terry", "random", "closeness", (None, 0.913, None, None)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "pairing", "error", "means"), PUBLISHED)
def test_other_methods_and_pairs(method: str, pairing: str, error: str, means: tuple[float | None, ...]) -> None:
    setting = Setting(pairs=(376,), runs=200, method=method, pairing=pairing, error=error)  # type: ignore[arg-type]
    found = simulate(setting)
    for crowd, mean in zip(PAPER, means, strict=True):
        if mean is not None:
            assert found.curve(crowd.name)[0].rho.value == pytest.approx(mean, abs=0.012)


@pytest.mark.slow
def test_swiss_rounds_with_bradley_terry_need_fewer_judgements() -> None:
    """At least 9 % fewer than balanced rounds with Elo at 376 pairs: 342 pairs or less reach the same rho."""
    for error in ("constant", "closeness"):
        setting = Setting(pairs=(342, 376), runs=200, error=error)  # type: ignore[arg-type]
        usual = simulate(replace(setting, pairing="balanced"), PAPER[1:3])
        better = simulate(replace(setting, pairing="swiss", method="bradley-terry"), PAPER[1:3])
        for crowd in PAPER[1:3]:
            assert better.curve(crowd.name)[0].rho.value >= usual.curve(crowd.name)[1].rho.value


@pytest.mark.slow
def test_with_adaptive_pairs_the_order_of_elo_gets_worse() -> None:
    """shared/notes/arts.md, section 3.4: from 376 to 940 pairs rho falls; it never does with Bradley-Terry."""
    setting = Setting(pairs=(376, 940), runs=60, pairing="swiss", error="closeness")
    elo_first, elo_last = simulate(setting, PAPER[1:2]).curve("one rater, 90 %")
    first, last = simulate(replace(setting, method="bradley-terry"), PAPER[1:2]).curve("one rater, 90 %")
    assert elo_last.rho.value < elo_first.rho.value - 0.02
    assert last.rho.value > first.rho.value > elo_first.rho.value


def test_the_same_numbers_on_any_number_of_threads() -> None:
    setting = Setting(texts=1000, pairs=(500,), runs=5)  # so many texts that every block has two studies
    one, many = (simulate(setting, PAPER[1:2], threads=threads) for threads in (1, 3))
    assert one.rho["one rater, 90 %"].tolist() == many.rho["one rater, 90 %"].tolist()
    other = simulate(replace(setting, seed=1), PAPER[1:2])
    assert one.rho["one rater, 90 %"].tolist() != other.rho["one rater, 90 %"].tolist()


@pytest.mark.parametrize("pairing", ["random", "balanced", "swiss", "information"])
@pytest.mark.parametrize("method", ["elo", "elo-mean", "bradley-terry"])
@pytest.mark.parametrize("combination", ["majority", "votes"])
def test_every_combination_learns(pairing: str, method: str, combination: str) -> None:
    setting = replace(SMALL, pairing=pairing, method=method, combination=combination, error="closeness")  # type: ignore[arg-type]
    found = simulate(setting, [Crowd("three", 0.8, 3)])
    first, last = found.curve("three")
    assert first.judgements == 18
    assert first.rho.value < last.rho.value
    assert 0.5 < last.rho.value < 1
    assert first.rho.low <= first.rho.value <= first.rho.high


def test_more_accurate_raters_rank_better() -> None:
    means = [point[-1].rho.value for point in map(simulate(SMALL).curve, [crowd.name for crowd in PAPER])]
    assert means[0] > means[1] > means[2]
    assert means[3] > means[2]


@pytest.mark.parametrize("accuracy", [0.6, 0.75, 0.9, 0.99])
def test_slope_gives_the_accuracy(accuracy: float) -> None:
    """A check by drawing: 200,000 pairs of normal texts, standard error at most .0011."""
    draw = np.random.default_rng(0)
    gap = np.abs(draw.standard_normal(200_000) - draw.standard_normal(200_000))
    right = 1 / (1 + np.exp(-slope_of(accuracy) * gap))
    assert right.mean() == pytest.approx(accuracy, abs=0.005)
    assert math.isinf(slope_of(1.0))


def study(runs: int = 4, n: int = 15, matches: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draw = np.random.default_rng(7)
    first, second = balanced_many(runs, n, matches, draw)
    return first, second, draw.integers(2, size=first.shape).astype(float)


def test_elo_of_many_studies_is_elo_of_each() -> None:
    first, second, outcome = study()
    after = elo.elo_many(first, second, outcome, 15, [20, 60])
    for i in range(4):
        assert after[0][i] == pytest.approx(elo.fit(first[i, :20], second[i, :20], outcome[i, :20], 15), abs=1e-9)
        assert after[1][i] == pytest.approx(elo.fit(first[i], second[i], outcome[i], 15), abs=1e-9)


def test_mean_elo_of_many_studies() -> None:
    first, second, outcome = study()
    mean = elo_mean_many(first, second, outcome, 15, 400, np.random.default_rng(0))
    order = np.argsort(np.random.default_rng(1).random((400, 60)), axis=1)
    for i in range(4):
        assert mean[i] == pytest.approx(elo.replay_all(first[i], second[i], outcome[i], 15, order).mean(0), abs=1.0)


@pytest.mark.parametrize("weight", [1.0, 5.0])
def test_bradley_terry_of_many_studies_is_that_of_each(weight: float) -> None:
    first, second, outcome = study()
    found = bradley_terry_many(first, second, outcome, 15, sd=1.3, weight=weight)
    for i in range(4):
        alone = bradley_terry.estimate(first[i], second[i], outcome[i], 15, np.full(60, weight), sd=1.3).ratings
        assert found[i] == pytest.approx(alone, abs=1e-3)


def test_covariance_by_hand() -> None:
    """Two texts, one match, both rated 0, prior sd 1: curvature [[1.25, -.25], [-.25, 1.25]], determinant 1.5."""
    found = covariance(np.array([0]), np.array([1]), np.zeros(2), sd=1.0)
    assert found == pytest.approx(np.array([[1.25, 0.25], [0.25, 1.25]]) / 1.5)


def test_rho_is_spearman() -> None:
    """One run, rebuilt by hand from the same random numbers, with ratings tied for texts that did not meet."""
    setting = Setting(texts=9, pairs=(5,), runs=2)
    child = np.random.SeedSequence(setting.seed).spawn(1)[0]
    shared, _ = (np.random.default_rng(part) for part in child.spawn(2))
    truth = shared.standard_normal((2, 9))
    first, second = random_many(2, 9, 5, shared)
    found = simulate(setting, [Crowd("oracle", 1.0)]).rho["oracle"][0]
    for i in range(2):
        won = (truth[i][first[i]] > truth[i][second[i]]).astype(float)
        assert found[i] == pytest.approx(spearmanr(elo.fit(first[i], second[i], won, 9), truth[i]).statistic)


def test_how_many_pairs_a_target_needs() -> None:
    setting = Setting(texts=20, pairs=(10,), runs=60, method="bradley-terry", pairing="balanced")
    crowd = Crowd("one", 0.9)
    answer = needed(setting, crowd, 0.8)
    assert answer.rho >= 0.8
    assert answer.low <= answer.pairs
    assert answer.high is None or answer.pairs <= answer.high
    assert answer.judgements == answer.pairs
    assert answer.hours(18) == answer.pairs * 18 / 3600
    below = simulate(replace(setting, pairs=(answer.pairs * 3 // 4,)), [crowd]).curve("one")[0]
    assert below.rho.value < 0.8
    assert needed(setting, Crowd("three", 0.9, 3), 0.8).pairs <= answer.pairs


def test_a_target_out_of_reach() -> None:
    with pytest.raises(PlainlyError, match=r"0\.999 is not reached: with 45 pairs"):
        needed(Setting(texts=10, pairs=(5,), runs=4, pairing="swiss"), Crowd("one", 0.6), 0.999)
    with pytest.raises(PlainlyError, match="between 0 and 1, not 1"):
        needed(SMALL, PAPER[0], 1.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"texts": 2}, "at least 3 texts, not 2"),
        ({"runs": 1}, "at least 2 runs, not 1"),
        ({"pairs": ()}, "each larger than the one before"),
        ({"pairs": (5, 5)}, "each larger than the one before"),
        ({"pairs": (99,), "texts": 12, "pairing": "swiss"}, "12 texts make 66 pairs"),
        ({"method": "bradley"}, "did you mean 'bradley-terry'"),
        ({"k": math.inf}, "k must be above 0"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, object], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        Setting(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("crowds", "message"),
    [
        ([], "needs raters"),
        ([Crowd("coin", 0.5)], "above 0.5"),
        ([Crowd("nobody", 0.9, 0)], "1 to 1000 votes a pair, not 0"),
        ([Crowd("twin", 0.9), Crowd("twin", 0.8)], "the same name"),
    ],
)
def test_crowds_that_cannot_be(crowds: list[Crowd], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        simulate(SMALL, crowds)
