"""Two sides beside each other: their decisions match by match, and the ratings that follow from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from plainly.inference.agreement import FIRST as GIVEN
from plainly.inference.agreement import Codes, cohen, observed, paired_counts
from plainly.inference.correlation import Coefficient, correlate
from plainly.inference.estimates import Estimate, estimates
from plainly.inference.resampling import Resampling, bootstrap_weights
from plainly.metrics import Array
from plainly.ranking.votes import CATEGORIES

FEWEST_TEXTS = 3
"""Below, a rank correlation says nothing."""


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
        nothing = Estimate(np.nan, np.nan, np.nan)
        return nothing, nothing

    def figure(coefficient: Coefficient) -> Estimate:
        return correlate(own, others, coefficient=coefficient, resampling=resampling)[0][0].estimate

    return figure("spearman"), figure("kendall")
