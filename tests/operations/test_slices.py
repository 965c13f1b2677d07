"""Slices by the operations of the references, and which operations tell two systems apart: by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.inference import Resampling
from plainly.inference.small_sample import calibrated
from plainly.operations import AnnotatedPair, Group, assetann
from plainly.operations.profile import Profile, profile
from plainly.operations.reference_tags import REFERENCES, ReferenceTags
from plainly.operations.slices import LEAST, by_operation
from plainly.operations.why import differences, explained, told_about, why
from plainly.scoring import evaluate
from plainly.scoring.comparison import Comparison
from plainly.studio.texts import say

GROUPS = {
    "synonym": Group((0,), (0,), "synonym"),
    "split": Group((), (1,), "split"),
    "move": Group((1,), (1,), "move"),
}
SIGNATURE = "tagger|kind:people"


def pair(segment: int, origin: str, *labels: str) -> AnnotatedPair:
    return AnnotatedPair(str(segment), ("a", f"b{segment}"), ("x", "y"), tuple(GROUPS[one] for one in labels), origin)


def tags_of(references: Mapping[int, Sequence[Sequence[str]]]) -> ReferenceTags:
    pairs = [pair(i, REFERENCES, *labels) for i, own in references.items() for labels in own]
    return ReferenceTags(pairs, SIGNATURE, 0)


def empty_corpus(size: int, systems: Sequence[str] = (), runs: Mapping[str, Sequence[str]] | None = None) -> Corpus:
    texts = [f"a b{i}" for i in range(size)]
    return Corpus(texts, [["x y"]] * size, dict.fromkeys(systems, texts), runs=runs or {})


def test_half_of_the_references_decide() -> None:
    """By hand, ten of each, so that no slice is too small:

    0-9    3 references, 2 with a synonym, 1 with a split: synonym (2 of 3); split is in fewer than half
    10-19  2 references, 1 with a split: split (1 of 2 is half)
    20-29  1 reference with both: both
    30-39  1 reference with neither: none
    40     2 references, one of them with a move: move, alone in its slice, which is left out
    41     no reference
    """
    references: dict[int, list[list[str]]] = {}
    for i in range(10):
        references[i] = [["synonym"], ["synonym", "split"], []]
        references[10 + i] = [["split"], []]
        references[20 + i] = [["synonym", "split", "synonym"]]
        references[30 + i] = [[]]
    references[40] = [["move"], []]
    found = by_operation(empty_corpus(42), tags_of(references))
    titles = assetann().labels
    assert found.grouping.field == "operation"
    assert found.grouping.names == [titles["synonym"].title, titles["split"].title]
    synonym, split = (np.flatnonzero(inside).tolist() for inside in found.grouping.members)
    assert synonym == [*range(10), *range(20, 30)]
    assert split == [*range(10, 30)]
    said = [str(one.message) for one in found.notes]
    assert SIGNATURE in said[0]
    assert "at least half of its references" in said[0]
    assert said[1] == "operations with fewer than 10 segments, which have no slice: 1"
    assert "mindestens die Hälfte" in found.notes[0].message.text("de")


def test_slices_need_references_and_enough_of_them() -> None:
    with pytest.raises(PlainlyError, match="need sources and references"):
        by_operation(empty_corpus(3), ReferenceTags([], SIGNATURE, 0))
    few = tags_of({i: [["split"]] for i in range(LEAST - 1)})
    with pytest.raises(PlainlyError, match="no operation cuts the test set"):
        by_operation(empty_corpus(20), few)


# ---- why


def profile_of(systems: Mapping[str, Mapping[str, int]], runs: Mapping[str, Sequence[str]] | None = None) -> Profile:
    """Systems that make each operation in the first so many of 40 segments."""
    pairs = [
        pair(i, name, *(label for label, count in made.items() if i < count))
        for name, made in systems.items()
        for i in range(40)
    ]
    corpus = empty_corpus(40, list(systems), runs)
    return profile(pairs, corpus, resampling=Resampling(resamples=1000))


def test_what_the_best_does_more_and_less_often() -> None:
    """30 of 40 segments are 75 %, 4 are 10 %, 2 are 5 %; one segment more than the other is no news."""
    found = profile_of(
        {"ours": {"split": 30, "synonym": 4, "move": 3}, "theirs": {"split": 4, "synonym": 32, "move": 2}}
    )
    by_name = {one.label.name: one for one in differences(found, "ours", "theirs")}
    assert {name: (one.first, one.second) for name, one in by_name.items()} == {
        "synonym": (10.0, 80.0),
        "split": (75.0, 10.0),
        "move": (7.5, 5.0),
    }
    assert by_name["move"].p_holm > 0.05
    split = by_name["split"]
    smallest = calibrated(1 / (split.difference.trials + 1), 40)
    assert split.p_holm == pytest.approx(3 * smallest)  # Holm: the smallest of three is tripled
    more, less = why(found, "ours", "theirs")
    split, synonym = (assetann().get(name).title.lower() for name in ("split", "synonym"))
    assert str(more) == f"More often in ours than in theirs: {split} (75 % against 10 % of the segments)."
    assert str(less) == f"Less often in ours than in theirs: {synonym} (10 % against 80 % of the segments)."
    assert more.text("de") == "Häufiger bei ours als bei theirs: Teilung (75 % gegenüber 10 % der Segmente)."


def test_nothing_is_claimed_that_is_not_shown() -> None:
    found = profile_of({"ours": {"split": 20, "move": 3}, "theirs": {"split": 20, "move": 2}})
    (said,) = why(found, "ours", "theirs")
    assert str(said) == "No operation is shown to be more or less common in ours than in theirs."
    (said,) = why(profile_of({"ours": {}, "theirs": {}}), "ours", "theirs")
    assert said.key == "operations.why.none"


def test_runs_of_a_system_are_one() -> None:
    """The share is the mean over runs: 30, 31 and 32 of 40 are 77.5 %. Runs that differ widely show nothing."""
    runs = {"ours": ["ours/1", "ours/2", "ours/3"]}
    alike = {f"ours/{n}": {"split": 29 + n} for n in (1, 2, 3)}
    found = profile_of({**alike, "theirs": {"split": 4}}, runs)
    (one,) = differences(found, "ours", "theirs")
    assert one.first == pytest.approx(77.5)
    assert [said.key for said in why(found, "ours", "theirs")] == ["operations.why.more"]
    unlike = {f"ours/{n}": {"split": count} for n, count in ((1, 2), (2, 40), (3, 20))}
    found = profile_of({**unlike, "theirs": {"split": 4}}, runs)
    assert [said.key for said in why(found, "ours", "theirs")] == ["operations.why.none"]


def comparison_of(systems: Mapping[str, str], **settings: Any) -> Comparison:
    """Outputs that are all of one text; the reference is "x y"."""
    outputs = {name: [text] * 40 for name, text in systems.items()}
    evaluation = evaluate(
        [f"a b{i}" for i in range(40)], outputs, [["x y"]] * 40, metrics=["sari", "fkgl"], intervals=None
    )
    return evaluation.compare(resamples=50, **settings)


def test_the_verdict_says_it_of_the_best_two() -> None:
    found = profile_of({"ours": {"split": 30}, "theirs": {"split": 4}, "third": {}})
    plain = comparison_of({"theirs": "x", "third": "a", "ours": "x y"})
    told = explained(plain, found)
    assert told_about(plain) == ("ours", "theirs")
    assert [str(one) for one in told.reasons] == [
        "More often in ours than in theirs: split (75 % against 10 % of the segments)."
    ]
    sentences = told.verdict.to_dict()["sentences"]
    assert str(told.reasons[0]) in sentences
    assert [one for one in sentences if one != str(told.reasons[0])] == plain.verdict.to_dict()["sentences"]
    assert told.findings().verdict == told.verdict.sentences()


def test_against_a_baseline_it_is_about_that_one() -> None:
    found = profile_of({"ours": {"split": 30}, "third": {}})
    comparison = comparison_of({"third": "a", "ours": "x y"}, baseline="third")
    assert told_about(comparison) == ("ours", "third")
    assert "than in third" in str(explained(comparison, found).reasons[0])
    nobody = comparison_of({"third": "a", "ours": "x y", "copy": "a b"}, baseline="copy")
    assert explained(nobody, found) is nobody  # the copy has no tags


def test_nothing_is_said_without_a_pair_that_one_is_better() -> None:
    assert told_about(comparison_of({"alone": "x"})) is None
    evaluation = evaluate(
        ["a b"] * 3, {"one": ["a"] * 3, "two": ["a b"] * 3}, metrics=["compression-ratio"], intervals=None
    )
    assert told_about(evaluation.compare(resamples=20)) is None


def test_a_system_that_is_not_there() -> None:
    with pytest.raises(PlainlyError, match="unknown system 'outs'; did you mean 'ours'"):
        why(profile_of({"ours": {}, "theirs": {}}), "outs", "theirs")


def test_german_names_are_those_of_the_studio() -> None:
    from plainly.base.messages import message

    for name in assetann().operations:
        assert message(f"operations.label.{name}", "").text("de") == say("de").section("operations")[f"label.{name}"]
