"""Bootstrap intervals of few units are too short. By how much must they be widened?

Of n units the bootstrap's variance of a mean is too small by (n - 1) / n, and the tails of its quantiles are normal
where those of Student's t would be right. Hesterberg (2015, The American Statistician 69, 371-386) makes up for both:
a tail a, 2.5 % of a confidence of 95 %, becomes

    F(sqrt(n / (n - 1)) t),   F the normal distribution, t the quantile a of Student's t with n - 1 degrees of freedom

which is 1.6 % of 20 units, 2.1 % of 50 and 2.5 % of thousands. He calls it the expanded percentile interval. The
quantiles of a BCa interval can be taken at the same tails.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from plainly.inference.intervals import NORMAL

_WHOLE = 1 - 1e-12  # of fewer than 5 units nearly nothing is left of a tail, but a confidence is below 1


@lru_cache(maxsize=1024)
def widened(confidence: float, units: int) -> float:
    """What confidence to ask a bootstrap of so few units for, to get an interval of this one."""
    if units < 2:
        raise ValueError("one unit says nothing about others")
    reach = math.sqrt(units / (units - 1)) * student_quantile((1 + confidence) / 2, units - 1)
    return min(_WHOLE, 2 * NORMAL.cdf(reach) - 1)


def student_quantile(share: float, freedom: int) -> float:
    """The number below which a share of at least a half of Student's t lies; found by halving."""
    low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _inside(middle, freedom) < 2 * share - 1 else (low, middle)
    return math.tan(low) * math.sqrt(freedom)


def _inside(angle: float, freedom: int) -> float:
    """P(|T| <= tan(angle) sqrt(freedom)), by the finite series of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    # Even: 1 + 1/2 cos^2 + 1/2 3/4 cos^4 + ...; odd: cos + 2/3 cos^3 + 2/3 4/5 cos^5 + ...; last: freedom - 2.
    steps = np.arange(1, (freedom - odd) // 2)
    factors = (2 * steps - 1 + odd) / (2 * steps + odd) * cosine**2
    terms = 1 + float(np.cumprod(factors).sum())
    if not odd:
        return sine * terms
    return 2 / math.pi * (angle + (sine * cosine * terms if freedom > 1 else 0.0))
