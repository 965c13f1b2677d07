"""What the recipe of Cardon et al. 2022 says of three pairs: a search finds them, chance seldom would.

A change puts some groups of one operation more, or fewer, into one of the 3,590 pairs. It fits when all four printed
rank correlations of the operation come out (Table 9, and three of Table 10; the printed p follow from them).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import rankdata

from plainly import operations
from plainly.inference import Resampling
from plainly.operations.correlation import Observations
from plainly.replication import load

pytestmark = pytest.mark.slow

Ranks = NDArray[np.float64]
Counts = NDArray[np.int64]
Pair = tuple[str, str]

NEGATION, SYNONYMS, PASSIVE = ("98", "asset.simp.6"), ("239", "asset.simp.3"), ("295", "asset.simp.4")
DRAWS = 300


@pytest.fixture(scope="module")
def observed(shared: Path) -> Observations:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLAINLY_DATA", str(shared / "data"))
        data = operations.annotated_set(operations.published("assetann"))
        return operations.correlate(data, "sari", resampling=Resampling(resamples=0)).observations


@pytest.fixture(scope="module")
def ranks(observed: Observations) -> Ranks:
    """Of SARI, keep, add and delete over the pairs: centred, and of length 1."""
    names = ("sari", "sari keep", "sari add", "sari delete")
    found = np.array([rankdata(observed.scores[name]) for name in names])
    found -= found.mean(axis=1, keepdims=True)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))


def printed(operation: str) -> Ranks:
    recipe = load("cardon-2022")
    rows = [row for name in ("9", "10") for row in recipe.chosen([name], "table")[0].rows if row.name == operation]
    (sari, _), (keep, _, add, _, delete, _) = (row.printed for row in rows)
    return np.array([sari, keep, add, delete], dtype=float)


def counts_of(observed: Observations, operation: str) -> Counts:
    return np.asarray(observed.counts[:, list(observed.operations).index(operation)], dtype=np.int64)


def correlations(counts: Counts, ranks: Ranks) -> Ranks:
    centred = rankdata(counts) - (len(counts) + 1) / 2
    return np.asarray(ranks @ centred / np.linalg.norm(centred))


def changed(counts: Counts, ranks: Ranks, change: int) -> Ranks:
    """The correlations after a change in each pair in turn; nan where there are too few groups to take away."""
    levels = counts.max() + abs(change) + 1
    sums = np.array([ranks[:, counts == level].sum(axis=1) for level in range(levels)])
    found = np.full((4, len(counts)), np.nan)
    for level in np.unique(counts[counts + change >= 0]):
        sizes = np.bincount(counts, minlength=levels)
        sizes[level] -= 1
        sizes[level + change] += 1
        centred = np.cumsum(sizes) - (sizes - 1) / 2 - (len(counts) + 1) / 2
        here = counts == level
        total = (centred @ sums)[:, None] + (centred[level + change] - centred[level]) * ranks[:, here]
        found[:, here] = total / np.sqrt((sizes * centred**2).sum())
    return found


def fits(found: Ranks, wanted: Ranks) -> NDArray[np.bool_]:
    """Whether all four come out to the four printed digits."""
    return np.asarray((np.abs(np.round(found, 4).T - wanted) < 1e-6).all(axis=-1))


def search(observed: Observations, ranks: Ranks, operation: str, changes: Iterable[int]) -> list[tuple[Pair, int]]:
    counts, wanted = counts_of(observed, operation), printed(operation)
    pairs = list(zip(map(str, observed.ids), observed.origins, strict=True))
    return [
        (pairs[i], change) for change in changes for i in np.flatnonzero(fits(changed(counts, ranks, change), wanted))
    ]


def test_a_change_is_what_rank_correlation_makes_of_it(observed: Observations, ranks: Ranks) -> None:
    """Against scipy's ranks of the changed counts, pair by pair."""
    counts = counts_of(observed, "synonym")
    for change in (-1, 2):
        found = changed(counts, ranks, change)
        for i in (0, 986, 2393, 3589):
            after = counts.copy()
            after[i] += change
            if after[i] >= 0:
                assert found[:, i] == pytest.approx(correlations(after, ranks))


