"""Of judgements that are nothing but noise, at most one set in twenty may pass; a real effect is seen.

The shares are held against the exact bound of Clopper and Pearson (1934): of 100 sets of noise, 1 passing leaves open
at most 4.7 %, of 400 sets 8 leave open 3.6 %.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from plainly.inference import Resampling
from plainly.metaeval.quality import Inputs, pooled
from plainly.metaeval.quality.chance import _exchanged, _tables, p_by_chance
from plainly.metaeval.quality.pool import Pool
from plainly.metaeval.quality.validation import Validation, held_out, within
from plainly.metrics import Array

from .conftest import Make, both

SETS = 100
"""Of each kind."""
SETTINGS = Resampling(resamples=199)


def most(passed: int, sets: int) -> float:
    """The largest true share with which so few would pass in one of twenty cases."""
    from scipy.stats import beta

    return float(beta.ppf(0.95, passed + 1, sets - passed))


def test_the_bound_is_that_of_the_tables() -> None:
    """0 of 59 is the textbook's smallest sample that leaves open less than 5 % (0.95 ** 59 = 0.0485)."""
    assert most(0, 59) == pytest.approx(1 - 0.05 ** (1 / 59))
    assert most(0, 58) > 0.05 > most(0, 59)


def deciding(pool: Pool, people: Array) -> list[Validation]:
    """Those that decide."""
    own = replace(pool, people=people)
    if len(pool.sets) == 1:
        return [within(own, pool.sets[0], SETTINGS)]
    pairs = [(name, [other for other in pool.sets if other != name]) for name in pool.sets]
    return [held_out(own, name, others, pool.rows(*others), SETTINGS) for name, others in pairs]


def noise(pool: Pool, seed: int, alike: float) -> Array:
    """Judgements that have nothing to do with any input; outputs of one source may share a part of theirs."""
    draw = np.random.default_rng([seed, 19])
    of_sources = draw.normal(size=int(pool.groups.max()) + 1)[pool.groups]
    return np.sqrt(alike) * of_sources + np.sqrt(1 - alike) * draw.normal(size=len(pool.people))


@pytest.fixture
def kinds(make: Make, inputs: Inputs) -> Iterator[tuple[str, Pool, float]]:
    whole, few = (pooled([make(both, segments=range(n))], ["quality"], inputs, threads=1) for n in (60, 10))
    parts = [make(both, name=str(start), segments=range(start, start + 30)) for start in (0, 30)]
    two = pooled(parts, ["quality"], inputs, threads=1)
    return iter([("whole", whole, 0.0), ("alike", whole, 0.5), ("few", few, 0.0), ("two sets", two, 0.5)])


@pytest.mark.slow
def test_noise_passes_no_more_often_than_promised(kinds: Iterator[tuple[str, Pool, float]]) -> None:
    """400 sets of noise: the bound of all of them together lies below 5 %."""
    passed, by_intervals = {}, {}
    for name, pool, alike in kinds:
        found = [deciding(pool, noise(pool, seed, alike)) for seed in range(SETS)]
        passed[name] = sum(all(test.better for test in tests) for tests in found)
        by_intervals[name] = sum(all(test.gap.difference.low > 0 for test in tests) for tests in found)
    print(f"noise called better: {passed} of {SETS} each; ahead by the interval alone: {by_intervals}")
    assert most(sum(passed.values()), 4 * SETS) <= 0.05, passed
    # Why the interval alone does not do: in folds it takes what was learned as given.
    assert by_intervals["whole"] > 0.05 * SETS


@pytest.mark.slow
def test_where_one_input_tells_all_the_others_are_noise(make: Make, inputs: Inputs) -> None:
    """200 sets: half have an effect that is just about to be seen (r = 0.2), half a clear one (r = 0.5)."""
    pool = pooled([make(both)], ["quality"], inputs, threads=1)
    z = (pool.values[:, 0] - pool.values[:, 0].mean()) / pool.values[:, 0].std()
    passed = 0
    for r in (0.2, 0.5):
        for seed in range(SETS):
            (test,) = deciding(pool, r * z + np.sqrt(1 - r**2) * noise(pool, seed, 0.0))
            passed += test.better
    print(f"one input alone, called better: {passed} of {2 * SETS}")
    assert most(passed, 2 * SETS) <= 0.05


@pytest.mark.slow
def test_a_real_effect_is_seen(make: Make, inputs: Inputs) -> None:
    """Two inputs matter alike, and noise has a variance of four to one against either."""
    pool = pooled([make(both)], ["quality"], inputs, threads=1)
    z = (pool.values - pool.values.mean(axis=0)) / pool.values.std(axis=0)
    seen = 0
    for seed in range(20):
        (test,) = deciding(pool, 0.5 * (z[:, 1] - z[:, 2]) + noise(pool, seed, 0.0))
        seen += test.better
    print(f"a real effect, called better: {seen} of 20")
    assert seen >= 16  # power of 0.8


def test_judgements_stay_among_sources_of_a_size() -> None:
    groups = np.array([2, 0, 0, 1, 1, 3, 3, 3])
    draw = np.random.default_rng(1)
    tables = _tables(groups)
    taken = np.array([_exchanged(tables, len(groups), draw) for _ in range(200)])
    assert all(sorted(row) == list(range(8)) for row in taken.tolist())
    assert (taken[:, 0] == 0).all()  # the only source with one output
    for row in taken.tolist():
        assert {*row[5:]} == {5, 6, 7}
        assert groups[row[1]] == groups[row[2]]  # what was judged together stays together
    assert {*taken[:, 1].tolist()} == {1, 2, 3, 4}


def test_p_counts_what_chance_reaches() -> None:
    """With three outputs of one source there are six orders: p of a perfect agreement tends to 1 in 6.

    A single input cannot be ahead of itself, so the second question is always answered by chance: p is 1.
    """
    inputs, people = np.array([[1.0], [2.0], [4.0]]), np.array([1.0, 2.0, 4.0])
    assert p_by_chance(lambda said: inputs, inputs, people, np.zeros(3, dtype=np.int64), 600, 1) == 1
    other = np.array([[1.0], [4.0], [2.0]])
    p = p_by_chance(lambda said: inputs, other, people, np.zeros(3, dtype=np.int64), 3000, 1)
    # `other` has r = 6/42; of the six orders of what it leaves, only the true one puts `inputs` so far ahead.
    assert p == pytest.approx(1 / 6, abs=0.03)
