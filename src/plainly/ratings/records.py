"""Ratings of outputs on scales, and what cannot be right in them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message
from plainly.corpus.readers.files import shown

Role = Literal["output", "reference", "check"]
"""What was rated: a system's output; a text known to be good, which shows the ceiling; or an attention check."""
ROLES: tuple[Role, ...] = get_args(Role)
MOST = 1_000_000
"""No scale goes that far; of larger numbers the squares would lose their digits."""


@dataclass(frozen=True)
class Range:
    """Values from `low` to `high`, both included."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}..{self.high:g}"

    @classmethod
    def of(cls, text: str) -> Range:
        """From `4..5`, or `4` for 4 alone; raises ValueError for anything else.

        >>> Range.of("4..5").low
        4.0
        """
        low, dots, high = text.partition("..")
        made = cls(float(low), float(high if dots else low))
        if not -math.inf < made.low <= made.high < math.inf:
            raise ValueError(text)
        return made


@dataclass(frozen=True)
class Rating:
    """What one rater said of one output on one scale."""

    rater: str
    item: str
    """The source, or whatever the outputs of all systems have in common."""
    system: str
    scale: str
    value: float | None
    """None: the rater could not judge it."""
    seconds: float | None = None
    """How long the page was looked at on which it was given."""
    time: str = ""
    words: int | None = None
    """How many words there are to read on that page; None: not known."""
    page: str = ""
    """Ratings with the same page of the same rater were given together."""
    role: Role = "output"
    expected: Range | None = None
    """Of a check: what somebody who reads it must say; None: anything."""
    row: int = 0
    file: str = ""
    source: str = ""
    """The texts that were rated, where the file has them."""
    output: str = ""
    groups: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What else is known of the rater, by the columns that were asked for: the audience, say."""

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"{self.file}:{self.row}" if self.file else f"row {self.row}"

    @property
    def failed(self) -> bool:
        """Whether it is a check with the wrong answer. Not to judge it is no wrong answer."""
        return self.expected is not None and self.value is not None and self.value not in self.expected


@dataclass(frozen=True)
class Ratings:
    """Ratings that fit together; names in the order in which they appear."""

    entries: tuple[Rating, ...]
    notes: tuple[Message, ...] = ()
    """What their reader made of the files."""

    @property
    def judged(self) -> list[Rating]:
        """All that count: with a value, and no checks."""
        return [entry for entry in self.entries if entry.value is not None and entry.role != "check"]

    @property
    def raters(self) -> list[str]:
        return list(dict.fromkeys(entry.rater for entry in self.entries))

    @property
    def scales(self) -> list[str]:
        return list(dict.fromkeys(entry.scale for entry in self.entries if entry.role != "check"))

    @property
    def systems(self) -> dict[str, Role]:
        """Each with its role; checks are none."""
        return {entry.system: entry.role for entry in self.entries if entry.role != "check"}


def gathered(
    entries: Sequence[Rating], ranges: Mapping[str, Range] | None = None, notes: Sequence[Message] = ()
) -> Ratings:
    """Check ratings, one by one and against each other; `ranges` of scales by name, "" for all others."""
    seen: dict[tuple[str, str, str, str], Rating] = {}
    roles: dict[str, Rating] = {}
    for entry in entries:
        _check_alone(entry, ranges or {})
        key = (entry.rater, entry.item, entry.system, entry.scale)
        if key in seen:
            raise PlainlyError(
                f"{entry.place}: rater {shown(entry.rater)} rated {shown(entry.scale)} of this output before, "
                f"at {seen[key].place}"
            )
        seen[key] = entry
        first = roles.setdefault(entry.system, entry)
        if first.role != entry.role:
            raise PlainlyError(
                f"{entry.place}: {shown(entry.system)} has the role {entry.role}, but {first.role} at {first.place}"
            )
    return Ratings(tuple(entries), tuple(notes))


def _check_alone(entry: Rating, ranges: Mapping[str, Range]) -> None:
    for name in ("rater", "item", "system", "scale"):
        if not getattr(entry, name):
            raise PlainlyError(f"{entry.place}: {name} is empty")
    if entry.value is not None:
        if not abs(entry.value) <= MOST:
            raise PlainlyError(f"{entry.place}: value must be a number of at most {MOST:,}, not {entry.value:g}")
        within = ranges.get(entry.scale, ranges.get(""))
        if within is not None and entry.value not in within:
            raise PlainlyError(f"{entry.place}: {shown(entry.scale)} must be {within}, not {entry.value:g}")
    if entry.seconds is not None and not 0 <= entry.seconds < math.inf:
        raise PlainlyError(f"{entry.place}: seconds must be 0 or more, not {entry.seconds:g}")
    if entry.expected is not None and entry.role != "check":
        raise PlainlyError(f"{entry.place}: only a check has an expected value; its role is {entry.role}")
