"""A desk for all that takes long: studies, reports, exports, charts, files that are read.

It has a thread of its own, so that the others are free for participants. A few may wait at it; whoever comes when too
many do is told to come again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial
from typing import Annotated, Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Request

from plainly.studio.errors import Unavailable

THREADS = 1
"""All computing shares Python's lock with the participants: one that computes leaves them half of it."""
WAITING = 24
OF_ONE = 8
"""As many may be here, and as many of one user. A browser asks for six things at once."""
PATIENCE = 30.0
"""Seconds that one waits for a turn."""
BUSY = "the studio is computing other results now; try again soon"

T = TypeVar("T")


class Desk:
    """Does one thing after the other."""

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(THREADS)
        self._threads = CapacityLimiter(THREADS)
        self._here: Counter[Hashable] = Counter()

    async def do(self, who: Hashable, work: Callable[..., T], *given: Any) -> T:
        """What `work` returns, when it was its turn; Unavailable, where too many others wait, or for too long."""
        if self._here.total() >= WAITING or self._here[who] >= OF_ONE:
            raise Unavailable(BUSY)
        self._here[who] += 1
        try:
            try:
                await asyncio.wait_for(self._turn.acquire(), PATIENCE)
            except asyncio.TimeoutError:
                raise Unavailable(BUSY) from None
            try:
                return await to_thread.run_sync(partial(work, *given), limiter=self._threads)
            finally:
                self._turn.release()
        finally:
            self._here[who] -= 1
            if not self._here[who]:
                del self._here[who]


async def _desk(request: Request) -> Desk:
    found: Desk = request.app.state.desk
    return found


TheDesk = Annotated[Desk, Depends(_desk)]
