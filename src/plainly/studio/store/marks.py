"""What every row needs: a time, an id, and texts that any database can hold."""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timezone

from plainly.base.errors import PlainlyError

_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # nothing that looks like something else

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def now() -> str:
    """The time of this moment, ISO 8601 in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_between(earlier: str, later: str) -> float:
    """From one time to another; below 0 if the clock was set back."""
    first, second = (datetime.fromisoformat(time.replace("Z", "+00:00")) for time in (earlier, later))
    return (second - first).total_seconds()


def is_time(text: str) -> bool:
    """Whether a text is a time as `now` writes it."""
    try:
        return bool(_TIME.fullmatch(text)) and seconds_between(text, text) == 0
    except ValueError:
        return False


def new_id() -> str:
    """An id for an address: short, and never the same twice."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


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
