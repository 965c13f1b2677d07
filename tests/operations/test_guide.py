"""The annotation guide: whole in each language, and its examples keep the rules of the typology."""

from __future__ import annotations

from collections import defaultdict

import pytest

from plainly.operations import AnnotatedPair, Group, assetann, check
from plainly.operations.guide import Example, Guide, guide, marked
from plainly.operations.typology import SIDES
from plainly.studio.texts import languages


def entries(found: Guide) -> dict[str, tuple[Example, ...]]:
    return {**{rule.name: rule.examples for rule in found.rules}, **{n: e.examples for n, e in found.labels.items()}}


def annotated(example: Example) -> AnnotatedPair:
    """The parts of an example as tokens; those of one label are one group."""
    parts = {side: list(marked(getattr(example, side))) for side in SIDES}
    places: dict[str, dict[str, list[int]]] = defaultdict(lambda: {"source": [], "target": []})
    for side in SIDES:
        for place, (_, label) in enumerate(parts[side]):
            if label:
                places[label][side].append(place)
    groups = [Group(tuple(one["source"]), tuple(one["target"]), label) for label, one in places.items()]
    source, target = (tuple(words for words, _ in parts[side]) for side in SIDES)
    return AnnotatedPair("0", source, target, tuple(groups))


@pytest.mark.parametrize("lang", languages())
def test_every_label_is_explained_and_no_other(lang: str) -> None:
    assert list(guide(lang).labels) == list(assetann().names)


@pytest.mark.parametrize("lang", languages())
def test_what_the_guide_shows_as_right_can_be_annotated_so(lang: str) -> None:
    for name, examples in entries(guide(lang)).items():
        for example in examples:
            if not example.wrong:
                pair = annotated(example)
                check(pair)
                assert example.source != example.target
                assert name not in assetann().labels or name in {group.label for group in pair.groups}, name


@pytest.mark.parametrize("lang", languages())
def test_what_the_guide_shows_as_wrong_says_why(lang: str) -> None:
    wrong = [example for examples in entries(guide(lang)).values() for example in examples if example.wrong]
    assert len(wrong) > 20
    assert all(example.why for example in wrong)
    assert all(
        label in (*assetann().names, "") for one in wrong for side in SIDES for _, label in marked(getattr(one, side))
    )


@pytest.mark.parametrize("lang", languages())
def test_all_languages_have_the_same_entries_and_examples(lang: str) -> None:
    shape = {name: [example.wrong for example in examples] for name, examples in entries(guide(lang)).items()}
    assert shape == {name: [example.wrong for example in examples] for name, examples in entries(guide()).items()}


@pytest.mark.parametrize("lang", languages())
def test_only_markers_of_negation_stand_alone(lang: str) -> None:
    """A rule of the paper that the two-sided labels of the release do not keep: section 3.5.4 of its guide."""
    for label, side in (("pos2neg", "target"), ("neg2pos", "source")):
        (right,) = [one for one in guide(lang).labels[label].examples if not one.wrong]
        (group,) = [group for group in annotated(right).groups if group.label == label]
        assert group.shape == side


def test_a_language_without_a_guide_has_the_english_one() -> None:
    assert guide("xx") is guide("en")


def test_the_release_marks_negations_on_both_sides(released: list[AnnotatedPair]) -> None:
    groups = [group for pair in released for group in pair.groups if group.label in ("pos2neg", "neg2pos")]
    assert len(groups) > 30
    assert {group.shape for group in groups} == {"both"}
