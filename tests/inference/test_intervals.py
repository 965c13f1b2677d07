"""Intervals against scipy and sacrebleu, their coverage, and the cases in which there is little to resample."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly import metrics as registry
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.inference import (
    Estimate,
    Resampled,
    Resampling,
    confidence_interval,
    confidence_intervals,
    interval,
    resample,
)
from plainly.metrics import Array, Metric

Rows = Callable[[Array], Array]
SKEWED = np.random.default_rng(11).lognormal(size=60)

# The standard error of an outer quantile of 10,000 normal values: sqrt(0.025 * 0.975 / 10,000) / density, in sd.
QUANTILE_ERROR = math.sqrt(0.025 * 0.975 / 10_000) / 0.0584


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_same_resamples_same_interval_as_scipy(method: str, theirs: str, confidence: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    peer = stats.bootstrap(
        (SKEWED,), np.mean, method=theirs, confidence_level=confidence, n_resamples=999, rng=np.random.default_rng(0)
    )
    left_out = (SKEWED.sum() - SKEWED) / (len(SKEWED) - 1)
    resampled = Resampled(SKEWED.mean(), peer.bootstrap_distribution, left_out)
    ours = interval(resampled, Resampling(999, confidence=confidence, method=method))
    assert (ours.low, ours.high) == pytest.approx(tuple(peer.confidence_interval), rel=1e-9)


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_own_resamples_agree_with_scipy(mean: Metric, as_rows: Rows, method: str, theirs: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    peer = stats.bootstrap((SKEWED,), np.mean, method=theirs, n_resamples=10_000, rng=np.random.default_rng(0))
    ours = confidence_interval(
        mean,
        as_rows(SKEWED),
        resampling=Resampling(method=method, resamples=10_000),
    )  # type: ignore[arg-type]
    # Four standard errors of the difference of two Monte-Carlo quantiles, doubled: the right tail is thin.
    error = 2 * 4 * math.sqrt(2) * QUANTILE_ERROR * peer.standard_error
    assert (ours.low, ours.high) == pytest.approx(tuple(peer.confidence_interval), abs=error)


def test_paired_difference_of_quotients_agrees_with_scipy(quotient: Metric) -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(2)
    up, down = draw.gamma(3, size=80), draw.gamma(5, size=80)
    rows = np.column_stack([np.ones(80), up, down])
    peer = stats.bootstrap(
        (up, down),
        lambda x, y, axis=-1: x.sum(axis=axis) / y.sum(axis=axis),
        paired=True,
        method="BCa",
        n_resamples=10_000,
        rng=np.random.default_rng(0),
    )
    ours = confidence_interval(
        quotient,
        rows,
        resampling=Resampling(method="bca", resamples=10_000),
    )
    error = 2 * 4 * math.sqrt(2) * QUANTILE_ERROR * peer.standard_error
    assert (ours.low, ours.high) == pytest.approx(tuple(peer.confidence_interval), abs=error)


def test_interval_of_bleu_agrees_with_sacrebleu(texts: SimpleNamespace) -> None:
    from sacrebleu.metrics import BLEU

    peer = BLEU(lowercase=True).corpus_score(texts.systems["a"], texts.references, n_bootstrap=10_000)
    metric = registry.get("bleu")
    rows = metric.measure(Corpus(texts.sources, list(zip(*texts.references, strict=True)), texts.systems), "a")
    ours = confidence_interval(metric, rows, resampling=Resampling(resamples=10_000))
    # sacrebleu gives the mean of the resamples and half the width. An error of each, as above.
    sd = (ours.high - ours.low) / (2 * 1.96)
    assert peer._ci == pytest.approx((ours.high - ours.low) / 2, abs=4 * QUANTILE_ERROR * sd)
    resampled = resample({"a": {"bleu": rows}}, {"bleu": metric}, resampling=Resampling(resamples=10_000))["a"][
        "bleu"
    ]
    assert resampled.observed == pytest.approx(peer.score, rel=1e-9)
    assert resampled.values.mean() == pytest.approx(peer._mean, abs=4 * math.sqrt(2 / 10_000) * sd)


# Coverage: many data sets at once, as "systems" that share their resamples. 2,000 of them give a standard error of
# sqrt(0.95 * 0.05 / 2,000) = 0.005. The tolerance is 3.3 of these; and below it 0.015 more, because bootstrap
# intervals are known to be a little short at these sizes (by a factor of about sqrt(1 - 1/n), and more with skew).
DATA_SETS = 2000
COVERAGE = (0.95 - 0.015 - 3.3 * 0.005, 0.95 + 3.3 * 0.005)


def coverage(samples: list[Array], metric: Metric, truth: float, method: str) -> float:
    statistics = {str(i): {"m": rows} for i, rows in enumerate(samples)}
    found = confidence_intervals(
        statistics,
        {"m": metric},
        resampling=Resampling(method=method, resamples=2000, seed=4),
    )  # type: ignore[arg-type]
    return float(np.mean([truth in by_label["m"] for by_label in found.values()]))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_coverage_for_a_quotient(quotient: Metric, method: str) -> None:
    draw = np.random.default_rng(1)
    samples = []
    for _ in range(DATA_SETS):
        down = draw.gamma(4, size=60)
        samples.append(np.column_stack([np.ones(60), down * draw.gamma(3, size=60), down]))
    assert COVERAGE[0] <= coverage(samples, quotient, 3.0, method) <= COVERAGE[1]


@pytest.mark.slow
def test_coverage_for_bleu(texts: SimpleNamespace) -> None:
    metric = registry.get("bleu")
    rows = metric.measure(Corpus(texts.sources, list(zip(*texts.references, strict=True)), texts.systems), "a")
    truth = float(metric.score(rows.sum(axis=0)).value)  # the segments are the population to draw from
    draw = np.random.default_rng(2)
    samples = [rows[draw.integers(len(rows), size=100)] for _ in range(500)]
    error = 3.3 * math.sqrt(0.95 * 0.05 / 500)
    assert 0.95 - 0.015 - error <= coverage(samples, metric, truth, "percentile") <= 0.95 + error


@pytest.mark.parametrize("documents", [True, False])
def test_coverage_needs_documents_where_segments_depend_on_each_other(
    mean: Metric, as_rows: Rows, documents: bool
) -> None:
    # 40 documents of 5 segments; all of the variance lies between documents. By segments the standard error comes
    # out sqrt(5) too small, so 1.96 becomes 0.877 and the coverage 2 F(0.877) - 1 = 0.62.
    draw = np.random.default_rng(5)
    statistics = {str(i): {"m": as_rows(np.repeat(draw.normal(size=40), 5))} for i in range(DATA_SETS)}
    clusters = np.repeat(np.arange(40), 5).tolist() if documents else None
    found = confidence_intervals(statistics, {"m": mean}, clusters=clusters, resampling=Resampling(seed=4))
    covered = np.mean([0.0 in by_label["m"] for by_label in found.values()])
    if documents:
        assert COVERAGE[0] <= covered <= COVERAGE[1]
    else:
        assert covered == pytest.approx(0.62, abs=0.015 + 3.3 * math.sqrt(0.62 * 0.38 / DATA_SETS))


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("values", [[4.0, 4.0, 4.0], [0.1] * 7, [0.0, 0.0], [4.0, math.nan, 4.0]])
def test_nothing_varies_so_the_interval_is_a_point(
    mean: Metric, as_rows: Rows, method: str, values: list[float]
) -> None:
    found = confidence_interval(mean, as_rows(np.array(values)), resampling=Resampling(method=method))  # type: ignore[arg-type]
    sums = np.array([math.fsum(column) for column in as_rows(np.array(values)).T])
    expected = float(mean.score(sums).value)
    assert (found.low, found.high) == (expected, expected)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_one_unit_has_no_interval(mean: Metric, as_rows: Rows, method: str) -> None:
    """One segment, one segment with a score, one document: nothing is known of others."""
    resampling = Resampling(method=method)
    for values, clusters in (([4.0], None), ([4.0, math.nan, math.nan], None), ([3.0, 5.0], ["d", "d"])):
        found = confidence_interval(mean, as_rows(np.array(values)), clusters=clusters, resampling=resampling)
        assert (found.value, found.has_interval) == (4.0, False)


def test_resamples_without_a_score_are_dropped_and_counted(mean: Metric, as_rows: Rows) -> None:
    found = confidence_interval(
        mean, as_rows(np.array([1.0, math.nan, 1.0, math.nan])), resampling=Resampling(resamples=10_000)
    )
    assert (found.low, found.high) == (1, 1)
    share = (2 / 4) ** 4  # the scored segments are drawn in none of four draws
    assert found.dropped / 10_000 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 10_000))


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_nothing_scored_has_no_interval(mean: Metric, as_rows: Rows, method: str) -> None:
    found = confidence_interval(
        mean,
        as_rows(np.full(3, math.nan)),
        resampling=Resampling(method=method, resamples=50),
    )  # type: ignore[arg-type]
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert found.dropped == 50
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written == {"value": None, "low": None, "high": None}


def test_a_score_beyond_all_resamples_still_has_a_bca_interval() -> None:
    values = np.random.default_rng(0).normal(size=500)
    for observed in (-9.0, 9.0):
        found = interval(Resampled(observed, values, np.arange(20.0)), Resampling(method="bca"))
        assert values.min() <= found.low <= found.high <= values.max()


def test_the_interval_carries_its_confidence(mean: Metric, as_rows: Rows) -> None:
    found = confidence_interval(
        mean,
        as_rows(SKEWED),
        resampling=Resampling(resamples=77, seed=5, confidence=0.9, method="bca"),
    )
    assert (found.confidence, found.dropped) == (0.9, 0)
    negated = -found
    assert (negated.low, negated.high) == (-found.high, -found.low)
    assert (negated.value, negated.confidence) == (-found.value, 0.9)


def test_an_interval_ends_where_the_number_can_lie() -> None:
    assert Estimate(95.0, 88.0, 104.0).within((0.0, 100.0)) == Estimate(95.0, 88.0, 100.0)
    assert Estimate(2.0, -3.0, 7.0).within((0.0, math.inf)) == Estimate(2.0, 0.0, 7.0)
    assert not Estimate(95.0).within((0.0, 100.0)).has_interval


numbers = st.lists(st.floats(-100, 100, width=32), min_size=2, max_size=12)


@given(values=numbers, method=st.sampled_from(["percentile", "bca"]), factor=st.sampled_from([-2.0, 0.5, 4.0]))
def test_an_interval_lies_among_the_values_and_moves_with_them(
    mean: Metric, as_rows: Rows, values: list[float], method: str, factor: float
) -> None:
    def of(array: Array) -> tuple[float, float]:
        found = confidence_interval(
            mean,
            as_rows(array),
            resampling=Resampling(method=method, resamples=200),
        )  # type: ignore[arg-type]
        return found.low, found.high

    array = np.array(values, dtype=float)
    low, high = of(array)
    assert array.min() - 1e-9 <= low <= high <= array.max() + 1e-9
    scaled = sorted([factor * low, factor * high])
    assert of(factor * array) == pytest.approx(tuple(scaled), abs=1e-6)


def test_bad_settings_are_refused(mean: Metric, as_rows: Rows) -> None:
    rows = as_rows(SKEWED)
    with pytest.raises(UnknownName, match="did you mean 'percentile'"):
        confidence_interval(mean, rows, resampling=Resampling(method="percentil"))
    for confidence in (0, 1, 95):
        with pytest.raises(PlainlyError, match="the confidence must lie between 0 and 1"):
            confidence_interval(mean, rows, resampling=Resampling(confidence=confidence))
    with pytest.raises(ValueError, match="leave_out=True"):
        interval(Resampled(1.0, SKEWED), Resampling(method="bca"))
