"""Printed C-Scores held against each other: no answers are needed, so anybody can check them.

With S, C and T the printed C-Scores Simple, Complete and Textsize of a text, `way` says what is made of them. Printed
numbers are rounded: each stands for all numbers between two bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plainly.replication.computations.cells import asked, chosen, places
from plainly.replication.found import Found, Values, digits
from plainly.replication.recipe import Recipe, Row, Table
from plainly.replication.work import Work

SIMPLE, COMPLETE, TEXTSIZE = "2", "3", "4"
"""The tables of the three scores."""


@dataclass(frozen=True)
class Way:
    """How a cell is made of printed numbers."""

    way: str
    of: str = ""
    """A table."""
    column: str = ""
    rows: tuple[str, ...] = ()
    factor: float = 1.0
    cut: bool = False
    """Whether percentages were cut, not rounded."""
    pairs_from: int = 1


@dataclass(frozen=True)
class Printed:
    """A number as printed."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text)

    @property
    def half(self) -> float:
        """What rounding may have taken or added."""
        return 0.5 * 10.0 ** -digits(self.text)

    @property
    def low(self) -> float:
        return self.value - self.half

    @property
    def high(self) -> float:
        return self.value + self.half


@dataclass(frozen=True)
class Cell:
    """One cell, with what the recipe has in print."""

    recipe: Recipe
    row: Row
    said: Way

    def number(self, table: str = "", row: str = "", column: str = "") -> Printed:
        """A printed number; of the cell's own table and row, unless it is said."""
        return Printed(self.column(table, column)[row or self.row.name])

    def column(self, table: str = "", column: str = "") -> dict[str, str]:
        """What is printed in a column of a table, by row; without a name, in its only one."""
        (found,) = self.recipe.chosen([table or self.said.of], "table")
        name = column or self.said.column or found.columns[0]
        return {row.name: row.printed[found.columns.index(name)] for row in found.rows}


def compute(table: Table, work: Work) -> Values:
    """Every cell, from what is printed in other tables of the recipe."""
    return {(row.key, title): _found(table, row, title, work) for row, title in places(table)}


def _found(table: Table, row: Row, title: str, work: Work) -> Found:
    way = asked(Way, table, row, title)
    return chosen(WAYS, way.way, "way to put printed C-Scores together")(Cell(work.recipe, row, way))


def _fewest_words(cell: Cell) -> Found:
    """Ts = 100 T / C."""
    return Found(100 * cell.number(TEXTSIZE).low / cell.number(COMPLETE).high, decimals=3)


def _most_words(cell: Cell) -> Found:
    return Found(100 * cell.number(TEXTSIZE).high / cell.number(COMPLETE).low, decimals=3)


def _textsize(cell: Cell) -> Found:
    """T = Ts C / 100, with the nearest whole number of words."""
    complete = cell.number(COMPLETE)
    words = round(100 * cell.number(TEXTSIZE).value / complete.value)
    return Found(complete.value * words / 100, margin=complete.half * words / 100)


def _quotient(cell: Cell) -> Found:
    """C / S: a mean of question sizes, each weighted by how quickly it was answered."""
    return Found(cell.said.factor * cell.number(COMPLETE).value / cell.number(SIMPLE).value, decimals=4)


def _longest(cell: Cell) -> Found:
    """S = Pr / t, and Pr is 100 at most: t is at most 100 / S."""
    return Found(100 * cell.said.factor / cell.number(SIMPLE).low, decimals=1)


def _gain(cell: Cell) -> Found:
    """The simplified text less the complex one."""
    complex_, simplified = (cell.number(row=name).value for name in cell.said.rows)
    return Found(simplified - complex_, decimals=1)


def _gaining(cell: Cell) -> Found:
    """In how many pairs the simplified text, which follows the complex one, has the higher score."""
    scores = [float(text) for text in cell.column().values()]
    pairs = zip(scores[::2], scores[1::2], strict=True)
    return Found(sum(simplified > complex_ for complex_, simplified in pairs), decimals=0)


def _higher(cell: Cell) -> Found:
    """In how many rows of a table the first column is above the second."""
    (table,) = cell.recipe.chosen([cell.said.of], "table")
    first, second = (cell.column(column=name).values() for name in table.columns)
    return Found(sum(float(one) > float(two) for one, two in zip(first, second, strict=True)), decimals=0)


def _rank(cell: Cell) -> Found:
    """1 for the highest number of the column."""
    own = cell.number().value
    return Found(1 + sum(float(text) > own for text in cell.column().values()), decimals=0)


def _sum(cell: Cell) -> Found:
    return Found(sum(cell.number(row=name).value for name in cell.said.rows), decimals=0)


def _people(cell: Cell) -> Found:
    """How many people percentages stand for, of all in the first row."""
    printed = cell.column()
    everyone = int(next(iter(printed.values())))
    shown = math.floor if cell.said.cut else round
    total = 0
    for name in cell.said.rows:
        counts = [count for count in range(everyone + 1) if shown(100 * count / everyone) == int(printed[name])]
        if len(counts) != 1:
            return Found(why=f"{printed[name]} % of {everyone} may be {len(counts)} numbers of people")
        total += counts[0]
    return Found(total, decimals=0)


def _pair(cell: Cell) -> Found:
    """Two texts make a pair; texts are counted from 1."""
    return Found((int(cell.number(row="1", column="Text number").value) - 1) // 2 + cell.said.pairs_from, decimals=0)


WAYS: Mapping[str, Callable[[Cell], Found]] = {
    "fewest words": _fewest_words,
    "most words": _most_words,
    "textsize": _textsize,
    "quotient": _quotient,
    "longest time": _longest,
    "gain": _gain,
    "pairs that gain": _gaining,
    "first column higher": _higher,
    "rank": _rank,
    "sum": _sum,
    "people": _people,
    "pair of a text": _pair,
}
"""What is made of printed numbers, by name."""
