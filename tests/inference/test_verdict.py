"""The verdict on constructed cases: it says what the tests say, and no more."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from plainly.inference import Comparison, Resampling, compare
from plainly.inference.verdict import Verdict, group_letters, letter_ranges, verdict
from plainly.metrics import Array, Metric

Rows = Callable[[Array], Array]
UNITS = 60


@pytest.fixture
def make(mean: Metric, lower: Metric, as_rows: Rows) -> Callable[..., Verdict]:
    """The verdict on systems whose segments have these values by the metric `mean`, and by others the rest."""

    def made(
        values: dict[str, Array], others: dict[str, dict[str, Array]] | None = None, baselines: Sequence[str] = ()
    ) -> Verdict:
        metrics: dict[str, Metric] = {"mean": mean, **dict.fromkeys(others or {}, lower)}
        statistics = {
            system: {"mean": as_rows(own), **{name: as_rows(more[system]) for name, more in (others or {}).items()}}
            for system, own in values.items()
        }
        return verdict(compare(statistics, metrics, baselines=baselines, trials=4000), metrics)

    return made


def around(middle: float, seed: int, units: int = UNITS) -> Array:
    """Values that scatter about a mean that is exactly `middle`."""
    values = np.random.default_rng(seed).normal(size=units)
    return values - values.mean() + middle


def said(found: Verdict) -> str:
    return " ".join(map(str, found.sentences()))


def test_a_clear_winner(make: Callable[..., Verdict]) -> None:
    found = make({"low": around(0, 1), "high": around(5, 2), "middle": around(3, 3)})
    assert found.order == ("high", "middle", "low")
    assert (found.best, found.equals) == ("high", ())
    assert found.margin is not None
    assert found.margin.difference == pytest.approx(2)  # 5 - 3
    assert said(found).startswith("high has the best Mean of 3 systems: 2.00 [")
    assert "better than middle (p = 0.00" in said(found)
    assert found.letters == {"high": "a", "middle": "b", "low": "c"}


def test_a_margin_on_fewer_segments_says_on_how_many(make: Callable[..., Verdict]) -> None:
    high = around(5, 2)
    high[:4] = np.nan
    found = make({"low": around(0, 1), "high": high})
    assert "high and low are compared on the 56 of 60 segments that both have." in said(found)
    assert "compared on the" not in said(make({"low": around(0, 1), "high": around(5, 2)}))


def test_a_tie_is_no_win(make: Callable[..., Verdict]) -> None:
    found = make({"one": around(1, 1), "two": around(1.05, 2), "far": around(-4, 3)})
    assert found.best is None
    assert found.equals == ("one",)
    assert said(found).startswith("No system is shown to be best by Mean. two has the best score, 1.05 [")
    assert "It cannot be told apart from one: 0.05 [" in said(found)
    assert found.letters == {"two": "a", "one": "a", "far": "b"}


def test_systems_that_are_the_same(make: Callable[..., Verdict]) -> None:
    same = around(1, 1)
    found = make({"one": same, "copy": same})
    assert found.best is None
    assert "It cannot be told apart from copy. The same score: copy." in said(found)
    assert set(found.letters.values()) == {"a"}


def test_metrics_that_contradict_each_other(make: Callable[..., Verdict]) -> None:
    values = {"a": around(5, 1), "b": around(1, 2)}
    found = make(values, {"lower": {"a": around(9, 3), "b": around(2, 4)}})  # less is better: b wins
    assert [(one.metric, one.pairs, one.tested) for one in found.disagreements] == [("lower", (("a", "b"),), 1)]
    assert "Lower disagrees with Mean on 1 of 1 pairs: it puts b above a." in said(found)


def test_a_contradiction_that_may_be_chance_is_none(make: Callable[..., Verdict]) -> None:
    found = make({"a": around(5, 1), "b": around(1, 2)}, {"lower": {"a": around(2.01, 3), "b": around(2, 4)}})
    assert found.disagreements == ()
    assert "disagrees" not in said(found)


def test_copying_that_would_win(make: Callable[..., Verdict]) -> None:
    found = make({"a": around(5, 1), "b": around(1, 2), "identity": around(9, 3)}, baselines=["identity"])
    assert found.order == ("a", "b")
    assert found.best == "a"
    assert "By Mean, copying the source beats every system: do not trust Mean alone here." in said(found)
    assert found.comparison["identity"]["mean"].rank == 1  # it would be
    assert found.comparison["a"]["mean"].rank == 1  # it is, among systems
    assert found.comparison.best("mean") == ("a",)


def test_copying_that_beats_only_some(make: Callable[..., Verdict]) -> None:
    """By more than the best one has, but not beyond chance: nothing is beaten."""
    found = make({"a": around(5, 1), "b": around(1, 2), "identity": around(5.05, 3)}, baselines=["identity"])
    assert "By Mean, copying the source has a better score than every system" in said(found)
    assert "beats" not in said(found)


def test_systems_without_a_common_segment_are_not_compared(make: Callable[..., Verdict]) -> None:
    half = np.arange(UNITS) < UNITS // 2
    found = make({"a": np.where(half, 5.0, np.nan), "b": np.where(half, np.nan, 1.0)})
    assert found.best is None
    pair = found.comparison.pair("a", "b", "mean")
    assert np.isnan([pair.difference, pair.p, pair.effect]).all()


def test_baselines_move_no_number_of_a_system(make: Callable[..., Verdict]) -> None:
    systems = {name: around(place / 4, place) for place, name in enumerate("abcd")}
    alone = make(systems).comparison
    beside = make({**systems, "identity": around(9, 9)}, baselines=["identity"]).comparison
    assert {name: beside[name] for name in systems} == {name: alone[name] for name in systems}
    assert [pair for pair in beside.pairs if "identity" not in (pair.first, pair.second)] == list(alone.pairs)
    assert beside.typical_mdd == alone.typical_mdd


def test_one_system(make: Callable[..., Verdict]) -> None:
    found = make({"a": around(5, 1)})
    assert (found.best, found.margin, found.letters) == (None, None, {})
    assert said(found).startswith("a has Mean 5.00 [")
    assert "There is no other system to compare it with." in said(found)


def test_one_system_is_named_where_copying_beats_it(make: Callable[..., Verdict]) -> None:
    found = make({"a": around(1, 1), "identity": around(5, 2)}, baselines=["identity"])
    assert "By Mean, copying the source beats a: do not trust Mean alone here." in said(found)


def test_a_corrected_p_is_called_so(make: Callable[..., Verdict]) -> None:
    """With three systems Holm's correction moves the p-value of a close pair; with two there is one test."""
    near = {"one": around(1, 1), "two": around(1.05, 2)}
    assert " after correction)" in said(make({**near, "three": around(1.4, 4)}))
    assert " after correction" not in said(make(near))


