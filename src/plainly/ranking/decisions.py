"""Two sides beside each other: their decisions match by match, and the ratings that follow from them.

Each side is rated over the texts that it compared: others say nothing, not even on the width of the prior. What the
other raters say is rated once for each rater, without this rater's votes. Where raters and texts are many, the width
of its prior is that of all raters' votes: one rater of many hardly moves it, and to seek it anew for each, over all
texts, takes minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from plainly.inference.agreement import FIRST as GIVEN
from plainly.inference.agreement import MISSING, Codes, cohen, observed, paired_counts
from plainly.inference.correlation import Coefficient, correlate
from plainly.inference.estimates import Estimate, estimates
from plainly.inference.resampling import Resampling, bootstrap_weights
from plainly.metrics import Array
from plainly.ranking.fits import Estimator, Index
from plainly.ranking.judgements import Judgements
from plainly.ranking.ratings import ranks
from plainly.ranking.votes import CATEGORIES, FIRST, Votes

FEWEST_TEXTS = 3
"""Below, a rank correlation says nothing."""
UNKNOWN = Estimate(np.nan, np.nan, np.nan)
MANY = 20_000
"""Raters times texts, above which what the others say takes the width of its prior from the whole study."""


def beside_each_other(own: Codes, others: Codes, resampling: Resampling) -> list[tuple[Estimate, Estimate, int]]:
    """Share and kappa of each column and the same column of the others, and on how many matches they rest."""
    size = own.shape[1]
    rows = paired_counts(np.hstack([own, others]), CATEGORIES, [(place, size + place) for place in range(size)])
    totals = rows.sum(0)
    flat = rows.reshape(len(rows), -1)
    drawn = [weights @ flat for weights in bootstrap_weights(len(rows), resampling.resamples, resampling.seed)]
    counts = np.concatenate(drawn).reshape(resampling.resamples, *totals.shape)
    shares = estimates(observed(totals), observed(counts), resampling.confidence)
    kappas = estimates(cohen(totals), cohen(counts), resampling.confidence)
    return list(zip(shares, kappas, totals[:, GIVEN].sum(-1).astype(int).tolist(), strict=True))


def correlated(own: ArrayLike, others: Array, resampling: Resampling) -> tuple[Estimate, Estimate]:
    """Spearman's rho and Kendall's tau-b."""
    if len(others) < FEWEST_TEXTS:
        return UNKNOWN, UNKNOWN

    def figure(coefficient: Coefficient) -> Estimate:
        return correlate(own, others, coefficient=coefficient, resampling=resampling)[0][0].estimate

    return figure("spearman"), figure("kendall")


_Side = Mapping[int, float]
"""Ratings by the place of the text, of those that were judged."""


class Rated:
    """Raters beside the judge of all, or beside the others (None): the correlations of their ratings."""

    def __init__(
        self,
        votes: Votes,
        judgements: Judgements,
        judge: Judgements | None,
        rating: Estimator,
        resampling: Resampling,
    ) -> None:
        self._rating = rating
        self._resampling = resampling
        self._index = judgements.index
        self._judge = judge
        self._votes = votes
        self._first = self._places([head.first for head in votes.heads])
        self._second = self._places([head.second for head in votes.heads])
        self._again = None
        if judge is None and len(votes.raters) * len(self._index) > MANY:
            self._again = rating(*self._matches(votes.of_all()), len(self._index)).again

    @property
    def one_prior(self) -> bool:
        """Whether what the others say takes the width of its prior from the whole study."""
        return self._again is not None

    def correlations(self, own: Judgements, yardstick: Codes) -> tuple[Estimate, Estimate]:
        """Spearman's rho and Kendall's tau-b over the texts that the rater and the yardstick judged."""
        mine = self._side(own.first, own.second, own.outcome)
        theirs = self._others(yardstick) if self._judge is None else self._of_judge
        both = sorted(mine.keys() & theirs.keys())
        if not both:
            return UNKNOWN, UNKNOWN

        def ranked(side: _Side) -> Array:
            return ranks(np.array([side[text] for text in both]))  # so that what is equal stays so

        return correlated(ranked(mine), ranked(theirs), self._resampling)

    @cached_property
    def _of_judge(self) -> _Side:
        assert self._judge is not None
        judge = self._judge
        known = [i for i, item in enumerate(judge.items) if item.first in self._index and item.second in self._index]
        first = self._places([judge.items[i].first for i in known])
        return self._side(first, self._places([judge.items[i].second for i in known]), judge.outcome[known])

    def _others(self, codes: Codes) -> _Side:
        first, second, outcome = self._matches(codes)
        if self._again is None:
            return self._side(first, second, outcome)
        texts = np.union1d(first, second)
        return dict(zip(texts.tolist(), self._again(first, second, outcome)[texts], strict=True))

    def _side(self, first: Index, second: Index, outcome: Array) -> _Side:
        texts, places = np.unique(np.concatenate([first, second]), return_inverse=True)
        fit = self._rating(places[: len(first)], places[len(first) :], outcome, len(texts))
        return dict(zip(texts.tolist(), fit.ratings, strict=True))

    def _matches(self, codes: Codes) -> tuple[Index, Index, Array]:
        there = np.flatnonzero(codes != MISSING)
        return self._first[there], self._second[there], (codes[there] == FIRST).astype(float)

    def _places(self, texts: list[str]) -> Index:
        return np.array([self._index[text] for text in texts], dtype=np.int64)
