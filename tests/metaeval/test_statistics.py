"""Metrics beside people: on outputs, on systems, beside the best one, and beside what raters agree."""

from __future__ import annotations

import csv
import json
import math
import tracemalloc
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling
from plainly.inference.alpha import krippendorff_alpha
from plainly.inference.resampling import bootstrap_weights
from plainly.metaeval.ceiling import Ceiling, ceiling
from plainly.metaeval.comparing import against_best, systems_against_best
from plainly.metaeval.correlations import orientation, segment_level
from plainly.metaeval.grouping import grouped, quality_bands, reference_counts
from plainly.metaeval.systems import system_level
from plainly.metrics import Array

FEW = Resampling(resamples=60, seed=3)
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
DIRECTIONS: dict[str, Any] = {"good": "higher", "grade": "lower", "length": "none", "noise": "higher"}


def made_up(
    segments: int = 20, systems: int = 5, seed: int = 1
) -> tuple[dict[str, Array], Array, list[str], list[str]]:
    """Scores, judgements, and the segment and system of each row; every system answers every segment."""
    draw = np.random.default_rng(seed)
    of_segment, of_system = np.divmod(np.arange(segments * systems), systems)
    human = (
        draw.normal(size=systems)[of_system]
        + draw.normal(size=segments)[of_segment]
        + draw.normal(size=len(of_system))
    )
    scores = {
        "good": human + 0.5 * draw.normal(size=len(human)),
        "grade": -human + 0.8 * draw.normal(size=len(human)),
        "length": human + 0.1 * draw.normal(size=len(human)),
        "noise": draw.normal(size=len(human)),
    }
    return scores, human, [f"s{i}" for i in of_segment], [f"system {i}" for i in of_system]


def test_outputs_equal_scipy_and_keep_their_signs() -> None:
    scores, human, segments, _ = made_up()
    found = segment_level(scores, human, DIRECTIONS, clusters=segments, controls=scores["length"], resampling=FEW)
    for metric, agreement in found.items():
        for name, oracle in SCIPY.items():
            assert agreement.coefficient(name).value == pytest.approx(oracle(scores[metric], human)[0])  # type: ignore[arg-type]
            assert agreement.coefficient(name).estimate.has_interval  # type: ignore[arg-type]
        assert agreement.taus["c"].value == pytest.approx(stats.kendalltau(scores[metric], human, variant="c")[0])
        assert agreement.reason is None
    grade = found["grade"]
    assert grade.pearson.value < -0.5
    assert grade.kendall.value == pytest.approx(grade.taus["13"].value)
    # The accuracy asks which of two outputs the metric prefers: there, less is better.
    assert grade.accuracy.value == pytest.approx((1 - grade.kendall.value) / 2)
    assert found["length"].partial is not None
    assert math.isnan(found["length"].partial.value)  # nothing is left of a control
    assert found["good"].partial is not None
    assert abs(found["good"].partial.value) < found["good"].pearson.value
    json.dumps([agreement.to_dict() for agreement in found.values()], allow_nan=False)


