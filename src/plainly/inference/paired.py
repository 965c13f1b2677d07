"""Is one system better than another, or did the test set favour it? Two paired tests for any metric.

With d = score of a - score of b, both on the same segments, and both tests two-sided:

bootstrap       d*  the difference on each of B resamples, m their mean. Under "no difference" the d* would lie
                around 0 as they lie around m now, so

                    p = (1 + number of |d* - m| >= |d|) / (B + 1)

                Koehn 2004, with the shift of Noreen 1989 (for scores of texts: Riezler and Maxwell 2005).
randomisation   d*  the difference after the two outputs of a segment were swapped or not, by a fair coin, in R
                trials: under "no difference" it does not matter whose output is whose, so

                    p = (1 + number of |d*| >= |d|) / (R + 1)

                Noreen 1989; Riezler and Maxwell 2005; sacrebleu's `--paired-ar`.

Of n segments, at least 2 of the 2^n ways to swap are as extreme as what was seen. So the randomisation cannot give
a p below 2 / 2^n. The bootstrap does, and is wrong then: resamples of one segment do not vary at all. Where 2 / 2^n
is above the alpha asked for, the bootstrap gives no p (`enough_units`).

sacrebleu takes |d*| before it shifts, and counts > where we count >=. So its bootstrap p is that of a one-sided
test (half of ours where it is small), and a system against itself comes out significant. `sacrebleu_p` computes
that number for those who need it.

Systems are compared on the segments that both have. Where a metric scored all segments of both, these are all. Where
it did not, the sums of a block of segments do not say which they are: such pairs need rows of their own, see
`Blocked.common`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist, median
from typing import Any, Literal, get_args

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.estimates import ROUNDING, Estimate, finite
from plainly.inference.resampling import (
    USUAL,
    Clusters,
    Resampled,
    Resampling,
    Statistics,
    check_statistics,
    cluster_numbers,
    interval,
    pooled,
    resample,
    scores,
    swaps,
    total,
    weighted_totals,
)
from plainly.metrics import Array, Metric

TestMethod = Literal["bootstrap", "randomisation"]
Direction = Literal["higher", "lower", "none"]
WITHIN_ONE_SD = (NormalDist().cdf(-1), NormalDist().cdf(1))
ALPHA = 0.05
POWER = 0.8


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The score of one system minus that of another, and what is known about it.

    `sd` is the standard deviation of the difference over the resamples: its standard error. Three numbers say how
    large the difference is. `z` is difference / sd; it grows with the test set, like the certainty. `effect` is
    z / sqrt(units) and does not grow: for a mean over segments it is the mean difference of a segment in standard
    deviations (Cohen's d for pairs); it is NaN with runs, whose spread has nothing to do with segments. `superiority`
    is the share of resamples on which the first system is better, ties half; it is NaN for a metric by which nothing
    is better or worse.
    """

    estimate: Estimate
    p: float  # NaN where there are too few units for a bootstrap
    sd: float
    z: float
    effect: float
    superiority: float
    mdd: float  # see `minimum_detectable_difference`
    direction: Direction
    method: TestMethod
    trials: int  # resamples or swaps behind p
    dropped: int  # of them without a score
    units: int  # segments or documents

    @property
    def difference(self) -> float:
        return self.estimate.value

    @property
    def first_is_better(self) -> bool | None:
        """None where neither is: equal scores, no score, or a metric without a better end."""
        if self.direction == "none" or math.isnan(self.difference) or self.difference == 0:
            return None
        return (self.difference > 0) == (self.direction == "higher")

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "difference": self.estimate.to_dict(),
            "p": finite(self.p),
            "sd": finite(self.sd),
            "z": finite(self.z),
            "effect": finite(self.effect),
            "superiority": finite(self.superiority),
            "mdd": finite(self.mdd),
            "direction": self.direction,
            "method": self.method,
            "trials": self.trials,
            "dropped": self.dropped,
            "units": self.units,
        }


