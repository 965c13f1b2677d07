"""Groups and pairs: what they say of themselves, what is refused, and what repair changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.operations import AnnotatedPair, Group, assetann, check, repair
from plainly.operations.annotations import shared

PairOf = Callable[..., AnnotatedPair]


def test_shapes() -> None:
    assert Group((0,), (1,), "synonym").shape == "both"
    assert Group((0,), (), "delcst").shape == "source"
    assert Group((), (0,), "incst").shape == "target"


def test_what_a_pair_says_of_itself(pair_of: PairOf) -> None:
    pair = pair_of(
        "the physician left early",
        "the doctor left .",
        ((1,), (1,), "synonym"),
        ((3,), (), "delmod"),
        ((), (3,), "incst"),
    )
    assert not pair.erroneous
    assert pair.labels == Counter(synonym=1, delmod=1, incst=1)
    assert pair.token_labels("source") == ["", "synonym", "", "delmod"]
    assert pair.token_labels("target") == ["", "synonym", "", "incst"]


def test_the_flag_is_no_operation(pair_of: PairOf) -> None:
    pair = pair_of("a b", "c d", ((0,), (0,), "err"), ((1,), (1,), "synonym"))
    assert pair.erroneous
    assert pair.labels == Counter(synonym=1)
    assert pair.token_labels("source") == ["", "synonym"]
    check(pair)


def test_of_two_groups_on_a_token_the_last_counts(pair_of: PairOf) -> None:
    pair = pair_of("a b", "c", ((0,), (0,), "move"), ((0, 1), (), "deloth"))
    assert pair.token_labels("source") == ["deloth", "deloth"]
    assert list(shared(pair)) == [("source", 0)]
    check(pair, shared_tokens=True)
    with pytest.raises(PlainlyError, match=r"pair 0: source token 0 \(a\) is in two groups: move and deloth"):
        check(pair)


@pytest.mark.parametrize(
    ("group", "complaint"),
    [
        (((2,), (0,), "synonym"), "pair 7: source token 2 of synonym is out of range; the source has 2 tokens"),
        (((0,), (-1,), "synonym"), "pair 7: target token -1 of synonym is out of range"),
        (((0,), (0,), "synonim"), "pair 7: unknown label 'synonim'; did you mean 'synonym'?"),
        (((), (1,), "delcst"), "pair 7: target token 1 (d) has the label delcst, in the target alone; it can only"),
        (((0,), (1,), "delcst"), "pair 7: target token 1 (d) has the label delcst, on both sides; it can only stand"),
        (((0,), (1,), "incst"), "pair 7: source token 0 (a) has the label incst, on both sides; it can only stand"),
        (
            ((0,), (), "synonym"),
            "source token 0 (a) has the label synonym, in the source alone; it can only stand on",
        ),
        (((0,), (1,), "fromImp"), "it can only stand in the source alone or in the target alone"),
        (((), (), "synonym"), "pair 7: a group labelled synonym has no token"),
        (((1, 0), (0,), "synonym"), "pair 7: the source tokens of synonym must be sorted and different"),
        (((0, 0), (0,), "synonym"), "pair 7: the source tokens of synonym must be sorted and different"),
    ],
)
def test_faults_name_the_pair_and_the_token(
    pair_of: PairOf, group: tuple[tuple[int, ...], tuple[int, ...], str], complaint: str
) -> None:
    with pytest.raises(PlainlyError) as raised:
        check(pair_of("a b", "c d", group, id="7"))
    assert complaint in str(raised.value)


def test_repair_mirrors_the_label_or_cuts_the_group(pair_of: PairOf) -> None:
    pair = pair_of(
        "a b c d",
        "e f g h",
        ((), (0,), "delcst"),
        ((0,), (), "inmod"),
        ((1,), (1, 2), "deloth"),
        ((2,), (3,), "inprop"),
        ((3,), (), "toImp"),
    )
    (repaired,), counts = repair([pair])
    assert repaired.groups == (
        Group((), (0,), "incst"),
        Group((0,), (), "delmod"),
        Group((1,), (), "deloth"),
        Group((), (1, 2), "inoth"),
        Group((2,), (), "delprop"),
        Group((), (3,), "inprop"),
        Group((3,), (), "fromImp"),
    )
    assert counts == {
        "delcst in the target became incst": 1,
        "inmod in the source became delmod": 1,
        "deloth on both sides became deloth and inoth": 1,
        "inprop on both sides became inprop and delprop": 1,
        "toImp in the source became fromImp": 1,
    }
    check(repaired)


def test_repair_leaves_alone_what_it_cannot_know(pair_of: PairOf) -> None:
    pair = pair_of("a b", "c d", ((0,), (), "split"), ((1,), (), "synonym"), ((), (1,), "no such label"))
    (repaired,), counts = repair([pair])
    assert repaired == pair
    assert not counts


def test_the_release_needs_no_repair(released: list[AnnotatedPair]) -> None:
    """Section 3.6 of the paper: labels on the wrong side were changed before the release."""
    repaired, counts = repair(released)
    assert repaired == released
    assert not counts


@st.composite
def pairs(draw: st.DrawFn) -> AnnotatedPair:
    """Any groups, right or wrong, that do not share tokens."""
    sizes = draw(st.tuples(st.integers(1, 8), st.integers(1, 8)))
    owners = [draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)) for size in sizes]
    groups = []
    for number in range(1, 5):
        source, target = (tuple(i for i, owner in enumerate(side) if owner == number) for side in owners)
        if source or target:
            groups.append(Group(source, target, draw(st.sampled_from(assetann().names))))
    return AnnotatedPair("0", ("a",) * sizes[0], ("b",) * sizes[1], tuple(groups))


@given(pairs())
def test_repair_keeps_every_token_and_is_done_once(pair: AnnotatedPair) -> None:
    (repaired,), counts = repair([pair])
    for side in ("source", "target"):
        before = sorted(i for group in pair.groups for i in group.positions(side))
        assert sorted(i for group in repaired.groups for i in group.positions(side)) == before
    assert repair([repaired]) == ([repaired], Counter())
    wrong = [g for g in pair.groups if g.shape not in assetann().get(g.label).shapes]
    assert sum(counts.values()) == sum(bool(assetann().get(group.label).counterpart) for group in wrong)
    for group in repaired.groups:
        label = assetann().get(group.label)
        assert group.shape in label.shapes or not label.counterpart
