"""What is said to the person at the terminal, apart from the results."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from plainly.base.messages import Note

BAR = 30  # characters
ADVICE = {"corpus.blank-references": "; where a line means that there is none, say --empty-reference missing"}


def note(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr)


def tell(notes: Iterable[Note], quiet: bool) -> None:
    """What the numbers alone do not say, each on a line, with the option that helps where there is one."""
    for one in () if quiet else dict.fromkeys(notes):
        note(f"{one.kind}: {one.message}{ADVICE.get(one.message.key, '')}")


class ProgressLine:
    """One line on the terminal that says how far the work is; nothing where there is no terminal."""

    def __init__(self, quiet: bool) -> None:
        self._on = not quiet and sys.stderr.isatty()
        self._width = 0

    def show(self, text: str) -> None:
        """Put the text in the place of the one before."""
        if self._on:
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def bar(self, done: int, all_: int) -> None:
        """How much is done, as a bar."""
        full = BAR * done // max(all_, 1)
        self.show(f"[{'#' * full}{'.' * (BAR - full)}] {done / max(all_, 1):.0%}")

    def end(self) -> None:
        """What is printed next begins on a line of its own."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0
