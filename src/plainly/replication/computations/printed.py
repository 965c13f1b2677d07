"""Printed numbers held against each other: no text is needed, so anybody can check them.

A cell is said as those of `gaming`, and names the tables in which to look for it (`of`). With `combine` it is made of
several printed numbers: of the components of its metric, or of the same of another system (`than`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean, geometric_mean
from typing import TypeAlias

import numpy as np

from plainly.replication.computations.cells import chosen, declared, places, said
from plainly.replication.computations.gaming import Edited, edited
from plainly.replication.found import Found, Values, digits
from plainly.replication.recipe import Row, Table
from plainly.replication.work import Work

Printed: TypeAlias = Mapping[Edited, str]


@dataclass(frozen=True)
class Check:
    """How a cell is made of printed numbers."""

    of: tuple[str, ...]
    """Tables in which to look, the first one first."""
    combine: str = "as printed"
    than: str = ""
    """The system to compare with."""


def compute(table: Table, work: Work) -> Values:
    """Every cell, from what is printed in other tables of the recipe."""
    return {(row.key, title): _found(table, row, title, work) for row, title in places(table)}


def _found(table: Table, row: Row, title: str, work: Work) -> Found:
    settings = said(table, row, title)
    own = {key: settings.pop(key) for key in OWN if key in settings}
    check = declared(Check, own, f"{row.key}, {title}")
    combined = chosen(COMBINED, check.combine, "way to combine printed numbers")
    cell = edited(replace(table, settings={}, meaning={}), replace(row, settings=settings), title)
    for name in check.of:
        printed = work.once(("printed", name), lambda name=name: _printed(name, work))  # type: ignore[misc]
        found = combined(cell, printed, check)
        if not math.isnan(found.estimate.value):
            return found
    return Found(why=f"not printed in Table {' or '.join(check.of)}")


OWN = ("of", "combine", "than")


def _printed(name: str, work: Work) -> Printed:
    """The numbers of a table by what they are; the test set is that of the paper."""
    table = work.recipe.chosen([name], "table")[0]
    return {
        replace(edited(table, row, title), test_set=""): text
        for row in table.rows
        for title, text in zip(table.columns, row.printed, strict=False)
        if text
    }


def _parts(cell: Edited, printed: Printed) -> dict[str, str]:
    """The components that are printed of a cell."""
    return {one.component: text for one, text in printed.items() if one == replace(cell, component=one.component)}


def _as_printed(cell: Edited, printed: Printed, check: Check) -> Found:
    text = printed.get(cell, "nan")
    return Found(float(text), decimals=digits(text))


def _change(cell: Edited, printed: Printed, check: Check) -> Found:
    """How far it is above that of another system."""
    text = printed.get(cell, "nan")
    return Found(float(text) - float(printed.get(replace(cell, system=check.than), "nan")), decimals=digits(text))


def _mean(cell: Edited, printed: Printed, check: Check) -> Found:
    parts = [float(text) for text in _parts(cell, printed).values()]
    return Found(fmean(parts) if parts else math.nan, decimals=4)


def _geometric_mean(cell: Edited, printed: Printed, check: Check) -> Found:
    parts = [float(text) for text in _parts(cell, printed).values()]
    return Found(geometric_mean(parts) if parts else math.nan, decimals=4)


def _same(cell: Edited, printed: Printed, check: Check) -> Found:
    """How many components are printed with the same digits for another system."""
    own, other = _parts(cell, printed), _parts(replace(cell, system=check.than), printed)
    return Found(sum(other.get(part) == text for part, text in own.items()) if own else math.nan, decimals=0)


def _from_averages(cell: Edited, printed: Printed, check: Check) -> Found:
    """A grade, from the printed words per sentence and syllables per word."""
    length, syllables = (float(printed.get(replace(cell, metric=name, component=""), "nan")) for name in AVERAGES)
    metric = cell.scored_by()
    counts = {"words": length, "sentences": 1.0, "syllables": length * syllables}
    score = metric.score(np.array([counts.get(name, 1.0) for name in metric.columns]))
    return Found(float(score.components[cell.component] if cell.component else score.value), decimals=3)


AVERAGES = ("sentence-length-tk2021", "syllables-per-word-tk2021")
COMBINED: Mapping[str, Callable[[Edited, Printed, Check], Found]] = {
    "as printed": _as_printed,
    "change": _change,
    "mean": _mean,
    "geometric mean": _geometric_mean,
    "same": _same,
    "from averages": _from_averages,
}
"""How a cell is made of printed numbers, by name."""
