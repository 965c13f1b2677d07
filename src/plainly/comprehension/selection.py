"""Which answers count: participants who stopped, questions left open, times that are outliers.

All three rules are stated with the result, and what they leave out is counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.conditions import Condition
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.groups import grouped
from plainly.base.messages import Message, message
from plainly.comprehension.plurals import counted
from plainly.comprehension.records import MILLISECONDS, Answer, Records, RowApart
from plainly.comprehension.where import chosen

Unfinished = Literal["keep", "drop"]
Unanswered = Literal["apart", "wrong"]
SOONEST, LATEST = 0.3, 1800.0
"""Seconds: nobody reads a question in less, and nobody thinks about one for longer."""
Keep = Callable[[NDArray[np.float64], tuple[float, ...]], NDArray[np.bool_]]
"""Which of the times of one question stay."""


def _in_range(times: NDArray[np.float64], numbers: tuple[float, ...]) -> NDArray[np.bool_]:
    low, high = numbers
    return (times >= low) & (times <= high)


def _near_the_mean(times: NDArray[np.float64], numbers: tuple[float, ...]) -> NDArray[np.bool_]:
    logs = np.log(times)
    spread = float(logs.std(ddof=1)) if len(logs) > 1 else math.inf
    return _in_range(logs, (logs.mean() - numbers[0] * spread, logs.mean() + numbers[0] * spread))


def _within_fences(times: NDArray[np.float64], numbers: tuple[float, ...]) -> NDArray[np.bool_]:
    logs = np.log(times)
    first, third = np.quantile(logs, [0.25, 0.75])
    reach = numbers[0] * (third - first)
    return _in_range(logs, (first - reach, third + reach))


OUTLIER_RULES: dict[str, tuple[int, Keep]] = {
    "none": (0, lambda times, _: np.ones(len(times), dtype=bool)),
    "range": (2, _in_range),
    "sd": (1, _near_the_mean),
    "fences": (1, _within_fences),
}
"""Rules, how many numbers each takes, and what it keeps."""


@dataclass(frozen=True)
class Outliers:
    """Which times are left out, with their answers.

    none     none.
    range    below the first or above the second number of seconds.
    sd       log time further than K standard deviations from the mean of its question and version.
    fences   log time further than K times the distance of the quartiles below the first or above the third one.
    """

    rule: str = "none"
    numbers: tuple[float, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Outliers:
        """From `none`, `range:LOW,HIGH`, `sd:K` or `fences:K`."""
        rule, _, rest = text.partition(":")
        if rule not in OUTLIER_RULES:
            raise UnknownName("rule for outliers", rule, OUTLIER_RULES)
        try:
            numbers = tuple(float(part) for part in rest.split(",")) if rest else ()
        except ValueError:
            numbers = (math.nan,)
        if len(numbers) != OUTLIER_RULES[rule][0] or not all(0 <= number < math.inf for number in numbers):
            raise PlainlyError(f"outliers are none, range:LOW,HIGH, sd:K or fences:K, not {text!r}")
        if rule == "range" and numbers[0] >= numbers[1]:
            raise PlainlyError(f"the range of times {rest} holds none: the first number must be below the second")
        return cls(rule, numbers)

    def __str__(self) -> str:
        return f"{self.rule}:{','.join(f'{number:g}' for number in self.numbers)}" if self.numbers else self.rule

    def keep(self, seconds: Sequence[float]) -> list[bool]:
        """Which of the times of one question stay."""
        times = np.asarray(seconds, dtype=float)
        if not len(times):
            return []
        inside = OUTLIER_RULES[self.rule][1](times, self.numbers)
        return [bool(there) for there in inside]


@dataclass(frozen=True)
class Rules:
    """What is left out, and what is not."""

    outliers: Outliers = Outliers()
    unfinished: Unfinished = "keep"
    unanswered: Unanswered = "apart"
    where: tuple[Condition, ...] = ()
    """Whose answers count: participants for whom all conditions hold."""

    def __post_init__(self) -> None:
        if self.unfinished not in get_args(Unfinished):
            raise UnknownName("rule for unfinished participants", self.unfinished, get_args(Unfinished))
        if self.unanswered not in get_args(Unanswered):
            raise UnknownName("rule for questions without an answer", self.unanswered, get_args(Unanswered))


EVERYTHING = Rules()


@dataclass(frozen=True)
class Counts:
    """How many answers and participants there were, and why some do not count."""

    answers: int
    """All that were read, also those that were kept apart."""
    participants: int
    others_answers: int
    """Of participants for whom a condition does not hold."""
    others_participants: int
    unfinished_participants: int
    unfinished_answers: int
    """Of those participants, whether or not they count."""
    unanswered: int
    outliers: int
    faulty: dict[str, int]
    """Answers that were kept apart, by the kind of their fault."""
    apart: tuple[RowApart, ...]
    """The same, row by row, with the reasons."""
    counted_answers: int
    counted_participants: int


@dataclass(frozen=True)
class Selection:
    """The answers that count."""

    answers: tuple[Answer, ...]
    counts: Counts
    rules: Rules
    notes: tuple[Message, ...] = ()
    """What its reader should know of the times."""


def select(records: Records, rules: Rules = EVERYTHING) -> Selection:
    """Apply the rules in their order: who is meant, who stopped, questions without an answer, outliers."""
    meant = chosen(records.answers, rules.where)
    unfinished = [answer for answer in meant if not answer.completed]
    left = list(meant)
    if rules.unfinished == "drop":
        left = [answer for answer in left if answer.completed]
    unanswered = sum(answer.answer is None for answer in left)
    if rules.unanswered == "apart":
        left = [answer for answer in left if answer.answer is not None]
    elif untimed := next((answer for answer in left if math.isnan(answer.seconds)), None):
        raise PlainlyError(f"{untimed.place}: a question without an answer needs a time if it is to count as wrong")
    kept = _without_outliers(left, rules.outliers)
    if not kept:
        raise PlainlyError("no answer is left that counts; loosen the rules for unfinished participants or outliers")
    there = {answer.participant for answer in records.answers}
    everyone = there | {row.participant for row in records.apart}
    counts = Counts(
        answers=len(records.answers) + len(records.apart),
        participants=len(everyone),
        others_answers=len(records.answers) - len(meant),
        others_participants=len(there - {answer.participant for answer in meant}),
        unfinished_participants=len({answer.participant for answer in unfinished}),
        unfinished_answers=len(unfinished),
        unanswered=unanswered,
        outliers=len(left) - len(kept),
        faulty=records.kept_apart,
        apart=records.apart,
        counted_answers=len(kept),
        counted_participants=len({answer.participant for answer in kept}),
    )
    return Selection(tuple(kept), counts, rules, tuple(_time_notes(meant)))


def _time_notes(answers: Sequence[Answer]) -> Iterator[Message]:
    """Times that look as if they were not in milliseconds, or not of one reader's answer. Nothing is changed."""
    timed = [answer for answer in answers if not math.isnan(answer.seconds)]
    middle = median(answer.seconds for answer in timed) if timed else SOONEST
    if middle < SOONEST:
        yield message(
            "comprehension.times.seconds",
            "half of the times are below {middle:g} milliseconds; are they in seconds? "
            "They were taken for milliseconds",
            middle=middle * MILLISECONDS,
        )
        return
    if middle > LATEST:
        yield message(
            "comprehension.times.microseconds",
            "half of the times are above {middle:.4g} minutes; are they in microseconds? "
            "They were taken for milliseconds",
            middle=middle / 60,
        )
        return
    if soon := [item for item in timed if item.seconds < SOONEST]:
        yield message(
            "comprehension.times.soon",
            "{answers} came within {limit:g} milliseconds, {place}; outliers can be left out",
            answers=counted(len(soon), "answer"),
            limit=SOONEST * MILLISECONDS,
            place=first_at(soon),
        )
    if late := [item for item in timed if item.seconds > LATEST]:
        yield message(
            "comprehension.times.late",
            "{answers} took more than {limit:g} minutes, {place}; outliers can be left out",
            answers=counted(len(late), "answer"),
            limit=LATEST / 60,
            place=first_at(late),
        )


def first_at(answers: Sequence[Answer]) -> Message:
    """Where the only one is, or the first of several."""
    if len(answers) == 1:
        return message("comprehension.at", "at {place}", place=answers[0].place)
    return message("comprehension.first-at", "the first at {place}", place=answers[0].place)


def _without_outliers(answers: Sequence[Answer], outliers: Outliers) -> list[Answer]:
    kept: set[int] = set()
    for group in grouped(answers, lambda answer: (answer.passage, answer.version, answer.question)).values():
        inside = outliers.keep([answer.seconds for answer in group])
        kept |= {id(answer) for answer, stays in zip(group, inside, strict=True) if stays}
    return [answer for answer in answers if id(answer) in kept]
