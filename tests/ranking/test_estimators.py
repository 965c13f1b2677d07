"""Every estimator against something that is not ours: other packages, published examples, matches worked by hand."""

from __future__ import annotations

from collections.abc import Callable

import choix
import evalica
import numpy as np
import pytest
from openskill.models import BradleyTerryFull, ThurstoneMostellerFull
from scipy import optimize, stats

from plainly.base.errors import MissingResource, PlainlyError
from plainly.ranking import Judgements, bradley_terry, elo, glicko, skill
from plainly.ranking.fits import Fit, Index

Simulated = Callable[..., Judgements]
Arrays = tuple[Index, Index, np.ndarray, int]


def arrays(judgements: Judgements) -> Arrays:
    return judgements.first, judgements.second, judgements.outcome, len(judgements.texts)


def test_elo_by_hand() -> None:
    # Equals: the winner takes 16 (1 - 1/2) = 8. Then 1208 loses to 1192: expected 1 / (1 + 10^(-16/400)) = 0.523010,
    # so 16 * 0.523010 = 8.368153 points go back.
    found = elo.fit(np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.0]), 2)
    assert found == pytest.approx([1208 - 8.368153, 1192 + 8.368153], abs=1e-6)


def test_elo_is_that_of_evalica(judgements: Judgements) -> None:
    first, second, outcome, n = arrays(judgements)
    outcome = np.where(np.arange(len(outcome)) % 7 == 0, 0.5, outcome)
    won = [{1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}[value] for value in outcome]
    theirs = evalica.elo(first.tolist(), second.tolist(), won, initial=1200, k=16, scale=400, base=10).scores
    assert elo.fit(first, second, outcome, n) == pytest.approx(theirs.sort_index().to_numpy(), abs=1e-8)


def test_many_orders_at_once_are_single_ones(judgements: Judgements) -> None:
    first, second, outcome, n = arrays(judgements)
    orders = np.stack([np.random.default_rng(seed).permutation(len(first)) for seed in range(3)])
    found = elo.replay_all(first, second, outcome, n, orders)
    for row, order in zip(found, orders, strict=True):
        assert row == pytest.approx(elo.fit(first[order], second[order], outcome[order], n))


def test_bradley_terry_is_that_of_choix(judgements: Judgements) -> None:
    first, second, outcome, n = arrays(judgements)
    winners = [
        (int(a), int(b)) if won else (int(b), int(a)) for a, b, won in zip(first, second, outcome, strict=True)
    ]
    for sd in (0.5, 2.0):
        theirs = choix.opt_pairwise(n, winners, alpha=1 / (2 * sd**2), tol=1e-12)
        assert bradley_terry.estimate(first, second, outcome, n, sd=sd).ratings == pytest.approx(theirs, abs=1e-5)


def test_half_wins_are_two_half_votes(judgements: Judgements) -> None:
    first, second, outcome, n = arrays(judgements)
    tied = bradley_terry.estimate(first, second, np.full(len(first), 0.5), n, sd=1.0).ratings
    assert tied == pytest.approx(np.zeros(n), abs=1e-9)
    twice = np.concatenate([first, first]), np.concatenate([second, second])
    split = np.concatenate([np.ones(len(first)), np.zeros(len(first))])
    halves = np.where(np.arange(len(first)) < 50, 0.5, outcome)
    votes = np.concatenate([halves, 1 - halves])
    apart = bradley_terry.estimate(*twice, split, n, weights=votes, sd=1.0).ratings
    assert bradley_terry.estimate(first, second, halves, n, sd=1.0).ratings == pytest.approx(apart, abs=1e-8)


def test_weights_are_repeated_judgements(judgements: Judgements) -> None:
    first, second, outcome, n = arrays(judgements)
    counts = np.random.default_rng(5).integers(0, 4, len(first))
    places = np.repeat(np.arange(len(first)), counts)
    repeated = bradley_terry.estimate(first[places], second[places], outcome[places], n).ratings
    assert bradley_terry.estimate(first, second, outcome, n, counts.astype(float)).ratings == pytest.approx(
        repeated, abs=1e-7
    )


