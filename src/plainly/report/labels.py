"""Names of systems beside a chart: long ones are shortened in the middle, so that they can still be told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, count, takewhile

CUT = "…"
SIZE = 12  # pixels of a letter's height
# Widths of letters in parts of their height, in DejaVu Sans: among the fonts of screens, a wide one.
_WIDTHS = {
    **dict.fromkeys("ijlI|'", 0.3),
    **dict.fromkeys(" .,:;!-()[]ft/\\r", 0.4),
    **dict.fromkeys("mwMW@%…", 0.97),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&", 0.74),
    **dict.fromkeys("+=<>~#", 0.84),
}
_USUAL, _FULL = 0.62, 1.0


def width(text: str) -> float:
    """Pixels that a label takes, about; rather too many than too few."""
    return SIZE * sum(_WIDTHS.get(letter, _FULL if _is_full(letter) else _USUAL) for letter in text)


def shortened(names: Sequence[str], room: float) -> dict[str, str]:
    """Labels for the names that take more than `room` pixels, each different from all other labels."""
    long = [name for name in dict.fromkeys(names) if width(name) > room]
    if not long:
        return {}
    short = set(names) - set(long)
    return next(
        labels
        for labels in _candidates(long, room)
        if len(set(labels.values())) == len(labels) and short.isdisjoint(labels.values())
    )


def _candidates(names: Sequence[str], room: float) -> Iterator[dict[str, str]]:
    """Ways to shorten them all, the most readable first; numbers tell apart what nothing else does."""
    for part in (0.5, 0.35, 0.65, 0.2, 0.8):
        yield {name: _ends(name, room, part) for name in names}
    yield {name: _around(name, _differs_at(name, names), room) for name in names}
    for start in count(1):
        yield {name: f"{_ends(name, room - width(f' {n}'), 0.5)} {n}" for n, name in enumerate(names, start)}


def _ends(name: str, room: float, part: float) -> str:
    """The head of the name in this part of the room, and its tail in the rest."""
    left = room - width(CUT)
    head = _fitting(name, left * part)
    return head + CUT + _fitting(name[::-1], left - width(head))[::-1]


def _around(name: str, place: int, room: float) -> str:
    """A few letters of the head, and what stands around a place further on."""
    head = _fitting(name, room / 5)
    return head + CUT + _fitting(name[max(0, place - 2) :], room - width(head) - 2 * width(CUT)) + CUT


def _differs_at(name: str, names: Sequence[str]) -> int:
    """Where the name is no longer that of any other one."""
    return max((_common(name, other) for other in names if other != name), default=0)


def _common(one: str, other: str) -> int:
    """How many letters they have in common from the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _fitting(text: str, room: float) -> str:
    """As much of the text as fits."""
    return text[: sum(1 for end in accumulate(map(width, text)) if end <= room)]


def _is_full(letter: str) -> bool:
    """Whether a letter is as wide as it is high, as Chinese ones are."""
    return unicodedata.east_asian_width(letter) in "WF"
