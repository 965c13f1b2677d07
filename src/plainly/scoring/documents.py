"""Sums by document: intervals of long runs draw whole documents, as those of short ones do.

Few documents have a row of sums each. Many are put into groups by the first bits of a hash of their names, as many
bits as leave no more groups than `MOST`. So the groups do not depend on the order in which documents come, nor on
whether their segments stand together. Groups of independent documents have the variance that the documents have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.metrics import Array

Keys = NDArray[np.uint64]
MOST = 4096
"""Groups that are held. So many give the width of an interval to 2 per cent, and each partition sends no more."""


def document_keys(names: Sequence[Any]) -> Keys:
    """A number for each name that is as good as the name: of 2^64."""
    keys = {
        name: int.from_bytes(blake2b(str(name).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        for name in set(names)
    }
    return np.fromiter((keys[name] for name in names), dtype=np.uint64, count=len(names))


def dropped_bits(keys: Keys, most: int = MOST) -> int:
    """How many of their last bits keys must lose for at most `most` different ones to be left."""
    known = np.unique(keys)
    differing = known[1:] ^ known[:-1]  # neighbours stay different while the highest bit of this is kept
    high, low = differing >> np.uint64(32), differing & np.uint64(0xFFFFFFFF)  # a float64 holds each exactly
    lengths = np.where(high > 0, 32 + np.frexp(high.astype(float))[1], np.frexp(low.astype(float))[1])
    return 0 if len(known) <= most else int(np.sort(lengths)[-most])


def shortened(keys: Keys, bits: int) -> Keys:
    """Keys without their last bits."""
    short: Keys = keys >> np.uint64(bits)
    return short


@dataclass
class DocumentSums:
    """One row of sums for each document, or group of them: in the order of their keys, which lost some bits."""

    bits: int = 0
    keys: Keys = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    sums: dict[str, list[Array]] = field(default_factory=dict)

    def merge(self, other: DocumentSums) -> None:
        """Add the sums of further segments."""
        if not len(other.keys):
            return
        bits = max(self.bits, other.bits)
        mine, its = shortened(self.keys, bits - self.bits), shortened(other.keys, bits - other.bits)
        more = dropped_bits(np.concatenate([mine, its]))
        mine, its = shortened(mine, more), shortened(its, more)
        keys = np.union1d(mine, its)
        places = [np.searchsorted(keys, each) for each in (mine, its)]
        for system, tables in other.sums.items():
            held = self.sums.get(system) or [np.zeros((0, rows.shape[1])) for rows in tables]
            self.sums[system] = [_added(len(keys), places, both) for both in zip(held, tables, strict=True)]
        self.bits, self.keys = bits + more, keys


def document_sums(names: Sequence[str | None], statistics: dict[str, list[Array]]) -> DocumentSums | None:
    """The sums of the rows of each document; None where a segment has none: then segments are drawn."""
    if None in names:
        return None
    keys = document_keys(names)
    if not len(keys):
        return DocumentSums()
    bits = dropped_bits(keys)
    keys = shortened(keys, bits)
    order = np.argsort(keys, kind="stable")
    found, starts = np.unique(keys[order], return_index=True)
    sums = {
        system: [np.add.reduceat(rows[order], starts, axis=0) for rows in tables]
        for system, tables in statistics.items()
    }
    return DocumentSums(bits, found, sums)


def _added(count: int, places: Sequence[NDArray[np.intp]], tables: Sequence[Array]) -> Array:
    total: Array = np.zeros((count, tables[0].shape[1]))
    for where, rows in zip(places, tables, strict=True):
        np.add.at(total, where, rows)  # several rows of one table may go to one place
    return total
