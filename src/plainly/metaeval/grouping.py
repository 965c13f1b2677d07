"""Does a metric agree with people everywhere? Rows by quality, by type of system, by any field.

Within a band of quality outputs differ less, so correlations are smaller there even for a good metric. Bands can be
compared with each other and metrics within a band; a band cannot be compared with the whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.metrics import Array

BAND_NAMES = {2: ("low", "high"), 3: ("low", "middle", "high")}


def quality_bands(human: Array, bands: int = 2) -> tuple[str, ...]:
    """The band of each row by what people gave it, as even in size as ties allow; "" where nobody judged it.

    Equal values share a band. Those at a cut go to the side that leaves the sizes more even.

    >>> quality_bands(np.array([10.0, 90.0, 20.0, 80.0]))
    ('low', 'high', 'low', 'high')
    """
    if bands < 2:
        raise PlainlyError(f"there must be at least two bands, not {bands}")
    names = BAND_NAMES.get(bands, tuple(f"band {number} of {bands}" for number in range(1, bands + 1)))
    kept = np.isfinite(human)
    if not kept.any():
        return ("",) * len(human)
    ordered = np.sort(human[kept])
    even = len(ordered) * np.arange(1, bands) / bands
    at = ordered[np.ceil(even).astype(np.int64) - 1]
    before, through = (np.searchsorted(ordered, at, side=side) for side in ("left", "right"))
    cuts = np.where(even - before < through - even, before, through)
    places = np.searchsorted(cuts, np.searchsorted(ordered, np.where(kept, human, 0.0)), side="right")
    return tuple(names[place] if there else "" for place, there in zip(places.tolist(), kept.tolist(), strict=True))


def reference_counts(references: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """How many references each row has, in words."""
    return tuple(f"{len(texts)} reference{'s' * (len(texts) != 1)}" for texts in references)


def grouped(labels: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """The rows of each label, in the order in which labels first appear; rows without one are left out."""
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        if label:
            rows.setdefault(label, []).append(row)
    return {label: np.array(members, dtype=np.int64) for label, members in rows.items()}
