"""Readers whose understanding is known: simulated answers, to plan experiments and to test what is made of answers.

Participant i, with ability a_i, knows the answer to question q about version v with the probability

    k = 1 / (1 + exp(-(b_v + a_i + e_q)))           a ~ N(0, ability_sd^2), e ~ N(0, ease_sd^2)

and guesses otherwise: P(correct) = g + (1 - g) k, where g is 1 / number of answers, unless another share is set.
b_v is such that the share of correct answers, over readers and questions, is what `Effects` say: `correct` for the
first version, and `correct + difference` for every other. Times do not depend on the answer:

    log t = log(seconds) + log(1 - faster) [v is not the first] + s_i + u_q + noise

with normal speeds s (`speed_sd`), questions u (`length_sd`) and noise (`noise_sd`). Wrong answers are spread evenly.
Who would take longer than the experiment allows (`answer_seconds`; a day, where it says nothing) gives no answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.comprehension.design import Plan, make_plan
from plainly.comprehension.experiment import Experiment, Field, Passage, Question, Version
from plainly.comprehension.records import LONGEST, Answer
from plainly.inference.estimates import NORMAL
from plainly.metrics import Array

WIDEST = 10.0
"""Of standard deviations, in logits or in log seconds."""
AGES = (19, 59)
"""As in the experiment of Temnikova and Maneva (2013)."""

_READERS = 3  # whose random numbers these are: the design has 0 to 2
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(101)
_SHARES = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True)
class Effects:
    """What is true of readers, questions and versions. Shares go from 0 to 1; the first version is the baseline."""

    correct: float = 0.6
    """Share of correct answers about the first version, good guesses among them."""
    difference: float = 0.1
    """What another version adds to it."""
    seconds: float = 20.0
    """Median time to answer a question about the first version."""
    faster: float = 0.1
    """Share of the time that another version saves."""
    ability_sd: float = 1.0
    ease_sd: float = 0.8
    speed_sd: float = 0.3
    length_sd: float = 0.25
    noise_sd: float = 0.5
    guessing: float | None = None
    unfinished: float = 0.0
    """Share of the participants who stop before the last text."""

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and not math.isfinite(value):
                raise PlainlyError(f"{item.name} must be a number, not {value}")
            if item.name.endswith("_sd") and not 0 <= value <= WIDEST:
                raise PlainlyError(f"{item.name} must lie between 0 and {WIDEST:g}, not {value:g}")
        if not 0 < self.seconds <= LONGEST:
            raise PlainlyError(f"seconds must be above 0 and at most {LONGEST:g}, not {self.seconds:g}")
        if not -9 <= self.faster < 1:
            raise PlainlyError(f"faster is a share of the time below 1, not {self.faster:g}")
        if self.guessing is not None and not 0 <= self.guessing < 1:
            raise PlainlyError(f"guessing is a share from 0 to below 1, not {self.guessing:g}")
        if not 0 <= self.unfinished <= 1:
            raise PlainlyError(f"unfinished is a share from 0 to 1, not {self.unfinished:g}")


@dataclass(frozen=True)
class Expected:
    """What is true of a question about a version, over all readers there could be."""

    passage: str
    version: str
    question: str
    correct: float
    """The probability of a correct answer."""
    seconds: float
    """The mean time of the answers that are given."""


@dataclass(frozen=True)
class Simulated:
    """Answers, the plan they follow, and what is true."""

    plan: Plan
    answers: tuple[Answer, ...]
    truth: tuple[Expected, ...]


@dataclass(frozen=True)
class Model:
    """The effects, made ready for the questions of an experiment."""

    questions: tuple[tuple[Passage, Question], ...]
    guessing: Array
    """(questions)."""
    base: Array
    """b_v: (first or other version, questions)."""
    pace: Array
    """Log seconds: (first or other version)."""
    limit: float
    """Seconds to answer a question."""
    effects: Effects

    def probability(self, logits: Array) -> Array:
        """Of a correct answer; the last axis are the questions."""
        shares: Array = self.guessing + (1 - self.guessing) / (1 + np.exp(-logits))
        return shares


def model_of(experiment: Experiment, effects: Effects) -> Model:
    """The model for an experiment; shares that guessing alone exceeds are refused."""
    questions = tuple((passage, question) for passage in experiment.passages for question in passage.questions)
    guessing = np.array(
        [1 / len(question.answers) if effects.guessing is None else effects.guessing for _, question in questions]
    )
    shares = (effects.correct, effects.correct + effects.difference)
    for share in shares:
        if not guessing.max() < share < 1:
            raise PlainlyError(
                f"a share of {share:.3g} correct answers cannot be: it must lie above that of guessing, "
                f"{guessing.max():.3g}, and below 1"
            )
    spread = math.hypot(effects.ability_sd, effects.ease_sd)
    known = {
        (share, float(g)): _base((share - float(g)) / (1 - float(g)), spread) for share in shares for g in guessing
    }
    base = np.array([[known[share, float(g)] for g in guessing] for share in shares])
    pace = math.log(effects.seconds) + np.array([0.0, math.log(1 - effects.faster)])
    return Model(questions, guessing, base, pace, experiment.answer_seconds or LONGEST, effects)


def _base(share: float, spread: float) -> float:
    """The b for which the mean of 1 / (1 + exp(-(b + x))), x ~ N(0, spread^2), is the share; by halving."""
    low, high = -200.0, 200.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if _mean_share(middle, spread) < share else (low, middle)
    return (low + high) / 2


def _mean_share(base: float, spread: float) -> float:
    return float((_SHARES / (1 + np.exp(-(base + spread * _NODES)))).sum())


def simulated(
    experiment: Experiment, participants: int, effects: Effects | None = None, seed: int = 12345
) -> Simulated:
    """Answers of so many participants to an experiment, by the plan of the same seed."""
    effects = effects or Effects()
    model = model_of(experiment, effects)
    plan = make_plan(experiment, participants, seed)
    draw = np.random.default_rng([seed, _READERS, participants])
    count = len(model.questions)
    ease = draw.normal(0, effects.ease_sd, count)
    length = draw.normal(0, effects.length_sd, count)
    answers: list[Answer] = []
    places = {question.id: place for place, (_, question) in enumerate(model.questions)}
    first = experiment.version_ids[0]
    for sheet in plan.sheets:
        known = _form(experiment.form, draw)
        ability, speed = draw.normal(0, effects.ability_sd), draw.normal(0, effects.speed_sd)
        luck, noise = draw.random(count), draw.normal(0, effects.noise_sd, count)
        chosen = draw.random(count)
        texts = len(sheet.readings)
        stops = draw.random() < effects.unfinished
        last = int(draw.integers(1, texts)) if stops and texts > 1 else texts
        order = 0
        for reading in sheet.readings[:last]:
            version = int(reading.version != first)
            right = luck < model.probability(model.base[version] + ability + ease)
            seconds = np.exp(model.pace[version] + speed + length + noise)
            for asked in reading.questions:
                place = places[asked.question]
                question = model.questions[place][1]
                wrong = [number for number in range(len(question.answers)) if number != question.correct]
                answer = question.correct if right[place] else wrong[int(chosen[place] * len(wrong))]
                taken = max(0.001, round(float(seconds[place]), 3))  # as measured: in ms
                in_time = taken <= model.limit
                answers.append(
                    Answer(
                        participant=str(sheet.participant),
                        passage=reading.passage,
                        version=reading.version,
                        question=asked.question,
                        answer=answer if in_time else None,
                        correct=in_time and bool(right[place]),
                        seconds=min(taken, model.limit),
                        order=order,
                        row=len(answers) + 1,
                        fields=known,
                        completed=last == texts,
                    )
                )
                order += 1
    return Simulated(plan, tuple(answers), tuple(_truth(experiment, model, ease, length)))


def _truth(experiment: Experiment, model: Model, ease: Array, length: Array) -> Iterator[Expected]:
    """Shares and mean times of the questions that were drawn, over readers.

    A limit of time leaves the shares as they are: how fast a reader is does not depend on what the reader knows.
    """
    effects = model.effects
    spread = math.hypot(effects.speed_sd, effects.noise_sd)
    for version, name in enumerate(experiment.version_ids):
        other = int(version > 0)
        logits = model.base[other] + ease + effects.ability_sd * _NODES[:, None]
        shares = (_SHARES[:, None] * model.probability(logits)).sum(0)
        seconds = [_mean_within(model.limit, float(middle), spread) for middle in model.pace[other] + length]
        for place, (passage, question) in enumerate(model.questions):
            yield Expected(passage.id, name, question.id, float(shares[place]), seconds[place])


def _mean_within(limit: float, middle: float, spread: float) -> float:
    """The mean of log-normal times up to a limit, from the mean and standard deviation of their logarithms.

    Without a limit it is exp(m + s^2 / 2). Up to L it is that times F((log L - m) / s - s) / F((log L - m) / s), with
    F the normal distribution. It is NaN where nobody answers in time.
    """
    reach = math.log(limit) - middle
    if not spread:
        return math.exp(middle) if reach >= 0 else math.nan
    inside = NORMAL.cdf(reach / spread)
    if not inside:
        return math.nan
    return math.exp(middle + spread**2 / 2) * NORMAL.cdf(reach / spread - spread) / inside


def _form(form: tuple[Field, ...], draw: np.random.Generator) -> dict[str, str]:
    """What a participant says of themselves. It has nothing to do with what they understand."""
    chosen: dict[str, Callable[[Field], str]] = {
        "number": lambda _: str(int(draw.integers(AGES[0], AGES[1] + 1))),
        "text": lambda _: "simulated",
        "choice": lambda item: item.options[int(draw.integers(len(item.options)))],
        "yes-no": lambda _: "yn"[int(draw.integers(2))],
    }
    return {item.id: chosen[item.kind](item) for item in form}


def made_up_experiment(
    passages: int = 4,
    questions: tuple[int, ...] = (4, 5),
    answers: tuple[int, ...] = (4,),
    versions: tuple[str, ...] = ("complex", "simplified"),
) -> Experiment:
    """An experiment of the size of that of Temnikova and Maneva (2013): 8 texts of 4 passages, 4 to 5 questions each.

    Numbers of questions, and of answers, are taken in turn. Its texts say nothing; it is for simulations.
    """
    made = []
    for passage in range(1, passages + 1):
        asked = [
            Question(
                f"{passage}-{number}",
                f"What does part {number} of passage {passage} say?",
                tuple(f"It says thing number {place}." for place in range(1, answers[number % len(answers)] + 1)),
                0,
            )
            for number in range(1, questions[(passage - 1) % len(questions)] + 1)
        ]
        texts = tuple(
            Version(
                name, " ".join(f"Part {part} of {passage} is {name} and says one thing." for part in range(1, 17))
            )
            for name in versions
        )
        made.append(Passage(str(passage), texts, tuple(asked)))
    form = (
        Field("age", "How old are you?", "number"),
        Field("level", "How well do you know the language?", "choice", ("beginner", "intermediate", "native")),
    )
    return Experiment("simulated", "en", tuple(made), "Read each text.", "I agree.", form)
