"""Passwords as argon2 keeps them: salted, slow to guess, never readable again."""

from __future__ import annotations

import threading
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from plainly.base.errors import PlainlyError

SHORTEST = 10
LONGEST = 500
"""Characters. Longer ones would only cost time."""
AT_ONCE = 2
"""Each check takes 64 MiB for a moment: a flood of logins must not take all memory."""

_hasher = PasswordHasher()
_turns = threading.BoundedSemaphore(AT_ONCE)


def hashed(password: str) -> str:
    """What is kept of a new password; one that is too short, too long or all alike is refused."""
    if len(password) < SHORTEST:
        raise PlainlyError(f"a password needs at least {SHORTEST} characters")
    if len(password) > LONGEST:
        raise PlainlyError(f"a password may have {LONGEST} characters at most")
    if len(set(password)) < 4:
        raise PlainlyError("this password is too easy to guess: it repeats the same few characters")
    with _turns:
        return _hasher.hash(_bytes(password))


def matches(kept: str | None, password: str) -> bool:
    """Whether it is the password. With nothing kept (no such user) it takes as long to say no."""
    with _turns:
        try:
            return _hasher.verify(kept or _nobody(), _bytes(password[: LONGEST + 1])) and kept is not None
        except (Argon2Error, InvalidHashError):
            return False


@cache
def _nobody() -> str:
    return _hasher.hash("nobody has this password")


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
