"""Bradley-Terry ratings: the log odds that one text beats another are the difference of their ratings.

    P(first beats second) = 1 / (1 + exp(-(r_first - r_second + side)))

Ratings have a normal prior around 0, and are the mode of the posterior (Newton's method): without a prior, a text
that won all of its matches would have none. How wide the prior is, the judgements say themselves: its standard
deviation maximises Laplace's approximation of their probability (the evidence; MacKay 1992). A tie is half a win for
both. The optional term `side` is what it helps to be shown first. The order of the judgements does not matter.

Uncertainty is Laplace's too: the posterior is taken as normal, with the curvature at the mode. It takes the width of
the prior as known. Few judgements do not tell it: where they favour a narrow one, intervals take one of 1 logit.

The curvature is a matrix on the graph of comparisons, of which thousands of texts fill next to nothing:

    A = sum over edges of weight (e_i - e_j)(e_i - e_j)' + diagonal

Small graphs are solved as dense matrices, exactly. On large ones, equations are solved by conjugate gradients, of
many columns at once (scipy's take one at a time, which is many times slower). The determinant is estimated by Lanczos
quadrature from a fixed set of random signs (Ubaru, Chen and Saad 2017), so that the same judgements give the same
number. For 3000 texts this is 13 times as fast as a dense matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.metrics import Array
from plainly.ranking.fits import Fit, Index, logistic, summed

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
DENSE = 600
"""Nodes up to which the dense matrix is quicker."""
PROBES = 32
STEPS = 30
"""Of the Lanczos quadrature: random vectors, and Krylov dimensions for each."""
TOLERANCE = 1e-8
SINGLE = 1e-4
"""Where no more is asked for, half the digits do, in half the time."""
COLUMNS = 32
"""Right-hand sides solved at a time: they stay in the processor's cache."""


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

    def again(first: Index, second: Index, outcome: Array) -> Array:
        others = _Votes.counted(first, second, outcome, n, None, position)
        return _mode(others, mode.sd, mode.ratings, mode.side, judged=False).ratings

    side = np.array([mode.side, curvature.corner**-0.5]) if position else None
    found = {
        "prior-sd": round(mode.sd, 4),
        **({"interval-sd": width} if unsure else {}),
        **({"position-sd": SIDE_SD} if position else {}),
    }
    return Fit(mode.ratings, chance, draws, found, side, again)


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
    """The log probability of the judgements, by Laplace's approximation; NaN where nobody asked."""


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


def _mode(votes: _Votes, sd: float, ratings: Array, side: float, judged: bool = True) -> _Mode:
    """Newton's method from a starting point; steps are halved until they climb. `judged`: with the evidence."""
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
    evidence = value - votes.graph.n * np.log(sd) - curvature.log_determinant() / 2 if judged else np.nan
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


# ---- the matrix of a graph


@dataclass(frozen=True)
class Graph:
    """Who met whom: edges between n nodes."""

    first: Index
    second: Index
    n: int

    @cached_property
    def order(self) -> Index:
        """The nodes, those with most edges first."""
        degrees = np.bincount(np.concatenate([self.first, self.second]), minlength=self.n)
        return np.argsort(-degrees, kind="stable")

    def differences(self, values: Array) -> Array:
        """First minus second node of each edge."""
        return values[self.first] - values[self.second]

    def gathered(self, values: Array) -> Array:
        """The transpose: what edges carry is added at their first node and taken away at their second."""
        if values.ndim > 1:
            return np.stack([self.gathered(column) for column in values.T], axis=1)
        return summed(self.first, values, self.n) - summed(self.second, values, self.n)


