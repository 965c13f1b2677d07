"""Answers of readers to questions about texts, and what cannot be right in them.

A fault is refused with its row named, or kept apart, listed and counted: nothing is dropped in silence. Every check
looks at all answers, so that a row with one fault cannot hide what it says of another row.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from plainly.base.errors import PlainlyError, Remedy, UnknownName
from plainly.base.groups import grouped
from plainly.corpus.readers.files import shown

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment, Passage

FaultRule = Literal["refuse", "apart"]
OF_READERS = ("age", "gender", "profession", "domain_background", "native_language", "level")
"""Columns of the paper's Table 1 that say something of the participant, the same in all rows."""
MILLISECONDS = 1000.0
"""In a second: files have milliseconds."""
LONGEST = 86_400.0
"""Seconds: a day. Nobody answers a question for longer."""
MOST_SHOWN = 20
"""Faults that a refusal names."""


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
class RowApart:
    """A row that was kept apart, and why. It counts as of the first kind of fault that was found in it."""

    file: str
    row: int
    participant: str
    kind: str
    reason: str


@dataclass(frozen=True)
class Records:
    """Answers that can be used, and those that were kept apart."""

    answers: tuple[Answer, ...]
    apart: tuple[RowApart, ...] = ()
    """Each row once, in the order of the file."""
    faults: FaultRule = "refuse"

    @property
    def kept_apart(self) -> dict[str, int]:
        """How many answers of each kind of fault."""
        return dict(Counter(row.kind for row in self.apart))


def gathered(
    answers: Sequence[Answer],
    experiment: Experiment | None = None,
    faults: FaultRule = "refuse",
    by: Sequence[str] = (),
) -> Records:
    """Check answers, one by one and against each other; an experiment says which are correct.

    `by` names more columns that say something of participants, beside those of `OF_READERS` and of the form.
    """
    if faults not in get_args(FaultRule):
        raise UnknownName("rule for faults", faults, get_args(FaultRule))
    if not answers:
        raise PlainlyError("there are no answers")
    key = None if experiment is None else {passage.id: passage for passage in experiment.passages}
    form = () if experiment is None else (item.id for item in experiment.form)
    found = [
        *_unlike_the_experiment(answers, key),
        *_without_a_time(answers),
        *_given_twice(answers),
        *(_two_correct(answers) if key is None else ()),  # with an experiment, that one decides
        *_both_versions(answers, key),
        *_half_completed(answers),
        *_changed(answers, dict.fromkeys([*OF_READERS, *form, *by])),
    ]
    if found and faults == "refuse":
        raise _refusal(sorted(found, key=lambda fault: (fault.answers[0].file, fault.answers[0].row)))
    gone: dict[int, list[Fault]] = defaultdict(list)
    for fault in found:
        for answer in fault.answers:
            gone[id(answer)].append(fault)
    left = [answer for answer in answers if id(answer) not in gone]
    if not left:
        raise PlainlyError(f"no answer can be used: {found[0]}")
    apart = [_row_apart(answer, gone[id(answer)]) for answer in answers if id(answer) in gone]
    return Records(tuple(_marked(answer, key) for answer in left), tuple(apart), faults)


def _refusal(found: Sequence[Fault]) -> PlainlyError:
    """The first fault in words, and where the others are."""
    rows: dict[str, list[str]] = defaultdict(list)
    for fault in found[1:MOST_SHOWN]:
        rows[fault.kind].append(str(fault.answers[0].row))
    places = "; ".join(
        f"{kind}, {'rows' if len(numbers) > 1 else 'row'} {', '.join(numbers)}" for kind, numbers in rows.items()
    )
    more = f" (and {len(found) - 1} more: {places}{' ...' if len(found) > MOST_SHOWN else ''})" if places else ""
    apart = Remedy("faults", "apart", f"to keep such rows apart, or mend {'them' if more else 'it'}")
    return PlainlyError(f"{found[0]}{more}", remedy=apart)


def _row_apart(answer: Answer, faults: Sequence[Fault]) -> RowApart:
    """The reason names the row that is wrong, where that is another one."""
    reasons = (fault.message if fault.answers[0] is answer else str(fault) for fault in faults)
    reason = "; ".join(dict.fromkeys(reasons))
    return RowApart(answer.file, answer.row, answer.participant, faults[0].kind, reason)


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
        elif not 0 < answer.seconds <= LONGEST:
            time = f"{answer.seconds * MILLISECONDS:g} milliseconds"
            bound = "above 0" if answer.seconds <= 0 else "at most a day, 86400000 milliseconds"
            yield Fault("time", f"the time must be {bound}, not {time}", (answer,))


def _given_twice(answers: Sequence[Answer]) -> Iterator[Fault]:
    """The same question answered again about the same version; the first answer, by `order`, stands."""
    first: dict[tuple[str, str, str, str], Answer] = {}
    for answer in sorted(answers, key=lambda answer: answer.order):
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
    for (_, question), group in grouped(answers, lambda answer: (answer.passage, answer.question)).items():
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


def _both_versions(answers: Sequence[Answer], key: Mapping[str, Passage] | None) -> Iterator[Fault]:
    """Who has read one version knows what the other says. A version that does not exist was not read."""
    texts = None if key is None else {(passage.id, item.id) for passage in key.values() for item in passage.versions}
    there = [answer for answer in answers if texts is None or (answer.passage, answer.version) in texts]
    for (participant, passage), group in grouped(there, lambda answer: (answer.participant, answer.passage)).items():
        second = next((answer for answer in group if answer.version != group[0].version), None)
        if second is not None:
            yield Fault(
                "both versions",
                f"participant {shown(participant)} saw version {shown(second.version)} of passage {shown(passage)}, "
                f"and {shown(group[0].version)} at {group[0].place}",
                (second, *(answer for answer in group if answer is not second)),
            )


def _half_completed(answers: Sequence[Answer]) -> Iterator[Fault]:
    for participant, group in grouped(answers, lambda answer: answer.participant).items():
        usual, other = _odd_one_out(group, lambda answer: answer.completed)
        if other is not None:
            yield Fault(
                "contradiction",
                f"whether participant {shown(participant)} completed the experiment differs from {usual.place}",
                (other, *(answer for answer in group if answer is not other)),
            )


def _changed(answers: Sequence[Answer], columns: Iterable[str]) -> Iterator[Fault]:
    """A participant of two ages would be in two groups of readers."""
    for participant, group in grouped(answers, lambda answer: answer.participant).items():
        for column in columns:
            usual, other = _odd_one_out(group, partial(_said, column))
            if other is not None:
                here, there = (shown(_said(column, answer)) or "empty" for answer in (other, usual))
                whose = f"{shown(column)} of participant {shown(participant)}"
                yield Fault(
                    "contradiction",
                    f"{whose} is {here}, but {there} at {usual.place}",
                    (other, *(answer for answer in group if answer is not other)),
                )


def _said(column: str, answer: Answer) -> str:
    return answer.fields.get(column, "")


def _odd_one_out(group: Sequence[Answer], value: Callable[[Answer], Hashable]) -> tuple[Answer, Answer | None]:
    """The first answer that says what most say, and the first that says otherwise; of equals the first is right."""
    ((most, _),) = Counter(map(value, group)).most_common(1)
    usual = next(answer for answer in group if value(answer) == most)
    return usual, next((answer for answer in group if value(answer) != most), None)
