"""Exact sums. The oracle is `fractions.Fraction`, which rounds nowhere, and `math.fsum`, which rounds once."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import Totals, exact_sum

numbers = st.floats(allow_nan=False, allow_infinity=False)
tables = st.integers(1, 3).flatmap(
    lambda columns: st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=1, max_size=30)
)


def nearest(values: list[float]) -> float:
    try:
        return float(sum(map(Fraction, values)))
    except OverflowError:
        return math.inf if sum(map(Fraction, values)) > 0 else -math.inf


@given(tables)
def test_the_sum_is_the_float_nearest_to_the_true_sum(rows: list[list[float]]) -> None:
    expected = [nearest([row[i] for row in rows]) for i in range(len(rows[0]))]
    assert exact_sum(np.array(rows)).tolist() == expected


@given(tables, st.randoms(use_true_random=False), st.lists(st.integers(0, 30), max_size=4))
def test_any_order_and_any_cut_give_the_same_bits(rows: list[list[float]], draw: object, cuts: list[int]) -> None:
    whole = exact_sum(np.array(rows))
    shuffled = list(rows)
    draw.shuffle(shuffled)  # type: ignore[attr-defined]
    pieces = np.split(np.array(shuffled), sorted(min(cut, len(rows)) for cut in cuts))
    parts = []
    for piece in pieces:
        totals = Totals(len(rows[0]))
        totals.add(piece)
        parts.append(pickle.loads(pickle.dumps(totals)))
    draw.shuffle(parts)  # type: ignore[attr-defined]
    merged = Totals(len(rows[0]))
    for part in parts:
        merged.merge(Totals.from_json(json.loads(json.dumps(part.to_json()))))
    assert merged.values().tobytes() == whole.tobytes()


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_columns_of_all_kinds_agree_with_fsum(seed: int) -> None:
    draw = np.random.default_rng(seed)
    kinds = [
        draw.integers(0, 2**40, 3000).astype(float),
        draw.normal(size=3000) * 10.0 ** draw.integers(-300, 290, 3000),
        draw.random(3000),
        -draw.integers(2**53, 2**60, 3000).astype(float),
    ]
    assert exact_sum(np.stack(kinds, axis=1)).tolist() == [math.fsum(column) for column in kinds]


def test_numbers_that_cancel_leave_what_is_small() -> None:
    # By hand: 1e300 and -1e300 cancel, and so do 1 and -1; 2**-1074, the least float there is, stays.
    rows = np.array([[1e300], [1.0], [5e-324], [-1e300], [-1.0]])
    assert exact_sum(rows)[0] == 5e-324
    assert rows.sum(axis=0)[0] == -1.0  # an ordinary sum loses both what is small and what is 1


def test_what_is_not_finite_is_said_and_overflow_is_infinite() -> None:
    rows = np.array([[math.inf, math.nan, 1e308, math.inf], [1.5, 1.5, 1e308, -math.inf]])
    total = Totals(4)
    total.add(rows)
    assert str(total.values().tolist()) == "[inf, nan, inf, nan]"
    assert str(Totals.from_json(total.to_json()).values().tolist()) == "[inf, nan, inf, nan]"


def test_nothing_adds_up_to_zero() -> None:
    assert exact_sum(np.zeros((0, 2))).tolist() == [0.0, 0.0]
    assert Totals(2).to_json() == ["0p0", "0p0"]


def test_what_is_no_sum_is_refused() -> None:
    with pytest.raises(PlainlyError, match="no sum"):
        Totals.from_json(["zp1"])
