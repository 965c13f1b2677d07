"""What plainly says when the input is at fault: one sentence for a person, never a traceback.

Every error here is a `PlainlyError`. Where it is wrong and what mends it are data, since each face has its own words
for them: the command line names an option, Python an argument, the studio a field. `str` has the words of Python.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

Fault = TypeVar("Fault", bound="PlainlyError")


class Place(NamedTuple):
    """Where something is wrong: a file, a line of it, or some of its rows, counted from 1."""

    file: str
    line: int | None = None
    row: int | None = None
    last_row: int | None = None

    @property
    def number(self) -> int:
        """Of the line or the row."""
        return self.line or self.row or 0

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        if self.row is None:
            return self.file
        if self.last_row is None or self.last_row == self.row:
            return f"{self.file}: row {self.row}"
        return f"{self.file}: rows {self.row} to {self.last_row}"


class Argument(NamedTuple):
    """What is wrong was said by whoever asks: an argument by its name in Python, and its value where that helps."""

    name: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.value}".rstrip()


@dataclass(frozen=True)
class Remedy:
    """An argument that mends the fault: with this value, or with any (None)."""

    argument: str
    value: str | int | tuple[tuple[str, str], ...] | None = None  # pairs: a name and what stands for it
    effect: str = ""  # what it does then, in words that follow: "to go on"
    condition: str = ""  # when it is the right thing to say

    def __str__(self) -> str:
        value = dict(self.value) if isinstance(self.value, tuple) else self.value
        text = str(value) if isinstance(value, (bool, int)) else json.dumps(value, ensure_ascii=False)
        return f"{self.argument}={'...' if self.value is None else text}"


CLOSE = 0.62  # how alike two words are, from 0 to 1, of which one is taken for a slip of the other


class PlainlyError(ValueError):
    """Something the user can mend; the message says what is wrong, the rest where, and what to do."""

    def __init__(
        self,
        message: str = "",
        *,
        place: Place | Argument | None = None,
        remedy: Remedy | tuple[Remedy, ...] | None = None,
    ) -> None:
        super().__init__(message)
        self.place = place
        self.remedies = (remedy,) if isinstance(remedy, Remedy) else remedy or ()

    @property
    def message(self) -> str:
        """What is wrong, without the place and the remedy."""
        return str(self.args[0])

    @property
    def located(self) -> str:
        """What is wrong and where, without the remedy: for who says it of something larger."""
        return self.worded(str, lambda remedies: "")

    def __str__(self) -> str:
        return self.worded(str, lambda remedies: advice("pass", remedies, str))

    def worded(self, place: Callable[[Place | Argument], str], remedy: Callable[[Sequence[Remedy]], str]) -> str:
        """The whole sentence in the words of a face; it may have none for a remedy."""
        where = f"{place(self.place)}: " if self.place else ""
        cure = remedy(self.remedies) if self.remedies else ""
        return where + self.message + (f"; {cure}" if cure else "")

    def at(self: Fault, place: Place | Argument) -> Fault:
        """The error, which now has this place if it had none."""
        self.place = self.place or place
        return self

    def reworded(self: Fault, change: Callable[[str], str]) -> Fault:
        """The same error, with another text as its message and as the name of its file."""
        new = copy.copy(self)
        new.args = (change(self.message),)
        if isinstance(self.place, Place):
            new.place = self.place._replace(file=change(self.place.file))
        return new

    def __reduce__(self) -> tuple[Callable[..., PlainlyError], tuple[object, ...], dict[str, object]]:
        return _same, (type(self), *self.args), self.__dict__  # made again in another process, of its message


def advice(verb: str, remedies: Sequence[Remedy], named: Callable[[Remedy], str]) -> str:
    """Remedies in words: `pass lang="de"`. `named` is how a face writes an argument with its value."""
    ways = (named(one) + (f" {one.effect}" if one.effect else "") for one in remedies)
    condition = f"{remedies[0].condition}, " if remedies[0].condition else ""
    return f"{condition}{verb} {' or '.join(ways)}"


def _same(kind: type[PlainlyError], *args: object) -> PlainlyError:
    error = kind.__new__(kind)
    error.args = args
    return error


class BadInput(PlainlyError):
    """Rows or files of the input that cannot be used, but that a run in parts may leave out."""

    def __init__(
        self,
        message: str,
        what: str = "rows",
        *,
        place: Place | Argument | None = None,
        remedy: Remedy | tuple[Remedy, ...] | None = None,
    ) -> None:
        super().__init__(message, place=place, remedy=remedy)
        self.what = what

    @classmethod
    def of(cls, error: PlainlyError, what: str = "rows") -> BadInput:
        """What another error says."""
        return cls(error.message, what, place=error.place, remedy=error.remedies)


class NotComputable(PlainlyError):
    """A metric that was asked for by name, and why it cannot be had here."""

    def __init__(self, metric: str, why: str) -> None:
        super().__init__(f"{metric} cannot be computed: {why}")
        self.why = why


class UnknownName(PlainlyError):
    """A name that is not in a list, with the nearest name that is; `other` holds other words for known names."""

    def __init__(self, kind: str, name: str, known: Iterable[str], other: Mapping[str, str] | None = None) -> None:
        known = sorted(known, key=_counted)
        words = {**(other or {}), **{word.lower(): word for word in known}}
        sought = name.lower()
        near = nearest(sought, words)
        hint = f"did you mean {words[near]!r}?" if near else f"known: {', '.join(known) or 'none'}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


def _counted(word: str) -> list[tuple[int, str]]:
    """2 before 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", word)]


def nearest(sought: str, words: Iterable[str]) -> str | None:
    """The word that was probably meant: one with another part, the same with a slip, or one that begins so."""
    words = list(words)
    if sought in words:
        return sought
    bare = {word.lstrip("-"): word for word in words}
    start = sought.lstrip("-")
    if len(start) < 3:  # of two letters, one wrong leaves too little to go by
        return None
    longer = [word for word in bare if word.startswith(f"{start}-")]
    close = difflib.get_close_matches(start, bare, n=1, cutoff=CLOSE)
    begun = [word for word in bare if word.startswith(start)]
    found = [*longer, *close, *begun]
    return bare[found[0]] if found else None


class MissingResource(PlainlyError):
    """An optional package or its data is not on this machine; the message names the command that mends it."""
