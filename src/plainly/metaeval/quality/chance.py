"""What chance alone would make of a test: the same test of judgements that were exchanged between outputs.

In folds, all judgements but those of one fold are learned from, then all but those of the next. So what was learned
has seen the judgements that it is tested by, fold by fold. It swings more from data set to data set than an interval
shows that takes it as given. Here all is learned and chosen anew from exchanged judgements: what is weighed, by how
much, and which single input is best. Two things are ruled out:

    nothing    No input tells anything. Judgements are exchanged as they are: how often does what is learned from them
               agree with them as well as in truth?
    one        One input tells all there is. What the best one leaves of the judgements is exchanged (Freedman and
               Lane 1983): how often is the combined metric as far ahead of the best single one?

The p of the test is the larger of the two. Judgements are exchanged within a source, and between sources with as many
outputs: those of one source may be alike.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from plainly.inference.estimates import ROUNDING
from plainly.inference.resampling import generator
from plainly.metaeval.quality.ridge import agreements
from plainly.metrics import Array

AT_A_TIME = 1 << 22


def p_by_chance(
    combined: Callable[[Array], Array],
    inputs: Array,
    people: Array,
    groups: NDArray[np.int64],
    trials: int,
    seed: int,
) -> float:
    """`combined`: of judgements (rows, columns), what is learned from each column, or the same for all of them."""

    def standing(said: Array) -> tuple[Array, Array]:
        own = _each(combined(said), said)
        return own, own - np.abs(agreements(inputs, said)).max(axis=0)

    people = people - people.mean()
    best = inputs[:, np.argmax(np.abs(agreements(inputs, people[:, None])))]
    best = best - best.mean()
    told = best * (best @ people) / max(float(best @ best), ROUNDING)
    alone, ahead = standing(people[:, None])
    draw, tables = generator(seed, "metaeval train"), _tables(groups)
    reached = np.zeros(2)
    block = max(1, AT_A_TIME // len(people))
    for start in range(0, trials, block):
        taken = [_exchanged(tables, len(people), draw) for _ in range(min(block, trials - start))]
        moved = np.column_stack(taken)
        reached[0] += (standing(people[moved])[0] >= alone - ROUNDING).sum()
        reached[1] += (standing(told[:, None] + (people - told)[moved])[1] >= ahead - ROUNDING).sum()
    return float((1 + reached.max()) / (1 + trials))


def _each(side: Array, people: Array) -> Array:
    """The coefficient of each column with that of people, or of one column with all of them."""
    centred, around = side - side.mean(axis=0), people - people.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0) * (around**2).sum(axis=0))
    found: Array = np.divide((centred * around).sum(axis=0), size, out=np.zeros(len(size)), where=size > ROUNDING)
    return found


def _tables(groups: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """The rows of each group, in one table for all groups of a size: (groups, size)."""
    order = np.argsort(groups, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)
    sizes = sorted({len(part) for part in parts})
    return [np.array([part for part in parts if len(part) == size]) for size in sizes]


def _exchanged(tables: list[NDArray[np.intp]], rows: int, draw: np.random.Generator) -> NDArray[np.intp]:
    """Whose judgement each row takes."""
    taken = np.empty(rows, dtype=np.intp)
    for table in tables:
        taken[table] = draw.permuted(draw.permutation(table), axis=1)
    return taken
