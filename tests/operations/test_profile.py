"""What systems do, what explains their scores, and examples."""

from __future__ import annotations

import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.inference import Resampling
from plainly.metrics import get
from plainly.operations import AnnotatedPair, Group
from plainly.operations.profile import REFERENCES, Profile, profile, tagged
from plainly.operations.tagger import Tagger

FEW = Resampling(resamples=50)


@pytest.fixture(scope="module")
def demo() -> Profile:
    corpus = demo_corpus("en")
    return profile(tagged(corpus, Tagger("rules", "en")), corpus, [get("sari"), get("words")], resampling=FEW)


def test_what_toy_systems_do_is_what_they_were_made_for(demo: Profile) -> None:
    share = {doing.origin: {k: v.pairs.percent.value for k, v in doing.operations.items()} for doing in demo.doings}
    assert set(share["identity"].values()) == {0.0}
    assert share["truncation"]["deloth"] == 100.0  # it cuts off the end of every sentence
    assert max(share["substituter"], key=lambda name: share["substituter"][name]) == "synonym"
    assert share["splitter"]["split"] > 3 * share["hasty-model"]["synonym"] / 2
    assert {doing.origin: doing.pairs for doing in demo.doings}[REFERENCES] == 180


def test_scores_are_held_against_operations(demo: Profile) -> None:
    assert {finding.score for finding in demo.explained} == {"sari", "words"}
    by_name = {finding.operation: finding for finding in demo.explained if finding.score == "sari"}
    assert by_name["synonym"].verdict == "rewarded"
    assert {finding.verdict for finding in demo.explained if finding.score == "words"} == {""}  # no better end


def test_examples_are_the_surest_and_of_different_systems(demo: Profile) -> None:
    for name, examples in demo.examples.items():
        assert len(examples) <= 3
        for example in examples:
            assert example.group.label == name
            assert example.group in example.pair.groups
            assert example.pair.origin != REFERENCES
    origins = [example.pair.origin for example in demo.examples["synonym"]]
    assert len(set(origins)) == 3


def test_annotations_of_people() -> None:
    """By hand: of two outputs one has a synonym, so 50 %; one reference of two is erroneous."""
    corpus = Corpus(["a b", "c d"], [["a x"], ["c"]], {"mine": ["a x", "c d"]})
    pairs = [
        AnnotatedPair("0", ("a", "b"), ("a", "x"), (Group((1,), (1,), "synonym"),), "mine", "Ada"),
        AnnotatedPair("1", ("c", "d"), ("c", "d"), (), "mine", "Ada"),
        AnnotatedPair("0", ("a", "b"), ("a", "x"), (Group((1,), (1,), "synonym"),), REFERENCES, "Ada"),
        AnnotatedPair("1", ("c", "d"), ("c",), (Group((0,), (0,), "err"),), REFERENCES, "Ada"),
    ]
    found = profile(pairs, corpus, resampling=FEW)
    mine, references = found.doings
    assert (mine.operations["synonym"].pairs.percent.value, mine.erroneous) == (50.0, 0)
    assert references.erroneous == 1
    assert found.operations == ["synonym"]
    assert found.explained == []
    assert found.annotators == ["Ada"]


def test_nothing_to_show() -> None:
    with pytest.raises(PlainlyError, match="no annotated pairs"):
        profile([], Corpus([], [], {}))
