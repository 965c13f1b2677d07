"""Folders of more segments than are drawn one by one: blocks must say what single segments would have said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="statistics folders need pyarrow")

from plainly.base.exact_sums import exact_sum
from plainly.corpus.references import References
from plainly.inference import Resampling, compare, confidence_interval, confidence_intervals
from plainly.metrics import Array, get
from plainly.scoring import Evaluation
from plainly.scoring.blocks import BLOCK, block_sums
from plainly.scoring.evaluation import comparing
from plainly.scoring.partitions import EXACT
from plainly.scoring.results import result
from plainly.scoring.statistics import Folder, compare_folder, load, save, scores_by

SIZE = 60_000
METRICS = {"compression-ratio": get("compression-ratio"), "fkgl": get("fkgl")}
RESAMPLES = 400


def texts_like(rng: np.random.Generator, size: int, longer: float = 1.0) -> dict[str, Array]:
    """Rows as two metrics measure them: lengths are skewed, and each text has its own words a sentence."""
    ratio = rng.lognormal(-0.3, 0.4, size) * longer
    sentences = 1.0 + rng.poisson(1.0, size)
    words = np.round(sentences * rng.gamma(8.0, 2.0 * longer, size)) + 1
    syllables = words + rng.binomial(words.astype(int), 0.4)
    ones = np.ones(size)
    return {
        "compression-ratio": np.column_stack([ones, ratio]),
        "fkgl": np.column_stack([ones, words, sentences, syllables]),
    }


def evaluation_of(statistics: dict[str, dict[str, Array]], documents: list[str] | None = None) -> Evaluation:
    references = dict.fromkeys(statistics, References(1, 1))
    size = len(next(iter(next(iter(statistics.values())).values())))
    return Evaluation(
        size=size,
        references=references,
        metrics=METRICS,
        systems={
            system: {
                label: result(metric, exact_sum(rows[label]), size, References(1, 1))
                for label, metric in METRICS.items()
            }
            for system, rows in statistics.items()
        },
        statistics=statistics,
        documents=documents,
    )


def without(rows: dict[str, Array], which: Any) -> dict[str, Array]:
    """The same rows, some of them unscored."""
    kept = {label: table.copy() for label, table in rows.items()}
    for table in kept.values():
        table[which] = 0
    return kept


@pytest.fixture(scope="module")
def systems() -> dict[str, dict[str, Array]]:
    rng = np.random.default_rng(3)
    a, b = texts_like(rng, SIZE), texts_like(rng, SIZE, longer=1.004)
    c = without(a, a["fkgl"][:, 1] > 60)  # no output for the long ones
    d = without(b, rng.random(SIZE) < 0.4)
    return {"a": a, "b": b, "c": c, "d": d}


def assert_close(found: Any, wanted: Any, share: float) -> None:
    """Bounds that differ by less than a share of the width of the interval."""
    width = wanted.high - wanted.low
    assert abs(found.low - wanted.low) <= share * width
    assert abs(found.high - wanted.high) <= share * width


@pytest.mark.slow
def test_blocks_compare_as_single_segments_do(systems: dict[str, dict[str, Array]], tmp_path: Path) -> None:
    systems = {name: systems[name] for name in ("a", "b", "c")}
    whole = evaluation_of(systems)
    assert EXACT < systems["c"]["fkgl"][:, 0].sum() < SIZE  # what b and c share is too much for memory
    save(whole, tmp_path / "stats")
    found = compare_folder(tmp_path / "stats", resamples=RESAMPLES)
    evaluation = found.evaluation
    in_memory = whole.compare(resamples=RESAMPLES)  # draws the same blocks
    of_pairs: dict[str, object] = {"pairs": [], "verdict": {}, "typical_mdd": {}}
    assert found.to_dict() | of_pairs == in_memory.to_dict() | of_pairs
    for pair, its in zip(found.pairs, in_memory.pairs, strict=True):
        assert (pair.p, pair.units, pair.significant) == (its.p, its.units, its.significant)
        ends = (its.estimate.value, its.estimate.low, its.estimate.high)
        assert (pair.estimate.value, pair.estimate.low, pair.estimate.high) == pytest.approx(ends, rel=1e-9)
    wanted = compare(systems, METRICS, **comparing(systems, SIZE, resamples=RESAMPLES))
    assert evaluation.statistics is None
    assert evaluation.to_dict() == whole.to_dict()  # scores to the last bit
    assert (found.segments, found.units) == (SIZE, SIZE)
    assert found.notes[:2] == wanted.notes  # both metrics are uneven
    for system in systems:
        for label in METRICS:
            mine, its = found[system][label], wanted[system][label]
            assert (mine.score, mine.scored, mine.unscored, mine.rank) == (
                its.score,
                its.scored,
                its.unscored,
                its.rank,
            )
            assert_close(mine.estimate, its.estimate, 0.2)
    for pair, its in zip(found.pairs, wanted.pairs, strict=True):
        assert (pair.first, pair.second, pair.difference, pair.units) == (
            its.first,
            its.second,
            its.difference,
            its.units,
        )
        assert pair.significant == its.significant
        assert pair.effect == pytest.approx(its.effect, rel=0.2, abs=0.002)
        assert_close(pair.estimate, its.estimate, 0.2)


@pytest.mark.slow
def test_pairs_that_share_few_segments_are_tested_on_each_of_them(
    systems: dict[str, dict[str, Array]], tmp_path: Path
) -> None:
    two = {name: systems[name] for name in ("a", "d")}
    whole = evaluation_of(two)
    shared = int(systems["d"]["fkgl"][:, 0].sum())
    assert shared < EXACT < SIZE
    save(whole, tmp_path / "stats")
    for method in ("bootstrap", "randomisation"):
        found = compare_folder(tmp_path / "stats", resamples=100, method=method)
        wanted = whole.compare(resamples=100, method=method)
        assert [pair.to_dict() for pair in found.pairs] == [pair.to_dict() for pair in wanted.pairs]
        assert {pair.units for pair in found.pairs} == {shared}


@pytest.mark.parametrize("documents", [3_000, 45_000])
def test_documents_are_drawn_as_wholes_wherever_their_segments_are(documents: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(documents)
    of = rng.integers(documents, size=SIZE)  # segments of a document do not stand together
    rows = texts_like(rng, SIZE)
    rows["compression-ratio"][:, 1] *= np.exp(rng.normal(0, 0.5, documents))[of]
    whole = evaluation_of({"a": rows}, [f"document {i}" for i in of])
    save(whole, tmp_path / "stats")
    found = load(tmp_path / "stats", Resampling(resamples=RESAMPLES))["a"]["compression-ratio"].estimate
    settings = {"resamples": RESAMPLES}
    wanted = whole.with_intervals(Resampling(**settings))["a"]["compression-ratio"].estimate
    apart = confidence_interval(
        METRICS["compression-ratio"], rows["compression-ratio"], resampling=Resampling(resamples=RESAMPLES)
    )
    width = wanted.high - wanted.low
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=0.15 * width)
    if documents == 3_000:
        assert apart.high - apart.low < 0.6 * width  # what drawing segments would have said


@pytest.mark.slow
def test_groups_of_a_large_folder_have_their_own_blocks(systems: dict[str, dict[str, Array]], tmp_path: Path) -> None:
    identity = {"a": systems["a"], "identity": systems["b"]}
    save(evaluation_of(identity), tmp_path / "stats")
    intervals = Resampling(resamples=RESAMPLES)
    found = scores_by(Folder(str(tmp_path / "stats")), ["length:3"], where=["system=a"], intervals=intervals)
    words = systems["b"]["fkgl"][:, 1]
    for part in found.slices:
        low, high = map(float, part.group[0].split("–"))
        here = (words >= low) & (words <= high)
        rows = {"a": {label: table[here] for label, table in systems["a"].items()}}
        wanted = confidence_intervals(rows, METRICS, resampling=Resampling(resamples=RESAMPLES))["a"]
        assert part.segments == int(here.sum())
        for label, metric in METRICS.items():
            own = part.systems["a"][label]
            assert own.score == float(metric.score(exact_sum(rows["a"][label])).value)
            assert own.estimate.has_interval
            width = wanted[label].high - wanted[label].low
            assert (own.estimate.low, own.estimate.high) == pytest.approx(
                (wanted[label].low, wanted[label].high), abs=0.2 * width
            )


@pytest.mark.slow
def test_blocked_intervals_cover_the_truth_in_nineteen_of_twenty_runs() -> None:
    """1,000 test sets of which the truth is known: E ratio = exp(-0.3 + 0.4^2 / 2), and FKGL of the expected sums.

    FKGL from long sums, for the words are rounded: of 40 million texts. Of 1,000 runs, 950 +- 2.6 x 6.9 should cover.
    """
    rng = np.random.default_rng(11)
    sums = sum(texts_like(rng, 1_000_000)["fkgl"].sum(axis=0) for _ in range(40))
    truth = {"compression-ratio": np.exp(-0.3 + 0.08), "fkgl": float(METRICS["fkgl"].score(np.asarray(sums)).value)}
    runs = 1_000
    covered = dict.fromkeys(METRICS, 0)
    for run in range(runs):
        rows = {label: block_sums(table, BLOCK) for label, table in texts_like(rng, EXACT + BLOCK * 10).items()}
        found = confidence_intervals(
            {"a": rows},
            METRICS,
            resampling=Resampling(resamples=RESAMPLES, seed=run),
        )["a"]
        for label in METRICS:
            covered[label] += truth[label] in found[label]
    assert all(0.932 * runs <= count <= 0.968 * runs for count in covered.values()), covered
