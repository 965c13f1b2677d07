"""Bradley-Terry ratings: the log odds that one text beats another are the difference of their ratings.

    P(first beats second) = 1 / (1 + exp(-(r_first - r_second + side)))

Ratings have a normal prior around 0, and are the mode of the posterior (Newton's method): without a prior, a text
that won all of its matches would have none. How wide the prior is, the judgements say themselves: its standard
deviation maximises Laplace's approximation of their probability (the evidence; MacKay 1992). A tie is half a win for
both. The optional term `side` is what it helps to be shown first. The order of the judgements does not matter.

Uncertainty is Laplace's too: the posterior is taken as normal, with the curvature at the mode. It takes the width of
the prior as known. Few judgements do not tell it: where they favour a narrow one, intervals take one of 1 logit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.metrics import Array
from plainly.ranking.fits import Fit, Index, logistic, summed
from plainly.ranking.laplacian import Graph, System

SIDE_SD = 5.0
"""Of the prior of `side`: so wide that it matters only where one side wins always."""
FEW = 3
"""Judgements a text, below which they do not tell how wide the prior is."""
LEAST_SD = 1.0
"""Of the prior then, for intervals: a text one deviation above another wins in 73 %."""
WIDEST, NARROWEST = np.log(20.0), np.log(0.02)
"""Between these the prior's log standard deviation is sought."""
CLOSE = 0.25
"""Within so much of its log, the evidence is almost a parabola: the deviation is right to half a per cent."""
GOLDEN = 0.382
ROUGH = 1e-4
"""Precision of draws: far finer than they spread."""
NEWTON_STEPS = 100


