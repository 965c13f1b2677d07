"""Whose answers should one look at? Limits worked by hand."""

from __future__ import annotations

import math

from plainly.comprehension.conduct import Chosen, Finding, Read, odd


def chosen(place: int | None, seconds: float = 10.0, words: int = 30, places: int = 4) -> Chosen:
    return Chosen(words, seconds, place, places)


def test_an_ordinary_reader_is_not_odd() -> None:
    assert odd([Read(150, 40.0), Read(160, 35.0)], [chosen(place % 4) for place in range(18)]) == []
    assert odd([], []) == []


def test_more_than_fifteen_words_a_second_is_fast() -> None:
    # 150 words in 10 s are 15 a second, which is allowed; in 9.9 s they are too many.
    assert odd([Read(150, 10.0)], []) == []
    assert odd([Read(150, 9.9)], []) == [Finding("fast-reading", 1, 1)]
    assert odd([Read(150, 9.9), Read(150, 30.0), Read(150, 30.0)], []) == []
    assert odd([Read(150, 1.0, cut=True)], []) == []  # the limit ended it
    assert odd([Read(150, math.nan)], []) == []


def test_fast_answers_need_four_answers() -> None:
    quick = [chosen(place, seconds=1.0) for place in range(4)]
    assert odd([], quick[:3]) == []
    assert odd([], quick) == [Finding("fast-answers", 4, 4)]
    assert odd([], [*quick, *(chosen(place) for place in range(4)), chosen(0)]) == []  # 4 of 9


def test_one_place_chosen_too_often() -> None:
    # Of 6 answers among 4 places all in one: 4 * (1/4)^6 = 0.00098, below one in a thousand; of 5: 0.0039.
    assert odd([], [chosen(2)] * 5) == []
    assert odd([], [chosen(2)] * 6) == [Finding("same-place", 6, 6, 2)]
    # With two answers a question: 2 * (1/2)^10 = 0.00195, 2 * (1/2)^11 = 0.00098.
    assert odd([], [chosen(1, places=2)] * 10) == []
    assert odd([], [chosen(1, places=2)] * 11) == [Finding("same-place", 11, 11, 1)]


def test_more_than_half_without_an_answer() -> None:
    assert odd([], [chosen(None)] * 3) == []
    assert odd([], [chosen(None)] * 4) == [Finding("unanswered", 4, 4)]
    assert odd([], [chosen(None), chosen(None), chosen(0), chosen(1)]) == []