def difference_of(
    first: Resampled,
    second: Resampled,
    *,
    direction: Direction,
    units: int,
    drawn: int | None = None,
    swapped: Array | None = None,
    resampling: Resampling = USUAL,
    power: float = POWER,
    heavy_tails: bool = False,
) -> Difference:
    """The test of two systems that were resampled together; with `swapped` differences, p is from those.

    `drawn` says how many rows were resampled, where one stands for a block of several units. The interval is from
    the first draws, as many as its settings say; all else is from all of them. Draws over few runs have
    `heavy_tails`: their standard deviation says nothing, so half of the middle 68 % takes its place.
    """
    alpha = 1 - resampling.confidence
    apart = subtracted(first, second)
    known = apart.values[np.isfinite(apart.values)]
    sd = _standard_deviation(known, _scale(first, second), heavy_tails)
    z = _standardised(apart.observed, sd)
    null = _centred(apart.values) if swapped is None else swapped
    testable = swapped is not None or apart.observed == 0 or enough_units(units if drawn is None else drawn, alpha)
    return Difference(
        estimate=interval(apart, resampling),
        p=p_value(apart.observed, null, tolerance=ROUNDING * _scale(first, second)) if testable else math.nan,
        sd=sd,
        z=z,
        effect=z / math.sqrt(units) if units and not heavy_tails else math.nan,
        superiority=_superiority(known, direction),
        mdd=minimum_detectable_difference(sd, alpha=alpha, power=power),
        direction=direction,
        method="bootstrap" if swapped is None else "randomisation",
        trials=len(null),
        dropped=int((~np.isfinite(null)).sum()),
        units=units,
    )


def subtracted(first: Resampled, second: Resampled) -> Resampled:
    """The difference of two scores on the data, on each resample, and with each unit left out."""
    tolerance = ROUNDING * _scale(first, second)

    def minus(a: Array, b: Array) -> Array:
        apart = a - b
        return np.where(np.abs(apart) <= tolerance, 0.0, apart)

    left_out = None
    if first.left_out is not None and second.left_out is not None:
        left_out = first.left_out - second.left_out
    observed = float(minus(np.float64(first.observed), np.float64(second.observed)))
    return Resampled(observed, minus(first.values, second.values), left_out)


def swapped_totals(tables: list[Array], trials: int, seed: int) -> list[Array]:
    """For each table of rows, the totals of the rows that each trial swaps. All tables meet the same swaps."""
    return weighted_totals(swaps(len(tables[0]), trials, seed), tables)


def swapped_differences(metric: Metric, wholes: tuple[Array, Array], moved: tuple[Array, Array]) -> Array:
    """The difference of two systems in each trial, from their totals and from those of the rows that are swapped."""
    stay_first, stay_second = (whole - part for whole, part in zip(wholes, moved, strict=True))
    first = scores(metric, stay_first + moved[1]).value
    second = scores(metric, stay_second + moved[0]).value
    return first - second


def p_value(observed: float, null: Array, tolerance: float = 0.0) -> float:
    """(1 + number of |null| >= |observed|) / (1 + number of null). Never 0: what was seen is one of the cases."""
    null = null[np.isfinite(null)]
    if not math.isfinite(observed) or not len(null):
        return math.nan
    extreme = int((np.abs(null) >= abs(observed) - tolerance).sum())
    return (1 + extreme) / (1 + len(null))


def enough_units(units: int, alpha: float) -> bool:
    """Whether a paired test of so many segments (or documents) can come out below alpha at all."""
    return 2.0 ** (1 - units) < alpha


def sacrebleu_p(first: Resampled, second: Resampled) -> float:
    """The p of sacrebleu's paired bootstrap (`--paired-bs`): |d*| - mean |d*| > |d|, in place of our rule."""
    folded = np.abs(first.values - second.values)
    folded = folded[np.isfinite(folded)]
    extreme = int((folded - folded.mean() > abs(first.observed - second.observed)).sum())
    return (1 + extreme) / (1 + len(folded))


def check_method(method: str) -> None:
    if method not in get_args(TestMethod):
        raise UnknownName("test method", method, get_args(TestMethod))


