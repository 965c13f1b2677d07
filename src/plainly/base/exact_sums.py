"""Exact sums of statistics: the same bits in whatever order rows are added, and wherever they are cut into pieces.

A finite float64 is a whole number of 2**-1126, since `frexp` gives it as m * 2**e with a whole 2**53 * m and e from
-1073 on. So a sum is a whole number, too, and Python adds those without rounding. It is rounded once, when its value
is asked for. Columns of whole numbers, which most are, are summed by numpy: below 2**53 it does not round either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError

Array = NDArray[np.float64]
"""An array of numbers, as statistics and scores are."""

LARGEST_WHOLE = 2.0**53
_DIGITS = 53
_HALF = 27  # halves of 26 and 27 bits: 2**26 of them add up exactly in a float64
_MOST_ROWS = 1 << 25
_POINT = 1126


class Totals:
    """The exact sum of rows, column by column."""

    def __init__(self, columns: int) -> None:
        self._sums = [0] * columns  # of 2**-1126 each
        self._odd = np.zeros(columns)  # the sum of what is infinite or not a number

    def add(self, rows: Array) -> None:
        """Add rows of shape (any, columns)."""
        for start in range(0, len(rows), _MOST_ROWS):
            self._add(rows[start : start + _MOST_ROWS])

    def _add(self, rows: Array) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            sums = rows.sum(axis=0)
            plain = (np.abs(rows).sum(axis=0) < LARGEST_WHOLE) & (rows == np.floor(rows)).all(axis=0)
        for column, whole in enumerate(plain.tolist()):
            if whole:
                self._sums[column] += int(sums[column]) << _POINT
            else:
                self._add_fractions(column, rows[:, column])

    def _add_fractions(self, column: int, values: Array) -> None:
        finite = np.isfinite(values)
        if not finite.all():
            with np.errstate(invalid="ignore"):
                self._odd[column] += values[~finite].sum()
            values = values[finite]
        if not len(values):
            return
        fractions, exponents = np.frexp(values)
        digits = np.ldexp(fractions, _DIGITS)
        high = np.floor(np.ldexp(digits, -_HALF))
        low = digits - np.ldexp(high, _HALF)
        least = int(exponents.min())
        places = exponents - least
        highs, lows = np.bincount(places, high), np.bincount(places, low)
        self._sums[column] += sum(
            ((int(highs[place]) << _HALF) + int(lows[place])) << (place + least - _DIGITS + _POINT)
            for place in np.flatnonzero((highs != 0) | (lows != 0)).tolist()
        )

    def merge(self, other: Totals) -> None:
        """Add what another has added."""
        if len(other._sums) != len(self._sums):
            raise ValueError(f"sums of {len(self._sums)} and of {len(other._sums)} columns")
        self._sums = [mine + its for mine, its in zip(self._sums, other._sums, strict=True)]
        with np.errstate(invalid="ignore"):
            self._odd = self._odd + other._odd

    def values(self) -> Array:
        """The sums, each the float64 that is nearest to it."""
        return np.array([_rounded(total) for total in self._sums]) + self._odd

    def to_json(self) -> list[str]:
        """The exact sums as texts: a whole number in hexadecimal digits, times a power of two."""
        return [
            _text(total) if odd == 0 else str(float(odd))
            for total, odd in zip(self._sums, self._odd.tolist(), strict=True)
        ]

    @classmethod
    def from_json(cls, texts: Sequence[str]) -> Totals:
        """What `to_json` wrote."""
        totals = cls(len(texts))
        for column, text in enumerate(texts):
            digits, mark, power = str(text).partition("p")
            try:
                if mark:
                    totals._sums[column] = int(digits, 16) << (int(power) + _POINT)
                else:
                    totals._odd[column] = float(text)
            except ValueError:
                raise PlainlyError(f"{text!r} is no sum as plainly writes them") from None
        return totals

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]  # it changes


def add_rows(totals: list[Totals] | None, tables: Sequence[Array]) -> list[Totals]:
    """The totals of several metrics with further rows of each; new ones if there are none yet."""
    sums = totals or [Totals(rows.shape[1]) for rows in tables]
    for total, rows in zip(sums, tables, strict=True):
        total.add(rows)
    return sums


def exact_sum(rows: Array) -> Array:
    """The sum of all rows, each number the nearest to the true sum of its column."""
    totals = Totals(rows.shape[1])
    totals.add(rows)
    return totals.values()


def _rounded(total: int) -> float:
    try:
        return total / (1 << _POINT)  # Python divides whole numbers with one rounding
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def _text(total: int) -> str:
    zeros = (total & -total).bit_length() - 1 if total else _POINT
    return f"{total >> zeros:x}p{zeros - _POINT}"
