"""Comparisons of more segments than fit into memory: the sums of blocks of them are drawn.

Systems are compared on the segments that both have. Where a metric scored all segments of both, these are all. Where
it did not, the sums of a block do not say which they are: such pairs need rows of their own, see `Blocked.common`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from plainly.inference.resampling import Clusters, Statistics
from plainly.metrics import Array


@dataclass(frozen=True)
class Shared:
    """The rows of two systems on the segments that both have; `units` where a row holds several."""

    first: Array
    second: Array
    clusters: Clusters | None = None
    units: int | None = None


@dataclass(frozen=True)
class Blocked:
    """Rows of which each holds the sums of a block of segments or of documents.

    Blocks are drawn and swapped as wholes. The variance of a sum of independent rows is the sum of their variances,
    however they are put together. So intervals and tests are those of single segments, but for the noise of fewer
    draws. A block does not say which of its segments a system lacks. So pairs by the metrics that are `uneven` are
    tested on what `common` (metric, first, second) gives: the segments that both have, in blocks of their own.
    """

    statistics: Statistics
    totals: Statistics  # one row each: the exact sums
    segments: int
    units: int  # segments or documents: what would be drawn one by one
    clustered: bool
    uneven: Collection[str]
    common: Callable[[str, str, str], Shared | None]


Sharing = Callable[[str, str], Shared | None]
"""Two systems -> what both have, where that is not all of both."""


def shared_rows(rows: Mapping[str, Array], clusters: Clusters | None) -> Sharing:
    def shared(first: str, second: str) -> Shared | None:
        both = rows[first][:, 0] * rows[second][:, 0] > 0
        if (both == (rows[first][:, 0] + rows[second][:, 0] > 0)).all() or not both.any():
            return None
        names = None if clusters is None else [name for name, here in zip(clusters, both, strict=True) if here]
        return Shared(rows[first][both], rows[second][both], names)

    return shared


def shared_blocks(blocked: Blocked, label: str) -> Sharing:
    def shared(first: str, second: str) -> Shared | None:
        return blocked.common(label, first, second) if label in blocked.uneven else None

    return shared
