"""Slices of a test set by what its references do.

A segment belongs to the slice of an operation if at least half of its references have it; where there is one
reference, that one. No output has a say, so that all systems stand in the same slice. A segment may be in several
slices, or in none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.base.messages import Note, message
from plainly.corpus import Corpus
from plainly.operations.reference_tags import ReferenceTags
from plainly.operations.typology import Typology, assetann
from plainly.scoring.slices import OPERATION, Grouping, by_members

LEAST = 10
"""Segments that a slice must have."""


@dataclass(frozen=True)
class OperationSlices:
    """The slices, and what their readers should know."""

    grouping: Grouping
    notes: tuple[Note, ...]


def by_operation(corpus: Corpus, tags: ReferenceTags, typology: Typology | None = None) -> OperationSlices:
    """Slices by the operations of the references, as the typology calls them; small ones are left out."""
    typology = typology or assetann()
    if not tags.pairs:
        raise PlainlyError("slices by operation need sources and references: operations are those of the references")
    references = np.zeros(len(corpus))
    having = {name: np.zeros(len(corpus)) for name in typology.operations}
    for pair in tags.pairs:
        references[int(pair.id)] += 1
        for label in pair.labels:
            having[typology.get(label).name][int(pair.id)] += 1
    belongs = {typology.get(name).title: (count > 0) & (2 * count >= references) for name, count in having.items()}
    grouping = by_members(OPERATION, "operation of the references", belongs, LEAST)
    if not grouping.names:
        raise PlainlyError(f"no operation cuts the test set: none is in half of the references of {LEAST} segments")
    return OperationSlices(grouping, tuple(_notes(belongs, grouping, tags)))


def _notes(belongs: Mapping[str, NDArray[np.bool_]], grouping: Grouping, tags: ReferenceTags) -> list[Note]:
    english = (
        "slices by operation: a segment is in the slice of an operation if at least half of its references have it; "
        "found by {tagger}"
    )
    notes = [Note(message("operations.slices", english, tagger=tags.signature))]
    small = sum(bool(inside.any()) for name, inside in belongs.items() if name not in grouping.names)
    if small:
        english = "operations with fewer than {least} segments, which have no slice: {count}"
        notes.append(Note(message("operations.small-slices", english, least=LEAST, count=small)))
    return notes
