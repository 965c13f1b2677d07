"""What the tagger `learned` knows of a token: numbers and categories, from the words, the alignment and the trees.

Both sides have the same columns, each seen from its own side: `own` is the side of the token, `other` the other one.
Changed tokens are those that the alignment does not keep; a run is a row of changed (or of kept) tokens; a gap is
what stands between two kept words on either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from plainly.operations.tagger.flat import (
    FREE,
    FREQUENT,
    KEPT,
    LINKED,
    MOVED,
    Bools,
    Flat,
    Floats,
    Ints,
    Trees,
    content,
)
from plainly.operations.tagger.lexicon import Kind, likeness, same_stem, shared_beginning
from plainly.operations.tagger.syntax import DEP_NUMBER, DEPS, POS, POS_NUMBER, TAG_NUMBER, TAGS

FAR = 30
STATES = 6  # the four states of a token, 4: there is none (the text ends here), 5: it is a root
CONTEXT = (-2, -1, 1, 2)


class Columns:
    """Columns by name: numbers, and categories with their number of values (0 is "none")."""

    def __init__(self) -> None:
        self.numbers: dict[str, Floats] = {}
        self.categories: dict[str, Ints] = {}
        self.sizes: dict[str, int] = {}

    def number(self, name: str, values: Sequence[float] | np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
        self.numbers[name] = np.asarray(values, np.float32)

    def category(self, name: str, values: np.ndarray[tuple[int, ...], np.dtype[np.generic]], size: int) -> None:
        self.categories[name] = np.asarray(values, np.int64)
        self.sizes[name] = size


class Runs:
    """Neighbours of one text that are alike."""

    def __init__(self, side: Flat, alike: Ints) -> None:
        size = len(side)
        begins = np.ones(size, bool)
        begins[1:] = (side.text[1:] != side.text[:-1]) | (alike[1:] != alike[:-1])
        self.of: Ints = np.cumsum(begins) - 1
        self.starts: Ints = np.flatnonzero(begins)
        self.lengths: Ints = np.diff(np.append(self.starts, size))
        self.ends: Ints = self.starts + self.lengths - 1

    def length(self) -> Ints:
        return self.lengths[self.of]

    def count(self, which: Bools) -> Floats:
        """How many tokens of its run are of that kind, for each token."""
        return np.bincount(self.of, which, minlength=len(self.starts)).astype(np.float32)[self.of]


def features(
    own: Flat, other: Flat, gaps: int, own_trees: Trees | None = None, other_trees: Trees | None = None
) -> Columns:
    """The features of all tokens of one side."""
    columns = Columns()
    _of_words(columns, own)
    runs = _of_runs(columns, own)
    _of_gaps(columns, own, other, gaps)
    _of_partners(columns, own, other)
    _of_pairs(columns, own, other)
    _of_crossings(columns, own)
    for name, size, steps in (
        ("kind", 3, CONTEXT),
        ("state", 4, (-3, *CONTEXT, 3)),
        ("mark", 10, CONTEXT),
        ("word", FREQUENT + 1, (-1, 1)),
    ):
        for step in steps:
            values = own.state if name == "state" else own.words[name]
            columns.category(f"{name}{step:+d}", _shifted(own, values, step), size + 1)
    for name in ("common", "capital", "length"):
        for step in (-2, -1, 1, 2):
            columns.number(f"{name}{step:+d}", _shifted(own, own.words[name], step) - 1)
    if own_trees is not None and other_trees is not None:
        _of_trees(columns, own, other, own_trees, other_trees, runs, gaps)
    return columns


def _shifted(own: Flat, values: Ints | Floats, step: int) -> Floats:
    """1 + the value of a neighbour; 0 where the text ends before it."""
    result = np.zeros(len(own), np.float32)
    here = np.arange(max(0, -step), min(len(own), len(own) - step))
    here = here[own.text[here] == own.text[here + step]]
    result[here] = values[here + step] + 1
    return result


def _of_words(columns: Columns, own: Flat) -> None:
    last = own.lengths[own.text] - 1
    for name, size in (("kind", 3), ("mark", 10), ("ending", 13), ("word", FREQUENT + 1)):
        columns.category(name, own.words[name], size)
    for name in ("common", "length", "capital", "digit"):
        columns.number(name, own.words[name])
    columns.category("state", own.state, 4)
    columns.number("score", own.score)
    columns.number("moved block", own.block)
    columns.number("place", own.place / np.maximum(1, last))
    columns.number("from start", np.minimum(own.place, FAR))
    columns.number("to end", np.minimum(last - own.place, FAR))


def _of_runs(columns: Columns, own: Flat) -> Runs:
    kept = own.kept
    runs = Runs(own, kept.astype(np.int64))
    here = np.arange(len(own))
    columns.number("run", runs.length())
    columns.number("in run", here - runs.starts[runs.of])
    columns.number("run left", runs.ends[runs.of] - here)
    for kind in Kind:
        columns.number(f"run {kind.name}", runs.count(own.words["kind"] == kind))
    columns.number("run linked", runs.count(own.state == LINKED))
    columns.number("run moved", runs.count(own.state == MOVED))
    columns.number("run stops", runs.count(own.words["stop"] > 0))
    for name, place in (("first", runs.starts), ("last", runs.ends)):
        columns.number(f"run {name} common", own.words["common"][place][runs.of])
        comma = own.words["mark"][place] == 1
        columns.category(f"run {name}", (own.words["kind"][place] + 3 * comma)[runs.of], 4)
    broken = kept & np.append(False, kept[:-1] & (own.partner[1:] != own.partner[:-1] + 1))
    columns.number("kept block", Runs(own, 2 * np.cumsum(broken) + kept).length())
    for name, alike in (("unmoved", own.state < MOVED), ("free", own.state == FREE)):
        smaller = Runs(own, alike.astype(np.int64))
        columns.number(f"{name} run", smaller.length() * alike)
        columns.number(f"{name} run content", smaller.count(alike & content(own)) * alike)
    return runs


def _in_gap(side: Flat, which: Bools, gaps: int, at: Ints) -> Floats:
    return np.bincount(side.gap, which, minlength=gaps).astype(np.float32)[at]


def _of_gaps(columns: Columns, own: Flat, other: Flat, gaps: int) -> None:
    for name, side in (("own", own), ("other", other)):
        changed = ~side.kept
        kinds = {
            "changed": changed,
            "content": changed & content(side),
            "function": changed & (side.words["kind"] == Kind.FUNCTION),
            "free": side.state == FREE,
            "linked": side.state == LINKED,
            "stops": changed & (side.words["stop"] > 0),
        }
        for kind, which in kinds.items():
            columns.number(f"gap {name} {kind}", _in_gap(side, which, gaps, own.gap))


def _of_partners(columns: Columns, own: Flat, other: Flat) -> None:
    has = own.partner >= 0
    at = np.maximum(own.partner, 0)

    def theirs(values: Ints | Floats, none: float = -1) -> Floats:
        return np.where(has, values[at] if len(values) else none, none).astype(np.float32)

    columns.category("partner kind", theirs(other.words["kind"]) + 1, 4)
    columns.category("partner ending", theirs(other.words["ending"]) + 1, 14)
    columns.category("partner word", theirs(other.words["word"]) + 1, FREQUENT + 2)
    for name in ("common", "length", "capital"):
        columns.number(f"partner {name}", theirs(other.words[name]))
    columns.number("partner more common", np.where(has, theirs(other.words["common"]) - own.words["common"], 0))
    columns.category("partner in gap", np.where(has, 1 + (theirs(other.gap) == own.gap), 0), 3)
    columns.number("partner distance", np.where(has, np.clip(theirs(other.place) - own.place, -FAR, FAR), 0))
    alike, stems = np.zeros(len(own), np.float32), np.zeros(len(own), np.float32)
    recased = np.zeros(len(own), np.float32)
    for i in np.flatnonzero(has).tolist():
        j = at[i]
        recased[i] = own.tokens[i] != other.tokens[j]
        if own.state[i] == LINKED:
            first, second = own.lows[i], other.lows[j]
            alike[i] = likeness(first, second)
            stems[i] = same_stem(first, second) + shared_beginning(first, second) / 10
    columns.number("alike", alike)
    columns.number("stem", stems)
    columns.number("recased", recased)


def _of_pairs(columns: Columns, own: Flat, other: Flat) -> None:
    texts = len(own.lengths)
    counted = [Counter(zip(side.text.tolist(), side.lows, strict=True)) for side in (own, other)]
    changed = Counter(
        (text, low)
        for text, low, state in zip(other.text.tolist(), other.lows, other.state.tolist(), strict=True)
        if state != KEPT
    )
    keys = list(zip(own.text.tolist(), own.lows, strict=True))
    for name, counts in (("own", counted[0]), ("other", counted[1]), ("other changed", changed)):
        columns.number(f"times {name}", [counts[key] for key in keys])
    for name, side in (("own", own), ("other", other)):
        columns.number(f"tokens {name}", side.lengths[own.text])
        for kind, which in (
            ("changed", ~side.kept),
            ("moved", side.state == MOVED),
            ("stops", side.words["stop"] > 0),
        ):
            columns.number(f"{kind} {name}", np.bincount(side.text, which, minlength=texts)[own.text])


def _of_crossings(columns: Columns, own: Flat) -> None:
    """Which kept words a moved block passed, and how many; how far apart the kept neighbours went."""
    passed, longest = np.zeros(len(own), np.float32), np.zeros(len(own), np.float32)
    begins = (own.state == MOVED) & (
        (own.place == 0) | (np.append(-1, own.partner[:-1])[: len(own)] != own.partner - 1)
    )
    for first in np.flatnonzero(begins).tolist():
        start, end = own.offsets[own.text[first]], own.offsets[own.text[first] + 1]
        kept = start + np.flatnonzero(own.state[start:end] == KEPT)
        crossed = (kept < first) != (own.partner[kept] < own.partner[first])
        length = int(own.block[first])
        passed[kept] += crossed
        longest[kept] = np.maximum(longest[kept], crossed * length)
        passed[first : first + length] = crossed.sum()
    columns.number("crossings", passed)
    columns.number("crossing block", longest)
    before, after = _kept_neighbours(own)
    columns.number("hole", np.where((before >= 0) & (after >= 0), np.minimum(after - before - 1, MOST_APART), -1))


MOST_APART = 20


def _kept_neighbours(own: Flat) -> tuple[Ints, Ints]:
    """The partners of the last kept token before each token and of the first after it; -1 where there is none."""
    padded = np.append(-1, np.append(np.where(own.kept, np.arange(1, len(own) + 1), 0), -1))  # a wall at both ends
    texts = np.append(-1, np.append(own.text, -1))
    partners = np.append(-1, np.append(own.partner, -1))
    last = np.maximum.accumulate(np.where(padded > 0, np.arange(len(padded)), 0))[:-2]
    first = np.minimum.accumulate(np.where(padded > 0, np.arange(len(padded)), len(padded) - 1)[::-1])[::-1][2:]
    return tuple(np.where(texts[at] == own.text, partners[at], -1) for at in (last, first))  # type: ignore[return-value]


_VERBS = [POS_NUMBER["VERB"], POS_NUMBER["AUX"]]
_NOUNS = [POS_NUMBER["NOUN"], POS_NUMBER["PROPN"]]
_FINITE = [TAG_NUMBER[tag] for tag in ("VBP", "VBZ", "VBD", "MD")]
_SUBJECTS = [DEP_NUMBER[dep] for dep in ("nsubj", "nsubj:pass")]
_QUESTIONS = [TAG_NUMBER[tag] for tag in ("WDT", "WP", "WRB")]


def _of_trees(columns: Columns, own: Flat, other: Flat, trees: Trees, theirs: Trees, runs: Runs, gaps: int) -> None:
    here = np.arange(len(own))
    head, grand = trees.head, trees.head[trees.head]
    unmoved = own.state < MOVED
    top = trees.top(unmoved)
    above = trees.head[top]
    changed = trees.below(unmoved.astype(np.float32)) / trees.size
    for name, at in (("", here), ("head ", head), ("top ", top)):
        columns.category(f"{name}pos", trees.pos[at], len(POS))
        columns.category(f"{name}dep", trees.dep[at], len(DEPS))
        columns.category(f"{name}tag", trees.tag[at], len(TAGS))
    columns.category("grand pos", trees.pos[grand], len(POS))
    columns.category("above pos", trees.pos[above], len(POS))
    for name, at, below in (("head", head, here), ("grand", grand, head), ("above", above, top)):
        columns.category(f"{name} state", np.where(at == below, STATES - 1, own.state[at]), STATES)
    columns.number("entity", trees.entity)
    columns.number("head distance", np.clip(head - here, -15, 15))
    columns.number("top distance", np.clip(top - here, -MOST_APART, MOST_APART))
    columns.number("is top", top == here)
    for name, at in (("", here), ("top ", top)):
        columns.number(f"{name}depth", trees.depth[at])
        columns.number(f"{name}size", trees.size[at])
        columns.number(f"{name}changed", changed[at])
    columns.number("under top", np.bincount(top, unmoved, minlength=len(own))[top])
    _of_phrases(columns, own, other, trees, theirs, runs, gaps)
    _of_partner_trees(columns, own, trees, theirs)
    for name, values in (("pos", trees.pos), ("dep", trees.dep)):
        for step in CONTEXT:
            size = (len(POS) if name == "pos" else len(DEPS)) + 1
            columns.category(f"{name}{step:+d}", _shifted(own, values, step), size)


def _of_phrases(columns: Columns, own: Flat, other: Flat, trees: Trees, theirs: Trees, runs: Runs, gaps: int) -> None:
    """What kinds of words a run holds, and the gap on the other side."""
    free = own.state == FREE
    free_runs = Runs(own, free.astype(np.int64))
    for name, which in (
        ("verbs", np.isin(trees.pos, _VERBS)),
        ("nouns", np.isin(trees.pos, _NOUNS)),
        ("finite", np.isin(trees.tag, _FINITE)),
        ("subjects", np.isin(trees.dep, _SUBJECTS)),
        ("questions", np.isin(trees.tag, _QUESTIONS)),
        ("prepositions", trees.pos == POS_NUMBER["ADP"]),
        ("modifiers", np.isin(trees.pos, [POS_NUMBER["ADJ"], POS_NUMBER["ADV"]])),
    ):
        columns.number(f"run {name}", runs.count(which))
        columns.number(f"free {name}", free_runs.count(which & free))
    for name, numbers in (("verbs", _VERBS), ("nouns", _NOUNS)):
        there = np.isin(theirs.pos, numbers) & ~other.kept
        columns.number(f"gap other {name}", _in_gap(other, there, gaps, own.gap))
    for name, at in (("first", runs.starts), ("last", runs.ends)):
        columns.category(f"run {name} pos", trees.pos[at][runs.of], len(POS))
        columns.category(f"run {name} dep", trees.dep[at][runs.of], len(DEPS))


def _of_partner_trees(columns: Columns, own: Flat, trees: Trees, theirs: Trees) -> None:
    has = own.partner >= 0
    at = np.maximum(own.partner, 0)
    if not len(theirs.pos):
        has, at, theirs = np.zeros(len(own), bool), np.zeros(len(own), np.int64), trees
    for name, values, size in (
        ("pos", theirs.pos, len(POS)),
        ("dep", theirs.dep, len(DEPS)),
        ("tag", theirs.tag, len(TAGS)),
    ):
        columns.category(f"partner {name}", np.where(has, values[at] + 1, 0), size + 1)
    lemma = [theirs.lemmas[j] == trees.lemmas[i] if h else -1 for i, (j, h) in enumerate(zip(at, has, strict=True))]
    columns.category("partner lemma", np.array(lemma, np.int64) + 1, 3)
    same_head = own.partner[trees.head] == theirs.head[at]
    columns.category("partner head", np.where(has, 1 + same_head, 0), 3)
    mine, other = _passive(trees), _passive(theirs)
    of_head = own.partner[trees.head]
    columns.number("passive", mine)
    columns.number("partner passive", np.where(has, other[at], -1))
    columns.number("head passive", mine[trees.head])
    columns.number("head partner passive", np.where(of_head >= 0, other[np.maximum(of_head, 0)], -1))


def _passive(trees: Trees) -> Floats:
    """1 for verbs with a passive auxiliary."""
    result = np.zeros(len(trees.pos), np.float32)
    result[trees.head[trees.dep == DEP_NUMBER["aux:pass"]]] = 1
    return result
