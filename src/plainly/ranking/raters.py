"""How far do raters agree, with each other and with a yardstick? And who looks careless?

A yardstick is what most of the other raters said (a rater does not vouch for himself), what most of all raters said,
or a gold judgement. Share and Cohen's kappa compare decisions match by match. Spearman's rho and Kendall's tau-b
compare the ratings that follow from them. Krippendorff's alpha takes all raters together, whatever is missing, see
`alphas`. Intervals of shares, kappas and alphas draw matches, those of rho and tau draw texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_data, plain_fields
from plainly.base.signature import signed
from plainly.corpus.readers.files import shown
from plainly.findings.result import StudyResult
from plainly.inference.agreement import FIRST as GIVEN
from plainly.inference.agreement import MISSING, Codes, cohen, observed, paired_counts
from plainly.inference.correlation import Coefficient, correlate
from plainly.inference.estimates import Estimate, estimates
from plainly.inference.resampling import USUAL, Resampling, bootstrap_weights, check_at_least
from plainly.ranking.alphas import AlphaKind, GroupAlpha, alphas
from plainly.ranking.careless import Habits, flags, habits
from plainly.ranking.fits import Estimator
from plainly.ranking.judgements import Judgements, TieRule, majority
from plainly.ranking.ratings import estimator, ranks
from plainly.ranking.votes import CATEGORIES, FIRST, Votes, table

Against = Literal["others", "majority", "gold"]

FEWEST_TEXTS = 3
"""Below, a rank correlation says nothing."""


@dataclass(frozen=True)
class RaterRow:
    """One rater beside the yardstick."""

    rater: str
    judgements: int
    compared: int
    """Matches of which the yardstick says something too."""
    share: Estimate
    kappa: Estimate
    spearman: Estimate
    kendall: Estimate
    habits: Habits
    flags: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        content = plain_fields(self)
        return {**content, **content.pop("habits")}


@dataclass(frozen=True, repr=False)
class Agreement(StudyResult, findings="plainly.ranking.findings:agreement_findings", usual="raters"):
    """Raters, groups of them, and what was left out."""

    raters: tuple[RaterRow, ...]
    groups: tuple[GroupAlpha, ...]
    signature: str
    notes: tuple[Message, ...]
    resampling: Resampling

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "signature": self.signature,
            "confidence": self.resampling.confidence,
            **{name: plain_data(getattr(self, name)) for name in ("notes", "raters", "groups")},
        }


@checks_arguments
def agreement(
    judgements: Judgements,
    *,
    gold: Judgements | None = None,
    against: Against | None = None,
    ties: TieRule | None = None,
    by: Sequence[str] = (),
    alpha: AlphaKind = "krippendorff",
    method: str = "bradley-terry",
    settings: Mapping[str, Any] | None = None,
    words: Mapping[str, int] | None = None,
    resampling: Resampling = USUAL,
) -> Agreement:
    """Every rater against a yardstick (default: gold, if it is given, else the other raters), and alphas by group.

    `ties` is the rule for ties of the majority of all raters. Where the other raters are the yardstick, matches on
    which these are divided evenly are left out. `alpha` says how alphas take the sides (see `alphas`). `words` says
    how long texts are (see `careless.words_of`): who judged faster than anybody reads is flagged.
    """
    check_at_least("resamples", resampling.resamples, 1)
    against = against or ("others" if gold is None else "gold")
    if against not in get_args(Against):
        raise UnknownName("yardstick", against, get_args(Against))
    votes = table(judgements)
    if gold is None and len(votes.raters) < 2:
        raise PlainlyError(
            f"there is only one rater, {shown(votes.raters[0])}; agreement needs two, or gold judgements"
        )
    rating = estimator(method, **(settings or {}))
    yardsticks = _yardsticks(judgements, votes, gold, against, ties, resampling.seed)
    decisions = _decisions(votes, yardsticks, resampling)
    kept = habits(judgements, words)
    shares = [share.value for share, _, _ in decisions]
    rows = []
    for place, name in enumerate(votes.raters):
        own, (share, kappa, compared) = kept[place], decisions[place]
        rho, tau = _correlations(judgements.by(name), yardsticks[place], votes, rating, resampling)
        odd = flags(own, kept, kappa, share.value, shares, compared)
        rows.append(RaterRow(name, own.judgements, compared, share, kappa, rho, tau, own, odd))
    said = {
        "against": against,
        **({"ties": ties} if ties else {}),
        "alpha": alpha,
        "method": method,
        **(settings or {}),
        **{name: getattr(resampling, name) for name in ("confidence", "resamples", "seed")},
    }
    return Agreement(
        tuple(rows),
        tuple(alphas(judgements, by, alpha, resampling)),
        signed("ranking-agreement", said),
        tuple(_notes(votes, judgements)),
        resampling,
    )


@dataclass(frozen=True)
class _Yardstick:
    """Its vote on each match, and the judgements from which it is rated (None: those votes)."""

    codes: Codes
    judgements: Judgements | None = None


def _yardsticks(
    judgements: Judgements, votes: Votes, gold: Judgements | None, against: Against, ties: TieRule | None, seed: int
) -> list[_Yardstick]:
    if against == "others":
        return [_Yardstick(votes.of_others(rater)) for rater in range(len(votes.raters))]
    if against == "gold":
        if gold is None:
            raise PlainlyError("the yardstick is gold, but there are no gold judgements")
        judge = gold.turned(judgements.direction)
        judge = majority(judge, ties, seed) if len(gold.raters) > 1 else judge
    elif against == "majority":
        judge = majority(judgements, ties, seed)
    else:
        raise UnknownName("yardstick", against, get_args(Against))
    codes = votes.of(judge)
    if (codes == MISSING).all():
        raise PlainlyError("gold and raters have no match in common")
    return [_Yardstick(codes, judge)] * len(votes.raters)


def _decisions(
    votes: Votes, yardsticks: Sequence[_Yardstick], resampling: Resampling
) -> list[tuple[Estimate, Estimate, int]]:
    """Share and kappa of each rater, and on how many matches they rest."""
    size = len(votes.raters)
    codes = np.column_stack([votes.codes, *(yardstick.codes for yardstick in yardsticks)])
    rows = paired_counts(codes, CATEGORIES, [(rater, size + rater) for rater in range(size)])
    totals = rows.sum(0)
    flat = rows.reshape(len(rows), -1)
    drawn = [weights @ flat for weights in bootstrap_weights(len(rows), resampling.resamples, resampling.seed)]
    counts = np.concatenate(drawn).reshape(resampling.resamples, *totals.shape)
    shares = estimates(observed(totals), observed(counts), resampling.confidence)
    kappas = estimates(cohen(totals), cohen(counts), resampling.confidence)
    compared = totals[:, GIVEN].sum(-1).astype(int).tolist()
    return list(zip(shares, kappas, compared, strict=True))


def _correlations(
    own: Judgements,
    yardstick: _Yardstick,
    votes: Votes,
    rating: Estimator,
    resampling: Resampling,
) -> tuple[Estimate, Estimate]:
    """Spearman's rho and Kendall's tau-b of the rater's ratings and the yardstick's, over texts that both judged."""
    n = len(own.texts)
    if yardstick.judgements is not None:
        judge = yardstick.judgements
        places = {text: place for place, text in enumerate(own.texts)}
        known = [i for i, item in enumerate(judge.items) if item.first in places and item.second in places]
        first = np.array([places[judge.items[i].first] for i in known], dtype=np.int64)
        second = np.array([places[judge.items[i].second] for i in known], dtype=np.int64)
        outcome = judge.outcome[known]
    else:
        there = np.flatnonzero(yardstick.codes != MISSING)
        first = np.array([own.index[votes.heads[i].first] for i in there], dtype=np.int64)
        second = np.array([own.index[votes.heads[i].second] for i in there], dtype=np.int64)
        outcome = (yardstick.codes[there] == FIRST).astype(float)
    both = np.intersect1d(np.union1d(own.first, own.second), np.union1d(first, second))
    if len(both) < FEWEST_TEXTS:
        nothing = Estimate(np.nan, np.nan, np.nan)
        return nothing, nothing
    ratings = ranks(rating(own.first, own.second, own.outcome, n).ratings[both])  # so that what is equal stays so
    gold = ranks(rating(first, second, outcome, n).ratings[both])

    def figure(coefficient: Coefficient) -> Estimate:
        return correlate(ratings, gold, coefficient=coefficient, resampling=resampling)[0][0].estimate

    return figure("spearman"), figure("kendall")


def _notes(votes: Votes, judgements: Judgements) -> Iterator[Message]:
    yield message(
        "ranking.counts",
        "matches: {matches}, raters: {raters}, judgements: {judgements}",
        matches=len(votes.matches),
        raters=len(votes.raters),
        judgements=len(judgements),
    )
    done = int((votes.codes != MISSING).sum())
    full = votes.codes.size
    if done < full:
        yield message(
            "ranking.missing",
            "{share:.0%} of all possible judgements are missing; raters count where they judged",
            share=1 - done / full,
        )
