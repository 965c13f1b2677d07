"""What a studio counts while it runs, in the text format of Prometheus. Nothing in it is about one person."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sqlalchemy import Engine, event
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds of requests."""
ACTIVE = 300.0
"""Seconds within which somebody who is active has sent or asked for something."""
MOST_SEEN = 50_000
_KINDS = (
    ("participants", re.compile(r"/(api/)?[pj]/")),
    ("files", re.compile("/static/")),
    ("health", re.compile("/(api/health|metrics)$")),
    ("api", re.compile("/api/")),
)

Labels = tuple[tuple[str, str], ...]
Sample = tuple[Labels, float]


class Metrics:
    """Counts of one studio, for all its threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str]] = Counter()
        self._buckets: Counter[tuple[str, float]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._seen: OrderedDict[int, float] = OrderedDict()
        self._responses: Counter[str] = Counter()
        self._statements = 0
        self._database_seconds = 0.0

    def requested(self, path: str, status: int, seconds: float) -> None:
        """A request was answered."""
        kind = next((kind for kind, pattern in _KINDS if pattern.match(path)), "pages")
        with self._lock:
            self._requests[kind, f"{status // 100}xx"] += 1
            self._buckets[kind, next((bound for bound in BOUNDS if seconds <= bound), float("inf"))] += 1
            self._seconds[kind] += seconds

    def seen(self, participant: int) -> None:
        """This participant is there."""
        with self._lock:
            self._seen[participant] = self._clock()
            self._seen.move_to_end(participant)
            if len(self._seen) > MOST_SEEN:
                self._seen.popitem(last=False)

    def responded(self, acknowledged: int, refused: int) -> None:
        """Responses of a participant are on the disk, or are refused."""
        with self._lock:
            self._responses["acknowledged"] += acknowledged
            self._responses["refused"] += refused

    def watch(self, engine: Engine) -> None:
        """Take the time of every statement."""

        @event.listens_for(engine, "before_cursor_execute")
        def before(*given: Any) -> None:
            given[4].plainly_begun = time.perf_counter()

        @event.listens_for(engine, "after_cursor_execute")
        def after(*given: Any) -> None:
            took = time.perf_counter() - given[4].plainly_begun
            with self._lock:
                self._statements += 1
                self._database_seconds += took

    def lines(self) -> Iterator[str]:
        """All of it as text."""
        with self._lock:
            requests, buckets, seconds = self._requests.copy(), self._buckets.copy(), dict(self._seconds)
            responses = self._responses.copy()
            statements, database_seconds = self._statements, self._database_seconds
            since = self._clock() - ACTIVE
            active = sum(at >= since for at in self._seen.values())
        by_status = [((("kind", kind), ("status", status)), n) for (kind, status), n in sorted(requests.items())]
        yield from counter("plainly_requests_total", "Requests by kind and status.", by_status)
        yield from family("plainly_request_seconds", "histogram", "Time until the answer was sent.")
        for kind in sorted(seconds):
            reached = 0
            for bound in (*BOUNDS, float("inf")):
                reached += buckets[kind, bound]
                labels = (("kind", kind), ("le", "+Inf" if bound == float("inf") else f"{bound:g}"))
                yield sample("plainly_request_seconds_bucket", labels, reached)
            yield sample("plainly_request_seconds_sum", (("kind", kind),), seconds[kind])
            yield sample("plainly_request_seconds_count", (("kind", kind),), reached)
        by_fate = [((("fate", fate),), responses[fate]) for fate in ("acknowledged", "refused")]
        yield from counter("plainly_responses_total", "Responses of participants, repeats included.", by_fate)
        yield from gauge("plainly_participants_active", "Participants seen within five minutes.", [((), active)])
        yield from counter("plainly_database_statements_total", "Statements to the database.", [((), statements)])
        said = "Time in the database, without waiting for a turn."
        yield from counter("plainly_database_seconds_total", said, [((), database_seconds)])


class Counted:
    """Middleware: counts requests, and takes their time."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500

        async def noticed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noticed)
        finally:
            self._metrics.requested(scope["path"], status, time.perf_counter() - begun)


def counter(name: str, said: str, samples: Iterable[Sample]) -> Iterator[str]:
    """A number that only grows."""
    yield from family(name, "counter", said)
    yield from (sample(name, *one) for one in samples)


def gauge(name: str, said: str, samples: Iterable[Sample]) -> Iterator[str]:
    """A number that stands now."""
    yield from family(name, "gauge", said)
    yield from (sample(name, *one) for one in samples)


def family(name: str, kind: str, said: str) -> Iterator[str]:
    yield f"# HELP {name} {said}"
    yield f"# TYPE {name} {kind}"


def sample(name: str, labels: Labels, value: float) -> str:
    written = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
    return f"{name}{{{written}}} {value:.12g}" if written else f"{name} {value:.12g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
