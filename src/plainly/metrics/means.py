"""Metrics that are the mean over segments of one value a segment."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Metric, Score, ratio, scored, with_scored


@dataclass(frozen=True, kw_only=True)
class MeanOfSegments(Metric):
    """A segment without a value is not scored: it stays out of the mean, and is counted."""

    column: ClassVar[str] = ""  # what the value is called in statistics; by default as the metric

    @abstractmethod
    def values(self, corpus: Corpus, system: str) -> Array:
        """The value of each segment, NaN where it has none."""

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, self.column or self.name.replace("-", "_"))

    def measure(self, corpus: Corpus, system: str) -> Array:
        values = self.values(corpus, system)
        present = scored(corpus, system, self.facts.needs) & ~np.isnan(values)
        return with_scored(present, values[:, None])

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]))
