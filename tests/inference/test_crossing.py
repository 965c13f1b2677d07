"""Where a curve first reaches a target, by hand."""

from __future__ import annotations

import pytest

from plainly.inference.power import crossing


@pytest.mark.parametrize(
    ("values", "target", "found"),
    [
        ([0.2, 0.6, 1.0], 0.4, 15),  # half-way from 10 to 20
        ([0.2, 0.6, 1.0], 0.41, 16),  # 15.25, and only whole numbers can be had
        ([0.2, 0.6, 1.0], 0.1, 10),  # the first one suffices
        ([0.2, 0.6, 1.0], 1.1, None),
        ([0.2, 0.7, 0.3], 0.7, 20),  # the first time counts
    ],
)
def test_crossing(values: list[float], target: float, found: int | None) -> None:
    assert crossing([10, 20, 30], values, target) == found
