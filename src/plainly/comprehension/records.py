"""Answers of readers to questions about texts, and what cannot be right in them.

A fault is refused with its row named, or kept apart and counted: nothing is dropped in silence.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

from plainly.corpus.readers.files import shown
from plainly.errors import PlainlyError, UnknownName

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment, Passage

FaultRule = Literal["refuse", "apart"]


@dataclass(frozen=True)
class Answer:
    """One answer of one participant to one question about one version of a passage."""

    participant: str
    passage: str
    version: str
    question: str
    answer: int | None
    """Its place among the answers as the experiment lists them, from 0; None where none was given."""
    correct: bool | None
    """None where it is not known; an experiment tells it then."""
    seconds: float
    """NaN where there is no time."""
    order: int = 0
    """Which answer of this participant it was, from 0."""
    row: int = 0
    fields: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What is known of the participant: age, level, ..."""
    completed: bool = True
    """Whether the participant went through the whole experiment."""
    file: str = ""

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"{self.file}:{self.row}" if self.file else f"row {self.row}"


@dataclass(frozen=True)
class Fault:
    """Why answers cannot be used. The first of them is the one that was found to be wrong."""

    kind: str
    message: str
    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        return f"{self.answers[0].place}: {self.message}"


@dataclass(frozen=True)
class Records:
    """Answers that can be used, and those that were kept apart."""

    answers: tuple[Answer, ...]
    apart: tuple[Fault, ...] = ()

    @property
    def kept_apart(self) -> dict[str, int]:
        """How many answers of each kind of fault."""
        counts: Counter[str] = Counter()
        for fault in self.apart:
            counts[fault.kind] += len(fault.answers)
        return dict(counts)


def gathered(
    answers: Sequence[Answer], experiment: Experiment | None = None, faults: FaultRule = "refuse"
) -> Records:
    """Check answers, one by one and against each other; an experiment says which are correct."""
    if faults not in get_args(FaultRule):
        raise UnknownName("rule for faults", faults, get_args(FaultRule))
    if not answers:
        raise PlainlyError("there are no answers")
    apart: list[Fault] = []
    left = list(answers)
    key = None if experiment is None else {passage.id: passage for passage in experiment.passages}
    checks: list[Callable[[Sequence[Answer]], Iterator[Fault]]] = [
        lambda rows: _unlike_the_experiment(rows, key),
        _without_a_time,
        _given_twice,
        _two_correct,
        _both_versions,
        _half_completed,
    ]
    for check in checks:
        found = list(check(left))
        if found and faults == "refuse":
            first = min(found, key=lambda fault: (fault.answers[0].file, fault.answers[0].row))
            more = f" (and {len(found) - 1} more like it)" if len(found) > 1 else ""
            raise PlainlyError(f"{first}{more}; mend it, or keep such rows apart with --faults apart")
        gone = {id(answer) for fault in found for answer in fault.answers}
        left = [answer for answer in left if id(answer) not in gone]
        apart += found
    if not left:
        raise PlainlyError(f"no answer can be used: {apart[0]}")
    return Records(tuple(_marked(answer, key) for answer in left), tuple(apart))


def _marked(answer: Answer, key: Mapping[str, Passage] | None) -> Answer:
    """With its correctness known: no answer is not correct."""
    if answer.answer is None:
        return replace(answer, correct=False)
    if key is None:
        return answer
    question = next(item for item in key[answer.passage].questions if item.id == answer.question)
    return replace(answer, correct=answer.answer == question.correct)


def _unlike_the_experiment(answers: Sequence[Answer], key: Mapping[str, Passage] | None) -> Iterator[Fault]:
    for answer in answers:
        complaint = _unmarked(answer) if key is None else _unknown(answer, key)
        if complaint:
            yield Fault(*complaint, (answer,))


def _unmarked(answer: Answer) -> tuple[str, str] | None:
    if answer.answer is not None and answer.correct is None:
        return (
            "unmarked",
            "whether the answer is correct is not said; give the experiment, or fill the column correct",
        )
    if answer.answer is None and answer.correct:
        return "contradiction", "no answer is given, but it is marked as correct"
    return None


