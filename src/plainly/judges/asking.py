"""Many questions, a few at a time: what has a reply is not asked again, and no more is spent than was allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.judges.client import (
    Client,
    Clock,
    JudgeUnavailable,
    NoReply,
    Patience,
    Reply,
    TryAgain,
    Unreadable,
    read_reply,
)
from plainly.judges.costs import FRAME, UNLIMITED, Budget, Forecast, Prices, Spending, tokens
from plainly.judges.endpoint import Endpoint
from plainly.judges.prompts import Question
from plainly.judges.store import Store

Progress = Callable[[int, int, Spending], None]
"""Hears how many questions are done, of how many, and what was spent."""

IN_A_ROW = 5  # questions without a reply, one after the other: the server is at fault, not the question


@dataclass(frozen=True)
class Limits:
    """How many questions at a time, how often each, how long, and at what price."""

    concurrency: int = 4
    attempts: int = 3
    """How often a question is asked whose reply is no answer."""
    patience: Patience = field(default_factory=Patience)
    prices: Prices = field(default_factory=Prices)
    most_calls: int | None = None
    most_cost: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.concurrency <= 1000:
            raise PlainlyError(f"1 to 1000 questions can be asked at a time, not {self.concurrency}")
        if self.attempts < 1:
            raise PlainlyError(f"a question is asked at least once, not {self.attempts} times")


@dataclass(frozen=True)
class Answer:
    """`value` is None where there is no answer; then `problem` says why."""

    value: Any
    problem: str = ""
    replies: tuple[str, ...] = ()
    """The texts of all replies, the last one being the answer, if there is one."""
    time: str = ""
    """When the last reply came, as ISO 8601."""
    seconds: float | None = None
    """How long it took."""


@dataclass(frozen=True)
class Answers:
    """One answer to each question, in order."""

    items: tuple[Answer, ...]
    spent: Spending
    stopped: str | None
    """Why not all was asked; None if it was."""


def estimate(questions: Sequence[Question], endpoint: Endpoint, kept: Container[str], prices: Prices) -> Forecast:
    """What asking would take, if no question has to be asked twice. `kept` is the store, if there is one."""
    wanted = {
        endpoint.identity(body, item.repeat, 0): body for item in questions for body in [_body(endpoint, item, 0)]
    }
    missing = [body for identity, body in wanted.items() if identity not in kept]
    sizes = [_size(body) for body in missing]
    read, written = (sum(size[side] for size in sizes) for side in (0, 1))
    cost = prices.cost(read, written) if prices else None
    return Forecast(len(questions), len(wanted) - len(missing), len(missing), read, written, cost)


def ask(
    questions: Sequence[Question],
    endpoint: Endpoint,
    store: Store,
    limits: Limits | None = None,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Answers:
    """Ask everything that has no reply in the store yet. The same question twice is asked once."""
    run = _Run(endpoint, store, limits or Limits(), progress, clock)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run.all(questions))
    with ThreadPoolExecutor(1) as pool:  # in a notebook, a loop runs already
        return pool.submit(asyncio.run, run.all(questions)).result()


class _OutOfBudget(Exception):
    """The next call is not allowed."""


class _Run:
    """One run over many questions."""

    def __init__(
        self, endpoint: Endpoint, store: Store, limits: Limits, progress: Progress | None, clock: Clock | None
    ) -> None:
        self._endpoint, self._store, self._limits, self._progress = endpoint, store, limits, progress
        self._clock = clock
        self._budget = Budget(limits.prices, limits.most_calls, limits.most_cost)
        self._answers: dict[Question, Answer] = {}
        self._failures = 0  # in a row
        self._answered = False

    async def all(self, questions: Sequence[Question]) -> Answers:
        distinct = list(dict.fromkeys(questions))
        waiting = iter(distinct)
        workers = min(self._limits.concurrency, len(distinct))
        async with aclosing(Client(self._endpoint, self._limits.patience, workers or 1, self._clock)) as client:
            tasks = [asyncio.create_task(self._work(client, waiting, len(distinct))) for _ in range(workers)]
            try:
                await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        failed = [answer.problem for answer in self._answers.values() if not answer.replies and answer.problem]
        if failed and not self._answered:
            raise JudgeUnavailable(f"no question was answered by {self._endpoint.url}: {failed[0]}")
        unasked = Answer(None, self._budget.exhausted or "")
        items = tuple(self._answers.get(item, unasked) for item in questions)
        return Answers(items, self._budget.spent, self._budget.exhausted)

    async def _work(self, client: Client, waiting: Any, total: int) -> None:
        """One of the workers: question after question, until there are none."""
        for item in waiting:
            try:
                self._answers[item] = await self._answer(client, item)
                self._failures, self._answered = 0, True
            except _OutOfBudget:
                continue  # what is in the store can still be answered
            except NoReply as error:
                self._failures += 1
                if self._failures >= IN_A_ROW:
                    raise JudgeUnavailable(
                        f"{self._endpoint.url}: {self._failures} questions in a row had no reply; the last: {error}"
                    ) from None
                self._answers[item] = Answer(None, str(error))
            if self._progress:
                self._progress(len(self._answers), total, self._budget.spent)

    async def _answer(self, client: Client, item: Question) -> Answer:
        """The answer, asked for again while the reply is none."""
        replies: list[str] = []
        moment, seconds = "", 0.0
        for attempt in range(self._limits.attempts):
            body = _body(self._endpoint, item, attempt)
            identity = self._endpoint.identity(body, item.repeat, attempt)
            if identity not in self._store:
                await self._fetch(client, body, identity)
            reply, moment = self._kept(identity)
            replies.append(reply.text)
            seconds = reply.seconds
            value = item.parse(reply.text)
            if value is not None:
                return Answer(value, "", tuple(replies), moment, seconds)
        times = "once" if len(replies) == 1 else f"{len(replies)} times"
        return Answer(None, f"the reply was outside of what was offered, {times}", tuple(replies), moment, seconds)

    def _kept(self, identity: str) -> tuple[Reply, str]:
        """A reply from the store, and when it came."""
        try:
            record = self._store.get(identity) or {}
            return read_reply(str(record["reply"]), float(record["seconds"])), str(record["time"])
        except (Unreadable, KeyError, TypeError, ValueError):
            raise PlainlyError(
                f"{self._store.path}: the reply {identity[:12]}... is damaged; remove its line"
            ) from None

    async def _fetch(self, client: Client, body: dict[str, Any], identity: str) -> None:
        """Get a reply into the store."""
        for attempt in range(self._limits.patience.tries):
            try:
                await self._try(client, body, identity)
                return
            except TryAgain as trouble:
                if attempt + 1 == self._limits.patience.tries:
                    raise NoReply(str(trouble)) from None
                await client.pause(attempt, trouble)

    async def _try(self, client: Client, body: dict[str, Any], identity: str) -> None:
        """Send a question once, if the budget allows it, and keep whatever comes back."""
        reserved = _size(body)
        if not self._budget.take(*reserved):
            raise _OutOfBudget
        used = (0, 0)
        try:
            reply = await client.once(body)
            used = _used(reply, reserved)
            self._store.add(identity, _record(self._endpoint, body, reply.raw, reply.seconds, used))
        except TryAgain as trouble:
            if trouble.paid:
                used = reserved  # nobody says what it cost
            if isinstance(trouble, Unreadable):
                record = _record(self._endpoint, body, trouble.raw, 0.0, used)
                self._store.add(identity, {**record, "problem": str(trouble)}, usable=False)
            raise
        finally:
            self._budget.settle(reserved, used)


def _record(
    endpoint: Endpoint, body: dict[str, Any], raw: str, seconds: float, used: tuple[int, int]
) -> dict[str, Any]:
    return {
        "url": endpoint.url,
        "request": body,
        "reply": raw,
        "seconds": round(seconds, 3),
        "tokens": {"read": used[0], "written": used[1]},
    }


def _body(endpoint: Endpoint, item: Question, attempt: int) -> dict[str, Any]:
    return endpoint.body(item.messages(attempt), item.tokens)


def _size(body: dict[str, Any]) -> tuple[int, int]:
    """About how many tokens a request has, and the most that its reply may have."""
    read = sum(tokens(message["content"]) + FRAME for message in body["messages"])
    most = body.get("max_tokens", body.get("max_completion_tokens"))
    return read, most if isinstance(most, int) else UNLIMITED


def _used(reply: Reply, reserved: tuple[int, int]) -> tuple[int, int]:
    """The tokens of a reply: as the server counts them, else as we guess."""
    read = reserved[0] if reply.read is None else reply.read
    return read, tokens(reply.text) if reply.written is None else reply.written