def posterior(judgements: Judgements, sd: float, side_sd: float | None) -> tuple[np.ndarray, np.ndarray, float]:
    """Mode, covariance and Laplace's evidence, by scipy and dense matrices, from the definition."""
    first, second, outcome, n = arrays(judgements)
    design = np.zeros((len(first), n + 1))
    design[np.arange(len(first)), first] = 1
    design[np.arange(len(first)), second] = -1
    design[:, n] = 1 if side_sd else 0
    scale = np.array([*[sd] * n, side_sd or 1.0])

    def minus_log(x: np.ndarray) -> float:
        logits = design @ x
        return float((np.logaddexp(0, logits) - outcome * logits).sum() + (x**2 / (2 * scale**2)).sum())

    def gradient(x: np.ndarray) -> np.ndarray:
        return design.T @ (1 / (1 + np.exp(-design @ x)) - outcome) + x / scale**2

    mode = optimize.minimize(minus_log, np.zeros(n + 1), jac=gradient, method="BFGS", options={"gtol": 1e-9}).x
    p = 1 / (1 + np.exp(-design @ mode))
    hessian = design.T @ ((p * (1 - p))[:, None] * design) + np.diag(scale**-2.0)
    evidence = -minus_log(mode) - n * np.log(sd) - np.linalg.slogdet(hessian)[1] / 2
    return mode, np.linalg.inv(hessian), float(evidence)


def evidence_of(judgements: Judgements, sd: float, side: bool) -> float:
    """The log probability of the judgements under a prior of this width, but for a constant."""
    votes = bradley_terry._Votes.counted(*arrays(judgements), None, side)
    return bradley_terry._best(votes, sd).evidence


@pytest.mark.parametrize("side", [False, True])
def test_mode_draws_and_evidence_are_laplaces(simulated: Simulated, side: bool) -> None:
    judgements = simulated(side=0.8)
    *_, n = arrays(judgements)
    sd = 1.3
    mode, covariance, evidence = posterior(judgements, sd, bradley_terry.SIDE_SD if side else None)
    fit = bradley_terry.estimate(*arrays(judgements), sd=sd, position=side)
    assert fit.ratings == pytest.approx(mode[:n], abs=1e-5)
    assert fit.draws is not None
    centred = np.eye(n) - 1 / n  # only differences of ratings are known
    expected = centred @ covariance[:n, :n] @ centred
    drawn = fit.draws(20_000, np.random.default_rng(3))
    assert np.cov(drawn.T) == pytest.approx(expected, abs=4 * expected.max() / np.sqrt(20_000))
    if side:
        assert fit.position == pytest.approx([mode[n], covariance[n, n] ** 0.5], abs=1e-5)
    difference = evidence_of(judgements, sd, side) - evidence
    _, _, other = posterior(judgements, 0.6, bradley_terry.SIDE_SD if side else None)
    again = evidence_of(judgements, 0.6, side) - other
    assert difference == pytest.approx(again, abs=1e-5)  # the same constant is left out


@pytest.mark.parametrize("matches", [4, 10, 40, 200])
def test_the_prior_has_the_highest_evidence(simulated: Simulated, matches: int) -> None:
    judgements = simulated(matches=matches)
    best = optimize.minimize_scalar(
        lambda log_sd: -posterior(judgements, float(np.exp(log_sd)), None)[2], bounds=(-2, 3), method="bounded"
    )
    found = bradley_terry.estimate(*arrays(judgements)).found["prior-sd"]
    assert np.log(found) == pytest.approx(best.x, abs=0.005)


def test_no_information_no_spread() -> None:
    draw = np.random.default_rng(0)
    first = draw.integers(0, 20, 400)
    second = (first + draw.integers(1, 20, 400)) % 20
    coins = draw.integers(0, 2, 400).astype(float)
    fit = bradley_terry.estimate(first, second, coins, 20)
    assert fit.found["prior-sd"] < 0.5
    assert fit.ratings.std() < 0.8 * bradley_terry.estimate(first, second, coins, 20, sd=5.0).ratings.std()


def test_side_term_is_found(simulated: Simulated) -> None:
    judgements = simulated(matches=1500, raters=1, side=-1.5)
    fit = bradley_terry.estimate(*arrays(judgements), position=True)
    assert fit.position is not None
    value, error = fit.position
    assert abs(value + 1.5) < 3 * error
    assert fit.chance(np.array([0]), np.array([1]))[0] < 0.25  # the first is the worse place


