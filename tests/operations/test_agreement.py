"""Agreement of annotators: the notes' figures on gold, NLTK's kappas, cases worked by hand, missing annotations."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling
from plainly.inference.resampling import bootstrap_weights
from plainly.operations import AnnotatedPair, Group, assetann, read_yawat
from plainly.operations.agreement import ALL, LABELS, MEAN, agreement, variants
from plainly.operations.agreement_results import Agreement
from plainly.operations.formats import Rules
from plainly.operations.typology import SIDES

# What deserves a comparison is made up: eight pairs of six tokens a side, four annotators with their own habits.
HABITS = ["synonym", "hyperonym", "delcst", "incst", "move", "verbf"]


def annotated(seed: int, size: int = 8) -> dict[str, list[AnnotatedPair]]:
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, len(HABITS) + 1, (size, 2, 6))
    found: dict[str, list[AnnotatedPair]] = {}
    for name in ("ana", "ben", "cem", "dia"):
        noisy = np.where(draw.random(truth.shape) < 0.7, truth, draw.integers(0, len(HABITS) + 1, truth.shape))
        found[name] = [_pair(str(i), sides) for i, sides in enumerate(noisy.tolist())]
    return found


def _pair(identity: str, sides: list[list[int]], origin: str = "") -> AnnotatedPair:
    """Every labelled token is a group of its own; what the label may stand on does not matter here."""
    source, target = sides
    groups = [Group((i,), (), HABITS[code - 1]) for i, code in enumerate(source) if code]
    groups += [Group((), (i,), HABITS[code - 1]) for i, code in enumerate(target) if code]
    return AnnotatedPair(identity, tuple("abcdef"), tuple("ghijkl"), tuple(groups), origin)


def kappa(found: Agreement, first: str, second: str, side: str, variant: str = LABELS) -> float:
    (row,) = [
        row
        for row in found.kappas
        if (row.first, row.second, row.side, row.variant) == (first, second, side, variant)
    ]
    return row.kappa.value


def both(found: Agreement, first: str, second: str, variant: str = LABELS) -> list[float]:
    return [kappa(found, first, second, side, variant) for side in SIDES]


def triples(annotators: dict[str, list[AnnotatedPair]], side: Any) -> list[tuple[str, str, str]]:
    return [
        (name, f"{pair.id} {i}", label)
        for name, pairs in annotators.items()
        for pair in pairs
        for i, label in enumerate(pair.token_labels(side))
    ]


@pytest.fixture(scope="module")
def written(assetann_folder: Path) -> list[AnnotatedPair]:
    """Gold with its one `literal` as a label of its own, as the notes have it."""
    labels = {**assetann().labels, "literal": replace(assetann().get("synonym"), name="literal", yawat="lit")}
    rules = Rules(replace(assetann(), labels=MappingProxyType(labels)))
    folder = assetann_folder / "gold"
    return read_yawat(folder / "gold.aln", crp=folder / "gold.crp", rules=rules)


@pytest.fixture(scope="module")
def ninth(released: list[AnnotatedPair]) -> list[AnnotatedPair]:
    return [pair for pair in released if pair.origin == "9"]


class TestGold:
    """shared/notes/assetann.md, section 5: the released annotation of the gold pairs, against gold."""

    def test_kappas_as_in_the_notes(self, written: list[AnnotatedPair], ninth: list[AnnotatedPair]) -> None:
        fifty = agreement({"released": ninth}, written, resampling=Resampling(resamples=0))
        clean = agreement({"released": ninth}, written, errors="left-out", resampling=Resampling(resamples=0))
        assert (len(fifty.ratings.keys), len(clean.ratings.keys)) == (50, 45)
        assert [round(value, 2) for value in both(fifty, "gold", "released")] == [0.80, 0.78]
        assert [round(value, 2) for value in both(clean, "gold", "released")] == [0.80, 0.79]
        (match,) = clean.matching
        assert round(match.operations.value, 2) == 0.92
        assert [round(score.value, 2) for score in (match.groups, match.spans)] == [0.60, 0.70]

    @pytest.mark.parametrize(
        ("errors", "expected"),
        [
            ("as-written", [0.8021315734535928, 0.7778352630893082]),
            ("whole-pair", [0.7868789620556211, 0.7479568009340338]),
            ("left-out", [0.8055104141796122, 0.7938099937202835]),
        ],
    )
    def test_kappas_of_scikit_learn(
        self, gold: list[AnnotatedPair], ninth: list[AnnotatedPair], errors: Any, expected: list[float]
    ) -> None:
        # scikit-learn 1.9.1 cohen_kappa_score on token labels made by a script of its own, `literal` read as synonym
        found = agreement({"released": ninth}, gold, errors=errors, resampling=Resampling(resamples=0))
        assert both(found, "gold", "released") == pytest.approx(expected, abs=1e-12)
        assert [len(found.ratings.codes[side]) for side in SIDES] == (
            [1067, 884] if errors == "left-out" else [1191, 968]
        )

    def test_intervals_are_wide(self, gold: list[AnnotatedPair], ninth: list[AnnotatedPair]) -> None:
        found = agreement({"released": ninth}, gold)
        (row,) = [row for row in found.kappas if row.variant == LABELS and row.side == "source"]
        assert 0.05 < row.kappa.high - row.kappa.low < 0.25
        assert row.kappa.value in row.kappa

    def test_the_flag_is_scored_as_pairs(self, gold: list[AnnotatedPair], ninth: list[AnnotatedPair]) -> None:
        # gold flags 158 161 163 177 187, the released annotation 161 163 169 177 185 187
        found = agreement({"released": ninth}, gold, resampling=Resampling(resamples=0))
        for row in found.labels:
            if row.label == "err":
                assert (row.gold, row.found) == (5, 6)
                assert row.recall is not None
                assert row.recall.value == pytest.approx(4 / 5)


@pytest.mark.parametrize("seed", range(3))
def test_nltk_gives_the_same(seed: int) -> None:
    annotators = annotated(seed)
    found = agreement(annotators, resampling=Resampling(resamples=0))
    for side in SIDES:
        (row,) = [row for row in found.overall if row.variant == LABELS and row.side == side]
        task = AnnotationTask(triples(annotators, side))
        assert row.davies_fleiss.value == pytest.approx(task.multi_kappa(), abs=1e-12)
        assert row.alpha.value == pytest.approx(task.alpha(), abs=1e-12)
        assert row.observed.value == pytest.approx(task.avg_Ao(), abs=1e-12)
        assert row.davies_fleiss.n == 48
        assert kappa(found, "ana", "cem", side) == pytest.approx(task.kappa_pairwise("ana", "cem"), abs=1e-12)
    for match in found.matching:
        sizes = [[len(pair.groups) for pair in annotators[name]] for name in (match.first, match.second)]
        assert match.operations.value == pytest.approx(np.corrcoef(sizes)[0, 1])
        assert match.operations.n == match.pairs == 8


@pytest.mark.parametrize("variant", list(variants(assetann(), HABITS))[1:])
def test_merged_labels_are_those_of_merged_annotations(variant: str) -> None:
    annotators = annotated(5)
    reading = variants(assetann(), HABITS)[variant]
    merged = {
        name: [
            replace(p, groups=tuple(replace(g, label=reading.get(g.label, g.label)) for g in p.groups)) for p in ps
        ]
        for name, ps in annotators.items()
    }
    found = agreement(annotators, resampling=Resampling(resamples=0))
    for side in SIDES:
        task = AnnotationTask(triples(merged, side))
        (row,) = [row for row in found.overall if row.variant == variant and row.side == side]
        assert row.davies_fleiss.value == pytest.approx(task.multi_kappa(), abs=1e-12)


def test_readings_of_labels() -> None:
    found = variants(assetann(), ("", "synonym", "literal"), {"in": ["incst", "inoth"]})
    assert found[LABELS] == {}
    merged = found["insertions and deletions merged"]
    assert {merged[label] for label in ("incst", "inoth", "inmod", "inprop", "split", "toImp")} == {"add"}
    assert {merged[label] for label in ("delcst", "deloth", "delmod", "delprop", "merge", "fromImp")} == {"delete"}
    assert "synonym" not in merged
    assert found["lexical merged too"] == {
        **merged,
        "synonym": "lexical",
        "hyperonym": "lexical",
        "hyponym": "lexical",
    }
    assert found["add, delete, replace, move"]["move"] == "move"
    assert found["edited or not"] == {"synonym": "edited", "literal": "edited"}
    assert found["merged as asked"] == {"incst": "in", "inoth": "in"}


SOURCE, TARGET = "the vessel sank off the coast", "the ship sank near land"


def by_hand(pair_of: Any) -> tuple[list[AnnotatedPair], list[AnnotatedPair]]:
    gold = [
        pair_of(SOURCE, TARGET, ((1,), (1,), "synonym"), ((3, 4, 5), (3, 4), "hyperonym"), id="1"),
        pair_of("she left , sadly", "she left", ((2,), (), "delcst"), ((3,), (), "delmod"), id="2"),
    ]
    mine = [
        pair_of(SOURCE, TARGET, ((1,), (1,), "synonym"), ((3, 4, 5), (3, 4), "synonym"), id="1"),
        pair_of("she left , sadly", "she left", ((2,), (), "delcst"), id="2"),
    ]
    return mine, gold


def test_by_hand(pair_of: Any) -> None:
    mine, gold = by_hand(pair_of)
    found = agreement({"me": mine}, gold, resampling=Resampling(resamples=0))
    assert found.overall == ()
    # Source, ten tokens: 4 unchanged, synonym, delcst agree: Ao = 6/10.
    # Gold: unchanged 4, synonym 1, hyperonym 3, delcst 1, delmod 1. Mine: unchanged 5, synonym 4, delcst 1.
    # Ae = (4*5 + 1*4 + 1*1) / 100 = .25; kappa = .35 / .75
    assert kappa(found, "gold", "me", "source") == pytest.approx(0.35 / 0.75)
    # Four gold groups, three of mine, two of them the same; without labels three: F1 = 4/7 and 6/7
    (match,) = found.matching
    assert (match.groups.value, match.spans.value) == (pytest.approx(4 / 7), pytest.approx(6 / 7))
    assert match.pairs == 2
    scores = {(row.side, row.label): row for row in found.labels}
    synonym = scores["source", "synonym"]
    assert (synonym.gold, synonym.found) == (1, 4)
    assert synonym.precision is not None
    assert synonym.recall is not None
    assert (synonym.precision.value, synonym.recall.value, synonym.f1.value) == (0.25, 1.0, pytest.approx(0.4))
    hyperonym = scores["target", "hyperonym"]
    assert hyperonym.precision is not None
    assert math.isnan(hyperonym.precision.value)  # never used, so never right or wrong
    assert hyperonym.f1.value == 0
    confused = [(row.side, row.label, row.other, row.tokens, row.share) for row in found.confusions]
    assert confused == [
        ("source", "hyperonym", "synonym", 3, 0.75),
        ("source", "delmod", "", 1, 0.25),
        ("target", "hyperonym", "synonym", 2, 1.0),
    ]


def test_matrices_by_hand(pair_of: Any) -> None:
    mine, gold = by_hand(pair_of)
    found = agreement({"me": mine}, gold, resampling=Resampling(resamples=0))
    source, target = found.matrices
    # Source: gold's four unchanged tokens are mine too. Of hyperonym three are synonym, and delmod is unchanged.
    assert (source.annotator, source.side) == ("me", "source")
    assert source.labels == ("", "synonym", "hyperonym", "delcst", "delmod")
    assert source.tokens == ((4, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 3, 0, 0, 0), (0, 0, 0, 1, 0), (1, 0, 0, 0, 0))
    assert target.labels == ("", "synonym", "hyperonym")
    assert target.tokens == ((4, 0, 0), (0, 1, 0), (0, 2, 0))


def test_without_gold_a_matrix_is_symmetric_and_counts_each_pair_of_labels_once(pair_of: Any) -> None:
    mine, gold = by_hand(pair_of)
    found = agreement({"me": mine, "you": gold}, resampling=Resampling(resamples=0))
    target = found.matrices[1]
    assert target.annotator == ALL
    assert target.tokens == ((4, 0, 0), (0, 1, 2), (0, 2, 0))
    swapped = agreement({"you": gold, "me": mine}, resampling=Resampling(resamples=0))
    assert swapped.matrices == found.matrices


def test_matrices_are_those_of_scikit_learn(gold: list[AnnotatedPair], ninth: list[AnnotatedPair]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    by_id = {pair.id: pair for pair in ninth}
    kept = [pair for pair in gold if not pair.erroneous and not by_id[pair.id].erroneous]
    theirs = [by_id[pair.id] for pair in kept]
    found = agreement({"released": theirs}, kept, resampling=Resampling(resamples=0))
    assert len(found.matrices) == 2
    for matrix in found.matrices:
        truth, said = (
            [label for pair in pairs for label in pair.token_labels(matrix.side)] for pairs in (kept, theirs)
        )
        expected = metrics.confusion_matrix(truth, said, labels=list(matrix.labels)).tolist()
        assert list(map(list, matrix.tokens)) == expected
        assert sum(map(sum, expected)) == len(truth) > 800


def test_how_far_annotators_lie_apart(pair_of: Any) -> None:
    mine, gold = by_hand(pair_of)
    found = agreement({"me": mine, "you": gold}, gold, resampling=Resampling(resamples=0))
    (spread,) = [row for row in found.spreads if (row.variant, row.side) == (LABELS, "source")]
    # kappas .35 / .75 = 7/15 (see above) and 1: mean 11/15, and both are 4/15 away from it
    assert spread.annotators == 2
    assert spread.mean.value == pytest.approx(11 / 15)
    assert spread.sd == pytest.approx(4 / 15)
    assert (spread.lowest, spread.highest) == (pytest.approx(7 / 15), pytest.approx(1))
    alone = agreement({"me": mine}, gold, resampling=Resampling(resamples=0))
    assert alone.spreads == ()


def test_without_gold_labels_are_scored_by_specific_agreement(pair_of: Any) -> None:
    mine, gold = by_hand(pair_of)
    found = agreement({"me": mine, "you": gold}, resampling=Resampling(resamples=0))
    scores = {(row.side, row.label): row for row in found.labels}
    assert scores["source", "synonym"].f1.value == pytest.approx(0.4)
    assert scores["source", "synonym"].precision is None
    assert {row.annotator for row in found.labels} == {ALL}
    first = found.confusions[0]
    assert (first.annotator, {first.label, first.other}, first.tokens) == (ALL, {"synonym", "hyperonym"}, 3)


def test_the_mean_of_annotators_against_gold() -> None:
    *people, gold = annotated(2).items()
    found = agreement(dict(people), gold[1], resampling=Resampling(resamples=0))
    names = [name for name, _ in people]
    for side in SIDES:
        values = [kappa(found, "gold", name, side) for name in names]
        assert kappa(found, "gold", MEAN, side) == pytest.approx(np.mean(values))
    rows = [row for row in found.labels if (row.side, row.label) == ("source", "move")]
    by_name = {row.annotator: row.f1.value for row in rows}
    assert by_name[MEAN] == pytest.approx(np.mean([by_name[name] for name in names]))


def test_a_missing_annotator_counts_on_what_is_done() -> None:
    annotators = annotated(3)
    annotators["ben"] = annotators["ben"][:5]
    annotators["dia"].append(_pair("99", [[1] * 6, [2] * 6]))  # nobody else did it
    found = agreement(annotators, resampling=Resampling(resamples=0))
    ratings = found.ratings
    assert [ratings.done(i) for i in range(4)] == [8, 5, 8, 8]
    assert (len(ratings.keys), ratings.alone) == (8, 1)
    first = agreement({name: annotators[name][:5] for name in ("ana", "ben")}, resampling=Resampling(resamples=0))
    assert both(found, "ana", "ben") == both(first, "ana", "ben")
    (match,) = [row for row in found.matching if (row.first, row.second) == ("ana", "ben")]
    assert match.pairs == 5
    # By the definition: pairs of annotators weigh by the tokens that both have labelled.
    table = {name: {pair.id: pair.token_labels("source") for pair in pairs} for name, pairs in annotators.items()}
    agreed, chance, total = 0.0, 0.0, 0
    for one, other in [
        ("ana", "ben"),
        ("ana", "cem"),
        ("ana", "dia"),
        ("ben", "cem"),
        ("ben", "dia"),
        ("cem", "dia"),
    ]:
        shared = [key for key in table[one] if key in table[other]]
        a = [label for key in shared for label in table[one][key]]
        b = [label for key in shared for label in table[other][key]]
        agreed += sum(x == y for x, y in zip(a, b, strict=True))
        chance += sum(a.count(label) * b.count(label) for label in set(a)) / len(a)
        total += len(a)
    expected = (agreed / total - chance / total) / (1 - chance / total)
    assert found.overall[0].davies_fleiss.value == pytest.approx(expected, abs=1e-12)


def test_intervals_are_those_of_repeated_sources() -> None:
    annotators = annotated(4)
    found = agreement(
        annotators,
        resampling=Resampling(resamples=40, seed=9),
    )
    (weights,) = bootstrap_weights(8, 40, 9)
    values = []
    for row in weights.astype(int):
        drawn = [(unit, copy) for unit, times in enumerate(row) for copy in range(times)]
        again = {
            name: [replace(pairs[unit], id=f"{unit}.{copy}") for unit, copy in drawn]
            for name, pairs in annotators.items()
        }
        values.append(agreement(again, resampling=Resampling(resamples=0)).overall[0].davies_fleiss.value)
    bounds = found.overall[0].davies_fleiss
    assert [bounds.low, bounds.high] == pytest.approx(np.quantile(values, [0.025, 0.975]))
    assert (found.resampling.seed, found.resampling.resamples) == (9, 40)
    assert (
        agreement(
            annotators,
            resampling=Resampling(resamples=40, seed=9),
        ).to_dict()
        == found.to_dict()
    )


def test_pairs_of_one_source_are_drawn_together() -> None:
    """Two copies of everything, under other origins, add no certainty."""
    one = {name: [replace(pair, origin="a") for pair in pairs] for name, pairs in annotated(6).items()}
    two = {name: [*pairs, *(replace(pair, origin="b") for pair in pairs)] for name, pairs in one.items()}
    assert len(agreement(two, resampling=Resampling(resamples=0)).ratings.keys) == 16
    single, double = (agreement(x, resampling=Resampling(resamples=50)).overall[0].davies_fleiss for x in (one, two))
    assert double.value == pytest.approx(single.value)
    assert [double.low, double.high] == pytest.approx([single.low, single.high])


class TestErroneous:
    @pytest.fixture
    def annotators(self, pair_of: Any) -> dict[str, list[AnnotatedPair]]:
        mine, gold = by_hand(pair_of)
        return {"me": [mine[0], pair_of("she left , sadly", "she left", ((0,), (0,), "err"), id="2")], "you": gold}

    def test_as_written(self, annotators: dict[str, list[AnnotatedPair]]) -> None:
        found = agreement(annotators, resampling=Resampling(resamples=0))
        assert [(row.other, row.tokens) for row in found.confusions if row.label == ""] == [
            ("delcst", 1),
            ("delmod", 1),
            ("err", 1),
            ("err", 1),
        ]

    def test_whole_pair(self, annotators: dict[str, list[AnnotatedPair]]) -> None:
        found = agreement(annotators, errors="whole-pair", resampling=Resampling(resamples=0))
        confused = {(row.side, row.label, row.other): row.tokens for row in found.confusions}
        assert confused["source", "", "err"] == 2
        assert confused["source", "delcst", "err"] == 1
        assert confused["target", "", "err"] == 2

    def test_left_out(self, annotators: dict[str, list[AnnotatedPair]]) -> None:
        found = agreement(annotators, errors="left-out", resampling=Resampling(resamples=0))
        assert (len(found.ratings.keys), found.ratings.left_out) == (1, 1)
        # Where gold does not flag it, the pair counts.
        kept = agreement(
            {"me": annotators["me"]}, annotators["you"], errors="left-out", resampling=Resampling(resamples=0)
        )
        assert (len(kept.ratings.keys), kept.ratings.left_out) == (2, 0)


def test_full_agreement() -> None:
    pairs = annotated(1)["ana"]
    found = agreement({"a": pairs, "b": pairs}, pairs, resampling=Resampling(resamples=10))
    assert {row.kappa.value for row in found.kappas} == {1.0}
    assert {score.value for row in found.matching for score in (row.groups, row.spans)} == {1.0}
    assert found.confusions == ()
    json.dumps(found.to_dict(), allow_nan=False)


def test_nothing_annotated_gives_no_numbers(pair_of: Any) -> None:
    pairs = [pair_of("a b", "a b", id="1"), pair_of("", "", id="2")]
    found = agreement({"a": pairs, "b": pairs}, resampling=Resampling(resamples=10))
    assert math.isnan(found.overall[0].davies_fleiss.value)
    assert found.labels == ()
    content = found.to_dict()
    assert content["overall"][0]["davies_fleiss"]["value"] is None
    json.dumps(content, allow_nan=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: {"ana": a["ana"]}, "needs two annotators, or one and a gold"),
        (lambda a: {"ana": a["ana"][:3], "ben": a["ben"][3:]}, "no pair was annotated by two annotators"),
        (lambda a: {"ana": [*a["ana"], a["ana"][0]], "ben": a["ben"]}, "'ana' has pair '0' twice; where origins"),
        (
            lambda a: {"ana": [replace(a["ana"][0], target=("x",), groups=())], "ben": a["ben"]},
            "pair '0': 'ana' and 'ben' have different tokens on the target side",
        ),
    ],
)
def test_refusals(change: Any, message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        agreement(change(annotated(1)))


def test_more_refusals() -> None:
    annotators = annotated(1)
    flagged = [replace(pair, groups=(Group((0,), (0,), "err"),)) for pair in annotators["ana"]]
    for call, message in _calls(annotators, flagged):
        with pytest.raises(PlainlyError, match=message):
            call()


def _calls(annotators: dict[str, list[AnnotatedPair]], flagged: Sequence[AnnotatedPair]) -> list[tuple[Any, str]]:
    return [
        (lambda: agreement({"gold": flagged}, flagged), "cannot be called 'gold'"),
        (lambda: agreement({"ana": flagged, "b": flagged}, errors="left-out"), "all pairs are flagged"),
        (lambda: agreement(annotators, errors="left"), "unknown reading of faulty pairs 'left'"),  # type: ignore[arg-type]
        (lambda: agreement(annotators, merge={"x": ["synonim"]}), "did you mean 'synonym'"),
        (lambda: agreement(annotators, resampling=Resampling(resamples=-1)), "resamples must be at least 0"),
        (lambda: agreement(annotators, resampling=Resampling(confidence=1)), "confidence must lie between 0 and 1"),
    ]
