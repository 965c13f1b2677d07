"""Judged outputs of one or more data sets, ready to learn from, and which of them are too alike to be told apart.

Judgements of different sets have different scales and raters, so each set's are put on one scale: mean 0, spread 1.
Two rows are alike if their sources, or their outputs, share at least half of their words. Then they must not stand
on both sides of a test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import plural
from plainly.inference.estimates import ROUNDING
from plainly.inference.resampling import cluster_numbers
from plainly.metaeval.judged_set import OUTPUT, JudgedSet
from plainly.metaeval.quality.features import Inputs
from plainly.metrics import Array
from plainly.metrics.base import scored
from plainly.operations.regression import fold_numbers
from plainly.simplicity import overlapping

FOLDS = 10
FEWEST_OUTPUTS = 20
"""To learn from, or to be tested on."""

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Pool:
    """One row an output. Rows of a group share their source, so they are not independent."""

    sets: tuple[str, ...]
    inputs: tuple[str, ...]
    origin: Rows  # the place of each row's set in `sets`
    groups: Rows
    values: Array  # (rows, inputs); NaN: the input has no value
    people: Array  # more is better
    alike: NDArray[np.bool_]  # (rows, sets): is there a row in that other set that this one is too much like?
    texts: tuple[str, ...]  # the source of each row; its output where there is none
    turned: tuple[str, ...]  # sets in which less is better of what was judged, so that people were turned round

    def rows(self, *names: str) -> Rows:
        """The rows of these sets."""
        return np.flatnonzero(np.isin(self.origin, [self.sets.index(name) for name in names]))

    def unlike(self, rows: Rows, name: str) -> Rows:
        """Those of the rows that one may learn from before a test on that set."""
        kept: Rows = rows[~self.alike[rows, self.sets.index(name)]]
        return kept

    def splits(self, rows: Rows, folds: int = FOLDS) -> Iterator[tuple[Rows, Rows]]:
        """Rows to learn from and rows to test on: each set in turn; of a single set, each tenth of its sources."""
        present = np.unique(self.origin[rows])
        if len(present) > 1:
            for place in present.tolist():
                own = self.origin[rows] == place
                yield self.unlike(rows[~own], self.sets[place]), rows[own]
        else:
            parts = fold_numbers(self.groups[rows].astype(str).tolist(), folds)
            for fold in range(int(parts.max(initial=-1)) + 1):
                yield rows[parts != fold], rows[parts == fold]


def pooled(
    judged: Sequence[JudgedSet], dimensions: Sequence[str], inputs: Inputs, threads: int | None = None
) -> Pool:
    """The rows that people judged and that have what the inputs need.

    Of each set, the first of the dimensions that it has is what is learned: sets may call the same thing by
    different names.
    """
    names = [own.name for own in judged]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise PlainlyError(f"the data set {repeated} is there twice")
    origin, groups, values, people, kept = [], [], [], [], []
    for place, own in enumerate(judged):
        corpus = own.corpus()
        given = _judgements(own, dimensions)
        there = np.flatnonzero(np.isfinite(given) & scored(corpus, OUTPUT, inputs.needs))
        if len(there) < FEWEST_OUTPUTS:
            needed = " and ".join(sorted(inputs.needs & {"source", "references"}))
            raise PlainlyError(
                f"{own.name} has {plural(len(there), 'judged output')}{' with ' * bool(needed)}{needed}; "
                f"it takes at least {FEWEST_OUTPUTS}"
            )
        chosen = own.select(there)
        if len(set(chosen.units)) < 2:
            raise PlainlyError(f"all judged outputs of {own.name} have the same source: nothing could be tested")
        origin.append(np.full(len(there), place))
        groups += [f"{place} {unit}" for unit in chosen.units]
        values.append(inputs.of(chosen.corpus(), OUTPUT, threads))
        people.append(_standardised(given[there], own.name))
        kept.append(chosen)
    return Pool(
        tuple(names),
        inputs.names,
        np.concatenate(origin).astype(np.int64),
        cluster_numbers(groups, len(groups)),
        np.concatenate(values),
        np.concatenate(people),
        np.concatenate([_alike(own, kept) for own in kept]),
        tuple(text for own in kept for text in source_texts(own)),
        tuple(own.name for own in judged if own.direction(_dimension(own, dimensions)) == "lower"),
    )


def source_texts(judged: JudgedSet) -> list[str]:
    """The source of each output, or the output itself where there is none."""
    return [
        output if source is None else source for source, output in zip(judged.sources, judged.outputs, strict=True)
    ]


def _judgements(judged: JudgedSet, dimensions: Sequence[str]) -> Array:
    name = _dimension(judged, dimensions)
    return judged.values[name] * (1 if judged.direction(name) == "higher" else -1)


def _dimension(judged: JudgedSet, dimensions: Sequence[str]) -> str:
    for name in dimensions:
        if name in judged.values:
            return name
    raise PlainlyError(f"{judged.name}: {UnknownName('dimension', dimensions[0], judged.values)}")


def _standardised(values: Array, name: str) -> Array:
    centred = values - values.mean()
    spread = float(np.sqrt((centred**2).mean()))
    if spread <= ROUNDING * float(np.abs(values).max()):
        raise PlainlyError(f"people judged all {len(values)} outputs of {name} the same: there is nothing to learn")
    return np.asarray(centred / spread)


def _alike(own: JudgedSet, every: Sequence[JudgedSet]) -> NDArray[np.bool_]:
    found = np.zeros((len(own), len(every)), dtype=bool)
    for place, other in enumerate(every):
        if other is not own:
            for texts, others in ((own.sources, other.sources), (own.outputs, other.outputs)):
                here, there = (
                    [text for text in dict.fromkeys(column) if text is not None] for column in (texts, others)
                )
                near = dict(zip(here, overlapping(here, there), strict=True))
                found[:, place] |= [text is not None and near[text] for text in texts]
    return found