def test_groups_reach_pairs() -> None:
    scores, human, segments, _ = made_up()
    found = segment_level(scores, human, DIRECTIONS, clusters=segments, groups=segments, resampling=FEW)["good"]
    assert found.accuracy.pairs == 100 * 99 // 2
    assert found.within is not None
    assert found.within.accuracy.pairs == 20 * 10
    # by hand: of two outputs of one source, which is the better one?
    right = wrong = 0
    for source in dict.fromkeys(segments):
        rows = [row for row, own in enumerate(segments) if own == source]
        for one, other in combinations(rows, 2):
            agreed = (scores["good"][one] - scores["good"][other]) * (human[one] - human[other]) > 0
            right, wrong = right + agreed, wrong + (not agreed)
    assert found.within.taus["13"].value == pytest.approx((right - wrong) / (right + wrong))
    assert found.within.taus["13"].value != pytest.approx(found.taus["13"].value)
    assert found.within.accuracy.estimate.has_interval
    documents = [str(int(segment[1:]) // 4) for segment in segments]
    larger = segment_level(scores, human, DIRECTIONS, clusters=documents, groups=segments, resampling=FEW)[
        "good"
    ].within
    assert larger is not None
    assert larger.accuracy.value == found.within.accuracy.value
    assert not larger.accuracy.estimate.has_interval  # sources of one document are not independent
    alone = segment_level(scores, human, DIRECTIONS, groups=list(map(str, range(100))), resampling=FEW)["good"]
    assert alone.within is None
    assert found.partial is None


def test_the_judgement_may_be_the_lower_the_better() -> None:
    scores, human, segments, _ = made_up()
    turned = segment_level(scores, -human, DIRECTIONS, human_direction="lower", clusters=segments, resampling=FEW)
    plain = segment_level(scores, human, DIRECTIONS, clusters=segments, resampling=FEW)
    assert turned["good"].pearson.value == pytest.approx(-plain["good"].pearson.value)
    assert [orientation("lower", "lower"), orientation("lower"), orientation("none")] == [1, -1, 0]
    best = against_best(scores, -human, DIRECTIONS, human_direction="lower", clusters=segments, resampling=FEW)
    assert best["good"].best


@pytest.mark.parametrize(
    ("values", "human", "reason"),
    [
        ([1, 2, 3, 4], [5, 5, 5, 5], "people judged all 4 outputs the same"),
        ([0.1, 0.1, 0.1, 0.1 + 1e-17], [1, 2, 3, 4], "gives all 4 outputs the same score"),
        ([1, 2, math.nan, math.nan], [1, 2, 3, 4], "only 2 outputs have both a score and a judgement"),
        ([1, math.inf, math.nan, math.nan], [1, 2, 3, 4], "only one of the outputs has both"),
        ([math.nan] * 4, [1, 2, 3, 4], "no outputs have both"),
        ([], [], "no outputs have both"),
    ],
)
def test_no_correlation_is_said_in_words(values: list[float], human: list[float], reason: str) -> None:
    scores, people = {"m": np.array(values, dtype=float)}, np.array(human, dtype=float)
    found = segment_level(scores, people, {}, controls=np.arange(len(human)), resampling=FEW)["m"]
    assert reason in str(found.reason)
    assert all(math.isnan(found.coefficient(name).value) for name in SCIPY)  # type: ignore[arg-type]
    assert math.isnan(found.accuracy.value)
    json.dumps(found.to_dict(), allow_nan=False)
    assert not against_best(scores, people, {}, resampling=FEW)["m"].takes_part
    names = [f"{i}" for i in range(len(human))]
    level = system_level(scores, people, {}, systems=names, segments=names, resampling=FEW)
    assert level.agreements["m"].reason is not None
    assert not systems_against_best(level, resampling=FEW)["m"].takes_part


@pytest.mark.parametrize("unit", [1e307, 1e-307, 1e-320])
def test_hostile_sizes_change_nothing(unit: float) -> None:
    scores, human, segments, systems = made_up(8, 4)
    human = np.round(human, 2)
    wild = {name: values / np.abs(values).max() * unit for name, values in scores.items()}
    table = np.column_stack([*wild.values()])
    options: dict[str, Any] = {"clusters": segments, "resampling": FEW}
    found = segment_level(wild, human * unit, DIRECTIONS, controls=wild["length"], **options)
    if unit > 1e-310:  # smaller numbers have lost digits before they come here
        plain = segment_level(scores, human, DIRECTIONS, **options)
        assert found["grade"].pearson.value == pytest.approx(plain["grade"].pearson.value)
        assert found["grade"].kendall.value == pytest.approx(plain["grade"].kendall.value)
    standings = against_best(wild, human * unit, DIRECTIONS, **options)
    assert sum(standing.best for standing in standings.values()) == 1
    system_level(wild, human * unit, DIRECTIONS, systems=systems, segments=segments, resampling=FEW)
    assert math.isfinite(ceiling(table, resampling=FEW).between.value)


def test_lengths_must_fit() -> None:
    scores, human, segments, systems = made_up()
    with pytest.raises(PlainlyError, match="good has 100 scores, but 99 outputs were judged"):
        segment_level(scores, human[1:], DIRECTIONS)
    with pytest.raises(PlainlyError, match="has 99 entries"):
        system_level(scores, human, DIRECTIONS, systems=systems[1:], segments=segments)
    assert segment_level({}, human, {}) == {}


def test_systems_equal_scipy_on_means_and_resamples() -> None:
    scores, human, segments, systems = made_up(12, 9)
    human[5] = np.nan
    scores["good"][50] = np.nan
    level = system_level(scores, human, DIRECTIONS, systems=systems, segments=segments, resampling=FEW)
    assert level.notes == ()
    kept = np.isfinite(human) & np.isfinite(scores["good"])
    rows = np.flatnonzero(kept)
    of_system = np.array([int(name.removeprefix("system ")) for name in systems])
    of_segment = np.array([int(name.removeprefix("s")) for name in segments])
    seeds = np.random.SeedSequence(FEW.seed).generate_state(2, np.uint64).tolist()
    chosen = np.concatenate(list(bootstrap_weights(12, 60, seeds[0]))).astype(int)
    repeated = np.concatenate(list(bootstrap_weights(9, 60, seeds[1]))).astype(int)
    own = means(scores["good"], human, of_system, rows)
    for name, oracle in SCIPY.items():
        found = level.agreements["good"].coefficient(name)  # type: ignore[arg-type]
        assert found.value == pytest.approx(oracle(*own)[0])
        assert found.n == 9
        values = []
        for of_segments, of_systems in zip(chosen, repeated, strict=True):
            x, y = means(scores["good"], human, of_system, np.repeat(rows, of_segments[of_segment[rows]]))
            values.append(oracle(np.repeat(x, of_systems), np.repeat(y, of_systems))[0])
        assert found.estimate.has_interval
        # Hesterberg (2015): the tail of 2.5 % becomes that of sqrt(n / (n - 1)) t, t with n - 1 degrees of freedom.
        tail = stats.norm.cdf(math.sqrt(9 / 8) * stats.t.ppf(0.025, 8))
        assert (found.estimate.low, found.estimate.high) == pytest.approx(
            tuple(np.quantile(values, [tail, 1 - tail]))
        )
        assert found.estimate.confidence == 0.95
    accuracy = level.agreements["good"].accuracy
    signs = [np.sign(np.subtract.outer(values, values))[np.triu_indices(9, 1)] for values in own]
    assert accuracy.value == pytest.approx(np.mean(signs[0] == signs[1]))
    assert accuracy.pairs == 36
    json.dumps([agreement.to_dict() for agreement in level.agreements.values()], allow_nan=False)


def means(scores: Array, human: Array, systems: Any, rows: Any) -> tuple[Array, Array]:
    x, y = (np.array([values[rows][systems[rows] == s].mean() for s in range(9)]) for values in (scores, human))
    return x, y


def test_lower_is_better_for_systems_too() -> None:
    scores, human, segments, systems = made_up(40, 8)
    level = system_level(scores, human, DIRECTIONS, systems=systems, segments=segments, resampling=FEW)
    grade = level.agreements["grade"]
    assert grade.pearson.value < 0
    assert grade.accuracy.value > 0.5
    assert grade.accuracy.estimate.has_interval
    assert grade.accuracy.value in grade.accuracy.estimate
    standings = systems_against_best(level, resampling=FEW)
    assert standings["grade"].takes_part
    assert standings["grade"].within_noise
    assert not standings["length"].takes_part
    assert sum(standing.best for standing in standings.values()) == 1


@pytest.mark.parametrize(
    ("systems", "note"),
    [(1, "no correlation over 1 system:"), (2, "over 2 systems"), (6, "only 6 systems"), (8, None)],
)
def test_few_systems_are_said_in_words(systems: int, note: str | None) -> None:
    scores, human, segments, names = made_up(10, systems)
    level = system_level(scores, human, DIRECTIONS, systems=names, segments=segments, resampling=FEW)
    assert [note in text for text in map(str, level.notes) if note] == [True] * (note is not None)
    assert (level.agreements["good"].reason is not None) == (systems < 3)


def test_the_best_and_those_within_noise() -> None:
    scores, human, segments, _ = made_up(60, 4)
    scores["twin"] = scores["good"] + 1e-3 * scores["noise"]
    found = against_best(scores, human, DIRECTIONS, clusters=segments, resampling=Resampling(300))
    assert [name for name, standing in found.items() if standing.best] in (["good"], ["twin"])
    assert found["good"].within_noise
    assert found["twin"].within_noise
    assert not found["noise"].within_noise
    assert found["noise"].p_williams < 1e-6
    assert found["noise"].p_permutation == pytest.approx(1 / 301)
    assert found["noise"].p_permutation <= found["noise"].p_holm < 0.05
    assert not found["length"].takes_part  # it has the largest correlation, but no direction
    assert not found["length"].best
    grade = found["grade"]
    assert grade.takes_part
    assert grade.gap is not None
    expected = stats.pearsonr(scores["good"], human)[0] + stats.pearsonr(scores["grade"], human)[0]
    assert grade.gap.difference.value == pytest.approx(expected, abs=1e-3)
    json.dumps([standing.to_dict() for standing in found.values()], allow_nan=False)


def test_a_lower_is_better_metric_can_be_the_best() -> None:
    scores, human, segments, _ = made_up()
    chosen = {name: scores[name] for name in ("grade", "noise")}
    assert against_best(chosen, human, DIRECTIONS, clusters=segments, resampling=FEW)["grade"].best
    spearman = against_best(chosen, human, DIRECTIONS, coefficient="spearman", clusters=segments, resampling=FEW)
    assert spearman["grade"].best
    assert math.isnan(spearman["noise"].p_williams)


def rated(gaps: bool = False) -> Array:
    draw = np.random.default_rng(4)
    table = (draw.normal(size=(50, 1)) + draw.normal(size=(50, 4))) * 20 + 50
    if gaps:
        table[draw.random(table.shape) < 0.4] = np.nan
    return table


@pytest.mark.parametrize("gaps", [False, True])
def test_the_ceiling_equals_pairs_by_scipy(gaps: bool) -> None:
    table = rated(gaps)
    found = ceiling(table, resampling=FEW)
    twice = table[np.isfinite(table).sum(axis=1) > 1]
    for name, oracle in SCIPY.items():
        values, counts = [], []
        for i in range(4):
            for j in range(i + 1, 4):
                both = np.isfinite(table[:, i]) & np.isfinite(table[:, j])
                values.append(oracle(table[both, i], table[both, j])[0])
                counts.append(both.sum())
        expected = np.average(values, weights=counts)
        value = found.between.value if name == "pearson" else found.between_ranks[name]  # type: ignore[index]
        assert value == pytest.approx(expected)
    others = []
    for i in range(4):
        own = twice[:, i]
        rows = np.isfinite(own)
        others.append((stats.pearsonr(own[rows], np.nanmean(np.delete(twice, i, 1)[rows], axis=1))[0], rows.sum()))
    coefficients, counts = zip(*others, strict=True)
    assert found.with_others.value == pytest.approx(np.average(coefficients, weights=counts))
    assert found.alpha.value == pytest.approx(krippendorff_alpha(twice.tolist(), "interval"))
    assert found.between.low < found.between.value < found.between.high
    assert (found.raters, found.outputs, found.reason) == (4, len(twice), None)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_ceiling_of_few_points_is_ordinal() -> None:
    table = np.round(rated() / 30)
    found = ceiling(table, resampling=FEW)
    assert found.alpha_measurement == "ordinal"
    assert found.alpha.value == pytest.approx(krippendorff_alpha(table.tolist(), "ordinal"))


def test_ceiling_resamples_repeat_whole_clusters() -> None:
    table = rated(gaps=True)
    clusters = np.repeat(np.arange(10), 5)
    found = ceiling(table, clusters=clusters.tolist(), resampling=FEW)
    twice = np.isfinite(table).sum(axis=1) > 1
    values = []
    for row in np.concatenate(list(bootstrap_weights(10, 60, FEW.seed))).astype(int):
        rows = np.repeat(np.arange(50), row[clusters] * twice)
        values.append(ceiling(table[rows], resampling=Resampling(0)).between.value)
    assert (found.between.low, found.between.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (None, "single ratings are not known"),
        (np.empty((0, 0)), "nobody rated anything"),
        (np.full((5, 2), np.nan), "nobody rated anything"),
        (np.array([[1.0], [2.0], [3.0]]), "one rater only"),
        (np.array([[1.0, 2.0], [3.0, 4.0], [np.nan, 1.0]]), "2 outputs rated by two people"),
        (np.array([[1.0, np.nan], [np.nan, 4.0], [np.nan, 1.0]]), "no outputs rated by two people"),
        (np.full((6, 3), 4.0), "all ratings are the same"),
        (np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 4.0]]), "no two raters share 3 outputs on which both vary"),
    ],
)
def test_no_ceiling_is_said_in_words(table: Array | None, reason: str) -> None:
    found: Ceiling = ceiling(table, resampling=FEW)
    assert reason in str(found.reason)
    assert math.isnan(found.between.value)
    json.dumps(found.to_dict(), allow_nan=False)


