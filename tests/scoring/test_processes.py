"""The engine of local processes: nothing lost, nothing doubled, and one clear line for what goes wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.scoring.engines.processes import Processes

from ..waiting import until

HERE = Path(__file__).parent


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of work; other processes find it by its plain name."""
    monkeypatch.syspath_prepend(str(HERE))
    return import_module("work_for_workers")


@pytest.mark.parametrize("workers", [1, 2])
def test_every_item_is_done_once(work: Any, workers: int) -> None:
    with Processes(workers) as engine:
        assert sorted(engine.run(work.square, range(50))) == [n * n for n in range(50)]
        assert list(engine.run(work.square, [])) == []


def test_one_worker_is_this_process_and_two_are_two_others(work: Any) -> None:
    assert set(Processes(1).run(work.process, range(3))) == {os.getpid()}
    with Processes(2) as engine:
        others = set(engine.run(work.process, range(20)))
    assert os.getpid() not in others
    assert len(others) == 2


def test_items_are_taken_as_they_are_needed(work: Any) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    with Processes(2) as engine:
        results = engine.run(work.square, items())
        next(results)
        assert len(taken) < 10
        results.close()  # type: ignore[attr-defined]
    assert len(taken) < 10


@pytest.mark.slow
def test_errors_come_out_as_what_they_are(work: Any) -> None:
    with Processes(2) as engine:
        with pytest.raises(UnknownName, match="did you mean 'sari'"):
            list(engine.run(work.wrong, range(5)))
        with pytest.raises(MissingResource, match="pip install it"):
            list(engine.run(work.missing, range(5)))
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            list(engine.run(work.at_fault, range(5)))
        assert sorted(engine.run(work.square, range(5))) == [0, 1, 4, 9, 16]  # it can still be used


def test_work_of_a_killed_worker_is_done_again(work: Any, tmp_path: Path) -> None:
    folder = tmp_path / "2"  # two deaths, then it works
    folder.mkdir()
    with Processes(2) as engine:
        assert list(engine.run(work.deadly, [str(folder)])) == [2]


def test_work_that_always_kills_is_given_up_in_one_line(work: Any, tmp_path: Path) -> None:
    folder = tmp_path / "99"
    folder.mkdir()
    with Processes(2) as engine, pytest.raises(PlainlyError, match=r"killed \(signal 9\) 3 times .*enough memory"):
        list(engine.run(work.deadly, [str(folder)]))
    assert len(list(folder.iterdir())) == 3


@pytest.mark.slow
def test_workers_killed_from_outside_lose_and_double_nothing(work: Any) -> None:
    with Processes(2) as engine:
        results = engine.run(work.slowly, range(40))
        found = [next(results)]
        for _ in range(2):  # the third time in a row, an item would be given up
            os.kill(engine.worker_ids()[0], signal.SIGKILL)
            found.append(next(results))
        found += results
    assert sorted(found) == [n * n for n in range(40)]


def test_workers_stay_for_more_work(work: Any) -> None:
    with Processes(2) as engine:
        first = set(engine.run(work.process, range(6)))
        assert set(engine.run(work.process, range(6))) <= first
        assert first <= set(engine.worker_ids())
    assert engine.worker_ids() == []


def test_workers_end_with_the_engine(work: Any) -> None:
    with Processes(2) as engine:
        results = engine.run(work.slowly, range(100))
        next(results)
        ids = engine.worker_ids()
        assert len(ids) == 2
        results.close()  # type: ignore[attr-defined]
        assert engine.worker_ids() == []
    assert not any(_runs(number) for number in ids)


def test_workers_end_when_the_first_process_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "run.py"  # it has no guard: workers must not run it again
    script.write_text(
        f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
        "from work_for_workers import slowly\n"
        "from plainly.scoring.engines.processes import Processes\n"
        "engine = Processes(2)\n"
        "for _ in engine.run(slowly, range(10_000)):\n"
        "    print(*engine.worker_ids(), flush=True)\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        ids = [int(word) for word in first.stdout.readline().split()]
        first.kill()
        first.wait()
    until(lambda: not any(map(_runs, ids)), "the end of the workers, after that of the process that started them,")


def test_there_must_be_a_worker() -> None:
    with pytest.raises(PlainlyError, match="at least 1"):
        Processes(0)


def _runs(number: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def test_windows_waits_for_few_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainly.scoring.engines.processes.sys.platform", "win32")
    assert Processes(200).workers == 60
    assert Processes(3).workers == 3
