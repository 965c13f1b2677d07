"""Which texts suit which readers? Ratings of groups of raters, each on its own, and what depends on the group.

A group is the ratings with one value of a column, as `audience`. Its numbers are those of a file with its ratings
alone. Levels of two groups are not compared: one may be stricter than the other. Whether a choice depends on the
group is a difference of differences, of systems A and B in groups 1 and 2:

    (A1 - B1) - (A2 - B2)

All four meet the same draws of items and raters (`plainly.inference.two_way_bootstrap`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import stdtrit

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.groups import grouped
from plainly.corpus.readers.files import shown
from plainly.inference.estimates import Estimate
from plainly.inference.multiple import holm
from plainly.inference.resampling import Resampling
from plainly.inference.two_way_bootstrap import Drawn, Means, crossed_means
from plainly.metrics import Array
from plainly.ratings.records import Rating, Ratings, Role
from plainly.ratings.scores import PairScore, SystemScore, difference_p, figures, rating_table, score_scale


@dataclass(frozen=True)
class TextScore:
    """One text: what a system, or a writer of references, made of an item."""

    scale: str
    item: str
    system: str
    role: Role
    raters: int
    mean: Estimate
    """With Student's interval of the mean over raters; none for a single rater, or where all say the same."""


@dataclass(frozen=True)
class GroupScores:
    """What one group of raters says."""

    column: str
    group: str
    systems: tuple[SystemScore, ...]
    pairs: tuple[PairScore, ...]
    texts: tuple[TextScore, ...]


@dataclass(frozen=True)
class Contrast:
    """How much more two groups differ on one system than on another."""

    column: str
    scale: str
    first: str
    second: str
    """Systems: what each group gives to the first, less what it gives to the second."""
    group: str
    other: str
    items: int
    """Those on which both groups rated both systems."""
    difference: Estimate
    """That of the first group, less that of the other."""
    p: float
    p_holm: float
    """Corrected for the contrasts of a column and scale."""


def group_scores(ratings: Ratings, columns: Sequence[str], draw: Drawn, resampling: Resampling) -> list[GroupScores]:
    """Every group of each column, as if the others were not there."""
    found = []
    for column in columns:
        for group, part in groups_of(ratings, column).items():
            made = [score_scale(part, scale, draw, resampling) for scale in part.scales]
            systems = tuple(row for rows, _ in made for row in rows)
            pairs = tuple(row for _, rows in made for row in rows)
            texts = tuple(text_scores(part, resampling.confidence))
            found.append(GroupScores(column, group, systems, pairs, texts))
    return found


def text_scores(ratings: Ratings, confidence: float) -> Iterator[TextScore]:
    """Every text on every scale."""
    texts = grouped(ratings.judged, lambda entry: (entry.scale, entry.item, entry.system))
    for (scale, item, system), entries in texts.items():
        values = [entry.value or 0.0 for entry in entries]
        yield TextScore(scale, item, system, entries[0].role, len(values), _mean(values, confidence))


def _mean(values: Sequence[float], confidence: float) -> Estimate:
    """The mean m of n values with m -+ t(n - 1) * s / sqrt(n)."""
    count, mean = len(values), float(np.mean(values))
    spread = float(np.std(values, ddof=1)) if count > 1 else 0.0
    if not spread:
        return Estimate(mean, confidence=confidence, n=count)
    half = float(stdtrit(count - 1, (1 + confidence) / 2)) * spread / math.sqrt(count)
    return Estimate(mean, mean - half, mean + half, confidence, n=count)


def contrasts(ratings: Ratings, columns: Sequence[str], draw: Drawn, resampling: Resampling) -> list[Contrast]:
    """For every two groups of a column and every two systems that both have rated."""
    return [
        row
        for column in columns
        for scale in ratings.scales
        for row in _of_scale(column, scale, groups_of(ratings, column), draw, resampling)
    ]


def groups_of(ratings: Ratings, column: str) -> dict[str, Ratings]:
    """The ratings of each value of a column, in the order of the values; those without one are in none."""
    members = grouped(
        (entry for entry in ratings.entries if entry.groups.get(column)), lambda entry: entry.groups[column]
    )
    if not members:
        known = {name for entry in ratings.entries for name in entry.groups}
        if known - {column}:
            raise UnknownName("column", column, known)
        raise PlainlyError(f"no rating has a value in the column {shown(column)}")
    return {value: Ratings(tuple(members[value])) for value in sorted(members)}


def _of_scale(
    column: str, scale: str, groups: Mapping[str, Ratings], draw: Drawn, resampling: Resampling
) -> Iterator[Contrast]:
    own = {group: _of(part, scale) for group, part in groups.items()}
    everything = [entry for entries in own.values() for entry in entries]
    items = list(dict.fromkeys(entry.item for entry in everything))
    raters = list(dict.fromkeys(entry.rater for entry in everything))
    names = sorted({entry.system for entry in everything})
    cells = [(group, name) for group, entries in own.items() for name in names if _rated(entries, name)]
    tables = [rating_table(_of_system(own[group], name), items, raters) for group, name in cells]
    place = {cell: number for number, cell in enumerate(cells)}
    four = [
        (first, second, one, other)
        for one, other in combinations(own, 2)
        for first, second in combinations(names, 2)
        if all((group, name) in place for group in (one, other) for name in (first, second))
    ]
    if not four:
        return
    apart = [
        (place[group, first], place[group, second]) for first, second, *two in four for group in two
    ]  # of each contrast two differences, one a group
    means = crossed_means(tables, apart, resamples=resampling.resamples, seed=resampling.seed, draw=draw)
    start = len(tables)
    found = Means(*(_halves_apart(part[..., start:]) for part in (means.observed, means.drawn)))
    shared = [
        int(np.all([~np.isnan(tables[place[group, name]]).all(1) for group in two for name in (a, b)], axis=0).sum())
        for a, b, *two in four
    ]
    p = np.array(
        [
            difference_p(float(found.observed[k]), found.drawn[:, k], shared[k], resampling.confidence)
            for k in range(len(four))
        ]
    )
    for k, (estimate, p_holm) in enumerate(zip(figures(found, resampling), holm(p), strict=True)):
        yield Contrast(column, scale, *four[k], shared[k], estimate, float(p[k]), float(p_holm))


def _halves_apart(differences: Array) -> Array:
    """The difference of each two neighbours."""
    return differences[..., 0::2] - differences[..., 1::2]


def _of(ratings: Ratings, scale: str) -> list[Rating]:
    return [entry for entry in ratings.entries if entry.scale == scale and entry.role != "check"]


def _of_system(entries: Sequence[Rating], system: str) -> list[Rating]:
    return [entry for entry in entries if entry.system == system]


def _rated(entries: Sequence[Rating], system: str) -> bool:
    return any(entry.value is not None for entry in _of_system(entries, system))
