"""Many texts as one row of tokens, with what is known of each token: features are computed for all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plainly.operations.tagger.alignment import Alignment
from plainly.operations.tagger.labeller import Tokens
from plainly.operations.tagger.lexicon import Kind, Words
from plainly.operations.tagger.syntax import Word

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

FREE, LINKED, MOVED, KEPT = range(4)  # what the alignment made of a token

_MARKS = {mark: number for number, mark in enumerate([",", ".", "(", ")", '"', "-", ":", ";", "'"], 1)}
_ENDINGS = ("ly", "ing", "ed", "s", "tion", "al", "ive", "ous", "er", "est", "ity", "ment")
MOST = 20.0  # letters of a word that are counted
FREQUENT = 100  # words that are known one by one


@dataclass
class Flat:
    """The tokens of one side of many pairs. Positions below count through all texts; -1 stands for none."""

    lengths: Ints
    tokens: list[str]
    lows: list[str]
    words: dict[str, Floats]
    """Of each token by itself: kind, commonness, length, capitals, digits, marks, endings, frequent words."""
    state: Ints = field(init=False)
    partner: Ints = field(init=False)
    score: Floats = field(init=False)
    block: Floats = field(init=False)
    """How long the moved block of a token is."""
    gap: Ints = field(init=False)
    """Which gap between kept words a token stands in; both sides of a pair number their gaps alike."""

    def __post_init__(self) -> None:
        size = len(self.tokens)
        self.offsets: Ints = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)
        self.text: Ints = np.repeat(np.arange(len(self.lengths)), self.lengths)
        self.place: Ints = np.arange(size) - self.offsets[self.text] if size else np.zeros(0, np.int64)
        self.state = np.zeros(size, np.int64)
        self.partner = np.full(size, -1, np.int64)
        self.score = np.zeros(size, np.float32)
        self.block = np.zeros(size, np.float32)
        self.gap = np.zeros(size, np.int64)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def kept(self) -> Bools:
        kept: Bools = self.state == KEPT
        return kept


def flatten(texts: Sequence[Tokens], words: Words) -> Flat:
    """The texts of one side; the alignment is put in by `connect`."""
    tokens = [token for text in texts for token in text]
    lows = [words.lower(token) for token in tokens]
    known: dict[str, tuple[float, ...]] = {}
    rows = np.zeros((len(tokens), len(_OF_WORD)), np.float32)
    for row, token, low in zip(rows, tokens, lows, strict=True):
        if token not in known:
            known[token] = _of_word(token, low, words)
        row[:] = known[token]
    lengths = np.array([len(text) for text in texts], np.int64)
    return Flat(lengths, tokens, lows, dict(zip(_OF_WORD, rows.T.copy(), strict=True)))


_OF_WORD = ("kind", "common", "length", "capital", "digit", "stop", "mark", "ending", "word")


def _of_word(token: str, low: str, words: Words) -> tuple[float, ...]:
    ending = next((n for n, end in enumerate(_ENDINGS, 1) if low.endswith(end) and len(low) > len(end) + 2), 0)
    return (
        words.kind(low),
        words.commonness(low),
        min(len(low), MOST),
        token[:1].isupper() + 2 * (len(token) > 1 and token[:2].isupper()),
        any(map(str.isdigit, token)),
        low in words.stops,
        _MARKS.get(low, 0),
        ending,
        words.place(low, FREQUENT),
    )


def connect(source: Flat, target: Flat, alignments: Sequence[Alignment]) -> int:
    """Put the alignments of the pairs into both sides; returns the number of gaps."""
    gaps = 0
    for number, alignment in enumerate(alignments):
        first, second = int(source.offsets[number]), int(target.offsets[number])
        for i, j in alignment.kept:
            _join(source, target, first + i, second + j, KEPT)
        for block in alignment.moved:
            for k in range(block.length):
                i, j = first + block.source + k, second + block.target + k
                _join(source, target, i, j, MOVED)
                source.block[i] = target.block[j] = block.length
        for i, j, score in alignment.links:
            _join(source, target, first + i, second + j, LINKED)
            source.score[first + i] = target.score[second + j] = score
        for side, start, kept in (
            (source, first, alignment.kept_sources),
            (target, second, alignment.turned.kept_sources),
        ):
            length = int(side.lengths[number])
            side.gap[start : start + length] = gaps + np.searchsorted(kept, np.arange(length))
        gaps += len(alignment.kept) + 1
    return gaps


def _join(source: Flat, target: Flat, i: int, j: int, state: int) -> None:
    source.state[i] = target.state[j] = state
    source.partner[i], target.partner[j] = j, i


@dataclass
class Trees:
    """The parses of one side, as flat as its tokens."""

    lemmas: list[str]
    pos: Ints
    tag: Ints
    dep: Ints
    head: Ints
    entity: Floats
    depth: Floats = field(init=False)
    size: Floats = field(init=False)
    """How many tokens hang on a token, itself among them."""

    def __post_init__(self) -> None:
        self.depth = self.above(np.ones(len(self.pos), np.float32))
        self.size = self.below(np.ones(len(self.pos), np.float32))

    def above(self, values: Floats) -> Floats:
        """The sum of the values over all heads of a token, up to the root."""
        total = np.zeros(len(values), np.float32)
        for up, rising in self._steps_up():
            total += np.where(rising, values[up], 0)
        return total

    def below(self, values: Floats) -> Floats:
        """The sum of the values over a token and all that hangs on it."""
        total = values.astype(np.float64)
        for up, rising in self._steps_up():
            np.add.at(total, up[rising], values[rising])
        return total.astype(np.float32)

    def _steps_up(self) -> Iterator[tuple[Ints, Bools]]:
        """From all tokens to their heads, and on to the roots: where each has come to, and whether it rose."""
        here = np.arange(len(self.head))
        for _ in range(DEEPEST):
            up = self.head[here]
            rising = up != here
            if not rising.any():
                return
            yield up, rising
            here = up

    def top(self, inside: Bools) -> Ints:
        """The highest token that can be reached through heads inside of a set, for tokens of that set."""
        here = np.arange(len(inside))
        for _ in range(DEEPEST):
            up = self.head[here]
            rising = (up != here) & inside[up] & inside[here]
            if not rising.any():
                break
            here = np.where(rising, up, here)
        return here


DEEPEST = 40  # steps up a tree; heads never go in circles, but a limit costs nothing


def plant(side: Flat, parses: Sequence[Sequence[Word]]) -> Trees:
    """The trees of all texts of a side."""
    flat = [word for words in parses for word in words]
    heads = [
        word.head + offset for words, offset in zip(parses, side.offsets.tolist()[:-1], strict=True) for word in words
    ]
    return Trees(
        [word.lemma for word in flat],
        np.array([word.pos for word in flat], np.int64),
        np.array([word.tag for word in flat], np.int64),
        np.array([word.dep for word in flat], np.int64),
        np.array(heads, np.int64),
        np.array([word.entity for word in flat], np.float32),
    )


def content(side: Flat) -> Bools:
    found: Bools = side.words["kind"] == Kind.CONTENT
    return found
