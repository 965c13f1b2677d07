"""How sure are we of a share? Intervals for counts out of a total, alone and in pairs.

`share` is Wilson's interval (1927): all p for which the count is no surprise, |k - np| <= z sqrt(np (1 - p)).

`lean` is for things that are asked twice, once each way round, where b say yes both times and c say no both times.
Its value is (b - c) / n. The interval is that of Agresti and Min (2005, Statistics in Medicine): the normal interval
of a paired difference, with half an observation added to each of the four cells,

    (b - c) / m  +-  z sqrt(b + c + 1 - (b - c)^2 / m) / m,        m = n + 2
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from plainly.base.errors import PlainlyError
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import check_confidence


def share(count: float, total: float, confidence: float = 0.95) -> Estimate:
    """The share of `count` in `total`, with Wilson's interval. A sample's effective size need not be whole."""
    z = _deviation(count, total, confidence)
    value, square = count / total, z * z / total
    middle = (value + square / 2) / (1 + square)
    reach = z * sqrt(value * (1 - value) / total + square / (4 * total)) / (1 + square)
    low = 0.0 if count == 0 else middle - reach  # rounding leads beyond the ends
    high = 1.0 if count == total else middle + reach
    return Estimate(value, low, high, confidence)


def lean(both: int, neither: int, total: int, confidence: float = 0.95) -> Estimate:
    """By how much things asked twice lean towards yes, from -1 to 1."""
    z = _deviation(both + neither, total, confidence)
    if min(both, neither) < 0:
        raise PlainlyError(f"counts must be from 0 on, not {both} and {neither}")
    m = total + 2
    middle = (both - neither) / m
    reach = z * sqrt(both + neither + 1 - (both - neither) ** 2 / m) / m
    return Estimate((both - neither) / total, max(-1.0, middle - reach), min(1.0, middle + reach), confidence)


def _deviation(count: float, total: float, confidence: float) -> float:
    if not 0 <= count <= total or total == 0:
        raise PlainlyError(f"{count} of {total} is not a share")
    check_confidence(confidence)
    return NormalDist().inv_cdf((1 + confidence) / 2)
