"""What an estimator says of texts: ratings, ranks, scores from 0 to 1, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from plainly.base.version import __version__
from plainly.inference.intervals import finite
from plainly.metrics import Array
from plainly.ranking.judgements import Direction


@dataclass(frozen=True)
class Figure:
    """A number and its interval."""

    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        return _finite(asdict(self))


def figures(values: Array, drawn: Array, level: float) -> list[Figure]:
    """Numbers with the spread of their resamples: (resamples, numbers). Resamples without a number do not count."""
    bounds = np.full((2, len(values)), np.nan)
    there = ~np.isnan(drawn).all(0)
    if there.any():
        bounds[:, there] = np.nanquantile(drawn[:, there], [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [Figure(*map(float, numbers)) for numbers in zip(values, *bounds, strict=True)]


@dataclass(frozen=True)
class Rated:
    """One text. Rank 1 has the lowest rating: it wins least. Equal ratings share their mean rank."""

    text: str
    rating: float
    rank: float
    score: float
    low: float
    """Of the interval of the rating; NaN if none was asked for."""
    high: float
    rank_low: float
    rank_high: float
    matches: int


@dataclass(frozen=True)
class Ranking:
    """The result of any estimator, one row a text, in the order of the judgements' texts."""

    method: str
    direction: Direction
    rows: tuple[Rated, ...]
    settings: Mapping[str, Any] = field(hash=False)
    notes: tuple[str, ...] = ()
    position: Figure | None = None
    """How much it helps a text to be shown first, in logits: the log odds of winning against an equal."""

    @property
    def signature(self) -> str:
        """Method and settings in one line: same signature, same judgements, same numbers."""
        return signed(self.method, {"winner": self.direction, **self.settings})

    def __getitem__(self, text: str) -> Rated:
        return next(row for row in self.rows if row.text == text)

    def by_rank(self) -> list[Rated]:
        """Rows from the lowest rating to the highest."""
        return sorted(self.rows, key=lambda row: row.rank)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        return {
            "method": self.method,
            "winner": self.direction,
            "signature": self.signature,
            "settings": dict(self.settings),
            "notes": list(self.notes),
            "position": None if self.position is None else self.position.to_dict(),
            "texts": [_finite(asdict(row)) for row in self.by_rank()],
        }


def signed(name: str, settings: Mapping[str, Any]) -> str:
    """A signature: what was done, with which settings, by which version."""
    return "|".join([name, *(f"{key}:{_brief(value)}" for key, value in settings.items()), f"plainly:{__version__}"])


def _finite(content: dict[str, Any]) -> dict[str, Any]:
    return {name: finite(value) if isinstance(value, float) else value for name, value in content.items()}


def _brief(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
