"""What holds after a network has answered: split and merge on marks, moves of equal words, no made-up synonyms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from tests.operations.tagger.test_properties import KINDS, SLOWLY, TEXTS, operations, tagged

from plainly.operations import Group
from plainly.operations.tagger import Labelled
from plainly.operations.tagger.alignment import align
from plainly.operations.tagger.constraints import Constraints
from plainly.operations.tagger.grouping import group
from plainly.operations.tagger.labeller import COLUMN, LABELS, Floats
from plainly.operations.tagger.lexicon import words_of

WORDS = words_of("en")


def sure_of(labels: Sequence[tuple[str, str]]) -> Floats:
    """A network that is sure of its first label, and thinks of a second."""
    rows = np.full((len(labels), len(LABELS)), 0.001, np.float32)
    for row, (first, second) in zip(rows, labels, strict=True):
        row[COLUMN[first]], row[COLUMN[second]] = 0.9, 0.05
    return rows / rows.sum(axis=1, keepdims=True)


def grouped(
    source: str, target: str, of_source: Sequence[tuple[str, str]], of_target: Sequence[tuple[str, str]]
) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    pair = tuple(source.split()), tuple(target.split())
    labelled = Labelled(sure_of(of_source), sure_of(of_target), 0.0)
    found = group(labelled, align(*pair, WORDS), 2.0, Constraints(pair, WORDS))
    return [(one.source, one.target, one.label) for one in found]


SAME = ("", "")


def test_a_split_needs_a_mark_that_ends_a_sentence() -> None:
    of_target = [SAME, ("split", "incst"), ("split", "incst"), SAME]
    found = grouped("rain fell", "rain . it fell", [SAME, SAME], of_target)
    assert found == [((), (1,), "split"), ((), (2,), "incst")]


def test_a_merge_needs_a_mark_that_ends_a_sentence() -> None:
    of_source = [SAME, ("merge", "delcst"), ("merge", "delcst"), SAME]
    found = grouped("rain . it fell", "rain fell", of_source, [SAME, SAME])
    assert found == [((1,), (), "merge"), ((2,), (), "delcst")]


def test_words_that_only_one_text_has_do_not_move() -> None:
    """The network says that "in winter" became "in summer" elsewhere: "in" alone is in both texts."""
    moved = [("move", "delmod"), ("move", "delmod")]
    found = grouped(
        "in winter lakes freeze",
        "lakes freeze in summer",
        [*moved, SAME, SAME],
        [SAME, SAME, *[("move", "inmod")] * 2],
    )
    assert found == [((0,), (2,), "move"), ((1,), (), "delmod"), ((), (3,), "inmod")]


@pytest.mark.parametrize(
    ("old", "new", "related"),
    [
        ("1985", "2004", False),  # two numbers without a common digit sequence
        ("1980s", "80s", True),
        ("1,200", "twelve", True),  # a word may well stand for a number
        ("12 july 2008", "12/07/2008", True),
        ("19th", "19", True),
        ("remedy", "cure", True),  # without a model of meaning words get the benefit of the doubt
    ],
)
def test_a_number_is_no_synonym_of_another(old: str, new: str, related: bool) -> None:
    pair = tuple(old.split()), tuple(new.split())
    first, second = (tuple(range(len(text))) for text in pair)
    for label in ("synonym", "hyperonym", "hyponym"):
        assert Constraints(pair, WORDS).stay(label, first, second) == ((first, second) if related else ((), ()))
    assert Constraints(pair, WORDS).stay("verbf", first, second) == (first, second)


def test_a_changed_number_is_gone_and_new() -> None:
    of_source, of_target = [SAME, ("synonym", "deloth")], [SAME, ("synonym", "inoth")]
    assert grouped("in 1985", "in 2004", of_source, of_target) == [((1,), (), "deloth"), ((), (1,), "inoth")]
    assert grouped("in 1985", "in 85", of_source, of_target) == [((1,), (1,), "synonym")]


@pytest.mark.parametrize("kind", KINDS)
@SLOWLY
@given(source=TEXTS, target=TEXTS)
def test_moves_are_of_equal_words_and_splits_on_marks(
    kind: str, source: tuple[str, ...], target: tuple[str, ...]
) -> None:
    def words(one: Group) -> tuple[list[str], list[str]]:
        places = (one.source, source), (one.target, target)
        return tuple(sorted(WORDS.lower(text[i]) for i in run) for run, text in places)  # type: ignore[return-value]

    for one in operations(tagged(source, target, kind)):
        old, new = words(one)
        if one.label == "move":
            assert old == new
        if one.label in ("split", "merge"):
            assert all(word in WORDS.stops for word in old + new)
