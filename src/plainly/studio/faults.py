"""A fault in the words of the studio: lines and rows in the reader's language, and fields of forms that mend it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainly.base.errors import Argument, Place, PlainlyError, Remedy


def worded(error: PlainlyError, say: Callable[..., str]) -> str:
    """`x.txt, line 3: empty reference; choose what an empty line means`. What no field mends has no remedy here."""
    return error.worded(lambda place: _place(place, say), lambda remedies: _remedy(remedies, say))


def _place(place: Place | Argument, say: Callable[..., str]) -> str:
    if isinstance(place, Argument):
        return str(place)
    if place.line is not None:
        return say("place.line", file=place.file, line=place.line)
    if place.row is None:
        return place.file
    last = place.last_row or place.row
    return say("place.row" if last == place.row else "place.rows", file=place.file, row=place.row, last=last)


def _remedy(remedies: Sequence[Remedy], say: Callable[..., str]) -> str:
    keys = dict.fromkeys(f"remedy.{one.argument}" for one in remedies)
    return "; ".join(text for key in keys if (text := say(key)) != key)