def test_one_segment(make: Callable[..., Verdict]) -> None:
    found = make({"a": np.array([5.0]), "b": np.array([1.0])})
    assert found.best is None
    assert "(p = not computable)" in said(found)
    assert "With so few segments no test can be trusted." in said(found)


def test_a_system_without_scores(make: Callable[..., Verdict]) -> None:
    found = make({"a": around(5, 1), "none": np.full(UNITS, np.nan), "b": around(1, 2)})
    assert found.order == ("a", "b")
    assert found.best == "a"


def test_no_scores_at_all(make: Callable[..., Verdict]) -> None:
    found = make({"a": np.full(3, np.nan), "b": np.full(3, np.nan)})
    assert said(found) == "No system has a Mean score."


def test_a_metric_without_a_better_end(neutral: Metric, as_rows: Rows) -> None:
    statistics = {"a": {"neutral": as_rows(around(5, 1))}, "b": {"neutral": as_rows(around(1, 2))}}
    found = verdict(compare(statistics, {"neutral": neutral}), {"neutral": neutral})
    assert found.best is None
    assert said(found).startswith("Neutral has no better end")


def test_with_a_baseline_systems_are_not_tested_against_each_other(mean: Metric, as_rows: Rows) -> None:
    statistics = {name: {"mean": as_rows(around(place, place))} for place, name in enumerate(["x", "y", "z"])}
    found = verdict(compare(statistics, {"mean": mean}, baseline="x"), {"mean": mean})
    assert (found.best, found.letters) == (None, {})
    assert said(found).startswith("Better than x by Mean: z by 2.00 [")
    assert "y by 1.00 [" in said(found)
    other = verdict(compare(statistics, {"mean": mean}, baseline="z"), {"mean": mean})
    assert said(other).startswith("Worse than z by Mean: y by 1.00 [")


