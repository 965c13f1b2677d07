"""Operations against scores: small cases by hand, and Table 10 of Cardon et al. 2022."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from plainly import metrics
from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference import Resampling
from plainly.operations import AnnotatedPair, Group, assetann
from plainly.operations.annotated_set import AnnotatedSet, annotated_set, in_order
from plainly.operations.correlation import (
    Finding,
    Observations,
    findings,
    observe,
    operation_counts,
    outputs_corpus,
    p_value,
)

SOURCE = "The old physician prescribed strong pills"
TARGETS = {
    "a": ("The doctor prescribed pills", [((1,), (), "delmod"), ((2,), (1,), "synonym"), ((4,), (), "delmod")]),
    "b": ("The old doctor gave strong pills", [((2,), (2,), "synonym"), ((3,), (3,), "synonym")]),
    "c": ("The old physician prescribed strong pills", []),
}


def _pairs(sources: int = 4) -> list[AnnotatedPair]:
    return [
        AnnotatedPair(
            str(i),
            (*SOURCE.split(), *["daily"] * (i % 4), f"{i}"),
            (*text.split(), *["daily"] * (i % 4), f"{i}"),
            tuple(Group(*group) for group in groups),
            origin,
        )
        for origin, (text, groups) in TARGETS.items()
        for i in range(sources)
    ]


def test_every_target_is_judged_by_the_others() -> None:
    corpus = outputs_corpus(annotated_set(_pairs(1)))
    assert corpus.references == [
        (f"{TARGETS['b'][0]} 0", f"{TARGETS['c'][0]} 0"),
        (f"{TARGETS['a'][0]} 0", f"{TARGETS['c'][0]} 0"),
        (f"{TARGETS['a'][0]} 0", f"{TARGETS['b'][0]} 0"),
    ]
    given = outputs_corpus(annotated_set(_pairs(1)), [["One.", "Two."]])
    assert given.references == [("One.", "Two.")] * 3


def test_counts_of_labels_and_classes() -> None:
    pairs = _pairs(1)
    names, counts = operation_counts(pairs, assetann())
    assert counts[:, names.index("delmod")].tolist() == [2, 0, 0]
    assert counts[:, names.index("synonym")].tolist() == [1, 2, 0]
    assert counts.sum() == 5
    presence = operation_counts(pairs, assetann(), "presence")[1]
    assert presence[:, names.index("delmod")].tolist() == [1, 0, 0]
    classes, by_class = operation_counts(pairs, assetann(), columns="classes")
    assert by_class[:, classes.index("delete")].tolist() == [2, 0, 0]
    assert by_class[:, classes.index("lexical")].tolist() == [1, 2, 0]
    with pytest.raises(UnknownName, match="presence"):
        operation_counts(pairs, assetann(), "presences")  # type: ignore[arg-type]


def test_scores_are_those_of_single_segments() -> None:
    data = annotated_set(_pairs())
    observations = observe(data, [metrics.get("sari"), metrics.get("fkgl")])
    assert list(observations.scores)[:5] == ["sari", "sari add", "sari keep", "sari delete", "fkgl"]
    sari = metrics.get("sari")
    corpus = outputs_corpus(data)
    for i in range(len(corpus)):
        alone = sari.score(sari.measure(corpus.slice(i, i + 1), "output").sum(axis=0))
        assert observations.scores["sari"][i] == pytest.approx(float(alone.value))
        assert observations.scores["sari keep"][i] == pytest.approx(float(alone.components["keep"]))
    only = observe(data, [sari], components=["keep_f1_1"])
    assert list(only.scores) == ["sari", "sari keep_f1_1"]
    with pytest.raises(UnknownName, match="component of sari"):
        observe(data, [sari], components=["kept"])


def test_findings_know_their_tests_and_directions() -> None:
    data = annotated_set(_pairs(12))
    found = findings(
        observe(data, [metrics.get("sari"), metrics.get("fkgl")], components=[]), resampling=Resampling(resamples=100)
    )
    assert [(finding.score, finding.operation, finding.pairs) for finding in found] == [
        ("sari", "synonym", 24),
        ("sari", "delmod", 12),
        ("fkgl", "synonym", 24),
        ("fkgl", "delmod", 12),
    ]
    for finding in found:
        expected = finding.correlation
        assert expected.n == 36
        assert finding.p_corrected >= p_value(expected)
    sari, fkgl = ([finding for finding in found if finding.score == name] for name in ("sari", "fkgl"))
    # The copy has no synonym and the least SARI; two synonyms make the shortest words, and the least FKGL.
    assert [finding.verdict for finding in sari] == ["rewarded", ""]
    assert fkgl[0].correlation.value < 0
    assert [finding.verdict for finding in fkgl] == ["rewarded", ""]  # lower is better


def test_a_handful_of_sources_gives_no_verdict() -> None:
    """Ranks that go together all the way have p = 0 by Student's t, from three pairs on: it shows nothing."""

    def found(pairs: int) -> Finding:
        counts, directions = np.arange(float(pairs)), {"sari": "higher"}
        observations = Observations(
            tuple(map(str, range(pairs))),
            ("mine",) * pairs,
            np.zeros(pairs, dtype=bool),
            ("synonym",),
            counts[:, None],
            {"sari": counts + 1},
            directions,
        )
        return findings(observations, resampling=Resampling(resamples=100))[0]

    assert [found(5).verdict, found(6).verdict] == ["", "rewarded"]  # 2 ** (1 - 6) is the first below .05
    assert np.isnan([found(2).correlation.p, found(2).p_corrected]).all()  # two pairs have no p at all


