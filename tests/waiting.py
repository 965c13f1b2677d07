"""Waiting for what happens, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

LONG = 300.0
"""Seconds after which something hangs, however busy the machine is."""
Found = TypeVar("Found")


def until(happened: Callable[[], Found], what: object = "it") -> Found:
    """What `happened` gives as soon as that is something."""
    end = time.monotonic() + LONG
    while not (found := happened()):
        assert time.monotonic() < end, f"{what} did not happen within {LONG:g} seconds"
        time.sleep(0.01)
    return found
