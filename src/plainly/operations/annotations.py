"""What an annotation is: groups of source and target tokens, each with the label of one operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.operations.typology import ERROR, SIDES, Shape, Side, Typology, assetann


@dataclass(frozen=True)
class Group:
    """Tokens that one operation changed. Positions count from 0 and are sorted; one side may be empty."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    label: str
    confidence: float | None = None

    @property
    def shape(self) -> Shape:
        """Which sides hold tokens."""
        if self.source and self.target:
            return "both"
        return "source" if self.source else "target"

    def positions(self, side: Side) -> tuple[int, ...]:
        """The tokens on one side."""
        return self.source if side == "source" else self.target


@dataclass(frozen=True)
class AnnotatedPair:
    """A source and a simplification of it, as tokens, with what was done to get from one to the other."""

    id: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    groups: tuple[Group, ...]
    origin: str = ""
    annotator: str = ""

    @property
    def erroneous(self) -> bool:
        """Whether the whole pair is flagged as a faulty simplification."""
        return any(group.label == ERROR for group in self.groups)

    @property
    def operations(self) -> tuple[Group, ...]:
        """The groups that stand for operations: all but the flag."""
        return tuple(group for group in self.groups if group.label != ERROR)

    @property
    def labels(self) -> Counter[str]:
        """How many groups each label has; the flag is no operation and is left out."""
        return Counter(group.label for group in self.operations)

    def tokens(self, side: Side) -> tuple[str, ...]:
        """The tokens of one side."""
        return self.source if side == "source" else self.target

    def token_labels(self, side: Side) -> list[str]:
        """One label a token, "" where nothing changed. Of two groups that share a token, the last counts."""
        labels = [""] * len(self.tokens(side))
        for group in self.operations:
            for position in group.positions(side):
                labels[position] = group.label
        return labels


def check(pair: AnnotatedPair, typology: Typology | None = None, *, shared_tokens: bool = False) -> None:
    """Refuse a pair whose groups cannot be right; the message names the pair and the token.

    With `shared_tokens`, a token may be in two groups: the published ASSETann has four of them.
    """
    typology = typology or assetann()
    for group in pair.groups:
        _check_group(pair, group, typology)
    if not shared_tokens:
        for side, position in shared(pair):
            labels = [group.label for group in pair.operations if position in group.positions(side)]
            raise _fault(pair, f"{_token(pair, side, position)} is in two groups: {' and '.join(labels)}")


def shared(pair: AnnotatedPair) -> Iterator[tuple[Side, int]]:
    """Tokens that are in more than one group, each once; the flag is no group."""
    for side in SIDES:
        counts = Counter(position for group in pair.operations for position in group.positions(side))
        yield from ((side, position) for position, count in counts.items() if count > 1)


def repair(
    pairs: Iterable[AnnotatedPair], typology: Typology | None = None
) -> tuple[list[AnnotatedPair], Counter[str]]:
    """Labels on a side where they cannot stand become their counterparts, and how often each change was made.

    A deletion marked in the target is an insertion, and the other way round (Cardon et al. 2022, section 3.6). Where
    a group of such a label holds tokens of both sides, it is cut in two: each side gets the label that fits it.
    A label without a counterpart stays as it is.
    """
    typology = typology or assetann()
    counts: Counter[str] = Counter()
    repaired = [
        replace(pair, groups=tuple(new for group in pair.groups for new in _repaired(group, typology, counts)))
        for pair in pairs
    ]
    return repaired, counts


def _repaired(group: Group, typology: Typology, counts: Counter[str]) -> Iterator[Group]:
    label = typology.labels.get(group.label)
    if label is None or group.shape in label.shapes or not label.counterpart:
        yield group
        return
    other = label.counterpart
    if group.shape != "both":
        counts[f"{label.name} in the {group.shape} became {other}"] += 1
        yield replace(group, label=other)
        return
    counts[f"{label.name} on both sides became {label.name} and {other}"] += 1
    in_source, in_target = (label.name, other) if label.shapes == ("source",) else (other, label.name)
    yield replace(group, target=(), label=in_source)
    yield replace(group, source=(), label=in_target)


def _check_group(pair: AnnotatedPair, group: Group, typology: Typology) -> None:
    try:
        label = typology.get(shown(group.label))
    except PlainlyError as error:
        raise _fault(pair, str(error)) from None
    if not group.source and not group.target:
        raise _fault(pair, f"a group labelled {group.label} has no token")
    for side in SIDES:
        positions, size = group.positions(side), len(pair.tokens(side))
        for position in positions:
            if not 0 <= position < size:
                there = f"has {size} tokens, numbered from 0" if size else "has no tokens"
                raise _fault(
                    pair, f"{side} token {shown(str(position))} of {group.label} is out of range; the {side} {there}"
                )
        if list(positions) != sorted(set(positions)):
            raise _fault(
                pair,
                f"the {side} tokens of {group.label} must be sorted and different: {', '.join(map(str, positions))}",
            )
    if group.shape not in label.shapes:
        raise _fault(pair, _wrong_side(pair, group, label.shapes))


def _wrong_side(pair: AnnotatedPair, group: Group, shapes: tuple[Shape, ...]) -> str:
    side: Side = "target" if group.shape == "target" or shapes == ("source",) else "source"
    words = {"source": "in the source alone", "target": "in the target alone", "both": "on both sides"}
    there = f"{_token(pair, side, group.positions(side)[0])} has the label {group.label}"
    return f"{there}, {words[group.shape]}; it can only stand {' or '.join(words[shape] for shape in shapes)}"


def _token(pair: AnnotatedPair, side: Side, position: int) -> str:
    return f"{side} token {position} ({shown(pair.tokens(side)[position])})"


def _fault(pair: AnnotatedPair, complaint: str) -> PlainlyError:
    return PlainlyError(f"pair {shown(pair.id)}: {complaint}")
