"""One thing at a time for each key, and few that wait: nobody takes all threads by asking many times at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from plainly.studio.errors import TooMany


class _Turn:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.here = 0


class Turns:
    """Turns of keys; whoever waits for one needs no thread."""

    def __init__(self, waiting: int) -> None:
        self._waiting = waiting
        self._turns: dict[Hashable, _Turn] = {}

    @asynccontextmanager
    async def of(self, key: Hashable, *, refuse: bool = True) -> AsyncIterator[None]:
        """The turn of this key; TooMany, where too many wait for it already."""
        turn = self._turns.setdefault(key, _Turn())
        if refuse and turn.here > self._waiting:
            raise TooMany("too many requests at the same time; try again in 1 s", 1)
        turn.here += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.here -= 1
            if not turn.here:
                self._turns.pop(key, None)
