"""Which operations metrics and people reward, on made-up outputs in which the answer is known."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling
from plainly.metaeval import JudgedSet
from plainly.metaeval.contenders import Contender
from plainly.metaeval.operations import (
    PEOPLE,
    Effect,
    OperationsStudy,
    annotated_rows,
    operations_study,
    parting,
    tagged_rows,
)
from plainly.operations import AnnotatedPair, Group
from plainly.operations.tagger import load

DRAWS = Resampling(resamples=200)
SOURCE = "The physician prescribed medicine and the patient slept for a long time ."
N = 120


def judged(seed: int = 3) -> tuple[JudgedSet, list[AnnotatedPair], list[Contender]]:
    """Two systems and 60 sources. Half of the outputs have a synonym, which people like by 2 points; a third a move.

    `fond` is a metric that likes synonyms, `strict` one that dislikes them, `blind` one that is noise.
    """
    rng = np.random.default_rng(seed)
    synonym, move = rng.random(N) < 0.5, rng.random(N) < 0.33
    noise = rng.normal(size=(4, N))
    segments = tuple(str(i // 2) for i in range(N))
    systems = tuple("ab"[i % 2] for i in range(N))
    words = tuple(SOURCE.split())
    pairs = [
        AnnotatedPair(
            segments[i],
            words,
            words,
            (
                *([Group((1,), (1,), "synonym")] if synonym[i] else []),
                *([Group((2,), (3,), "move")] if move[i] else []),
            ),
            systems[i],
        )
        for i in range(N)
    ]
    data = JudgedSet(
        name="made up",
        lang="en",
        segments=segments,
        systems=systems,
        sources=(SOURCE,) * N,
        outputs=(SOURCE,) * N,
        references=((SOURCE,),) * N,
        values={"simplicity": 2.0 * synonym + noise[0]},
        scale={"simplicity": "raw"},
    )
    scores = {"fond": 3.0 * synonym + noise[1], "strict": -2.0 * synonym + noise[2], "blind": noise[3]}
    metrics = [Contender(name, name, "", "higher", name, values) for name, values in scores.items()]
    return data, pairs, metrics


@cache
def run(**settings: Any) -> OperationsStudy:
    data, pairs, metrics = judged()
    return operations_study(data, metrics, pairs, resampling=DRAWS, **settings)


def effect(found: OperationsStudy, score: str, operation: str, system: str = "") -> Effect:
    (own,) = [
        one for one in found.groups[system] if one.finding.score == score and one.finding.operation == operation
    ]
    return own


def test_what_was_put_in_is_found() -> None:
    found = run()
    assert effect(found, "fond", "synonym").finding.verdict == "rewarded"
    assert effect(found, "strict", "synonym").finding.verdict == "punished"
    assert effect(found, "people: simplicity", "synonym").finding.verdict == "rewarded"
    for score in ("fond", "strict", "blind", "people: simplicity"):
        assert effect(found, score, "move").finding.verdict == ""
    assert effect(found, "blind", "synonym").finding.verdict == ""
    assert [one.finding.score for one in found.overall if one.human] == ["people: simplicity"] * 2


def test_differences_are_those_of_means() -> None:
    """Every output of a source of its own: then the interval is about as wide as that of scipy's Welch test."""
    data, pairs, metrics = judged()
    alone = replace(data, segments=tuple(map(str, range(N))), systems=("a",) * N)
    found = operations_study(alone, metrics, pairs, resampling=Resampling(resamples=1000))
    has = np.array([pair.labels["synonym"] > 0 for pair in pairs])
    for score, values, truth in (
        ("fond", metrics[0].scores, 3.0),
        ("strict", metrics[1].scores, -2.0),
        ("people: simplicity", data.values["simplicity"], 2.0),
    ):
        own = effect(found, score, "synonym").difference
        assert own.value == pytest.approx(values[has].mean() - values[~has].mean())
        assert own.low < truth < own.high
        welch = stats.ttest_ind(values[has], values[~has], equal_var=False).confidence_interval()
        assert own.high - own.low == pytest.approx(welch.high - welch.low, rel=0.1)


def test_the_same_outputs_twice_are_no_more_evidence() -> None:
    """Whole sources are drawn: copies of rows within their sources leave the interval as it is."""
    data, pairs, metrics = judged()
    twice = np.repeat(np.arange(N), 2)
    found = operations_study(
        data.select(twice),
        [replace(metric, scores=metric.scores[twice]) for metric in metrics],
        [pairs[i] for i in twice],
        resampling=DRAWS,
    )
    for one, other in zip(found.overall, run().overall, strict=True):
        assert one.difference.low == pytest.approx(other.difference.low)
        assert one.difference.high == pytest.approx(other.difference.high)


def test_correlations_are_those_of_scipy() -> None:
    found = run()
    _, pairs, metrics = judged()
    counts = [pair.labels["synonym"] for pair in pairs]
    expected = stats.spearmanr(counts, metrics[0].scores)
    assert effect(found, "fond", "synonym").finding.correlation.value == pytest.approx(expected.statistic)


