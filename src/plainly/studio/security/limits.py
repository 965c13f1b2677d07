"""How often something may be done, and how many may wait for it: nobody takes all of it for himself."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager

from plainly.studio.errors import TooMany

KEYS = 50_000
"""As many are remembered; the ones not seen for longest go first, so that a flood of names fills no memory."""


class Limit:
    """At most `amount` at once; one more each `seconds / amount`."""

    def __init__(self, amount: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._amount = float(amount)
        self._rate = amount / seconds
        self._clock = clock  # never the time of day: that may be set back
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: Hashable, tries: int = 1) -> None:
        """So many tries of this key; raises TooMany if it has fewer left. A full bucket is enough for any number."""
        wanted = min(float(tries), self._amount)
        with self._lock:
            left = self._filled(key)
            if left < wanted:
                raise self._refusal(wanted - left)
            self._keep(key, left - wanted)

    def check(self, key: Hashable) -> None:
        """Raises TooMany if this key has no try left, and takes none."""
        with self._lock:
            left = self._filled(key)
        if left < 1:
            raise self._refusal(1 - left)

    def spent(self, key: Hashable) -> bool:
        """Whether this key has no try left."""
        with self._lock:
            return self._filled(key) < 1

    def partly_spent(self) -> dict[Hashable, float]:
        """What each key has left that has not all."""
        with self._lock:
            found = {key: self._filled(key) for key in self._left}
        return {key: left for key, left in found.items() if left < self._amount}

    def put_back(self, key: Hashable, left: float) -> None:
        """This key has so much left, and more as time passes from now."""
        with self._lock:
            self._keep(key, min(max(left, 0.0), self._amount))

    def forgive(self, key: Hashable) -> None:
        """All tries of this key again."""
        with self._lock:
            self._left.pop(key, None)

    def _refusal(self, lacking: float) -> TooMany:
        wait = max(1, math.ceil(lacking / self._rate))
        return TooMany(f"too many requests; try again in {wait} s", wait)

    def _filled(self, key: Hashable) -> float:
        left, at = self._left.get(key, (self._amount, 0.0))
        return min(self._amount, left + (self._clock() - at) * self._rate)

    def _keep(self, key: Hashable, left: float) -> None:
        self._left[key] = (left, self._clock())
        self._left.move_to_end(key)
        if len(self._left) > KEYS:
            self._left.popitem(last=False)


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
