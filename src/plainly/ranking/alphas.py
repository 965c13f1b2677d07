"""Krippendorff's alpha of all judgements, and of groups of them; two ways to take the sides.

krippendorff  a match is a unit; its values are the text that stands first in its first judgement, the other one, a
              tie. What is expected by chance follows from how often each of them was chosen, as Krippendorff has it
two-orders    which text stands first is arbitrary: every match counts half in one order and half in the other. By
              chance, both texts are then expected as often

The second does not change if the texts of a match change places. But raters who all favour one side agree by chance
more often than it expects: it flatters them. Intervals draw matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.groups import grouped
from plainly.corpus.readers.files import shown
from plainly.inference.alpha import Alpha
from plainly.inference.estimates import Estimate, estimates
from plainly.inference.resampling import Resampling, bootstrap_weights
from plainly.ranking.judgements import Judgements
from plainly.ranking.votes import CATEGORIES, table

AlphaKind = Literal["krippendorff", "two-orders"]


@dataclass(frozen=True)
class GroupAlpha:
    """Krippendorff's alpha of the judgements that have this value in this column; of all, if both are empty."""

    column: str
    value: str
    raters: int
    matches: int
    judgements: int
    alpha: Estimate


def alphas(judgements: Judgements, by: Sequence[str], kind: AlphaKind, resampling: Resampling) -> list[GroupAlpha]:
    """Of all judgements, then of each group of each column."""
    if kind not in get_args(AlphaKind):
        raise UnknownName("kind of alpha", kind, get_args(AlphaKind))
    found = [_alpha(judgements, "", "", kind, resampling)]
    for column in by:
        for value, part in groups_of(judgements, column).items():
            found.append(_alpha(part, column, value, kind, resampling))
    return found


def groups_of(judgements: Judgements, column: str) -> dict[str, Judgements]:
    """The judgements of each value of a column, in the order of the values; those without one are in none."""
    values = [item.groups.get(column, "") for item in judgements.items]
    members = grouped((place for place, value in enumerate(values) if value), values.__getitem__)
    if not members:
        known = {name for item in judgements.items for name in item.groups}
        if not known:
            raise PlainlyError(f"there is no column {shown(column)} to group by: judgements have no other columns")
        raise UnknownName("column", column, known)
    return {value: judgements.select(members[value]) for value in sorted(members)}


def _alpha(judgements: Judgements, column: str, value: str, kind: AlphaKind, resampling: Resampling) -> GroupAlpha:
    votes = table(judgements)
    alpha = Alpha("nominal", np.arange(CATEGORIES, dtype=float))
    rows = alpha.rows(votes.codes)
    if kind == "two-orders":
        rows = (rows + alpha.rows(votes.turned())) / 2
    drawn = [
        alpha.score(weights @ rows) for weights in bootstrap_weights(len(rows), resampling.resamples, resampling.seed)
    ]
    figure = estimates(
        np.atleast_1d(alpha.score(rows.sum(0))), np.concatenate(drawn)[:, None], resampling.confidence
    )[0]
    return GroupAlpha(column, value, len(votes.raters), len(votes.matches), len(judgements), figure)
