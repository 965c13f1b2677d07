"""Conditions: one meaning of `--where` in all commands, by hand."""

from __future__ import annotations

import pytest
from tests.cases import each

from plainly.base.conditions import Condition
from plainly.base.errors import PlainlyError


@each(
    "text, value, holds",
    [
        ("domain=news", "news", True),
        ("domain=news,law", "law", True),
        ("domain=news,law", "news,law", True),  # a comma may belong to the value
        ("domain=news", None, False),
        ("domain!=news", None, True),
        ("domain!=news,law", "law", False),
        ("checked=true", True, True),
        ("year>=2019", "2019", True),
        ("year<2019", None, False),
        ("level=", "", True),
    ],
)
def test_by_hand(text: str, value: object, holds: bool) -> None:
    assert Condition.of(text).holds(value) is holds


@each(
    "text, why",
    [
        ("news", "a condition is NAME=VALUE,VALUE, or with"),
        ("=news", "a condition is NAME=VALUE,VALUE, or with"),
        ("year<soon", "year<soon: < needs a number, not 'soon'"),
        ("year<nan", "needs a number"),
        ("year==2021", "'year==2021' has the sign ==; say ="),
        ("year=>2021", "'year=>2021' has the sign =>; say >="),
    ],
)
def test_what_is_no_condition(text: str, why: str) -> None:
    with pytest.raises(PlainlyError, match=why):
        Condition.of(text)


def test_a_value_that_cannot_be_compared_is_refused() -> None:
    with pytest.raises(PlainlyError, match="year is 'soon' somewhere, which is no number"):
        Condition.of("year>2019").holds("soon")
