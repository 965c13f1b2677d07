"""Judgements: which of two texts wins, as raters said. What winning means (harder or easier) is always explicit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import Place, PlainlyError, UnknownName
from plainly.corpus.readers.files import shown

Direction = str
"""What winning a comparison means: the text is `harder`, `easier`, `more X` or `less X`, where X is any quality."""
OPPOSITES = {"harder": "easier", "easier": "harder", "more": "less", "less": "more"}
ENDS = {"harder": ("easiest", "hardest"), "easier": ("hardest", "easiest")}
LONGEST_QUALITY = 60
TieRule = Literal["first", "random", "drop", "half"]

MAJORITY = "majority"


@dataclass(frozen=True)
class Judgement:
    """One decision of one rater: `winner` is one of the two texts, or None for a tie."""

    first: str
    """The text that was shown first, or on the left."""
    second: str
    winner: str | None
    rater: str = ""
    time: str = ""
    """When, as ISO 8601 with a time zone; empty if it is not known."""
    seconds: float | None = None
    """How long the decision took."""
    row: int = 0
    """Where it stood in its file, for messages."""
    match: str = ""
    """Which match it belongs to, where the same pair is judged more than once."""
    groups: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Whatever else is known: level of the rater, domain, ..."""
    file: str = ""
    """The file it comes from, for messages."""

    @property
    def pair(self) -> tuple[str, str]:
        """The two texts, whichever was shown first."""
        return (self.first, self.second) if self.first <= self.second else (self.second, self.first)

    @property
    def place(self) -> str:
        """Where to look for it."""
        return f"{self.file}:{self.row}" if self.file else f"judgement {self.row}"


