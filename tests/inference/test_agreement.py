"""Kappas: against scikit-learn, NLTK and statsmodels, against cases worked by hand, and under resampling."""

from __future__ import annotations

import math

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask

from plainly.base.errors import PlainlyError
from plainly.inference.agreement import (
    MISSING,
    cohen,
    cohen_kappa,
    confusion,
    davies_fleiss,
    davies_fleiss_kappa,
    encode,
    fleiss,
    fleiss_kappa,
    fleiss_rows,
    observed,
    paired_counts,
    precision_recall_f1,
    weighted_cohen,
)


def raters(seed: int, items: int = 40, people: int = 4, categories: int = 5) -> list[list[int]]:
    """Ratings of people who give the true category in 60 % of the cases, else any."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, categories, items)
    return [
        [int(t) if draw.random() < 0.6 else int(draw.integers(0, categories)) for _ in range(people)] for t in truth
    ]


RATINGS = raters(20)
FIRST, SECOND = [row[0] for row in RATINGS], [row[1] for row in RATINGS]


def test_figures_of_peers() -> None:
    # scikit-learn 1.9.1 cohen_kappa_score, with weights None, "linear", "quadratic", on RATINGS
    assert cohen_kappa(FIRST, SECOND) == pytest.approx(0.4076383476227592, abs=1e-12)
    assert cohen_kappa(FIRST, SECOND, weighting="linear") == pytest.approx(0.4112967382657121, abs=1e-12)
    assert cohen_kappa(FIRST, SECOND, weighting="quadratic") == pytest.approx(0.42207792207792205, abs=1e-12)
    # statsmodels 0.15.0 fleiss_kappa(aggregate_raters(RATINGS)[0])
    assert fleiss_kappa(RATINGS) == pytest.approx(0.3479904038910249, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_nltk_gives_the_same(seed: int) -> None:
    ratings = raters(seed, people=2 + seed)
    triples = [
        (str(person), str(item), label) for item, row in enumerate(ratings) for person, label in enumerate(row)
    ]
    assert davies_fleiss_kappa(ratings) == pytest.approx(AnnotationTask(triples).multi_kappa(), abs=1e-12)
    two = [triple for triple in triples if triple[0] in "01"]
    first, second = [row[0] for row in ratings], [row[1] for row in ratings]
    assert cohen_kappa(first, second) == pytest.approx(AnnotationTask(two).kappa(), abs=1e-12)


def test_scikit_learn_gives_the_same() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    for seed in range(5):
        codes = np.array(raters(seed, items=200, people=2, categories=7))
        truth, judged = codes.T
        counts = paired_counts(codes, 7).sum(0)[0]
        expected = metrics.precision_recall_fscore_support(truth, judged, zero_division=np.nan)
        assert cohen(counts) == pytest.approx(metrics.cohen_kappa_score(truth, judged), abs=1e-12)
        for ours, theirs in zip(precision_recall_f1(counts), expected[:3], strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-12)
        np.testing.assert_array_equal(confusion(codes, 7), metrics.confusion_matrix(truth, judged))
        assert observed(counts) == pytest.approx((truth == judged).mean())


def test_by_hand() -> None:
    # Ten items: both yes 4, both no 3, first alone yes 2, second alone yes 1.
    # Ao = 7/10, yes 6/10 and 5/10, no 4/10 and 5/10: Ae = .3 + .2 = .5, kappa = .2 / .5 = .4
    first = ["yes"] * 4 + ["no"] * 3 + ["yes"] * 2 + ["no"]
    second = ["yes"] * 4 + ["no"] * 3 + ["no"] * 2 + ["yes"]
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_davies_and_fleiss_with_missing_ratings_by_hand() -> None:
    # a and b share 4 items: agree on 3; a: x x x y, b: x x y y. Ae = (3*2 + 1*2) / 16 = 1/2
    # a and c share 2 items: agree on 1; a: x y, c: x x. Ae = (1*2 + 1*0) / 4 = 1/2
    # b and c share the same 2: b: x y, c: x x: agree on 1, Ae = 1/2
    # Ao = 5/8 of 8 shared items, Ae = 1/2 throughout: kappa = 1/4
    ratings = [["x", "x", "x"], ["x", "x", None], ["x", "y", None], ["y", "y", "x"]]
    assert davies_fleiss_kappa(ratings) == pytest.approx(0.25)


def test_an_item_rated_once_counts_nothing() -> None:
    alone = [["x", None, None], [None, None, "y"], [None, None, None]]
    some = [["x", "x", "y"], ["y", "y", None], ["x", "y", "y"], ["y", None, "y"]]
    assert davies_fleiss_kappa(some + alone) == davies_fleiss_kappa(some)
    assert fleiss_kappa(some + alone) == fleiss_kappa(some)


def test_fleiss_with_missing_ratings_by_hand() -> None:
    # Items xxy, xx, yy: agreeing pairs 1/3, 1, 1: mean 7/9. Shares x 4/7, y 3/7: Ae = 25/49
    # kappa = (7/9 - 25/49) / (24/49) = (343 - 225) / 216 = 118/216
    ratings = [["x", "x", "y"], ["x", "x", None], [None, "y", "y"]]
    assert fleiss_kappa(ratings) == pytest.approx(118 / 216)


def test_names_of_categories_and_order_of_raters_do_not_matter() -> None:
    renamed = [[f"label {label * 7 % 5}" for label in reversed(row)] for row in RATINGS]
    assert davies_fleiss_kappa(renamed) == pytest.approx(davies_fleiss_kappa(RATINGS), abs=1e-12)
    assert fleiss_kappa(renamed) == pytest.approx(fleiss_kappa(RATINGS), abs=1e-12)


def test_units_add_up_and_weights_repeat_them() -> None:
    codes = np.array(RATINGS)
    units = np.arange(40) // 7
    counts = paired_counts(codes, 5, units=units)
    weights = np.array([2, 0, 1, 3, 0, 1])
    repeated = np.concatenate([codes[units == unit] for unit, times in enumerate(weights) for _ in range(times)])
    weighted = np.tensordot(weights, counts, 1)
    assert davies_fleiss(weighted) == pytest.approx(davies_fleiss_kappa(repeated.tolist()), abs=1e-12)
    assert cohen(weighted)[3] == pytest.approx(cohen_kappa(repeated[:, 1].tolist(), repeated[:, 2].tolist()))
    rows = fleiss_rows(codes, 5)
    assert fleiss(weights[units] @ rows) == pytest.approx(fleiss_kappa(repeated.tolist()), abs=1e-12)


def test_chosen_pairs_and_units_without_items() -> None:
    codes = np.array(RATINGS)
    counts = paired_counts(codes, 5, pairs=[(3, 0)], units=np.full(40, 2), size=4)
    assert counts.shape == (4, 1, 3, 5)
    assert counts[[0, 1, 3]].sum() == 0
    assert cohen(counts[2, 0]) == pytest.approx(cohen_kappa([row[3] for row in RATINGS], FIRST))


@pytest.mark.parametrize("ratings", [[], [["x", "x"], ["x", "x"]], [["x", None], [None, "y"]]])
def test_where_chance_explains_all_there_is_no_kappa(ratings: list[list[str | None]]) -> None:
    assert math.isnan(davies_fleiss_kappa(ratings))
    assert math.isnan(fleiss_kappa(ratings))
    first, second = [row[0] for row in ratings], [row[1] for row in ratings]
    assert math.isnan(cohen_kappa(first, second))


def test_full_agreement_is_one_and_full_disagreement_below_chance() -> None:
    assert davies_fleiss_kappa([["x", "x"], ["y", "y"]]) == 1
    assert davies_fleiss_kappa([["x", "y"], ["y", "x"]]) == -1


def test_encoding() -> None:
    codes, known = encode([["b", None], [math.nan, "a"]], ["a"])
    assert known == ("a", "b")
    assert codes.tolist() == [[1, MISSING], [MISSING, 0]]


def test_weighting_follows_the_order_that_is_given() -> None:
    first, second = ["low", "mid", "high", "low"], ["low", "high", "high", "mid"]
    numbers = {"low": 0, "mid": 1, "high": 2}
    ordered = cohen_kappa(first, second, weighting="linear", categories=list(numbers))
    assert ordered == cohen_kappa([numbers[x] for x in first], [numbers[x] for x in second], weighting="linear")
    assert ordered != cohen_kappa(first, second, weighting="linear")  # by the alphabet
    assert weighted_cohen(np.eye(3), "quadratic") == 1


def test_bad_input() -> None:
    with pytest.raises(PlainlyError, match="they have 1 and 2"):
        cohen_kappa(["x"], ["x", "y"])
    with pytest.raises(PlainlyError, match="one rating"):
        davies_fleiss_kappa([["x", "y"], ["x"]])
    with pytest.raises(PlainlyError, match="'z' is not among the categories"):
        cohen_kappa(["x", "z"], ["x", "y"], categories=["x", "y"])
