"""What participants get: tasks of the study, and beside them practice, checks and tasks that are shown once more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

Role = Literal["", "practice", "check", "repeat"]
STUDY: Role = ""
PRACTICE: Role = "practice"
CHECK: Role = "check"
REPEAT: Role = "repeat"
BESIDE = (PRACTICE, CHECK, REPEAT)
"""What counts nowhere in the study."""

T = TypeVar("T")


class Dealt(NamedTuple):
    """A task of a participant, and what it is there for."""

    role: Role
    task: Mapping[str, Any]


def scattered(tasks: Sequence[T], more: Sequence[T], draw: np.random.Generator, least: int = 1) -> list[T]:
    """The tasks with others at random places among them, after so many of them at `least`."""
    found = list(tasks)
    for one in more:
        found.insert(int(draw.integers(min(least, len(found)), len(found) + 1)) if found else 0, one)
    return found