@dataclass(frozen=True)
class Judgements:
    """Judgements in the order in which they were given, of texts in a fixed order."""

    texts: tuple[str, ...]
    items: tuple[Judgement, ...]
    direction: Direction

    def __post_init__(self) -> None:
        check_direction(self.direction, "what winning means")
        if not self.items:
            raise PlainlyError("there are no judgements")
        if len(set(self.texts)) < len(self.texts):
            twice = next(text for text, count in Counter(self.texts).items() if count > 1)
            raise PlainlyError(f"text {shown(twice)} is there twice in the list of texts")
        known = set(self.texts)
        for number, item in enumerate(self.items, 1):
            check(item if item.row else replace(item, row=number), known)

    @classmethod
    def of(cls, items: Iterable[Judgement], direction: Direction, texts: Sequence[str] | None = None) -> Judgements:
        """Judgements of the given texts, or of those that appear, in order of appearance."""
        found = tuple(items)
        if texts is None:
            texts = list(dict.fromkeys(text for item in found for text in (item.first, item.second)))
        return cls(tuple(texts), found, direction)

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The place of each text."""
        return {text: place for place, text in enumerate(self.texts)}

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """Places of the texts shown first."""
        return np.array([self.index[item.first] for item in self.items], dtype=np.int64)

    @cached_property
    def second(self) -> NDArray[np.int64]:
        """Places of the texts shown second."""
        return np.array([self.index[item.second] for item in self.items], dtype=np.int64)

    @cached_property
    def outcome(self) -> NDArray[np.float64]:
        """1 where the first text wins, 0 where the second does, 0.5 for a tie."""
        return np.array([_outcome(item, item.first) for item in self.items], dtype=np.float64)

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """Names in order of appearance; an unknown rater has an empty name."""
        return tuple(dict.fromkeys(item.rater for item in self.items))

    @cached_property
    def rater(self) -> NDArray[np.int64]:
        """The place of the rater of each judgement."""
        places = {name: place for place, name in enumerate(self.raters)}
        return np.array([places[item.rater] for item in self.items], dtype=np.int64)

    @cached_property
    def matches(self) -> tuple[tuple[str, str, str], ...]:
        """The match of each judgement: its pair and a label.

        The label is that of the file. Without one, the first judgement of a pair by a rater belongs to the first
        match of this pair, the second one to the second, and so on.
        """
        seen: Counter[tuple[str, tuple[str, str]]] = Counter()
        found = []
        for item in self.items:
            key = (item.rater, item.pair)
            found.append((*item.pair, item.match or f"#{seen[key]}"))
            seen[key] += 1
        return tuple(found)

    @cached_property
    def ties(self) -> int:
        """How many judgements are ties."""
        return sum(item.winner is None for item in self.items)

    def select(self, chosen: Iterable[int]) -> Judgements:
        """Only these judgements, of the same texts."""
        return Judgements(self.texts, tuple(self.items[i] for i in chosen), self.direction)

    def by(self, rater: str) -> Judgements:
        """The judgements of one rater, of the same texts."""
        if rater not in self.raters:
            raise UnknownName("rater", rater, self.raters)
        return self.select(i for i, item in enumerate(self.items) if item.rater == rater)

    def turned(self, direction: Direction) -> Judgements:
        """The same judgements where winning means what `direction` says."""
        if not opposed(self.direction, direction):
            return self
        return Judgements(self.texts, tuple(map(flipped, self.items)), direction)


def quality(direction: Direction) -> str:
    """What texts have more or less of, in `more X` and `less X`; empty for `harder` and `easier`."""
    return direction.partition(" ")[2]


def check_direction(direction: Any, what: str, place: Place | None = None) -> Direction:
    """The direction, unless it is none; a word that is not known may be a slip."""
    word, _, of = str(direction).partition(" ")
    right = direction in ("harder", "easier") or (
        word in ("more", "less") and of == of.strip() and 0 < len(of) <= LONGEST_QUALITY
    )
    if not right or not of.isprintable() or "|" in of:
        raise PlainlyError(
            f"{what} must be harder, easier, or more or less of something, as 'more formal', not "
            f"{shown(str(direction))}",
            place=place,
        )
    return str(direction)


def opposed(direction: Direction, other: Direction, place: Place | None = None) -> bool:
    """Whether one is the opposite of the other; where they are about different things, neither tells of the other."""
    if direction == other:
        return False
    word, space, of = direction.partition(" ")
    if other == f"{OPPOSITES.get(word)}{space}{of}":
        return True
    raise PlainlyError(
        f"which text is {direction} does not tell which one is {other}: these are different questions", place=place
    )


def ends(direction: Direction) -> tuple[str, str]:
    """Which texts have the lowest and the highest ranks, by what winning means."""
    if of := quality(direction):
        low, high = f"least {of}", f"most {of}"
        return (low, high) if direction.startswith("more") else (high, low)
    return ENDS[direction]


def check(item: Judgement, texts: set[str] | None = None) -> None:
    """Refuse a judgement that cannot be, and say where it stands."""
    if item.first == item.second:
        raise PlainlyError(f"{item.place}: text {shown(item.first)} is compared with itself")
    for text in (item.first, item.second):
        if not text.strip():
            raise PlainlyError(f"{item.place}: a text without an id")
        if texts is not None and text not in texts:
            raise PlainlyError(f"{item.place}: text {shown(text)} is not among the texts")
    if item.winner is not None and item.winner not in (item.first, item.second):
        raise PlainlyError(
            f"{item.place}: the winner {shown(item.winner)} is neither {shown(item.first)} nor {shown(item.second)}"
        )
    if item.seconds is not None and not 0 <= item.seconds < float("inf"):
        raise PlainlyError(f"{item.place}: seconds must be a number from 0 on, not {item.seconds}")


def flipped(item: Judgement) -> Judgement:
    """The same decision where winning means the opposite."""
    if item.winner is None:
        return item
    return replace(item, winner=item.second if item.winner == item.first else item.first)


def merged(parts: Sequence[Judgements], texts: Sequence[str] | None = None) -> Judgements:
    """Several sets of judgements as one, in order; winning means what it means in the first."""
    if not parts:
        raise PlainlyError("there are no judgements")
    direction = parts[0].direction
    items = [item for part in parts for item in part.turned(direction).items]
    if texts is None:
        texts = list(dict.fromkeys(text for part in parts for text in part.texts))
    return Judgements.of(items, direction, texts)


@dataclass(frozen=True)
class Contest:
    """The votes on one pair, over all its matches, whichever text was shown first."""

    first: str
    second: str
    for_first: int
    for_second: int
    ties: int

    @property
    def votes(self) -> int:
        return self.for_first + self.for_second + self.ties

    @property
    def balance(self) -> float:
        """From 0, where all agree, to 1, where both texts have as many votes; a tie is half a vote for each."""
        return 1 - abs(self.for_first - self.for_second) / self.votes


def contested(judgements: Judgements, most: int | None = None, least_votes: int = 2) -> Sequence[Contest]:
    """Pairs with so many votes at least on which raters differ, the most even first, then those with most votes."""
    found = [one for one in contests(judgements) if one.votes >= least_votes and one.balance > 0]
    found.sort(key=lambda contest: (-contest.balance, -contest.votes))
    return found[:most]


def contests(judgements: Judgements) -> list[Contest]:
    """The votes on every pair, in the order of appearance."""
    votes: dict[tuple[str, str], list[int]] = {}
    for item in judgements.items:
        first, second = item.pair
        counted = votes.setdefault((first, second), [0, 0, 0])
        counted[2 if item.winner is None else 0 if item.winner == first else 1] += 1
    return [Contest(*pair, *counted) for pair, counted in votes.items()]


def _first_choice(items: Sequence[Judgement], draw: np.random.Generator) -> str | None:
    return next((item.winner for item in items if item.winner is not None), None)


def _by_chance(items: Sequence[Judgement], draw: np.random.Generator) -> str | None:
    return (items[0].first, items[0].second)[int(draw.integers(2))]


_TIED: dict[TieRule, Callable[[Sequence[Judgement], np.random.Generator], str | None]] = {
    "first": _first_choice,
    "random": _by_chance,
    "half": lambda items, draw: None,
}
"""Who wins a match with as many votes for both texts."""


def majority(judgements: Judgements, ties: TieRule | None = None, seed: int = 12345) -> Judgements:
    """One judgement a match: what most raters said. A match with as many votes for both texts is a tie.

    Ties go to the first rater who voted (`first`), to one of the texts by chance (`random`), are left out (`drop`)
    or stay ties (`half`). There is no default: without a rule, a tie is an error.
    """
    if ties is not None and ties not in get_args(TieRule):
        raise UnknownName("rule for ties", ties, get_args(TieRule))
    votes: dict[tuple[str, str, str], list[Judgement]] = {}
    for match, item in zip(judgements.matches, judgements.items, strict=True):
        votes.setdefault(match, []).append(item)
    draw = np.random.default_rng(seed)
    decided = []
    for items in votes.values():
        head = items[0]
        surplus = sum(_outcome(item, head.first) - 0.5 for item in items)
        if surplus:
            winner: str | None = head.first if surplus > 0 else head.second
        elif ties is None:
            raise PlainlyError(
                f"{head.place}: as many votes for {shown(head.first)} as for {shown(head.second)}; "
                f"say what to do with ties: {', '.join(get_args(TieRule))}"
            )
        elif ties == "drop":
            continue
        else:
            winner = _TIED[ties](items, draw)
        decided.append(replace(head, winner=winner, rater=MAJORITY, time="", seconds=None, groups={}))
    if not decided:
        raise PlainlyError("every match is a tie; nothing is left after dropping ties")
    return Judgements(judgements.texts, tuple(decided), judgements.direction)


def _outcome(item: Judgement, text: str) -> float:
    """What the text gets: 1 if it wins, 0 if it loses, 0.5 in a tie."""
    return 0.5 if item.winner is None else float(item.winner == text)
