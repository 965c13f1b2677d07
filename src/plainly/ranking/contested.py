"""Which pairs do raters disagree about most? What to read before blaming the raters or the texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainly.ranking.judgements import Judgements


@dataclass(frozen=True)
class Contest:
    """The votes on one pair, over all its matches, whichever text was shown first."""

    first: str
    second: str
    for_first: int
    for_second: int
    ties: int

    @property
    def votes(self) -> int:
        return self.for_first + self.for_second + self.ties

    @property
    def balance(self) -> float:
        """From 0, where all agree, to 1, where both texts have as many votes; a tie is half a vote for each."""
        return 1 - abs(self.for_first - self.for_second) / self.votes


def contested(judgements: Judgements, most: int | None = None, least_votes: int = 2) -> Sequence[Contest]:
    """Pairs with so many votes at least on which raters differ, the most even first, then those with most votes."""
    votes: dict[tuple[str, str], list[int]] = {}
    for item in judgements.items:
        first, second = item.pair
        counted = votes.setdefault((first, second), [0, 0, 0])
        counted[2 if item.winner is None else 0 if item.winner == first else 1] += 1
    found = [Contest(*pair, *counted) for pair, counted in votes.items()]
    found = [contest for contest in found if contest.votes >= least_votes and contest.balance > 0]
    found.sort(key=lambda contest: (-contest.balance, -contest.votes))
    return found[:most]
