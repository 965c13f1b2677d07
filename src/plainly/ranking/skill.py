"""Ratings of the package openskill: Weng and Lin's (2011) online relatives of Bradley-Terry and of TrueSkill.

Every text has a normal belief of its skill, which each match moves and narrows. `thurstone-mosteller` has the model
of TrueSkill. The package trueskill itself has had no release since 2018, and is not used.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from plainly.base.errors import MissingResource, UnknownName
from plainly.metrics import Array
from plainly.ranking.fits import Fit, Index, logistic, normal_draws

Model = Literal["bradley-terry", "thurstone-mosteller"]


def estimate(first: Index, second: Index, outcome: Array, n: int, *, model: Model = "bradley-terry") -> Fit:
    """Skills after all matches, in the order given."""
    if model not in get_args(Model):
        raise UnknownName("model of openskill", model, get_args(Model))
    rules = _rules(model)
    skills = [rules.rating() for _ in range(n)]
    for a, b, won in zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True):
        [[skills[a]], [skills[b]]] = rules.rate([[skills[a]], [skills[b]]], scores=[won, 1 - won])
    ratings = np.array([skill.mu for skill in skills])
    deviations = np.array([skill.sigma for skill in skills])

    def chance(one: Index, other: Index) -> Array:
        spread = np.sqrt(deviations[one] ** 2 + deviations[other] ** 2 + 2 * rules.beta**2)
        distance = (ratings[one] - ratings[other]) / spread
        return _CHANCES[model](distance)

    return Fit(ratings, chance, normal_draws(ratings, deviations))


def _rules(model: Model) -> Any:
    try:
        from openskill.models import BradleyTerryFull, ThurstoneMostellerFull
    except ImportError:
        raise MissingResource(
            "the method openskill needs the package openskill: pip install 'plainly[ranking]'"
        ) from None
    kinds = {"bradley-terry": BradleyTerryFull, "thurstone-mosteller": ThurstoneMostellerFull}
    return kinds[model](tau=0.0)  # texts do not change from match to match


def _normal(x: Array) -> Array:
    from scipy.special import ndtr

    found: Array = ndtr(x)
    return found


_CHANCES = {"bradley-terry": logistic, "thurstone-mosteller": _normal}
