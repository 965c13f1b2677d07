"""How many of what, in a message: one answer, two answers."""

from __future__ import annotations

from typing import Literal

from plainly.base.messages import Message, message

Unit = Literal["answer", "passage", "question", "word", "permutation", "resample", "run", "error", "reading"]


def counted(count: int, unit: Unit) -> Message:
    """As in "1 answer" and "2 answers"."""
    if count == 1:
        return message(f"comprehension.one.{unit}", f"1 {unit}")
    return message(f"comprehension.many.{unit}", f"{{count}} {unit}s", count=count)