class System:
    """The matrix A of a graph with a weight for each edge and a diagonal."""

    def __init__(self, graph: Graph, weights: Array, diagonal: Array) -> None:
        self._graph = graph
        self._weights = weights
        degree = summed(graph.first, weights, graph.n) + summed(graph.second, weights, graph.n)
        self._diagonal = degree + diagonal
        self._dense = graph.n <= DENSE
        self._weighed: dict[np.dtype[Any], Any] = {}

    def solve(self, right: Array, tolerance: float = TOLERANCE) -> Array:
        """x with A x = right, for a vector or for columns."""
        if self._dense:
            return np.linalg.solve(self._matrix, right).astype(float, copy=False)
        if right.ndim == 1:
            return self._descended(right[:, None], tolerance)[:, 0]
        parts = [right[:, start : start + COLUMNS] for start in range(0, right.shape[1], COLUMNS)]
        return np.concatenate([self._descended(np.ascontiguousarray(part), tolerance) for part in parts], axis=1)

    def log_determinant(self) -> float:
        """log |A|."""
        if self._dense:
            return float(np.linalg.slogdet(self._matrix)[1])
        return float(np.log(self._diagonal).sum()) + self._scaled_log_determinant()

    @cached_property
    def _matrix(self) -> Array:
        n, first, second = self._graph.n, self._graph.first, self._graph.second
        places = np.concatenate([first * n + second, second * n + first])
        matrix = -summed(places, np.tile(self._weights, 2), n * n).reshape(n, n)
        matrix[np.diag_indices(n)] += self._diagonal
        return matrix

    def _times(self, x: Array, diagonal: Array) -> Array:
        """A x."""
        product: Array = diagonal * x - self._neighbours(x.dtype) @ x
        return product

    def _neighbours(self, kind: np.dtype[Any]) -> Any:
        """The weights off the diagonal, in the precision in which they are used."""
        if kind not in self._weighed:
            from scipy.sparse import csr_array

            n, first, second = self._graph.n, self._graph.first, self._graph.second
            places = np.concatenate([first, second]), np.concatenate([second, first])
            self._weighed[kind] = csr_array((np.tile(self._weights, 2).astype(kind), places), shape=(n, n))
        return self._weighed[kind]

    def _descended(self, right: Array, tolerance: float) -> Array:
        """Conjugate gradients, scaled by the diagonal; all columns at once, until the last one is exact enough."""
        kind: Any = np.float32 if tolerance >= SINGLE else np.float64
        diagonal = self._diagonal[:, None].astype(kind)
        residual = right.astype(kind)
        x = np.zeros_like(residual)
        goal = tolerance**2 * _dot(residual, residual)
        direction = residual / diagonal
        size = _dot(residual, direction)
        for _ in range(10 * self._graph.n):
            product = self._times(direction, diagonal)
            step = _ratio(size, _dot(direction, product))
            x += step * direction
            residual -= step * product
            if (_dot(residual, residual) <= goal).all():
                break
            scaled = residual / diagonal
            size, before = _dot(residual, scaled), size
            direction *= _ratio(size, before)
            direction += scaled
        return x.astype(float, copy=False)

    def _scaled_log_determinant(self) -> float:
        """log |D^-1/2 A D^-1/2| with D the diagonal of A."""
        n = self._graph.n
        diagonal = self._diagonal[:, None]
        root = np.sqrt(diagonal)
        now = np.empty((n, PROBES))
        now[self._graph.order] = np.random.default_rng(0).choice([-1.0, 1.0], size=(n, PROBES)) / np.sqrt(n)
        before = np.zeros_like(now)
        steps = min(STEPS, n)
        alphas, betas = np.zeros((steps, PROBES)), np.zeros((steps, PROBES))
        for step in range(steps):
            following = self._times(now / root, diagonal) / root
            if step:
                following -= betas[step - 1] * before
            alphas[step] = _dot(following, now)
            following -= alphas[step] * now
            betas[step] = np.sqrt(_dot(following, following))
            before, now = now, following * _ratio(np.ones(PROBES), betas[step])
        inner = np.zeros((PROBES, steps, steps))
        along = np.arange(steps)
        inner[:, along, along] = alphas.T
        inner[:, along[1:], along[:-1]] = inner[:, along[:-1], along[1:]] = betas[:-1].T
        values, vectors = np.linalg.eigh(inner)
        return float(n * (vectors[:, 0, :] ** 2 * np.log(values)).sum() / PROBES)


def _dot(a: Array, b: Array) -> Array:
    """The product of each column with its counterpart."""
    product: Array = np.einsum("ij,ij->j", a, b)
    return product


def _ratio(above: Array, below: Array) -> Array:
    """0 where there is nothing left to divide."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 1e-300)
