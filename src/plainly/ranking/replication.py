"""Formulas of published studies, for checking their numbers. Nothing here is a recommendation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.rows import Needed, cell_text, table_rows
from plainly.inference.agreement import MISSING, Codes
from plainly.inference.alpha import Alpha
from plainly.metrics import Array
from plainly.ranking.elo import elo_many
from plainly.ranking.judgements import Judgements, flipped
from plainly.ranking.votes import CATEGORIES, FIRST, SECOND, table

MOST_TURNED = 50
"""Judgements that may differ before we say that the scores come from others."""


def arts_kappa(rater: Codes, gold: Codes) -> float:
    """The "kappa" that Engelmann, Kreutz, Haak and Schaer (2024) print, which is not Cohen's.

    Chance agreement is p(1 - p) + q(1 - q), where p and q are the shares of "first" of the two raters. That mixes a
    rater with himself. Observed agreement is rounded to four digits first.
    """
    both = (rater != MISSING) & (gold != MISSING)
    p, q = ((votes[both] == FIRST).mean() for votes in (rater, gold))
    agreed = round(float((rater[both] == gold[both]).mean()), 4)
    chance = p * (1 - p) + q * (1 - q)
    return float((agreed - chance) / (1 - chance))


def judgements_behind(published: Mapping[str, float], start: Judgements, digits: int = 5) -> Judgements:
    """The decisions whose Elo, stretched from 0 to 1, is published with so many digits: one judgement a match.

    From `start`, one decision at a time is turned round, the one that brings the scores nearest to the published
    ones, until each rounds to its published value.
    """
    goal = np.array([published[text] for text in start.texts])
    outcome, found = start.outcome.copy(), start
    first, second, n = start.first, start.second, len(start.texts)

    def missed(outcomes: Array) -> Array:
        runs = len(outcomes)
        sides = np.broadcast_to(first, (runs, len(first))), np.broadcast_to(second, (runs, len(second)))
        ratings = elo_many(*sides, outcomes, n, [len(first)])[0]
        low, high = ratings.min(1, keepdims=True), ratings.max(1, keepdims=True)
        off: Array = np.abs((ratings - low) / (high - low) - goal)
        return off

    for _ in range(MOST_TURNED):
        if missed(outcome[None]).max() <= 0.5 * 10.0**-digits + 1e-9:
            return found
        each_turned = np.where(np.eye(len(outcome), dtype=bool), 1 - outcome, outcome)
        turned = int((missed(each_turned) ** 2).sum(1).argmin())
        outcome = each_turned[turned]
        items = [flipped(item) if place == turned else item for place, item in enumerate(found.items)]
        found = Judgements(found.texts, tuple(items), found.direction)
    raise PlainlyError(f"no {MOST_TURNED} decisions that are turned round give the published scores")


def scores_of_positions(path: Path, texts: Sequence[str]) -> dict[str, float]:
    """Scores of a ranking that a model wrote, with gaps: the place from 0, by the number of places; .5 for no place.

    A text that stands there twice has its first place, and what is no text is passed over.
    """
    rows = table_rows(path, Needed.of("position", "text_id"))
    names = [cell_text(row["text_id"], place, "text_id") for place, row in rows]
    return {text: names.index(text) / len(names) if text in names else 0.5 for text in texts}


def alphas_with_another(others: Judgements, gold: Judgements, turned: int, trials: int, seed: int) -> Array:
    """Krippendorff's alpha with one rater more, who is at odds with gold on so many matches, drawn by chance."""
    votes = table(others)
    right = votes.of(gold)
    alpha = Alpha("nominal", np.arange(CATEGORIES, dtype=float))
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(trials):
        own = right.copy()
        places = draw.choice(len(own), turned, replace=False)
        own[places] = np.where(own[places] == FIRST, SECOND, FIRST)
        found.append(float(alpha.score(alpha.rows(np.column_stack([votes.codes, own])).sum(0))))
    return np.array(found)
