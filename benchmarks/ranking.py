"""Bradley-Terry with intervals against choix, which gives the same mode without any; Elo against evalica.

12,000 simulated judgements of 3,000 texts, every text in eight: the size of ARTS3000. choix is run on a tenth of it,
as it takes minutes on all. Each row sets the seconds of the other against ours on the same judgements.
"""

from __future__ import annotations

import choix
import evalica
import numpy as np

from benchmarks.speed import Rows, best
from plainly.ranking import Judgement, Judgements, bradley_terry, elo, rate

TEXTS = 3000
ROUNDS = 8


def run() -> Rows:
    small, large = _judgements(TEXTS // 10), _judgements(TEXTS)
    first, second, outcome = (array.tolist() for array in (small.first, small.second, small.outcome))
    winners = [(a, b) if won else (b, a) for a, b, won in zip(first, second, outcome, strict=True)]
    n = len(small.texts)
    theirs = best(lambda: choix.opt_pairwise(n, winners, alpha=1 / 8), 1)
    ours = best(lambda: bradley_terry.estimate(small.first, small.second, small.outcome, n, sd=2.0).ratings, 3)
    rows: Rows = [[f"Bradley-Terry, {len(small):,} judgements, a given prior: choix", theirs, ours, theirs / ours]]
    whole = best(lambda: rate(large), 1)
    rows.append([f"Bradley-Terry, {len(large):,} judgements, its own prior, 1,000 draws", None, whole, None])
    won = [evalica.Winner.X if value else evalica.Winner.Y for value in large.outcome]
    sides = large.first.tolist(), large.second.tolist()
    theirs = best(lambda: evalica.elo(*sides, won, initial=1200, k=16), 3)
    ours = best(lambda: elo.fit(large.first, large.second, large.outcome, len(large.texts)), 3)
    rows.append([f"Elo, {len(large):,} judgements: evalica", theirs, ours, theirs / ours])
    return rows


def _judgements(texts: int) -> Judgements:
    """Rounds in which every text meets another; the harder one wins more often."""
    draw = np.random.default_rng(1)
    truth = draw.normal(0, 2, texts)
    items = []
    for _ in range(ROUNDS):
        places = draw.permutation(texts)
        for a, b in places.reshape(-1, 2).tolist():
            wins = draw.random() < 1 / (1 + np.exp(truth[b] - truth[a]))
            items.append(Judgement(str(a), str(b), str(a if wins else b), "one"))
    return Judgements.of(items, "harder")
