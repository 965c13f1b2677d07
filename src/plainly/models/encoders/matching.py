"""Tokens of two texts matched by their vectors: each with the most similar one of the other text (Zhang et al. 2020).

Texts are given by their tokens, pairs of texts by their numbers. What a token weighs is a table over the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Pairs = NDArray[np.int64]
"""(pairs, 2): the numbers of two texts, an output and a reference."""
Values = NDArray[np.float64]


class Block(NamedTuple):
    """Some of the pairs: `texts` are the texts that they need, `pairs` their numbers among these."""

    rows: slice
    texts: NDArray[np.int64]
    pairs: Pairs


def blocks(lengths: NDArray[np.int64], pairs: Pairs, most: int) -> Iterator[Block]:
    """Pairs in their order, in blocks that need the vectors of about `most` tokens; a text counts once."""
    texts, first = np.unique(pairs, return_index=True)
    new = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(new, first // 2, lengths[texts])  # the pair in which a text is met first
    ends = np.flatnonzero(np.diff(new.cumsum() // most)) + 1
    for start, end in pairwise([0, *ends.tolist(), len(pairs)]):
        needed, numbers = np.unique(pairs[start:end], return_inverse=True)
        yield Block(slice(start, end), needed, numbers.reshape(-1, 2))


def matched(vectors: Sequence[NDArray[np.float32]], weights: Sequence[Values], pairs: Pairs) -> Values:
    """Precision and recall of each pair; NaN where all tokens of a text weigh nothing."""
    found = np.empty((len(pairs), 2))
    units = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in vectors]
    with np.errstate(invalid="ignore"):
        for row, (first, second) in zip(found, pairs.tolist(), strict=True):
            similarity = np.minimum(units[first] @ units[second].T, 1)  # rounding leads beyond 1
            row[0] = weights[first] @ similarity.max(axis=1) / weights[first].sum()
            row[1] = weights[second] @ similarity.max(axis=0) / weights[second].sum()
    return found