def test_one_source_gives_a_ceiling_without_bounds() -> None:
    found = ceiling(rated(), clusters=["one"] * 50, resampling=FEW)
    assert math.isfinite(found.between.value)
    assert math.isnan(found.between.low)
    with pytest.raises(PlainlyError, match="one column a rater"):
        ceiling(np.arange(3.0))


def test_the_ceiling_of_simpeval(shared: Path) -> None:
    """Issue 11: .325. That is the mean Pearson correlation of the three pairs of raters, in z-scores, over all 360
    outputs; raw ratings give .257, Spearman's coefficient of z-scores .312, Kendall's .225."""
    with (shared / "data" / "human_ratings" / "simpeval_2022" / "simpeval_2022.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    z, raw = (
        np.array([[float(row[f"rating_{rater}{kind}"]) for rater in (1, 2, 3)] for row in rows])
        for kind in ("_zscore", "")
    )
    found = ceiling(z, clusters=[row["original_id"] for row in rows])
    pairs = [stats.pearsonr(z[:, i], z[:, j])[0] for i, j in ((0, 1), (0, 2), (1, 2))]
    assert found.between.value == pytest.approx(np.mean(pairs))
    assert round(found.between.value, 3) == 0.325
    assert found.between.low < 0.325 < found.between.high
    assert {name: round(value, 3) for name, value in found.between_ranks.items()} == {
        "spearman": 0.312,
        "kendall": 0.225,
    }
    assert round(ceiling(raw, resampling=FEW).between.value, 3) == 0.257


