"""What the studio refuses, and with which status of HTTP. The message is one line for a person.

A plain PlainlyError is bad input: 422.
"""

from __future__ import annotations

from typing import ClassVar

from plainly.base.errors import PlainlyError


class Refusal(PlainlyError):
    """A request that is understood, and refused."""

    status: ClassVar[int] = 422
    title: str = ""
    """A headline, for a page that shows nothing but this refusal."""
    lang: str = ""
    """Of headline and message, where it is not for the reader to choose."""


class NotLoggedIn(Refusal):
    """Nobody is logged in, or not any more."""

    status = 401


class NotAllowed(Refusal):
    """The one who asks may not do it."""

    status = 403


class NotThere(Refusal):
    """There is no such thing, or none that the one who asks may know of."""

    status = 404


class Conflict(Refusal):
    """Not in this state: somebody else was quicker, or the campaign is closed."""

    status = 409


class TooLarge(Refusal):
    """More than is taken at once."""

    status = 413


class Misdirected(Refusal):
    """The request came to a name that is not this studio's."""

    status = 421


class TooMany(Refusal):
    """Too many requests; `seconds` says when to try again."""

    status = 429

    def __init__(self, message: str, seconds: int = 1) -> None:
        super().__init__(message)
        self.seconds = seconds


class Unavailable(Refusal):
    """The database does not answer. Nothing was stored; the same request may be sent again."""

    status = 503
