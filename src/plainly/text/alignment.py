"""Which sentences of a source became which sentences of a simplified text: an alignment without a model.

Two sentences are alike as far as they share character n-grams, the rare ones most: the cosine of TF-IDF vectors,
where the two texts themselves say what is rare. A dynamic programme finds the links that are worth most together and
run in order. Of what is left, sentences that are much alike are linked out of order. The constants below were
chosen with the documents in view that docs/documents.md reports on.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly.text.languages import get_language

Floats = NDArray[np.float64]
Steps = NDArray[np.int8]

ALIGNER = "ngrams"  # how signatures name this way to align
GRAM = 4  # characters of an n-gram
GRAM_WITHOUT_SPACES = 2  # the same for languages that write no blanks: there a character says more
WIDEST = 4  # sentences that one sentence may become, or be made of
THRESHOLD = 0.1  # a link is worth its similarity less this
CROSSING = 0.25  # the least similarity of a link out of order
REACH = 1000  # how many sentences a link may be away from its place if both texts flow evenly
BLOCK = 256  # source sentences that are compared at a time: bounds the memory

DELETED, INSERTED = (
    0,
    -1,
)  # steps of the dynamic programme; k > 0: one source, k outputs; -k < -1: k sources, one output


class Link(NamedTuple):
    """Sentences of the source, by number, and what became of them; a deletion or an insertion has one empty side."""

    source: tuple[int, ...]
    output: tuple[int, ...]
    similarity: float


class Alignment(NamedTuple):
    """The sentences of two texts and their links. Every sentence is in exactly one link.

    Links stand in the order of the source. An insertion follows the link of the output sentence before it.
    """

    source: list[str]
    output: list[str]
    links: list[Link]


def align(source: str, output: str, lang: str) -> Alignment:
    """Two texts of one language, sentence by sentence."""
    split = get_language(lang).split_sentences
    sources, outputs = split(source), split(output)
    return Alignment(sources, outputs, align_sentences(sources, outputs, lang))


def align_sentences(sources: Sequence[str], outputs: Sequence[str], lang: str) -> list[Link]:
    """The links between the sentences of two texts.

    Time and memory grow with the product of their numbers, and beyond `REACH` sentences with their sum.
    """
    source, output = _vectors(sources, outputs, GRAM if get_language(lang).spaces else GRAM_WITHOUT_SPACES)
    links = _in_order(source, output)
    return _complete([*links, *_out_of_order(links, source, output)], len(sources), len(outputs))


class _Vectors:
    """The TF-IDF vectors of the sentences of one text; `weights[k]` is the weight of a feature in a sentence."""

    def __init__(self, counts: Sequence[Counter[int]], idf: Floats) -> None:
        self.size = len(counts)
        lengths = np.fromiter(map(len, counts), dtype=np.int64, count=self.size)
        self._offsets = np.concatenate([[0], np.cumsum(lengths)])
        self._sentences = np.repeat(np.arange(self.size), lengths)
        self._features = np.array([feature for count in counts for feature in count], dtype=np.int64)
        self._weights = np.array([n for count in counts for n in count.values()], dtype=np.float64)
        self._weights *= idf[self._features]
        keys = self._features * self.size + self._sentences
        self._by_feature = np.argsort(keys)
        self._keys = keys[self._by_feature]

    def products(self, first: int, last: int, other: _Vectors, low: int, high: int) -> Floats:
        """The dot products of the sentences first .. last - 1 with the sentences low .. high - 1 of another text."""
        part = slice(self._offsets[first], self._offsets[last])
        keys = self._features[part] * other.size
        begin, end = np.searchsorted(other._keys, keys + low), np.searchsorted(other._keys, keys + high)
        shared = end - begin  # how many of the other sentences have the feature
        before = np.cumsum(shared) - shared
        there = other._by_feature[np.repeat(begin - before, shared) + np.arange(shared.sum())]
        rows = np.repeat(self._sentences[part] - first, shared)
        cells = rows * (high - low) + other._sentences[there] - low
        values = np.repeat(self._weights[part], shared) * other._weights[there]
        sums: Floats = np.bincount(cells, values, minlength=(last - first) * (high - low)).astype(np.float64)
        return sums.reshape(last - first, high - low)

    @cached_property
    def norms(self) -> Floats:
        """norms[k, i] is the norm of the k sentences that end with sentence i, taken as one."""
        apart = np.zeros((WIDEST, self.size))  # apart[d, i]: the product of the sentences i - d and i
        for first in range(0, self.size, BLOCK):
            last, low = min(first + BLOCK, self.size), max(first - WIDEST, 0)
            products = self.products(first, last, self, low, last)
            for d in range(WIDEST):
                i = np.arange(max(first, d), last)
                apart[d, i] = products[i - first, i - d - low]
        squares = np.zeros((WIDEST + 1, self.size))
        squares[1] = apart[0]
        for k in range(2, WIDEST + 1):
            # Both runs of k - 1 sentences, less what they share, and the product of the two ends.
            squares[k, 1:] = squares[k - 1, 1:] + squares[k - 1, :-1] - squares[k - 2, :-1] + 2 * apart[k - 1, 1:]
        return np.sqrt(np.maximum(squares, 0.0))


def _vectors(sources: Sequence[str], outputs: Sequence[str], size: int) -> tuple[_Vectors, _Vectors]:
    numbers: dict[str, int] = {}
    counts = [
        Counter([numbers.setdefault(gram, len(numbers)) for gram in _grams(sentence, size)])
        for sentence in (*sources, *outputs)
    ]
    sentences = np.zeros(len(numbers))
    for count in counts:
        sentences[list(count)] += 1
    idf = np.log1p(len(counts) / sentences)
    return _Vectors(counts[: len(sources)], idf), _Vectors(counts[len(sources) :], idf)


def _grams(sentence: str, size: int) -> list[str]:
    """The character n-grams of the words, whose ends are marked; a short word is one n-gram."""
    words = [f"_{word}_" for word in _WORD.findall(sentence.lower())]
    return [word[i : i + size] for word in words for i in range(max(len(word) - size, 0) + 1)]


def _blocks(source: _Vectors, output: _Vectors) -> Iterator[tuple[int, int, int, int]]:
    """Sources first .. last - 1, and the outputs low .. high - 1 within their reach."""
    n, m = source.size, output.size
    for first in range(0, n, BLOCK):
        last = min(first + BLOCK, n)
        yield first, last, max(first * m // n - REACH, 0), min(last * m // n + REACH, m)


def _in_order(source: _Vectors, output: _Vectors) -> list[Link]:
    """The links that do not cross and are worth most together."""
    best = deque([np.zeros(output.size + 1)], maxlen=WIDEST)  # best[-1][j]: of the sources so far and j outputs
    steps: list[tuple[int, Steps]] = []
    for first, last, low, high in _blocks(source, output):
        before = max(first - WIDEST + 1, 0)
        products = source.products(before, last, output, low, high)
        for i in range(first, last):
            worth, step = _row(best, products[: i - before + 1], source.norms[:, i], output.norms[:, low:high], low)
            steps.append((low, step))
            best.append(np.full(output.size + 1, -np.inf))
            best[-1][low : high + 1] = worth
    return list(_traced(steps, source, output))[::-1]


def _row(best: deque[Floats], products: Floats, norms: Floats, others: Floats, low: int) -> tuple[Floats, Steps]:
    """The most that the sources up to the last of `products` and each number of outputs are worth; the last step."""
    width = others.shape[1]
    worth = best[-1][low : low + width + 1].copy()
    steps = np.full(width + 1, DELETED, dtype=np.int8)

    def consider(step: int, start: int, candidates: Floats) -> None:
        better = candidates > worth[start:]
        worth[start:][better] = candidates[better]
        steps[start:][better] = step

    sums = np.concatenate([[0.0], np.cumsum(products[-1])])
    for k in range(1, min(WIDEST, width) + 1):
        similarity = _cosine(sums[k:] - sums[:-k], norms[1] * others[k, k - 1 :])
        consider(k, k, best[-1][low : low + width - k + 1] + similarity - THRESHOLD)
    merged = products[-1]
    for k in range(2, min(WIDEST, len(best), len(products)) + 1):
        merged = merged + products[-k]
        similarity = _cosine(merged, norms[k] * others[1])
        consider(-k, 1, best[-k][low : low + width] + similarity - THRESHOLD)
    running = np.maximum.accumulate(worth)
    steps[worth < running] = INSERTED
    return running, steps


def _traced(steps: Sequence[tuple[int, Steps]], source: _Vectors, output: _Vectors) -> Iterator[Link]:
    """The links on the best way, from the end."""
    i, j = source.size, output.size
    while i and j:
        low, row = steps[i - 1]
        step = int(row[j - low])
        if step in (DELETED, INSERTED):
            i, j = (i - 1, j) if step == DELETED else (i, j - 1)
            continue
        a, b = (1, step) if step > 0 else (-step, 1)
        product = source.products(i - a, i, output, j - b, j).sum()
        similarity = _cosine(product, source.norms[a, i - 1] * output.norms[b, j - 1])
        i, j = i - a, j - b
        yield Link(tuple(range(i, i + a)), tuple(range(j, j + b)), float(similarity))


def _out_of_order(links: Sequence[Link], source: _Vectors, output: _Vectors) -> Iterator[Link]:
    """Links between sentences that these links leave alone, the most alike first."""
    free, free_outputs = np.ones(source.size, dtype=bool), np.ones(output.size, dtype=bool)
    for link in links:
        free[list(link.source)] = False
        free_outputs[list(link.output)] = False
    pairs: list[tuple[float, int, int]] = []
    for first, last, low, high in _blocks(source, output):
        if not (free[first:last].any() and free_outputs[low:high].any()):
            continue
        norms = np.outer(source.norms[1, first:last], output.norms[1, low:high])
        similarity = _cosine(source.products(first, last, output, low, high), norms)
        similarity *= np.outer(free[first:last], free_outputs[low:high])
        for i, j in np.argwhere(similarity >= CROSSING).tolist():
            pairs.append((-float(similarity[i, j]), first + i, low + j))
    for negative, i, j in sorted(pairs):
        if free[i] and free_outputs[j]:
            free[i] = free_outputs[j] = False
            yield Link((i,), (j,), -negative)


def _complete(links: Sequence[Link], sources: int, outputs: int) -> list[Link]:
    """The links with the deletions and insertions, in order."""
    kept = {i for link in links for i in link.source}
    places = {j: link.source[0] for link in links for j in link.output}
    placed = [((link.source[0], -1), link) for link in links]
    placed += [((i, -1), Link((i,), (), 0.0)) for i in range(sources) if i not in kept]
    place = -1
    for j in range(outputs):
        place = places.get(j, place)
        if j not in places:
            placed.append(((place, j), Link((), (j,), 0.0)))
    return [link for _, link in sorted(placed)]


def _cosine(products: Floats, norms: Floats) -> Floats:
    return products / np.where(norms > 0, norms, 1.0)


_WORD = re.compile(r"\w+")
