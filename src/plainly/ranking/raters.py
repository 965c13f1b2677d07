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
from plainly.inference.agreement import MISSING, Codes
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import USUAL, Resampling, check_at_least
from plainly.models.one_core import one_core_each
from plainly.ranking.alphas import AlphaKind, GroupAlpha, alphas
from plainly.ranking.careless import Habits, flags, habits
from plainly.ranking.decisions import Rated, beside_each_other
from plainly.ranking.disputes import Disputed, disputed
from plainly.ranking.fits import Estimator
from plainly.ranking.judgements import Direction, Judgements, TieRule, majority
from plainly.ranking.ratings import estimator
from plainly.ranking.scored import Scored, ScoredRow, scored_row
from plainly.ranking.votes import Votes, table

Against = Literal["others", "majority", "gold"]

PAIRS = 10
"""Disputed pairs that are kept."""


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
    """Raters, groups of them, scores beside them, the most disputed pairs, and what was left out."""

    raters: tuple[RaterRow, ...]
    groups: tuple[GroupAlpha, ...]
    scores: tuple[ScoredRow, ...]
    pairs: tuple[Disputed, ...]
    direction: Direction
    signature: str
    notes: tuple[Message, ...]
    resampling: Resampling

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "signature": self.signature,
            "confidence": self.resampling.confidence,
            **{name: plain_data(getattr(self, name)) for name in ("notes", "raters", "groups", "scores", "pairs")},
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
    scores: Sequence[Scored] = (),
    pairs: int = PAIRS,
    resampling: Resampling = USUAL,
) -> Agreement:
    """Every rater against a yardstick (default: gold, if it is given, else the other raters), and alphas by group.

    `ties` is the rule for ties of the majority of all raters. Where the other raters are the yardstick, matches on
    which these are divided evenly are left out. `alpha` says how alphas take the sides (see `alphas`). `words` says
    how long texts are (see `careless.words_of`): who judged faster than anybody reads is flagged.
    `scores` are held against the same yardstick; as they are no rater, "others" are all raters. So many disputed
    `pairs` are kept, with the votes of each group.
    """
    check_at_least("pairs", pairs, 1)
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
    beside = np.column_stack([yardstick.codes for yardstick in yardsticks])
    decisions = beside_each_other(votes.codes, beside, resampling)
    kept = habits(judgements, words)
    shares = [share.value for share, _, _ in decisions]
    with one_core_each():  # many small matrices: cores that share one do little but wait for each other
        rated = Rated(votes, judgements, yardsticks[0].judgements, rating, resampling)
        beside_yardsticks = [
            rated.correlations(judgements.by(name), yardstick.codes)
            for name, yardstick in zip(votes.raters, yardsticks, strict=True)
        ]
    one_prior = rated.one_prior and "sd" not in (settings or {})
    rows = []
    for place, name in enumerate(votes.raters):
        own, (share, kappa, compared), (rho, tau) = kept[place], decisions[place], beside_yardsticks[place]
        odd = flags(own, kept, kappa, share.value, shares, compared)
        rows.append(RaterRow(name, own.judgements, compared, share, kappa, rho, tau, own, odd))
    said = {
        "against": against,
        **({"ties": ties} if ties else {}),
        "alpha": alpha,
        "method": method,
        **(settings or {}),
        **({"others-prior": "study"} if one_prior else {}),
        **{name: getattr(resampling, name) for name in ("confidence", "resamples", "seed")},
    }
    return Agreement(
        tuple(rows),
        tuple(alphas(judgements, by, alpha, resampling)),
        tuple(_scores(scores, judgements, yardsticks, ties, rating, resampling)),
        tuple(disputed(judgements, by, pairs)),
        judgements.direction,
        signed("ranking-agreement", said),
        tuple(_notes(votes, judgements, one_prior)),
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


def _scores(
    scores: Sequence[Scored],
    judgements: Judgements,
    yardsticks: Sequence[_Yardstick],
    ties: TieRule | None,
    rating: Estimator,
    resampling: Resampling,
) -> Iterator[ScoredRow]:
    if scores:
        yardstick = yardsticks[0].judgements or majority(judgements, ties or "drop")
        yield from (scored_row(one, yardstick, rating, resampling) for one in scores)


def _notes(votes: Votes, judgements: Judgements, one_prior: bool) -> Iterator[Message]:
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
            share=min(1 - done / full, 0.99),  # never all, where there are some
        )
    if one_prior:
        yield message(
            "ranking.one-prior",
            "with {raters} raters and {texts} texts, the others' ratings take the width of their prior from all "
            "raters, not anew for each",
            raters=len(votes.raters),
            texts=len(judgements.texts),
        )
