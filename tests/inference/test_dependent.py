"""Tests of two correlations that share a side: against published examples, nlpstats, and all swaps there are."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import stats

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import dependent
from plainly.inference.dependent import permutation_difference, williams

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def nlpstats() -> Any:
    """The package of Deutsch, Dror and Roth (2021); its test is written after `r.test` of the R package psych."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("nlpstats", reason="nlpstats is not installed")
        from nlpstats.correlations import permutation, williams  # type: ignore[import-not-found]
    return permutation, williams


def made_up(seed: int, n: int = 40, other: float = 1.5) -> tuple[Any, Any, Any]:
    draw = np.random.default_rng(seed)
    human = draw.normal(size=n)
    return human + draw.normal(size=n), human + other * draw.normal(size=n), human


def test_williams_equals_the_example_of_psych() -> None:
    # r.test(103, .4, .5, .1) of the R package psych, after Steiger (1980), case A: t = -0.89, p = 0.37.
    p = williams(0.4, 0.5, 0.1, 103)
    assert round(p, 2) == 0.37
    assert stats.t.isf(p / 2, 100) == pytest.approx(0.89, abs=0.005)


@pytest.mark.parametrize("seed", range(6))
def test_williams_equals_nlpstats(seed: int) -> None:
    _, package = nlpstats()
    a, b, human = made_up(seed, n=12 + 10 * seed)
    columns = [values[:, None] for values in (a, b, human)]
    expected = package.williams_test(*columns, "system", "pearson").pvalue
    r = [stats.pearsonr(x, y)[0] for x, y in ((a, human), (b, human), (a, b))]
    assert min(r) > 0  # nlpstats drops signs
    assert williams(*r, len(human)) == pytest.approx(float(expected), rel=1e-8)


def test_williams_at_the_ends() -> None:
    assert williams(0.3, 0.3, 1.0, 50) == 1
    assert williams(1.0, 0.9, 0.9, 50) < 1e-6
    assert math.isnan(williams(0.5, -0.5, -1.0, 50))  # a measure and its opposite: 0 / 0
    assert math.isnan(williams(0.5, 0.4, 0.3, 3))
    assert math.isnan(williams(math.nan, 0.4, 0.3, 30))
    with pytest.raises(PlainlyError, match="between -1 and 1"):
        williams(1.2, 0.4, 0.3, 30)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_permutation_equals_all_swaps(coefficient: Any) -> None:
    a, b, human = (np.round(values, 0) for values in made_up(3, n=18))  # with ties
    clusters = np.repeat(np.arange(6), 3)
    if coefficient == "pearson":
        first, second = ((x - x.mean()) / x.std() for x in (a, b))
    else:
        first, second = stats.rankdata(a), stats.rankdata(b)
    differences = []
    for coins in itertools.product([False, True], repeat=6):
        moved = np.array(coins)[clusters]
        pair = np.where(moved, second, first), np.where(moved, first, second)
        differences.append(SCIPY[coefficient](pair[0], human)[0] - SCIPY[coefficient](pair[1], human)[0])
    expected = np.mean(np.abs(differences) >= abs(differences[0]) - 1e-9)
    found = permutation_difference(
        a, b, human, coefficient=coefficient, clusters=clusters.tolist(), trials=1000, seed=1
    )
    assert found == pytest.approx(expected, abs=3 * math.sqrt(expected * (1 - expected) / 1000) + 1 / 1000)


def test_swapped_taus_equal_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, human = (np.round(values) for values in made_up(7, n=30))
    moved = np.random.default_rng(1).integers(0, 2, (20, 30))
    expected = [
        stats.kendalltau(np.where(row, b, a), human)[0] - stats.kendalltau(np.where(row, a, b), human)[0]
        for row in moved
    ]
    assert dependent._swapped_taus(a, b, human, moved) == pytest.approx(np.array(expected))
    monkeypatch.setattr(dependent, "PAIRS_AT_A_TIME", 200)
    assert dependent._swapped_taus(a, b, human, moved) == pytest.approx(np.array(expected))


