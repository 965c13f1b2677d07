"""Samples of a stream of unknown length: every row has the same chance, and the seed says which are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.metrics import Array

T = TypeVar("T")


class Draws:
    """The rows with the smallest of random numbers, one a row: a sample without replacement."""

    def __init__(self, size: int, seed: Sequence[int]) -> None:
        self._size = size
        self._random = np.random.default_rng(seed)
        self._keys = np.empty(0)
        self.seen = 0

    def draw(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of `count` more rows: the places of those held before that stay, and of the new ones that join them."""
        keys = np.concatenate([self._keys, self._random.random(count)])
        before = len(self._keys)
        self.seen += count
        stay = np.arange(len(keys)) if len(keys) <= self._size else np.sort(np.argsort(keys)[: self._size])
        self._keys = keys[stay]
        return stay[stay < before], stay[stay >= before] - before


class Values:
    """A sample of rows of numbers: all of them, while there are no more than `size`."""

    def __init__(self, columns: int, size: int, seed: Sequence[int]) -> None:
        self._draws = Draws(size, seed)
        self.rows: Array = np.empty((0, columns))

    def add(self, rows: Array) -> None:
        stay, new = self._draws.draw(len(rows))
        self.rows = np.concatenate([self.rows[stay], rows[new]])

    @property
    def seen(self) -> int:
        """How many rows it was drawn from."""
        return self._draws.seen


class Items(Generic[T]):
    """A sample of anything, in order. Only what is drawn is made."""

    def __init__(self, size: int, seed: Sequence[int]) -> None:
        self._draws = Draws(size, seed)
        self.items: list[T] = []

    def choose(self, count: int) -> list[int]:
        """Of `count` more, the places of those that are drawn; give them to `add`."""
        stay, new = self._draws.draw(count)
        self.items = [self.items[place] for place in stay]
        return [int(place) for place in new]

    def add(self, item: T) -> None:
        self.items.append(item)
