"""Weights are what the bootstrap asks for, the same for all, and made within bounded memory."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling, correlation, dependent, noise, partials, resample, ties
from plainly.inference.correlation import correlate
from plainly.inference.dependent import permutation_difference
from plainly.inference.noise import noise_band
from plainly.inference.partials import partial
from plainly.inference.resampling import (
    STRETCH,
    bootstrap_weights,
    cluster_numbers,
    pooled,
    swaps,
    total,
    weighted_totals,
)
from plainly.inference.ties import wmt_taus
from plainly.metrics import Array, Metric

Rows = Callable[[Array], Array]


ROWS, FEW = 10_000, 4
MEASURES = np.random.default_rng(6).normal(size=(3, ROWS))
CLUSTERS = [str(i % FEW) for i in range(ROWS)]


@pytest.mark.parametrize(
    "resampled",
    [
        lambda x, y, z: correlate(
            x, y, coefficient="pearson", clusters=CLUSTERS, resampling=Resampling(resamples=200)
        ),
        lambda x, y, z: partial(x, y, z, clusters=CLUSTERS, resampling=Resampling(resamples=200)),
        lambda x, y, z: noise_band(
            np.stack([x, z], axis=1), y, 0, clusters=CLUSTERS, resampling=Resampling(resamples=200)
        ),
        lambda x, y, z: permutation_difference(x, z, y, clusters=CLUSTERS, trials=200),
        lambda x, y, z: wmt_taus(np.round(x), np.round(y), clusters=CLUSTERS, resampling=Resampling(resamples=200)),
    ],
    ids=["correlation", "partials", "noise", "dependent", "ties"],
)
def test_few_clusters_of_many_rows_are_drawn_in_blocks_of_rows(
    resampled: Callable[[Array, Array, Array], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Blocks of 2^15 weights are 0.25 MB. All weights of all rows at once would be 200 * 10,000 * 8 bytes: 16 MB.
    for module in (correlation, dependent, noise, partials, ties):
        monkeypatch.setattr(module, "WEIGHTS_AT_A_TIME", 1 << 15)
    resampled(*MEASURES)  # imports what it needs, which is not to be counted
    tracemalloc.start()
    resampled(*MEASURES)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000


@given(units=st.integers(1, 40), resamples=st.integers(1, 20), seed=st.integers(0, 2**32), block=st.integers(1, 300))
def test_each_resample_draws_as_many_units_as_there_are(units: int, resamples: int, seed: int, block: int) -> None:
    blocks = list(bootstrap_weights(units, resamples, seed, block))
    weights = np.concatenate(blocks)
    assert weights.shape == (resamples, units)
    assert (weights.sum(axis=1) == units).all()
    assert (weights >= 0).all()
    assert all(len(part) * units <= max(block, units) for part in blocks)
    np.testing.assert_array_equal(weights, np.concatenate(list(bootstrap_weights(units, resamples, seed))))


@pytest.mark.parametrize("units", [10, STRETCH + 4000])
def test_weights_have_the_moments_of_a_multinomial(units: int) -> None:
    # n draws over n units: mean 1, variance 1 - 1/n, covariance -1/n. Pairs within a stretch and across two.
    resamples = 4000 if units < 100 else 500
    first, second, last = [], [], []
    for weights in bootstrap_weights(units, resamples, seed=3):
        first.append(weights[:, 0]), second.append(weights[:, 1]), last.append(weights[:, -1])
    columns = np.array([np.concatenate(part) for part in (first, second, last)])
    # Four standard errors: of a mean sqrt(1 / resamples), of a (co)variance about sqrt(3 / resamples).
    assert columns.mean(axis=1) == pytest.approx([1, 1, 1], abs=4 * np.sqrt(1 / resamples))
    expected = np.full((3, 3), -1 / units) + np.eye(3)
    np.testing.assert_allclose(np.cov(columns), expected, atol=4 * np.sqrt(3 / resamples))


def test_every_unit_is_drawn_where_there_are_many_stretches() -> None:
    units = 2 * STRETCH + 17
    weights = np.concatenate(list(bootstrap_weights(units, 200, seed=1)))
    assert (weights.sum(axis=1) == units).all()
    assert (weights.sum(axis=0) > 0).all()  # the chance that a unit is never drawn is exp(-200)


def test_swaps_are_fair_coins() -> None:
    coins = np.concatenate(list(swaps(100, 1000, seed=5)))
    assert set(np.unique(coins)) == {0.0, 1.0}
    assert coins.mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(100_000))
    np.testing.assert_array_equal(coins, np.concatenate(list(swaps(100, 1000, seed=5, block=700))))
    assert not np.array_equal(coins, np.concatenate(list(swaps(100, 1000, seed=6))))


def test_tables_meet_the_same_weights_however_they_are_stacked() -> None:
    draw = np.random.default_rng(0)
    tables = [draw.integers(0, 9, size=(30, columns)).astype(float) for columns in (1, 4, 2, 7)]
    weights = np.concatenate(list(bootstrap_weights(30, 50, seed=1)))
    for block in (1, 100, 200, 10_000):
        for table, product in zip(
            tables, weighted_totals(bootstrap_weights(30, 50, seed=1), tables, block), strict=True
        ):
            np.testing.assert_array_equal(product, weights @ table)


def test_rows_of_zeros_move_nothing() -> None:
    """Tables of slices among whole ones: whole numbers, so that every order of adding gives the same sums."""
    rows = np.random.default_rng(5).integers(1, 9, size=(40, 3)).astype(np.float64)
    few, others = rows.copy(), rows.copy()
    few[9:] = 0  # of 40 rows 9 count
    others[:31] = 0
    tables = [few, rows, others, few * 2, np.zeros((40, 3))]
    weights = np.concatenate(list(bootstrap_weights(40, 50, seed=1)))
    for table, product in zip(tables, weighted_totals(bootstrap_weights(40, 50, seed=1), tables), strict=True):
        np.testing.assert_array_equal(product, weights @ table)


@pytest.mark.parametrize("largest", [9, 2**22, 2**24, 2**45])
@pytest.mark.parametrize("factor", [1, 27_720])
def test_whole_numbers_are_added_up_exactly(largest: int, factor: int) -> None:
    """Small ones in single precision, large ones in double: the sums are those that Python adds up."""
    table = factor * np.random.default_rng(3).integers(0, largest // factor + 2, size=(12, 3))
    weights = np.concatenate(list(bootstrap_weights(12, 20, seed=1)))
    (found,) = weighted_totals([weights], [table.astype(np.float64)])
    truth = [
        [sum(int(w) * int(n) for w, n in zip(row, column, strict=True)) for column in table.T] for row in weights
    ]
    assert [[int(value) for value in row] for row in found] == truth


def test_parts_of_numbers_are_not_cut_off() -> None:
    table = np.random.default_rng(3).normal(size=(12, 3))
    weights = np.concatenate(list(bootstrap_weights(12, 20, seed=1)))
    (found,) = weighted_totals([weights], [table])
    np.testing.assert_allclose(found, weights @ table, rtol=1e-12)


def test_documents_are_added_up_and_a_segment_without_one_stands_alone() -> None:
    rows = np.array([[1.0, 10], [1, 20], [1, 30], [1, 40], [1, 50]])
    numbers = cluster_numbers(["b", None, "a", "b", None], 5)
    assert numbers.tolist() == [0, 1, 2, 0, 3]
    assert pooled(rows, numbers).tolist() == [[2, 50], [1, 20], [1, 30], [1, 50]]


def test_a_document_may_be_called_anything(mean: Metric, as_rows: Rows) -> None:
    rows = as_rows(np.arange(4.0))
    for clusters in ([(None, 1), None, 0, 0], [1, "1", 1, "1"]):
        assert len(cluster_numbers(clusters, 4)) == 4
        assert resample({"a": {"m": rows}}, {"m": mean}, clusters=clusters, resampling=Resampling(resamples=10))
    assert cluster_numbers([(None, 1), None, None], 3).tolist() == [0, 1, 2]


@given(st.integers(1, 30), st.integers(0, 99))
@settings(max_examples=30)
def test_documents_of_one_segment_are_as_no_documents(n: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(n, 3))
    np.testing.assert_array_equal(pooled(rows, cluster_numbers([f"doc {i}" for i in range(n)], n)), rows)
    np.testing.assert_allclose(pooled(rows, cluster_numbers([0] * n, n)), rows.sum(axis=0)[None], atol=1e-12)


def test_seeds_reproduce_and_matter(mean: Metric, as_rows: Rows) -> None:
    statistics = {"a": {"m": as_rows(np.random.default_rng(1).normal(size=50))}}
    first, again, other = (
        resample(statistics, {"m": mean}, resampling=Resampling(seed=seed))["a"]["m"].values for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_scores_with_a_unit_left_out_and_components(mean: Metric, as_rows: Rows) -> None:
    statistics = {"a": {"m": as_rows(np.array([1.0, 2, 6]))}}
    scores = resample(
        statistics,
        {"m": mean},
        components=True,
        resampling=Resampling(method="bca", resamples=20),
    )["a"]["m"]
    assert scores.observed == 3
    assert scores.left_out is not None
    assert scores.left_out.tolist() == [4, 3.5, 1.5]
    part = scores.components["sum"]
    assert (part.observed, part.left_out is not None and part.left_out.tolist()) == (9, [8, 7, 3])
    np.testing.assert_allclose(part.values, 3 * scores.values)


def test_the_total_is_the_true_sum_rounded_once_as_in_an_evaluation() -> None:
    rows = np.random.default_rng(0).normal(size=(40_000, 2))
    assert total(rows).tolist() == [math.fsum(column) for column in rows.T]


def test_what_cannot_be_resampled_is_said(mean: Metric, as_rows: Rows) -> None:
    rows = as_rows(np.arange(3.0))
    metrics = {"m": mean}
    with pytest.raises(PlainlyError, match="m of 'b' has 2 segments, but others have 3"):
        resample({"a": {"m": rows}, "b": {"m": rows[:2]}}, metrics)
    with pytest.raises(PlainlyError, match="there are 3 segments, but the clusters have 2 entries"):
        resample({"a": {"m": rows}}, metrics, clusters=["x", "y"])
    with pytest.raises(PlainlyError, match="system 'a' has no statistics of 'm'"):
        resample({"a": {}}, metrics)
    with pytest.raises(PlainlyError, match="no segments"):
        resample({"a": {"m": rows[:0]}}, metrics)
    with pytest.raises(PlainlyError, match="no system or no metric"):
        resample({}, metrics)
    with pytest.raises(PlainlyError, match="resamples must be at least 1, not 0"):
        resample({"a": {"m": rows}}, metrics, resampling=Resampling(resamples=0))
