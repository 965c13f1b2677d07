"""Numbers in the form of a campaign: what owners may ask for, and what participants may give."""

from __future__ import annotations

from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.texts import say
from plainly.studio.welcome import checked_welcome, filled_in


def form(**bounds: Any) -> dict[str, Any]:
    return checked_welcome({"form": [{"id": "age", "label": "Age", "kind": "number", **bounds}]})


@pytest.mark.parametrize(
    ("bounds", "given", "words"),
    [
        ({"least": 0}, "-5000", "Age: Please give a number, 0 or more."),
        ({"most": 120}, "121", "Age: Please give a number, 120 or less."),
        ({"least": 0.5, "most": 2}, "2,5", "Age: Please give a number from 0.5 to 2."),
        ({}, "twelve", "Age: Please give a number in digits, such as 12."),
    ],
)
def test_a_number_out_of_range_is_refused_in_words(bounds: dict[str, float], given: str, words: str) -> None:
    with pytest.raises(PlainlyError, match=words.replace("?", ".")):
        filled_in(form(**bounds), True, {"age": given}, say("en"))


@pytest.mark.parametrize("given", ["0", "120", "0.5", "60,5"])
def test_the_ends_are_in_the_range(given: str) -> None:
    kept = filled_in(form(least=0, most=120), True, {"age": given}, say("en"))
    assert kept == {"age": given.replace(",", ".")}
    assert filled_in(form(), True, {"age": "-5"}, say("en")) == {"age": "-5"}


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({"least": "0"}, "field 1 of the form: least must be a number"),
        ({"most": True}, "most must be a number"),
        ({"most": float("nan")}, "most must be a number"),
        ({"most": 10**400}, "most must be a number"),
        ({"least": 2, "most": 1}, "least is more than most"),
        ({"kind": "text", "least": 2}, "only a number has least and most"),
    ],
)
def test_bounds_that_cannot_be_are_refused(bounds: dict[str, Any], words: str) -> None:
    with pytest.raises(PlainlyError, match=words):
        form(**bounds)


def test_a_bound_that_is_not_given_is_not_kept() -> None:
    [field] = form(least=None)["form"]
    assert "least" not in field