@pytest.mark.parametrize(
    ("operation", "changes", "found"),
    [
        ("neg2pos", (-1, 1), [(NEGATION, -1)]),
        ("p2a", (-1, 1), [(PASSIVE, -1)]),
        ("verbf", (-1, 1), [(PASSIVE, 1)]),
        ("inoth", (-3, -2, -1, 1, 2, 3), [(SYNONYMS, 2), (SYNONYMS, 3)]),
        ("delcst", (-1, 1), [(("174", "asset.simp.4"), -1)]),
        ("delmod", (-3, -2, -1, 1, 2, 3), [(("355", "asset.simp.7"), 2), (("269", "asset.simp.9"), 3)]),
        ("deloth", (-3, -2, -1, 1, 2, 3), []),
    ],
)
def test_what_the_search_finds(
    observed: Observations, ranks: Ranks, operation: str, changes: Sequence[int], found: list[tuple[Pair, int]]
) -> None:
    assert search(observed, ranks, operation, changes) == found


def test_the_synonyms_of_the_two_pairs(observed: Observations, ranks: Ranks) -> None:
    """One of eight ways fits: a synonym more or none in the first pair, none to three fewer in the second."""
    pairs = list(zip(map(str, observed.ids), observed.origins, strict=True))
    fitting = []
    for more in (0, 1):
        for fewer in range(4):
            counts = counts_of(observed, "synonym").copy()
            counts[pairs.index(NEGATION)] += more
            counts[pairs.index(SYNONYMS)] -= fewer
            if fits(correlations(counts, ranks)[:, None], printed("synonym"))[0]:
                fitting.append((more, fewer))
    assert fitting == [(1, 2)]


@pytest.mark.parametrize(
    ("operation", "changes", "least", "most"),
    [
        ("neg2pos", (-1, 1), 0.0, 0.05),
        ("p2a", (-1, 1), 0.0, 0.05),
        ("verbf", (-1, 1), 0.0, 0.1),
        ("inoth", (-3, -2, -1, 1, 2, 3), 0.1, 0.25),
        ("delcst", (-1, 1), 0.25, 0.45),
        ("delmod", (-3, -2, -1, 1, 2, 3), 0.2, 0.45),
    ],
)
def test_how_often_chance_would_do(
    observed: Observations, ranks: Ranks, operation: str, changes: Sequence[int], least: float, most: float
) -> None:
    """Numbers of annotations with two random groups more or fewer: how often does a change in one pair fit them?

    So it is seldom for three operations, and often for those that the recipe leaves unexplained.
    """
    counts = counts_of(observed, operation)
    found = np.concatenate([changed(counts, ranks, change) for change in changes], axis=1)
    generator = np.random.default_rng(1)
    hits = 0
    for _ in range(DRAWS):
        drawn = counts.copy()
        for _ in range(2):
            if generator.random() < 0.5:
                drawn[generator.choice(np.flatnonzero(drawn))] -= 1
            else:
                drawn[generator.integers(len(drawn))] += 1
        hits += bool(fits(found, np.round(correlations(drawn, ranks), 4)).any())
    assert least <= hits / DRAWS <= most


@pytest.mark.parametrize(
    ("subset", "kept", "pairs"),
    [
        ("synt", "syntactic", [SYNONYMS]),
        ("addGuide", "add", [SYNONYMS, NEGATION]),
        ("delGuide", "delete", [SYNONYMS]),
    ],
)
def test_released_subsets_have_two_of_the_pairs(shared: Path, subset: str, kept: str, pairs: list[Pair]) -> None:
    """The annotation does not put them there."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PLAINLY_DATA", str(shared / "data"))
        data = operations.annotated_set(operations.published("assetann"))
    found = operations.select(data, operations.parse(f"{kept} and not err"))
    folder = shared / "data" / "assetann" / "subsets" / subset
    columns = [(folder / f"asset.test.simp.{k}").read_text("utf-8").split("\n") for k in range(10)]
    texts = {letters(line) for column in columns for line in column}
    for id_, origin in pairs:
        place, number = [str(i) for i in data.ids].index(id_), data.origins.index(origin)
        assert number not in found[place]
        assert f"{id_}{letters(' '.join(data.targets[place][number]))}" in texts


def letters(text: str) -> str:
    """Files and annotation write brackets and quotation marks differently."""
    return re.sub(r"-[lr]rb-|[^a-z0-9]", "", text.lower())
