"""`--columns`: what the columns of a table are called in the files."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.base.errors import PlainlyError


def named_columns(text: str | None, known: Sequence[str]) -> dict[str, str]:
    """Names and the columns that stand for them, from `NAME=COLUMN,...`. A name that is not known is a scale."""
    called = {}
    for part in text.split(",") if text else ():
        name, equals, column = part.strip().partition("=")
        if not equals or not column or not name:
            raise PlainlyError(f"--columns needs NAME=COLUMN with one of {', '.join(known)} or a scale, not {part!r}")
        called[name] = column
    return called
