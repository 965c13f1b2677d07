"""Outputs that do not stand beside their sources: the lines of a file were shifted, doubled or sorted.

The same is asked of references, one file of them at a time: what is said of outputs below holds for them, too. In
published test sets at most 5 % of them look misplaced, and shifted by a line at least 29 %.

An output takes most of its rarer words from its source. Where it shares hardly any with its own source, but many with
the source one or two lines away, or with a source anywhere, its line is in the wrong place. A single output may look
so by chance; several of a file do not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly._kernels import Vocabulary, distinct, overlaps
from plainly.corpus.corpus import Encoded, present

Name = TypeVar("Name")
LOOKED_AT = 20_000
"""Segments at the start of a run: more would cost time, and a shift shows long before."""
NEAR = (-1, 1, -2, 2)
FEW = 0.2
"""Of an output's rarer words: an output that shares fewer with a source does not belong to it."""
MANY = 0.4
"""Of an output's rarer words: an output that shares more with a source may belong to it."""
COMMON = 0.1
"""Of the sources: a word that more of them have says nothing."""
LEAST = 3
NEARBY, ANYWHERE = 0.05, 0.2
"""Of the outputs: fewer misfits than this are chance. Systems that make up most of their words fit another source
in up to 8 % of their outputs, and the next one in 1 %."""


@dataclass
class Fit:
    """How the outputs of a system fit their sources."""

    looked_at: int = 0
    near: int = 0
    """Outputs that fit a neighbouring source, not their own."""
    far: int = 0
    """Outputs that fit another source, not their own."""
    example: Sequence[int] | None = None
    """The first of them, and the source that it fits: numbers from 0."""

    @property
    def misplaced(self) -> bool:
        share = NEARBY * self.looked_at, ANYWHERE * self.looked_at
        return self.near >= max(LEAST, share[0]) or self.near + self.far >= max(LEAST, share[1])

    def add(self, later: Fit, start: int) -> None:
        """What was found in the segments after `start`."""
        self.looked_at += later.looked_at
        self.near += later.near
        self.far += later.far
        if self.example is None and later.example is not None:
            self.example = (later.example[0] + start, later.example[1] + start)


def fits(sources: Sequence[str | None], columns: Mapping[Name, Sequence[str | None]]) -> Iterator[tuple[Name, Fit]]:
    """How texts fit the sources that they stand beside, column by column: outputs of a system, or references.

    Nothing where too few sources have words of their own.
    """
    if not columns or not any(sources):
        return
    vocabulary = Vocabulary()
    words = _words(vocabulary, sources, np.zeros(0, dtype=np.uint8))
    common = (np.bincount(words.ids, minlength=1) > max(2, COMMON * len(sources))).view(np.uint8)
    rarer = Encoded(*distinct(*words, common))
    if np.count_nonzero(rarer.lengths) < LEAST:
        return
    for name, texts in columns.items():
        yield name, _fit(rarer, _words(vocabulary, texts, common))


def _fit(sources: Encoded, outputs: Encoded) -> Fit:
    lengths = outputs.lengths
    shared = overlaps(*sources, *outputs, np.arange(len(lengths) + 1))
    found = Fit(int(np.count_nonzero(lengths)))
    strangers = []
    for place in np.flatnonzero((lengths > 0) & (shared / np.maximum(lengths, 1) < FEW)).tolist():
        near = next((place + step for step in NEAR if _fits(outputs.of(place), sources, place + step)), None)
        if near is None:
            strangers.append(place)
        else:
            found.near += 1
            found.example = found.example or (place, near)
    if len(strangers) >= max(LEAST, ANYWHERE * found.looked_at):
        _look_everywhere(found, strangers, sources, outputs)
    return found


def _look_everywhere(found: Fit, strangers: Sequence[int], sources: Encoded, outputs: Encoded) -> None:
    """Whether outputs that fit no source nearby fit one anywhere."""
    where: Mapping[int, list[int]] = defaultdict(list)
    for place in range(len(sources.lengths)):
        for word in sources.of(place):
            where[word].append(place)
    for place in strangers:
        output = outputs.of(place)
        if len(output) < LEAST:
            continue  # two words are found together by chance
        shared = Counter(other for word in output for other in where[word])
        for other, _ in shared.most_common(1):
            if _fits(output, sources, other):
                found.far += 1
                found.example = found.example or (place, other)


def _fits(output: Sequence[int], sources: Encoded, place: int) -> bool:
    """Whether the source in that place has many of an output's rarer words."""
    if not 0 <= place < len(sources.offsets) - 1:
        return False
    return len({*output}.intersection(sources.of(place))) / len(output) >= MANY


def _words(vocabulary: Vocabulary, texts: Sequence[str | None], without: NDArray[np.uint8]) -> Encoded:
    """The different words of each text; where a language writes no blanks, its characters."""
    return Encoded(*distinct(*vocabulary.encode(present(texts), "words", lowercase=True), without))
