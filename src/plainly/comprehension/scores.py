"""The C-Score of a text (Temnikova and Maneva 2013): how much readers understand, and how fast.

With Pr the percentage of correct answers among all answers about the text, t the mean time of all these answers,
t(q) the mean time of the answers to question q, Nq the number of questions, and Ts the words of the text:

    c-score-simple    Pr / t                                    (equation 1)
    c-score-complete  Pr / Nq * sum over q of Qs(q) / t(q)      (equation 2)
    c-score-textsize  Ts * c-score-complete                     (equation 4)
    Qs(q)             Na * (Lq + La)                            (equation 3)

Na is the number of answers of a question, Lq its words, La the words of all its answers together. Higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.groups import grouped
from plainly.comprehension.counted_words import words
from plainly.comprehension.records import Answer
from plainly.inference.resampling import bootstrap_weights, check_at_least, weighted_totals
from plainly.metrics import Array

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment, Question

T = TypeVar("T")

FORMULAS = ("c-score-simple", "c-score-complete", "c-score-textsize")
Scale = Literal["plain", "tables"]
SCALES: dict[str, tuple[float, float, float]] = {"plain": (1, 1, 1), "tables": (10, 0.1, 0.001)}
"""What the scores are multiplied by. `tables` is for percentages and seconds; docs/comprehension.md derives it."""
UNITS = {"milliseconds": 0.001, "seconds": 1.0, "minutes": 60.0}


@dataclass(frozen=True)
class Settings:
    """What the numbers of a C-Score depend on, besides the answers."""

    unit: float = 1.0
    """Of time, in seconds."""
    scale: Scale = "plain"
    guessing: bool = False
    """Whether a wrong answer costs 1 / (Na - 1), so that guessing gains nothing on average."""

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise UnknownName("scale", self.scale, get_args(Scale))
        if not 0 < self.unit < math.inf:
            raise PlainlyError(f"the unit of time must be a number of seconds above 0, not {self.unit}")
        if self.scale == "tables" and self.unit != 1:
            raise PlainlyError("the scale of the paper's tables is for times in seconds; leave the time unit out")


AS_PRINTED = Settings()


def unit_of(text: str) -> float:
    """Seconds in a unit of time: a name, or a number of seconds."""
    if text in UNITS:
        return UNITS[text]
    try:
        return float(text)
    except ValueError:
        raise UnknownName("unit of time", text, UNITS) from None


def question_size(question: Question, lang: str) -> int:
    """Qs: the number of answers times the words of question and answers (equation 3)."""
    return len(question.answers) * sum(len(words(text, lang)) for text in (question.text, *question.answers))


@dataclass(frozen=True)
class Sums:
    """What the answers about one text add up to: (..., questions)."""

    answers: Array
    credit: Array
    """Correct answers; with correction for guessing, less what the wrong ones cost."""
    seconds: Array


@dataclass(frozen=True)
class TextAnswers:
    """The answers about one version of one passage: tables of participants by questions."""

    passage: str
    version: str
    questions: tuple[str, ...]
    given: Array
    correct: Array
    credit: Array
    seconds: Array
    sizes: Array | None
    """Question sizes; None where the experiment is not known."""
    words: int | None

    @property
    def participants(self) -> int:
        """How many answered at least one question."""
        return int((self.given.sum(1) > 0).sum())

    @property
    def observed(self) -> Sums:
        """Over all participants."""
        return Sums(self.given.sum(0), self.credit.sum(0), self.seconds.sum(0))

    @property
    def left_out(self) -> Sums:
        """Over all participants but one, each left out in turn."""
        tables = (self.given, self.credit, self.seconds)
        return Sums(*(table.sum(0) - table for table in tables))

    def scores(self, sums: Sums, settings: Settings) -> Array:
        """The scores of `FORMULAS` along a new last axis; NaN where there is nothing to score."""
        complete = np.full(sums.answers.shape[:-1], np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            count = sums.answers.sum(-1)
            percentage = 100 * sums.credit.sum(-1) / count
            simple = percentage / (sums.seconds.sum(-1) / settings.unit / count)
            if self.sizes is not None:
                # A question that nobody of a resample answered is not asked there.
                speeds = np.where(sums.answers > 0, self.sizes * sums.answers * settings.unit / sums.seconds, 0)
                complete = percentage * speeds.sum(-1) / (sums.answers > 0).sum(-1)
        textsize = complete * (math.nan if self.words is None else self.words)
        scores: Array = np.stack([simple, complete, textsize], -1) * np.array(SCALES[settings.scale])
        return scores


def by_text(
    answers: Sequence[Answer], settings: Settings = AS_PRINTED, experiment: Experiment | None = None
) -> list[TextAnswers]:
    """The tables of every text that was read, all with the same participants in the same order."""
    if settings.guessing and experiment is None:
        raise PlainlyError("correction for guessing needs the experiment: how many answers has a question?")
    rows = {name: place for place, name in enumerate(dict.fromkeys(answer.participant for answer in answers))}
    texts = grouped(answers, lambda answer: (answer.passage, answer.version))
    return [_table(key, group, rows, settings, experiment) for key, group in in_order(texts, experiment)]


def in_order(texts: Mapping[tuple[str, str], T], experiment: Experiment | None) -> list[tuple[tuple[str, str], T]]:
    """Texts as the experiment lists them, else by number and name: the order of answers is random."""
    if experiment is None:
        return sorted(texts.items(), key=lambda item: (by_number(item[0][0]), by_number(item[0][1])))
    keys = [(passage.id, version.id) for passage in experiment.passages for version in passage.versions]
    return [(key, texts[key]) for key in keys if key in texts]


def by_number(name: str) -> tuple[int, str]:
    """A key to sort names by: 2 comes before 10."""
    return (int(name), "") if name.isascii() and name.isdecimal() and len(name) < 19 else (1 << 63, name)


def _table(
    key: tuple[str, str],
    group: Sequence[Answer],
    rows: Mapping[str, int],
    settings: Settings,
    experiment: Experiment | None,
) -> TextAnswers:
    passage, version = key
    asked = {} if experiment is None else {item.id: item for item in experiment.passage(passage).questions}
    present = {answer.question for answer in group}
    questions = [name for name in asked if name in present] if asked else sorted(present, key=by_number)
    columns = {name: place for place, name in enumerate(questions)}
    given, correct, seconds = (np.zeros((len(rows), len(columns))) for _ in range(3))
    for answer in group:
        at = rows[answer.participant], columns[answer.question]
        given[at], correct[at], seconds[at] = 1, bool(answer.correct), answer.seconds
    credit = correct
    if settings.guessing:
        credit = correct - (given - correct) / np.array([len(asked[name].answers) - 1 for name in questions])
    sizes = length = None
    if experiment is not None:
        sizes = np.array([question_size(asked[name], experiment.lang) for name in questions], dtype=float)
        text = next(item.text for item in experiment.passage(passage).versions if item.id == version)
        length = len(words(text, experiment.lang))
    return TextAnswers(passage, version, tuple(questions), given, correct, credit, seconds, sizes, length)


def resampled_scores(texts: Sequence[TextAnswers], settings: Settings, resamples: int, seed: int) -> list[Array]:
    """For each text its scores when participants are drawn anew: (resamples, formulas). All texts share the draws."""
    check_at_least("resamples", resamples, 1)
    tables = [np.concatenate([text.given, text.credit, text.seconds], axis=1) for text in texts]
    drawn = weighted_totals(bootstrap_weights(len(tables[0]), resamples, seed), tables)
    return [
        text.scores(Sums(*np.split(totals, 3, axis=1)), settings) for text, totals in zip(texts, drawn, strict=True)
    ]
