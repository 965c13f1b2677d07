"""How many participants does a difference need? Power: the share of simulated experiments that find it.

Each simulated experiment draws new readers and new questions (`plainly.comprehension.simulation`), follows the plan
of the design, and is tested as hypotheses 1 and 2 of Temnikova and Maneva (2013) demand:

correct     the share of correct answers differs between the first and the second version
time        the log time of correct answers does

Answers that take longer than the experiment allows are not given, and do not count.

Each answer is taken as its distance from the mean of its question. Each participant then has one number: the mean
about the second version minus the mean about the first. If versions do not matter, its sign is a coin toss. So the
test flips signs at random: p = (1 + number of |sum*| >= |sum|) / (flips + 1), two-sided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.plain_data import plain_data
from plainly.comprehension.design import make_plan
from plainly.comprehension.experiment import Experiment
from plainly.comprehension.simulation import Effects, Model, model_of
from plainly.findings.result import StudyResult
from plainly.inference.estimates import Estimate
from plainly.inference.power import crossing
from plainly.inference.proportions import share
from plainly.metrics import Array

OUTCOMES = ("correct", "time")
FLIPS = 999
MOST_PARTICIPANTS = 4096
MOST_RUNS = 100_000
FEWEST_PARTICIPANTS = 6
"""With fewer, no signs can give a p below 0.05: 2 / 2^5 is 0.0625."""
STEPS_BETWEEN = 8

_ANSWERS_AT_A_TIME = 500_000  # decides on the blocks of runs, and so on random numbers: never on cores
_RUNS = 4  # whose random numbers these are: design and simulation have 0 to 3
_ROUNDING = 1e-9

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Power:
    """Shares of the simulated experiments that come out significant, with intervals (95 %)."""

    participants: int
    correct: Estimate
    time: Estimate

    def of(self, outcome: str) -> Estimate:
        """Of one hypothesis."""
        if outcome not in OUTCOMES:
            raise UnknownName("outcome", outcome, OUTCOMES)
        return {"correct": self.correct, "time": self.time}[outcome]


@dataclass(frozen=True)
class Needed:
    """How many participants reach a power; `low` and `high` are what the number of runs leaves open (95 %)."""

    outcome: str
    target: float
    participants: int
    low: int
    high: int | None
    """None: beyond the numbers tried."""
    tried: tuple[Power, ...]


@dataclass(frozen=True)
class Study:
    """What is simulated, how often, and how it is tested."""

    experiment: Experiment
    effects: Effects
    runs: int = 1000
    alpha: float = 0.05
    seed: int = 12345

    def __post_init__(self) -> None:
        if not 1 <= self.runs <= MOST_RUNS:
            raise PlainlyError(f"there must be 1 to {MOST_RUNS} runs, not {self.runs}")
        if not 1 / (FLIPS + 1) < self.alpha < 1:
            raise PlainlyError(f"alpha must lie above {1 / (FLIPS + 1):g} and below 1, not {self.alpha:g}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the experiment is a file of its own."""
        return {"effects": asdict(self.effects), "runs": self.runs, "alpha": self.alpha, "seed": self.seed}


@dataclass(frozen=True, repr=False)
class Curve(StudyResult, findings="plainly.comprehension.planning_findings:curve_findings"):
    """The power with some numbers of participants."""

    study: Study
    points: tuple[Power, ...]

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**self.study.to_dict(), "power": plain_data(self.points)}


@dataclass(frozen=True, repr=False)
class Search(StudyResult, findings="plainly.comprehension.planning_findings:search_findings"):
    """How many participants reach a power, for each hypothesis that holds."""

    study: Study
    target: float
    needed: tuple[Needed, ...]

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**self.study.to_dict(), "target": self.target, "needed": plain_data(self.needed)}


@checks_arguments
def curve(study: Study, participants: Sequence[int], progress: Progress | None = None) -> Curve:
    """The power with each of these numbers of participants."""
    points = []
    for number in participants:
        if progress:
            progress(number)
        points.append(power(study, number))
    return Curve(study, tuple(points))


@checks_arguments
def search(study: Study, target: float = 0.8, progress: Progress | None = None) -> Search:
    """How many participants are needed to find what differs."""
    sizes = zip(OUTCOMES, (study.effects.difference, study.effects.faster), strict=True)
    sought = [name for name, size in sizes if size]
    if not sought:
        raise PlainlyError(
            "where nothing differs, no number of participants finds it; set a difference, or a share of the time "
            "that is saved"
        )
    return Search(study, target, tuple(needed(study, name, target, progress) for name in sought))


def power(study: Study, participants: int) -> Power:
    """The power of an experiment with so many participants."""
    if not 1 <= participants <= MOST_PARTICIPANTS:
        raise PlainlyError(f"power is simulated for 1 to {MOST_PARTICIPANTS} participants, not {participants}")
    model = model_of(study.experiment, study.effects)
    versions = _versions(study, participants, model)
    found = np.zeros(len(OUTCOMES), dtype=np.int64)
    for runs, draw in _blocks(study, versions.size, participants):
        for place, values in enumerate(_differences(model, versions, runs, draw)):
            found[place] += int((sign_flip_p(values, draw) <= study.alpha).sum())
    return Power(participants, *(share(int(count), study.runs) for count in found))


