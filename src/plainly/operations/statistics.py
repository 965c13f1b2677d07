"""What a corpus of annotated pairs holds: the tables of Cardon et al. (2022), and what they leave out.

    summary    how many pairs, sources, operations; how many pairs are faulty or unchanged
    labels     Table 1: how common each operation is, as pairs and as groups
    classes    insertions, deletions, replacements; lexical and syntactic operations
    tokens     Table 6: how many tokens the groups of an operation hold on each side
    per pair   Table 7: how many pairs have n different operations, and how many have n groups
    length     whether longer texts have more operations (rank correlations)
    by length  Figure 1: the mean number of operations of sources of about the same length
    reported   Table 2: what papers report of a corpus

Pairs flagged as faulty are left out unless asked for, their other labels as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.base.plain_data import plain_data, plain_fields
from plainly.findings.result import StudyResult
from plainly.inference.correlation import Correlation, correlate
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import Resampling
from plainly.metrics import Array
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.shares import (
    Contrast,
    Counts,
    Frequency,
    Kinds,
    contrasts,
    frequencies,
    means,
    source_key,
)
from plainly.operations.typology import SIDES, Side, Typology, assetann

WIDTH = 5
"""Sources are put together by length in steps of as many tokens."""
SYNTACTIC = "other syntactic"
"""Syntactic operations but splits and merges."""


@dataclass(frozen=True)
class Summary:
    """The size of a corpus. All but the first four count only the pairs that are counted at all."""

    pairs: int
    sources: int
    erroneous_pairs: int
    erroneous_pairs_per_source: dict[int, int]
    """n -> sources with n faulty simplifications."""
    counted_pairs: int
    unchanged_pairs: int
    """Pairs without any operation."""
    presences: int
    """Labels in pairs, each once a pair."""
    groups: int
    labels_per_pair: Estimate
    groups_per_pair: Estimate
    groups_per_100_source_tokens: Estimate


@dataclass(frozen=True)
class Extent:
    """Tokens in the groups of an operation, on each side: mean and standard deviation (of the population).

    `p` is that of a paired t-test: do the groups have as many tokens before as after? It takes groups as independent.
    """

    label: str
    groups: int
    source_mean: Estimate
    source_sd: float
    target_mean: Estimate
    target_sd: float
    p: float


@dataclass(frozen=True)
class PerPair:
    """How many pairs have exactly n operations, and what part of the changed pairs has at most n."""

    n: int
    pairs_with_n_labels: int
    percent_up_to_n_labels: float
    pairs_with_n_groups: int
    percent_up_to_n_groups: float


@dataclass(frozen=True)
class LengthEffect:
    """The rank correlation of the number of operations in a pair with the length of one side, in tokens."""

    side: Side
    counted_as: str
    correlation: Correlation

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"side": self.side, "counted_as": self.counted_as, **self.correlation.to_dict()}


@dataclass(frozen=True)
class OfLength:
    """The mean number of operations of pairs whose source has between `shortest` and `longest` tokens.

    One source has no interval: it tells nothing of others of its length.
    """

    shortest: int
    longest: int
    sources: int
    pairs: int
    labels: Estimate
    groups: Estimate


@dataclass(frozen=True)
class Description:
    """All tables of a corpus."""

    summary: Summary
    labels: list[Frequency]
    classes: list[Frequency]
    tokens: list[Extent]
    per_pair: list[PerPair]
    length: list[LengthEffect]
    by_length: list[OfLength]
    reported: list[Frequency]


@dataclass(frozen=True, repr=False)
class Statistics(StudyResult, findings="plainly.operations.findings:statistics_findings"):
    """A corpus, and how it differs from another."""

    description: Description
    comparison: list[Contrast] | None
    """None: it is compared with none."""
    erroneous: bool
    """Whether pairs flagged as faulty are counted."""
    resampling: Resampling

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "erroneous_pairs_counted": self.erroneous,
            "resampling": self.resampling.to_dict(),
            **plain_fields(self.description),
            **({} if self.comparison is None else {"comparison": plain_data(self.comparison)}),
        }


@checks_arguments
def statistics(
    pairs: Sequence[AnnotatedPair],
    against: Sequence[AnnotatedPair] | None = None,
    typology: Typology | None = None,
    resampling: Resampling | None = None,
    *,
    erroneous: bool = False,
) -> Statistics:
    """All tables of a corpus; `against` is one that it is compared with."""
    typology, resampling = typology or assetann(), replace(resampling or Resampling(), unit="source")
    comparison: list[Contrast] | None = None
    if against is not None:
        one, other = (Counts(counted(each, erroneous=erroneous), typology) for each in (pairs, against))
        comparison = contrasts(one, other, resampling)
    described = describe(pairs, typology, resampling, erroneous=erroneous)
    return Statistics(described, comparison, erroneous, resampling)


def describe(
    pairs: Sequence[AnnotatedPair],
    typology: Typology | None = None,
    resampling: Resampling | None = None,
    *,
    erroneous: bool = False,
) -> Description:
    """All tables. With `erroneous`, pairs flagged as faulty are counted too."""
    typology, resampling = typology or assetann(), replace(resampling or Resampling(), unit="source")
    kept = counted(pairs, erroneous=erroneous)
    counts = Counts(kept, typology)
    labels = frequencies(counts, counts.labels, resampling)
    return Description(
        summarise(pairs, kept, counts, resampling),
        sorted(labels, key=lambda row: -row.pairs.count),
        frequencies(counts, counts.classes, resampling),
        extents(kept, counts, resampling),
        per_pair(counts),
        length_effects(kept, counts, resampling),
        by_length(kept, counts, resampling),
        frequencies(counts, _reported(counts), resampling),
    )


def counted(pairs: Sequence[AnnotatedPair], *, erroneous: bool = False) -> list[AnnotatedPair]:
    """The pairs that are counted: without the faulty ones, unless they are asked for."""
    kept = [pair for pair in pairs if erroneous or not pair.erroneous]
    if not kept:
        raise PlainlyError(
            "there is nothing to count: " + ("all pairs are flagged as faulty" if pairs else "no pairs")
        )
    return kept


def summarise(
    pairs: Sequence[AnnotatedPair], kept: Sequence[AnnotatedPair], counts: Counts, resampling: Resampling
) -> Summary:
    """The size of a corpus, of which only some pairs are kept and counted."""
    faulty = Counter(source_key(pair) for pair in pairs if pair.erroneous)
    presences, groups = counts.presences.sum(axis=1), counts.groups.sum(axis=1)
    every, tokens = np.ones(len(kept)), np.array([len(pair.source) / 100 for pair in kept])
    parts, wholes = np.stack([presences, groups, groups], axis=1), np.stack([every, every, tokens], axis=1)
    return Summary(
        len(pairs),
        len({source_key(pair) for pair in pairs}),
        faulty.total(),
        dict(sorted(Counter(faulty.values()).items())),
        len(kept),
        int((groups == 0).sum()),
        int(presences.sum()),
        int(groups.sum()),
        *means(parts, wholes, counts.sources, resampling),
    )


def extents(pairs: Sequence[AnnotatedPair], counts: Counts, resampling: Resampling) -> list[Extent]:
    """Table 6, for the operations that occur, in the order of the typology."""
    sizes: dict[str, list[list[int]]] = {name: [] for name in counts.operations}
    tokens: Array = np.zeros((len(SIDES), *counts.groups.shape))
    for number, pair in enumerate(pairs):
        for group in pair.operations:
            both = [len(group.positions(side)) for side in SIDES]
            sizes[group.label].append(both)
            tokens[:, number, counts.operations.index(group.label)] += both
    source, target = (means(side, counts.groups, counts.sources, resampling) for side in tokens)
    found = []
    for column, (label, listed) in enumerate(sizes.items()):
        if listed:
            source_sd, target_sd = (float(sd) for sd in np.std(listed, axis=0))
            sides = source[column], source_sd, target[column], target_sd
            found.append(Extent(label, len(listed), *sides, _unchanged(listed)))
    return found


def _unchanged(sizes: Sequence[Sequence[int]]) -> float:
    """p of a paired t-test; where all groups change by the same, nothing varies: 1 for no change, else NaN."""
    before, after = np.array(sizes, dtype=np.float64).T
    if len(set(after - before)) == 1:
        return 1.0 if before[0] == after[0] else np.nan
    return float(ttest_rel(before, after).pvalue)


def per_pair(counts: Counts) -> list[PerPair]:
    """Table 7: from 1 to the largest number; pairs without operations are left out."""
    labels, groups = (table.sum(axis=1).astype(np.int64) for table in (counts.presences, counts.groups))
    changed = int((groups > 0).sum())
    with_labels, with_groups = (np.bincount(table, minlength=int(groups.max()) + 1) for table in (labels, groups))
    return [
        PerPair(
            n,
            int(with_labels[n]),
            float(100 * with_labels[1 : n + 1].sum() / changed),
            int(with_groups[n]),
            float(100 * with_groups[1 : n + 1].sum() / changed),
        )
        for n in range(1, len(with_groups))
    ]


def by_length(
    pairs: Sequence[AnnotatedPair], counts: Counts, resampling: Resampling, width: int = WIDTH
) -> list[OfLength]:
    """Figure 1, for the lengths that occur; the whole sources of each are drawn."""
    number = np.array([(max(len(pair.source), 1) - 1) // width for pair in pairs])
    there = np.unique(number)
    inside = (number[:, None] == there).astype(np.float64)
    labels, groups = (inside * table.sum(axis=1)[:, None] for table in (counts.presences, counts.groups))
    found = means(np.hstack([labels, groups]), np.hstack([inside, inside]), counts.sources, resampling)
    rows = []
    for i, k in enumerate(there.tolist()):
        sources = len({source for source, of in zip(counts.sources, number, strict=True) if of == k})
        mean = [one if sources > 1 else Estimate(one.value) for one in (found[i], found[len(there) + i])]
        rows.append(OfLength(k * width + 1, (k + 1) * width, sources, int(inside[:, i].sum()), *mean))
    return rows


def _reported(counts: Counts) -> Kinds:
    """Lexical operations, syntactic ones without splits and merges, splits, merges; those that the typology has."""
    apart = {name: counts.labels[name] for name in ("split", "merge") if name in counts.labels}
    alone = {column for columns in apart.values() for column in columns}
    syntactic = [column for column in counts.classes.get("syntactic", ()) if column not in alone]
    kinds = {"lexical": counts.classes.get("lexical", ()), SYNTACTIC: syntactic, **apart}
    return {name: columns for name, columns in kinds.items() if columns}


def length_effects(pairs: Sequence[AnnotatedPair], counts: Counts, resampling: Resampling) -> list[LengthEffect]:
    """Spearman's correlation of length with the number of groups and of different labels."""
    lengths: Array = np.array([[len(pair.source), len(pair.target)] for pair in pairs], dtype=np.float64)
    operations = np.stack([counts.groups.sum(axis=1), counts.presences.sum(axis=1)], axis=1)
    found = correlate(
        lengths,
        operations,
        clusters=counts.sources,
        resampling=resampling,
    )
    return [
        LengthEffect(side, counted_as, correlation)
        for side, row in zip(SIDES, found, strict=True)
        for counted_as, correlation in zip(("groups", "labels"), row, strict=True)
    ]
