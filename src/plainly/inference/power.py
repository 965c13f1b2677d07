"""What can a test set show? The difference that it would find, and how large a plan must be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist, median

from plainly.base.errors import PlainlyError

ALPHA = 0.05
POWER = 0.8


def minimum_detectable_difference(
    sd: float, alpha: float = ALPHA, power: float = POWER, units: int | None = None
) -> float:
    """The smallest true difference that a test on this test set finds with this power.

    If the true difference of two systems is D and its standard error is sd, a two-sided test at `alpha` comes out
    significant with the probability `power` when

        D = (z(1 - alpha / 2) + z(power)) sd        z: the quantile of the normal distribution

    At alpha 0.05 and power 0.8 that is 2.80 sd (Bloom 1995; for language data Card et al. 2020). A true difference
    below it is more likely to be missed than this test set's users may think; an observed one below it proves
    little. The standard error is the standard deviation of the difference over paired bootstrap resamples, so the
    number holds for this metric, these segments and this pair. It knows of one test: no correction for many is in it.

    Of few `units`, the quantiles are those of Student's t, as Bloom has them, and the bootstrap's sd is made larger
    by sqrt(n / (n - 1)), as the test makes its p (`plainly.inference.small_sample`): 2.84 sd of 100 units, 3.2 of 12.

    >>> round(minimum_detectable_difference(0.5), 3)
    1.401
    """
    for name, share in (("alpha", alpha), ("power", power)):
        if not 0 < share < 1:
            raise PlainlyError(f"{name} must lie between 0 and 1, not {share}")
    if units is None:
        normal = NormalDist()
        return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * sd
    if units < 2:
        return math.nan
    from scipy.special import stdtrit

    reach = float(stdtrit(units - 1, 1 - alpha / 2) + stdtrit(units - 1, power))
    return reach * math.sqrt(units / (units - 1)) * sd


def typical(detectable: Iterable[float]) -> float:
    """The median over pairs. Pairs that never differ, such as a system and its copy, have nothing to detect."""
    there = [value for value in detectable if math.isfinite(value) and value > 0]
    return median(there) if there else math.nan


def crossing(tried: Sequence[int], values: Sequence[float], target: float) -> int | None:
    """For plans: the first whole number at which the values reach the target, by straight lines; or None.

    >>> crossing([10, 20], [0.5, 0.9], 0.8)
    18
    """
    place = next((place for place, value in enumerate(values) if value >= target), None)
    if place is None or place == 0:
        return None if place is None else tried[0]
    part = (target - values[place - 1]) / (values[place] - values[place - 1])
    return math.ceil(tried[place - 1] + round(float(part), 12) * (tried[place] - tried[place - 1]))