@dataclass(frozen=True)
class _Votes:
    """Judgements added up by pair: `weight` votes, of which `won` for the first text."""

    graph: Graph
    won: Array
    weight: Array
    side: bool

    @classmethod
    def counted(
        cls, first: Index, second: Index, outcome: Array, n: int, weights: Array | None, side: bool
    ) -> _Votes:
        weight = np.ones(len(first)) if weights is None else np.asarray(weights, dtype=float)
        if not side:  # then a pair is the same whichever text comes first
            turn = first > second
            first, second = np.where(turn, second, first), np.where(turn, first, second)
            outcome = np.where(turn, 1 - outcome, outcome)
        pairs, places = np.unique(first * n + second, return_inverse=True)
        graph = Graph(pairs // n, pairs % n, n)
        return cls(graph, summed(places, weight * outcome), summed(places, weight), side)


@dataclass(frozen=True)
class _Mode:
    """The mode of the posterior for one width of the prior."""

    ratings: Array
    side: float
    sd: float
    evidence: float
    """The log probability of the judgements, by Laplace's approximation."""


class _Curvature:
    """The second derivatives at some point: those of the ratings, bordered by those of the side term."""

    def __init__(self, votes: _Votes, logits: Array, sd: float) -> None:
        chance = logistic(logits)
        self.spread = votes.weight * chance * (1 - chance)
        self.system = System(votes.graph, self.spread, np.full(votes.graph.n, sd**-2))
        self.side = votes.side
        if votes.side:
            self.border = votes.graph.gathered(self.spread)
            self.solved = self.system.solve(self.border)
            self.corner = self.spread.sum() + SIDE_SD**-2 - self.border @ self.solved

    def solve(self, ratings: Array, side: Array, **precision: float) -> tuple[Array, Array]:
        """The step in ratings and in the side term."""
        found = self.system.solve(ratings, **precision)
        if not self.side:
            return found, np.zeros(found.shape[1:])
        last = (side - self.border @ found) / self.corner
        return found - np.multiply.outer(self.solved, last), last

    def log_determinant(self) -> float:
        """Of the whole matrix."""
        return self.system.log_determinant() + (float(np.log(self.corner)) if self.side else 0.0)


def fit(
    first: Index,
    second: Index,
    outcome: Array,
    n: int,
    weights: Array | None = None,
    *,
    sd: float | None = None,
    position: bool = False,
) -> Array:
    """Ratings in logits, with mean 0. `weights` are how often each judgement counts, `sd` fixes the prior."""
    return _best(_Votes.counted(first, second, outcome, n, weights, position), sd).ratings


def estimate(
    first: Index,
    second: Index,
    outcome: Array,
    n: int,
    weights: Array | None = None,
    *,
    sd: float | None = None,
    position: bool = False,
) -> Fit:
    """Ratings with draws of the posterior, the width of the prior and the side term."""
    votes = _Votes.counted(first, second, outcome, n, weights, position)
    mode = _best(votes, sd)
    unsure = sd is None and mode.sd < LEAST_SD and votes.weight.sum() < FEW * n
    width = LEAST_SD if unsure else mode.sd
    curvature = _Curvature(votes, _logits(votes, mode.ratings, mode.side), width)

    def chance(one: Index, other: Index) -> Array:
        return logistic(mode.ratings[one] - mode.ratings[other] + mode.side)

    def draws(count: int, draw: np.random.Generator) -> Array:
        """Solutions of A x = z, where z has covariance A, have covariance A^-1."""
        along = np.sqrt(curvature.spread)[:, None] * draw.standard_normal((len(votes.won), count))
        within = draw.standard_normal((n, count)) / width
        last = draw.standard_normal(count) / SIDE_SD + along.sum(0)
        moved, _ = curvature.solve(votes.graph.gathered(along) + within, last, tolerance=ROUGH)
        drawn: Array = mode.ratings + (moved - moved.mean(0)).T  # only differences are known
        return drawn

    side = np.array([mode.side, curvature.corner**-0.5]) if position else None
    found = {
        "prior-sd": round(mode.sd, 4),
        **({"interval-sd": width} if unsure else {}),
        **({"position-sd": SIDE_SD} if position else {}),
    }
    return Fit(mode.ratings, chance, draws, found, side)


def log_evidence(
    first: Index,
    second: Index,
    outcome: Array,
    n: int,
    weights: Array | None = None,
    *,
    sd: float,
    position: bool = False,
) -> float:
    """The log probability of the judgements under a prior of this width, by Laplace's approximation."""
    return _best(_Votes.counted(first, second, outcome, n, weights, position), sd).evidence


def _best(votes: _Votes, sd: float | None) -> _Mode:
    """The mode for a given width of the prior, or for the one with the highest evidence."""
    start = np.zeros(votes.graph.n), 0.0
    if sd is not None:
        if not 0 < sd < np.inf:
            raise PlainlyError(f"the width of the prior must be above 0, not {sd}")
        return _mode(votes, sd, *start)
    tried: dict[float, _Mode] = {}
    last = start

    def evidence(log_sd: float) -> float:
        nonlocal last
        if log_sd not in tried:
            tried[log_sd] = _mode(votes, float(np.exp(log_sd)), *last)
            last = tried[log_sd].ratings, tried[log_sd].side
        return tried[log_sd].evidence

    return tried[_highest(evidence)]


def _mode(votes: _Votes, sd: float, ratings: Array, side: float) -> _Mode:
    """Newton's method from a starting point; steps are halved until they climb."""
    value = _value(votes, ratings, side, sd)
    for _ in range(NEWTON_STEPS):
        logits = _logits(votes, ratings, side)
        excess = votes.won - votes.weight * logistic(logits)
        curvature = _Curvature(votes, logits, sd)
        uphill = votes.graph.gathered(excess) - ratings / sd**2
        uphill_side = (excess.sum() - side / SIDE_SD**2) if votes.side else 0.0
        step, side_step = curvature.solve(uphill, np.asarray(uphill_side))
        gain = float(uphill @ step + uphill_side * side_step)
        if gain < 1e-10:  # the last step: what is equal at the mode is equal now, but for rounding
            ratings, side = ratings + step, side + float(side_step)
            break
        size = 1.0
        while (higher := _value(votes, ratings + size * step, side + size * float(side_step), sd)) < value:
            size /= 2
            if size < 1e-9:
                break
        ratings, side, value = ratings + size * step, side + size * float(side_step), higher
    evidence = value - votes.graph.n * np.log(sd) - curvature.log_determinant() / 2
    return _Mode(ratings, side, sd, float(evidence))


def _value(votes: _Votes, ratings: Array, side: float, sd: float) -> float:
    logits = _logits(votes, ratings, side)
    likelihood = votes.won @ logits - votes.weight @ np.logaddexp(0, logits)
    return float(likelihood - ratings @ ratings / (2 * sd**2) - side**2 / (2 * SIDE_SD**2))


def _logits(votes: _Votes, ratings: Array, side: float) -> Array:
    return votes.graph.differences(ratings) + side


def _highest(of: Callable[[float], float]) -> float:
    """Where a smooth function of one variable is highest: golden sections, and at last a parabola."""
    left, middle, right = -0.5, 0.5, 1.5
    while of(left) > of(middle) and left > NARROWEST:
        left, middle, right = left - 1, left, middle
    while of(right) > of(middle) and right < WIDEST:
        left, middle, right = middle, right, right + 1
    while right - left > CLOSE:
        after = right - middle > middle - left
        point = middle + GOLDEN * ((right if after else left) - middle)
        if of(point) > of(middle):
            left, middle, right = (middle, point, right) if after else (left, point, middle)
        else:
            left, right = (left, point) if after else (point, right)
    before, beyond = middle - left, middle - right
    a, b = before * (of(middle) - of(right)), beyond * (of(middle) - of(left))
    vertex = middle - 0.5 * (before * a - beyond * b) / (a - b) if a != b else middle
    return max(middle, vertex if left < vertex < right else middle, key=of)
