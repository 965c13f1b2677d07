"""Columns of the tables about operations, and what stands in brackets."""

from __future__ import annotations

from collections.abc import Iterator

from plainly.findings import Column, Message, message
from plainly.inference.resampling import Resampling


def text(name: str) -> Column:
    """A column of names."""
    return Column(name, title=_head(name))


def count(name: str) -> Column:
    """A column of whole numbers."""
    return Column(name, "count", title=_head(name))


def number(name: str, digits: int) -> Column:
    """A column of numbers without intervals."""
    return Column(name, "number", digits, _head(name))


def estimate(name: str, digits: int) -> Column:
    """A column of numbers with intervals."""
    return Column(name, "estimate", digits, _head(name))


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


def _head(name: str) -> Message:
    return message(f"operations.column.{name}", name)