def test_bands_of_quality() -> None:
    human = np.array([1.0, 2, 3, 4, 5, 6, np.nan])
    assert quality_bands(human) == ("low", "low", "low", "high", "high", "high", "")
    assert quality_bands(human, 3) == ("low", "low", "middle", "middle", "high", "high", "")
    assert quality_bands(human, 6)[5] == "band 6 of 6"
    assert set(quality_bands(np.full(4, 2.0))) == {"low"}
    assert quality_bands(np.array([np.nan])) == ("",)
    assert quality_bands(np.array([])) == ()
    with pytest.raises(PlainlyError, match="at least two bands"):
        quality_bands(human, 1)


@pytest.mark.parametrize(
    ("human", "low"),
    [
        ([1, 2, 2, 2], 1),  # 1 and 3, or 4 and 0
        ([1, 1, 1, 2], 3),
        ([1, 2, 2, 2, 2, 3, 3], 5),  # 5 and 2 is nearer to even than 1 and 6
        ([1, 1, 2, 2, 2, 2, 3], 2),  # 2 and 5 rather than 6 and 1
        ([1, 2, 3, 4, 5], 3),  # as near either way
        ([-1, 0, 0, 0, 0, 0], 1),
    ],
)
def test_equal_values_at_a_cut_go_to_the_more_even_side(human: list[float], low: int) -> None:
    assert quality_bands(np.array(human, dtype=float)[::-1]).count("low") == low


