"""N-gram counts with Counters, as the definitions read: the oracle of `plainly._kernels.compiled.ngrams`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
Gram = tuple[int, ...]
ORDERS = 4


class NgramIndex:
    """The n-grams (n = 1..4) of every segment's source and references, counted once for any number of outputs.

    All texts are token numbers of one vocabulary. Segment i has the references
    group[i] .. group[i + 1] - 1, and reference j is reference_ids[reference_offsets[j]:reference_offsets[j + 1]].
    """

    def __init__(
        self,
        source_ids: Ids,
        source_offsets: Offsets,
        reference_ids: Ids,
        reference_offsets: Offsets,
        group: NDArray[np.int64],
    ) -> None:
        sources = _texts(source_ids, source_offsets)
        references = _texts(reference_ids, reference_offsets)
        if len(group) != len(sources) + 1:
            raise ValueError("sources and reference groups differ in number")
        self._sources = [_ngrams(text) for text in sources]
        self._references = [[_ngrams(text) for text in references[start:end]] for start, end in pairwise(group)]
        self._reference_lengths = [[len(text) for text in references[start:end]] for start, end in pairwise(group)]

    def sari(self, ids: Ids, offsets: Offsets) -> NDArray[np.int64]:
        """SARI's counts of each segment: int64 (segments, 3 operations, 3 counts, 4 orders)."""
        return self._rows(ids, offsets, (3, 3, ORDERS), np.int64, _sari_row)

    def sari_ratios(self, ids: Ids, offsets: Offsets) -> NDArray[np.float64]:
        """The sums behind the SARI variants that average over n-gram types: float64 (segments, 4 orders, 10)."""
        return self._rows(ids, offsets, (ORDERS, 10), np.float64, _ratio_row)

    def bleu(self, ids: Ids, offsets: Offsets) -> NDArray[np.int64]:
        """BLEU's counts of each segment: int64 (segments, 10)."""
        outputs = self._outputs(ids, offsets)
        rows = np.zeros((len(outputs), 2 + 2 * ORDERS), dtype=np.int64)
        for i, text in enumerate(outputs):
            lengths = self._reference_lengths[i]
            rows[i, 0] = len(text)
            rows[i, 1] = min(lengths, key=lambda r: (abs(len(text) - r), r), default=0)
            for n, grams in enumerate(_ngrams(text)):
                most: Counter[Gram] = Counter()
                for reference in self._references[i]:
                    most |= reference[n]
                rows[i, 2 + n] = (grams & most).total()
                rows[i, 2 + ORDERS + n] = grams.total()
        return rows

    def _outputs(self, ids: Ids, offsets: Offsets) -> list[list[int]]:
        outputs = _texts(ids, offsets)
        if len(outputs) != len(self._sources):
            raise ValueError(f"{len(outputs)} outputs for {len(self._sources)} segments")
        return outputs

    def _rows(
        self, ids: Ids, offsets: Offsets, shape: tuple[int, ...], dtype: Any, fill: Callable[..., None]
    ) -> NDArray[Any]:
        outputs = self._outputs(ids, offsets)
        rows = np.zeros((len(outputs), *shape), dtype=dtype)
        for i, text in enumerate(outputs):
            references = self._references[i]
            for n, (source, output) in enumerate(zip(self._sources[i], _ngrams(text), strict=True)):
                summed: Counter[Gram] = Counter()
                for reference in references:
                    summed += reference[n]
                if references:
                    fill(rows[i], n, source, output, summed, len(references))
        return rows


def overlaps(
    ids: Ids, offsets: Offsets, other_ids: Ids, other_offsets: Offsets, group: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many tokens text i shares (as multisets) with each text group[i] .. group[i + 1] - 1 of the others."""
    texts = [Counter(text) for text in _texts(ids, offsets)]
    if len(group) != len(texts) + 1:
        raise ValueError("texts and groups differ in number")
    others = [Counter(text) for text in _texts(other_ids, other_offsets)]
    shared = np.zeros(len(others), dtype=np.int64)
    for i, text in enumerate(texts):
        for k in range(group[i], group[i + 1]):
            shared[k] = (text & others[k]).total()
    return shared


def distinct(ids: Ids, offsets: Offsets, without: NDArray[np.uint8]) -> tuple[Ids, Offsets]:
    """The different tokens of each text in the order of their first occurrence, but for token t if without[t]."""
    left_out = {*np.flatnonzero(without).tolist()}
    if (ids < 0).any():
        raise IndexError("a token number is negative")
    kept = [[token for token in dict.fromkeys(text) if token not in left_out] for text in _texts(ids, offsets)]
    bounds = np.cumsum([0, *map(len, kept)], dtype=np.int64)
    return np.array([token for text in kept for token in text], dtype=np.int32), bounds


def _texts(ids: Ids, offsets: Offsets) -> list[list[int]]:
    numbers = ids.tolist()
    bounds = offsets.tolist()
    return [numbers[start:end] for start, end in pairwise(bounds)]


def _ngrams(text: list[int]) -> list[Counter[Gram]]:
    return [Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for n in range(1, ORDERS + 1)]


def _times(counts: Counter[Gram], factor: int) -> Counter[Gram]:
    return Counter({gram: factor * count for gram, count in counts.items()})


def _sari_row(
    row: NDArray[np.int64],
    n: int,
    source: Counter[Gram],
    output: Counter[Gram],
    references: Counter[Gram],
    number: int,
) -> None:
    added = output.keys() - source.keys()
    row[0, :, n] = len(added & references.keys()), len(added), len(references.keys() - source.keys())
    source, output = _times(source, number), _times(output, number)
    kept, keep = source & output, source & references
    row[1, :, n] = (kept & keep).total(), kept.total(), keep.total()
    deleted, delete = source - output, source - references
    row[2, :, n] = (deleted & delete).total(), deleted.total(), delete.total()


def _ratio_row(
    row: NDArray[np.float64],
    n: int,
    source: Counter[Gram],
    output: Counter[Gram],
    references: Counter[Gram],
    number: int,
) -> None:
    source, output = _times(source, number), _times(output, number)
    kept, keep = source & output, source & references
    correct = kept & keep
    row[n, 0] = _added(correct, kept, source)
    row[n, 1] = len(kept)
    row[n, 2] = _added(correct, keep, source)
    row[n, 3] = len(keep)
    row[n, 4:6] = correct.total(), keep.total()
    deleted, delete = source - output, source - references
    correct = deleted - references
    row[n, 6] = _added(correct, deleted, source)
    row[n, 7] = len(deleted)
    row[n, 8] = _added(correct, delete, source)
    row[n, 9] = len(delete)


def _added(part: Counter[Gram], whole: Counter[Gram], order: Counter[Gram]) -> float:
    """The sum of part / whole over n-grams. Not `sum`: from Python 3.12 on it adds more exactly than the kernel."""
    total = 0.0
    for gram in order:
        if part[gram]:
            total += part[gram] / whole[gram]
    return total
