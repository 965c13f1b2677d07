"""Large graphs are solved without a matrix; numpy's dense solutions are the oracle."""

from __future__ import annotations

import numpy as np
import pytest

from plainly.ranking import bradley_terry
from plainly.ranking.bradley_terry import Graph, System


@pytest.fixture
def sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bradley_terry, "DENSE", 0)


def example(n: int = 300, edges: int = 1200, hub: bool = False) -> tuple[Graph, np.ndarray, np.ndarray, np.ndarray]:
    """A graph with a weight for each edge, its diagonal, and the dense matrix; text n - 1 is never compared."""
    draw = np.random.default_rng(4)
    first = np.zeros(edges, dtype=np.int64) if hub else draw.integers(0, n - 1, edges)
    second = (first + draw.integers(1, n - 1, edges)) % (n - 1)
    weights, diagonal = draw.random(edges), draw.random(n) + 0.1
    matrix = np.diag(diagonal)
    for i, j, weight in zip(first, second, weights, strict=True):
        edge = np.zeros(n)
        edge[[i, j]] = 1, -1
        matrix += weight * np.outer(edge, edge)
    return Graph(first, second, n), weights, diagonal, matrix


@pytest.mark.slow
@pytest.mark.parametrize("hub", [False, True])
@pytest.mark.usefixtures("sparse")
def test_equations(hub: bool) -> None:
    graph, weights, diagonal, matrix = example(hub=hub)
    right = np.random.default_rng(1).standard_normal((graph.n, 70))
    found = System(graph, weights, diagonal).solve(right)
    assert found == pytest.approx(np.linalg.solve(matrix, right), abs=1e-6)
    assert System(graph, weights, diagonal).solve(right[:, 0]) == pytest.approx(found[:, 0], abs=1e-6)


@pytest.mark.usefixtures("sparse")
def test_nothing_to_solve() -> None:
    graph, weights, diagonal, _ = example()
    assert System(graph, weights, diagonal).solve(np.zeros(graph.n)).tolist() == [0.0] * graph.n


@pytest.mark.parametrize("hub", [False, True])
@pytest.mark.usefixtures("sparse")
def test_determinant(hub: bool) -> None:
    graph, weights, diagonal, matrix = example(hub=hub)
    expected = np.linalg.slogdet(matrix)[1]
    assert System(graph, weights, diagonal).log_determinant() == pytest.approx(expected, abs=0.01 * graph.n)


def test_dense_is_exact() -> None:
    graph, weights, diagonal, matrix = example()
    assert System(graph, weights, diagonal).log_determinant() == pytest.approx(np.linalg.slogdet(matrix)[1])


@pytest.mark.slow
@pytest.mark.parametrize("side", [False, True])
def test_both_ways_rate_alike(monkeypatch: pytest.MonkeyPatch, side: bool) -> None:
    draw = np.random.default_rng(2)
    first = draw.integers(0, 200, 2000)
    second = (first + draw.integers(1, 200, 2000)) % 200
    outcome = (draw.random(2000) < 1 / (1 + np.exp(-(first - second) / 40 - 0.5))).astype(float)
    dense = bradley_terry.estimate(first, second, outcome, 200, position=side)
    monkeypatch.setattr(bradley_terry, "DENSE", 0)
    sparse = bradley_terry.estimate(first, second, outcome, 200, position=side)
    assert sparse.found["prior-sd"] == pytest.approx(dense.found["prior-sd"], rel=0.02)
    assert sparse.ratings == pytest.approx(dense.ratings, abs=0.03)
    if side:
        assert sparse.position == pytest.approx(dense.position, abs=0.01)
    assert dense.draws is not None
    assert sparse.draws is not None
    spreads = [fit.draws(400, np.random.default_rng(0)).std(0) for fit in (dense, sparse) if fit.draws]
    assert spreads[1] == pytest.approx(spreads[0], rel=0.05)
