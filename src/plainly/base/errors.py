"""What plainly says when the input is at fault: one sentence for a person, never a traceback.

Every error here is a `PlainlyError`; the command line prints its message on one line and exits with status 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping


class PlainlyError(ValueError):
    """Something the user can mend; the message says what is wrong, where, and what to do."""

    def __reduce__(self) -> tuple[Callable[..., PlainlyError], tuple[object, ...], dict[str, object]]:
        return _same, (type(self), *self.args), self.__dict__  # made again in another process, of its message


def _same(kind: type[PlainlyError], *args: object) -> PlainlyError:
    error = kind.__new__(kind)
    error.args = args
    return error


class BadInput(PlainlyError):
    """Rows or files of the input that cannot be used, but that a run in parts may leave out."""

    def __init__(self, message: str, what: str = "rows") -> None:
        super().__init__(message)
        self.what = what


class UnknownName(PlainlyError):
    """A name that is not in a list, with the nearest name that is; `other` holds other words for known names."""

    def __init__(self, kind: str, name: str, known: Iterable[str], other: Mapping[str, str] | None = None) -> None:
        known = sorted(known)
        words = {**(other or {}), **{word: word for word in known}}
        sought = name.lower()
        guess = len(name) > 2 or sought in words  # of two letters, one wrong leaves too little to go by
        close = difflib.get_close_matches(sought, words, n=1, cutoff=0.5) if guess else []
        hint = f"did you mean {words[close[0]]!r}?" if close else f"known: {', '.join(known)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class MissingResource(PlainlyError):
    """An optional package or its data is not on this machine; the message names the command that mends it."""