def test_systems_that_a_baseline_cannot_be_told_apart_from(mean: Metric, as_rows: Rows) -> None:
    statistics = {name: {"mean": as_rows(around(0.1, place))} for place, name in enumerate(["x", "y"])}
    found = verdict(compare(statistics, {"mean": mean}, baseline="x"), {"mean": mean})
    assert said(found).startswith("Not told apart from x by Mean: y.")


def test_german_has_all_sentences_and_its_own_decimals(make: Callable[..., Verdict]) -> None:
    values = {"a": around(5, 1), "b": around(1, 2), "identity": around(9, 3)}
    others = {"lower": {"a": around(9, 3), "b": around(2, 4), "identity": around(1, 5)}}
    found = make(values, others, baselines=["identity"])
    for sentence in found.sentences():
        assert sentence.text("de") != sentence.text("en")
    assert "a hat den besten Wert in Mean von 2 Systemen: um 4,00 [" in found.sentences()[0].text("de")


def test_it_is_plain_data_too(make: Callable[..., Verdict]) -> None:
    found = make({"a": around(5, 1), "b": around(1, 2)}).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False))["best"] == "a"


@pytest.mark.parametrize("seed", range(5))
def test_letters_are_shared_exactly_where_nothing_tells_systems_apart(seed: int, mean: Metric, as_rows: Rows) -> None:
    draw = np.random.default_rng(seed)
    statistics = {f"s{i}": {"mean": as_rows(around(draw.uniform(0, 1.5), 100 * seed + i))} for i in range(9)}
    comparison = compare(statistics, {"mean": mean}, trials=4000)
    letters = group_letters(comparison, "mean")
    assert {pair.significant for pair in comparison.pairs} == {True, False}  # else this would show nothing
    for pair in comparison.pairs:
        assert bool(set(letters[pair.first]) & set(letters[pair.second])) is not pair.significant


def _claims(seed: int, mean: Metric, as_rows: Rows) -> bool:
    """Whether a verdict on three systems that do not differ calls one of them best."""
    draw = np.random.default_rng([seed, 99])
    difficulty = draw.normal(size=UNITS)
    statistics = {f"s{i}": {"mean": as_rows(difficulty + draw.normal(size=UNITS))} for i in range(3)}
    found: Comparison = compare(statistics, {"mean": mean}, resampling=Resampling(400, seed))
    judged = verdict(found, {"mean": mean})
    return judged.best is not None or "has the best Mean of" in str(judged.sentences()[0])


@pytest.mark.slow
def test_many_letters_in_a_row_are_a_range_for_people() -> None:
    assert letter_ranges("") == ""
    assert letter_ranges("abd") == "abd"
    assert letter_ranges("abcefgi") == "a-ce-gi"
    assert letter_ranges("yza1b1") == "y-b1"  # a1 follows z


def test_a_difference_that_is_not_there_is_claimed_as_seldom_as_promised(mean: Metric, as_rows: Rows) -> None:
    """At most 5 % of verdicts; of 400, a test of that level stays below 31 in 99 % of cases (binomial)."""
    assert sum(_claims(seed, mean, as_rows) for seed in range(400)) < 31
