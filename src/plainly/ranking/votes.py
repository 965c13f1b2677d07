"""Judgements as a table of votes: one row a match, one column a rater."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.inference.agreement import MISSING, Codes
from plainly.ranking.judgements import Judgement, Judgements

FIRST, SECOND, TIE = range(3)
"""Votes: for the text that stands first in the match's first judgement, for the other, for neither."""
CATEGORIES = 3

Match = tuple[str, str, str]


@dataclass(frozen=True)
class Votes:
    """`codes[match, rater]` is FIRST, SECOND, TIE or MISSING; `heads` are the first judgements of the matches."""

    matches: tuple[Match, ...]
    heads: tuple[Judgement, ...]
    raters: tuple[str, ...]
    codes: Codes

    def turned(self) -> Codes:
        """The votes, if the other text of every match stood first."""
        return np.array([SECOND, FIRST, TIE, MISSING])[self.codes]

    def of_all(self) -> Codes:
        """What most raters say of each match; MISSING where they are divided evenly."""
        return _most(self._surplus)

    def of_others(self, rater: int) -> Codes:
        """The same of all raters but this one."""
        return _most(self._surplus - _sign(self.codes[:, rater]))

    @cached_property
    def _surplus(self) -> Codes:
        """By how many votes the first text of each match leads."""
        surplus: Codes = _sign(self.codes).sum(1)
        return surplus

    def of(self, judgements: Judgements) -> Codes:
        """One vote for each of these matches, of judgements by one rater (or of a majority)."""
        column = np.full(len(self.matches), MISSING, dtype=np.int64)
        places = {match: place for place, match in enumerate(self.matches)}
        for match, item in zip(judgements.matches, judgements.items, strict=True):
            if match in places:
                column[places[match]] = _code(item, self.heads[places[match]])
        return column


def _sign(codes: Codes) -> Codes:
    signs: Codes = (codes == FIRST).astype(np.int64) - (codes == SECOND)
    return signs


def _most(surplus: Codes) -> Codes:
    return np.where(surplus > 0, FIRST, np.where(surplus < 0, SECOND, MISSING))


def table(judgements: Judgements) -> Votes:
    """The votes of all raters; a rater has one vote a match."""
    if unnamed := next((item for item in judgements.items if not item.rater), None):
        raise PlainlyError(f"{unnamed.place}: no rater; fill the column rater, or give RATER=FILE")
    heads: dict[Match, Judgement] = {}
    for match, item in zip(judgements.matches, judgements.items, strict=True):
        heads.setdefault(match, item)
    places = {match: place for place, match in enumerate(heads)}
    codes = np.full((len(heads), len(judgements.raters)), MISSING, dtype=np.int64)
    for match, item, rater in zip(judgements.matches, judgements.items, judgements.rater.tolist(), strict=True):
        place = places[match]
        if codes[place, rater] != MISSING:
            raise PlainlyError(f"{item.place}: {shown(item.rater)} has judged match {shown(match[2])} before")
        codes[place, rater] = _code(item, heads[match])
    return Votes(tuple(heads), tuple(heads.values()), judgements.raters, codes)


def _code(item: Judgement, head: Judgement) -> int:
    if item.winner is None:
        return TIE
    return FIRST if item.winner == head.first else SECOND
