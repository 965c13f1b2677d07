"""Do 95 % intervals hold the truth in 95 of 100 data sets? Made-up data whose true correlation is known.

250 data sets: 95 % has a standard error of 1.4 points. Percentile intervals of correlations are a little short.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from plainly.inference import Resampling
from plainly.inference.partials import partial
from plainly.metaeval.ceiling import ceiling
from plainly.metaeval.correlations import segment_level
from plainly.metaeval.systems import system_level

pytestmark = pytest.mark.slow

SETS = 250
RESAMPLES = 200


def coverage(held: Callable[[np.random.Generator, int], bool], sets: int = SETS) -> float:
    return float(np.mean([held(np.random.default_rng(seed), seed) for seed in range(sets)]))


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8])
def test_independent_outputs(rho: float) -> None:
    """Of two normal variables tau is 2 asin(rho) / pi, Spearman's coefficient 6 asin(rho / 2) / pi (Pearson 1907),
    and a pair is concordant with a chance of 1/2 + asin(rho) / pi (Sheppard 1899)."""
    angle = math.asin(rho) / math.pi
    truth = {
        "pearson": rho,
        "spearman": 6 * math.asin(rho / 2) / math.pi,
        "kendall": 2 * angle,
        "accuracy": 0.5 + angle,
    }
    held: dict[str, list[bool]] = {name: [] for name in (*truth, "14")}
    for seed in range(SETS):
        draw = np.random.default_rng(seed)
        human = draw.normal(size=120)
        metric = rho * human + math.sqrt(1 - rho**2) * draw.normal(size=120)
        found = segment_level({"m": metric}, human, {}, resampling=Resampling(RESAMPLES, seed))["m"]
        for name, value in truth.items():
            bounds = getattr(found, name).estimate
            held[name].append(value in bounds)
        tau = found.taus["14"].estimate
        assert tau is not None
        held["14"].append(2 * angle in tau)
    shares = {name: float(np.mean(values)) for name, values in held.items()}
    assert all(0.9 < share < 0.985 for share in shares.values()), shares


def test_outputs_of_the_same_source() -> None:
    """Rows of a source share half of their variance. Only with clusters do intervals keep their promise."""

    def held(clustered: bool) -> Callable[[np.random.Generator, int], bool]:
        def one(draw: np.random.Generator, seed: int) -> bool:
            sources = np.repeat(np.arange(50), 6)
            shared, own = draw.normal(size=(2, 50))[:, sources], draw.normal(size=(2, 300))
            human, noise = shared * math.sqrt(0.8) + own * math.sqrt(0.2)
            metric = 0.6 * human + 0.8 * noise
            chosen = sources.tolist() if clustered else None
            bounds = segment_level({"m": metric}, human, {}, clusters=chosen, resampling=Resampling(150, seed))[
                "m"
            ].pearson.estimate
            return 0.6 in bounds

        return one

    assert 0.88 < coverage(held(True), 150) < 0.98
    assert coverage(held(False), 60) < 0.75


def test_partial_correlation() -> None:
    """Metric and judgement both follow the length; what is left of them correlates with 0.4."""

    def one(draw: np.random.Generator, seed: int) -> bool:
        length = draw.normal(size=120)
        first, second = draw.normal(size=(2, 120))
        x, y = length + first, 2 * length + 0.4 * first + math.sqrt(1 - 0.16) * second
        bounds = partial(
            x,
            y,
            length,
            resampling=Resampling(resamples=RESAMPLES, seed=seed),
        ).estimate
        return 0.4 in bounds

    assert 0.9 < coverage(one) < 0.985


def test_ceiling() -> None:
    """Ratings are the quality plus as much noise: any two raters correlate with 1/2, one with the mean of the other
    two with 1 / sqrt(2 · 1.5), and alpha is 1/2.

    100 sets only, as this is slow: a true 95 % lies within 88 to 99 of 100 with a chance of 0.99 (binomial).
    """
    truth = (0.5, 1 / math.sqrt(3), 0.5)
    held = []
    for seed in range(100):
        draw = np.random.default_rng(seed)
        table = draw.normal(size=(100, 1)) + draw.normal(size=(100, 3))
        found = ceiling(table, resampling=Resampling(RESAMPLES, seed))
        figures = (found.between, found.with_others, found.alpha)
        held.append([figure.low <= value <= figure.high for figure, value in zip(figures, truth, strict=True)])
    shares = np.mean(held, axis=0)
    assert ((shares >= 0.88) & (shares <= 0.99)).all(), shares


@pytest.mark.parametrize(("systems", "least"), [(30, 0.9), (12, 0.91), (6, 0.93)])
def test_systems(systems: int, least: float) -> None:
    """Systems are a sample, their true means correlate with 0.7; enough segments that means are nearly exact."""

    def one(draw: np.random.Generator, seed: int) -> bool:
        of_segment, of_system = np.divmod(np.arange(60 * systems), systems)
        quality = draw.normal(size=systems)
        by_metric = 0.7 * quality + math.sqrt(1 - 0.49) * draw.normal(size=systems)
        human = quality[of_system] + 0.5 * draw.normal(size=len(of_system))
        metric = by_metric[of_system] + 0.5 * draw.normal(size=len(of_system))
        names, segments = [str(i) for i in of_system], [str(i) for i in of_segment]
        level = system_level(
            {"m": metric}, human, {}, systems=names, segments=segments, resampling=Resampling(RESAMPLES, seed)
        )
        bounds = level.agreements["m"].pearson.estimate
        return 0.7 in bounds

    assert least < coverage(one) < 0.995
