"""Linear algebra on the graph of comparisons, for thousands of texts without a dense matrix.

    A = sum over edges of weight (e_i - e_j)(e_i - e_j)' + diagonal

Small graphs are solved as dense matrices, exactly. On large ones, equations are solved by conjugate gradients, of
many columns at once (scipy's take one at a time, which is many times slower). The determinant is estimated by Lanczos
quadrature from a fixed set of random signs (Ubaru, Chen and Saad 2017), so that the same judgements give the same
number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plainly.metrics import Array
from plainly.ranking.fits import Index, summed

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
