"""The tokens of texts in a row, worked out by hand."""

from __future__ import annotations

import numpy as np

from plainly.models.encoders.tokens import Tokens

ROWS = [[1, 5, 6, 2], [1, 2], [1, 7, 8, 9, 2]]


def made(most: int | None = None) -> Tokens:
    return Tokens.of(ROWS, [4, 2, 5], most)


def rows(tokens: Tokens) -> list[list[int]]:
    return [row.tolist() for row in tokens]


def test_text_by_text() -> None:
    assert rows(made()) == ROWS
    assert made().cut.tolist() == [False] * 3
    assert made().starts.tolist() == [0, 4, 6]


def test_what_is_too_long_keeps_its_end() -> None:
    cut = made(most=4)
    assert rows(cut) == [[1, 5, 6, 2], [1, 2], [1, 7, 8, 2]]
    assert cut.cut.tolist() == [False, False, True]


def test_some_of_them_in_any_order() -> None:
    assert rows(made().take(np.array([2, 0, 2]))) == [ROWS[2], ROWS[0], ROWS[2]]
    assert rows(made().take(np.array([], dtype=np.int64))) == []


def test_those_that_say_nothing() -> None:
    assert made().without({1, 2}).tolist() == [False, True, False]
    assert made().without({1, 2, 5, 6}).tolist() == [True, True, False]
    assert Tokens.of([[], [3]], [0, 1]).without({1}).tolist() == [True, False]
