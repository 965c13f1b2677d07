"""Pairs and ties: against counting by hand and by loops, against scipy, and on resamples made by repeating rows."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import Resampling, ties
from plainly.inference.resampling import bootstrap_weights
from plainly.inference.ties import pairwise_accuracy, snapped, wmt_tau, wmt_taus
from plainly.metrics import Array

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=2, max_size=14)


def kinds(metric: Any, human: Any, threshold: float = 0.0, epsilon: float = 0.0) -> dict[str, int]:
    """The five kinds, by looking at each pair."""
    counts = dict.fromkeys("CDHMB", 0)
    for i, j in itertools.combinations(range(len(metric)), 2):
        m, h = metric[i] - metric[j], human[i] - human[j]
        tied, tied_human = abs(m) <= epsilon, h == 0 or abs(h) < threshold
        if tied or tied_human:
            counts["B" if tied and tied_human else "M" if tied else "H"] += 1
        else:
            counts["C" if m * h > 0 else "D"] += 1
    return counts


def right(metric: Any, human: Any, epsilon: float) -> float:
    counts = kinds(metric, human, epsilon=epsilon)
    return (counts["C"] + counts["B"]) / sum(counts.values())


def test_taus_by_hand() -> None:
    # Six pairs. (1,2) (1,3) (1,4) (2,4): C; (2,3): the metric is tied, people are not; (3,4): people are tied.
    metric, human = [1, 2, 2, 4], [1, 2, 3, 3]
    assert wmt_tau(metric, human, "10").value == pytest.approx((4 - 0 - 1) / 5)
    assert wmt_tau(metric, human, "13").value == 1
    assert wmt_tau(metric, human, "14").value == pytest.approx(4 / 5)
    # k = 3 distinct values: (4 - 0) * 2 * 3 / (16 * 2)
    assert wmt_tau(metric, human, "c").value == pytest.approx(4 * 6 / 32)
    # With a threshold of 2 only (1,3) and (1,4) are left.
    assert wmt_tau([1, 2, 0, 4], human, "14", threshold=2).value == 0
    assert wmt_tau([1, 2, 0, 4], human, "14", threshold=1).value == pytest.approx((3 - 2) / 5)


@given(PAIRS, st.sampled_from([0.0, 1.0, 2.0]))
def test_taus_equal_counting(pairs: list[tuple[int, int]], threshold: float) -> None:
    metric, human = zip(*pairs, strict=True)
    k = kinds(metric, human, threshold)
    expected = {
        "10": (k["C"] - k["D"] - k["M"], k["C"] + k["D"] + k["M"]),
        "13": (k["C"] - k["D"], k["C"] + k["D"]),
        "14": (k["C"] - k["D"], k["C"] + k["D"] + k["M"]),
    }
    found = wmt_taus(metric, human, threshold, resampling=Resampling(resamples=0))
    for variant, (above, below) in expected.items():
        value = found[variant].value  # type: ignore[index]
        assert value == pytest.approx(above / below) if below else math.isnan(value)


@given(PAIRS)
def test_tau_c_equals_scipy(pairs: list[tuple[int, int]]) -> None:
    metric, human = zip(*pairs, strict=True)
    found = wmt_tau(metric, human, "c").value
    if len(set(metric)) < 2 or len(set(human)) < 2:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(stats.kendalltau(metric, human, variant="c")[0])


def test_without_ties_all_variants_are_kendalls_tau() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=80)
    y = x + draw.normal(size=80)
    expected = stats.kendalltau(x, y)[0]
    found = wmt_taus(x, y, resampling=Resampling(resamples=0))
    assert {name: tau.value for name, tau in found.items()} == pytest.approx(
        dict.fromkeys(["10", "13", "14", "c"], expected)
    )
    assert pairwise_accuracy(x, y, ties="none").value == pytest.approx((expected + 1) / 2)


def test_groups_pair_their_own_rows_only() -> None:
    metric, human, groups = [1, 2, 9, 8, 7], [1, 2, 1, 2, 3], ["a", "a", "b", "b", "b"]
    # a: one concordant pair; b: three discordant ones. Taus pool the pairs, the accuracy is the mean of 1 and 0.
    assert wmt_tau(metric, human, "13", groups=groups).value == pytest.approx((1 - 3) / 4)
    found = pairwise_accuracy(metric, human, groups)
    assert (found.value, found.pairs) == (0.5, 4)
    assert wmt_tau(metric, human, "13").value != pytest.approx((1 - 3) / 4)
    assert "c" not in wmt_taus(metric, human, groups=groups)


@given(PAIRS)
def test_calibrated_accuracy_is_the_best_of_all(pairs: list[tuple[int, int]]) -> None:
    metric, human = zip(*pairs, strict=True)
    candidates = {0.0, *(float(abs(a - b)) for a, b in itertools.combinations(metric, 2))}
    best = max(right(metric, human, epsilon) for epsilon in candidates)
    found = pairwise_accuracy(metric, human)
    assert found.value == pytest.approx(best)
    assert found.epsilon == min(e for e in candidates if right(metric, human, e) == pytest.approx(best))
    assert pairwise_accuracy(metric, human, ties="none").value == pytest.approx(right(metric, human, 0.0))


def test_calibration_with_groups_is_that_of_the_mean() -> None:
    draw = np.random.default_rng(6)
    groups = np.repeat(np.arange(12), draw.integers(1, 6, 12))
    metric, human = draw.normal(size=len(groups)), draw.integers(0, 3, len(groups)).astype(float)
    sets = [np.flatnonzero(groups == g) for g in range(12)]
    sets = [rows for rows in sets if len(rows) > 1]

    def mean(epsilon: float) -> float:
        return float(np.mean([right(metric[rows], human[rows], epsilon) for rows in sets]))

    candidates = [0.0] + [abs(metric[i] - metric[j]) for rows in sets for i, j in itertools.combinations(rows, 2)]
    found = pairwise_accuracy(metric, human, groups.tolist())
    assert found.value == pytest.approx(max(mean(epsilon) for epsilon in candidates))
    assert mean(found.epsilon) == pytest.approx(found.value)
    assert found.epsilon > 0  # a third of human pairs are tied: some ties must pay


def test_resamples_repeat_rows_without_pairing_copies() -> None:
    draw = np.random.default_rng(9)
    clusters = np.repeat(np.arange(8), 3)
    human, metric = draw.integers(0, 4, 24).astype(float), draw.integers(0, 5, 24).astype(float)
    found = wmt_taus(
        metric,
        human,
        clusters=clusters.tolist(),
        resampling=Resampling(resamples=30, seed=4),
    )
    accuracy = pairwise_accuracy(
        metric,
        human,
        clusters=clusters.tolist(),
        resampling=Resampling(resamples=30, seed=4),
    )
    taus, shares = [], []
    for row in np.concatenate(list(bootstrap_weights(8, 30, 4))).astype(int):
        rows = np.repeat(np.arange(24), row[clusters])
        counts = dict.fromkeys("CDHMB", 0)
        for i, j in itertools.combinations(rows, 2):
            if i != j:
                counts[next(k for k, n in kinds(metric[[i, j]], human[[i, j]], 0.0, 0.0).items() if n)] += 1
        taus.append((counts["C"] - counts["D"]) / (counts["C"] + counts["D"] + counts["M"]))
        pairs = [(i, j) for i, j in itertools.combinations(rows, 2) if i != j]
        shares.append(np.mean([right(metric[[i, j]], human[[i, j]], accuracy.epsilon) for i, j in pairs]))
    assert found["14"].estimate.has_interval
    assert accuracy.estimate.has_interval
    for bounds, values in ((found["14"].estimate, taus), (accuracy.estimate, shares)):
        assert (bounds.low, bounds.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


def test_resamples_draw_groups() -> None:
    draw = np.random.default_rng(3)
    groups = np.repeat(np.arange(10), 4)
    metric, human = draw.normal(size=40), draw.normal(size=40)
    found = pairwise_accuracy(
        metric,
        human,
        groups.tolist(),
        "none",
        resampling=Resampling(resamples=40, seed=8),
    )
    shares = np.array([right(metric[groups == g], human[groups == g], 0.0) for g in range(10)])
    values = np.concatenate(list(bootstrap_weights(10, 40, 8))) @ shares / 10
    assert found.estimate.has_interval
    assert (found.estimate.low, found.estimate.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    x, y = draw.integers(0, 9, 50), draw.integers(0, 9, 50)
    whole = (
        wmt_taus(x, y, resampling=Resampling(resamples=20)),
        pairwise_accuracy(x, y, resampling=Resampling(resamples=20)),
    )
    monkeypatch.setattr(ties, "PAIRS_AT_A_TIME", 170)
    assert (
        wmt_taus(x, y, resampling=Resampling(resamples=20)),
        pairwise_accuracy(x, y, resampling=Resampling(resamples=20)),
    ) == whole


def test_many_rows_are_calibrated_on_some(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    human = draw.integers(0, 3, 900).astype(float)
    metric = human + draw.normal(size=900) / 3
    whole = pairwise_accuracy(metric, human)
    monkeypatch.setattr(ties, "CALIBRATED_ON", 500)
    some = pairwise_accuracy(metric, human)
    assert whole.value - 0.003 < some.value <= whole.value


def test_rounding_makes_no_difference() -> None:
    thirds = [(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3, 0.9]
    assert thirds[0] != thirds[1]
    assert pairwise_accuracy([1, 1, 2], thirds, ties="none").value == 1
    values: Array = np.array([math.nan, 1.0, 1.0 + 1e-15, -1e300, 1e300, 1.1])
    assert snapped(values).tolist()[1:] == [1.0, 1.0, -1e300, 1e300, 1.1]
    assert snapped(np.array([])).tolist() == []


def test_missing_and_huge_values() -> None:
    metric, human = [1e308, -1e308, math.nan, 3], [3, 1, 2, math.inf]
    found = pairwise_accuracy(metric, human, resampling=Resampling(resamples=10))
    assert (found.value, found.pairs) == (1.0, 1)
    assert wmt_tau(metric, human, "13").n == 2


@pytest.mark.parametrize("n", [0, 1])
def test_no_pairs_no_numbers(n: int) -> None:
    values = [1.0] * n
    assert all(math.isnan(tau.value) for tau in wmt_taus(values, values).values())
    found = pairwise_accuracy(values, values, resampling=Resampling(resamples=5))
    assert math.isnan(found.value)
    assert found.to_dict()["value"] is None
    assert math.isnan(pairwise_accuracy(values, values, groups=["a"] * n, resampling=Resampling(resamples=5)).value)


def test_refuses_what_makes_no_sense() -> None:
    with pytest.raises(UnknownName, match="variant of tau"):
        wmt_tau([1, 2], [1, 2], "15")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="rule for ties"):
        pairwise_accuracy([1, 2], [1, 2], ties="some")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="tau-c"):
        wmt_tau([1, 2], [1, 2], "c", threshold=1)
    with pytest.raises(PlainlyError, match="threshold"):
        wmt_tau([1, 2], [1, 2], "13", threshold=math.nan)
    with pytest.raises(PlainlyError, match="as many numbers"):
        wmt_tau([1, 2], [1, 2, 3], "13")
