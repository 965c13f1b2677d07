"""What a computation gives for a cell, and how that stands to what was printed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from plainly.inference import Estimate
from plainly.inference.estimates import finite
from plainly.replication.recipe import Cause

Status = Literal["", "met", "explained", "unexplained", "unavailable"]
STATUSES: tuple[Status, ...] = ("met", "explained", "unexplained", "unavailable")
"""Of a printed number: comes out; does not, and a computation shows why; nothing shows why; cannot be had."""
SLACK = 1e-9  # a number that lies half-way between two printed ones is rounded either way


@dataclass(frozen=True)
class Found:
    """What was computed for one cell; nothing but `why` where it cannot be had."""

    value: Estimate | float = math.nan
    margin: float = 0.0
    """What chance alone explains where the printed number comes from random runs, as four standard errors."""
    signature: str = ""
    why: str = ""
    decimals: int | None = None
    """To show, where nothing was printed."""
    resampled: bool = True
    """Whether an interval is of resamples; the note of its table says what another one is."""

    @property
    def estimate(self) -> Estimate:
        return self.value if isinstance(self.value, Estimate) else Estimate(float(self.value))

    def meets(self, printed: str) -> bool:
        """Whether the value rounds to the printed digits, but for what chance explains."""
        half = 0.5 * 10.0 ** -digits(printed)
        return bool(abs(self.estimate.value - float(printed)) <= half + self.margin + SLACK)


Values: TypeAlias = Mapping[tuple[str, str], Found]
"""(key of the row, title of the column) -> what was computed."""


@dataclass(frozen=True)
class Cell:
    """One number: as printed, as computed here, and why the two differ."""

    printed: str
    found: Found
    tried: tuple[Cause, ...] = ()
    """What may explain a difference, in the order in which it was tried."""
    with_cause: Found | None = None
    """Computed with the last of them put in."""

    @property
    def value(self) -> float | None:
        return finite(self.found.estimate.value)

    @property
    def status(self) -> Status:
        if not self.printed:
            return ""
        if self.value is None:
            return "unavailable"
        if self.found.meets(self.printed):
            return "met"
        return "explained" if self.with_cause and self.with_cause.meets(self.printed) else "unexplained"

    @property
    def cause(self) -> Cause | None:
        """What explains the difference."""
        return self.tried[-1] if self.status == "explained" else None

    @property
    def difference(self) -> float | None:
        return None if self.value is None or not self.printed else self.value - float(self.printed)

    @property
    def decimals(self) -> int:
        if self.found.decimals is not None:
            return max(self.found.decimals, digits(self.printed))
        return digits(self.printed) if self.printed else 4

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        explained = self.with_cause if self.cause else None
        return {
            "printed": self.printed,
            "found": self.found.estimate.to_dict(),
            "difference": self.difference,
            "status": self.status,
            "cause": self.cause and self.cause.to_dict(),
            "tried": [cause.to_dict() for cause in self.tried if cause is not self.cause],
            "with_cause": explained and finite(explained.estimate.value),
            "signature": self.found.signature,
            "why": self.found.why,
        }


def digits(printed: str) -> int:
    """How many stand behind the point: two of 0.25, four of 2.5e-3."""
    exponent = Decimal(printed or "0").as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
