"""The verdict on constructed cases: it says what the tests say, and no more."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from plainly import evaluate
from plainly.demo import demo_corpus
from plainly.inference import compare
from plainly.inference.letters import group_letters, letter_ranges
from plainly.inference.verdict import Verdict, verdict
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


def without(values: Array, *places: int) -> Array:
    """The same, with no output at these places."""
    return np.where(np.isin(np.arange(len(values)), places), np.nan, values)


def test_a_margin_on_fewer_segments_says_on_how_many(make: Callable[..., Verdict]) -> None:
    found = make({"high": around(5, 2), "low": without(around(0, 1), 0, 1, 2, 3)})
    assert found.best == "high"
    assert "high and low are compared on the 56 of 60 segments that both have." in said(found)
    assert "compared on the" not in said(make({"low": around(0, 1), "high": around(5, 2)}))


def cherries(picked: Array, units: int = UNITS) -> dict[str, Array]:
    """`all` has every output; `few` has only those of easy segments, and is worse by 2 or so on each of them."""
    easy = np.where(picked, 10.0, 0.0)
    return {
        "all": easy + np.random.default_rng(1).normal(size=units) / 4,
        "few": np.where(picked, easy - 2 + np.random.default_rng(2).normal(size=units) / 4, np.nan),
    }


def test_a_system_that_has_easy_segments_alone_is_not_the_best(make: Callable[..., Verdict]) -> None:
    """By its own score it is ahead, by some 3; on the 15 segments that both have, it is behind by 2."""
    found = make(cherries(np.arange(UNITS) < 15))
    score = {name: found.comparison[name]["mean"].score for name in ("all", "few")}
    assert score["few"] > score["all"] + 3
    assert (found.order, found.best) == (("all", "few"), "all")
    assert found.margin is not None
    assert found.margin.better == "all"
    assert found.margin.difference == pytest.approx(2, abs=0.3)
    own, apart = found.comparison["few"]["mean"].estimate, found.margin.estimate
    margin = f"{apart.value:.2f} [{apart.low:.2f}, {apart.high:.2f}]"
    assert [str(sentence) for sentence in found.answer()] == [
        f"all is the best of 2 systems by Mean, on the segments that they share: {margin} better than few "
        f"(p = {found.margin.p:.2g}).",
        f"few has a better score, {own.value:.2f} [{own.low:.2f}, {own.high:.2f}], but on 15 of 60 segments; "
        f"on the 15 that both have, all is better by {margin}.",
    ]
    standings = {name: found.comparison[name]["mean"] for name in ("all", "few")}
    assert {name: (one.rank, one.rank_interval, one.lacking) for name, one in standings.items()} == {
        "all": (1, (1, 1), 0),
        "few": (2, (2, 2), 45),
    }
    assert found.letters == {"all": "a", "few": "b"}
    assert found.comparison.best("mean") == ("all",)


def test_a_system_that_leaves_out_what_it_is_worse_on_is_not_the_best(make: Callable[..., Verdict]) -> None:
    """Both tests and scores are for it, and it owes both to what it left out: no first rank, and no claim."""
    base = around(0, 1)
    gains = around(0, 2)
    found = make({"all": base, "picks": np.where(gains > 0.3, base + gains, np.nan)})
    assert found.margin is not None
    assert (found.margin.first, found.margin.better, found.margin.significant) == ("picks", "picks", True)
    assert found.best is None
    standing = found.comparison["picks"]["mean"]
    assert (standing.rank, standing.rank_interval, standing.best) == (None, None, False)
    assert found.comparison["all"]["mean"].rank == 2
    first, second = map(str, found.answer())
    assert first.startswith("No system is shown to be best by Mean. picks has the best score, ")
    assert first.endswith(f", but on {int((gains > 0.3).sum())} of 60 segments.")
    assert second.startswith("On the segments that both have, it is better than all by ")


def test_systems_that_beat_each_other_in_turn(make: Callable[..., Verdict]) -> None:
    """Each lacks a third of the segments, so that a beats b, b beats c and c beats a: none is best."""
    third = np.arange(UNITS) // 20
    noise = np.random.default_rng(3).normal(size=(3, UNITS)) / 10
    worth = {"a": (9, 5, np.nan), "b": (8, np.nan, 5), "c": (np.nan, 6, 4)}  # a > b, b > c, c > a
    found = make({name: np.array(own)[third] + noise[i] for i, (name, own) in enumerate(worth.items())})
    assert all(found.comparison.pair(x, y, "mean").better == x for x, y in ("ab", "bc", "ca"))
    assert found.best is None
    assert found.order[0] == "a"
    assert "On the segments that both have, c is better than a by " in said(found)
    assert [found.comparison[name]["mean"].rank for name in "abc"] == [2, 2, 2]


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
    assert str(found.sentences()[0]).startswith("one and copy have the same Mean, 1.00 [")
    assert str(found.sentences()[0]).endswith("].")
    assert "one und copy haben denselben Wert in Mean, 1,00 [" in found.sentences()[0].text("de")
    assert set(found.letters.values()) == {"a"}


def test_a_tie_for_the_first_place(make: Callable[..., Verdict]) -> None:
    same = around(5, 1)
    first = make({"d1": same, "d2": same, "c": around(1, 2)}).sentences()[0]
    assert str(first).startswith("d1 and d2 have the same Mean, 5.00 [")
    assert ", the best of 3 systems; next is c, by 4.00 [" in str(first)
    assert ", den besten von 3 Systemen; es folgt c mit einem Abstand von 4,00 [" in first.text("de")
    near = make({"d1": same, "d2": same, "c": around(4.99, 2)}).sentences()[0]
    assert "c comes next, but cannot be told apart from them: 0.01 [" in str(near)
    many = make({f"d{i}": same for i in range(6)}).sentences()[0]
    assert str(many).startswith("d0, d1 and 4 more have the same Mean, 5.00 [")


def test_metrics_that_contradict_each_other(make: Callable[..., Verdict]) -> None:
    values = {"a": around(5, 1), "b": around(1, 2)}
    found = make(values, {"lower": {"a": around(9, 3), "b": around(2, 4)}})  # less is better: b wins
    assert [(one.metric, one.pairs, one.tested) for one in found.disagreements] == [("lower", (("a", "b"),), 1)]
    assert "Lower disagrees with Mean on 1 of 1 pairs: it puts b above a." in said(found)


def test_the_most_telling_contradictions_come_first(make: Callable[..., Verdict]) -> None:
    """Those with the best system, then the widest: d and c differ more than c and b, by either metric."""
    values = {
        name: around(middle, place) for place, (name, middle) in enumerate(zip("dcba", (0, 3, 4, 9), strict=True))
    }
    worth = {
        name: around(middle, 9 + place) for place, (name, middle) in enumerate(zip("dcba", (0, 3, 4, 9), strict=True))
    }
    (found,) = make(values, {"lower": worth}).disagreements  # less is better by it: all is turned round
    assert found.pairs[:3] == (("a", "d"), ("a", "c"), ("a", "b"))
    assert found.pairs[3:] == (("b", "d"), ("c", "d"), ("b", "c"))


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


def test_two_baselines_that_would_win_are_said_at_once(make: Callable[..., Verdict]) -> None:
    """In one sentence a metric, with what each of them does: one beats the system, one has a better score."""
    values = {"a": around(5, 1), "identity": around(9, 3), "truncate": around(5.05, 4)}
    found = make(values, baselines=["identity", "truncate"])
    (one,) = [sentence for sentence in found.sentences() if "do not trust" in str(sentence)]
    assert str(one) == (
        "By Mean, copying the source beats a and cutting the source short has a better score than a: "
        "do not trust Mean alone here."
    )
    assert one.text("de") == (
        "Nach Mean schlägt das Kopieren des Ausgangstexts a und hat das Kürzen des Ausgangstexts einen besseren Wert "
        "als a: Mean allein ist hier nicht zu trauen."
    )


def test_no_difference_is_detectable_that_the_metric_has_no_room_for() -> None:
    """Two segments: a power of 80 % takes a difference of over 100 points of SARI, which has 100."""
    corpus = demo_corpus("en")
    outputs = {name: corpus.outputs[name][:2] for name in ("careful-writer", "hasty-model")}
    scores = evaluate(corpus.sources[:2], outputs, corpus.references[:2], metrics=["sari"], intervals=None)
    few = scores.compare(resamples=300)
    assert few.verdict.detectable > 100
    assert "typical pair" not in said(few.verdict)


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
    assert (found.margin, found.strangers) == (None, ("b",))
    assert [found.comparison[name]["mean"].rank for name in "ab"] == [None, None]
    assert list(map(str, found.answer())) == [
        "No system is shown to be best by Mean. a has the best score, 5.00 [5.00, 5.00], but on 30 of 60 segments.",
        "a shares no segment with b: no test is possible.",
    ]
    assert "nan" not in said(found)
    assert found.answer()[1].text("de") == "a hat kein Segment mit b gemeinsam: Ein Test ist nicht möglich."


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


def test_one_system_has_no_typical_pair(make: Callable[..., Verdict]) -> None:
    found = make({"a": around(5, 1), "identity": around(3, 2)}, baselines=["identity"])
    assert "typical pair" not in said(found)
    assert "typical pair" in said(make({"a": around(5, 1), "b": around(3, 2)}))


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
    assert said(found) == (
        "No system is shown to be best by Mean. a has the best score, 5.00. It cannot be told apart from b: "
        "4.00 better than b (no test possible). 1 segment is too few for a test."
    )
    standing = found.comparison["a"]["mean"]
    assert (standing.rank, standing.rank_interval, standing.estimate.has_interval) == (1, None, False)


def test_few_segments_come_with_a_caveat(make: Callable[..., Verdict], mean: Metric, as_rows: Rows) -> None:
    """Also where all are tested against one, and where two systems share few of many segments."""
    values = {"x": around(5, 1, 12), "y": around(1, 2, 12)}
    caveat = "With only 12 segments, a few unusual ones can decide a test."
    assert caveat in said(make(values))
    statistics = {name: {"mean": as_rows(own)} for name, own in values.items()}
    against = verdict(compare(statistics, {"mean": mean}, baseline="x"), {"mean": mean})
    assert caveat in said(against)
    assert "Bei nur 12 Segmenten" in " ".join(sentence.text("de") for sentence in against.sentences())
    assert caveat in said(make({"x": around(5, 1), "y": without(around(1, 2), *range(12, UNITS))}))
    assert "3 segments are too few for a test." in said(make({"x": around(5, 1, 3), "y": around(1, 2, 3)}))
    assert "unusual" not in said(make({"x": around(5, 1), "y": around(1, 2)}))


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


def test_against_a_baseline_on_the_segments_that_both_have(mean: Metric, as_rows: Rows) -> None:
    half = np.arange(UNITS) < UNITS // 2
    values = {"x": around(0, 1), "y": without(around(3, 2), 0, 1), "z": np.where(half, 1.0, np.nan)}
    statistics = {name: {"mean": as_rows(own)} for name, own in values.items()}
    statistics["x"] = {"mean": as_rows(np.where(half, np.nan, values["x"]))}
    found = verdict(compare(statistics, {"mean": mean}, baseline="x"), {"mean": mean})
    first, second = map(str, found.answer())
    assert first.endswith(", on the 30 of 60 segments that both have).")
    assert second == "x shares no segment with z: no test is possible."


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


def test_many_letters_in_a_row_are_a_range_for_people() -> None:
    assert letter_ranges("") == ""
    assert letter_ranges("abd") == "abd"
    assert letter_ranges("abcefgi") == "a-ce-gi"
    assert letter_ranges("yza1b1") == "y-b1"  # a1 follows z
