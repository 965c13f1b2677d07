"""What annotations of one pair have in common, and where they differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainly.operations import AnnotatedPair, Group
from plainly.operations.differences import Compared, compared

PAIR = AnnotatedPair(
    "a",
    ("The", "feline", "slept", "because", "it", "was", "tired", "."),
    ("The", "cat", "slept", ".", "It", "was", "tired", "."),
    (),
)


def by(annotator: str, *groups: Group) -> AnnotatedPair:
    return replace(PAIR, annotator=annotator, groups=groups)


def told(*pairs: AnnotatedPair) -> list[tuple[str, str, str]]:
    """Label, who has it (first letters), difference."""
    return [(one.group.label, "".join(one.annotators), one.difference) for one in compared(pairs)]


def test_what_all_have_differs_in_nothing() -> None:
    group = Group((1,), (1,), "synonym")
    assert compared([by("x", group), by("y", group)]) == [Compared(group, ("x", "y"), "none")]


def test_the_confidence_of_a_tagger_makes_no_other_group() -> None:
    assert told(by("x", Group((1,), (1,), "synonym", 0.5)), by("y", Group((1,), (1,), "synonym"))) == [
        ("synonym", "xy", "none")
    ]


def test_the_same_words_with_another_label() -> None:
    pairs = by("x", Group((1,), (1,), "synonym")), by("y", Group((1,), (1,), "hyperonym"))
    assert told(*pairs) == [("hyperonym", "y", "label"), ("synonym", "x", "label")]


@pytest.mark.parametrize("label", ["synonym", "hyperonym"])
def test_other_boundaries_with_whatever_label(label: str) -> None:
    pairs = by("x", Group((1,), (1,), "synonym")), by("y", Group((1, 2), (1, 2), label))
    assert {difference for *_, difference in told(*pairs)} == {"boundaries"}


def test_words_of_one_side_are_enough_for_other_boundaries() -> None:
    pairs = by("x", Group((3,), (), "delcst")), by("y", Group((3,), (3,), "synonym"))
    assert {difference for *_, difference in told(*pairs)} == {"boundaries"}


def test_what_only_some_have() -> None:
    both = Group((1,), (1,), "synonym")
    pairs = by("x", both, Group((3,), (), "delcst")), by("y", both), by("z", both, Group((3,), (), "delcst"))
    assert told(*pairs) == [("synonym", "xyz", "none"), ("delcst", "xz", "some")]


def test_of_three_the_nearest_difference_counts() -> None:
    pairs = by("x", Group((1,), (1,), "synonym")), by("y"), by("z", Group((1,), (1,), "hyperonym"))
    assert told(*pairs) == [("hyperonym", "z", "label"), ("synonym", "x", "label")]


def test_the_flag_is_about_the_pair_and_not_about_its_first_words() -> None:
    pairs = by("x", Group((0,), (0,), "err")), by("y", Group((0,), (0,), "synonym"))
    assert told(*pairs) == [("synonym", "y", "some"), ("err", "x", "some")]


def test_groups_stand_in_the_order_of_the_source_and_new_words_last() -> None:
    groups = Group((), (3,), "split"), Group((3,), (), "delcst"), Group((1,), (1,), "synonym")
    assert [label for label, *_ in told(by("x", *groups), by("y"))] == ["synonym", "delcst", "split"]
