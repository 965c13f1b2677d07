"""Who took part? Participants by what they said of themselves; Figure 1 of the paper has their native languages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plainly.base.messages import Message, message
from plainly.comprehension.reader_groups import NOT_SAID, as_number, bands, columns_of, groups_of
from plainly.comprehension.records import OF_READERS, Answer

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment

FEW_NUMBERS = 6
"""So many different numbers are shown one by one; more of them in bands."""
MOST_BANDS = 10
NARROWEST = 10
"""The width of a band of numbers is a power of ten, at least this."""
FREE_TEXT = "text"
"""The kind of a field of the form where people may write anything, names too: it is not shown unasked."""
MOST_VALUES = 20
"""Of a column that nobody asked for; the rarest beyond them count together."""


@dataclass(frozen=True)
class Group:
    """Participants who said the same."""

    name: str | Message
    participants: int
    answers: int


@dataclass(frozen=True)
class Participants:
    """All participants by one column."""

    column: str
    groups: tuple[Group, ...]

    @property
    def people(self) -> int:
        """How many there are."""
        return sum(group.participants for group in self.groups)


def took_part(answers: Sequence[Answer], by: Sequence[str], experiment: Experiment | None) -> Iterator[Participants]:
    """Participants by each name of `by`, and by what else is known of them: Table 1 of the paper, and choices
    and numbers of the form."""
    known = columns_of(answers)
    form = () if experiment is None else (field.id for field in experiment.form if field.kind != FREE_TEXT)
    parted = {name.partition(":")[0] for name in by}
    for name in by:
        yield Participants(name, tuple(_groups(answers, name, math.inf)))
    for name in dict.fromkeys([*OF_READERS, *form]):
        if name in known and name not in parted and any(answer.fields.get(name) for answer in answers):
            yield Participants(name, tuple(_groups(answers, _banded(answers, name), MOST_VALUES)))


def _groups(answers: Sequence[Answer], name: str, most: float) -> Iterator[Group]:
    """Bands in their order, values by how common they are, the rarest together; at the end who said nothing."""
    found = dict(groups_of(answers, name))
    silent = found.pop(NOT_SAID, None)
    words = {} if name in columns_of(answers) else {band.text(): band for band in bands(name.split(":")[1:])}
    groups = [_group(words.get(group, group), own) for group, own in found.items()]
    if not words:
        groups.sort(key=lambda group: -group.participants)
    common = groups if len(groups) <= most else groups[:MOST_VALUES]
    yield from common
    if others := groups[len(common) :]:
        text = message("comprehension.other-values", "{count} other values", count=len(others))
        yield Group(text, sum(group.participants for group in others), sum(group.answers for group in others))
    if silent:
        yield _group(message("comprehension.not-said", NOT_SAID), silent)


def _group(name: str | Message, answers: Sequence[Answer]) -> Group:
    return Group(name, len({answer.participant for answer in answers}), len(answers))


def _banded(answers: Sequence[Answer], column: str) -> str:
    """The column with bounds, if it has many numbers and nothing else."""
    values = {answer.fields.get(column, "") for answer in answers} - {""}
    numbers = [as_number(value) for value in values]
    if len(values) <= FEW_NUMBERS or not all(map(math.isfinite, numbers)):
        return column
    low, high = min(numbers), max(numbers)
    step = NARROWEST
    while (high - low) / step > MOST_BANDS:
        step *= 10
    bounds = range((math.floor(low / step) + 1) * step, math.floor(high / step) * step + 1, step)
    return ":".join([column, *map(str, bounds)])
