"""Is a combined metric better than the best single one, on outputs that it has not seen?

Both sides choose on the rows learned from: the combined metric its weights, the single one its name and its sign.
What the best single one would have been, had one known the answers, stands beside them. It is no fair rival, as it
was chosen on the very rows of the test. But if it is clearly better, then what was learned does not carry over to
these rows, and beating a rival that does not either is no merit. So a combined metric is called better only if it is
ahead of the fair rival, and not behind the unfair one, by more than chance.

In folds, ten metrics were learned, each with a start and a scale of its own. Within a fold a correlation asks for
neither, but between folds they would count: where a fold was judged well, what is left was judged less well, and its
start is lower. That would pull the combined metric down, and a single one not. So what was learned in each fold is
put on one scale: mean 0 and spread 1 over all outputs of the set, of which no judgement is used. With one input both
sides are then the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainly.inference.correlation import Correlation, correlate
from plainly.inference.estimates import as_data
from plainly.inference.noise import Gap, noise_band
from plainly.inference.resampling import Resampling
from plainly.metaeval.quality.model import SMALLEST_SPREAD, scaled_values
from plainly.metaeval.quality.pool import Pool, Rows
from plainly.metaeval.quality.ridge import agreements, fitted, moments
from plainly.metrics import Array


@dataclass(frozen=True)
class Validation:
    """One test. `trained_on` is empty where a set was tested in folds of its own."""

    tested_on: str
    trained_on: tuple[str, ...]
    seen: int  # rows learned from; in folds, of all of them together
    left_out: int  # rows of the other sets that were too much like those of the test
    n: int
    sources: int
    combined: Correlation
    single: str
    by_single: Correlation
    gap: Gap
    """The combined metric less the single one."""
    afterwards: str  # the single input that turned out best, and how well it did
    by_afterwards: float
    gap_afterwards: Gap
    """The combined metric less that one. All three sides are turned so that more is better, as they learned it."""

    @property
    def held_out(self) -> bool:
        """Whether the whole set was unseen."""
        return bool(self.trained_on)

    @property
    def better(self) -> bool:
        """Whether the combined metric is worth having."""
        return self.gap.difference.low > 0 and not self.gap_afterwards.difference.high < 0

    @property
    def verdict(self) -> str:
        """In words."""
        if self.better:
            return "better"
        if self.gap.difference.high < 0:
            return "worse"
        return f"worse than {self.afterwards}" if self.gap.difference.low > 0 else "not shown to be better"

    @property
    def rival(self) -> tuple[str, float]:
        """The single input that it was not better than, and its correlation with people."""
        if self.gap.difference.low > 0:
            return self.afterwards, self.by_afterwards
        return self.single, self.by_single.value

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**as_data(self), "verdict": self.verdict}


def within(pool: Pool, name: str, resampling: Resampling) -> Validation:
    """A set tested in folds by source: nested, as the penalty is chosen anew in what each fold leaves."""
    rows = pool.rows(name)
    return _validation(pool, name, (), list(pool.splits(rows)), rows, 0, resampling)


def held_out(pool: Pool, name: str, others: Sequence[str], seen: Rows, resampling: Resampling) -> Validation:
    """A set tested by what was learned from those rows of others that it may be tested by."""
    left_out = len(pool.rows(*others)) - len(seen)
    return _validation(pool, name, tuple(others), [(seen, pool.rows(name))], seen, left_out, resampling)


def _validation(
    pool: Pool,
    name: str,
    others: tuple[str, ...],
    splits: Sequence[tuple[Rows, Rows]],
    seen: Rows,
    left_out: int,
    resampling: Resampling,
) -> Validation:
    rows = pool.rows(name)
    combined, single = (np.full(len(pool.people), np.nan) for _ in range(2))
    chosen: Counter[str] = Counter()
    for learned, unseen in splits:
        found = fitted(pool, learned)
        tested = np.isin(rows, unseen)
        combined[rows[tested]] = _on_one_scale(found.predicted(pool.values[rows]))[tested]
        single[rows[tested]] = _on_one_scale(found.by_single(pool.values[rows]))[tested]
        chosen[pool.inputs[found.single]] += 1
    people, clusters = pool.people[rows], pool.groups[rows]
    known = scaled_values(pool.values[rows], *moments(pool.values[rows]))
    possible = agreements(known, people)
    best = int(np.argmax(np.abs(possible)))
    sides: Array = np.column_stack([combined[rows], single[rows], np.sign(possible[best]) * known[:, best]])
    options: dict[str, Any] = {"clusters": clusters.tolist(), "resampling": resampling}
    (ours,), (theirs,) = correlate(sides[:, :2], people, coefficient="pearson", **options)
    _, gap, gap_afterwards = noise_band(sides, people, 0, **options)
    return Validation(
        tested_on=name,
        trained_on=others,
        seen=len(seen),
        left_out=left_out,
        n=len(rows),
        sources=len(set(clusters.tolist())),
        combined=ours,
        single=chosen.most_common(1)[0][0],
        by_single=theirs,
        gap=gap,
        afterwards=pool.inputs[best],
        by_afterwards=float(abs(possible[best])),
        gap_afterwards=gap_afterwards,
    )


def _on_one_scale(values: Array) -> Array:
    """Mean 0 and spread 1; what does not vary is 0 everywhere."""
    centred = values - values.mean()
    spread = float(np.sqrt((centred**2).mean()))
    return np.asarray(centred / spread if spread > SMALLEST_SPREAD else np.zeros_like(centred))