def needed(study: Study, outcome: str, target: float = 0.8, progress: Progress | None = None) -> Needed:
    """The smallest number of participants that finds the difference with this power.

    The number is doubled until the power is reached. Eight steps of the last doubling are simulated, and joined by
    straight lines.
    """
    if outcome not in OUTCOMES:
        raise UnknownName("outcome", outcome, OUTCOMES)
    if not 0 < target < 1:
        raise PlainlyError(f"power must lie between 0 and 1, not {target:g}")
    if {"correct": study.effects.difference, "time": study.effects.faster}[outcome] == 0:
        raise PlainlyError(f"{outcome}: where there is no difference, no number of participants finds one")

    def at(participants: int) -> Power:
        if progress:
            progress(participants)
        return power(study, participants)

    lower, upper = 0, FEWEST_PARTICIPANTS
    while (reached := at(upper)).of(outcome).value < target:
        if upper == MOST_PARTICIPANTS:
            raise PlainlyError(
                f"{outcome}: a power of {target:g} is not reached: with {upper} participants it is "
                f"{reached.of(outcome).value:.2f}; ask more questions, or look for a larger difference"
            )
        lower, upper = upper, min(2 * upper, MOST_PARTICIPANTS)
    steps = range(STEPS_BETWEEN + 2)  # one beyond the target: it bounds what the runs leave open
    numbers = sorted(
        {min(lower + math.ceil((upper - lower) * step / STEPS_BETWEEN), MOST_PARTICIPANTS) for step in steps}
    )
    tried = tuple(at(number) for number in numbers if number >= FEWEST_PARTICIPANTS)
    numbers = [point.participants for point in tried]
    values, lows, highs = ([getattr(point.of(outcome), name) for point in tried] for name in ("value", "low", "high"))
    participants = crossing(numbers, values, target) or upper
    low = crossing(numbers, highs, target) or participants
    return Needed(outcome, target, participants, low, crossing(numbers, lows, target), tried)


def sign_flip_p(values: Array, draw: np.random.Generator, flips: int = FLIPS) -> Array:
    """The p of each row of (experiments, participants): are the values about as often above 0 as below?"""
    signs = draw.integers(0, 2, (values.shape[1], flips)) * 2.0 - 1
    seen = np.abs(values.sum(1))
    drawn = np.abs(values @ signs)
    p: Array = (1 + (drawn >= seen[:, None] * (1 - _ROUNDING) - _ROUNDING).sum(1)) / (flips + 1)
    return p


def _versions(study: Study, participants: int, model: Model) -> Array:
    """Which version each participant reads before each question: (participants, questions)."""
    experiment = study.experiment
    numbers = {name: place for place, name in enumerate(experiment.version_ids)}
    plan = make_plan(experiment, participants, study.seed)
    read = [{reading.passage: numbers[reading.version] for reading in sheet.readings} for sheet in plan.sheets]
    return np.array([[sheet[passage.id] for passage, _ in model.questions] for sheet in read])


def _blocks(study: Study, answers: int, participants: int) -> Iterator[tuple[int, np.random.Generator]]:
    size = max(1, _ANSWERS_AT_A_TIME // answers)
    for block, start in enumerate(range(0, study.runs, size)):
        yield min(size, study.runs - start), np.random.default_rng([study.seed, _RUNS, participants, block])


def _differences(model: Model, versions: Array, runs: int, draw: np.random.Generator) -> tuple[Array, Array]:
    """(runs, participants): correct answers, and log times of these, about the second version less the first."""
    effects, (participants, questions) = model.effects, versions.shape
    other = (versions > 0).astype(np.int64)
    ability = draw.normal(0, effects.ability_sd, (runs, participants, 1))
    ease = draw.normal(0, effects.ease_sd, (runs, 1, questions))
    base = model.base[other, np.arange(questions)]
    right = draw.random((runs, participants, questions)) < model.probability(base + ability + ease)
    speed = draw.normal(0, effects.speed_sd, (runs, participants, 1))
    length = draw.normal(0, effects.length_sd, (runs, 1, questions))
    noise = draw.normal(0, effects.noise_sd, (runs, participants, questions))
    times = model.pace[other] + speed + length + noise
    in_time = times <= math.log(model.limit)
    return (
        _paired(right.astype(float), in_time, versions),
        _paired(times, right & in_time, versions),
    )


def _paired(values: Array, counts: NDArray[np.bool_], versions: Array) -> Array:
    """Mean over the second version minus mean over the first, of what counts; 0 where one of them has nothing."""
    compared = counts & (versions < 2)
    total = compared.sum(1, keepdims=True)
    centred = values - np.where(compared, values, 0).sum(1, keepdims=True) / np.maximum(total, 1)
    means, there = [], []
    for version in (0, 1):
        chosen = compared & (versions == version)
        number = chosen.sum(2)
        means.append(np.where(chosen, centred, 0).sum(2) / np.maximum(number, 1))
        there.append(number > 0)
    differences: Array = np.where(there[0] & there[1], means[1] - means[0], 0.0)
    return differences
