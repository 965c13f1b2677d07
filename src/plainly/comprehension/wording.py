"""Parts of messages: how many of what, and several in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plainly.base.messages import Message, message

Unit = Literal["answer", "passage", "question", "permutation", "resample", "run", "error"]


def counted(count: int, unit: Unit) -> Message:
    """As in "1 answer" and "2 answers"."""
    if count == 1:
        return message(f"comprehension.one.{unit}", f"1 {unit}")
    return message(f"comprehension.many.{unit}", f"{{count}} {unit}s", count=count)


def joined(parts: Sequence[Message]) -> Message:
    """Several in a row, in the language of each."""
    values = {str(place): part for place, part in enumerate(parts)}
    return Message("", "; ".join(f"{{{place}}}" for place in values), values)
