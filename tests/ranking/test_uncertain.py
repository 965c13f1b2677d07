"""What is still uncertain in a ranking, and how many judgements that takes."""

from __future__ import annotations

import math
from statistics import median

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.inference import Estimate
from plainly.ranking import Judgement, Judgements, Ranking, Rated, rate
from plainly.ranking.pairing import balanced_pairs
from plainly.ranking.uncertain import uncertain, usual_goal


def row(text: str, rank: float, low: float, high: float, matches: int = 8) -> Rated:
    return Rated(text, Estimate(0.0), Estimate(rank, low, high), 0.0, matches)


def test_by_hand() -> None:
    """Known to within 7 - 2 + 1 = 6 ranks with 8 matches; within 2 takes 8 * (6 / 2)^2 = 72 in all, 64 more."""
    ranking = Ranking("m", "harder", (row("a", 1, 1, 2), row("b", 4, 2, 7), row("c", 3, 2, 4)), {})
    found = uncertain(ranking, goal=2)
    assert [(each.text, each.width, each.further) for each in found] == [("b", 6, 64), ("c", 3, 10)]
    assert uncertain(ranking, goal=6) == []


def test_the_goal() -> None:
    assert [usual_goal(texts) for texts in (2, 10, 94, 500)] == [1, 1, 9, 50]
    with pytest.raises(PlainlyError, match="1 is the least"):
        uncertain(Ranking("m", "harder", (row("a", 1, 1, 2),), {}), goal=0.5)


def test_without_intervals_nothing_is_said() -> None:
    assert uncertain(Ranking("m", "harder", (row("a", 1, math.nan, math.nan),), {})) == []


def test_so_many_judgements_do_narrow_the_intervals() -> None:
    """Simulated: after as many further judgements as said, a typical text is known about as well as wished."""
    draw = np.random.default_rng(5)
    truth = draw.standard_normal(40)

    def study(rounds: int) -> Ranking:
        items = []
        for one, other in balanced_pairs(40, 20 * rounds, draw, repeats=True).tolist():
            wins = draw.random() < 1 / (1 + np.exp(-2 * (truth[one] - truth[other])))
            items.append(Judgement(str(one), str(other), str(one if wins else other)))
        return rate(Judgements.of(items, "harder", [str(text) for text in range(40)]), resamples=300)

    before = study(40)
    widths = [each.rank.high - each.rank.low + 1 for each in before.rows]
    goal = median(widths) / 2
    further = median(each.further for each in uncertain(before, goal))
    after = study(round(40 + further))
    assert median(each.rank.high - each.rank.low + 1 for each in after.rows) == pytest.approx(goal, rel=0.3)
