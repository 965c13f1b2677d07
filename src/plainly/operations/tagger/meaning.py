"""Whether words have anything to do with each other, by the vectors that a transformer begins with.

Each word piece has a vector before any layer has read its context. A phrase is the mean of those of its pieces, less
the mean over the whole vocabulary; phrases are related where the cosine of two is not below 0. Nothing was fitted:
0 is where a phrase says nothing about another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainly.models.encoders.bert import BertEncoder


class WordVectors:
    """The vectors of a model."""

    def __init__(self, encoder: BertEncoder) -> None:
        self._encoder = encoder
        self._centre = encoder.pieces.mean(axis=0)

    def related(self, first: Sequence[str], second: Sequence[str]) -> bool:
        return bool(self._vector(first) @ self._vector(second) >= 0)

    def _vector(self, words: Sequence[str]) -> NDArray[np.float32]:
        ids = next(iter(self._encoder.tokens([" ".join(words)]))).tolist()
        inside = [number for number in ids if number not in self._encoder.special]
        if not inside:
            return np.zeros_like(self._centre)
        vector: NDArray[np.float32] = self._encoder.pieces[inside].mean(axis=0) - self._centre
        return vector
