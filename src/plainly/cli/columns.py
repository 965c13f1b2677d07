"""What columns of the user's files are called."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.base.errors import PlainlyError


def named_columns(text: str | None, known: Sequence[str]) -> dict[str, str]:
    """What `--columns` says: name -> what the column is called in the files."""
    called = {}
    for part in text.split(",") if text else ():
        name, equals, column = part.strip().partition("=")
        if not equals or not column or name not in known:
            raise PlainlyError(f"--columns needs NAME=COLUMN with one of {', '.join(known)}, not {part!r}")
        called[name] = column
    return called
