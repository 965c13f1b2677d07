"""Are these good questions? Rules for experiments, each with what a designer should change.

The rules are those that Temnikova and Maneva (2013) followed, after Gronlund (1982): one correct answer; distractors
that agree with it in grammar and in length; four to five questions with four to five answers; texts of like length.
Where questions say their types, they should be about key aspects, so that memory alone does not help. Two more rules
follow from the purpose: each version must give the same chance, and the design must be balanced.

An error makes the numbers wrong, or the design impossible. Advice is about hints and readers' patience; a designer
may have reasons not to take it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Any, Literal

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, joined, plural
from plainly.base.plain_data import plain_fields
from plainly.comprehension.answer_checks import FEWEST, MOST, QUESTION_RULES, change
from plainly.comprehension.counted_words import words
from plainly.comprehension.design import design_faults
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.plurals import counted
from plainly.corpus.readers.files import shown

LENGTHS_APART = 0.25
"""By how much a text may be longer or shorter than the middle one."""
LONGEST_TEXT = 250
"""Words. The texts of the paper have 150 to 170, so as not to tire readers."""
DESIGN = "design"
"""The rule that is about plans only."""
ERRORS = (DESIGN, "same-version", "same-question", "same-answer")
"""The rules that an experiment must keep; the others are advice."""
UNDERSTOOD = {"condition": "conditions", "explanation": "explanations", "order": "the order of actions"}
"""Types of questions that the paper names as those about key aspects of a text."""
DETAIL = "detail"
"""The type of questions that memory can answer."""
ENOUGH_QUESTIONS = 8
"""To speak of a habit."""


@dataclass(frozen=True)
class Finding:
    """What should be changed, and where."""

    line: int
    place: str
    rule: str
    message: Message

    @property
    def severity(self) -> Literal["error", "advice"]:
        """An error makes the numbers wrong, or the design impossible."""
        return "error" if self.rule in ERRORS else "advice"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**plain_fields(self), "severity": self.severity}


@dataclass(frozen=True)
class WordRange:
    """How many words a text should have; the paper's have 150 to 170."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> WordRange:
        """From `150-170`."""
        numbers = [part.strip() for part in text.split("-")]
        if len(numbers) != 2 or not all(part.isascii() and part.isdecimal() and len(part) < 8 for part in numbers):
            raise PlainlyError(f"expected two numbers of words, as 150-170, not {text!r}")
        low, high = map(int, numbers)
        if not 0 < low <= high:
            raise PlainlyError(
                f"no text has {text} words: the first number must be above 0, and not above the second"
            )
        return cls(low, high)


def check_experiment(experiment: Experiment, wanted: WordRange | None = None) -> list[Finding]:
    """All that the rules find, in the order of the file; `wanted` says how many words each text should have."""
    found = [finding for rule in _RULES for finding in rule(experiment)]
    found += _lengths(experiment, wanted)
    return sorted(found, key=lambda finding: finding.line)


def refuse_errors(experiment: Experiment, file: str, planning: bool = True) -> None:
    """Refuses an experiment with an error. Once answers are there, it need not be one that can be planned."""
    errors = [
        finding
        for finding in check_experiment(experiment)
        if finding.severity == "error" and (planning or finding.rule != DESIGN)
    ]
    if errors:
        first = errors[0]
        more = f" (and {plural(len(errors) - 1, 'more error')})" if len(errors) > 1 else ""
        raise PlainlyError(
            f"{shown(file)}:{first.line}: {first.place}: {first.message}{more}; "
            "plainly comprehension check says all that should be changed"
        )


def _questions(experiment: Experiment) -> Iterator[Finding]:
    """The rules for a single question."""
    for passage in experiment.passages:
        for question in passage.questions:
            for rule, check in QUESTION_RULES.items():
                for message in check(question, passage, experiment.lang):
                    yield Finding(question.line, question.id, rule, message)


def _numbers(experiment: Experiment) -> Iterator[Finding]:
    for passage in experiment.passages:
        count = len(passage.questions)
        if not FEWEST <= count <= MOST:
            mend = "ask more" if count < FEWEST else "leave some out"
            message = change(
                "few-questions" if count < FEWEST else "many-questions",
                f"{{questions}}; {mend}: {FEWEST} to {MOST} tell enough and do not tire readers",
                questions=counted(count, "question"),
            )
            yield Finding(passage.line, passage.id, "questions", message)


def _same_question(experiment: Experiment) -> Iterator[Finding]:
    """Within a passage; and between passages, if the correct answer is the same too: readers know it by then."""
    elsewhere: dict[tuple[tuple[str, ...], ...], str] = {}
    for passage in experiment.passages:
        here: dict[tuple[str, ...], str] = {}
        for question in passage.questions:
            text, key = (tuple(words(said, experiment.lang)) for said in (question.text, question.key))
            before = here.get(text) or elsewhere.get((text, key))
            if before:
                message = change("same-question", "asks the same as {before}; ask something else", before=before)
                yield Finding(question.line, question.id, "same-question", message)
            here.setdefault(text, question.id)
            elsewhere.setdefault((text, key), question.id)


