"""Bradley-Terry with intervals against choix, which gives the same mode without any; Elo against evalica.

12,000 simulated judgements of 3,000 texts, every text in eight: the size of ARTS3000. choix is run on a tenth of it,
as it takes minutes on all. Each row sets the seconds of the other against ours on the same judgements.
"""

from __future__ import annotations

import choix
import evalica
import numpy as np

from benchmarks.rows import Row, timed
from plainly.ranking import Judgement, Judgements, bradley_terry, elo, rate

TEXTS = 3000
ROUNDS = 8


def run() -> list[Row]:
    small, large = _judgements(TEXTS // 10), _judgements(TEXTS)
    first, second, outcome = (array.tolist() for array in (small.first, small.second, small.outcome))
    winners = [(a, b) if won else (b, a) for a, b, won in zip(first, second, outcome, strict=True)]
    n = len(small.texts)
    won = [evalica.Winner.X if value else evalica.Winner.Y for value in large.outcome]
    sides = large.first.tolist(), large.second.tolist()
    return [
        Row(
            f"Bradley-Terry, {len(small):,} judgements, a given prior",
            timed(lambda: bradley_terry.estimate(small.first, small.second, small.outcome, n, sd=2.0), 3),
            "choix",
            timed(lambda: choix.opt_pairwise(n, winners, alpha=1 / 8)),
        ),
        Row(f"Bradley-Terry, {len(large):,} judgements, with intervals", timed(lambda: rate(large), 3)),
        Row(
            f"Elo, {len(large):,} judgements",
            timed(lambda: elo.fit(large.first, large.second, large.outcome, len(large.texts)), 3),
            "evalica",
            timed(lambda: evalica.elo(*sides, won, initial=1200, k=16), 3),
        ),
    ]


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
