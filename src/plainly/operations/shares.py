"""How common operations are, with intervals, in one corpus or in two.

There are three ways to count, and they are kept apart:

    pairs       pairs in which a label, or a label of a class, occurs at all
    presences   labels in pairs, each once a pair; what the tables of Cardon et al. (2022) call annotations
    groups      groups of tokens that have the label

Intervals come from the bootstrap over sources: a source is drawn with all of its pairs, because simplifications of
one source resemble each other. All counts add up over pairs, so a resample is a weighted sum of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import (
    Resampled,
    Resampling,
    bootstrap_weights,
    cluster_numbers,
    interval,
    pooled,
    total,
    weighted_totals,
)
from plainly.metrics import Array, ratio
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.typology import Typology, assetann

ShareOf = Literal["pairs", "presences", "groups"]
SHARES: tuple[ShareOf, ...] = get_args(ShareOf)
CLASSES = ("add", "delete", "replace", "move", "lexical", "syntactic")
Kinds = Mapping[str, Sequence[int]]  # a label or a class of labels -> its columns in the counts


@dataclass(frozen=True)
class Share:
    """A part of a whole: how many, and how many per cent."""

    count: int
    percent: Estimate


@dataclass(frozen=True)
class Frequency:
    """How common a label or a class of labels is: part of all pairs, of all presences, of all groups."""

    name: str
    pairs: Share
    presences: Share
    groups: Share


@dataclass(frozen=True)
class Contrast:
    """How common a label or a class is in two corpora, in per cent, and the difference in percentage points."""

    name: str
    share_of: ShareOf
    first: float
    second: float
    difference: Estimate


class Counts:
    """The number of groups of every operation in every pair, and the sources that the pairs belong to."""

    def __init__(self, pairs: Sequence[AnnotatedPair], typology: Typology | None = None) -> None:
        if not pairs:
            raise PlainlyError("there is nothing to count: no pairs")
        self.typology = typology or assetann()
        self.operations = self.typology.operations
        self.groups = group_counts(pairs, self.typology)
        self.presences: Array = (self.groups > 0).astype(np.float64)
        self.sources = [source_key(pair) for pair in pairs]

    @property
    def labels(self) -> Kinds:
        """Every operation by itself."""
        return {name: [column] for column, name in enumerate(self.operations)}

    @property
    def classes(self) -> Kinds:
        """Classes of operations. Moves are replacements too, as in the counts of Cardon et al. (2022)."""
        members = {name: self.typology.of_class(name) for name in CLASSES}
        return {name: [self.operations.index(label) for label in found] for name, found in members.items() if found}


def group_counts(pairs: Sequence[AnnotatedPair], typology: Typology) -> Array:
    """(pairs, operations): how many groups of each operation each pair has."""
    column = {name: number for number, name in enumerate(typology.operations)}
    counts: Array = np.zeros((len(pairs), len(column)))
    for row, pair in zip(counts, pairs, strict=True):
        for label, count in pair.labels.items():
            row[column[typology.get(label).name]] = count
    return counts


def source_key(pair: AnnotatedPair) -> str:
    """What makes two sources the same: their characters, however they are cut into tokens."""
    return "".join(pair.source)


def frequencies(counts: Counts, kinds: Kinds, resampling: Resampling) -> list[Frequency]:
    """How common each kind is."""
    rows = _rows(counts, kinds)
    units = pooled(rows, cluster_numbers(counts.sources, len(rows)))
    drawn = _drawn([units], resampling)
    observed, whole = _percent(total(rows), len(kinds)), _parts(total(rows), len(kinds))
    resampled = _percent(drawn, len(kinds))
    found = []
    for column, name in enumerate(kinds):
        shares = [
            Share(
                int(whole[share_of, column]),
                _estimate(observed[share_of, column], resampled[:, share_of, column], resampling),
            )
            for share_of in range(len(SHARES))
        ]
        found.append(Frequency(name, *shares))
    return found


def means(parts: Array, wholes: Array, sources: Sequence[str], resampling: Resampling) -> list[Estimate]:
    """The sum of each column of `parts` over that of `wholes`; both have a row for each pair."""
    rows = np.hstack([parts, wholes])
    drawn = _drawn([pooled(rows, cluster_numbers(sources, len(rows)))], resampling)
    observed = ratio(*np.split(total(rows), 2))
    resampled = ratio(*np.split(drawn, 2, axis=1))
    return [_estimate(value, values, resampling) for value, values in zip(observed, resampled.T, strict=True)]


def contrasts(first: Counts, second: Counts, resampling: Resampling) -> list[Contrast]:
    """The difference of every share, first less second, of what occurs in one of them at least.

    Sources that both corpora have are drawn for both at once, so that the difference is a paired one; sources that
    only one has are drawn apart from the others.
    """
    if first.operations != second.operations:
        raise PlainlyError("two corpora can be compared if they are annotated with the same labels")
    of_classes = _contrasts(first, second, first.classes, SHARES, resampling)
    return of_classes + _contrasts(first, second, first.labels, ("pairs", "groups"), resampling)


def _contrasts(
    first: Counts, second: Counts, kinds: Kinds, wanted: Sequence[ShareOf], resampling: Resampling
) -> list[Contrast]:
    strata = _strata(first, second, kinds)
    drawn = [_percent(side, len(kinds)) for side in np.split(_drawn(strata, resampling), 2, axis=1)]
    totals = np.sum([stratum.sum(axis=0) for stratum in strata], axis=0)
    one, other = (_percent(side, len(kinds)) for side in np.split(totals, 2))
    found = []
    for column, name in enumerate(kinds):
        if not one[0, column] and not other[0, column]:
            continue
        for share_of in wanted:
            way = SHARES.index(share_of)
            shares = float(one[way, column]), float(other[way, column])
            gap = shares[0] - shares[1]
            difference = _estimate(gap, drawn[0][:, way, column] - drawn[1][:, way, column], resampling)
            found.append(Contrast(name, share_of, *shares, difference))
    return found


def _rows(counts: Counts, kinds: Kinds) -> Array:
    """What adds up, one row a pair: for each way to count, the kinds and then the whole."""
    columns = [list(kind) for kind in kinds.values()]
    every = list(range(len(counts.operations)))
    pairs = [counts.presences[:, kind].max(axis=1) for kind in columns] + [np.ones(len(counts.groups))]
    presences = [counts.presences[:, kind].sum(axis=1) for kind in [*columns, every]]
    groups = [counts.groups[:, kind].sum(axis=1) for kind in [*columns, every]]
    return np.stack([*pairs, *presences, *groups], axis=1)


def _parts(totals: Array, kinds: int) -> Array:
    """(..., columns of `_rows`) -> (..., ways to count, kinds and the whole)."""
    return totals.reshape(*totals.shape[:-1], len(SHARES), kinds + 1)


def _percent(totals: Array, kinds: int) -> Array:
    """(..., columns of `_rows`) -> (..., ways to count, kinds)."""
    parts = _parts(totals, kinds)
    return 100 * ratio(parts[..., :-1], np.broadcast_to(parts[..., -1:], parts[..., :-1].shape))


def _strata(first: Counts, second: Counts, kinds: Kinds) -> list[Array]:
    """Added-up rows of sources, those of the first corpus beside those of the second: in both, only in one."""
    one, other = _by_source(first, kinds), _by_source(second, kinds)
    nothing = np.zeros(len(next(iter(one.values()))))
    both = [np.concatenate([one[key], other[key]]) for key in one if key in other]
    only_one = [np.concatenate([row, nothing]) for key, row in one.items() if key not in other]
    only_other = [np.concatenate([nothing, row]) for key, row in other.items() if key not in one]
    return [np.stack(rows) for rows in (both, only_one, only_other) if rows]


def _by_source(counts: Counts, kinds: Kinds) -> dict[str, Array]:
    rows = pooled(_rows(counts, kinds), cluster_numbers(counts.sources, len(counts.sources)))
    return dict(zip(dict.fromkeys(counts.sources), rows, strict=True))


def _drawn(strata: Iterable[Array], resampling: Resampling) -> Array:
    """(resamples, columns): totals of resamples, each stratum drawn by itself."""
    totals = [
        weighted_totals(bootstrap_weights(len(rows), resampling.resamples, resampling.seed + number), [rows])[0]
        for number, rows in enumerate(strata)
    ]
    summed: Array = np.sum(totals, axis=0)
    return summed


def _estimate(observed: float, values: Array, resampling: Resampling) -> Estimate:
    return interval(Resampled(float(observed), values), resampling)