def _versions(experiment: Experiment) -> Iterator[Finding]:
    """A text that is there twice, in one passage or in two."""
    seen: dict[tuple[str, ...], str] = {}
    for passage in experiment.passages:
        for version in passage.versions:
            place, text = f"{passage.id}/{version.id}", tuple(version.text.split())
            if text in seen:
                message = change(
                    "same-version", "has the same text as {before}; put in the right text", before=seen[text]
                )
                yield Finding(version.line, place, "same-version", message)
            seen.setdefault(text, place)


def _lengths(experiment: Experiment, wanted: WordRange | None) -> Iterator[Finding]:
    """Over all versions of all passages: the C-Scores simple and complete take texts for equally long.

    Of several complaints about a text the first one counts; the last is that a text tires its readers.
    """
    texts = [
        (f"{passage.id}/{version.id}", version, len(words(version.text, experiment.lang)))
        for passage in experiment.passages
        for version in passage.versions
    ]
    middle = median(count for _, _, count in texts)
    for place, version, count in texts:
        if wanted and not wanted.low <= count <= wanted.high:
            side, mend = ("above", "shorten") if count > wanted.high else ("below", "lengthen")
            english = f"{{words}}; {mend} it to {{low}} to {{high}}, as you asked"
            message = change(f"words-{side}", english, words=counted(count, "word"), low=wanted.low, high=wanted.high)
            yield Finding(version.line, place, "text-length", message)
        elif abs(count - middle) > LENGTHS_APART * middle:
            side, mend = ("long", "shorten") if count > middle else ("short", "lengthen")
            message = change(
                f"text-{side}",
                f"{{words}}, where the middle text has {{middle:g}}; {mend} it to {{low:.0f}} to {{high:.0f}} words, "
                "or compare by c-score-textsize",
                words=counted(count, "word"),
                middle=middle,
                low=(1 - LENGTHS_APART) * middle,
                high=(1 + LENGTHS_APART) * middle,
            )
            yield Finding(version.line, place, "text-length", message)
        elif not wanted and count > LONGEST_TEXT:
            english = f"{{count}} words; up to about {LONGEST_TEXT} keep readers' attention"
            yield Finding(version.line, place, "text-length", change("longest-text", english, count=count))


def _habit(experiment: Experiment) -> Iterator[Finding]:
    """Each correct answer may be a little longer than the others; if all are, readers learn it."""
    for side, ends in (("longest", max), ("shortest", min)):
        alone = total = 0
        for passage in experiment.passages:
            for question in passage.questions:
                lengths = [len(answer) for answer in question.answers]
                extreme = ends(lengths)
                total += 1
                alone += lengths[question.correct] == extreme and lengths.count(extreme) == 1
        if total >= ENOUGH_QUESTIONS and 2 * alone > total:
            english = f"the correct answer is the {side} in {{alone}} of {{total}} questions; vary it"
            message = change(f"always-{side}", english, alone=alone, total=total)
            yield Finding(experiment.passages[0].line, "experiment", "answer-length", message)


def _types(experiment: Experiment) -> Iterator[Finding]:
    """Key aspects of a text need understanding, details a good memory. Who says no types is not asked for them."""
    if not any(question.type for passage in experiment.passages for question in passage.questions):
        return
    understood = joined([change(f"type.{name}", text) for name, text in UNDERSTOOD.items()], ", ")
    for passage in experiment.passages:
        for question in passage.questions:
            if not question.type:
                message = change("no-type", "it has no type, but others have; say what it asks for")
                yield Finding(question.line, question.id, "question-type", message)
            elif question.type == DETAIL:
                english = "it asks for a detail, which is a matter of memory; ask for key aspects: {understood}"
                message = change("detail", english, understood=understood)
                yield Finding(question.line, question.id, "question-type", message)
        types = {question.type for question in passage.questions}
        if "" not in types and not types & {*UNDERSTOOD}:
            english = "no question here needs more than finding a fact; ask for {understood} too"
            message = change("facts-only", english, understood=understood)
            yield Finding(passage.line, passage.id, "question-type", message)


def _design(experiment: Experiment) -> Iterator[Finding]:
    for passage, message in islice(design_faults(experiment), 1):
        yield Finding(passage.line, "experiment", DESIGN, message)


def _told(experiment: Experiment) -> Iterator[Finding]:
    if not experiment.instructions.strip():
        english = "no instructions; tell readers what to do, and that they cannot go back to the text"
        yield Finding(1, "experiment", "instructions", change("instructions", english))
    if not experiment.consent.strip():
        english = "no consent; ask participants whether their answers may be kept and used"
        yield Finding(1, "experiment", "consent", change("consent", english))


_RULES: tuple[Callable[[Experiment], Iterator[Finding]], ...] = (
    _told,
    _design,
    _versions,
    _numbers,
    _same_question,
    _habit,
    _types,
    _questions,
)
