"""Pairs that were there before, found by their hashes: eight bytes a pair that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Seen:
    """The hashes of what was seen, in sorted arrays, each at least twice as long as the next.

    Among n pairs, the chance that two different ones have the same hash of 64 bits is about n * n / 2**65: three in
    a million for ten million pairs.
    """

    def __init__(self) -> None:
        self._arrays: list[NDArray[np.uint64]] = []

    def repeated(self, rows: Sequence[Sequence[Any]]) -> NDArray[np.bool_]:
        """Which rows repeat an earlier one; those that do not are seen from now on."""
        hashes = np.array([hash_of(row) for row in rows], dtype=np.uint64)
        unique, first = np.unique(hashes, return_index=True)
        known = np.zeros(len(unique), dtype=bool)
        for array in self._arrays:
            places = np.minimum(np.searchsorted(array, unique), len(array) - 1)
            known |= array[places] == unique
        new = np.zeros(len(hashes), dtype=bool)
        new[first[~known]] = True
        if not known.all():
            self._arrays.append(unique[~known])
        while len(self._arrays) > 1 and len(self._arrays[-2]) < 2 * len(self._arrays[-1]):
            last = self._arrays.pop()
            self._arrays[-1] = np.sort(np.concatenate([self._arrays[-1], last]))
        return ~new


def hash_of(values: Sequence[Any]) -> int:
    """A number for these values; nothing is not the same as an empty text."""
    texts = ("-" if value is None else f"{len(text := str(value))}:{text}" for value in values)
    data = "".join(texts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")
