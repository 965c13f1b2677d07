"""Intervals of shares, against SciPy, a hand-worked case, and how often they cover the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from plainly.base.errors import PlainlyError
from plainly.inference.proportions import lean, share


@pytest.mark.parametrize(("count", "total"), [(0, 1), (1, 1), (3, 10), (10, 10), (0, 50), (37, 94), (188, 376)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_share_as_in_scipy(count: int, total: int, level: float) -> None:
    found = share(count, total, level)
    low, high = binomtest(count, total).proportion_ci(level, method="wilson")
    assert (found.value, found.low, found.high) == pytest.approx((count / total, low, high), abs=1e-12)


def test_lean_by_hand() -> None:
    # n = 10, b = 4, c = 1: m = 12, middle 3/12 = .25, reach 1.959964 sqrt(4 + 1 + 1 - 9/12) / 12
    #   = 1.959964 * 2.291288 / 12 = .374237
    found = lean(4, 1, 10)
    assert (found.value, found.low, found.high) == pytest.approx((0.3, 0.25 - 0.374237, 0.25 + 0.374237), abs=1e-6)


def test_lean_turns_round() -> None:
    one, other = lean(7, 2, 30), lean(2, 7, 30)
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))


def test_lean_covers_the_truth() -> None:
    draw = np.random.default_rng(1)
    counts = draw.multinomial(40, [0.25, 0.05, 0.7], size=4000)
    found = [lean(int(b), int(c), 40) for b, c, _ in counts]
    covered = np.mean([item.low <= 0.2 <= item.high for item in found])
    assert 0.93 < covered < 0.98  # 95 per cent, the standard error of 4000 draws being .35 per cent


@pytest.mark.parametrize(
    ("count", "total", "level"), [(1, 0, 0.9), (0, 0, 0.9), (3, 2, 0.9), (-1, 2, 0.9), (1, 2, 1), (1, 2, 0)]
)
def test_what_is_no_share(count: int, total: int, level: float) -> None:
    with pytest.raises(PlainlyError):
        share(count, total, level)
    with pytest.raises(PlainlyError):
        lean(count, 0, total, level)
