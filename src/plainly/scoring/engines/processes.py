"""Work in processes of this machine. Threads would wait for each other: much of measuring is Python."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Generic

from plainly.base.errors import PlainlyError
from plainly.scoring.engines import Item, Made
from plainly.scoring.evaluator import cores

ATTEMPTS = 3
MOST_ON_WINDOWS = 60
"""There, a process can wait for 63 others at most."""


class Processes:
    """So many processes of this machine; one is this process itself."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise PlainlyError("there must be at least 1 worker")
        self.workers = workers or cores()
        if sys.platform == "win32":
            self.workers = min(self.workers, MOST_ON_WINDOWS)
        self._started: list[_Worker] = []
        self._idle: list[_Worker] = []  # of these, until there is more work

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._stop()

    def run(self, work: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """What the work makes of each item. A worker that is killed is replaced, and its item done again."""
        if self.workers == 1:
            yield from map(work, items)
            return
        try:
            yield from self._spread(work, iter(items))
        except BaseException:
            self._stop()
            raise

    def worker_ids(self) -> list[int]:
        """The processes that work now."""
        return [worker.process.pid or 0 for worker in self._started]

    def _spread(self, work: Callable[[Item], Made], items: Iterator[Item]) -> Iterator[Made]:
        waiting: deque[_Attempt[Item]] = deque()
        busy: dict[Any, tuple[_Worker, _Attempt[Item]]] = {}

        def hand_out() -> None:
            while len(busy) < self.workers:
                waiting.extend(map(_Attempt, islice(items, 0 if waiting else 1)))
                if not waiting:
                    break
                worker = self._idle.pop() if self._idle else self._start()
                attempt = waiting.popleft()
                if worker.give(work, attempt.item):
                    busy[worker.pipe] = worker, attempt
                else:
                    waiting.appendleft(self._again(worker, attempt))

        while True:
            hand_out()
            if not busy:
                return
            if not waiting:  # while the workers work, the next item is read
                waiting.extend(map(_Attempt, islice(items, 1)))
            for pipe in wait(list(busy)):
                worker, attempt = busy.pop(pipe)
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    waiting.appendleft(self._again(worker, attempt))
                    continue
                self._idle.append(worker)
                hand_out()  # the worker need not wait until its answer is dealt with
                yield _made(answer)

    def _start(self) -> _Worker:
        worker = _Worker()
        self._started.append(worker)
        return worker

    def _again(self, worker: _Worker, attempt: _Attempt[Item]) -> _Attempt[Item]:
        """The item of a worker that died, to be done by another."""
        self._started.remove(worker)
        how = worker.ended()
        if attempt.number == ATTEMPTS:
            raise PlainlyError(
                f"a worker process {how} {ATTEMPTS} times on the same work ({attempt.item}); "
                "is there enough memory? Fewer workers need less"
            )
        return _Attempt(attempt.item, attempt.number + 1)

    def _stop(self) -> None:
        self._idle.clear()
        for worker in self._started:
            worker.process.terminate()
        while self._started:
            self._started.pop().ended()


@dataclass(frozen=True)
class _Attempt(Generic[Item]):
    item: Item
    number: int = 1


class _Worker:
    """A process that does one item after the other. It ends when this process does: then its pipe is closed."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
        self.pipe, its = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(its,), daemon=True)
        with _deaf_to_interrupts(), _main_left_alone():
            self.process.start()
        its.close()

    def give(self, work: Callable[[Any], Any], item: Any) -> bool:
        """Send an item and what to do with it; false if there is nobody left to take it."""
        try:
            self.pipe.send((work, item))
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def ended(self) -> str:
        """Wait for the end; say how it came."""
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        code = self.process.exitcode or 0
        self.pipe.close()
        return f"was killed (signal {-code})" if code < 0 else f"ended (status {code})"


def _serve(pipe: Connection) -> None:
    """What a worker does until its pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the others
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        while True:
            pipe.send(_answer(*pipe.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)


def _answer(work: Callable[[Any], Any], item: Any) -> tuple[Any, BaseException | None]:
    """What the work made, or what went wrong, in a form that can be sent."""
    try:
        return work(item), None
    except (PlainlyError, OSError, MemoryError) as error:
        return None, error
    except Exception:  # not all of them can be sent
        return None, RuntimeError(traceback.format_exc())


def _made(answer: tuple[Any, BaseException | None]) -> Any:
    made, error = answer
    if error is not None:
        raise error
    return made


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A process started here does not hear Ctrl-C, not even before its first line runs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """A new process does not run the user's script again, which may have no guard against that."""
    main = sys.modules["__main__"]
    names = ["__file__", "__spec__"]
    before = {name: main.__dict__.pop(name) for name in names if name in main.__dict__}
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(before)
