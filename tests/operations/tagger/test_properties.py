"""What holds for every pair of texts, with every tagger that needs no extra package."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.operations import AnnotatedPair, Group, assetann, check
from plainly.operations.tagger import load, tag
from plainly.operations.tagger.alignment import align
from plainly.operations.tagger.lexicon import words_of

# A small vocabulary makes repeated, moved and replaced words; any Unicode comes beside it.
SOME = "The the cat cats sat on a mat , . which was red He he running runs ( ) beautiful 1990"
WORDS = st.sampled_from(SOME.split())
ANY = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
TEXTS = st.lists(st.one_of(WORDS, WORDS, WORDS, ANY), max_size=14).map(tuple)
KINDS = ["rules", "learned"]
SLOWLY = settings(suppress_health_check=[HealthCheck.too_slow])


def tagged(source: tuple[str, ...], target: tuple[str, ...], kind: str, lang: str = "en") -> tuple[Group, ...]:
    (groups,) = tag([(source, target)], load(kind, lang), lang)
    return groups


def operations(groups: tuple[Group, ...]) -> list[Group]:
    return [group for group in groups if group.label != "err"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@SLOWLY
@given(text=TEXTS)
def test_identical_texts_have_no_operation(kind: str, text: tuple[str, ...]) -> None:
    assert tagged(text, text, kind) == ()


@pytest.mark.parametrize("kind", KINDS)
@SLOWLY
@given(source=TEXTS, target=TEXTS)
def test_groups_are_sound(kind: str, source: tuple[str, ...], target: tuple[str, ...]) -> None:
    groups = tagged(source, target, kind)
    check(AnnotatedPair("1", source, target, groups), assetann())  # labels stand on the sides where they may
    found = operations(groups)
    for side in ("source", "target"):
        positions = [position for group in found for position in group.positions(side)]
        assert len(positions) == len(set(positions)), "a token is in two groups"
    assert all(group.confidence is not None and 0 <= group.confidence <= 1 for group in groups)


@pytest.mark.parametrize("kind", KINDS)
@SLOWLY
@given(source=TEXTS, target=TEXTS)
def test_every_changed_token_is_in_a_group(kind: str, source: tuple[str, ...], target: tuple[str, ...]) -> None:
    found = operations(tagged(source, target, kind))
    alignment = align(source, target, words_of("en"))
    covered = {i for group in found for i in group.source}
    assert covered | {i for i, _ in alignment.kept} == set(range(len(source)))
    covered = {j for group in found for j in group.target}
    assert covered | {j for _, j in alignment.kept} == set(range(len(target)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("source", "target"),
    [((), ()), (("word",), ()), ((), ("word",)), (("word",), ("other",)), ((".",), ("!",)), (("\u200b",), ("é",))],
)
def test_empty_and_one_token_texts(kind: str, source: tuple[str, ...], target: tuple[str, ...]) -> None:
    groups = operations(tagged(source, target, kind))
    assert {i for group in groups for i in group.source} == set(range(len(source)))
    assert {j for group in groups for j in group.target} == set(range(len(target)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_pair_is_labelled_alike_alone_and_among_others(kind: str) -> None:
    pairs = [
        (("The", "feline", "slept", "."), ("The", "cat", "slept", ".")),
        (("He", "left", "."), ("He", "left", "early", ".")),
        ((), ("word",)),
    ]
    labeller = load(kind, "en")
    assert list(tag(pairs, labeller)) == [next(tag([pair], labeller)) for pair in pairs]


@SLOWLY
@given(source=TEXTS, target=TEXTS, lang=st.sampled_from(["de", "tr", "zh", "ar", "ru"]))
def test_rules_serve_other_languages(source: tuple[str, ...], target: tuple[str, ...], lang: str) -> None:
    check(AnnotatedPair("1", source, target, tagged(source, target, "rules", lang)), assetann())
