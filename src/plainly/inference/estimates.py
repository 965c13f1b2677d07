"""A number with its interval, and how intervals are made: what every study says its results in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from plainly.base.exact_sums import Array
from plainly.base.messages import Message

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number and the interval around it. What does not exist is NaN."""

    value: float
    low: float = math.nan
    high: float = math.nan
    confidence: float = CONFIDENCE
    n: int | None = None
    """Units behind it, where they were counted."""
    dropped: int = 0
    """Resamples that gave no value."""

    @property
    def has_interval(self) -> bool:
        return not math.isnan(self.low)

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __neg__(self) -> Estimate:
        """The estimate of the negated number."""
        return Estimate(-self.value, -self.high, -self.low, self.confidence, self.n, self.dropped)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON, in every command; what is not a number becomes null."""
        return {"value": finite(self.value), "low": finite(self.low), "high": finite(self.high)}


def estimates(values: Array, drawn: Array, confidence: float) -> list[Estimate]:
    """Numbers with the spread of their resamples: (resamples, numbers). Resamples without a number do not count."""
    bounds = np.full((2, len(values)), np.nan)
    there = ~np.isnan(drawn).all(0)
    if there.any():
        tails = [(1 - confidence) / 2, (1 + confidence) / 2]
        bounds[:, there] = np.nanquantile(drawn[:, there], tails, axis=0)
    missing = np.isnan(drawn).sum(0)
    return [
        Estimate(float(value), float(low), float(high), confidence, dropped=int(dropped))
        for value, low, high, dropped in zip(values, *bounds, missing, strict=True)
    ]


def as_data(result: Any, *without: str) -> dict[str, Any]:
    """The fields of a result as JSON holds them, but for those named; what is not a number becomes null."""
    return {one.name: _plain(getattr(result, one.name)) for one in fields(result) if one.name not in without}


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Message):
        return value.text()
    if isinstance(value, Mapping):
        return {key: _plain(own) for key, own in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(own) for own in value]
    return finite(value) if isinstance(value, float) else value


def finite(value: float) -> float | None:
    """The number as JSON can hold it: None where there is none."""
    return value if math.isfinite(value) else None
