"""N-grams, ridge regression and trees, each against scikit-learn or numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.simplicity.linear import Design, ridge
from plainly.simplicity.ngrams import Entries, Wording
from plainly.simplicity.trees import Growth, grow

TEXTS = ["The cat sat on a mat.", "A dog ran, and a cat sat!", "the mat is on the cat", "Dogs run."]


def dense(entries: Entries, shape: tuple[int, int]) -> np.ndarray:
    matrix = np.zeros(shape)
    matrix[entries.row, entries.column] = entries.value
    return matrix


def test_n_grams_are_those_of_scikit_learn() -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    wording = Wording.learned(TEXTS, "en", 2)
    ours = dense(wording.entries(TEXTS), (len(TEXTS), len(wording)))
    common = {"min_df": 2, "sublinear_tf": True, "lowercase": True}
    characters = text.TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), **common)
    words = text.TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\w+|[^\w\s]", **common)
    theirs = np.hstack([characters.fit_transform(TEXTS).toarray(), words.fit_transform(TEXTS).toarray()])
    assert [*wording.characters, *wording.words] == [
        *characters.get_feature_names_out(),
        *words.get_feature_names_out(),
    ]
    assert ours == pytest.approx(theirs)


@given(st.text(max_size=60))
def test_every_occurrence_of_an_n_gram_has_its_place(text: str) -> None:
    wording = Wording.learned([*TEXTS, text, text], "en", 2)
    found = wording.entries([text])
    places = list(wording.places(text))
    assert {column for column, _ in places} == set(found.column.tolist())
    assert all(0 <= owner < len(text.split()) for _, owners in places for owner in owners)


def test_rare_n_grams_are_not_kept() -> None:
    wording = Wording.learned(["secret word", "other text", "third text"], "en", 2)
    assert wording.words == ("text",)
    assert not any("secr" in gram for gram in wording.characters)


def test_ridge_solves_the_normal_equations() -> None:
    chance = np.random.default_rng(0)
    features, grams = chance.normal(size=(40, 5)), chance.random((40, 30)) * (chance.random((40, 30)) < 0.2)
    row, column = np.nonzero(grams)
    target = chance.normal(size=40)
    weights, gram_weights = ridge(Design(features, Entries(row, column, grams[row, column]), 30), target, 2.0)
    both = np.hstack([features, grams])
    expected = np.linalg.solve(both.T @ both + 2 * np.eye(35), both.T @ target)
    assert np.concatenate([weights, gram_weights]) == pytest.approx(expected, abs=1e-9)


def test_part_of_a_design_is_that_of_those_rows() -> None:
    entries = Entries(np.array([0, 1, 2]), np.array([0, 1, 0]), np.array([1.0, 2.0, 3.0]))
    part = Design(np.eye(3), entries, 2).only(np.array([0, 2]))
    assert part.times(np.zeros(3), np.array([1.0, 10.0])).tolist() == [1.0, 3.0]


def test_one_tree_finds_the_step() -> None:
    """All rows and columns, no shrinkage: the tree says the mean on either side of the step, as any CART would."""
    x = np.arange(20, dtype=float)
    matrix, target = np.column_stack([np.zeros(20), x]), np.where(x < 8, -3.0, 2.0)
    trees = grow(matrix, target, Growth(trees=1, depth=1, rate=1, rows=2, columns=2, leaf=1, ridge=1e-9), 1)
    assert trees.feature.tolist() == [[1]]
    assert trees.threshold.tolist() == [[7.5]]
    assert trees.predicted(matrix) == pytest.approx(target - target.mean())


def test_trees_come_near_those_of_scikit_learn() -> None:
    """The same squared error on unseen rows, within a fifth."""
    ensemble = pytest.importorskip("sklearn.ensemble")
    chance = np.random.default_rng(1)
    matrix = chance.normal(size=(600, 6))
    target = np.sin(2 * matrix[:, 0]) + (matrix[:, 1] > 0) * matrix[:, 2] + 0.1 * chance.normal(size=600)
    seen, unseen = slice(0, 400), slice(400, 600)
    ours = grow(matrix[seen], target[seen], Growth(trees=200, rate=0.1, columns=2, leaf=1, ridge=1e-9), 1)
    theirs = ensemble.GradientBoostingRegressor(n_estimators=200, max_depth=3, subsample=0.5, random_state=0)
    theirs.fit(matrix[seen], target[seen])
    mean = target[seen].mean()
    error = ((ours.predicted(matrix[unseen]) + mean - target[unseen]) ** 2).mean()
    assert error < 1.2 * ((theirs.predict(matrix[unseen]) - target[unseen]) ** 2).mean()
    assert error < 0.35 * target.var()


def test_contributions_belong_to_the_columns_that_matter() -> None:
    chance = np.random.default_rng(2)
    matrix = chance.normal(size=(300, 3))
    trees = grow(matrix, 2.0 * matrix[:, 1], Growth(trees=50, columns=2), 3)
    parts = np.abs(trees.contributions(matrix)).sum(axis=0)
    assert parts[1] > 5 * (parts[0] + parts[2])
    assert trees.contributions(np.zeros((0, 3))).shape == (0, 3)
