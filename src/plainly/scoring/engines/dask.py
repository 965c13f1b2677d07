"""Work on a Dask cluster: a scheduler and workers on any number of machines.

Dask decides which worker does what, and does again what a lost worker had. We keep a few items for each worker
under way, take each result once, and say in one line what is wrong with a cluster.
"""

from __future__ import annotations

import logging
import queue
import re
import socket
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from types import TracebackType
from typing import Any
from uuid import uuid4

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.version import __version__
from plainly.scoring.engines import Item, Made
from plainly.scoring.engines.slurm import Slurm, SlurmJobs

WAITING = 2
"""Items for each worker: one is being worked on, one is there when it is done."""
TRIES = 3
"""How often an item is given up by Dask, which tried it on several workers, before we give it up."""
CONNECTING = 10.0  # seconds
FETCHING = 60.0  # seconds, for one result
PATIENCE = 300.0  # seconds without any worker
LARGE = "1GB"  # Dask warns of items above 10 MB; those with texts may come near
_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://([^\s/:@]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})/?")
_LOOK = 2.0  # seconds between looks at the state of the cluster
_LOGGERS = tuple(logging.getLogger(name) for name in ("distributed", "distributed.client"))


class DaskEngine:
    """An engine on a Dask cluster. It ends the cluster only if it has started it."""

    def __init__(self, client: Any, jobs: SlurmJobs | None = None, patience: float = PATIENCE) -> None:
        self._client = client
        self._jobs = jobs
        self._patience = patience
        self._levels = [logger.level for logger in _LOGGERS]
        for logger in _LOGGERS:  # they tell what we say in one line, or mend, such as a lost worker
            logger.setLevel(logging.CRITICAL)

    @classmethod
    def connect(cls, address: str, patience: float = PATIENCE) -> DaskEngine:
        """The engine on a cluster that runs: the address is that of its scheduler, such as tcp://node1:8786."""
        distributed = _distributed()
        address = address if "://" in address else f"tcp://{address}"
        _check_address(address)
        with _without_warnings():
            try:
                client = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
            except Exception as error:  # Dask raises errors of many kinds when it meets another kind of server
                raise PlainlyError(
                    f"cannot use the Dask scheduler at {address}: {_line(error)}; is it one, of version "
                    f"{distributed.__version__} as here?"
                ) from error
        return cls(client, None, patience)._ready(CONNECTING, f"start one with: dask worker {address} --nthreads 1")

    @classmethod
    def slurm(cls, settings: Slurm, say: Callable[[str], None] = lambda line: None) -> DaskEngine:
        """The engine on a cluster of its own, whose workers are SLURM jobs. `say` is told what takes long."""
        distributed = _distributed()
        with _without_warnings():
            jobs = SlurmJobs(settings)
            try:
                client = distributed.Client(jobs.cluster, set_as_default=False)
            except BaseException:
                jobs.close()
                raise
        say(f"waiting for the first of {settings.jobs} SLURM jobs to start")
        patience = 60.0 * settings.wait_minutes
        return cls(client, jobs, patience)._ready(patience, "squeue --me says what the jobs wait for")

    def _ready(self, patience: float, hint: str) -> DaskEngine:
        """The engine once it has a worker, and the workers have what it takes."""
        try:
            start = time.monotonic()
            while not self.workers:
                if time.monotonic() - start > patience:
                    raise PlainlyError(f"the cluster has no workers; {hint}")
                if self._jobs is not None:
                    self._jobs.check()
                time.sleep(0.1 if self._jobs is None else 5.0)  # SLURM does not like to be asked often
            _check_versions(self._client)
        except BaseException:
            self.close()
            raise
        return self

    @property
    def workers(self) -> int:
        """Threads of all workers that are there now."""
        return sum(self._client.nthreads().values())

    def run(self, work: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """What the work makes of each item, in the order in which they are ready."""
        run = _Run(self._client, work, self._patience, self._jobs)
        try:
            yield from run.results(iter(items))
        finally:
            run.cancel()

    def close(self) -> None:
        """Leave the cluster; a cluster of our own ends."""
        self._client.close()
        if self._jobs is not None:
            self._jobs.close()
        for logger, level in zip(_LOGGERS, self._levels, strict=True):
            logger.setLevel(level)

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()


class _Run:
    """Items under way: futures by key, each with its item and the tries that it had."""

    def __init__(self, client: Any, work: Callable[[Any], Any], patience: float, jobs: SlurmJobs | None) -> None:
        self._client = client
        self._work = work
        self._patience = patience
        self._jobs = jobs
        self._ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._under_way: dict[str, tuple[Any, Any, int]] = {}
        self._name = f"plainly-{uuid4().hex[:12]}"
        self._numbers = count()
        self._looked = self._worked = time.monotonic()
        self._room = 0

    def results(self, items: Iterator[Any]) -> Iterator[Any]:
        left = True
        while left or self._under_way:
            self._look()
            while left and len(self._under_way) < self._room:
                try:
                    item = next(items)
                except StopIteration:
                    left = False
                else:
                    self._submit(item, 1)
            try:
                future = self._ready.get(timeout=_LOOK if self._under_way else 0.0)
            except queue.Empty:
                continue
            yield from self._taken(future)

    def cancel(self) -> None:
        if self._under_way and self._client.status == "running":
            with suppress(OSError):  # nobody is there who would go on
                self._client.cancel([future for future, _, _ in self._under_way.values()], force=True)
        self._under_way.clear()

    def _submit(self, item: Any, attempt: int) -> None:
        import dask

        key = f"{self._name}-{next(self._numbers)}"
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGE}):
            future = self._client.submit(_done, __version__, self._work, item, key=key, pure=False)
        self._under_way[key] = (future, item, attempt)
        future.add_done_callback(self._ready.put)

    def _taken(self, future: Any) -> Iterator[Any]:
        """The result of a future that is done: none where its item must be done again."""
        from distributed import CancelledError, KilledWorker
        from distributed import TimeoutError as TooLate  # in Python 3.10 not that of Python

        _, item, attempt = self._under_way[future.key]
        try:
            made = future.result(timeout=FETCHING)
        except KilledWorker:
            del self._under_way[future.key]
            if attempt == TRIES:
                raise PlainlyError(
                    f"workers died again and again over {item}; they may lack memory: give them more, "
                    "or start fewer on a machine"
                ) from None
            self._submit(item, attempt + 1)
        except CancelledError:
            raise PlainlyError("the Dask scheduler is gone, or has cancelled the run") from None
        except TooLate:
            if future.status == "error":  # it is the work that raised it
                raise
            future.add_done_callback(self._ready.put)  # the worker was lost with the result: it is made again
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "plainly":
                raise
            raise PlainlyError(_MISSING) from None
        else:
            del self._under_way[future.key]
            yield made

    def _look(self) -> None:
        """See now and then whether the cluster is alive, and how many workers it has."""
        now = time.monotonic()
        if self._room and now - self._looked < _LOOK:
            return
        self._looked = now
        if self._jobs is not None:
            self._jobs.refill()
        try:
            workers = sum(self._client.nthreads().values()) if self._client.status == "running" else None
        except OSError:  # of Dask, too
            workers = None
        if workers is None:
            raise PlainlyError("the connection to the Dask scheduler is lost")
        if workers:
            self._worked = now
        elif now - self._worked > self._patience:
            raise PlainlyError(f"the cluster has had no worker for {self._patience:.0f} seconds")
        self._room = WAITING * max(1, workers)


