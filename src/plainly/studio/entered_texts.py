"""Texts that people enter, checked: any database can hold what passes."""

from __future__ import annotations

from plainly.base.errors import PlainlyError
from plainly.base.records import safe


def one_line(value: object, what: str, longest: int, *, empty: bool = False) -> str:
    """A text that fits on one line, such as a name; anything else is refused."""
    kept = any_text(value, what, longest).strip()
    if not kept and not empty:
        raise PlainlyError(f"{what} is empty")
    if not kept.isprintable():
        raise PlainlyError(f"{what} must be one line of text")
    return kept


def any_text(value: object, what: str, longest: int) -> str:
    """A text of any number of lines."""
    if not isinstance(value, str):
        raise PlainlyError(f"{what} must be a text")
    if len(value) > longest:
        raise PlainlyError(f"{what} may have {longest:,} characters at most")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise PlainlyError(f"{what} has half a character; was it cut in two?") from None
    if "\0" in value:
        raise PlainlyError(f"{what} has a NUL character")
    return value.replace("\r\n", "\n")


def looks_like_formula(text: str) -> bool:
    """Whether a spreadsheet might run it, or `safe` would have to change it. Plain numbers are harmless."""
    return safe(text) != text
