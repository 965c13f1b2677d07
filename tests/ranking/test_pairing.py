"""Who meets whom: balance, no repeats, sides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.ranking.pairing import (
    Met,
    Pairs,
    balanced_many,
    balanced_pairs,
    count_repeats,
    information_round,
    met_in,
    note_met,
    random_many,
    random_pairs,
    swiss_round,
    with_sides,
)

seeds = st.integers(0, 2**32 - 1)


def counts(pairs: Pairs, texts: int) -> list[int]:
    return np.bincount(pairs.ravel(), minlength=texts).tolist()


def check(pairs: Pairs, texts: int, matches: int) -> None:
    assert pairs.shape == (matches, 2)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert pairs.min() >= 0
    assert pairs.max() < texts


@given(st.integers(2, 40), st.integers(1, 39), seeds, st.booleans())
def test_whole_rounds_give_every_text_the_same_number_of_matches(
    n: int, rounds: int, seed: int, repeats: bool
) -> None:
    rounds = min(rounds, n - 1 + n % 2)
    if n % 2:
        rounds = n  # after so many rounds, everybody had the bye once
    pairs = balanced_pairs(n, rounds * (n // 2), np.random.default_rng(seed), repeats=repeats)
    check(pairs, n, rounds * (n // 2))
    assert set(counts(pairs, n)) == {rounds - n % 2}
    if not repeats:
        assert count_repeats(pairs) == 0


@given(st.integers(3, 41).filter(lambda n: n % 2), st.integers(1, 60), seeds, st.booleans())
def test_the_bye_goes_round(n: int, rounds: int, seed: int, repeats: bool) -> None:
    rounds = rounds if repeats else min(rounds, n)
    pairs = balanced_pairs(n, rounds * (n // 2), np.random.default_rng(seed), repeats=repeats)
    found = counts(pairs, n)
    assert max(found) - min(found) <= 1
    for start in range(0, len(pairs), n // 2):
        assert len(set(pairs[start : start + n // 2].ravel().tolist())) == n - 1


@given(st.integers(2, 40), st.data(), seeds)
def test_random_pairs_without_repeats(n: int, data: st.DataObject, seed: int) -> None:
    matches = data.draw(st.integers(1, n * (n - 1) // 2))
    pairs = random_pairs(n, matches, np.random.default_rng(seed))
    check(pairs, n, matches)
    assert count_repeats(pairs) == 0


def test_all_pairs_of_a_large_set_are_numbered_right() -> None:
    """The last pair numbers, where a root in floating point could be one off."""
    n = 1000
    pairs = random_pairs(n, n * (n - 1) // 2, np.random.default_rng(0))
    check(pairs, n, n * (n - 1) // 2)
    assert len(np.unique(pairs[:, 0] * n + pairs[:, 1])) == len(pairs)


@given(st.integers(2, 31), seeds, st.lists(st.floats(-3, 3), min_size=31, max_size=31))
def test_swiss_rounds_do_not_repeat_while_that_can_be_avoided(n: int, seed: int, ratings: list[float]) -> None:
    draw = np.random.default_rng(seed)
    met: Met = met_in([], n)
    rounds = []
    for _ in range(max(1, n // 2)):
        pairs = swiss_round(np.array(ratings[:n]), met, draw)
        check(pairs, n, n // 2)
        assert len(set(pairs.ravel().tolist())) == n // 2 * 2
        note_met(met, pairs.tolist())
        rounds.append(pairs)
    everything = np.concatenate(rounds)
    assert count_repeats(everything) == 0
    assert max(counts(everything, n)) - min(counts(everything, n)) <= 1


def test_swiss_pairs_are_neighbours() -> None:
    pairs = swiss_round(np.arange(20.0), met_in([], 20), np.random.default_rng(1), jitter=1e-9)
    assert sorted(sorted(pair) for pair in pairs.tolist()) == [[i, i + 1] for i in range(0, 20, 2)]


def test_swiss_neighbours_that_met_are_passed_by() -> None:
    """Texts 0 to 3 in order of rating; 2-3 and 0-1 have met, so 1-3 and 0-2 are next."""
    pairs = swiss_round(np.arange(4.0), met_in([(2, 3), (0, 1)], 4), np.random.default_rng(0), jitter=1e-9)
    assert sorted(sorted(pair) for pair in pairs.tolist()) == [[0, 2], [1, 3]]


def test_a_swap_avoids_the_last_repeat() -> None:
    """From the top: 5-4, 3-2, and 1-0 are left, who met. A swap with 3-2 helps: both pairs are new."""
    pairs = swiss_round(np.arange(6.0), met_in([(0, 1)], 6), np.random.default_rng(0), jitter=1e-9)
    assert [0, 1] not in [sorted(pair) for pair in pairs.tolist()]
    assert count_repeats(pairs) == 0


def test_a_repeat_where_nothing_else_is_left() -> None:
    pairs = swiss_round(np.zeros(2), met_in([(0, 1)], 2), np.random.default_rng(0))
    assert sorted(pairs[0].tolist()) == [0, 1]


def test_most_information_first() -> None:
    """p (1 - p) Var by hand. Ratings 0, 0, 2, 2: p (1 - p) is .25 within and .105 between.

    Variances of single ratings 1, 1, .1, .1 without covariance: 0-1 has .25 x 2 = .5, 2-3 .25 x .2 = .05, and
    those between .105 x 1.1 = .1155. So 0-1 comes first, then 2-3 is what is left.
    """
    ratings, covariance = np.array([0.0, 0.0, 2.0, 2.0]), np.diag([1.0, 1.0, 0.1, 0.1])
    pairs = information_round(ratings, covariance, met_in([], 4), np.random.default_rng(0))
    assert [sorted(pair) for pair in pairs.tolist()] == [[0, 1], [2, 3]]
    met = met_in([(0, 1)], 4)
    pairs = information_round(ratings, covariance, met, np.random.default_rng(0))
    assert sorted(pairs[0].tolist()) in ([0, 2], [0, 3], [1, 2], [1, 3])
    assert count_repeats(np.concatenate([pairs, [[0, 1]]])) == 0


@given(st.integers(3, 25), seeds)
def test_information_rounds_use_every_text_once(n: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    root = draw.standard_normal((n, n))
    pairs = information_round(draw.standard_normal(n), root @ root.T + np.eye(n), met_in([], n), draw)
    check(pairs, n, n // 2)
    assert len(set(pairs.ravel().tolist())) == n // 2 * 2


@given(st.integers(2, 30), seeds)
def test_sides_keep_the_pairs_and_are_balanced(n: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    pairs = balanced_pairs(n, max(1, n * (n - 1) // 4), draw)
    sided = with_sides(pairs, n, draw)
    assert np.sort(sided, axis=1).tolist() == np.sort(pairs, axis=1).tolist()
    surplus = np.bincount(sided[:, 0], minlength=n) - np.bincount(sided[:, 1], minlength=n)
    assert np.abs(surplus).max() <= 4


def test_sides_make_up_for_earlier_rounds() -> None:
    before = np.array([[0, 1], [0, 2], [0, 3]])
    assert with_sides(np.array([[0, 4]]), 5, np.random.default_rng(0), before).tolist() == [[4, 0]]


@given(st.integers(2, 20), st.integers(1, 60), seeds)
def test_many_studies_at_once(n: int, matches: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    for first, second in (balanced_many(3, n, matches, draw), random_many(3, n, matches, draw)):
        assert first.shape == second.shape == (3, matches)
        for study in range(3):
            check(np.stack([first[study], second[study]], axis=1), n, matches)


def test_random_pairs_are_uniform() -> None:
    """20,000 x 3 draws of 6 equally likely ordered pairs: expected 10,000 each, standard deviation 91."""
    first, second = random_many(20_000, 3, 3, np.random.default_rng(5))
    found = np.bincount((first * 3 + second).ravel(), minlength=9)
    assert found[[0, 4, 8]].tolist() == [0, 0, 0]
    assert np.abs(found[[1, 2, 3, 5, 6, 7]] - 10_000).max() < 5 * 91


def test_same_seed_same_pairs() -> None:
    one, other = (balanced_pairs(31, 100, np.random.default_rng(3)) for _ in range(2))
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("make", [balanced_pairs, random_pairs])
def test_what_cannot_be(make: object) -> None:
    draw = np.random.default_rng(0)
    for texts, matches, words in (
        (1, 1, "at least 2 texts, not 1"),
        (5, 0, "at least 1, not 0"),
        (5, 11, "5 texts make 10 pairs, fewer than 11"),
    ):
        with pytest.raises(PlainlyError, match=words):
            make(texts, matches, draw)  # type: ignore[operator]
    assert len(make(5, 11, draw, repeats=True)) == 11  # type: ignore[operator]
