"""What signatures say of the references that segments have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple


class References(NamedTuple):
    """The fewest and the most references that a segment has, and whether some of them are empty texts."""

    fewest: int = 0
    most: int = 0
    empty: bool = False

    @classmethod
    def of(cls, groups: Iterable[Sequence[str]]) -> References:
        """Of the references of each segment."""
        groups = list(groups)
        counts = {*map(len, groups)}
        return cls(min(counts, default=0), max(counts, default=0), blanks(chain.from_iterable(groups)) > 0)

    @classmethod
    def widest(cls, several: Collection[References]) -> References:
        """Of all their segments together."""
        fewest, most, empty = zip(*(several or [cls()]), strict=True)
        return cls(min(fewest), max(most), any(empty))

    def __str__(self) -> str:
        """How signatures say how many there are: "10", or "1-10" where the numbers differ."""
        return str(self.fewest) if self.fewest == self.most else f"{self.fewest}-{self.most}"

    def to_json(self) -> list[Any]:
        """As files hold it: the two numbers, and that some are empty."""
        return [self.fewest, self.most, *([True] if self.empty else [])]


def widen(known: dict[str, References], more: Mapping[str, References]) -> None:
    """Add what further segments of systems have."""
    for system, found in more.items():
        known[system] = References.widest([known.get(system, found), found])


def is_blank(text: str) -> bool:
    """Nothing but white space."""
    return not text or text.isspace()


def blanks(texts: Iterable[str]) -> int:
    """How many of the texts are blank."""
    texts = list(texts)
    return texts.count("") + sum(map(str.isspace, texts))
