"""Habits of annotators, and pairs that they see differently: cases worked by hand."""

from __future__ import annotations

import math

import pytest

from plainly.operations import AnnotatedPair, Group, assetann
from plainly.operations.careless import Work, flags, habits
from plainly.operations.contested import Contested, contested
from plainly.operations.ratings import side_by_side

EMPTY = AnnotatedPair("1", ("a", "b", "c"), ("a", "d"), ())
SYNONYM = AnnotatedPair("1", ("a", "b", "c"), ("a", "d"), (Group((1,), (1,), "synonym", 0.7),))
FAULTY = AnnotatedPair("1", ("a", "b", "c"), ("a", "d"), (Group((0,), (0,), "err"),))


def work(pair: AnnotatedPair, count: int, seconds: float | None = 20, draft: AnnotatedPair = EMPTY) -> list[Work]:
    return [Work(pair, draft, seconds)] * count


def test_habits_of_a_few_pairs() -> None:
    found = habits([*work(SYNONYM, 2, 10), *work(EMPTY, 1, 30, SYNONYM), *work(FAULTY, 1, None, FAULTY)])
    assert (found.pairs, found.seconds, found.seconds_per_token) == (4, 10, 2)  # five tokens each
    assert (found.groups, found.commonest, found.commonest_share) == (2, "synonym", 1)
    assert (found.drafts, found.kept) == (2, 1), "the faulty draft was left as it was, the other was not"


def test_a_draft_is_kept_whatever_its_confidence() -> None:
    sure = AnnotatedPair("1", SYNONYM.source, SYNONYM.target, (Group((1,), (1,), "synonym"),))
    assert habits(work(sure, 1, draft=SYNONYM)).kept == 1


def test_no_work_is_no_fault() -> None:
    nobody = habits([])
    assert math.isnan(nobody.seconds)
    assert flags(nobody, [nobody]) == ()


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (work(SYNONYM, 9), ()),
        (work(SYNONYM, 10), ("one label",)),
        (work(SYNONYM, 9, 6.7), ()),  # a third of 20 seconds is 6.67
        (work(SYNONYM, 9, 6.6), ("hasty",)),
        (work(SYNONYM, 4, 0.1), ()),  # too few to say
        (work(SYNONYM, 5, draft=SYNONYM), ("keeps the draft",)),
        ([*work(SYNONYM, 5, draft=SYNONYM), *work(EMPTY, 1, draft=SYNONYM)], ()),
        (work(EMPTY, 5), ("marks nothing",)),
        (work(EMPTY, 4), ()),
    ],
)
def test_what_is_odd(own: list[Work], expected: tuple[str, ...]) -> None:
    assert flags(habits(own), [habits(work(SYNONYM, 9, 20))]) == expected


def test_nobody_reads_more_than_fifteen_tokens_a_second_even_alone() -> None:
    assert flags(habits(work(SYNONYM, 9, 0.33)), []) == ("hasty",)  # of 5 tokens
    assert flags(habits(work(SYNONYM, 9, 0.34)), []) == ()


def test_tokens_are_compared_between_every_two_annotators() -> None:
    other = AnnotatedPair("2", ("x",), ("x",), ())
    ratings = side_by_side({"A": [EMPTY, other], "B": [SYNONYM, other], "C": [SYNONYM]}, None, assetann())
    # Pair 1: 5 tokens, 3 pairs of annotators. A differs from B and from C in 2 tokens each; B and C agree.
    assert contested(ratings) == [Contested("1", "", 3, 15, 4), Contested("2", "", 2, 2, 0)]
    assert contested(ratings)[0].share == pytest.approx(4 / 15)
