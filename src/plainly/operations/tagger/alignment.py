"""Which tokens of a source became which tokens of a target: kept words, moved blocks, and likely replacements.

1. Kept: a heaviest common subsequence of the lower-cased tokens. Words that say much weigh most, and tokens that
   stand side by side in both texts weigh more than scattered ones.
2. Moved: of what is left, the longest runs that both texts share, again and again (greedy string tiling).
3. Links: of what is still left, pairs of words that are alike in form, or that stand in the same gap
   between kept words; one to one, the best first.

All is deterministic: of equal choices the leftmost is taken.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from plainly.base.groups import grouped
from plainly.operations.tagger.lexicon import Kind, Words, likeness, same_stem, words_of

WEIGHTS = {Kind.MARK: 0.35, Kind.FUNCTION: 0.6, Kind.CONTENT: 1.0}
SIDE_BY_SIDE = 0.3
SAME_GAP = 0.4
LEAST = 0.35
MANY = 4_000_000  # cells: texts whose product of lengths is larger are aligned in windows
REACH = 400  # tokens on either side that a word of such a text is looked for


class Block(NamedTuple):
    """Tokens that moved: where they begin in both texts, and how many there are."""

    source: int
    target: int
    length: int


class Link(NamedTuple):
    """A word and what may have replaced it."""

    source: int
    target: int
    score: float


@dataclass(frozen=True)
class Alignment:
    """The alignment of one pair. No token stands in two of its parts."""

    source_length: int
    target_length: int
    kept: tuple[tuple[int, int], ...]
    moved: tuple[Block, ...]
    links: tuple[Link, ...]

    @cached_property
    def kept_sources(self) -> list[int]:
        return [i for i, _ in self.kept]

    @cached_property
    def partners(self) -> list[int]:
        """The target token of each source token, kept, moved or linked; -1 where there is none."""
        partners = [-1] * self.source_length
        pairs = [*self.kept, *((i, j) for i, j, _ in self.links)]
        pairs += [(block.source + k, block.target + k) for block in self.moved for k in range(block.length)]
        for i, j in pairs:
            partners[i] = j
        return partners

    def gap(self, i: int) -> int:
        """How many kept tokens stand before a source token: changed tokens with the same number share a gap."""
        return bisect_left(self.kept_sources, i)

    @cached_property
    def turned(self) -> Alignment:
        """The same as the target sees it."""
        return Alignment(
            self.target_length,
            self.source_length,
            tuple((j, i) for i, j in self.kept),
            tuple(Block(j, i, length) for i, j, length in self.moved),
            tuple(Link(j, i, score) for i, j, score in self.links),
        )


def align(source: Sequence[str], target: Sequence[str], words: Words) -> Alignment:
    """The alignment of a source and a target."""
    a, b = [words.lower(token) for token in source], [words.lower(token) for token in target]
    kept = [(i, i) for i in range(len(a))] if a == b else _heaviest(a, b, words)
    free_a = sorted(set(range(len(a))) - {i for i, _ in kept})
    free_b = sorted(set(range(len(b))) - {j for _, j in kept})
    moved = _moved(a, b, free_a, free_b, words)
    gone_a = {block.source + k for block in moved for k in range(block.length)}
    gone_b = {block.target + k for block in moved for k in range(block.length)}
    bare = Alignment(len(a), len(b), tuple(kept), (), ())
    rest_a = [(i, bare.gap(i)) for i in free_a if i not in gone_a]
    rest_b = [(j, bare.turned.gap(j)) for j in free_b if j not in gone_b]
    links = _links(a, b, rest_a, rest_b, words)
    return Alignment(len(a), len(b), tuple(kept), tuple(moved), tuple(links))


@lru_cache(1 << 10)
def aligned(source: tuple[str, ...], target: tuple[str, ...], lang: str) -> Alignment:
    """The same, kept for a while: labellers and `grouping` look at the same pairs."""
    return align(source, target, words_of(lang))


def _heaviest(a: list[str], b: list[str], words: Words) -> list[tuple[int, int]]:
    """By dynamic programming over the places where both have the same word.

    `best[j]` is the heaviest subsequence so far that ends before column j; `ending[j]` the heaviest one whose last
    pair is the row before and column j - 1.
    """
    n, m = len(a), len(b)
    if not n or not m:
        return []
    columns = grouped(range(m), b.__getitem__)
    near = n * m > MANY
    best: list[float] = [0.0] * (m + 1)
    chains: list[_Chain | None] = [None] * (m + 1)
    ending: dict[int, tuple[float, _Chain | None]] = {}
    for i, word in enumerate(a):
        matches = columns.get(word, ())
        if near:
            matches = [j for j in matches if abs(j * n - i * m) <= REACH * max(n, m)]
        if not matches:
            ending = {}
            continue
        weight = WEIGHTS[words.kind(word)]
        found: dict[int, tuple[float, _Chain | None]] = {}
        for j in matches:
            value, chain = best[j], chains[j]
            run = ending.get(j)
            if run is not None and run[0] + SIDE_BY_SIDE > value:
                value, chain = run[0] + SIDE_BY_SIDE, run[1]
            found[j + 1] = (value + weight, (chain, i, j))
        ending = found
        for column, (value, chain) in found.items():
            while column <= m and best[column] < value:
                best[column], chains[column] = value, chain
                column += 1
    pairs = []
    chain = chains[m]
    while chain is not None:
        chain, i, j = chain
        pairs.append((i, j))
    return pairs[::-1]


_Chain = tuple["_Chain | None", int, int]


def _moved(a: list[str], b: list[str], free_a: list[int], free_b: list[int], words: Words) -> list[Block]:
    """Tiles: a run counts if it holds a content word, or has at least two tokens that are not both marks."""
    left_a, left_b = set(free_a), set(free_b)
    places = grouped(free_b, b.__getitem__)
    tiles: list[Block] = []
    starts = [(i, j) for i in free_a for j in places.get(a[i], ())]
    while starts:
        runs = [Block(i, j, _run(a, b, i, j, left_a, left_b)) for i, j in starts]
        runs = [run for run in runs if run.length and _counts([a[run.source + k] for k in range(run.length)], words)]
        if not runs:
            break
        tile = max(runs, key=lambda run: (run.length, -run.source, -run.target))
        tiles.append(tile)
        left_a.difference_update(range(tile.source, tile.source + tile.length))
        left_b.difference_update(range(tile.target, tile.target + tile.length))
        starts = [(run.source, run.target) for run in runs if run.source in left_a and run.target in left_b]
    return sorted(tiles)


def _run(a: list[str], b: list[str], i: int, j: int, left_a: set[int], left_b: set[int]) -> int:
    length = 0
    while i + length in left_a and j + length in left_b and a[i + length] == b[j + length]:
        length += 1
    return length


def _counts(run: list[str], words: Words) -> bool:
    kinds = [words.kind(word) for word in run]
    return Kind.CONTENT in kinds or sum(kind is Kind.FUNCTION for kind in kinds) >= 2


def _links(
    a: list[str], b: list[str], rest_a: list[tuple[int, int]], rest_b: list[tuple[int, int]], words: Words
) -> list[Link]:
    scored = []
    for i, gap in rest_a:
        kind = words.kind(a[i])
        for j, other_gap in rest_b:
            if kind is not words.kind(b[j]):
                continue
            score = affinity(a[i], b[j], kind) + (SAME_GAP if gap == other_gap else 0.0)
            if score >= LEAST:
                scored.append((-score, abs(i - j), i, j))
    free_a, free_b = {i for i, _ in rest_a}, {j for j, _ in rest_b}
    links = []
    for negative, _, i, j in sorted(scored):
        if i in free_a and j in free_b:
            free_a.remove(i)
            free_b.remove(j)
            links.append(Link(i, j, -negative))
    return sorted(links)


def affinity(first: str, second: str, kind: Kind) -> float:
    """How much speaks for one word having replaced the other, wherever they stand."""
    if first == second:
        return 1.0
    if kind is Kind.MARK:
        return 0.0
    form = likeness(first, second)
    return 0.8 if same_stem(first, second) else max(0.0, form - 0.5) if kind is Kind.CONTENT else 0.0