def _unknown(answer: Answer, key: Mapping[str, Passage]) -> tuple[str, str] | None:
    """What the experiment does not have, or says otherwise."""
    passage = key.get(answer.passage)
    if passage is None:
        return "unknown text", f"the experiment has no passage {shown(answer.passage)}"
    if answer.version not in (version.id for version in passage.versions):
        return "unknown text", f"passage {shown(answer.passage)} has no version {shown(answer.version)}"
    question = next((item for item in passage.questions if item.id == answer.question), None)
    if question is None:
        return "unknown question", f"passage {shown(answer.passage)} has no question {shown(answer.question)}"
    if answer.answer is not None and not 0 <= answer.answer < len(question.answers):
        last = len(question.answers) - 1
        return "unknown answer", f"question {shown(answer.question)} has answers 0 to {last}, not {answer.answer}"
    right = answer.answer == question.correct
    if answer.correct is not None and answer.correct != right:
        marked, truly = ("correct", "wrong") if answer.correct else ("wrong", "correct")
        return "contradiction", f"answer {answer.answer} is marked as {marked}, but by the experiment it is {truly}"
    return None


def _without_a_time(answers: Sequence[Answer]) -> Iterator[Fault]:
    for answer in answers:
        if math.isnan(answer.seconds):
            if answer.answer is not None:
                yield Fault("time", "the time is absent", (answer,))
        elif not 0 < answer.seconds < math.inf:
            yield Fault("time", f"the time must be above 0, not {answer.seconds:g} seconds", (answer,))


def _given_twice(answers: Sequence[Answer]) -> Iterator[Fault]:
    """The same question answered again about the same version; the first answer stands."""
    first: dict[tuple[str, str, str, str], Answer] = {}
    for answer in answers:
        key = (answer.participant, answer.passage, answer.version, answer.question)
        if first.setdefault(key, answer) is not answer:
            yield Fault(
                "twice",
                f"participant {shown(answer.participant)} answered question {shown(answer.question)} before, "
                f"at {first[key].place}",
                (answer,),
            )


def _two_correct(answers: Sequence[Answer]) -> Iterator[Fault]:
    """A question has one correct answer: none of the answers to another can be judged."""
    for (_, question), group in _grouped(answers, lambda answer: (answer.passage, answer.question)):
        marks: dict[int, Answer] = {}
        for answer in group:
            if answer.answer is None or answer.correct is None:
                continue
            before = marks.setdefault(answer.answer, answer)
            if before.correct != answer.correct:
                complaint = (
                    f"answer {answer.answer} to question {shown(question)} is correct here or at {before.place}"
                )
                complaint += ", but not at both"
                break
            if answer.correct and (other := _other_correct(marks, answer)):
                complaint = f"question {shown(question)} has two correct answers: {answer.answer}, and {other.answer}"
                complaint += f" at {other.place}"
                break
        else:
            continue
        yield Fault("two correct answers", complaint, (answer, *(item for item in group if item is not answer)))


def _other_correct(marks: Mapping[int, Answer], answer: Answer) -> Answer | None:
    return next((other for place, other in marks.items() if other.correct and place != answer.answer), None)


def _both_versions(answers: Sequence[Answer]) -> Iterator[Fault]:
    """Who has read one version knows what the other says."""
    for (participant, passage), group in _grouped(answers, lambda answer: (answer.participant, answer.passage)):
        second = next((answer for answer in group if answer.version != group[0].version), None)
        if second is not None:
            yield Fault(
                "both versions",
                f"participant {shown(participant)} saw version {shown(second.version)} of passage {shown(passage)}, "
                f"and {shown(group[0].version)} at {group[0].place}",
                (second, *(answer for answer in group if answer is not second)),
            )


def _half_completed(answers: Sequence[Answer]) -> Iterator[Fault]:
    for (participant,), group in _grouped(answers, lambda answer: (answer.participant,)):
        other = next((answer for answer in group if answer.completed != group[0].completed), None)
        if other is not None:
            yield Fault(
                "contradiction",
                f"whether participant {shown(participant)} completed the experiment differs from {group[0].place}",
                (other, *(answer for answer in group if answer is not other)),
            )


def _grouped(
    answers: Sequence[Answer], key: Callable[[Answer], tuple[str, ...]]
) -> Iterator[tuple[tuple[str, ...], list[Answer]]]:
    groups: dict[tuple[str, ...], list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[key(answer)].append(answer)
    yield from groups.items()
