"""The engine on a real Dask cluster: a scheduler and workers in processes of their own, over TCP on this machine."""

from __future__ import annotations

import json
import logging
import random
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.scoring.engines import dask
from plainly.scoring.engines.dask import DaskEngine

from ..waiting import LONG

pytest.importorskip("distributed", reason="needs plainly[cluster]")

HERE = Path(__file__).parent
MakeCluster = Callable[..., Any]


def test_every_item_once_by_all_workers(cluster: Any, work: Any) -> None:
    with DaskEngine.connect(cluster.address) as engine:
        assert engine.workers == 2
        assert sorted(engine.run(work.square, range(100))) == [n * n for n in range(100)]
        assert len(set(engine.run(work.process, range(30)))) == 2
        assert list(engine.run(work.square, [])) == []


def test_items_are_taken_a_few_at_a_time(cluster: Any, work: Any) -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(40):
            taken.append(number)
            yield number

    with DaskEngine.connect(cluster.address) as engine:
        for done, _ in enumerate(engine.run(work.square, items())):
            assert len(taken) <= done + 1 + dask.WAITING * engine.workers
    assert len(taken) == 40


def test_an_error_of_the_work_comes_out_as_itself(cluster: Any, work: Any) -> None:
    with DaskEngine.connect(cluster.address) as engine:
        with pytest.raises(UnknownName, match="unknown metric 'sarri'; did you mean 'sari'"):
            list(engine.run(work.wrong, range(5)))
        with pytest.raises(MissingResource, match="pip install it"):
            list(engine.run(work.missing, [1]))
        with pytest.raises(ZeroDivisionError):
            list(engine.run(work.at_fault, [0]))
        with pytest.raises(TimeoutError, match="the work took too long"):
            list(engine.run(work.out_of_time, [0]))
        assert list(engine.run(work.square, [3])) == [9]  # the engine is as good as before


def test_an_error_of_the_items_comes_out(cluster: Any, work: Any) -> None:
    def items() -> Iterator[int]:
        yield 1
        raise PlainlyError("pairs.jsonl: line 2: this is no JSON")

    with DaskEngine.connect(cluster.address) as engine, pytest.raises(PlainlyError, match="line 2"):
        list(engine.run(work.square, items()))


