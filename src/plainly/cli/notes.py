"""What is said to the person at the terminal, apart from the results."""

from __future__ import annotations

import sys


def note(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr)
