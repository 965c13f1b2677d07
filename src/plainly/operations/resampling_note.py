"""How intervals were made, as every study of operations says it."""

from __future__ import annotations

from collections.abc import Iterator

from plainly.base.messages import Message, message
from plainly.inference.resampling import Resampling


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
