"""How far do scores of texts, or a ranking of them, agree with what raters said of pairs?

Scores come from a formula, or from a model that sees one text at a time. They decide every match: the text with
the higher score wins, equal scores are a tie. Share and Cohen's kappa compare these decisions with those of the
yardstick. Spearman's rho and Kendall's tau-b compare the scores with the ratings that follow from the yardstick.
A text without a score is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.inference.agreement import MISSING
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import Resampling
from plainly.ranking.decisions import beside_each_other, correlated
from plainly.ranking.fits import Estimator
from plainly.ranking.judgements import Direction, Judgements, check_direction, opposed
from plainly.ranking.ratings import ranks
from plainly.ranking.votes import FIRST, SECOND, TIE, table


@dataclass(frozen=True)
class Scored:
    """Scores of texts; `high` says what a high one means."""

    name: str
    scores: Mapping[str, float]
    high: Direction


@dataclass(frozen=True)
class ScoredRow:
    """Scores beside the yardstick."""

    name: str
    texts: int
    """With a score, and judged."""
    compared: int
    share: Estimate
    kappa: Estimate
    spearman: Estimate
    kendall: Estimate


def scored_row(scored: Scored, yardstick: Judgements, rating: Estimator, resampling: Resampling) -> ScoredRow:
    """Beside a yardstick of one judgement a match."""
    sign = -1 if opposed(check_direction(scored.high, "what a high score means"), yardstick.direction) else 1
    own = np.array([sign * scored.scores.get(text, math.nan) for text in yardstick.texts])
    beside = table(yardstick)
    lead = [own[yardstick.index[head.first]] - own[yardstick.index[head.second]] for head in beside.heads]
    codes = [MISSING if math.isnan(by) else FIRST if by > 0 else SECOND if by < 0 else TIE for by in lead]
    ((share, kappa, count),) = beside_each_other(np.array(codes)[:, None], beside.codes, resampling)
    judged = np.union1d(yardstick.first, yardstick.second)
    both = judged[~np.isnan(own[judged])]
    if not len(both):
        raise PlainlyError(f"no text of the judgements has a score in {shown(scored.name)}")
    fit = rating(yardstick.first, yardstick.second, yardstick.outcome, len(yardstick.texts))
    rho, tau = correlated(own[both], ranks(fit.ratings[both]), resampling)
    return ScoredRow(scored.name, len(both), count, share, kappa, rho, tau)
