"""Gaps between measures, against resamples made by repeating rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import Resampling
from plainly.inference.noise import noise_band
from plainly.inference.resampling import bootstrap_weights

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def made_up(n: int = 60) -> tuple[Any, Any]:
    draw = np.random.default_rng(12)
    human = draw.normal(size=n)
    return human[:, None] + draw.normal(size=(n, 3)) * [0.5, 0.6, 4.0], human


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_resamples_repeat_whole_clusters(coefficient: Any) -> None:
    scores, human = made_up()
    clusters = np.repeat(np.arange(15), 4)
    found = noise_band(
        scores,
        human,
        0,
        coefficient=coefficient,
        clusters=clusters.tolist(),
        resampling=Resampling(resamples=40, seed=2, confidence=0.9),
    )
    values = []
    for row in np.concatenate(list(bootstrap_weights(15, 40, 2))).astype(int):
        rows = np.repeat(np.arange(60), row[clusters])
        values.append([SCIPY[coefficient](column[rows], human[rows])[0] for column in scores.T])
    drawn = np.array(values)
    own = [SCIPY[coefficient](column, human)[0] for column in scores.T]
    for place in (1, 2):
        assert found[place].difference.value == pytest.approx(own[0] - own[place])
        bounds = found[place].difference
        expected = np.quantile(drawn[:, 0] - drawn[:, place], [0.05, 0.95])
        assert (bounds.low, bounds.high) == pytest.approx(tuple(expected))
    assert [gap.within_noise for gap in found] == [True, True, False]


def test_only_rows_that_both_have_count() -> None:
    scores, human = made_up()
    scores[:10, 1] = np.nan
    scores[20, 0] = np.inf
    human[59] = np.nan
    found = noise_band(scores, human, 0, resampling=Resampling(resamples=20))
    assert [gap.n for gap in found] == [58, 48, 58]
    rows = np.r_[10:20, 21:59]
    expected = stats.pearsonr(scores[rows, 0], human[rows])[0] - stats.pearsonr(scores[rows, 1], human[rows])[0]
    assert found[1].difference.value == pytest.approx(expected)


def test_where_nothing_can_be_said_nothing_is_worse() -> None:
    scores, human = made_up(20)
    scores[:, 1] = 7
    scores[:, 2] = np.nan
    found = noise_band(scores, human, 0, resampling=Resampling(resamples=10))
    assert [math.isnan(gap.difference.value) for gap in found] == [False, True, True]
    assert all(gap.within_noise for gap in found)
    assert found[1].to_dict()["difference"] == {"value": None, "low": None, "high": None}


def test_refuses_what_makes_no_sense() -> None:
    with pytest.raises(UnknownName, match="coefficient"):
        noise_band([[1.0]], [1.0], 0, coefficient="r")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="columns"):
        noise_band([1.0], [1.0], 0)


@pytest.mark.slow
def test_the_interval_of_a_gap_holds_the_true_one() -> None:
    """True correlations 1 / sqrt(2) and 1 / sqrt(1 + 1.5^2). 400 tries: 95 % ± 2.2 (two errors)."""
    truth = 1 / math.sqrt(2) - 1 / math.sqrt(3.25)
    held = []
    for seed in range(400):
        draw = np.random.default_rng(seed)
        human = draw.normal(size=150)
        scores = human[:, None] + draw.normal(size=(150, 2)) * [1.0, 1.5]
        held.append(truth in noise_band(scores, human, 0, resampling=Resampling(resamples=300))[1].difference)
    assert 0.92 < np.mean(held) < 0.98
