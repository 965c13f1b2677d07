"""Subsets of references: choosing, the random control, scores. Table 4 of Cardon et al. 2022: tests/replication."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.inference import Resampling
from plainly.operations import AnnotatedPair, Group
from plainly.operations.annotated_set import AnnotatedSet, annotated_set
from plainly.operations.expressions import parse
from plainly.operations.selection import (
    Members,
    corpus_of,
    everything,
    members_table,
    random_members,
    read_members,
    select,
    sizes,
)
from plainly.operations.subsets import scored, summaries

SOURCES = ["The old physician prescribed strong pills .", "A vast crowd assembled in the square .", "He slept ."]
TARGETS = [
    ["The doctor gave pills .", "The old doctor prescribed strong pills .", "A physician prescribed pills ."],
    ["A big crowd met in the square .", "A crowd was there .", "Many people met ."],
    ["He slept .", "He was asleep .", "He ."],
]
LABELS = [
    [["synonym", "delmod"], ["synonym"], ["delmod"]],
    [["synonym"], ["delmod", "err"], ["hyperonym"]],
    [[], ["verbf"], ["err"]],
]
OUTPUTS: dict[str, list[str | None]] = {
    "mine": ["The doctor prescribed pills .", "A big crowd met .", "He slept ."],
    "copy": [*SOURCES],
}


@pytest.fixture
def data() -> AnnotatedSet:
    pairs = [
        AnnotatedPair(
            str(i),
            tuple(SOURCES[i].split()),
            tuple(TARGETS[i][k].split()),
            tuple(Group((0,), (0,), label) for label in LABELS[i][k]),
            f"ref{k}",
        )
        for k in range(3)
        for i in range(3)
    ]
    return annotated_set(pairs)


def test_sources_keep_a_varying_number_of_references(data: AnnotatedSet) -> None:
    clean = select(data, parse("not err"))
    assert clean == ((0, 1, 2), (0, 2), (0, 1))
    lexical = select(data, parse("lexical and not err"))
    assert lexical == ((0, 1), (0, 2), ())
    found = sizes({"lexical": lexical})["lexical"]
    assert (found.sources, found.references) == (2, 4)
    assert select(data, parse("delmod"), within=parse("not err")) == ((0, 2), (), ())
    corpus = corpus_of(data, lexical, OUTPUTS)
    assert corpus.ids == ["0", "1"]
    assert corpus.references == [TARGETS[0][:2], [TARGETS[1][0], TARGETS[1][2]]]
    assert corpus.outputs["mine"] == OUTPUTS["mine"][:2]


def test_control_draws_as_many_for_each_source(data: AnnotatedSet) -> None:
    lexical, pool = select(data, parse("lexical")), everything(data)
    draws = [random_members(lexical, pool, draw, seed=3) for draw in range(300)]
    for drawn in draws:
        assert [len(chosen) for chosen in drawn] == [2, 2, 0]
        assert all(list(chosen) == sorted(set(chosen)) for chosen in drawn)
    counts = np.bincount([k for drawn in draws for k in drawn[0]], minlength=3)
    assert counts == pytest.approx([200, 200, 200], abs=40)  # each reference has a chance of 2 in 3
    assert draws[7] == random_members(lexical, pool, 7, seed=3)
    assert draws[7] != random_members(lexical, pool, 7, seed=4) or draws[8] != random_members(
        lexical, pool, 8, seed=4
    )
    clean = select(data, parse("not err"))
    assert all(set(chosen) <= set(allowed) for d in range(20) for chosen, allowed in zip(
        random_members(lexical, clean, d, seed=1), clean, strict=True))  # fmt: skip


@pytest.mark.parametrize("weighting", ["segments", "counts"])
def test_scores_are_those_of_the_subset_alone(data: AnnotatedSet, weighting: str) -> None:
    sari = metrics.get("sari", reference_weighting=weighting)
    subsets = {"lexical": select(data, parse("lexical")), "all": everything(data)}
    results = scored(data, OUTPUTS, [sari], subsets, draws=20, resampling=Resampling(resamples=50)).scores
    assert [(result.subset, result.system) for result in results] == [
        ("lexical", "mine"),
        ("lexical", "copy"),
        ("all", "mine"),
        ("all", "copy"),
    ]
    for result in results:
        corpus = corpus_of(data, subsets[result.subset], OUTPUTS)
        expected = float(sari.score(sari.measure(corpus, result.system).sum(axis=0)).value)
        assert result.score.value == pytest.approx(expected)
        assert result.from_whole.value == pytest.approx(result.score.value - result.whole)
        assert result.from_random.value == pytest.approx(result.score.value - result.random.value)
    for result in results[2:]:  # all references are their own control
        assert result.from_whole.value == pytest.approx(0, abs=1e-9)
        assert (result.random.low, result.random.high) == pytest.approx((result.score.value, result.score.value))
        assert result.from_random.low == pytest.approx(0, abs=1e-9)
        assert result.p == 1
    for summary in summaries(results):
        group = [result.from_whole.value for result in results if result.subset == summary.subset]
        assert summary.from_whole == pytest.approx(np.mean(group))


def test_weighting_matters_and_is_named(data: AnnotatedSet) -> None:
    lexical = {"some": select(data, parse("synonym or verbf"))}
    scores = {
        weighting: scored(
            data,
            OUTPUTS,
            [metrics.get("sari", reference_weighting=weighting)],
            lexical,
            draws=2,
            resampling=Resampling(resamples=5),
        )
        .scores[0]
        .score
        for weighting in ("segments", "counts")
    }
    assert scores["segments"] != pytest.approx(scores["counts"], abs=0.01)
    assert "weight:segments" in metrics.get("sari").signature("1-2")
    assert "weight:counts" in metrics.get("sari", reference_weighting="counts").signature("1-2")


def test_results_depend_on_neither_threads_nor_other_subsets(data: AnnotatedSet) -> None:
    sari = metrics.get("sari")
    subsets = {"lexical": select(data, parse("lexical")), "delmod": select(data, parse("delmod"))}
    both = scored(data, OUTPUTS, [sari], subsets, draws=10, resampling=Resampling(resamples=20), threads=2)
    alone = scored(
        data, OUTPUTS, [sari], {"delmod": subsets["delmod"]}, draws=10, resampling=Resampling(resamples=20), threads=1
    )
    assert both.scores[2:] == alone.scores


def test_interval_of_the_difference_is_paired(data: AnnotatedSet) -> None:
    """Against a resampling by hand: repeated sources, the mean over the draws taken last."""
    from plainly.inference.resampling import bootstrap_weights

    sari, members = metrics.get("sari"), select(data, parse("not err"))
    (result,) = scored(
        data,
        {"mine": OUTPUTS["mine"]},
        [sari],
        {"clean": members},
        draws=4,
        resampling=Resampling(resamples=30, seed=8, confidence=0.8),
    ).scores

    def score(chosen: Members, drawn: list[int]) -> float:
        repeated = Corpus(
            [data.sources[i] for i in drawn],
            [[data.targets[i][k] for k in chosen[i]] for i in drawn],
            {"mine": [OUTPUTS["mine"][i] for i in drawn]},
        )
        return float(sari.score(sari.measure(repeated, "mine").sum(axis=0)).value)

    differences = []
    for row in np.concatenate(list(bootstrap_weights(3, 30, 8))).astype(int):
        drawn = np.repeat(np.arange(3), row).tolist()
        controls = [score(random_members(members, everything(data), d, 8), drawn) for d in range(4)]
        differences.append(score(members, drawn) - np.mean(controls))
    bounds = result.from_random
    assert (bounds.low, bounds.high) == pytest.approx(tuple(np.quantile(differences, [0.1, 0.9])))


def test_refusals(data: AnnotatedSet) -> None:
    sari, lexical = metrics.get("sari"), {"lexical": select(data, parse("lexical"))}
    with pytest.raises(PlainlyError, match="subset 'none' is empty"):
        scored(data, OUTPUTS, [sari], {"none": select(data, parse("merge"))})
    with pytest.raises(PlainlyError, match="fkgl reads no references"):
        scored(data, OUTPUTS, [metrics.get("fkgl")], lexical)
    with pytest.raises(PlainlyError, match="3 sources, but 'mine' has 1 outputs"):
        scored(data, {"mine": ["One ."]}, [sari], lexical)
    with pytest.raises(PlainlyError, match="no system or no metric"):
        scored(data, {}, [sari], lexical)
    with pytest.raises(PlainlyError, match="control has only 0 to draw from"):
        scored(data, OUTPUTS, [sari], lexical, within=parse("verbf"))


def test_members_survive_a_file(data: AnnotatedSet, tmp_path: Path) -> None:
    subsets = {"lexical": select(data, parse("lexical")), "clean": select(data, parse("not err"))}
    path = tmp_path / "members.tsv"
    path.write_text(members_table(data, subsets))
    assert read_members(str(path), data) == subsets


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id\torigin\n", ":1: the columns are id, origin"),
        ("id\torigin\ta\n0\tref0\n", ":2: it has 2 columns, the first line 3"),
        ("id\torigin\ta\n0\tref9\t1\n", ":2: no annotation of '0' has the origin 'ref9'"),
        ("id\torigin\ta\n0\tref0\t1\n0\tref0\t1\n", ":3: '0' of 'ref0' is there twice"),
        ("id\torigin\ta\n0\tref0\t1\n", "'0' of 'ref1' is missing"),
    ],
)
def test_bad_tables_of_members(data: AnnotatedSet, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "members.tsv"
    path.write_text(content)
    with pytest.raises(PlainlyError, match=message):
        read_members(str(path), data)


def test_table_without_subsets(data: AnnotatedSet, tmp_path: Path) -> None:
    lines = members_table(data, {"a": everything(data)}).replace("\t1\n", "\tyes\n")
    (tmp_path / "members.tsv").write_text(lines)
    with pytest.raises(PlainlyError, match="no column holds only 0 and 1"):
        read_members(str(tmp_path / "members.tsv"), data)


# ---- the published annotation


@pytest.fixture(scope="module")
def asset(released: list[AnnotatedPair], shared: Path) -> AnnotatedSet:
    folder = shared / "data" / "asset"
    return annotated_set(
        released,
        raw_sources=_lines(folder / "asset.test.orig"),
        raw_targets=[_lines(folder / f"asset.test.simp.{k}") for k in range(10)],
    )


def test_texts_agree_with_the_annotated_tokens(asset: AnnotatedSet) -> None:
    assert asset.unlike() == 0


def test_rules_give_the_sizes_of_the_paper(asset: AnnotatedSet) -> None:
    rules = ("any", "lexical", "syntactic", "add", "delete", "replace")
    found = sizes({rule: select(asset, parse(f"{rule} and not err")) for rule in rules})
    # shared/notes/assetann.md, section 2; the files have 2799, 2040 and 2866 for synt, add and del
    assert [size.references for size in found.values()] == [3338, 2138, 2798, 2043, 2864, 2719]


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")
