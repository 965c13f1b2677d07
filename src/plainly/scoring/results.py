"""One signed number: the score of one system by one metric."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from plainly.inference.estimates import Estimate, finite
from plainly.metrics import Array, Metric

Range = tuple[int, int]  # the fewest and the most references that a segment has


@dataclass(frozen=True)
class Result:
    """The score of one system by one metric. `score` is NaN where nothing could be scored."""

    estimate: Estimate
    components: Mapping[str, float]
    signature: str
    long_signature: str
    scored: int
    unscored: int

    @property
    def score(self) -> float:
        return self.estimate.value

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        return {
            "score": self.estimate.to_dict(),
            "components": {name: finite(value) for name, value in self.components.items()},
            "scored": self.scored,
            "unscored": self.unscored,
            "signature": self.signature,
            "long_signature": self.long_signature,
        }


def result(metric: Metric, totals: Array, segments: int, references: Range) -> Result:
    """Score added-up statistics."""
    scores = metric.score(totals)
    scored = int(totals[0])
    said = range_in_words(references)
    return Result(
        estimate=Estimate(float(scores.value)),
        components={name: float(value) for name, value in scores.components.items()},
        signature=metric.signature(said),
        long_signature=metric.signature(said, long=True),
        scored=scored,
        unscored=segments - scored,
    )


def with_estimates(
    systems: Mapping[str, Mapping[str, Result]], found: Mapping[str, Mapping[str, Estimate]]
) -> dict[str, dict[str, Result]]:
    """The same scores, each with its interval."""

    def bounded(result: Result, estimate: Estimate) -> Result:
        return replace(result, estimate=replace(estimate, value=result.score))

    return {
        system: {label: bounded(result, found[system][label]) for label, result in results.items()}
        for system, results in systems.items()
    }


def reference_range(counts: Collection[int]) -> Range:
    """The fewest and the most references of a segment, given the numbers that occur."""
    return min(counts, default=0), max(counts, default=0)


def range_in_words(references: Range) -> str:
    """How signatures say how many references segments have: "10", or "1-10" where they differ."""
    low, high = references
    return str(low) if low == high else f"{low}-{high}"
