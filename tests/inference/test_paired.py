"""Paired tests against hand-made cases, scipy and sacrebleu; how often they err; which system is better."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly import metrics as registry
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.inference import (
    Difference,
    Resampling,
    difference_of,
    paired_bootstrap,
    paired_randomisation,
    resample,
    sacrebleu_p,
)
from plainly.inference.paired import p_value, paired_test
from plainly.inference.small_sample import calibrated
from plainly.metrics import Array, Metric

Rows = Callable[[Array], Array]
Test = Callable[..., Difference]
TRIALS = 10_000
each_test = pytest.mark.parametrize("test", [paired_bootstrap, paired_randomisation])


def monte_carlo_error(p: float, trials: int = TRIALS, runs: int = 2) -> float:
    """Four standard errors of a p-value, or of the difference of two, and one trial for the + 1."""
    return 4 * math.sqrt(runs * p * (1 - p) / trials) + 1 / trials


def test_randomisation_by_hand(mean: Metric, as_rows: Rows) -> None:
    # Differences of three segments: 1, 2 and 3; observed mean 2. A swap turns the sign of a segment's difference.
    # Of the eight sums +-1 +-2 +-3, only 6 and -6 are as large as 6: p = 2 / 8.
    first, second = as_rows(np.array([5.0, 7, 9])), as_rows(np.array([4.0, 5, 6]))
    found = paired_randomisation(mean, first, second, resampling=Resampling(resamples=TRIALS))
    assert found.difference == pytest.approx(2)
    assert found.p == pytest.approx(0.25, abs=monte_carlo_error(0.25, runs=1))


def test_randomisation_against_all_swaps(quotient: Metric) -> None:
    draw = np.random.default_rng(3)
    first, second = (np.column_stack([np.ones(9), draw.gamma(3, size=9), draw.gamma(5, size=9)]) for _ in "ab")

    def apart(a: Array, b: Array) -> float:
        return float(quotient.score(a.sum(axis=0)).value - quotient.score(b.sum(axis=0)).value)

    observed = apart(first, second)
    swapped = []
    for coins in product([False, True], repeat=9):
        mask = np.array(coins)[:, None]
        swapped.append(apart(np.where(mask, second, first), np.where(mask, first, second)))
    exact = float(np.mean(np.abs(swapped) >= abs(observed) - 1e-12))
    found = paired_randomisation(quotient, first, second, resampling=Resampling(resamples=TRIALS))
    assert found.difference == pytest.approx(observed)
    assert 0.05 < exact < 0.95  # a case in which something can go wrong
    assert found.p == pytest.approx(exact, abs=monte_carlo_error(exact, runs=1))


def test_randomisation_against_scipy(mean: Metric, as_rows: Rows) -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(8)
    x, y = draw.normal(0.4, 1, size=12), draw.normal(size=12)
    peer = stats.permutation_test(
        (x, y),
        lambda a, b, axis=-1: a.mean(axis=axis) - b.mean(axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    found = paired_randomisation(mean, as_rows(x), as_rows(y), resampling=Resampling(resamples=TRIALS))
    assert found.p == pytest.approx(peer.pvalue, abs=monte_carlo_error(peer.pvalue, runs=1))


def test_randomisation_swaps_whole_documents(mean: Metric, as_rows: Rows) -> None:
    # Three documents of four segments, all differences 1: by document 2 of 8 swaps, by segment 2 of 4,096.
    first, second = as_rows(np.full(12, 1.0)), as_rows(np.zeros(12))
    clusters = [i // 4 for i in range(12)]
    by_document = paired_randomisation(
        mean, first, second, clusters=clusters, resampling=Resampling(resamples=TRIALS)
    )
    assert by_document.p == pytest.approx(0.25, abs=monte_carlo_error(0.25, runs=1))
    assert by_document.units == 3
    assert paired_randomisation(mean, first, second, resampling=Resampling(resamples=TRIALS)).p < 0.01


def test_bootstrap_by_hand() -> None:
    # Shifted differences -2 .. 2, observed 2: two of five are as far out as that.
    assert p_value(2.0, np.array([-2.0, -1, 0, 1, 2])) == pytest.approx((1 + 2) / (1 + 5))
    assert p_value(2.5, np.array([-2.0, -1, 0, 1, 2])) == pytest.approx(1 / 6)
    assert p_value(0.0, np.array([-2.0, -1, 0, 1, 2])) == 1
    assert p_value(2.0, np.array([-2.0, math.nan, 0])) == pytest.approx((1 + 1) / (1 + 2))
    assert math.isnan(p_value(math.nan, np.zeros(3)))


@pytest.fixture(scope="module")
def bleu_rows(texts: SimpleNamespace) -> dict[str, Array]:
    metric = registry.get("bleu")
    corpus = Corpus(texts.sources, list(zip(*texts.references, strict=True)), texts.systems)
    return {system: metric.measure(corpus, system) for system in texts.systems}


def sacrebleu_results(systems: dict[str, list[str]], references: list[list[str]], kind: str) -> dict[str, Any]:
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    metrics = {"BLEU": BLEU(lowercase=True, force=True)}
    _, results = PairedTest(list(systems.items()), metrics, references, kind, n_samples=TRIALS)()
    return dict(zip(systems, results["BLEU"], strict=True))


def test_randomisation_of_bleu_agrees_with_sacrebleu(texts: SimpleNamespace, bleu_rows: dict[str, Array]) -> None:
    peers = sacrebleu_results({system: texts.systems[system] for system in "abc"}, texts.references, "ar")
    p = [peers[system].p_value for system in "bc"]
    assert all(0.02 < value < 0.98 for value in p), p  # cases in which something can go wrong
    for system, expected in zip("bc", p, strict=True):
        found = paired_randomisation(
            registry.get("bleu"), bleu_rows[system], bleu_rows["a"], resampling=Resampling(resamples=TRIALS)
        )
        assert found.p == pytest.approx(expected, abs=monte_carlo_error(expected))


@pytest.mark.slow
def test_bootstrap_of_bleu_agrees_with_sacrebleu(texts: SimpleNamespace, bleu_rows: dict[str, Array]) -> None:
    peers = sacrebleu_results(texts.systems, texts.references, "bs")
    metric = registry.get("bleu")
    statistics = {system: {"bleu": rows} for system, rows in bleu_rows.items()}
    resampled = resample(statistics, {"bleu": metric}, resampling=Resampling(resamples=TRIALS))
    for system in "bcd":
        pair = resampled[system]["bleu"], resampled["a"]["bleu"]
        expected = peers[system].p_value
        assert sacrebleu_p(*pair) == pytest.approx(expected, abs=monte_carlo_error(expected))
        # Theirs is one-sided where it is small: twice that is the two-sided p, as long as the resampled
        # differences lie evenly around their mean. A twentieth allows for what skew there is.
        ours = difference_of(*pair, direction="higher", method="bootstrap-plain").p
        if expected < 0.1:
            assert ours == pytest.approx(2 * expected, abs=0.05 * ours + 2 * monte_carlo_error(expected))
        assert ours >= expected


@pytest.mark.slow
def test_real_systems_agree_with_sacrebleu(shared: Path) -> None:
    def lines(path: Path) -> list[str]:
        return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")

    data = shared / "data"
    sources = lines(data / "asset" / "asset.test.orig")
    references = [lines(data / "asset" / f"asset.test.simp.{i}") for i in range(10)]
    outputs = sorted((data / "system_outputs" / "asset_turkcorpus").glob("*.txt"))
    systems = {path.stem: lines(path) for path in outputs}
    metric = registry.get("bleu")
    corpus = Corpus(sources, list(zip(*references, strict=True)), systems)
    rows = {system: metric.measure(corpus, system) for system in systems}
    value = {system: float(metric.score(table.sum(axis=0)).value) for system, table in rows.items()}
    # Neighbours in the order of BLEU: pairs whose p is not plain to see.
    order = sorted(systems, key=value.__getitem__)
    for a, b in list(pairwise(order))[::5]:
        expected = sacrebleu_results({a: systems[a], b: systems[b]}, references, "ar")[b].p_value
        found = paired_randomisation(metric, rows[b], rows[a], resampling=Resampling(resamples=TRIALS))
        assert found.p == pytest.approx(expected, abs=monte_carlo_error(expected)), (a, b)
        expected = sacrebleu_results({a: systems[a], b: systems[b]}, references, "bs")[b].p_value
        pair = resample({a: {"": rows[a]}, b: {"": rows[b]}}, {"": metric}, resampling=Resampling(resamples=TRIALS))
        assert sacrebleu_p(pair[a][""], pair[b][""]) == pytest.approx(expected, abs=monte_carlo_error(expected))


# How often a test at 0.05 errs: 2,000 pairs of systems that share their resamples, as in the tests of coverage. The
# standard error is sqrt(0.05 * 0.95 / 2,000) = 0.005; the tolerance 3.3 of it.
PAIRS = 2000


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_equal_systems_differ_significantly_in_one_of_twenty_cases(mean: Metric, as_rows: Rows, method: str) -> None:
    draw = np.random.default_rng(9)
    n = 60
    tables = {}
    for i in range(PAIRS):
        shared_part = draw.normal(size=n)  # hard segments are hard for both
        tables[i] = [as_rows(shared_part + draw.normal(size=n)) for _ in range(2)]
    if method == "bootstrap":
        statistics = {f"{i}{j}": {"m": rows} for i, pair in tables.items() for j, rows in enumerate(pair)}
        scores = resample(statistics, {"m": mean})
        p = [difference_of(scores[f"{i}0"]["m"], scores[f"{i}1"]["m"], direction="higher").p for i in tables]
    else:
        # 300 pairs, one by one: 3.3 standard errors of them are 0.042.
        p = [
            paired_randomisation(
                mean,
                *tables[i],
                resampling=Resampling(resamples=200, seed=i),
            ).p
            for i in range(300)
        ]
    error = 3.3 * math.sqrt(0.05 * 0.95 / len(p))
    assert 0.05 - error <= np.mean(np.array(p) <= 0.05) <= 0.05 + error
    assert np.mean(p) == pytest.approx(0.5, abs=0.02 + 3.3 * math.sqrt(1 / 12 / len(p)))  # p is uniform


def test_the_detectable_difference_is_detected_in_four_of_five_cases(mean: Metric, as_rows: Rows) -> None:
    # Differences with sd 1 on 100 segments: standard error 0.1, and t(0.975) + t(0.8) of 99 degrees of freedom, so
    # 0.283 is found with a power of 0.8. The standard error of the share found in 1,000 cases is 0.013.
    draw = np.random.default_rng(10)
    n, cases, true = 100, 1000, 0.1 * (1.984217 + 0.845304)
    statistics = {str(i): {"m": as_rows(draw.normal(true, 1, size=n))} for i in range(cases)}
    statistics["zero"] = {"m": as_rows(np.zeros(n))}
    scores = resample(statistics, {"m": mean})
    found = [difference_of(scores[str(i)]["m"], scores["zero"]["m"], direction="higher") for i in range(cases)]
    assert np.mean([one.p <= 0.05 for one in found]) == pytest.approx(0.8, abs=3.3 * 0.0127)
    assert np.mean([one.mdd for one in found]) == pytest.approx(true, rel=0.02)
    # The effect is the mean difference in standard deviations, and z is ten times that.
    assert np.mean([one.effect for one in found]) == pytest.approx(true, rel=0.05)
    assert found[0].z == pytest.approx(10 * found[0].effect)


@each_test
@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_a_system_never_differs_from_itself(
    test: Test, interval: str, bleu_rows: dict[str, Array], texts: SimpleNamespace
) -> None:
    corpus = Corpus(texts.sources, list(zip(*texts.references, strict=True)), texts.systems)
    for label in ("bleu", "sari", "sari:huggingface", "fkgl", "levenshtein-similarity"):
        metric = registry.get(label)
        rows = metric.measure(corpus, "a")
        found = test(metric, rows, rows.copy(), resampling=Resampling(seed=3, method=interval))
        assert (found.difference, found.p, found.sd, found.z, found.effect, found.mdd) == (0, 1, 0, 0, 0, 0)
        assert (found.estimate.low, found.estimate.high) == (0, 0)
        assert found.first_is_better is None
        if metric.facts.direction != "none":
            assert found.superiority == 0.5


@each_test
@pytest.mark.parametrize("other", [1.0, 4.0])
def test_one_segment_has_no_test(test: Test, other: float, mean: Metric, as_rows: Rows) -> None:
    """Nor have two equal systems one: nothing is known of other segments."""
    found = test(mean, as_rows(np.array([4.0])), as_rows(np.array([other])))
    assert found.difference == 4 - other
    assert np.isnan([found.p, found.sd, found.estimate.low, found.superiority]).all()


@each_test
def test_better_means_better(test: Test, mean: Metric, lower: Metric, neutral: Metric, as_rows: Rows) -> None:
    draw = np.random.default_rng(1)
    low = draw.normal(size=50)
    high = low + draw.normal(1, 0.5, size=50)
    up, down, neither = (test(metric, as_rows(high), as_rows(low)) for metric in (mean, lower, neutral))
    assert up.difference == down.difference == neither.difference > 0
    assert up.p == down.p == neither.p < 0.01
    assert (up.first_is_better, down.first_is_better, neither.first_is_better) == (True, False, None)
    assert (up.superiority, down.superiority) == (1, 0)
    assert math.isnan(neither.superiority)
    assert neither.to_dict()["superiority"] is None


@each_test
def test_the_order_of_the_two_turns_the_sign_only(test: Test, bleu_rows: dict[str, Array]) -> None:
    metric = registry.get("bleu")
    one, other = test(metric, bleu_rows["b"], bleu_rows["c"]), test(metric, bleu_rows["c"], bleu_rows["b"])
    assert one.difference == -other.difference
    assert (one.p, one.sd, one.mdd) == pytest.approx((other.p, other.sd, other.mdd))
    assert (one.estimate.low, one.estimate.high) == pytest.approx((-other.estimate.high, -other.estimate.low))
    assert one.superiority == pytest.approx(1 - other.superiority)


@each_test
def test_a_constant_difference_is_as_sure_as_can_be(test: Test, mean: Metric, as_rows: Rows) -> None:
    values = np.arange(40.0)
    found = test(mean, as_rows(values + 1), as_rows(values))
    as_counted = 1 / 1001
    assert found.p == pytest.approx(calibrated(as_counted, 40) if test is paired_bootstrap else as_counted)
    assert (found.sd, found.z, found.mdd) == (0, math.inf, 0)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((1, 1))
    assert found.to_dict()["z"] is None


@each_test
def test_more_trials_move_p_alone(test: Test, bleu_rows: dict[str, Array]) -> None:
    pair = registry.get("bleu"), bleu_rows["b"], bleu_rows["c"]
    few, many = (test(*pair, resampling=Resampling(400), trials=trials) for trials in (400, 3000))
    assert (few.trials, many.trials) == (400, 3000)
    for name in ("estimate", "sd", "z", "effect", "superiority", "mdd"):
        assert getattr(few, name) == getattr(many, name)


def test_the_plain_bootstrap_counts_and_no_more(bleu_rows: dict[str, Array]) -> None:
    pair = registry.get("bleu"), bleu_rows["a"], bleu_rows["c"]
    plain, worth = paired_test(*pair, method="bootstrap-plain"), paired_test(*pair, method="bootstrap")
    assert (plain.method, worth.method) == ("bootstrap-plain", "bootstrap")
    assert worth.p == pytest.approx(calibrated(plain.p, 150), rel=1e-12)
    assert 0.001 < plain.p < worth.p < 0.5  # else this would show nothing


@each_test
def test_missing_scores(test: Test, mean: Metric, as_rows: Rows) -> None:
    values = np.array([1.0, 2, 3, 4])
    nothing = test(mean, as_rows(values), as_rows(np.full(4, math.nan)), resampling=Resampling(50))
    assert math.isnan(nothing.p)
    assert math.isnan(nothing.difference)
    assert math.isnan(nothing.estimate.low)
    assert nothing.estimate.dropped == 50
    assert nothing.first_is_better is None
    some = test(mean, as_rows(values), as_rows(np.array([1.0, 5.0, math.nan, math.nan])), resampling=Resampling(2000))
    assert math.isnan(some.p) if test is paired_bootstrap else 0 < some.p <= 1  # two segments are too few for it
    if test is paired_bootstrap:
        share = 0.5**4  # neither segment with a score is drawn
        assert some.dropped / 2000 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 2000))


@each_test
@given(
    pairs=st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=12),
    seed=st.integers(0, 1000),
)
def test_any_values_give_a_probability(
    test: Test, mean: Metric, as_rows: Rows, pairs: list[tuple[int, int]], seed: int
) -> None:
    first, second = (as_rows(np.array(side, dtype=float)) for side in zip(*pairs, strict=True))
    found = test(mean, first, second, resampling=Resampling(100, seed))
    if len(pairs) == 1:
        assert np.isnan([found.p, found.estimate.low, found.superiority]).all()
        return
    assert found.estimate.low <= found.estimate.high
    assert 0 <= found.superiority <= 1
    if found.difference == 0:
        assert found.p == 1
    elif test is paired_bootstrap and len(pairs) < 6:
        assert math.isnan(found.p)  # 2 of 2^5 swaps are more than 5 %
    else:
        assert 1 / 101 <= found.p <= 1


@each_test
def test_documents_of_one_segment_are_as_none(test: Test, bleu_rows: dict[str, Array]) -> None:
    metric = registry.get("bleu")
    pair = bleu_rows["a"], bleu_rows["b"]
    assert test(metric, *pair, clusters=[f"{i}" for i in range(150)]) == test(metric, *pair)


@each_test
def test_unequal_lengths_are_refused(test: Test, mean: Metric, as_rows: Rows) -> None:
    with pytest.raises(PlainlyError, match="2 segments, but others have 3"):
        test(mean, as_rows(np.arange(3.0)), as_rows(np.arange(2.0)))
