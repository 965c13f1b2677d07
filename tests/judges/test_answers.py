"""What counts as an answer: only what was offered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.judges.answers import choice, number, numbers, order, ratings

from ..cases import each

AB = choice("AB")


@pytest.mark.parametrize(
    "reply", ["A", " A\n", "a", "A.", '"A"', "**A**", "(A)", "`A`", "<think>B? B!</think>\nA", "x</think>A"]
)
def test_a_letter(reply: str) -> None:
    assert AB(reply) == "A"


@each(
    "reply",
    ["", "C", "AB", "A or B", "A B", "Text A", "The answer is A.", "<think>A", "A\nB", "Ａ", "А", "1", "A" * 10**6],
)
def test_no_letter(reply: str) -> None:
    assert AB(reply) is None


@pytest.mark.parametrize(
    ("reply", "value"),
    [("0", 0), ("100", 100), ("73.5", 73.5), (".5", 0.5), ("73.", 73), (" 7\n", 7), ("**41**", 41)],
)
def test_a_number(reply: str, value: float) -> None:
    assert number(0, 100)(reply) == value


@each(
    "reply",
    [
        "",
        "-1",
        "101",
        "1e2",
        "nan",
        "inf",
        "5/10",
        "85%",
        ".",
        "5.5.5",
        "80-90",
        "1,5",
        "٣",
        "9" * 5000,
        "1 2",
        "100.0000001",
    ],
)
def test_no_number(reply: str) -> None:
    assert number(0, 100)(reply) is None


def test_ratings() -> None:
    parse = ratings(("fluency", "meaning"), 0, 100)
    assert parse("fluency: 80\nmeaning: 7.5") == {"fluency": 80, "meaning": 7.5}
    assert parse("```\n**Meaning:** 1\n\n*Fluency*: 2\n```") == {"meaning": 1, "fluency": 2}
    for reply in (
        "fluency: 80",
        "fluency: 80\nfluency: 80",
        "fluency: 80\nmeaning: x",
        "Sure!\nfluency: 1\nmeaning: 2",
    ):
        assert parse(reply) is None
    assert parse("fluency: 80\nmeaning: 7\nsimplicity: 9") is None
    assert parse("fluency: 80\nmeaning: 101") is None


def test_orders() -> None:
    parse = order(3)
    assert parse("2, 1, 3") == [2, 1, 3]
    assert parse("[3,2,1].") == [3, 2, 1]
    assert parse("1 > 2 > 3") == [1, 2, 3]
    for reply in ("", "1, 2", "1, 2, 2", "1, 2, 3, 4", "0, 1, 2", "first 1, 2, 3", "1. 2. 3.", "1-2-3"):
        assert parse(reply) is None
    assert numbers("4, 1, 1") == [4, 1, 1]
    assert numbers("I think 4, 1") == []


@given(st.text(max_size=50))
def test_any_reply_is_survived(reply: str) -> None:
    assert AB(reply) in (None, "A", "B")
    rated = number(0, 100)(reply)
    assert rated is None or 0 <= rated <= 100
    assert ratings(("fluency",), 0, 100)(reply) is None or "fluency" in reply.casefold()
    assert order(3)(reply) is None or set(reply) & set("123")
