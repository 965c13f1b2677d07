"""A bootstrap of few units promises too much: its intervals are too short, and its p-values too small. By how much?

Of n units the bootstrap's variance of a mean is too small by (n - 1) / n, and the tails of its quantiles are normal
where those of Student's t would be right. Hesterberg (2015, The American Statistician 69, 371-386) makes up for both:
a tail a, 2.5 % of a confidence of 95 %, becomes

    F(sqrt(n / (n - 1)) t),   F the normal distribution, t the quantile a of Student's t with n - 1 degrees of freedom

which is 1.6 % of 20 units, 2.1 % of 50 and 2.5 % of thousands. He calls it the expanded percentile interval. The
quantiles of a BCa interval can be taken at the same tails.

Read the other way round, it says what a p-value that was counted on resamples is worth: with z the deviation at which
a normal distribution has this p,

    p of the test = that of Student's t with n - 1 degrees of freedom at z sqrt((n - 1) / n)
"""

from __future__ import annotations

import math
from functools import lru_cache

from plainly.inference.estimates import NORMAL

_WHOLE = 1 - 1e-12  # of fewer than 5 units nearly nothing is left of a tail, but a confidence is below 1


@lru_cache(maxsize=1024)
def widened(confidence: float, units: int) -> float:
    """What confidence to ask a bootstrap of so few units for, to get an interval of this one."""
    from scipy.special import stdtrit

    if units < 2:
        raise ValueError("one unit says nothing about others")
    reach = math.sqrt(units / (units - 1)) * float(stdtrit(units - 1, (1 + confidence) / 2))
    return min(_WHOLE, 2 * NORMAL.cdf(reach) - 1)


def calibrated(p: float, units: int) -> float:
    """What a two-sided p of the bootstrap over so few units is worth; NaN stays, and one unit says nothing.

    Of n units, 2 of 2^n ways to swap two systems are as extreme as all units for one of them. No p is below that.

    >>> round(calibrated(0.001, 6), 3), round(calibrated(0.001, 1000), 4)
    (0.031, 0.001)
    """
    from scipy.special import ndtri, stdtr

    if units < 2 or math.isnan(p):
        return math.nan
    reach = -float(ndtri(p / 2)) * math.sqrt((units - 1) / units)
    return max(2 * float(stdtr(units - 1, -reach)), 2.0 ** (1 - units))
