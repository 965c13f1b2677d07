"""Sentences that several studies of operations say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from plainly.base.messages import Message, message
from plainly.inference.resampling import Resampling
from plainly.metrics import Metric
from plainly.scoring.results import range_in_words, reference_range


def drawn(resampling: Resampling) -> Iterator[Message]:
    """How intervals were made, if there are any."""
    if resampling.resamples:
        yield message(
            "operations.drawn",
            "in brackets: {confidence:g} % intervals, bootstrap over sources, {resamples} resamples, seed {seed}",
            confidence=100 * resampling.confidence,
            resamples=resampling.resamples,
            seed=resampling.seed,
        )


def signatures(metrics: Sequence[Metric], reference_counts: Collection[int]) -> tuple[str, ...]:
    """How each metric was computed, with that many references a segment."""
    references = range_in_words(reference_range(reference_counts))
    return tuple(metric.signature(references) for metric in metrics)
