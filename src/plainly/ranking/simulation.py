"""How many judgements does a ranking need? Simulated studies of texts whose true order is known.

A study draws a true hardness for every text (normal), makes pairs, lets a crowd judge them, rates the texts and takes
Spearman's rho between ratings and truth. Engelmann et al. (2024, section 3.3) did this with 94 texts, independent
random pairs, Elo, and crowds of one oracle, one rater who is right in 90 % or 75 % of all cases, and the majority of
sixteen such raters; these are the defaults of `Setting` and the crowds of `PAPER`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.findings.result import StudyResult
from plainly.inference.estimates import Estimate
from plainly.inference.power import crossing
from plainly.metrics import Array
from plainly.ranking.pairing import PAIRINGS
from plainly.ranking.studies import MOST_PAIRS, MOST_VOTES, PAPER, Crowd, Setting, block

Progress = Callable[[int, int], None]

STUDIES_AT_A_TIME = 200  # the block decides on random numbers: it depends on the texts alone, never on the cores
TEXTS_SQUARED_AT_A_TIME = 2_000_000
MOST_ROUNDS = 256
"""Of the search for the number of judgements."""
STEPS_BETWEEN = 8


@dataclass(frozen=True)
class Point:
    """Rho after so many pairs: its mean over runs, and between what 95 % of the runs lie."""

    pairs: int
    judgements: int
    rho: Estimate
    sd: float
    error: float
    """Standard error of the mean: what the number of runs leaves open."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        mean, low, high = self.rho.to_dict().values()
        counts = {"pairs": self.pairs, "judgements": self.judgements}
        return {**counts, "mean": mean, "sd": self.sd, "low": low, "high": high, "error": self.error}


@dataclass(frozen=True, repr=False)
class Simulation(StudyResult, findings="plainly.ranking.planning_findings:simulation_findings"):
    """One curve a crowd; `rho[crowd]` holds every run, (points, runs)."""

    setting: Setting
    crowds: tuple[Crowd, ...]
    rho: dict[str, Array] = field(repr=False)

    def curve(self, name: str) -> list[Point]:
        """The points of a crowd."""
        crowd = next(crowd for crowd in self.crowds if crowd.name == name)
        found = []
        for pairs, values in zip(self.setting.pairs, self.rho[name], strict=True):
            low, high = np.quantile(values, [0.025, 0.975]).tolist()
            sd = float(values.std(ddof=1))
            rho = Estimate(float(values.mean()), low, high, n=len(values))
            found.append(Point(pairs, pairs * crowd.votes, rho, sd, sd / math.sqrt(len(values))))
        return found

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "setting": asdict(self.setting),
            "crowds": [
                {**asdict(crowd), "points": [point.to_dict() for point in self.curve(crowd.name)]}
                for crowd in self.crowds
            ],
        }


@checks_arguments
def simulate(
    setting: Setting,
    crowds: Sequence[Crowd] = PAPER,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Run all studies. The same seed gives the same numbers on any number of threads."""
    _check_crowds(crowds)
    if threads is not None and threads < 1:
        raise PlainlyError(f"the number of threads must be at least 1, not {threads}")
    size = max(1, min(STUDIES_AT_A_TIME, TEXTS_SQUARED_AT_A_TIME // setting.texts**2))
    sizes = [min(size, setting.runs - start) for start in range(0, setting.runs, size)]
    seeds = np.random.SeedSequence(setting.seed).spawn(len(sizes))
    blocks: list[list[Array]] = []
    with ThreadPoolExecutor(threads) as pool:
        for part in pool.map(lambda task: block(setting, crowds, *task), zip(sizes, seeds, strict=True)):
            blocks.append(part)
            if progress:
                progress(len(blocks), len(sizes))
    rho = {crowd.name: np.concatenate([part[place] for part in blocks], axis=1) for place, crowd in enumerate(crowds)}
    return Simulation(setting, tuple(crowds), rho)


@dataclass(frozen=True)
class Answer:
    """How many pairs reach a mean rho; `low` and `high` are what the number of runs leaves open (95 %)."""

    target: float
    crowd: Crowd
    pairs: int
    low: int
    high: int | None
    """None: beyond the numbers tried."""
    rho: float
    share: float
    """Of the runs that reach the target with so many pairs."""

    @property
    def judgements(self) -> int:
        """Every vote counts."""
        return self.pairs * self.crowd.votes

    def hours(self, seconds: float) -> float:
        """Of all raters together."""
        return self.judgements * seconds / 3600


def needed(
    setting: Setting, crowd: Crowd, target: float, *, threads: int | None = None, progress: Progress | None = None
) -> Answer:
    """The smallest number of pairs with a mean rho of at least `target`.

    The number is doubled until the target is reached. Eight steps of the last doubling are simulated, and joined by
    straight lines.
    """
    if not 0 < target < 1:
        raise PlainlyError(f"the target must lie between 0 and 1, not {target:g}")
    one_round = setting.texts // 2
    most = min(MOST_ROUNDS * one_round, MOST_PAIRS)
    if PAIRINGS[setting.pairing].adaptive:
        most = min(most, setting.texts * (setting.texts - 1) // 2)
    lower, upper = 0, one_round
    while True:
        found = simulate(replace(setting, pairs=(upper,)), [crowd], threads=threads, progress=progress)
        reached = found.curve(crowd.name)[-1].rho.value
        if reached >= target:
            break
        if upper >= most:
            raise PlainlyError(
                f"a mean rho of {target:g} is not reached: with {upper} pairs it is {reached:.3f}; "
                "take more votes a pair, or a better method"
            )
        lower, upper = upper, min(2 * upper, most)
    steps = range(STEPS_BETWEEN + 2)  # one beyond the target: it bounds what the runs leave open
    tried = sorted({min(lower + round((upper - lower) * step / STEPS_BETWEEN), most) for step in steps} - {0})
    simulation = simulate(replace(setting, pairs=tuple(tried)), [crowd], threads=threads, progress=progress)
    points = simulation.curve(crowd.name)
    means, errors = np.array([(point.rho.value, point.error) for point in points]).T
    pairs = crossing(tried, means.tolist(), target) or upper
    low = crossing(tried, (means + 1.96 * errors).tolist(), target) or pairs
    high = crossing(tried, (means - 1.96 * errors).tolist(), target)
    shares = (simulation.rho[crowd.name] >= target).mean(axis=1)
    at = (float(np.interp(pairs, tried, values)) for values in (means, shares))
    return Answer(target, crowd, pairs, low, high, *at)


def _check_crowds(crowds: Sequence[Crowd]) -> None:
    if not crowds:
        raise PlainlyError("a simulation needs raters")
    for crowd in crowds:
        if not 0.5 < crowd.accuracy <= 1:
            raise PlainlyError(f"accuracy must lie above 0.5 and not above 1, not {crowd.accuracy:g}")
        if not 1 <= crowd.votes <= MOST_VOTES:
            raise PlainlyError(f"there must be 1 to {MOST_VOTES} votes a pair, not {crowd.votes}")
    if len({crowd.name for crowd in crowds}) < len(crowds):
        raise PlainlyError("two crowds have the same name")
