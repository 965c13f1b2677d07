"""How wide a table is in print, and in which size it fits a column of a paper.

Widths are those of Times, which papers of the field are set in, and sizes those of a class of 11 points; other fonts
and classes come close. The columns and pages are those of ACL, which are among the narrowest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

COLUMN, PAGE = 219.0, 455.0  # points

# Parts of the letters' height: the metrics of Times Roman, rounded up.
_WIDTHS = {
    **dict.fromkeys(".,| ", 0.25),
    **dict.fromkeys("ijlt/\\:;", 0.28),
    **dict.fromkeys("frI()[]-!'`", 0.34),
    **dict.fromkeys("sJ", 0.39),
    **dict.fromkeys("acez?", 0.45),
    **dict.fromkeys("bdghknopquvxy0123456789_*$#{}^↑↓", 0.5),
    **dict.fromkeys("FPS+=<>~", 0.57),
    **dict.fromkeys("ELTZ", 0.62),
    **dict.fromkeys("BCR", 0.67),
    **dict.fromkeys("ADGHKNOQUVXYw", 0.73),
    **dict.fromkeys("m&%", 0.84),
    **dict.fromkeys("MW@", 0.95),
}
_OTHERS = 0.73


@dataclass(frozen=True)
class Size:
    """A size by its name in LaTeX: points of letters, of numbers set high or low, and at the sides of a column."""

    name: str
    letters: float
    bounds: float
    """Those are of 7 or 6 points, in LaTeX's own font, which is wide when it is small: as wide as Times of these."""
    gap: float


USUAL_GAP = 6.0
SIZES = (
    Size("small", 10, 8.4, USUAL_GAP),
    Size("small", 10, 8.4, 3),
    Size("footnotesize", 9, 7.8, 3),
    Size("scriptsize", 8, 7.8, 2),
)


@dataclass(frozen=True)
class Printed:
    """What stands in a cell: a text, bounds one above the other beside it, marks; and whether it is the best."""

    text: str
    bounds: Sequence[str] = ()
    marks: str = ""
    best: bool = False

    def widths(self, size: Size) -> tuple[float, float]:
        """Points of the text, and of what stands beside it."""
        text, bounds, marks = self._parts
        return text * size.letters, bounds * size.bounds + marks * size.letters

    @cached_property
    def _parts(self) -> tuple[float, float, float]:
        """Widths of text, bounds and marks in parts of their letters' height; a little space stands before marks."""
        bounds = max(map(_number_width, self.bounds), default=0.0)
        return _number_width(self.text), bounds, width(self.marks) + 1 / 6 if self.marks else 0.0


def width(text: str) -> float:
    """In parts of the letters' height."""
    return sum(_WIDTHS.get(letter, _OTHERS) for letter in text)


def _number_width(text: str) -> float:
    """A minus is wider than a hyphen."""
    return width(text) + (0.5 if text.startswith("-") else 0.0)


def table_width(heads: Sequence[Sequence[str]], rows: Iterable[Sequence[Printed]], size: Size) -> float:
    """Points from the first letter of the table to the last. A head has one or more lines."""
    columns = list(zip(*([cell.widths(size) for cell in row] for row in rows), strict=True))
    total = 0.0
    for place, lines in enumerate(heads):
        cells = columns[place] if columns else ()
        inside = max((text for text, _ in cells), default=0.0) + max((beside for _, beside in cells), default=0.0)
        total += max(inside, size.letters * max(map(width, lines)))
    return total + 2 * size.gap * (len(heads) - 1)


@dataclass(frozen=True)
class Layout:
    """In which size a table is set, whether it needs both columns of a page, and whether even they are too narrow."""

    size: Size
    both_columns: bool = False
    too_wide: bool = False


def layout(heads: Sequence[Sequence[str]], rows: Sequence[Sequence[Printed]]) -> Layout:
    """The largest size in which the table fits a column; else both of them."""
    for room in (COLUMN, PAGE):
        for size in SIZES:
            if table_width(heads, rows, size) <= room:
                return Layout(size, room == PAGE)
    return Layout(SIZES[-1], True, True)


def lines_of(head: str, room: float) -> list[str]:
    """A head over a column of so many parts of the letters' height: its words in as few lines as fit above it."""
    words = re.split(r" (?![↑↓])", head)
    room = max(room, *map(width, words))
    lines = words[:1]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
