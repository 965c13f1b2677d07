"""Comparisons of more segments than fit into memory: the sums of blocks of them are drawn.

Systems are compared on the segments that both have. Where a metric scored all segments of both, these are all. Where
it did not, the sums of a block do not say which they are: such pairs need rows of their own, see `Blocked.common`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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


def uneven_pairs(
    scored: Mapping[str, NDArray[np.bool_]], pairs: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    """The pairs of which one system lacks segments that the other has, and which segments both have."""
    for first, second in pairs:
        both = scored[first] & scored[second]
        if both.any() and (scored[first] != scored[second]).any():
            yield first, second, both