def test_without_resamples_there_are_no_intervals() -> None:
    found = findings(observe(annotated_set(_pairs()), [metrics.get("sari")]), resampling=Resampling(resamples=0))
    assert not any(finding.correlation.estimate.has_interval for finding in found)
    assert found[0].to_dict()["low"] is None


def test_faulty_sources() -> None:
    pairs = _pairs(3)
    pairs.append(AnnotatedPair("1", pairs[0].source, ("Nonsense",), (Group((0,), (0,), "err"),), "d"))
    observations = observe(annotated_set(pairs), [metrics.get("sari")])
    kept = observations.without_faulty_sources()
    assert set(kept.ids) == {"0", "2"}
    assert len(kept) == len(kept.counts) == len(kept.scores["sari"]) == 6


def test_nothing_to_correlate() -> None:
    still = [AnnotatedPair("0", ("A",), ("A",), (), origin) for origin in "ab"]
    with pytest.raises(PlainlyError, match="nothing to correlate"):
        findings(observe(annotated_set(still), [metrics.get("sari")]))
    with pytest.raises(PlainlyError, match="no annotated pairs"):
        annotated_set([])
    with pytest.raises(PlainlyError, match="pair '0' of 'a' is there twice"):
        annotated_set([still[0], still[0]])


def test_nothing_to_be_judged_by() -> None:
    alone = annotated_set([pair for pair in _pairs() if pair.origin == "a"])
    with pytest.raises(PlainlyError, match="sari scores no pair: give references"):
        observe(alone, [metrics.get("sari")])
    assert observe(alone, [metrics.get("sari")], references=[["Pills ."]] * 4).scores["sari"].shape == (4,)


def test_raw_texts() -> None:
    pairs = [pair for pair in _pairs(2) if pair.origin != "c"]
    data = annotated_set(pairs, raw_sources=["S 0", "S 1"], raw_targets=[["A 0", "A 1"], ["B 0", "B 1"]])
    assert data.sources == ("S 0", "S 1")
    assert data.targets == (("A 0", "B 0"), ("A 1", "B 1"))
    assert data.origins == ("a", "b")
    assert data.unlike() == 6
    assert annotated_set(pairs).unlike() == 0
    with pytest.raises(PlainlyError, match="2 origins"):
        annotated_set(pairs, raw_targets=[["A 0", "A 1"]])


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["0", "2"], ["a", "c"]),
        (["2", "1", "0"], ["c", "b", "a"]),
        (["x", "y", "z"], ["a", "b", "c"]),
        (["1", "2", "3"], ["a", "b", "c"]),  # no line has the number 3, so they are not numbers of lines
        (["1", "01", "2"], ["a", "b", "c"]),
    ],
)
def test_which_line_belongs_to_which_source(ids: list[str], expected: list[str]) -> None:
    assert in_order(ids, ["a", "b", "c"], "the outputs") == expected


def test_too_few_lines() -> None:
    with pytest.raises(PlainlyError, match="2 sources, but the outputs have 1 lines"):
        in_order(["0", "1"], ["a"], "the outputs")


# ---- the published annotation


@pytest.fixture(scope="session")
def reference_scores(released: list[AnnotatedPair]) -> AnnotatedSet:
    return annotated_set(released)


def test_table_10(reference_scores: AnnotatedSet, shared: Path) -> None:
    oracle = json.loads((shared / "oracle" / "assetann.json").read_text())["table10"]["recomputed"]
    found = findings(observe(reference_scores, [metrics.get("sari")]), resampling=Resampling(resamples=0))
    cells = {(finding.score, finding.operation): finding for finding in found}
    assert len(oracle) == 26
    for operation, expected in oracle.items():
        for part, short in (("keep", "keep"), ("add", "add"), ("delete", "del")):
            finding = cells[f"sari {part}", operation]
            assert round(finding.correlation.value, 4) == expected[short], (operation, part)
            assert finding.correlation.n == 3590


def test_p_values_of_table_10_are_scipys(reference_scores: AnnotatedSet) -> None:
    observations = observe(reference_scores, [metrics.get("sari")])
    for finding in findings(observations, resampling=Resampling(resamples=0)):
        column = observations.counts[:, observations.operations.index(finding.operation)]
        value, p = stats.spearmanr(column, observations.scores[finding.score])
        assert finding.correlation.value == pytest.approx(value, abs=1e-12)
        assert finding.correlation.p == pytest.approx(p, rel=1e-6)


def test_few_sources_are_no_proof(reference_scores: AnnotatedSet) -> None:
    """Two pairs have `merge`: resampling alone calls that significant."""
    observations = observe(reference_scores, [metrics.get("sari")], components=[])
    merge = next(
        finding
        for finding in findings(observations, resampling=Resampling(resamples=200))
        if finding.operation == "merge"
    )
    assert merge.pairs == 2
    assert p_value(merge.correlation) == merge.correlation.p > 0.5
    assert np.isclose(merge.p_corrected, 1)
