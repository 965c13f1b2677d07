"""What plainly says when the input is at fault: one sentence for a person, never a traceback.

Every error here is a `PlainlyError`; the command line prints its message on one line and exits with status 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PlainlyError(ValueError):
    """Something the user can mend; the message says what is wrong, where, and what to do."""


class UnknownName(PlainlyError):
    """A name that is not in a list, with the nearest name that is."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5) if len(name) > 2 else []
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class MissingResource(PlainlyError):
    """An optional package or its data is not on this machine; the message names the command that mends it."""
