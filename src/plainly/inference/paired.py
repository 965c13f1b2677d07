"""Is one system better than another, or did the test set favour it? Paired tests for any metric.

With d = score of a - score of b, both on the same segments, and all tests two-sided:

bootstrap-plain d*  the difference on each of B resamples, m their mean. Under "no difference" the d* would lie
                around 0 as they lie around m now, so

                    p = (1 + number of |d* - m| >= |d|) / (B + 1)

                Koehn 2004, with the shift of Noreen 1989 (for scores of texts: Riezler and Maxwell 2005).
bootstrap       the same, calibrated for the number of segments (`plainly.inference.small_sample`). Equal systems
                differ at 0.05 in 14 % of cases by the plain p of 6 segments and in 9 % of 12; by this one, in 5 %.
randomisation   d*  the difference after the two outputs of a segment were swapped or not, by a fair coin, in R
                trials: under "no difference" it does not matter whose output is whose, so

                    p = (1 + number of |d*| >= |d|) / (R + 1)

                Noreen 1989; Riezler and Maxwell 2005; sacrebleu's `--paired-ar`.

Of n segments, at least 2 of the 2^n ways to swap are as extreme as what was seen. So the randomisation cannot give
a p below 2 / 2^n. The bootstrap does, and is wrong then: resamples of one segment do not vary at all. Where 2 / 2^n
is above the alpha asked for, the bootstrap gives no p (`enough_units`).

sacrebleu takes |d*| before it shifts, and counts > where we count >=. So its bootstrap p is that of a one-sided
test (half of the plain one where it is small), and a system against itself comes out significant. `sacrebleu_p`
computes that number for those who need it.

Systems are compared on the segments that both have. Where a metric scored all segments of both, these are all. Where
it did not, the sums of a block of segments do not say which they are: such pairs need rows of their own, see
`Blocked.common`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np

from plainly.base.errors import UnknownName
from plainly.inference.estimates import ROUNDING, Estimate, finite
from plainly.inference.power import POWER, minimum_detectable_difference
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
from plainly.inference.small_sample import calibrated
from plainly.metrics import Array, Metric

TestMethod = Literal["bootstrap", "bootstrap-plain", "randomisation"]
Direction = Literal["higher", "lower", "none"]
WITHIN_ONE_SD = (NormalDist().cdf(-1), NormalDist().cdf(1))
WORTH: Mapping[TestMethod, Callable[[float, int], float]] = {
    "bootstrap": calibrated,
    "bootstrap-plain": lambda p, units: p,
    "randomisation": lambda p, units: p,
}
"""What a p that was counted over so many units is worth."""


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
    p: float  # NaN where there are too few units for a test
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
    method: TestMethod = "bootstrap",
    units: int | None = None,
    swapped: Array | None = None,
    resampling: Resampling = USUAL,
    power: float = POWER,
    heavy_tails: bool = False,
) -> Difference:
    """The test of two systems that were resampled together; a randomisation counts `swapped` differences.

    `units` are the segments or documents, where a row that was drawn stands for a block of several or nobody counted
    them. p is from all draws, all else from as many as the interval has: more trials move p alone. Draws over few
    runs have `heavy_tails`: their standard deviation says nothing, so half of the middle 68 % takes its place.
    """
    alpha = 1 - resampling.confidence
    apart = subtracted(first, second)
    drawn = apart.units if apart.units is not None else units
    if drawn is None or (swapped is None) == (method == "randomisation"):
        raise ValueError("a test knows how many units were drawn, and a randomisation what was swapped")
    shown = apart.values[: resampling.resamples]
    known = shown[np.isfinite(shown)]
    sd = _standard_deviation(known, _scale(first, second), heavy_tails) if drawn > 1 else math.nan
    z = _standardised(apart.observed, sd)
    null = centred(apart.values) if swapped is None else swapped
    if drawn >= 2 and apart.observed == 0:
        p = 1.0
    elif testable(drawn, method, alpha):
        p = WORTH[method](p_value(apart.observed, null, ROUNDING * _scale(first, second)), drawn)
    else:
        p = math.nan
    units = drawn if units is None else units
    return Difference(
        estimate=interval(apart, resampling),
        p=p,
        sd=sd,
        z=z,
        effect=z / math.sqrt(units) if units and not heavy_tails else math.nan,
        superiority=_superiority(known, direction) if drawn > 1 else math.nan,
        mdd=minimum_detectable_difference(sd, alpha=alpha, power=power, units=drawn),
        direction=direction,
        method=method,
        trials=len(null),
        dropped=int((~np.isfinite(null)).sum()),
        units=units,
    )


@dataclass(frozen=True)
class Standardised:
    """A difference in standard deviations, and what it is on each draw if nothing differs."""

    observed: float
    """NaN where there is no test. As far out as its p would have it: fewer than sd says where units are few."""
    by_chance: Array


def standardised(
    apart: Resampled, null: Array, method: TestMethod, alpha: float, heavy_tails: bool = False
) -> Standardised:
    """For tests that are corrected together, see `plainly.inference.multiple.max_t`."""
    from scipy.special import ndtr, ndtri

    units = apart.units or 0
    known = null[np.isfinite(null)]
    sd = _standard_deviation(known, abs(apart.observed), heavy_tails)
    if not testable(units, method, alpha) or math.isnan(apart.observed) or math.isnan(sd):
        return Standardised(math.nan, null)
    reach = abs(_standardised(apart.observed, sd))
    worth = WORTH[method](2 * float(ndtr(-reach)), units)
    return Standardised(-float(ndtri(worth / 2)), null / sd if sd else np.zeros_like(null))


def testable(units: int, method: TestMethod, alpha: float) -> bool:
    """Whether there is a test of so many units: the bootstrap's must be able to come out."""
    return units >= 2 and (method == "randomisation" or enough_units(units, alpha))


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
    counted = [one.units for one in (first, second) if one.units is not None]
    return Resampled(observed, minus(first.values, second.values), left_out, units=min(counted, default=None))


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
    """One of the tests, by name; `first` and `second` are what `metric.measure` gave.

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
        method=method,
        units=units,
        swapped=swapped,
        resampling=resampling,
        power=power,
    )


paired_bootstrap = partial(paired_test, method="bootstrap")
"""The paired bootstrap test of two systems."""
paired_randomisation = partial(paired_test, method="randomisation")
"""The paired approximate randomisation test; interval, sd and what follows from it are from the bootstrap."""


def centred(values: Array) -> Array:
    """Around 0, as they would lie if nothing differed."""
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


@dataclass(frozen=True)
class Shared:
    """The rows of some runs on the segments that all of them have; `units` where a row holds several."""

    rows: Mapping[str, Array]
    clusters: Clusters | None = None
    units: int | None = None


@dataclass(frozen=True)
class Blocked:
    """Rows of which each holds the sums of a block of segments or of documents.

    Blocks are drawn and swapped as wholes. The variance of a sum of independent rows is the sum of their variances,
    however they are put together. So intervals and tests are those of single segments, but for the noise of fewer
    draws. A block does not say which of its segments a system lacks. So pairs by the metrics that are `uneven` are
    tested on what `common` (metric, runs) gives: the segments that all of these runs have, in blocks of their own.
    """

    statistics: Statistics
    totals: Statistics  # one row each: the exact sums
    segments: int
    units: int  # segments or documents: what would be drawn one by one
    clustered: bool
    uneven: Collection[str]
    common: Callable[[str, Sequence[str]], Shared | None]