def test_holm_corrects_all_tests_of_a_group() -> None:
    """Four scores by two operations are eight tests: the smallest p counts eightfold."""
    found = run()
    p = min(max(one.finding.correlation.p, one.finding.correlation.p_resampled or 0) for one in found.overall)
    assert min(one.finding.p_corrected for one in found.overall) == pytest.approx(8 * p)


def test_each_system_has_its_own_findings() -> None:
    found = run()
    assert list(found.systems) == ["a", "b"]
    data, pairs, metrics = judged()
    own = [i for i in range(N) if data.systems[i] == "b"]
    expected = stats.spearmanr([pairs[i].labels["move"] for i in own], metrics[2].scores[own]).statistic
    assert effect(found, "blind", "move", "b").finding.correlation.value == pytest.approx(expected)
    assert effect(found, "blind", "move", "b").finding.correlation.n == 60


def test_small_systems_are_named() -> None:
    data, pairs, metrics = judged()
    few = replace(data, systems=(*data.systems[:-5], *("tiny",) * 5))
    found = operations_study(few, metrics, pairs, resampling=DRAWS)
    assert list(found.systems) == ["a", "b"]
    assert tuple(map(str, found.notes)) == ("fewer than 30 outputs, so nothing of their own: tiny",)


def test_where_metrics_and_people_part() -> None:
    assert parting(run().overall) == {("strict", "people: simplicity"): ["synonym"]}


def test_less_can_be_better_for_people() -> None:
    data, pairs, metrics = judged()
    hard = replace(data, directions={"simplicity": "lower"})
    found = operations_study(hard, metrics, pairs, resampling=DRAWS)
    assert effect(found, "people: simplicity", "synonym").finding.verdict == "punished"
    assert parting(found.overall) == {("fond", "people: simplicity"): ["synonym"]}


def test_classes_of_operations() -> None:
    found = run(columns="classes")
    assert {one.finding.operation for one in found.overall} == {"lexical", "replace", "move", "other"}
    assert effect(found, "fond", "lexical").finding.verdict == "rewarded"


def test_missing_scores_do_not_count() -> None:
    data, pairs, metrics = judged()
    gaps = metrics[0].scores.copy()
    gaps[:30] = np.nan
    found = operations_study(data, [replace(metrics[0], scores=gaps)], pairs, resampling=DRAWS)
    own = effect(found, "fond", "synonym")
    has = np.array([pair.labels["synonym"] > 0 for pair in pairs])[30:]
    assert own.finding.correlation.n == N - 30
    assert own.difference.value == pytest.approx(gaps[30:][has].mean() - gaps[30:][~has].mean())


def test_the_tagger_marks_rows_in_order() -> None:
    texts = (SOURCE, "The physician prescribed medicine . The patient slept for a long time .")
    data = replace(judged()[0].select([0, 1]), outputs=texts, systems=("same", "split"))
    same, split = tagged_rows(data, load("rules", "en"))
    assert same.operations == ()
    assert "split" in split.labels
    assert (split.id, split.origin) == ("0", "split")


def test_annotations_are_found_by_segment_and_system() -> None:
    data, pairs, _ = judged()
    assert annotated_rows(data, pairs[::-1]) == pairs
    with pytest.raises(PlainlyError, match="no annotation of segment '0' of 'a'"):
        annotated_rows(data, pairs[1:])
    with pytest.raises(PlainlyError, match="is annotated twice"):
        annotated_rows(data, [*pairs, pairs[0]])


def test_segments_of_a_document_are_found_and_counted_one_by_one() -> None:
    data, pairs, metrics = judged()
    documents = replace(data, clusters=tuple(str(i // 20) for i in range(N)))
    assert annotated_rows(documents, pairs) == pairs
    alone, together = (operations_study(own, metrics, pairs, resampling=DRAWS) for own in (data, documents))
    assert alone.segments == together.segments == N // 2
    differences = [own.overall[0].difference for own in (alone, together)]
    assert differences[0].value == pytest.approx(differences[1].value)
    assert differences[0].low != differences[1].low  # documents are drawn as wholes


def test_what_has_no_source_has_no_operations() -> None:
    data, pairs, metrics = judged()
    with pytest.raises(PlainlyError, match="outputs without one"):
        tagged_rows(replace(data, sources=(None,) * N), load("rules", "en"))
    with pytest.raises(PlainlyError, match="120 outputs, but 119 annotations"):
        operations_study(data, metrics, pairs[1:])


def test_outputs_without_any_operation() -> None:
    data, pairs, metrics = judged()
    found = operations_study(data, metrics, [replace(pair, groups=()) for pair in pairs], resampling=DRAWS)
    assert found.overall == ()
    assert found.to_dict()["systems"] == {"a": [], "b": []}


def test_json_has_people_beside_metrics() -> None:
    content = run().to_dict()
    assert content["annotators"] == [PEOPLE]
    assert [row["score"] for row in content["overall"] if row["human"]] == ["people: simplicity"] * 2
    assert set(content["overall"][0]["difference"]) == {"value", "low", "high"}