def test_ties_at_two_cuts() -> None:
    found = quality_bands(np.array([1.0, 1, 1, 2, 2, 2, 2, 2, 3]), 3)
    assert [found.count(name) for name in ("low", "middle", "high")] == [3, 5, 1]


def test_groups_of_rows() -> None:
    found = grouped(["b", "a", "", "b"])
    assert {name: rows.tolist() for name, rows in found.items()} == {"b": [0, 3], "a": [1]}
    assert reference_counts([["x"], [], ["x", "y"]]) == ("1 reference", "0 references", "2 references")


def test_a_crowd_needs_no_table_of_all_pairs_of_raters() -> None:
    # Five people rate 300 outputs, 4,000 others rate one each. A number for every two raters would be 128 MB, for
    # each of several sums. Only the five share outputs enough, so raters agree as these five do.
    draw = np.random.default_rng(31)
    table = np.full((300, 4005), np.nan)
    table[:, :5] = draw.normal(size=(300, 1)) + draw.normal(size=(300, 5))
    table[draw.integers(0, 300, 4000), np.arange(5, 4005)] = draw.normal(size=4000)
    few = ceiling(table[:, :5], resampling=Resampling(50))
    tracemalloc.start()
    found = ceiling(table, resampling=Resampling(50))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 120_000_000  # the table has 10 MB
    assert found.raters == 4005
    assert found.between.value == pytest.approx(few.between.value, abs=1e-12)
    assert found.between.low == pytest.approx(few.between.low, abs=1e-12)
    assert found.between_ranks == pytest.approx(few.between_ranks)


def test_ceiling_on_resamples_is_that_of_the_repeated_outputs() -> None:
    # One cluster in two draws: resamples of two clusters have one of them twice, or each once.
    draw = np.random.default_rng(32)
    table = draw.normal(size=(40, 1)) + draw.normal(size=(40, 4))
    table[draw.random(table.shape) < 0.2] = np.nan
    table[np.isfinite(table).sum(axis=1) < 2] = 1.0
    halves = ["a"] * 20 + ["b"] * 20
    found = ceiling(table, clusters=halves, resampling=Resampling(200))
    possible = [_between(table[:20]), _between(table), _between(table[20:])]
    assert found.between.low == pytest.approx(min(possible), abs=1e-12)
    assert found.between.high == pytest.approx(max(possible), abs=1e-12)
    assert found.between.value == pytest.approx(possible[1], abs=1e-12)


def _between(table: Array) -> float:
    """The mean correlation of pairs of raters, by the outputs that they share (numpy's corrcoef)."""
    found = []
    for one, other in combinations(table.T, 2):
        shared = np.isfinite(one) & np.isfinite(other)
        found.append((np.corrcoef(one[shared], other[shared])[0, 1], shared.sum()))
    return float(sum(r * n for r, n in found) / sum(n for _, n in found))