def test_items_with_many_texts_are_sent_without_a_word(
    cluster: Any, work: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    with DaskEngine.connect(cluster.address) as engine:
        assert list(engine.run(work.of_texts, ["x" * 12_000_000])) == [12_000_000]
    assert capfd.readouterr() == ("", "")


def test_closing_cancels_what_is_left(cluster: Any, work: Any, tmp_path: Path) -> None:
    with DaskEngine.connect(cluster.address) as engine:
        results = engine.run(work.noted, [str(tmp_path / f"{n}") for n in range(8)])
        next(results)
        results.close()  # type: ignore[attr-defined]
        assert len(list(engine.run(work.square, range(8)))) == 8  # what comes later is done later
        assert len(list(tmp_path.glob("*.began"))) <= 4  # at most what was under way and the next of each worker


def test_ctrl_c_ends_the_run_and_frees_the_cluster(cluster: Any, work: Any, tmp_path: Path) -> None:
    program = f"""
import sys
sys.path.insert(0, {str(HERE)!r})
from plainly.scoring.engines.dask import DaskEngine
import work_for_workers
with DaskEngine.connect({cluster.address!r}) as engine:
    for note in engine.run(work_for_workers.noted, ({str(tmp_path)!r} + f"/{{n}}" for n in range(1000))):
        print("one", flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "one\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=LONG)
    assert errors.strip().splitlines()[-1].startswith("KeyboardInterrupt")
    with DaskEngine.connect(cluster.address) as engine:
        assert len(list(engine.run(work.square, range(8)))) == 8
    assert len(list(tmp_path.glob("*.began"))) < 20


def test_the_logs_of_dask_are_as_before_at_the_end(cluster: Any) -> None:
    logger = logging.getLogger("distributed")
    before = logger.level
    with DaskEngine.connect(cluster.address):
        pass
    assert logger.level == before


def test_workers_killed_in_mid_run_lose_and_double_nothing(make_cluster: MakeCluster, work: Any) -> None:
    cluster = make_cluster(2)
    chance = random.Random(1)
    made = []
    with DaskEngine.connect(cluster.address) as engine:
        for done, square in enumerate(engine.run(work.slowly, range(60))):
            made.append(square)
            if done in (10, 25):
                cluster.add_worker()
                cluster.kill_worker(chance.randrange(2))
    assert sorted(made) == [n * n for n in range(60)]


@pytest.mark.slow
def test_work_that_dask_gives_up_is_given_again(make_cluster: MakeCluster, work: Any, tmp_path: Path) -> None:
    """With allowed-failures 0, Dask raises KilledWorker the first time that a worker dies over an item."""
    cluster = make_cluster(0, {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"})
    cluster.add_worker(nanny=True)  # which starts a worker again
    (tmp_path / "2").mkdir()
    (tmp_path / "3").mkdir()
    with DaskEngine.connect(cluster.address) as engine:
        assert list(engine.run(work.deadly, [str(tmp_path / "2")])) == [2]
        with pytest.raises(PlainlyError, match=r"workers died again and again over \S+/3; they may lack memory"):
            list(engine.run(work.deadly, [str(tmp_path / "3")]))


@pytest.mark.slow
def test_a_cluster_without_workers(make_cluster: MakeCluster, work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECTING", 2.0)
    monkeypatch.setattr(dask, "_LOOK", 0.2)
    cluster = make_cluster(0)
    with pytest.raises(PlainlyError, match=r"the cluster has no workers; start one with: dask worker tcp://"):
        DaskEngine.connect(cluster.address)
    cluster.add_worker()
    monkeypatch.setattr(dask, "CONNECTING", LONG)
    with DaskEngine.connect(cluster.address, patience=1) as engine:
        results = engine.run(work.slowly, range(100))
        next(results)
        cluster.kill_worker(0)
        with pytest.raises(PlainlyError, match="no worker for 1 seconds"):
            list(results)


def test_a_scheduler_that_goes_away(make_cluster: MakeCluster, work: Any) -> None:
    cluster = make_cluster(1)
    with DaskEngine.connect(cluster.address) as engine:
        results = engine.run(work.slowly, range(200))
        next(results)
        cluster.scheduler.kill()
        with pytest.raises(PlainlyError, match="scheduler"):
            list(results)


@pytest.mark.parametrize(
    "address", ["tcp://", "node1", "http://node1:8786", "tcp://node1:port", "tcp://a b:1", "tcp://n:123456", ""]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(PlainlyError, match=r"is no address of a Dask scheduler, such as tcp://node1:8786"):
        DaskEngine.connect(address)


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(PlainlyError, match=f"no Dask scheduler at tcp://127.0.0.1:{port}: Connection refused"):
        DaskEngine.connect(f"127.0.0.1:{port}")
    with pytest.raises(PlainlyError, match=r"no Dask scheduler at tcp://nowhere\.invalid:8786: "):
        DaskEngine.connect("tcp://nowhere.invalid:8786")


@pytest.mark.slow
@pytest.mark.parametrize("words", [b"", b"SSH-2.0-OpenSSH_9.2\r\n"], ids=["mute", "another"])
def test_another_kind_of_server(words: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECTING", 1.0)
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            line.sendall(words)
            over.wait()
            line.close()

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(PlainlyError, match=r"what listens at tcp://\S+ is no Dask scheduler"):
            DaskEngine.connect(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        over.set()


def test_other_versions_and_none_are_named(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with DaskEngine.connect(cluster.address) as engine:
        real = engine._client.get_versions(packages=["plainly"])
    assert len(real["workers"]) == 2
    assert all(facts["packages"]["plainly"] for facts in real["workers"].values())

    class Client:
        """Answers as the cluster did, but for one package of one of its parts."""

        def __init__(self, part: str, package: str, version: str | None) -> None:
            self._told = json.loads(json.dumps(real))
            parts = self._told["workers"].values() if part == "workers" else [self._told[part]]
            for facts in parts:
                facts["packages"][package] = version

        def get_versions(self, packages: list[str]) -> Any:
            return self._told

    dask._check_versions(Client("client", "cloudpickle", "0"))  # not one that matters
    dask._check_versions(Client("scheduler", "plainly", None))  # it does none of the work
    with pytest.raises(PlainlyError, match=r"have no plainly; install it there"):
        dask._check_versions(Client("workers", "plainly", None))
    with pytest.raises(PlainlyError, match=r"the worker tcp://\S+ has plainly 0\.0\.1, here it is "):
        dask._check_versions(Client("workers", "plainly", "0.0.1"))
    with pytest.raises(PlainlyError, match=r"the scheduler has distributed 2020\.1\.0, here it is "):
        dask._check_versions(Client("scheduler", "distributed", "2020.1.0"))


def test_a_late_worker_of_another_version() -> None:
    with pytest.raises(PlainlyError, match=r"has plainly \S+, here it is 0\.0\.1"):
        dask._done("0.0.1", len, "text")


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingResource, match=r"a cluster needs Dask; .*pip install 'plainly\[cluster\]'"):
        DaskEngine.connect("tcp://127.0.0.1:8786")
