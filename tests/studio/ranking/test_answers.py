"""Answers: what is kept, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.kinds.ranking.kind import Ranking

HOSTILE: list[Any] = [
    None,
    [],
    "first",
    1,
    float("nan"),
    {},
    {"choice": None},
    {"choice": "third"},
    {"choice": "First"},
    {"choice": ["first"]},
    {"choice": {"first": 1}},
    {"choice": "first", "winner": "t1"},
    {"choice": 0},
    {"choice": True},
    {"winner": "first"},
    {"choice": "first\x00"},
    {"choice": "\ud800"},
    {"choice": "x" * 100_000},
]


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("lenient", [True, False])
def test_hostile_answers(kind: Ranking, make: Callable[..., Any], answer: Any, lenient: bool) -> None:
    campaign = make(4, ties=lenient, skip=lenient)
    task = kind.tasks(campaign, 1, [])[0]
    with pytest.raises(PlainlyError, match="the answer must be a choice"):
        kind.checked(campaign, task, answer)


@pytest.mark.parametrize(("ties", "skip"), [(True, True), (True, False), (False, True), (False, False)])
def test_ties_and_skips_where_they_are_allowed(
    kind: Ranking, make: Callable[..., Any], ties: bool, skip: bool
) -> None:
    campaign = make(4, ties=ties, skip=skip)
    task = kind.tasks(campaign, 1, [])[0]
    for choice, allowed in (("first", True), ("second", True), ("tie", ties), ("skip", skip)):
        if allowed:
            assert kind.checked(campaign, task, {"choice": choice}) == {"choice": choice}
        else:
            with pytest.raises(PlainlyError):
                kind.checked(campaign, task, {"choice": choice})