_MISSING = "workers of the Dask cluster have no plainly; install it there, in the same version as here"


def _done(version: str, work: Callable[[Item], Made], item: Item) -> Made:
    """The work, done on a worker: one that came late was not there when versions were compared."""
    if version != __version__:
        raise PlainlyError(f"a worker on {socket.gethostname()} has plainly {__version__}, here it is {version}")
    return work(item)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingResource("a cluster needs Dask; install it with: pip install 'plainly[cluster]'") from None
    return distributed


def _check_address(address: str) -> None:
    """Whether a scheduler is there: Dask tries for long where nobody listens, and for ever with a mute server."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise PlainlyError(f"{address!r} is no address of a Dask scheduler, such as tcp://node1:8786")
    try:
        with socket.create_connection((found[2].strip("[]"), int(found[3])), timeout=CONNECTING) as line:
            greeted = found[1] != "tcp" or _greeted(line)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or _line(error)
        raise PlainlyError(f"no Dask scheduler at {address}: {reason}") from error
    if not greeted:
        raise PlainlyError(f"what listens at {address} is no Dask scheduler, or one that wants tls://")


def _greeted(line: socket.socket) -> bool:
    """A Dask scheduler speaks first, with the length of its greeting in 8 bytes; other words are no length."""
    try:
        head = line.recv(8, socket.MSG_WAITALL)
    except TimeoutError:
        return False
    return len(head) == 8 and int.from_bytes(head, "little") < 1 << 20


def _check_versions(client: Any) -> None:
    """The same Dask and plainly everywhere, and Pythons that read each other's pickles."""
    found = client.get_versions(packages=["plainly"])
    here = _told(found["client"])
    for address, facts in {"the scheduler": found["scheduler"], **found["workers"]}.items():
        there = _told(facts)
        for package in ("distributed", "python", "numpy", "plainly"):
            if address == "the scheduler" and package in ("numpy", "plainly"):
                continue  # it hands packets on
            if there[package] is None and package == "plainly":
                raise PlainlyError(f"{_MISSING} (such as {address})")
            if there[package] != here[package]:
                who = address if address == "the scheduler" else f"the worker {address}"
                raise PlainlyError(
                    f"{who} has {package} {there[package] or 'missing'}, here it is {here[package]}; "
                    "install the same version"
                )


def _told(facts: Any) -> dict[str, str | None]:
    packages = facts["packages"]
    return {
        "distributed": packages["distributed"],
        "python": ".".join(facts["host"]["python"].split(".")[:2]),
        "numpy": packages["numpy"] and packages["numpy"].partition(".")[0],  # 1 cannot read the arrays of 2
        "plainly": packages["plainly"],
    }


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Dask warns of other versions in a table; we compare them ourselves."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="distributed")
        yield


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
