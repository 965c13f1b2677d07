"""In which group is a reader? By what a column says of participants, or by bounds in its numbers."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.groups import grouped
from plainly.base.messages import Message, message
from plainly.comprehension.records import Answer
from plainly.corpus.readers.files import shown

NOT_SAID = "not said"
"""The group of those whose field is empty. It is scored, but not compared with others."""


def groups_of(answers: Sequence[Answer], name: str) -> dict[str, list[Answer]]:
    """Answers by a field of their participants, or by bounds in its numbers. No value is a group of its own."""
    column, bounds = _parted(name, columns_of(answers))
    bands = _bands(answers, column, bounds) if bounds else {}

    def group_of(answer: Answer) -> str:
        value = answer.fields.get(column, "")
        return bands.get(value) or visible(value) or NOT_SAID

    order = _band_names(bounds)
    groups = grouped(answers, group_of)
    return dict(
        sorted(groups.items(), key=lambda item: (order.index(item[0]) if item[0] in order else len(order), item[0]))
    )


def columns_of(answers: Iterable[Answer]) -> list[str]:
    """What is known of participants."""
    return sorted({key for answer in answers for key in answer.fields})


def column_names(name: str) -> list[str]:
    """The columns that a name such as `age:25:45` can mean."""
    return [name, *(name[: found.start()] for found in re.finditer(":", name) if found.start())]


def _parted(name: str, known: Sequence[str]) -> tuple[str, list[str]]:
    """The column, and the bounds that part its numbers."""
    column, bounds = name, list[str]()
    while column not in known and ":" in column:
        column, _, bound = column.rpartition(":")
        bounds.insert(0, bound)
    if column not in known:
        raise UnknownName("column", column, known) if known else PlainlyError(f"there is no column {column!r}")
    limits = list(map(as_number, bounds))
    if any(map(math.isnan, limits)) or any(one >= other for one, other in pairwise(limits)):
        raise PlainlyError(f"expected a column and numbers that rise, as age:45 or age:25:45, not {name}")
    return column, bounds


def _bands(answers: Sequence[Answer], column: str, bounds: Sequence[str]) -> dict[str, str]:
    """Between which bounds each value of a column lies; a bound belongs to the band that it begins."""
    names, limits = _band_names(bounds), list(map(as_number, bounds))
    return {text: names[bisect_right(limits, number)] for text, number in numbered(answers, column).items()}


def bands(bounds: Sequence[str]) -> list[Message]:
    """What lies below, between and above these bounds, in words."""
    if not bounds:
        return []
    under = message("comprehension.band.under", "under {bound}", bound=bounds[0])
    over = message("comprehension.band.over", "{bound} and over", bound=bounds[-1])
    between = [
        message("comprehension.band.between", "{low} to under {high}", low=low, high=high)
        for low, high in pairwise(bounds)
    ]
    return [under, *between, over]


def _band_names(bounds: Sequence[str]) -> list[str]:
    return [band.text() for band in bands(bounds)]


def numbered(answers: Sequence[Answer], column: str) -> dict[str, float]:
    """The values of a column that are there, as numbers; another value is refused with its place."""
    found = {}
    for answer in sorted(answers, key=lambda answer: (answer.file, answer.row)):
        value = answer.fields.get(column, "")
        if not value:
            continue
        found[value] = as_number(value)
        if math.isnan(found[value]):
            raise PlainlyError(f"{answer.place}: {column} is no number: {shown(repr(value))}")
    return found


def as_number(text: str) -> float:
    """NaN where it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def visible(text: str) -> str:
    """The text with its control characters written out: one that turns the direction would turn what follows too."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
