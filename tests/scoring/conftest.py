"""A real Dask cluster for tests: a scheduler and workers in processes of their own, over TCP on this machine."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ..waiting import until

HERE = Path(__file__).parent


class Cluster:
    """A scheduler and workers of one thread, which tests may kill."""

    def __init__(self, folder: Path, workers: int, environment: dict[str, str] | None = None) -> None:
        self._folder = folder
        self._environment = {**os.environ, "PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1", **(environment or {})}
        self._processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        told = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
        self.address: str = json.loads(self._appearing(told))["address"]
        for _ in range(workers):
            self.add_worker()

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", *options]
        with (self._folder / f"{kind}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=self._folder, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        self._processes.append(process)
        return process

    def _appearing(self, path: Path) -> str:
        log = self._folder / "scheduler.log"
        until(
            lambda: self.scheduler.poll() is not None or (path.exists() and path.read_text()), "the scheduler's start"
        )
        assert self.scheduler.poll() is None, log.read_text()
        return path.read_text()

    def add_worker(self, nanny: bool = False) -> None:
        options = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(self._folder)]
        self.workers.append(self._start("worker", self.address, "--nanny" if nanny else "--no-nanny", *options))

    def kill_worker(self, number: int) -> None:
        worker = self.workers.pop(number)
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def close(self) -> None:
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with those that a nanny has started
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One with two workers, which tests leave as it is."""
    pytest.importorskip("distributed", reason="needs plainly[cluster]")
    from plainly.scoring.engines.dask import DaskEngine

    cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    try:
        with DaskEngine.connect(cluster.address) as engine:
            until(lambda: engine.workers == 2, "two workers")
        yield cluster
    finally:
        cluster.close()


@pytest.fixture
def make_cluster(tmp_path: Path) -> Iterator[Callable[..., Cluster]]:
    """Makes one that a test may harm."""
    pytest.importorskip("distributed", reason="needs plainly[cluster]")
    made: list[Cluster] = []

    def make(*args: Any, **keywords: Any) -> Cluster:
        (tmp_path / "cluster").mkdir()
        made.append(Cluster(tmp_path / "cluster", *args, **keywords))
        return made[-1]

    yield make
    for cluster in made:
        cluster.close()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module with work for workers, who find it too."""
    monkeypatch.syspath_prepend(HERE)
    import work_for_workers

    return work_for_workers
