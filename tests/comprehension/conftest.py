"""A small experiment whose numbers are worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from plainly.comprehension.experiment import Experiment, Passage, Question, Version
from plainly.comprehension.records import Answer

CLOSE = Question("q1", "What do you close?", ("The window.", "The door.", "The shop."), 0)
"""Na = 3, Lq = 4, La = 6: Qs = 3 x (4 + 6) = 30."""
WHEN = Question("q2", "When?", ("At once.", "Later."), 0)
"""Na = 2, Lq = 1, La = 3: Qs = 2 x (1 + 3) = 8."""
COMPLEX = Version("complex", "Should a storm approach, close every window promptly.")
"""Ts = 8."""
SIMPLIFIED = Version("simplified", "Is a storm near? Close all windows now.")
"""Ts = 8."""
EXPERIMENT = Experiment("storms", "en", (Passage("1", (COMPLEX, SIMPLIFIED), (CLOSE, WHEN)),))


def _answer(participant: str, question: str, given: int | None, seconds: float, **more: Any) -> Answer:
    values: dict[str, Any] = {"passage": "1", "version": "complex", "correct": given == 0, **more}
    return Answer(participant=participant, question=question, answer=given, seconds=seconds, **values)


@pytest.fixture
def by_hand() -> Experiment:
    """One passage in two versions, with two questions."""
    return EXPERIMENT


@pytest.fixture
def answered() -> Callable[..., Answer]:
    """Makes an answer about the complex version of passage 1, unless told otherwise; answer 0 is correct."""
    return _answer


@pytest.fixture
def four_answers() -> list[Answer]:
    """Two participants, two questions, half of the answers correct."""
    return [
        _answer("ann", "q1", 0, 10.0, row=2),
        _answer("ann", "q2", 1, 4.0, row=3),
        _answer("bob", "q1", 2, 30.0, row=4),
        _answer("bob", "q2", 0, 4.0, row=5),
    ]
