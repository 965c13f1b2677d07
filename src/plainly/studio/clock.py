"""How long an answer can have taken, by the server's own clock.

The browser measures how long a task was to be seen. Nobody can check that. But all tasks of a participant together
cannot have taken longer than the server has known this participant: that time is what answers may claim, each part of
it once.

`spare` is what no answer has claimed so far. An answer may claim what is spare, what has passed since the last
response was stored, and an allowance for clocks that do not run alike. What it claims beyond that is not believed,
and the answer is marked as impossible.

Answers that wait in a browser without a network come late, and then all at once. The first of them finds all the time
since the network went; what it does not claim is spare for the others. So honest times are always possible: if each
answer comes with some delay, what is spare is never less than the delay of the last one.
"""

from __future__ import annotations

from dataclasses import dataclass

ALLOWANCE = 2.0
"""Seconds that may be claimed before the server saw them pass. They are lent: later answers pay them back."""
PUNCTUAL = 0.5
"""The same, of the least time before an answer."""


@dataclass(frozen=True)
class Before:
    """What is known when a response comes."""

    gap: float | None
    """Seconds since the last response of this participant was stored, or since the start; None: the clock was set
    back, or nobody noted it."""
    spare: float = 0.0
    claimed: float = 0.0
    """By the answer to the same task that stands: work that is saved again and again claims its time once."""
    believed: float = 0.0
    """Of that claim."""


@dataclass(frozen=True)
class Clocked:
    """What is kept of it."""

    believed: float | None
    """Seconds with this task in all; None where the browser gave none."""
    spare: float
    impossible: bool


def clocked(before: Before, seconds: float | None, least: float = 0.0) -> Clocked:
    """What is believed of the seconds that the browser claims for its task. At least `least` are spent.

    >>> clocked(Before(gap=5.0), 4.0)
    Clocked(believed=4.0, spare=1.0, impossible=False)
    >>> clocked(Before(gap=5.0), 1e9)
    Clocked(believed=7.0, spare=-2.0, impossible=True)
    """
    new = 0.0 if seconds is None else seconds - before.claimed if seconds >= before.claimed else seconds
    if before.gap is None:
        return Clocked(None if seconds is None else before.believed + new, before.spare, False)
    there = before.spare + before.gap
    claim = min(new, max(0.0, there + ALLOWANCE))
    believed = None if seconds is None else before.believed + claim
    spent = max(claim, min(least - before.believed, there + PUNCTUAL))
    return Clocked(believed, there - spent, new > claim)


def too_early(before: Before, least: float) -> bool:
    """Whether less than the least time has passed for this task: what is spare counts, as it may have waited."""
    return least > 0 and before.gap is not None and before.believed + before.spare + before.gap + PUNCTUAL < least
