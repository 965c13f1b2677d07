"""Is a combined metric better than the best single one, on outputs that it has not seen?

Both sides choose on the rows learned from: the combined metric its weights, the single one its name and its sign.
What the best single one would have been, had one known the answers, stands beside them. It is no fair rival, as it
was chosen on the very rows of the test. But if it is clearly better, then what was learned does not carry over to
these rows, and beating a rival that does not either is no merit. So a combined metric is called better only if it is
ahead of the fair rival, and not behind the unfair one, by more than chance; if its own correlation lies above 0; and
if chance alone, with everything learned anew, hardly ever does as well (`chance`): in folds, an interval takes what
was learned as given, and is too narrow.

In folds, ten metrics were learned, each with a start and a scale of its own. Within a fold a correlation asks for
neither, but between folds they would count: where a fold was judged well, what is left was judged less well, and its
start is lower. That would pull the combined metric down, and a single one not. So what was learned in each fold is
put on one scale: mean 0 and spread 1 over all outputs of the set, of which no judgement is used. With one input both
sides are then the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.inference.correlation import Correlation, correlate
from plainly.inference.estimates import ROUNDING, as_data
from plainly.inference.noise import Gap, noise_band
from plainly.inference.resampling import Resampling
from plainly.metaeval.quality.chance import p_by_chance
from plainly.metaeval.quality.model import SMALLEST_SPREAD, scaled_values
from plainly.metaeval.quality.pool import Pool, Rows
from plainly.metaeval.quality.ridge import Fitted, agreements, fitted, moments
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
    p: float
    """How often chance alone does as well (`chance`)."""

    @property
    def held_out(self) -> bool:
        """Whether the whole set was unseen."""
        return bool(self.trained_on)

    @property
    def better(self) -> bool:
        """Whether the combined metric is worth having."""
        return self.gap.difference.low > 0 and not self._outdone and self.beyond_chance

    @property
    def beyond_chance(self) -> bool:
        """Whether it agrees with people at all, and is ahead of the single one by more than chance."""
        own = self.combined.estimate
        return own.low > 0 and self.p <= 1 - own.confidence + ROUNDING

    @property
    def verdict(self) -> str:
        """In words."""
        if self.better:
            return "better"
        if self.gap.difference.high < 0:
            return "worse"
        return f"worse than {self.afterwards}" if self._outdone else "not shown to be better"

    @property
    def _outdone(self) -> bool:
        """Whether it is ahead of the fair rival, but behind the unfair one."""
        return self.gap.difference.low > 0 and self.gap_afterwards.difference.high < 0

    @property
    def rival(self) -> tuple[str, float]:
        """The single input that it was not better than, and its correlation with people."""
        if self._outdone:
            return self.afterwards, self.by_afterwards
        return self.single, self.by_single.value

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**as_data(self), "verdict": self.verdict}


@dataclass(frozen=True)
class _Test:
    """Rows of a set, and what is learned for each part of them."""

    pool: Pool
    rows: Rows
    splits: Sequence[tuple[Rows, Rows]]
    nested: bool  # what is learned from are the rows themselves, in folds

    def learned(self, people: Array) -> list[tuple[Fitted, NDArray[np.bool_]]]:
        """What was learned for which rows, had people said this of the rows (rows, columns)."""
        said = self.pool.people[:, None]
        if self.nested:
            said = np.repeat(said, people.shape[1], axis=1)
            said[self.rows] = people
        return [(fitted(self.pool, seen, said), np.isin(self.rows, unseen)) for seen, unseen in self.splits]

    def combined(self, people: Array) -> Array:
        """What was learned so says of the rows, by all inputs."""
        return self.said(self.learned(people), Fitted.predicted)

    def said(
        self, learned: Sequence[tuple[Fitted, NDArray[np.bool_]]], side: Callable[[Fitted, Array], Array]
    ) -> Array:
        """By one side of what was learned, each part on one scale."""
        values = self.pool.values[self.rows]
        found = np.empty((len(values), len(learned[0][0].start)))
        for own, tested in learned:
            found[tested] = _on_one_scale(side(own, values))[tested]
        return found


def within(pool: Pool, name: str, resampling: Resampling) -> Validation:
    """A set tested in folds by source: nested, as the penalty is chosen anew in what each fold leaves."""
    rows = pool.rows(name)
    return _validation(_Test(pool, rows, list(pool.splits(rows)), nested=True), name, (), len(rows), 0, resampling)


def held_out(pool: Pool, name: str, others: Sequence[str], seen: Rows, resampling: Resampling) -> Validation:
    """A set tested by what was learned from those rows of others that it may be tested by."""
    left_out = len(pool.rows(*others)) - len(seen)
    rows = pool.rows(name)
    test = _Test(pool, rows, [(seen, rows)], nested=False)
    return _validation(test, name, tuple(others), len(seen), left_out, resampling)


def _validation(
    test: _Test, name: str, others: tuple[str, ...], seen: int, left_out: int, resampling: Resampling
) -> Validation:
    pool, rows = test.pool, test.rows
    people, clusters = pool.people[rows], pool.groups[rows]
    learned = test.learned(people[:, None])
    chosen = Counter(pool.inputs[found.single[0]] for found, _ in learned)
    known = scaled_values(pool.values[rows], *moments(pool.values[rows]))
    possible = agreements(known, people[:, None])[:, 0]
    best = int(np.argmax(np.abs(possible)))
    options: dict[str, Any] = {"clusters": clusters.tolist(), "resampling": resampling}
    both = np.column_stack([test.said(learned, side) for side in (Fitted.predicted, Fitted.by_single)])
    (ours,), (theirs,) = correlate(both, people, coefficient="pearson", **options)
    _, gap, gap_afterwards = noise_band(
        np.column_stack([both, np.sign(possible[best]) * known[:, best]]), people, 0, **options
    )
    return Validation(
        tested_on=name,
        trained_on=others,
        seen=seen,
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
        p=p_by_chance(test.combined, known, people, clusters, resampling.resamples, resampling.seed),
    )


def _on_one_scale(values: Array) -> Array:
    """Each column with mean 0 and spread 1; one that does not vary is 0 everywhere."""
    centred = values - values.mean(axis=0)
    spread = np.sqrt((centred**2).mean(axis=0))
    found: Array = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > SMALLEST_SPREAD)
    return found
