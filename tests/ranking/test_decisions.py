"""Ratings of raters and of the others: over the texts they compared, and with one prior where there are many."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from plainly.inference import Resampling
from plainly.ranking import Judgement, Judgements, agreement, bradley_terry, decisions
from plainly.ranking.fits import Index
from plainly.ranking.ratings import ranks
from plainly.ranking.votes import FIRST, table

ONE = Resampling(resamples=1)
Simulated = Callable[..., Judgements]


def shared_out(texts: int, matches: int, raters: int, each: int) -> Judgements:
    """Every match is judged by `each` of the raters; a rater sees few of the texts."""
    draw = np.random.default_rng(3)
    items = []
    for number in range(matches):
        a, b = draw.choice(texts, 2, replace=False).tolist()
        for rater in draw.choice(raters, each, replace=False).tolist():
            wins = draw.random() < 1 / (1 + np.exp((b - a) * 6 / texts))
            items.append(Judgement(f"t{a}", f"t{b}", f"t{a if wins else b}", f"r{rater}", match=str(number)))
    return Judgements.of(items, "harder", [f"t{i}" for i in range(texts)])


def over_all_texts(judgements: Judgements) -> dict[str, tuple[float, float]]:
    """rho and tau of each rater and the others, each side rated over all texts of the study; scipy's coefficients."""
    votes, found, n = table(judgements), {}, len(judgements.texts)
    firsts = np.array([judgements.index[head.first] for head in votes.heads])
    seconds = np.array([judgements.index[head.second] for head in votes.heads])
    for place, name in enumerate(votes.raters):
        own, said = judgements.by(name), votes.of_others(place)
        there = np.flatnonzero(said >= 0)
        first, second = firsts[there], seconds[there]
        both = np.intersect1d(np.union1d(own.first, own.second), np.union1d(first, second))
        mine = bradley_terry.estimate(own.first, own.second, own.outcome, n).ratings[both]
        theirs = bradley_terry.estimate(first, second, (said[there] == FIRST).astype(float), n).ratings[both]
        sides = ranks(mine), ranks(theirs)
        found[name] = stats.spearmanr(*sides).statistic, stats.kendalltau(*sides).statistic
    return found


def test_texts_that_a_rater_never_saw_move_nothing() -> None:
    judgements = shared_out(60, 150, 6, 2)
    expected = over_all_texts(judgements)
    assert any(len(judgements.by(name).texts) > len(set(judgements.by(name).first)) for name in expected)
    found = agreement(judgements, resampling=ONE)
    for row in found.raters:
        assert (row.spearman.value, row.kendall.value) == pytest.approx(expected[row.rater], abs=1e-9)
    assert "others-prior" not in found.signature


def test_the_others_are_all_but_one(simulated: Simulated) -> None:
    votes = table(simulated(raters=4))
    by_hand = np.delete(votes.codes, 2, axis=1)
    lead = (by_hand == FIRST).sum(1) * 2 - by_hand.shape[1]
    assert np.array_equal(np.sign(lead), np.array([1, -1, 0, 0])[votes.of_others(2)])


def test_one_prior_for_all_is_close_to_one_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    judgements = shared_out(150, 600, 12, 3)
    exact = agreement(judgements, resampling=ONE)
    monkeypatch.setattr(decisions, "MANY", 0)
    shortened = agreement(judgements, resampling=ONE)
    for one, other in zip(exact.raters, shortened.raters, strict=True):
        assert 0.2 < one.spearman.value < 0.99
        assert other.spearman.value == pytest.approx(one.spearman.value, abs=0.01)
        assert other.kendall.value == pytest.approx(one.kendall.value, abs=0.01)
    assert "|others-prior:study|" in shortened.signature
    assert any("take the width of their prior from all raters" in str(note) for note in shortened.notes)


def test_a_given_prior_is_no_shortcut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MANY", 0)
    found = agreement(shared_out(20, 60, 3, 2), settings={"sd": 1.5}, resampling=ONE)
    assert "others-prior" not in found.signature


def test_a_large_study_is_rated_over_all_texts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old code sought the width of the prior twice for each rater, over all texts: 200 raters took hours."""
    sought: list[int] = []
    estimate = bradley_terry._best

    def best(votes: bradley_terry._Votes, sd: float | None) -> bradley_terry._Mode:
        sought.append(votes.graph.n)
        return estimate(votes, sd)

    monkeypatch.setattr(bradley_terry, "_best", best)
    agreement(shared_out(700, 1200, 30, 1), resampling=ONE)
    assert sought[0] == 700
    assert max(sought[1:]) < 150  # those of one rater, over the texts of this rater


def test_ratings_are_those_of_a_new_fit_of_the_same_width() -> None:
    judgements = shared_out(80, 300, 2, 2)
    arrays = judgements.first, judgements.second, judgements.outcome
    fit = bradley_terry.estimate(*arrays, 80, sd=1.2)
    some = slice(0, 200)
    part: tuple[Index, Index, np.ndarray] = (arrays[0][some], arrays[1][some], arrays[2][some])
    assert fit.again is not None
    assert fit.again(*part) == pytest.approx(bradley_terry.estimate(*part, 80, sd=1.2).ratings, abs=1e-8)
