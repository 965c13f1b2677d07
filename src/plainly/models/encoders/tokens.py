"""The tokens of texts, as numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Tokens:
    """Those of all texts in a row, which is far less work than a list for each text."""

    ids: Numbers
    """Of each text those of its beginning and end, too."""
    lengths: Numbers
    cut: NDArray[np.bool_]
    """Which texts were too long."""

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]], lengths: Sequence[int], most: int | None = None) -> Tokens:
        """Of texts, one after the other; of each at most `most`, its end among them."""
        known = np.array(lengths, dtype=np.int64)
        ids = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(known.sum()))
        cut = np.zeros(len(known), dtype=np.bool_) if most is None else known > most
        if most is not None and cut.any():
            long = np.repeat(known, known)
            places = np.arange(len(ids)) - np.repeat(np.cumsum(known) - known, known)
            ids, known = ids[(places < most - 1) | (places == long - 1)], np.minimum(known, most)
        return cls(ids, known, cut)

    def __len__(self) -> int:
        return len(self.lengths)

    def __iter__(self) -> Iterator[Numbers]:
        """Text by text."""
        start = 0
        for length in self.lengths.tolist():
            yield self.ids[start : start + length]
            start += length

    @property
    def starts(self) -> Numbers:
        starts: Numbers = np.cumsum(self.lengths) - self.lengths
        return starts

    def take(self, texts: Numbers) -> Tokens:
        """Those of some texts, by their numbers."""
        lengths = self.lengths[texts]
        shift = self.starts[texts] - (np.cumsum(lengths) - lengths)
        return Tokens(self.ids[np.arange(lengths.sum()) + np.repeat(shift, lengths)], lengths, self.cut[texts])

    def without(self, some: Collection[int]) -> NDArray[np.bool_]:
        """Which texts have no other tokens than these."""
        others = np.concatenate([[0], np.cumsum(~np.isin(self.ids, list(some)))])
        found: NDArray[np.bool_] = others[self.starts] == others[self.starts + self.lengths]
        return found
