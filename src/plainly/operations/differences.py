"""Where do annotations of the same pair differ? What an adjudicator looks at, group by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plainly.operations.annotations import AnnotatedPair, Group
from plainly.operations.typology import ERROR, SIDES

Difference = Literal["none", "label", "boundaries", "some"]
"""How others see what one annotator marked.

none         all have the same group
label        somebody has the same words with another label
boundaries   somebody has a group with some of the words
some         those who lack it left its words as they are
"""


@dataclass(frozen=True)
class Compared:
    """A group, and who has it."""

    group: Group
    annotators: tuple[str, ...]
    difference: Difference


def compared(annotations: Sequence[AnnotatedPair]) -> list[Compared]:
    """Every group that anybody has, once, in the order of the source; what is new in the target, then the flag, last.

    Two groups are the same if they have the same words and the same label. Annotations are of the same pair, each by
    another annotator.
    """
    having: dict[Group, list[AnnotatedPair]] = {}
    for pair in annotations:
        for group in dict.fromkeys(map(_plain, pair.groups)):
            having.setdefault(group, []).append(pair)
    found = [
        Compared(
            group,
            tuple(pair.annotator for pair in pairs),
            _difference(group, [pair for pair in annotations if pair not in pairs]),
        )
        for group, pairs in having.items()
    ]
    return sorted(found, key=lambda one: _place(one.group))


def _difference(group: Group, others: Sequence[AnnotatedPair]) -> Difference:
    """How those see it who lack the group. The flag is about the pair, not about the words it stands on."""
    if not others:
        return "none"
    if group.label != ERROR:
        theirs = [other for pair in others for other in pair.operations]
        if any((other.source, other.target) == (group.source, group.target) for other in theirs):
            return "label"
        if any(set(group.positions(side)) & set(other.positions(side)) for other in theirs for side in SIDES):
            return "boundaries"
    return "some"


def _plain(group: Group) -> Group:
    """Without the confidence of a tagger."""
    return Group(group.source, group.target, group.label)


def _place(group: Group) -> tuple[bool, bool, tuple[int, ...], tuple[int, ...], str]:
    return group.label == ERROR, not group.source, group.source, group.target, group.label
