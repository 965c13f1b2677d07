"""What a filter dropped and why: the figures from which people choose thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from plainly.filtering.expressions import FAILED, PASSED, UNKNOWN, Codes
from plainly.filtering.samples import Values
from plainly.findings.result import StudyResult
from plainly.metrics import Array

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
"""Which quantiles of a score a summary shows."""
SAMPLED = 100_000
"""Rows that quantiles are taken from; where there are more, a random sample of so many."""


@dataclass(frozen=True)
class Count:
    """What one condition does. A row that it drops alone would be kept without it."""

    condition: str
    failed: int
    unknown: int
    alone: int


@dataclass(frozen=True)
class Quantiles:
    """Of one score, before and after; `before` and `after` are empty where no row has it."""

    name: str
    unknown: int  # rows without the score
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True)
class Example:
    """A pair that a condition dropped. `row` is its number in the input, from 1 on."""

    condition: str
    row: int
    source: str | None
    output: str | None
    scores: Mapping[str, float | None]
    unknown: bool = False


@dataclass(frozen=True, repr=False)
class Summary(StudyResult, findings="plainly.filtering.findings:findings"):
    """What became of the rows."""

    rows: int
    kept: int
    dropped: int
    left_out: int  # rows that could not be read
    conditions: tuple[Count, ...]
    quantiles: tuple[Quantiles, ...]
    sampled: bool  # are the quantiles those of a sample?
    examples: tuple[Example, ...]
    system: str | None  # None: the first reference was the output
    seed: int
    signatures: Mapping[str, str]
    problems: Mapping[str, int] = field(default_factory=dict)  # reason -> rows
    places: Mapping[str, Sequence[str]] = field(default_factory=dict)  # reason -> the first places
    remarks: tuple[str, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """The documented JSON form."""
        data = asdict(self)
        for entry in data["quantiles"]:
            for when in ("before", "after"):
                keys = [f"{100 * q:g}%" for q in QUANTILES]
                entry[when] = dict(zip(keys, entry[when], strict=True)) if entry[when] else None
        return data


class Tally:
    """Adds up what the conditions say of the rows, partition by partition."""

    def __init__(self, conditions: Sequence[str], scores: Sequence[str], seed: int) -> None:
        self._conditions = conditions
        self._scores = scores
        self._failed = np.zeros(len(conditions), dtype=np.int64)
        self._unknown = self._failed.copy()
        self._alone = self._failed.copy()
        self._missing = np.zeros(len(scores), dtype=np.int64)
        self._before = Values(len(scores), SAMPLED, [seed, 0])
        self._after = Values(len(scores), SAMPLED, [seed, 1])
        self.rows = self.kept = 0

    def add(self, codes: Codes, scores: Array) -> None:
        """Rows (conditions, rows) and their scores (rows, scores)."""
        passed = codes == PASSED
        kept = passed.all(axis=0)
        self.rows += codes.shape[1]
        self.kept += int(kept.sum())
        self._failed += (codes == FAILED).sum(axis=1)
        self._unknown += (codes == UNKNOWN).sum(axis=1)
        self._alone += (~passed & ((~passed).sum(axis=0) == 1)).sum(axis=1)
        self._missing += np.isnan(scores).sum(axis=0)
        self._before.add(scores)
        self._after.add(scores[kept])

    def counts(self) -> tuple[Count, ...]:
        columns = (self._failed, self._unknown, self._alone)
        return tuple(
            Count(text, *map(int, figures))
            for text, figures in zip(self._conditions, zip(*columns, strict=True), strict=True)
        )

    def quantiles(self) -> tuple[Quantiles, ...]:
        return tuple(
            Quantiles(name, int(missing), _quantiles(self._before.rows[:, i]), _quantiles(self._after.rows[:, i]))
            for i, (name, missing) in enumerate(zip(self._scores, self._missing, strict=True))
        )

    @property
    def sampled(self) -> bool:
        return self.rows > SAMPLED


def _quantiles(values: Array) -> tuple[float, ...]:
    finite = values[np.isfinite(values)]
    halves = finite / 2  # the difference of the largest numbers there are is too large for a number
    return tuple((2 * np.quantile(halves, QUANTILES)).tolist()) if len(finite) else ()
