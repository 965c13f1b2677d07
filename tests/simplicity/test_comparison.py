"""Learners beside each other: figures by hand and by scikit-learn, embeddings in files, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling
from plainly.simplicity import Examples, Learned, compare_learners, read_embeddings

FEW = Resampling(resamples=200)
GOAL = np.array([0.0, 0.25, 0.5, 1.0])
TESTED = [f"word {'and more ' * n}things" for n in (8, 5, 2, 1)]


def seen(vectors: Any = None) -> Examples:
    """The longer, the harder."""
    texts = [f"some {'more ' * n}words" for n in range(24)]
    return Examples(texts, np.linspace(1, 0, 24), vectors)


def row(learner: str, first: Examples, second: Examples) -> Learned:
    (found,) = compare_learners(first, second, [learner], resampling=FEW).rows
    return found


def test_the_mean_by_hand() -> None:
    """All 0.5: errors .25, .0625, 0, .25, mean .140625. Variance of the target: mean .4375, .13671875."""
    found = row("mean", seen(), Examples(TESTED, GOAL))
    assert found.mse.value == pytest.approx(0.140625)
    assert found.r2.value == pytest.approx(1 - 0.140625 / 0.13671875)
    assert np.isnan(found.spearman.value)
    assert found.mse.low < found.mse.value < found.mse.high


def test_random_numbers_by_their_expectation() -> None:
    """The mean of (u - y)^2 over u in [0, 1] is y^2 - y + 1/3; its spread, against 100,000 draws of other numbers."""
    found = row("random", seen(), Examples(TESTED, GOAL))
    assert found.mse.value == pytest.approx((GOAL**2 - GOAL + 1 / 3).mean(), abs=0.015)
    errors = ((np.random.default_rng(3).random((100_000, 4)) - GOAL) ** 2).mean(1)
    assert found.spread[0] == pytest.approx(errors.std(), rel=0.1)
    assert found.spread[1] == pytest.approx(found.spread[0] / GOAL.var())


def test_length_orders_by_length() -> None:
    found = row("length", seen(), Examples(TESTED, GOAL))
    assert found.spearman.value == 1
    assert found.r2.value > row("mean", seen(), Examples(TESTED, GOAL)).r2.value


def test_embeddings_by_scikit_learn() -> None:
    """The figures are those of scikit-learn for its own gradient boosting."""
    from sklearn.ensemble import GradientBoostingRegressor
    from sklearn.metrics import mean_squared_error, r2_score

    draw = np.random.default_rng(1)
    first, second = draw.normal(size=(24, 3)), draw.normal(size=(4, 3))
    found = row("boosted-embeddings", seen(first), Examples(TESTED, GOAL, second))
    said = GradientBoostingRegressor(random_state=FEW.seed).fit(first, np.linspace(1, 0, 24)).predict(second)
    assert found.mse.value == pytest.approx(mean_squared_error(GOAL, said))
    assert found.r2.value == pytest.approx(r2_score(GOAL, said))


def test_embeddings_that_tell_the_target_are_used() -> None:
    goal = np.linspace(1, 0, 24)
    parts = seen(np.column_stack([goal, goal**2])), Examples(TESTED, GOAL, np.column_stack([GOAL, GOAL**2]))
    assert row("ridge-embeddings", *parts).mse.value < 1e-3
    assert [one.learner for one in compare_learners(*parts, resampling=FEW).rows] == [
        *("random", "mean", "length", "lite", "boosted-embeddings", "ridge-embeddings")
    ]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: row("boosted-embeddings", seen(), Examples(TESTED, GOAL)), "needs embeddings of both"),
        (lambda: row("trees", seen(), Examples(TESTED, GOAL)), "unknown learner 'trees'"),
        (lambda: row("mean", seen(), Examples(TESTED, GOAL * 0)), "all equally simple"),
        (lambda: Examples(TESTED, GOAL[:3]), "4 texts and 3 targets"),
        (lambda: Examples(TESTED, GOAL, np.ones((3, 2))), "4 texts and 3 embeddings"),
        (lambda: Examples(TESTED, GOAL, np.full((4, 2), np.nan)), "missing or infinite"),
        (lambda: row("mean", Examples(TESTED, GOAL), Examples(TESTED, GOAL)), "at least 20 texts, not 4"),
    ],
)
def test_what_cannot_be_compared(make: Callable[[], object], complaint: str) -> None:
    with pytest.raises(PlainlyError, match=complaint):
        make()


def test_embeddings_are_read(tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text('{"id": "b", "embedding": [3, 4]}\n{"id": "a", "embedding": [1, 2.5]}\n')
    (tmp_path / "v.csv").write_text("text_id,x,y\nz,0,0\nb,3,4\na,1,2.5\n")
    for name in ("v.jsonl", "v.csv"):
        assert read_embeddings(tmp_path / name, ["a", "b"]).tolist() == [[1, 2.5], [3, 4]]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("id,x\na,1\n", "text b has no embedding"),
        ("id,x\na,1\na,2\nb,1\n", ":3: text a is there twice"),
        ("id,x\na,one\nb,1\n", ":2: an embedding is a list of numbers"),
        ("id,x\na,nan\nb,1\n", ":2: an embedding is a list of numbers"),
        ("id\na\nb\n", "an embedding is a list of numbers"),
        ("name,x\na,1\n", "needs id; found name, x"),
    ],
)
def test_embeddings_that_are_refused(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "v.csv").write_text(content)
    with pytest.raises(PlainlyError) as caught:
        read_embeddings(tmp_path / "v.csv", ["a", "b"])
    assert complaint in str(caught.value)


def test_a_list_in_another_column_is_refused_with_the_name_that_is_needed(tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text('{"id": "a", "vector": [1, 2]}\n')
    with pytest.raises(PlainlyError, match=":1: an embedding is a list of numbers in embedding, or"):
        read_embeddings(tmp_path / "v.jsonl", ["a"])


def test_embeddings_of_another_length(tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text('{"id": "a", "embedding": [1]}\n{"id": "b", "embedding": [1, 2]}\n')
    with pytest.raises(PlainlyError, match=":2: text b has an embedding of another length"):
        read_embeddings(tmp_path / "v.jsonl", ["a", "b"])
