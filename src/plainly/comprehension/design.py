"""Who reads what, in which order? Balanced plans, one sheet a participant.

Everybody reads every passage once, in one of its versions. With two versions, half of the passages come in each, in
one of the two orders that alternate: complex, simplified, complex, ... or simplified, complex, simplified, ... With
v versions there are v such orders. The number of passages is a multiple of the number of versions.

The orders of the passages are the rows of a Williams square (1949): over its p rows (2 p, if p is odd) each passage
stands once (twice) in each place, and follows each other passage once (twice). Each row is given to v participants in
turn, who begin with different versions. So over a block of p v participants (2 p v) each version of each passage is
read equally often in each place; and after any number of participants the readers of two versions of a passage differ
by one at most. Names are dealt out to the square at random in each block, and so are its rows.

The order of questions, and of the answers to each, turns by one from participant to participant, from a random order:
after any number of participants each answer stood in each place equally often, or once more.

Numbers come from (seed, block) alone. So a plan can be made longer: its beginning stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.comprehension.experiment import Experiment, Passage
from plainly.comprehension.plurals import counted

MOST_PARTICIPANTS = 100_000

_TEXTS, _QUESTIONS, _ANSWERS = range(3)  # what random numbers are for; others are used elsewhere in this room


@dataclass(frozen=True)
class Asked:
    """A question, and the order of its answers: places in the experiment's list."""

    question: str
    answers: tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """A passage in one version, and its questions in order."""

    passage: str
    version: str
    questions: tuple[Asked, ...]


@dataclass(frozen=True)
class Sheet:
    """What one participant reads, in order; participants count from 1."""

    participant: int
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class Plan:
    """The sheets of all participants."""

    experiment: str
    seed: int
    sheets: tuple[Sheet, ...]


@checks_arguments
def make_plan(experiment: Experiment, participants: int, seed: int = 12345) -> Plan:
    """A plan for so many participants; a longer one with the same seed begins with it."""
    check_design(experiment)
    if not 1 <= participants <= MOST_PARTICIPANTS:
        raise PlainlyError(f"a plan is for 1 to {MOST_PARTICIPANTS} participants, not {participants}")
    readings = _readings(len(experiment.passages), len(experiment.version_ids), seed)
    asked = {passage.id: _asked(passage, place, seed) for place, passage in enumerate(experiment.passages)}
    sheets = []
    for participant in range(1, participants + 1):
        sheet = []
        for passage, version in next(readings):
            found = experiment.passages[passage]
            sheet.append(Reading(found.id, experiment.version_ids[version], next(asked[found.id])))
        sheets.append(Sheet(participant, tuple(sheet)))
    return Plan(experiment.name, seed, tuple(sheets))


def check_design(experiment: Experiment) -> None:
    """Refuses an experiment that cannot be balanced."""
    for _, fault in design_faults(experiment):
        raise PlainlyError(str(fault))


def design_faults(experiment: Experiment) -> Iterator[tuple[Passage, Message]]:
    """Why an experiment cannot be balanced, and the passages that it is said of."""
    first, versions = experiment.passages[0], experiment.version_ids
    if len(versions) < 2:
        english = "passage {passage} has one version only: there is nothing to compare"
        yield first, message("comprehension.design.one-version", english, passage=repr(first.id))
    for passage in experiment.passages:
        others = [version.id for version in passage.versions]
        if sorted(others) != sorted(versions):
            yield (
                passage,
                message(
                    "comprehension.design.other-versions",
                    "passage {passage} has the versions {others}, but {first} has {versions}; all passages need the "
                    "same",
                    passage=repr(passage.id),
                    others=", ".join(others),
                    first=repr(first.id),
                    versions=", ".join(versions),
                ),
            )
    if len(experiment.passages) % len(versions):
        yield (
            first,
            message(
                "comprehension.design.unequal",
                "{passages} cannot be shared out equally between {versions} versions; their number must be a "
                "multiple of {versions}",
                passages=counted(len(experiment.passages), "passage"),
                versions=len(versions),
            ),
        )


def block_size(passages: int, versions: int) -> int:
    """After how many participants everything is balanced."""
    return passages * versions * (1 if passages % 2 == 0 or passages == 1 else 2)


def next_balanced(participants: int, passages: int, versions: int) -> int:
    """The next number of participants, from this one on, with which everything is balanced."""
    return participants + -participants % block_size(passages, versions)


def williams_square(size: int) -> list[list[int]]:
    """Orders in which each thing follows each other thing equally often, and stands equally often in each place.

    The first row goes 0, 1, n - 1, 2, n - 2, ...; the others add 1, 2, ... to it. For an odd number of things the
    mirrored rows are needed, too.

    >>> williams_square(4)
    [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    """
    first = [(place + 1) // 2 if place % 2 else -(place // 2) % size for place in range(size)]
    rows = [[(thing + row) % size for thing in first] for row in range(size)]
    return rows if size % 2 == 0 or size == 1 else rows + [row[::-1] for row in rows]


def _readings(passages: int, versions: int, seed: int) -> Iterator[list[tuple[int, int]]]:
    """For one participant after the other: passages and versions, in order."""
    square = williams_square(passages)
    for block in count():
        draw = np.random.default_rng([seed, _TEXTS, block])
        names = draw.permutation(passages)
        for row in draw.permutation(len(square)):
            for start in draw.permutation(versions):
                yield [(int(names[name]), (int(start) + place) % versions) for place, name in enumerate(square[row])]


def _asked(passage: Passage, place: int, seed: int) -> Iterator[tuple[Asked, ...]]:
    """For one participant after the other: the questions of a passage, and the answers to each, in order."""
    orders = _turning(len(passage.questions), [seed, _QUESTIONS, place])
    answers = [
        _turning(len(question.answers), [seed, _ANSWERS, place, number])
        for number, question in enumerate(passage.questions)
    ]
    for order in orders:
        shown = [
            Asked(question.id, tuple(next(turns))) for question, turns in zip(passage.questions, answers, strict=True)
        ]
        yield tuple(shown[number] for number in order)


def _turning(size: int, seed: list[int]) -> Iterator[list[int]]:
    """Random orders of so many things; in every `size` of them each thing stands once in each place."""
    for block in count():
        draw = np.random.default_rng([*seed, block])
        order = draw.permutation(size)
        for turn in draw.permutation(size):
            yield [int(thing) for thing in np.roll(order, turn)]
