"""Simulated studies: texts with a true hardness, raters who err, pairs, ratings, and how right the ratings are.

error constant    a rater is right with the same probability whatever the pair
error closeness   close texts are confused more often (Bradley-Terry); over random pairs the accuracy is the one given

Adaptive pairs (swiss, information) follow ratings by Bradley-Terry, whatever rates the texts in the end. The width of
the prior of Bradley-Terry is the one with the highest evidence in the first studies of a block; the others share it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.correlation import average_ranks
from plainly.metrics import Array
from plainly.ranking import bradley_terry
from plainly.ranking.elo import K, elo_many
from plainly.ranking.fits import Index, logistic
from plainly.ranking.many_studies import bradley_terry_many, covariance, elo_mean_many
from plainly.ranking.pairing import PAIRINGS, Adaptive, Met, Standing, first_round, note_met

Method = Literal["elo", "elo-mean", "bradley-terry"]
ErrorKind = Literal["constant", "closeness"]
Combination = Literal["majority", "votes"]

MOST_TEXTS, MOST_PAIRS, MOST_VOTES = 20_000, 1_000_000, 1000
"""More would fill the memory."""
FOR_THE_PRIOR = 3
"""Studies of a block whose evidence decides on the width of the prior."""
MUCH_MORE = 1.4
"""So many times the matches: then the evidence is sought anew."""
ORDERS = 20
"""Random orders that elo-mean averages."""


@dataclass(frozen=True)
class Crowd:
    """Who judges a pair: so many raters, each right with this probability."""

    name: str
    accuracy: float
    votes: int = 1


PAPER = (
    Crowd("oracle", 1.0),
    Crowd("one rater, 90 %", 0.9),
    Crowd("one rater, 75 %", 0.75),
    Crowd("majority of 16, 75 %", 0.75, 16),
)


@dataclass(frozen=True)
class Setting:
    """What is simulated. `pairs` are the numbers of pairs after which rho is taken, in ascending order."""

    texts: int = 94
    pairs: tuple[int, ...] = (47, 94, 188, 282, 376, 470, 564, 752, 940)
    runs: int = 2000
    method: Method = "elo"
    pairing: str = "random"
    """A name in `PAIRINGS`."""
    error: ErrorKind = "constant"
    combination: Combination = "majority"
    """Of several votes: what most say (ties by chance), or every vote as a judgement of its own."""
    k: float = K
    seed: int = 12345

    def __post_init__(self) -> None:
        for kind, name, known in (
            ("method", self.method, get_args(Method)),
            ("pairing", self.pairing, PAIRINGS),
            ("kind of error", self.error, get_args(ErrorKind)),
            ("way to combine votes", self.combination, get_args(Combination)),
        ):
            if name not in known:
                raise UnknownName(kind, name, known)
        if self.texts < 3:
            raise PlainlyError(f"a simulation needs at least 3 texts, not {self.texts}")
        if self.texts > MOST_TEXTS or (self.pairs and self.pairs[-1] > MOST_PAIRS):
            raise PlainlyError(f"a simulation takes at most {MOST_TEXTS} texts and {MOST_PAIRS} pairs")
        if self.runs < 2:
            raise PlainlyError(f"a simulation needs at least 2 runs, not {self.runs}")
        if not self.k > 0 or not math.isfinite(self.k):
            raise PlainlyError(f"k must be above 0, not {self.k:g}")
        if not self.pairs or list(self.pairs) != sorted(set(self.pairs)) or self.pairs[0] < 1:
            raise PlainlyError("the numbers of pairs must be 1 or more, each larger than the one before")
        there = self.texts * (self.texts - 1) // 2
        if PAIRINGS[self.pairing].adaptive and self.pairs[-1] > there:
            raise PlainlyError(
                f"{self.texts} texts make {there} pairs; {self.pairing} pairs do not repeat, "
                f"so {self.pairs[-1]} are too many"
            )


def block(setting: Setting, crowds: Sequence[Crowd], size: int, seed: np.random.SeedSequence) -> list[Array]:
    """Rho of some studies, (points, studies) a crowd. All crowds meet the same texts and, if not adaptive, pairs."""
    shared, *own = (np.random.default_rng(child) for child in seed.spawn(1 + len(crowds)))
    truth = shared.standard_normal((size, setting.texts))
    pairing = PAIRINGS[setting.pairing]
    pairs = (
        pairing
        if isinstance(pairing, Adaptive)
        else pairing.simulated(size, setting.texts, setting.pairs[-1], shared)
    )
    ranks = average_ranks(truth.T)
    found = []
    for crowd, draw in zip(crowds, own, strict=True):
        raters = _Raters(setting, crowd, truth, draw)
        ratings = _rated(setting, pairs, raters, draw)
        found.append(np.stack([_rho(average_ranks(each.T), ranks) for each in ratings]))
    return found


class _Raters:
    """Judge pairs of all studies of a block: True where a rater finds the first text harder."""

    def __init__(self, setting: Setting, crowd: Crowd, truth: Array, draw: np.random.Generator) -> None:
        self.truth, self._crowd, self._draw = truth, crowd, draw
        self._slope = slope_of(crowd.accuracy) if setting.error == "closeness" else None
        self._majority = setting.combination == "majority"
        self._separate = not self._majority and setting.method != "bradley-terry"

    def judge(self, first: Index, second: Index) -> Array:
        """What the first text gets: (studies, matches); every vote is a match if votes are kept separate."""
        gap = np.take_along_axis(self.truth, first, 1) - np.take_along_axis(self.truth, second, 1)
        if self._slope is None or math.isinf(self._slope):
            harder = np.where(gap > 0, self._crowd.accuracy, 1 - self._crowd.accuracy)
        else:
            harder = logistic(self._slope * gap)
        if self._separate:
            votes = self._draw.random((*gap.shape, self._crowd.votes)) < harder[:, :, None]
            return votes.reshape(len(gap), -1).astype(np.float64)
        share = self._draw.binomial(self._crowd.votes, harder) / self._crowd.votes
        if not self._majority:
            return share
        ties = self._draw.integers(2, size=share.shape)
        return np.where(share == 0.5, ties, share > 0.5).astype(np.float64)

    @property
    def repeated(self) -> int:
        """How many matches a pair makes."""
        return self._crowd.votes if self._separate else 1

    @property
    def weight(self) -> float:
        """How much a match weighs."""
        return 1.0 if self._majority or self._separate else float(self._crowd.votes)


def _rated(
    setting: Setting, pairs: Adaptive | tuple[Index, Index], raters: _Raters, draw: np.random.Generator
) -> Iterator[Array]:
    """Ratings (studies, texts) after each number of pairs."""
    if isinstance(pairs, Adaptive):
        first, second, outcome = _adaptive(setting, pairs, raters, draw)
    else:
        first, second = pairs
        outcome = raters.judge(first, second)
    n, times = setting.texts, raters.repeated
    if times > 1:
        first, second = np.repeat(first, times, axis=1), np.repeat(second, times, axis=1)
    if setting.method == "elo":
        yield from elo_many(first, second, outcome, n, [times * many for many in setting.pairs], setting.k)
        return
    rater = _Prior(n, raters.weight)
    for many in setting.pairs:
        part = first[:, : times * many], second[:, : times * many], outcome[:, : times * many]
        if setting.method == "elo-mean":
            yield elo_mean_many(*part, n, ORDERS, draw, setting.k)
        elif setting.method == "bradley-terry":
            yield rater.rate(*part)
        else:
            raise UnknownName("method", setting.method, get_args(Method))


class _Prior:
    """Bradley-Terry of growing studies: each fit begins at the one before, the prior follows as they grow."""

    def __init__(self, n: int, weight: float) -> None:
        self._n, self._weight = n, weight
        self._matches = 0
        self._ratings: Array | None = None
        self.sd = 1.0

    def rate(self, first: Index, second: Index, outcome: Array) -> Array:
        """Ratings (studies, texts)."""
        matches = first.shape[1]
        if matches >= MUCH_MORE * self._matches:
            self._matches = matches
            weights = np.full(matches, self._weight)
            widths = [
                bradley_terry.estimate(*study, self._n, weights).found["prior-sd"]
                for study in zip(first[:FOR_THE_PRIOR], second[:FOR_THE_PRIOR], outcome[:FOR_THE_PRIOR], strict=True)
            ]
            self.sd = float(np.median(widths))
        self._ratings = bradley_terry_many(
            first, second, outcome, self._n, sd=self.sd, weight=self._weight, begin=self._ratings
        )
        return self._ratings


def _adaptive(
    setting: Setting, pairing: Adaptive, raters: _Raters, draw: np.random.Generator
) -> tuple[Index, Index, Array]:
    """Pairs that follow the ratings so far, round by round, and how they were judged."""
    n, most = setting.texts, setting.pairs[-1]
    studies = len(raters.truth)
    met: list[Met] = [[set() for _ in range(n)] for _ in range(studies)]
    firsts: list[Index] = []
    seconds: list[Index] = []
    outcomes: list[Array] = []
    ratings: Array = np.zeros((studies, n))
    prior = _Prior(n, raters.weight)
    while sum(each.shape[1] for each in firsts) < most:
        rounds: list[NDArray[np.int64]] = []
        for study in range(studies):
            if firsts:
                one, other = (np.concatenate([each[study] for each in side]) for side in (firsts, seconds))
                spread = partial(covariance, one, other, ratings[study], sd=prior.sd, weight=raters.weight)
                pairs = pairing.next_round(Standing(ratings[study], met[study], spread), draw)
            else:
                pairs = first_round(met[study], draw)
            note_met(met[study], pairs.tolist())
            rounds.append(pairs)
        together = np.stack(rounds)
        firsts.append(together[:, :, 0])
        seconds.append(together[:, :, 1])
        outcomes.append(raters.judge(firsts[-1], seconds[-1]))
        if sum(each.shape[1] for each in firsts) < most:
            ratings = _current(prior, firsts, seconds, outcomes, raters.repeated)
    first, second = (np.concatenate(side, axis=1) for side in (firsts, seconds))
    return first[:, :most], second[:, :most], np.concatenate(outcomes, axis=1)[:, : most * raters.repeated]


def _current(prior: _Prior, firsts: list[Index], seconds: list[Index], outcomes: list[Array], times: int) -> Array:
    first, second = (np.repeat(np.concatenate(side, axis=1), times, axis=1) for side in (firsts, seconds))
    return prior.rate(first, second, np.concatenate(outcomes, axis=1))


def _rho(ranks: Array, truth: Array) -> Array:
    """Pearson's correlation of ranks, column by column; 0 where all texts are rated alike."""
    one, other = ranks - ranks.mean(axis=0), truth - truth.mean(axis=0)
    size = np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    found: Array = np.divide((one * other).sum(axis=0), size, out=np.zeros_like(size), where=size > 0)
    return found


@cache
def slope_of(accuracy: float) -> float:
    """The slope of a logistic with which raters are right in this share of all pairs of normal texts.

    The hardness of two texts differs by a normal number with variance 2. Half of its distribution, |d|, is cut into
    fine steps.
    """
    if accuracy >= 1:
        return math.inf
    middles = (np.arange(2000) + 0.5) / 2000 * 12
    density = np.exp(-(middles**2) / 4)
    density /= density.sum()
    low, high = 0.0, 1e4
    for _ in range(60):
        middle = (low + high) / 2
        if float(density @ logistic(middle * middles)) < accuracy:
            low = middle
        else:
            high = middle
    return (low + high) / 2
