"""Which files `plainly comprehension` writes: their endings say what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from plainly.base.errors import PlainlyError


def is_page(output: str | None) -> bool:
    """Whether the name of the output says that it is an HTML page."""
    return (output or "").lower().endswith((".html", ".htm"))


def insist_ending(path: str | None, what: str, endings: Sequence[str]) -> None:
    """A name without an ending may hold anything; one with another ending says what is not true."""
    ending = PurePath(path or "").suffix.lower().removeprefix(".")
    if ending and ending not in endings:
        raise PlainlyError(f"{what} is written as {' or '.join(endings)}; for {path} choose such an ending")
