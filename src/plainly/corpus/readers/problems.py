"""What is wrong in a file, all at once: who mends a file should not have to send it twenty times."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from plainly.base.errors import PlainlyError

MOST = 20


class Problems:
    """Errors that were found so far. Rows after a wrong one are still read, so that theirs are found, too."""

    def __init__(self) -> None:
        self._found: list[PlainlyError] = []
        self._more = 0

    @contextmanager
    def caught(self) -> Iterator[None]:
        """What goes wrong within is kept."""
        try:
            yield
        except PlainlyError as error:
            if len(self._found) < MOST:
                self._found.append(error)
            else:
                self._more += 1

    def refuse(self) -> None:
        """Raises PlainlyError with the first ones, on one line, if there are any."""
        if not self._found:
            return
        if len(self._found) == 1:
            raise self._found[0]
        said = [error.located for error in self._found]
        remedies = tuple(dict.fromkeys(remedy for error in self._found for remedy in error.remedies))
        raise PlainlyError("; ".join(said) + (f"; and {self._more} more" if self._more else ""), remedy=remedies)
