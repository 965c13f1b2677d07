"""One question over the network: sent, sent again while the server is busy or broken, and read with care.

A reply comes from outside: it may be huge, slow, cut or nonsense. None of that may do more than fail.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from plainly.base.errors import MissingResource, PlainlyError
from plainly.judges.endpoint import Endpoint

if TYPE_CHECKING:
    import httpx2

LARGEST = 1 << 20  # bytes of a reply
BUSY = frozenset({408, 409, 425, 429})  # and all from 500 on: worth another try
HOPELESS = frozenset({401, 402, 403, 404, 405, 410})  # the next question would fare no better
MOST_TOKENS = 10**9


@dataclass(frozen=True)
class Patience:
    """How long to wait for a server, and how often to try."""

    tries: int = 6
    seconds: float = 120.0
    """For a whole reply, from the first byte sent to the last one read."""
    first_wait: float = 0.5
    """Before the second try; it doubles with every try, and a random part of it is waited."""
    longest_wait: float = 60.0
    longest_pause: float = 600.0
    """The longest that a server may ask us to wait (Retry-After)."""

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise PlainlyError(f"a judge is asked at least once, not {self.tries} times")
        if not 0 < self.seconds <= 86_400:
            raise PlainlyError(
                f"the time for a reply must be above 0 and at most a day, not {self.seconds:g} seconds"
            )


@dataclass(frozen=True)
class Clock:
    """How time passes: that of the machine, unless somebody has another."""

    now: Callable[[], float] = time.monotonic
    today: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    wait_for: Callable[[Any, float], Awaitable[Any]] = asyncio.wait_for


class NoReply(Exception):
    """A question to which there is no reply; others may have one."""


class JudgeUnavailable(PlainlyError):
    """No question can be answered."""


class TryAgain(Exception):
    """Something that may pass. `wait` are the seconds that the server asks for.

    `paid` says whether the server may charge for it: it had the question, and no error of its own came back.
    """

    def __init__(self, why: str, *, paid: bool, wait: float | None = None) -> None:
        super().__init__(why)
        self.paid, self.wait = paid, wait


class Unreadable(TryAgain):
    """A reply that is not of the protocol; it is kept all the same."""

    def __init__(self, why: str, raw: str) -> None:
        super().__init__(why, paid=True)
        self.raw = raw


@dataclass(frozen=True)
class Reply:
    """What a server sent, as it is, and what we found in it."""

    raw: str
    text: str
    read: int | None
    """Tokens of the question, as the server counts them; None where it does not say."""
    written: int | None
    seconds: float


class Client:
    """A connection to an endpoint, for as many questions at a time as its user sends."""

    def __init__(self, endpoint: Endpoint, patience: Patience, connections: int, clock: Clock | None = None) -> None:
        try:
            import httpx2
        except ImportError:
            raise MissingResource("judges need httpx2: pip install 'plainly[judges]'") from None
        self._endpoint, self._patience, self._clock = endpoint, patience, clock or Clock()
        self._key = endpoint.key
        self._not_before = 0.0  # when a server asks one of us to wait, all wait
        self._http = httpx2.AsyncClient(
            headers={"Accept": "application/json", "Accept-Encoding": "identity", **self._key.headers()},
            timeout=httpx2.Timeout(patience.seconds, connect=min(patience.seconds, 30.0), pool=None),
            limits=httpx2.Limits(max_connections=connections),
            follow_redirects=False,  # a key goes to the server that the user named, and to no other
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    def clean(self, text: str) -> str:
        """Text of a server, fit to be kept: without the key."""
        return self._key.redact(text)

    async def once(self, body: dict[str, Any]) -> Reply:
        """Send a question one time. `NoReply`, `TryAgain` and `JudgeUnavailable` say what went wrong."""
        import httpx2

        while (wait := self._not_before - self._clock.now()) > 0:  # it may grow while we wait
            await self._clock.sleep(wait)
        start = self._clock.now()
        try:
            status, headers, content = await self._clock.wait_for(self._post(body), self._patience.seconds)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise TryAgain(f"the connection failed: {self._said(str(error))}", paid=False) from None
        except (asyncio.TimeoutError, httpx2.TimeoutException):
            raise TryAgain(f"no reply within {self._patience.seconds:g} seconds", paid=True) from None
        except (httpx2.TransportError, httpx2.StreamError, OSError) as error:
            why = self._said(str(error) or type(error).__name__)
            raise TryAgain(f"the connection was cut: {why}", paid=True) from None
        text = self.clean(content.decode("utf-8", "replace"))
        if status == 200:
            return read_reply(text, self._clock.now() - start)
        why = f"status {status}: {self._said(text) or 'nothing said'}"
        if status in BUSY or status >= 500:
            raise TryAgain(why, paid=False, wait=self._asked_to_wait(headers.get("retry-after", "")))
        if 300 <= status < 400:
            raise JudgeUnavailable(f"the judge is at another address ({why}); give the URL to which it leads")
        if status in HOPELESS:
            raise JudgeUnavailable(f"the judge at {self._endpoint.url} refuses: {why}")
        raise NoReply(why)

    async def pause(self, attempt: int, trouble: TryAgain) -> None:
        """Wait before another try: as long as the server asks, else twice as long each time, by chance."""
        if trouble.wait is not None:
            if trouble.wait > self._patience.longest_pause:
                raise JudgeUnavailable(
                    f"the judge wants us to wait {trouble.wait:.0f} seconds ({trouble}); try later"
                )
            self._not_before = max(self._not_before, self._clock.now() + trouble.wait)
        longest = min(self._patience.longest_wait, self._patience.first_wait * 2**attempt)
        await self._clock.sleep(random.uniform(0, longest))

    def _asked_to_wait(self, header: str) -> float | None:
        """Retry-After: seconds, or a date."""
        if re.fullmatch(r"\d{1,9}(\.\d{1,3})?", header.strip()):
            return float(header)
        try:
            moment = parsedate_to_datetime(header)
            return max(0.0, (moment - self._clock.today()).total_seconds())
        except (ValueError, TypeError, OverflowError):
            return None

    async def _post(self, body: dict[str, Any]) -> tuple[int, httpx2.Headers, bytes]:
        """Status, headers and body; a body that is too long is not read to its end."""
        content = json.dumps(body).encode("ascii")
        headers = {"Content-Type": "application/json"}
        async with self._http.stream("POST", self._endpoint.url, content=content, headers=headers) as response:
            found = bytearray()
            async for block in response.aiter_raw():
                found += block
                if len(found) > LARGEST:
                    raise TryAgain(f"the reply is longer than {LARGEST:,} bytes", paid=True)
            return response.status_code, response.headers, bytes(found)

    def _said(self, text: str) -> str:
        """The beginning of a server's words, fit to be shown."""
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            text = str(json.loads(text)["error"]["message"])
        return " ".join("".join(c if c.isprintable() else " " for c in self.clean(text)).split())[:200]


def read_reply(raw: str, seconds: float) -> Reply:
    """The text of the first choice, and the tokens used."""
    try:
        content = json.loads(raw)
        text = content["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise Unreadable("the reply is not that of a chat model", raw) from None
    if text is not None and not isinstance(text, str):
        raise Unreadable("the reply holds no text", raw)
    usage = content.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Reply(
        raw, text or "", _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")), seconds
    )


def _count(value: Any) -> int | None:
    """A number of tokens, if it can be one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None
