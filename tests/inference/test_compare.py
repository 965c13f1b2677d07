"""The whole comparison: the same numbers as the single functions, whichever way the systems are given."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly import evaluate
from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import (
    Comparison,
    Resampling,
    compare,
    confidence_interval,
    holm,
    paired_bootstrap,
    paired_randomisation,
    resamples_needed,
)
from plainly.inference.paired import TestMethod
from plainly.metrics import Array, Metric
from plainly.scoring import Evaluation

Rows = Callable[[Array], Array]
SINGLE = {"bootstrap": paired_bootstrap, "randomisation": paired_randomisation}


@pytest.fixture(scope="module")
def scores(texts: SimpleNamespace) -> Evaluation:
    references = list(zip(*texts.references, strict=True))
    return evaluate(texts.sources, texts.systems, references, metrics=["sari", "bleu", "fkgl", "compression-ratio"])


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
@pytest.mark.parametrize("interval", ["percentile", "bca"])
@pytest.mark.parametrize("clustered", [False, True])
def test_same_numbers_as_the_single_functions(
    scores: Evaluation, method: str, interval: str, clustered: bool
) -> None:
    assert scores.statistics is not None
    clusters = [i // 3 for i in range(scores.size)] if clustered else None
    resampling = Resampling(300, 9, 0.9, interval)
    found = compare(scores.statistics, scores.metrics, method=method, clusters=clusters, resampling=resampling)  # type: ignore[arg-type]
    assert found.units == (50 if clustered else 150)
    for label, metric in scores.metrics.items():
        for system in "abcd":
            standing = found[system][label]
            rows = scores.statistics[system][label]
            assert standing.score == scores[system][label].score
            assert (standing.scored, standing.unscored) == (150, 0)
            alone = confidence_interval(metric, rows, clusters=clusters, resampling=resampling)
            assert (standing.estimate.low, standing.estimate.high) == pytest.approx((alone.low, alone.high), rel=1e-9)
        pair = found.pair("b", "d", label)
        alone = SINGLE[method](
            metric,
            scores.statistics["b"][label],
            scores.statistics["d"][label],
            clusters=clusters,
            resampling=resampling,
        )
        for name in ("difference", "p", "sd", "z", "effect", "superiority", "mdd"):
            assert getattr(pair, name) == pytest.approx(getattr(alone, name), rel=1e-9, nan_ok=True)
        assert (pair.estimate.low, pair.estimate.high) == pytest.approx(
            (alone.estimate.low, alone.estimate.high), rel=1e-9
        )


def test_pairs_ranks_and_the_best(scores: Evaluation) -> None:
    assert scores.statistics is not None
    found = compare(scores.statistics, scores.metrics)
    assert [(pair.first, pair.second) for pair in found.pairs if pair.metric == "bleu"] == [
        ("a", "b"),
        ("a", "c"),
        ("a", "d"),
        ("b", "c"),
        ("b", "d"),
        ("c", "d"),
    ]
    p = np.array([pair.p for pair in found.pairs if pair.metric == "bleu"])
    corrected = [pair.p_holm for pair in found.pairs if pair.metric == "bleu"]
    assert corrected == pytest.approx(holm(p))
    for pair in found.pairs:
        assert pair.significant == (pair.p_holm < 0.05)
    bleu = {system: found[system]["bleu"] for system in found.systems}
    assert sorted(bleu, key=lambda system: -bleu[system].score) == sorted(
        bleu, key=lambda system: bleu[system].rank or 0
    )
    assert found.best("bleu") == tuple(system for system in bleu if bleu[system].rank == 1)
    worst = bleu["d"]
    assert (worst.rank, worst.rank_interval) == (4, (4, 4))  # d gets half as many words more wrong
    for standing in bleu.values():
        assert standing.rank_interval is not None
        assert standing.rank_interval[0] <= (standing.rank or 0) <= standing.rank_interval[1]
    ratio = found["a"]["compression-ratio"]
    assert (found.directions["compression-ratio"], ratio.rank, ratio.best) == ("none", None, False)
    assert found.best("compression-ratio") == ()
    assert found.pair("a", "d", "compression-ratio").better is None
    assert found.pair("d", "a", "bleu").better == "a"
    detectable = sorted(pair.mdd for pair in found.pairs if pair.metric == "bleu")
    assert found.typical_mdd["bleu"] == pytest.approx((detectable[2] + detectable[3]) / 2)


def test_directions_can_be_said(scores: Evaluation) -> None:
    assert scores.statistics is not None
    found = compare(scores.statistics, scores.metrics, directions={"compression-ratio": "lower", "bleu": "none"})
    assert sorted(found[system]["compression-ratio"].rank or 0 for system in "abcd") == [1, 2, 3, 4]
    assert found.best("bleu") == ()


@given(order=st.permutations("abcd"), method=st.sampled_from(["bootstrap", "randomisation"]))
@settings(max_examples=8)
def test_the_order_of_systems_changes_nothing(scores: Evaluation, order: list[str], method: str) -> None:
    assert scores.statistics is not None
    statistics = {system: scores.statistics[system] for system in order}
    straight = compare(scores.statistics, scores.metrics, method=method, resampling=Resampling(resamples=200))  # type: ignore[arg-type]
    mixed = compare(statistics, scores.metrics, method=method, resampling=Resampling(resamples=200))  # type: ignore[arg-type]
    for system in order:
        for label in scores.metrics:
            one, other = straight[system][label], mixed[system][label]
            assert (one.score, one.rank, one.rank_interval, one.best) == (
                other.score,
                other.rank,
                other.rank_interval,
                other.best,
            )
            assert (one.estimate.low, one.estimate.high) == pytest.approx(
                (other.estimate.low, other.estimate.high), rel=1e-9
            )
    for pair in straight.pairs:
        again = mixed.pair(pair.first, pair.second, pair.metric)
        for name in ("difference", "p", "p_holm", "sd", "z", "effect", "superiority", "mdd"):
            assert getattr(again, name) == pytest.approx(getattr(pair, name), rel=1e-9, nan_ok=True)
        assert (again.estimate.low, again.estimate.high) == pytest.approx(
            (pair.estimate.low, pair.estimate.high), rel=1e-9
        )
        assert again.better == pair.better


def test_against_a_baseline(scores: Evaluation) -> None:
    assert scores.statistics is not None
    every = compare(scores.statistics, scores.metrics)
    found = compare(scores.statistics, scores.metrics, baseline="b")
    assert [(pair.first, pair.second) for pair in found.pairs][:3] == [("a", "b"), ("c", "b"), ("d", "b")]
    for pair in found.pairs:
        assert pair.p == every.pair(pair.first, "b", pair.metric).p
        assert pair.p_holm <= every.pair(pair.first, "b", pair.metric).p_holm + 1e-12  # fewer tests
    with pytest.raises(PlainlyError, match="'a' and 'c' were not compared by 'bleu'"):
        found.pair("a", "c", "bleu")


@pytest.mark.parametrize("against", ["b", "d"])  # a system, and a baseline itself
def test_baselines_move_no_number_of_a_system_tested_against_one(scores: Evaluation, against: str) -> None:
    assert scores.statistics is not None
    fewer = {name: rows for name, rows in scores.statistics.items() if name != "c"}
    chosen: Any = {"baseline": against, "trials": 2000}
    found = compare(scores.statistics, scores.metrics, baselines=["c", "d"], **chosen)
    alone = compare(fewer, scores.metrics, baselines=["d"], **chosen)
    for pair in alone.pairs:
        if pair.first != "d":
            assert found.pair(pair.first, against, pair.metric).p_holm == pair.p_holm


def test_all_metrics_may_be_one_family(scores: Evaluation) -> None:
    assert scores.statistics is not None
    found = compare(scores.statistics, scores.metrics, family="all")
    assert [pair.p_holm for pair in found.pairs] == pytest.approx(holm(np.array([pair.p for pair in found.pairs])))


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_a_copy_of_a_system_is_never_better(scores: Evaluation, method: str) -> None:
    assert scores.statistics is not None
    statistics = {"a": scores.statistics["a"], "copy": scores.statistics["a"], "d": scores.statistics["d"]}
    for seed in range(3):
        found = compare(statistics, scores.metrics, method=method, resampling=Resampling(seed=seed))  # type: ignore[arg-type]
        for label in scores.metrics:
            pair = found.pair("a", "copy", label)
            assert (pair.p, pair.p_holm, pair.significant, pair.better) == (1, 1, False, None)
            assert found["a"][label].rank == found["copy"][label].rank
            assert found["a"][label].rank_interval == found["copy"][label].rank_interval
        assert found.best("bleu") == ("a", "copy")


def test_components_have_intervals_if_asked_for(scores: Evaluation) -> None:
    assert scores.statistics is not None
    assert compare(scores.statistics, scores.metrics)["a"]["sari"].components == {}
    found = compare(scores.statistics, scores.metrics, components=True, resampling=Resampling(method="bca"))["a"][
        "sari"
    ].components
    assert {name: part.value for name, part in found.items()} == dict(scores["a"]["sari"].components)
    for name in ("add", "keep", "delete"):
        assert found[name].low < found[name].value < found[name].high


def test_one_system_has_an_interval_and_no_pairs(scores: Evaluation) -> None:
    assert scores.statistics is not None
    found = compare({"a": scores.statistics["a"]}, scores.metrics)
    assert found.pairs == ()
    assert (found["a"]["bleu"].rank, found["a"]["bleu"].rank_interval) == (1, (1, 1))
    assert math.isnan(found.typical_mdd["bleu"])


def said(found: Comparison) -> tuple[str, ...]:
    return tuple(map(str, found.notes))


def test_too_few_resamples_or_segments_are_noted(mean: Metric, as_rows: Rows) -> None:
    draw = np.random.default_rng(0)
    many = {f"s{i}": {"m": as_rows(draw.normal(size=50))} for i in range(20)}
    assert said(compare(many, {"m": mean}, method="bootstrap-plain")) == (
        "1,000 resamples are too few for 190 tests: after the correction nothing can be significant. "
        "Use at least 3,800.",
    )
    needed = resamples_needed(190, 0.05, 50)  # the calibrated p of so few segments needs more
    assert needed > 3800
    assert said(compare(many, {"m": mean}))[0].endswith(f"Use at least {needed:,}.")
    assert compare(many, {"m": mean}, resampling=Resampling(resamples=3800), baseline="s0").notes == ()
    few = {name: {"m": many[name]["m"][:6]} for name in ("s0", "s1", "s2")}
    two = {name: few[name] for name in ("s0", "s1")}
    short = "Intervals of fewer than 20 segments are too short."
    assert said(compare(two, {"m": mean})) == (short,)
    # The smallest p of 6 segments is 2 / 2^6; three of them are corrected to 0.094.
    assert said(compare(few, {"m": mean})) == (
        "There are only 6 segments. That is too few to find a difference in 3 tests.",
        short,
    )
    three = said(compare(two, {"m": mean}, clusters=[0, 0, 1, 1, 2, 2]))
    assert three == (
        "There are only 3 documents. That is too few to find a difference.",
        "Intervals of fewer than 20 documents are too short.",
    )
    one = {name: {"m": rows["m"][:1]} for name, rows in two.items()}
    assert said(compare(one, {"m": mean})) == ("There is only 1 segment. That is too few for intervals and tests.",)


def test_systems_scored_on_different_segments_are_noted(mean: Metric, as_rows: Rows) -> None:
    values = np.arange(30.0)
    holes = values.copy()
    holes[3] = math.nan
    statistics = {"a": {"m": as_rows(values)}, "b": {"m": as_rows(holes)}}
    assert said(compare(statistics, {"m": mean})) == (
        "m did not score the same segments of all systems. "
        "Scores may differ for that; pairs are tested and ranked on the segments that both have.",
    )


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
@pytest.mark.parametrize("clustered", [False, True])
def test_a_system_that_skips_hard_segments_is_no_better(
    mean: Metric, as_rows: Rows, method: TestMethod, clustered: bool
) -> None:
    full = np.array([1.0, 9] * 20)
    skips = np.array([math.nan, 9] * 20)
    statistics = {"full": {"m": as_rows(full)}, "skips": {"m": as_rows(skips)}}
    documents = [i // 4 for i in range(40)] if clustered else None
    found = compare(statistics, {"m": mean}, method=method, clusters=documents, resampling=Resampling(resamples=200))
    assert found["skips"]["m"].score > found["full"]["m"].score
    pair = found.pair("full", "skips", "m")
    assert (pair.difference, pair.p, pair.significant) == (0, 1, False)
    assert (pair.units, pair.segments) == (10 if clustered else 20, 20)
    # They are equal where they can be compared; the one that lacks segments cannot be first.
    assert (found["full"]["m"].rank, found["full"]["m"].lacking) == (1, 0)
    assert (found["skips"]["m"].rank, found["skips"]["m"].lacking) == (None, 20)
    assert found.best("m") == ("full",)


@pytest.mark.parametrize(
    ("segments", "confidence", "tested"), [(1, 0.95, False), (5, 0.95, False), (6, 0.95, True), (5, 0.9, True)]
)
def test_few_segments_show_nothing(
    mean: Metric, as_rows: Rows, segments: int, confidence: float, tested: bool
) -> None:
    # All segments for one system: 2 of 2^n swaps are as extreme, 6.25 % of five and 3.1 % of six.
    statistics = {"a": {"m": as_rows(np.arange(1.0, segments + 1))}, "b": {"m": as_rows(np.zeros(segments))}}
    pair = compare(statistics, {"m": mean}, resampling=Resampling(confidence=confidence)).pair("a", "b", "m")
    assert pair.significant == tested
    assert math.isnan(pair.p) != tested


def test_json_has_no_nan_and_says_all_settings(mean: Metric, neutral: Metric, as_rows: Rows) -> None:
    values = as_rows(np.arange(30.0))
    nothing = as_rows(np.full(30, math.nan))
    statistics = {"a": {"m": values, "n": values}, "b": {"m": as_rows(np.arange(1.0, 31)), "n": nothing}}
    found = compare(
        statistics,
        {"m": mean, "n": neutral},
        resampling=Resampling(resamples=50, seed=1),
        baseline="a",
        components=True,
    )
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["settings"] == {
        "method": "bootstrap",
        "trials": 50,
        "resampling": {
            "resamples": 50,
            "seed": 1,
            "confidence": 0.95,
            "method": "percentile",
            "unit": "segment",
        },
        "baseline": "a",
        "family": "metric",
        "power": 0.8,
        "alpha": 0.05,
    }
    assert written["systems"]["b"]["n"]["score"] == {"value": None, "low": None, "high": None}
    assert written["systems"]["b"]["n"]["unscored"] == 30
    assert written["systems"]["a"]["m"]["rank_interval"] == [2, 2]
    assert written["pairs"][0]["better"] == "b"
    assert written["pairs"][0]["z"] is None  # a constant difference: infinitely sure
    assert written["pairs"][1]["p"] is None
    assert written["pairs"][1]["significant"] is False
    assert written["typical_mdd"] == {"m": None, "n": None}
    assert (
        compare(
            statistics, {"m": mean, "n": neutral}, resampling=Resampling(resamples=50, seed=1), baseline="a"
        ).pairs[0]
        == found.pairs[0]
    )


def test_bad_settings_are_refused(scores: Evaluation) -> None:
    assert scores.statistics is not None

    def run(**options: object) -> None:
        compare(scores.statistics, scores.metrics, **options)  # type: ignore[arg-type]

    with pytest.raises(UnknownName, match="unknown system 'x'"):
        run(baseline="x")
    with pytest.raises(UnknownName, match="did you mean 'randomisation'"):
        run(method="randomization")
    with pytest.raises(UnknownName, match="unknown family of tests"):
        run(family="metrics and all")
    with pytest.raises(UnknownName, match="interval method"):
        run(resampling=Resampling(method="normal"))
    with pytest.raises(PlainlyError, match="confidence must lie between"):
        run(resampling=Resampling(confidence=95))
    with pytest.raises(PlainlyError, match="power must lie between"):
        run(power=80)
