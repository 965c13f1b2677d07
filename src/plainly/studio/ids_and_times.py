"""What rows of the database are known by: ids for addresses, and times."""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timedelta, timezone

_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # nothing that looks like something else

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def now(later: timedelta = timedelta()) -> str:
    """The time of this moment, ISO 8601 in UTC."""
    return _written(datetime.now(timezone.utc) + later)


def later(time: str, by: timedelta) -> str:
    """That time and so much more; times that are written like this sort as they follow each other."""
    return _written(_read(time) + by)


def seconds_between(earlier: str, later: str) -> float:
    """From one time to another; below 0 if the clock was set back."""
    return (_read(later) - _read(earlier)).total_seconds()


def is_time(text: str) -> bool:
    """Whether a text is a time as `now` writes it."""
    try:
        return bool(_TIME.fullmatch(text)) and seconds_between(text, text) == 0
    except ValueError:
        return False


def new_id() -> str:
    """An id for an address: short, and never the same twice."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


def _written(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _read(time: str) -> datetime:
    return datetime.fromisoformat(time.replace("Z", "+00:00"))