def test_an_impossible_prior() -> None:
    with pytest.raises(PlainlyError, match="the width of the prior must be above 0, not -1"):
        bradley_terry.estimate(np.array([0]), np.array([1]), np.array([1.0]), 2, sd=-1)


def test_glicko_as_in_glickmans_example() -> None:
    # Glickman, "The Glicko system" (1999): 1500 (RD 200) beats 1400 (30), loses to 1550 (100) and 1700 (300) in one
    # period; afterwards the rating is 1464, the deviation 151.4.
    ratings, deviations = np.array([1500.0, 1400, 1550, 1700]), np.array([200.0, 30, 100, 300])
    first, second, outcome = np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([1.0, 0, 0])
    after, spread = glicko.after_period(ratings, deviations, first, second, outcome)
    assert after[0] == pytest.approx(1464, abs=0.5)
    assert spread[0] == pytest.approx(151.4, abs=0.05)


def test_glicko_by_match_and_in_one_period(judgements: Judgements) -> None:
    by_match = glicko.estimate(*arrays(judgements))
    at_once = glicko.estimate(*arrays(judgements), period=len(judgements))
    assert stats.spearmanr(by_match.ratings, at_once.ratings).statistic > 0.9
    assert not np.allclose(by_match.ratings, at_once.ratings)
    with pytest.raises(PlainlyError, match="a period must have at least one judgement, not 0"):
        glicko.estimate(*arrays(judgements), period=0)


@pytest.mark.parametrize(
    ("model", "kind"), [("bradley-terry", BradleyTerryFull), ("thurstone-mosteller", ThurstoneMostellerFull)]
)
def test_openskill_is_openskill(judgements: Judgements, model: skill.Model, kind: type) -> None:
    first, second, outcome, n = arrays(judgements)
    rules = kind(tau=0.0)
    theirs = [rules.rating() for _ in range(n)]
    for a, b, won in zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True):
        ranks = [1, 2] if won == 1 else [2, 1]
        [[theirs[a]], [theirs[b]]] = rules.rate([[theirs[a]], [theirs[b]]], ranks=ranks)
    found = skill.estimate(first, second, outcome, n, model=model)
    assert found.ratings == pytest.approx([rating.mu for rating in theirs])


def test_thurstone_chance_is_that_of_openskill() -> None:
    found = skill.estimate(np.array([0, 0]), np.array([1, 1]), np.array([1.0, 1]), 2, model="thurstone-mosteller")
    rules = ThurstoneMostellerFull(tau=0.0)
    a, b = rules.rating(), rules.rating()
    for _ in range(2):
        [[a], [b]] = rules.rate([[a], [b]], ranks=[1, 2])
    assert found.chance(np.array([0]), np.array([1]))[0] == pytest.approx(rules.predict_win([[a], [b]])[0], abs=1e-6)


def test_a_missing_openskill_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    with pytest.raises(MissingResource, match=r"pip install 'plainly\[ranking\]'"):
        skill.estimate(np.array([0]), np.array([1]), np.array([1.0]), 2)


@pytest.mark.parametrize(
    "method", [elo.estimate, elo.estimate_mean, glicko.estimate, skill.estimate, bradley_terry.estimate]
)
def test_every_method_finds_the_order(simulated: Simulated, method: Callable[..., Fit]) -> None:
    judgements = simulated(matches=1000, raters=1)
    fit = method(*arrays(judgements))
    assert stats.spearmanr(fit.ratings, np.arange(12)).statistic > 0.9
    chance = fit.chance(np.array([11, 0, 4]), np.array([0, 11, 5]))
    assert chance[0] > 0.8
    assert chance[1] == pytest.approx(1 - chance[0])
    assert 0.2 < chance[2] < 0.6


def test_mean_over_orders_does_not_depend_on_the_order(judgements: Judgements) -> None:
    first, second, outcome, n = arrays(judgements)
    back = slice(None, None, -1)
    one = elo.estimate_mean(first, second, outcome, n, orders=400).ratings
    other = elo.estimate_mean(first[back], second[back], outcome[back], n, orders=400, seed=7).ratings
    single = elo.fit(first, second, outcome, n), elo.fit(first[back], second[back], outcome[back], n)
    assert np.abs(one - other).max() < 0.25 * np.abs(single[0] - single[1]).max()