def paired_test(
    metric: Metric,
    first: Array,
    second: Array,
    *,
    method: TestMethod,
    clusters: Clusters | None = None,
    resampling: Resampling = USUAL,
    power: float = POWER,
    units: int | None = None,
    trials: int | None = None,
) -> Difference:
    """One of the two tests, by name; `first` and `second` are what `metric.measure` gave.

    The test has as many `trials` as its interval has resamples, or more. `units` are the segments or documents, where
    a row stands for several.
    """
    statistics: Statistics = {"first": {"": first}, "second": {"": second}}
    metrics: Mapping[str, Metric] = {"": metric}
    segments = check_statistics(statistics, metrics)
    numbers = None if clusters is None else cluster_numbers(clusters, segments)
    pools = [pooled(first, numbers), pooled(second, numbers)]
    swapped = None
    if method == "randomisation":
        moved = swapped_totals(pools, max(trials or 0, resampling.resamples), resampling.seed)
        swapped = swapped_differences(metric, (total(first), total(second)), (moved[0], moved[1]))
    resampled = resample(statistics, metrics, clusters=clusters, resampling=resampling, trials=trials)
    return difference_of(
        resampled["first"][""],
        resampled["second"][""],
        direction=metric.facts.direction,
        units=len(pools[0]) if units is None else units,
        drawn=len(pools[0]),
        swapped=swapped,
        resampling=resampling,
        power=power,
    )


paired_bootstrap = partial(paired_test, method="bootstrap")
"""The paired bootstrap test of two systems."""
paired_randomisation = partial(paired_test, method="randomisation")
"""The paired approximate randomisation test; interval, sd and what follows from it are from the bootstrap."""


def _centred(values: Array) -> Array:
    known = values[np.isfinite(values)]
    return values - known.mean() if len(known) else values


def _scale(first: Resampled, second: Resampled) -> float:
    scale = abs(first.observed) + abs(second.observed)
    return scale if math.isfinite(scale) else 0.0


def _standard_deviation(values: Array, scale: float, heavy_tails: bool) -> float:
    if len(values) < 2:
        return 0.0 if len(values) else math.nan
    if heavy_tails:
        low, high = np.quantile(values, WITHIN_ONE_SD)
        sd = float(high - low) / 2
    else:
        sd = float(values.std(ddof=1))
    return 0.0 if sd <= ROUNDING * scale else sd


def _standardised(difference: float, sd: float) -> float:
    if difference == 0 or math.isnan(difference) or math.isnan(sd):
        return difference
    return difference / sd if sd else math.copysign(math.inf, difference)


def _superiority(differences: Array, direction: Direction) -> float:
    if direction == "none" or not len(differences):
        return math.nan
    better = differences > 0 if direction == "higher" else differences < 0
    return float(better.mean() + (differences == 0).mean() / 2)


def minimum_detectable_difference(sd: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """The smallest true difference that a test on this test set finds with this power.

    If the true difference of two systems is D and its standard error is sd, a two-sided test at `alpha` comes out
    significant with the probability `power` when

        D = (z(1 - alpha / 2) + z(power)) sd        z: the quantile of the normal distribution

    At alpha 0.05 and power 0.8 that is 2.80 sd (Bloom 1995; for language data Card et al. 2020). A true difference
    below it is more likely to be missed than this test set's users may think; an observed one below it proves
    little. The standard error is the standard deviation of the difference over paired bootstrap resamples, so the
    number holds for this metric, these segments and this pair. It knows of one test: no correction for many is in it.

    >>> round(minimum_detectable_difference(0.5), 3)
    1.401
    """
    for name, share in (("alpha", alpha), ("power", power)):
        if not 0 < share < 1:
            raise PlainlyError(f"{name} must lie between 0 and 1, not {share}")
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * sd


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


@dataclass(frozen=True)
class Shared:
    """The rows of two systems on the segments that both have; `units` where a row holds several."""

    first: Array
    second: Array
    clusters: Clusters | None = None
    units: int | None = None


@dataclass(frozen=True)
class Blocked:
    """Rows of which each holds the sums of a block of segments or of documents.

    Blocks are drawn and swapped as wholes. The variance of a sum of independent rows is the sum of their variances,
    however they are put together. So intervals and tests are those of single segments, but for the noise of fewer
    draws. A block does not say which of its segments a system lacks. So pairs by the metrics that are `uneven` are
    tested on what `common` (metric, first, second) gives: the segments that both have, in blocks of their own.
    """

    statistics: Statistics
    totals: Statistics  # one row each: the exact sums
    segments: int
    units: int  # segments or documents: what would be drawn one by one
    clustered: bool
    uneven: Collection[str]
    common: Callable[[str, str, str], Shared | None]
