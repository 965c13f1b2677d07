"""Passwords that were wrong: how many from where. They are kept in the database, so that a restart forgives nobody.

Other limits are full again within a minute. So they begin anew with the studio: a restart takes almost as long.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from asyncio import sleep
from contextlib import suppress

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from plainly.base.errors import PlainlyError
from plainly.studio.errors import TooMany
from plainly.studio.security.limits import Limit
from plainly.studio.security.secrets import fingerprint
from plainly.studio.store import guesses
from plainly.studio.store.database import Database
from plainly.studio.store.guesses import Left

log = logging.getLogger("plainly.studio")
SLOW = 2.0
"""Seconds."""
EVERY = 5.0
"""Seconds between two trips to the database; what failed since the last one is forgotten in a crash."""
MOST = 1000
"""Of each limit, the most spent ones are kept: a flood from many addresses must not keep the database busy."""


class Guesses:
    """Logins that failed in a quarter of an hour. Right ones are free."""

    def __init__(self) -> None:
        self.by_both = Limit(20, 900)
        """Of a name from one address."""
        self.by_address = Limit(60, 900)
        self.by_name = Limit(20, 900)
        """From wherever. Strangers must not lock its owner out: with too many, each login takes longer."""
        self._kept: dict[tuple[str, str], float] = {}
        self._turn = threading.Lock()

    @property
    def _limits(self) -> dict[str, Limit]:
        return {"both": self.by_both, "address": self.by_address, "name": self.by_name}

    def load(self, database: Database) -> None:
        """What an earlier run of the studio knew. The time between does not count: a clock may be set back."""
        with database.reading() as session:
            rows = guesses.kept(session)
        for row in rows:
            if row.kind in self._limits:
                self._limits[row.kind].put_back(row.key, row.remaining)
        self._kept = {(row.kind, row.key): row.remaining for row in rows}

    def keep(self, database: Database) -> None:
        """Write down what is new, and drop what is over."""
        with self._turn:
            spent = [
                Left(kind, str(key), left)
                for kind, limit in self._limits.items()
                for key, left in sorted(limit.partly_spent().items(), key=lambda one: one[1])[:MOST]
            ]
            now = {(one.kind, one.key): one.remaining for one in spent}
            # Buckets fill up by themselves; only one with less in it than was written down has news.
            if now.keys() == self._kept.keys() and all(left >= self._kept[key] for key, left in now.items()):
                return
            with database.writing() as session:
                guesses.replace(session, spent)
            self._kept = now

    async def keep_on(self, database: Database) -> None:
        """Again and again, until it is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.kept(database)

    async def kept(self, database: Database) -> None:
        """`keep`, beside the requests; a database that is away is asked again the next time."""
        try:
            await run_in_threadpool(self.keep, database)
        except PlainlyError as error:
            log.error("failed logins could not be kept: %s", error)


class Guess:
    """One login: refused before the password is looked at, where too many have failed."""

    def __init__(self, request: Request, limited: bool, name: str) -> None:
        self._limited = limited
        self._all: Guesses = request.app.state.guesses
        self._address = _address(request)
        self._name = fingerprint(name.casefold())
        self._both = fingerprint(f"{self._address} {self._name}")
        if limited:
            self._all.by_both.check(self._both)
            self._all.by_address.check(self._address)

    async def slowed_down(self) -> None:
        """Waits, where too many guess the password of this name from many places."""
        if self._limited and self._all.by_name.spent(self._name):
            await sleep(SLOW)

    def failed(self) -> None:
        if self._limited:
            with suppress(TooMany):
                self._all.by_name.take(self._name)
            self._all.by_address.take(self._address)
            self._all.by_both.take(self._both)

    def succeeded(self) -> None:
        self._all.by_both.forgive(self._both)


def check_address(request: Request) -> None:
    """Raises TooMany for an address from which too many logins failed; nothing of the request is read."""
    known: Guesses = request.app.state.guesses
    known.by_address.check(_address(request))


def _address(request: Request) -> str:
    """Its fingerprint: the address itself is not kept."""
    return fingerprint(request.client.host if request.client else "")
