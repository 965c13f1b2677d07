"""Intervals for runs of any length: sums of consecutive segments, so few that they fit into memory.

A resample of a million segments is, to its intervals, like a resample of thousands of blocks of them: the variance
of a sum of independent rows is the same, however the rows are put together. Small runs have blocks of one segment.
Where segments have documents, whole documents are drawn instead.
"""

from __future__ import annotations

import numpy as np

from plainly.metrics import Array
from plainly.scoring.documents import DocumentSums
from plainly.scoring.partitions import EXACT

BLOCK = 256
MOST = 40_000
"""Blocks of more than one segment that are held; if there are more, neighbours are put together."""
FEWEST = EXACT // BLOCK
"""Blocks of more than one segment that are enough for an interval: every run that has such blocks has as many."""

BySystem = dict[str, list[Array]]


def block_size(total: int | None) -> int:
    """How many segments a block has, given how many there are in all, if that is known."""
    return 1 if total is not None and total <= EXACT else BLOCK


def block_sums(rows: Array, size: int) -> Array:
    """The sums of runs of `size` rows; the last run may be shorter."""
    if size == 1 or not len(rows):
        return rows
    sums: Array = np.add.reduceat(rows, np.arange(0, len(rows), size), axis=0)
    return sums


class Blocks:
    """The blocks of all partitions in order, whatever the order in which the partitions come in."""

    def __init__(self, size: int) -> None:
        self.size = size  # segments of a block
        self._width = 1  # blocks of a partition that make up one of these
        self._next = 0
        self._waiting: dict[int, tuple[BySystem, DocumentSums | None]] = {}
        self._held: dict[str, list[list[Array]]] = {}
        self._count = 0
        self.documents: DocumentSums | None = DocumentSums() if size > 1 else None
        """The sums by document; None where not all segments have one, or blocks are segments."""

    def add(self, number: int, blocks: BySystem, documents: DocumentSums | None = None) -> None:
        """The blocks of the partition of that number, and its sums by document."""
        self._waiting[number] = blocks, documents
        while self._next in self._waiting:
            blocks, documents = self._waiting.pop(self._next)
            self._append(blocks)
            self._next += 1
            if documents is None or self.documents is None:
                self.documents = None
            else:
                self.documents.merge(documents)

    def rows(self) -> BySystem:
        """For each system and metric, one row a block; or a document, where all segments have one."""
        if self.documents is not None:
            return self.documents.sums
        return {system: [np.concatenate(parts) for parts in columns] for system, columns in self._held.items()}

    def enough(self) -> bool:
        """Whether there are enough for intervals."""
        return self.size == 1 or self.documents is not None or self._count >= FEWEST

    def _append(self, blocks: BySystem) -> None:
        added = 0
        for system, rows in blocks.items():
            parts = self._held.setdefault(system, [[] for _ in rows])
            for part, sums in zip(parts, rows, strict=True):
                part.append(block_sums(sums, self._width))
                added = len(part[-1])
        self._count += added
        while self._count > MOST and self.size > 1:
            self._halve()

    def _halve(self) -> None:
        for parts in self._held.values():
            for part in parts:
                part[:] = [block_sums(np.concatenate(part), 2)]
        self._count = -(-self._count // 2)
        self._width *= 2
        self.size *= 2