@pytest.mark.slow
def test_permutation_is_close_to_nlpstats() -> None:
    package, _ = nlpstats()
    np.random.seed(5)  # nlpstats draws from numpy's global generator
    for seed in range(2):
        a, b, human = made_up(seed, n=60, other=1.6)
        columns = [values[:, None] for values in (a, b, human)]
        theirs = package.permutation_test(
            *columns, "system", "pearson", "systems", alternative="two-sided", n_resamples=400
        ).pvalue
        ours = permutation_difference(a, b, human, trials=2000)
        assert ours == pytest.approx(theirs, abs=0.08)


def test_a_measure_beside_itself() -> None:
    a, _, human = made_up(1)
    assert permutation_difference(a, a, human) == 1
    assert permutation_difference(a, 3 * a + 7, human, trials=200) == 1


def test_the_unit_of_a_measure_does_not_matter() -> None:
    a, b, human = made_up(2)
    plain = permutation_difference(a, b, human, trials=500)
    assert permutation_difference(1e6 * a - 5, b * 1e-200, human * 1e200, trials=500) == plain
    assert 0 < plain < 1


def test_missing_values_do_not_count() -> None:
    a, b, human = made_up(2)
    plain = permutation_difference(a[3:], b[3:], human[3:], trials=300)
    a[0], b[1], human[2] = math.nan, math.inf, math.nan
    assert permutation_difference(a, b, human, trials=300) == plain


def test_no_correlation_no_p() -> None:
    a, b, human = made_up(2)
    assert math.isnan(permutation_difference(np.ones(40), b, human))
    assert math.isnan(permutation_difference(a, b, np.full(40, 0.1)))
    assert math.isnan(permutation_difference(a[:2], b[:2], human[:2]))
    assert math.isnan(permutation_difference([], [], []))


def test_refuses_what_makes_no_sense() -> None:
    with pytest.raises(UnknownName, match="coefficient"):
        permutation_difference([1], [1], [1], coefficient="r")  # type: ignore[arg-type]
    with pytest.raises(PlainlyError, match="as many numbers"):
        permutation_difference([1, 2], [1, 2, 3], [1, 2])


def rejected(test: Any, seeds: range) -> float:
    return float(np.mean([test(seed) < 0.05 for seed in seeds]))


@pytest.mark.slow
@pytest.mark.parametrize("n", [15, 60])
def test_sizes_under_the_null_and_power(n: int) -> None:
    """Two measures that are equally good: 5 of 100 tests may say otherwise. 800 tries: 5 % ± 1.5 (two errors)."""

    def williams_p(seed: int, other: float) -> float:
        a, b, human = made_up(seed, n, other)
        return williams(*(stats.pearsonr(x, y)[0] for x, y in ((a, human), (b, human), (a, b))), n)

    def permuted_p(seed: int, other: float) -> float:
        return permutation_difference(*made_up(seed, n, other), trials=199)

    assert 0.03 < rejected(lambda seed: williams_p(seed, 1.0), range(800)) < 0.07
    assert 0.03 < rejected(lambda seed: permuted_p(seed, 1.0), range(800)) < 0.07
    if n == 60:
        assert rejected(lambda seed: williams_p(seed, 2.5), range(100)) > 0.7
        assert rejected(lambda seed: permuted_p(seed, 2.5), range(100)) > 0.7


@pytest.mark.slow
def test_size_with_ranks_and_measures_of_other_shapes() -> None:
    """A measure and the exponential of another, equally good one: ranks do not mind the shape."""

    def p(seed: int) -> float:
        a, b, human = made_up(seed, 40, 1.0)
        return permutation_difference(np.exp(2 * a), b, human, coefficient="spearman", trials=99)

    assert 0.025 < rejected(p, range(400)) < 0.08


@pytest.mark.slow
def test_size_with_clusters() -> None:
    """Rows of a source resemble each other. Whole sources are swapped, so the test keeps its size; rows would not."""

    def p(seed: int, whole: bool) -> float:
        draw = np.random.default_rng(seed)
        clusters = np.repeat(np.arange(25), 8)
        human, *errors = (draw.normal(size=25)[clusters] + 0.3 * draw.normal(size=200) for _ in range(3))
        chosen = clusters.tolist() if whole else None
        return permutation_difference(human + errors[0], human + errors[1], human, clusters=chosen, trials=99)

    assert 0.025 < rejected(lambda seed: p(seed, True), range(400)) < 0.08
    assert rejected(lambda seed: p(seed, False), range(100)) > 0.15
