"""Outputs that do not stand beside their sources: the lines of a file were shifted, doubled or sorted.

The same is asked of references, one file of them at a time: what is said of outputs below holds for them, too. In
published test sets at most 5 % of them look misplaced, and shifted by a line at least 29 %.

An output takes most of its rarer words from its source. Where it shares hardly any with its own source, but many with
the source one or two lines away, or with a source anywhere, its line is in the wrong place. A single output may look
so by chance; several of a file do not.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

Words = frozenset[str]
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
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


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


def fits(sources: Sequence[str | None], columns: Sequence[Sequence[str | None]]) -> Iterator[Fit]:
    """How texts fit the sources that they stand beside, column by column: outputs of a system, or references.

    Nothing where too few sources have words of their own.
    """
    if not columns or not any(sources):
        return
    words = [_words(text) for text in sources]
    common = _common(words)
    rarer = [group - common for group in words]
    if sum(map(bool, rarer)) < LEAST:
        return
    for texts in columns:
        yield _fit(rarer, [_words(text) - common for text in texts])


def _fit(sources: Sequence[Words], outputs: Sequence[Words]) -> Fit:
    found = Fit()
    strangers = []
    for place, output in enumerate(outputs):
        if not output:
            continue
        found.looked_at += 1
        if _share(output, sources[place]) >= FEW:
            continue
        near = next((place + step for step in NEAR if _fits(output, sources, place + step)), None)
        if near is None:
            strangers.append(place)
        else:
            found.near += 1
            found.example = found.example or (place, near)
    if len(strangers) >= max(LEAST, ANYWHERE * found.looked_at):
        _look_everywhere(found, strangers, sources, outputs)
    return found


def _look_everywhere(
    found: Fit, strangers: Sequence[int], sources: Sequence[Words], outputs: Sequence[Words]
) -> None:
    """Whether outputs that fit no source nearby fit one anywhere."""
    where: Mapping[str, list[int]] = defaultdict(list)
    for place, words in enumerate(sources):
        for word in words:
            where[word].append(place)
    for place in strangers:
        if len(outputs[place]) < LEAST:
            continue  # two words are found together by chance
        shared = Counter(other for word in outputs[place] for other in where[word])
        for other, _ in shared.most_common(1):
            if _fits(outputs[place], sources, other):
                found.far += 1
                found.example = found.example or (place, other)


def _fits(output: Words, sources: Sequence[Words], place: int) -> bool:
    return 0 <= place < len(sources) and _share(output, sources[place]) >= MANY


def _share(output: Words, source: Words) -> float:
    return len(output & source) / len(output)


def _common(texts: Sequence[Words]) -> Words:
    """The words that many of the texts have."""
    counts = Counter(chain.from_iterable(texts))
    most = max(2, COMMON * len(texts))
    return frozenset(word for word, count in counts.items() if count > most)


def _words(text: str | None) -> Words:
    """The words of a text; where a language writes no blanks, its characters."""
    if text is None:
        return frozenset()
    lower = text.lower()
    if lower.isascii() or not _UNSPACED.search(lower):
        return frozenset(_WORD.findall(lower))
    return frozenset(_WORD.findall(_UNSPACED.sub(lambda found: f" {found[0]} ", lower)))
