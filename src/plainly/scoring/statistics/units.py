"""What is drawn when the scores of a statistics folder get intervals: from rows on disk to rows in memory.

few segments    each segment is a row, and whole documents are drawn where segments have one. To the last bit, these
                are the intervals of an evaluation in memory.
many segments   blocks of consecutive segments are drawn; one row holds the sums of a block.
documents       are drawn as wholes also where there are many segments: a row is a document, or, of too many
                documents, a group of them, as in a run in parts: see `plainly.scoring.documents`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plainly.inference.resampling import Statistics
from plainly.metrics import Array
from plainly.scoring.blocks import BLOCK, FEWEST, MOST
from plainly.scoring.documents import MOST as MOST_DOCUMENTS
from plainly.scoring.documents import document_keys, dropped_bits, shortened
from plainly.scoring.partitions import EXACT
from plainly.scoring.statistics.folder import Folder, Piece

Numbers = NDArray[np.int64]
Assign = Callable[[Piece], Numbers]
"""The number of the group of each segment of a piece; -1 for one that belongs to none."""
IN_ALL = 200_000
"""Rows of all groups together that are held, where there are many segments."""


@dataclass(frozen=True)
class Units:
    """The rows of one group of segments. `units` are the segments or documents that they hold."""

    rows: Statistics
    segments: int
    units: int
    clusters: Sequence[str] | None  # the document of each row, where rows are segments
    clustered: bool


@dataclass
class _Table:
    """Rows of one group, while they are added up."""

    rows: dict[str, dict[str, Array]]
    filled: NDArray[np.bool_]
    size: int  # segments of a row, where rows are blocks
    segments: int = 0
    names: list[str] = field(default_factory=list)  # the document of each row, where rows are segments
    keys: NDArray[np.uint64] = field(
        default_factory=lambda: np.empty(0, dtype=np.uint64)
    )  # of documents that are here

    def add(self, piece: Piece, here: Numbers, pooled: tuple[int, NDArray[np.uint64]] | None) -> None:
        """Some segments of a piece. Where rows are documents, `pooled` has the keys of all rows."""
        if pooled is None:
            places = (self.segments + np.arange(len(here))) // self.size
        else:
            keys = document_keys([piece.fields["document"][i] for i in here.tolist()])
            bits, groups = pooled
            places = np.searchsorted(groups, shortened(keys, bits))
            self.keys = np.union1d(self.keys, keys)
        self.segments += len(here)
        self.filled[places] = True
        order = np.argsort(places, kind="stable")
        found, starts = np.unique(places[order], return_index=True)
        for system, by_label in self.rows.items():
            for label, sums in by_label.items():
                sums[found] += np.add.reduceat(piece.statistics[system][label][here[order]], starts, axis=0)

    def units(self, clustered: bool) -> Units:
        """What was added up, without rows to which nothing was added: documents of which none is here."""
        rows: Statistics = self.rows
        if not self.filled.all():
            rows = {
                system: {label: table[self.filled] for label, table in by_label.items()}
                for system, by_label in self.rows.items()
            }
        return Units(rows, self.segments, len(self.keys) or self.segments, self.names or None, clustered)


def draw_units(
    folder: Folder,
    assign: Assign,
    counts: Sequence[int],
    *,
    metrics: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    fields: Sequence[str] = (),
) -> list[Units]:
    """The rows of each group; `counts` says how many segments it has, `fields` what `assign` looks at."""
    few = sum(counts) <= EXACT
    documents = folder.documents
    labels = list(folder.metrics if metrics is None else metrics)
    names = list(folder.systems if systems is None else systems)
    most = min(max(IN_ALL // max(len(counts), 1), FEWEST), MOST)
    pooled = None
    if documents is not None and not few:
        bits = dropped_bits(documents, min(most, MOST_DOCUMENTS))
        pooled = bits, np.unique(shortened(documents, bits))
    tables = []
    for count in counts:
        size = 1 if few else _block_size(count, most)
        held = -(-count // size) if pooled is None else len(pooled[1])
        rows = {
            system: {label: np.zeros((held, len(folder.manifest.metrics[label].columns))) for label in labels}
            for system in names
        }
        tables.append(_Table(rows, np.zeros(held, dtype=bool), size))
    clustered = documents is not None
    for piece in folder.pieces(labels, names, list(dict.fromkeys([*fields, *(["document"] if clustered else [])]))):
        groups = assign(piece)
        for number in np.unique(groups[groups >= 0]).tolist():
            here = np.flatnonzero(groups == number)
            tables[number].add(piece, here, pooled)
            if few and clustered:
                tables[number].names += [piece.fields["document"][i] for i in here.tolist()]
    return [table.units(clustered) for table in tables]


def _block_size(segments: int, most: int) -> int:
    """Segments of a block. As `plainly.scoring.blocks` has them, where that makes enough blocks."""
    size = BLOCK if most == MOST and segments >= BLOCK * FEWEST else 1
    while -(-segments // size) > most:
        size *= 2
    return size
