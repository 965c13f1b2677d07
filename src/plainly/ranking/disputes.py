"""About which pairs do raters disagree, and how did each group of them vote?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainly.ranking.alphas import groups_of
from plainly.ranking.judgements import Contest, Judgements, contested, contests


@dataclass(frozen=True)
class GroupVotes:
    """The votes of the raters that have this value in this column."""

    column: str
    value: str
    votes: Contest


@dataclass(frozen=True)
class Disputed:
    """A pair, with all votes and those of each group."""

    votes: Contest
    groups: tuple[GroupVotes, ...]


def disputed(judgements: Judgements, by: Sequence[str], most: int) -> list[Disputed]:
    """The most even pairs, those of most votes first, with the votes of the groups of each column."""
    parts = [
        (column, value, {(one.first, one.second): one for one in contests(part)})
        for column in by
        for value, part in groups_of(judgements, column).items()
    ]
    return [
        Disputed(
            pair,
            tuple(
                GroupVotes(column, value, found[pair.first, pair.second])
                for column, value, found in parts
                if (pair.first, pair.second) in found
            ),
        )
        for pair in contested(judgements, most)
    ]
