"""Intervals for runs of any length: sums of consecutive segments, so few that they fit into memory.

A resample of a million segments is, to its intervals, like a resample of thousands of blocks of them: the variance
of a sum of independent rows is the same, however the rows are put together. Small runs have blocks of one segment.
Where segments have documents, whole documents are drawn instead. All ways of scoring cut the same blocks, so that the
same data, seed and resamples have the same intervals in every command, in one go or in parts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainly.base.exact_sums import exact_sum
from plainly.base.messages import Message, Note, message
from plainly.inference import Blocked, Shared
from plainly.inference.comparing import uneven
from plainly.inference.resampling import Statistics
from plainly.metrics import Array
from plainly.scoring.documents import DocumentSums, document_sums
from plainly.scoring.partitions import EXACT, ROWS

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

    @property
    def clustered(self) -> bool:
        """Whether documents are drawn."""
        return self.documents is not None

    def notes(self) -> list[Note]:
        """What is to be said of intervals that come from these."""
        if not self.enough():
            english = "no intervals: fewer than {blocks} blocks of {segments} segments"
            return [Note(message("scoring.few-blocks", english, blocks=FEWEST, segments=self.size))]
        if self.documents is not None:
            document = message("scoring.one-document", "document")
            one = document if self.documents.bits == 0 else message("scoring.one-group", "group of documents")
            english = "intervals come from resampled documents: {documents:,}, each a {one}"
            count = len(self.documents.keys)
            return [Note(message("scoring.resampled-documents", english, documents=count, one=one))]
        if self.size > 1:
            english = "intervals come from resampled blocks of {segments} segments"
            return [Note(message("scoring.resampled-blocks", english, segments=self.size))]
        return []

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


class BlockStream:
    """Blocks of rows that come in pieces of any size: cut where a run in parts would cut them."""

    def __init__(self) -> None:
        self._blocks = Blocks(BLOCK)
        self._number = 0
        self._rows: BySystem = {}
        self._documents: list[str | None] = []

    def add(self, rows: BySystem, documents: Sequence[str | None]) -> None:
        """The rows of the next segments, and the document of each."""
        held = self._rows
        self._rows = {
            system: [np.concatenate(both) for both in zip(held[system], tables, strict=True)] if held else tables
            for system, tables in rows.items()
        }
        self._documents += documents
        while len(self._documents) >= ROWS:
            self._cut()

    def end(self) -> Blocks:
        """All blocks; no more segments come."""
        if self._documents:
            self._cut()
        return self._blocks

    def _cut(self) -> None:
        rows = {system: [table[:ROWS] for table in tables] for system, tables in self._rows.items()}
        sums = {system: [block_sums(table, BLOCK) for table in tables] for system, tables in rows.items()}
        self._blocks.add(self._number, sums, document_sums(self._documents[:ROWS], rows))
        self._rows = {system: [table[ROWS:] for table in tables] for system, tables in self._rows.items()}
        self._documents = self._documents[ROWS:]
        self._number += 1


def blocks_of(statistics: Statistics, documents: Sequence[str | None] | None) -> Blocks:
    """The blocks of rows that are in memory."""
    stream = BlockStream()
    rows = {system: list(by_label.values()) for system, by_label in statistics.items()}
    stream.add(rows, documents or [None] * len(next(iter(rows.values()))[0]))
    return stream.end()


def blocked(statistics: Statistics, documents: Sequence[str | None] | None) -> Blocked:
    """Rows that are in memory, for `compare`: what is drawn is a block."""
    labels = list(next(iter(statistics.values())))
    blocks = blocks_of(statistics, documents)
    segments = len(next(iter(statistics.values()))[labels[0]])

    def common(label: str, runs: Sequence[str]) -> Shared | None:
        rows = {run: statistics[run][label] for run in runs}
        scored = [table[:, 0] > 0 for table in rows.values()]
        if all((one == scored[0]).all() for one in scored):
            return None
        here = np.logical_and.reduce(scored)
        if not here.any():
            return shares_nothing(runs, rows[runs[0]].shape[1])
        rows = {run: table[here] for run, table in rows.items()}
        names = None if documents is None else [name for name, inside in zip(documents, here, strict=True) if inside]
        count = int(here.sum())
        if count <= EXACT:
            return Shared(rows, names)
        cut = blocks_of({run: {label: table} for run, table in rows.items()}, names)
        units = len(set(names)) if names and cut.clustered else count
        return Shared({run: tables[0] for run, tables in cut.rows().items()}, units=units)

    return Blocked(
        statistics={system: dict(zip(labels, rows, strict=True)) for system, rows in blocks.rows().items()},
        totals={
            system: {label: exact_sum(rows) for label, rows in by_label.items()}
            for system, by_label in statistics.items()
        },
        segments=segments,
        units=len(set(documents)) if documents and blocks.clustered else segments,
        clustered=blocks.clustered,
        uneven=list(uneven(statistics, labels)),
        common=common,
    )


def shares_nothing(runs: Sequence[str], columns: int) -> Shared:
    """Of runs that have no segment in common: one row each, which does not count."""
    return Shared(dict.fromkeys(runs, np.zeros((1, columns))))


def blocks_note(segments: int, clustered: bool) -> list[Message]:
    """What is drawn where there are too many segments to draw them one by one."""
    if segments <= EXACT or clustered:
        return []
    english = "of more than {exact:,} segments, intervals and tests draw blocks of neighbours in place of each alone"
    return [message("scoring.blocks", english, exact=EXACT)]
