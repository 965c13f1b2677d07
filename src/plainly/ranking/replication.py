"""Settings and formulas of published studies, for checking their numbers. Nothing here is a recommendation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainly.base.errors import UnknownName
from plainly.inference.agreement import MISSING, Codes
from plainly.ranking.votes import FIRST

ARTS = "arts-2024"
REPLICATIONS: Mapping[str, Mapping[str, Any]] = {
    ARTS: {"against": "majority", "ties": "first", "method": "elo", "settings": {"k": 16.0, "start": 1200.0}}
}
"""What `plainly.ranking.raters.agreement` takes, for each study: Engelmann, Kreutz, Haak and Schaer (2024)."""


def replication(name: str) -> Mapping[str, Any]:
    """The settings of a study."""
    if name not in REPLICATIONS:
        raise UnknownName("study", name, REPLICATIONS)
    return REPLICATIONS[name]


def arts_kappa(rater: Codes, gold: Codes) -> float:
    """The "kappa" that ARTS prints, which is not Cohen's.

    Chance agreement is p(1 - p) + q(1 - q), where p and q are the shares of "first" of the two raters. That mixes a
    rater with himself. Observed agreement is rounded to four digits first.
    """
    both = (rater != MISSING) & (gold != MISSING)
    p, q = ((votes[both] == FIRST).mean() for votes in (rater, gold))
    agreed = round(float((rater[both] == gold[both]).mean()), 4)
    chance = p * (1 - p) + q * (1 - q)
    return float((agreed - chance) / (1 - chance))
