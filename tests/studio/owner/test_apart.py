"""Studies in processes of their own: the same numbers, an end when the time is over, and no process left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from plainly.studio.apart import KINDNESS, Ended, Processes, TookTooLong
from plainly.studio.errors import NotThere
from plainly.studio.settings import Settings
from plainly.studio.studies import Asked, Drawing, Drawn, Job, Report, Snapshot, found_in

from ...waiting import LONG, until
from .conftest import answer, good


@pytest.fixture
def processes() -> Iterator[Processes]:
    made = Processes()
    yield made
    made.stop()


@pytest.fixture
def job(owner: httpx.Client, make: Callable[..., Any], settings: Settings) -> Job:
    """Of a ranking with answers of two people."""
    made = make()
    path = f"/api/campaigns/{made['id']}"
    good(owner.patch(path, json={"revision": 1, "status": "open"}))
    for one in good(owner.post(f"{path}/participants", json={"count": 2}), 201)["links"]:
        answer(owner.base_url, one["link"], [{"choice": "first"}, {"choice": "second"}, {"choice": "first"}])
    return Job(settings.database, Asked(made["id"], "en"))


def test_a_process_finds_what_is_found_here(app: Any, job: Job, processes: Processes) -> None:
    apart, here = list(processes.do(job, LONG)), list(found_in(app.state.database, job))
    assert [(type(one), getattr(one, "part", 0)) for one in apart] == [(Snapshot, part) for part in range(4)]
    for one, other in zip(apart, here, strict=True):
        assert isinstance(one, Snapshot)
        assert isinstance(other, Snapshot)
        assert (one.shown, one.remarks, one.pictures, one.paces) == (
            other.shown,
            other.remarks,
            other.pictures,
            other.paces,
        )
    (report,) = processes.do(Job(job.url, job.asked, "2026-01-01"), LONG)
    assert isinstance(report, Report)
    assert "<title>" in str(report.page)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="POSIX only")
def test_a_process_leaves_the_cores_to_the_server_and_its_database(job: Job, processes: Processes) -> None:
    """Within its session, and, where Linux shares cores among sessions, beside the others."""
    parts = processes.do(job, LONG)
    next(parts)
    (process,) = processes._busy
    number = process._child.pid
    assert (os.getpriority(os.PRIO_PROCESS, number), os.getsid(number)) == (KINDNESS, number)
    shared = Path(f"/proc/{number}/autogroup")
    if shared.exists() and shared.read_text():
        assert shared.read_text().endswith(f" nice {KINDNESS}\n")
    assert list(parts)


def test_a_process_draws_what_is_drawn_here(app: Any, job: Job, processes: Processes) -> None:
    pytest.importorskip("vl_convert")
    *_, found = found_in(app.state.database, job)
    assert isinstance(found, Snapshot)
    picture = found.pictures[0]
    (drawn,) = processes.do(Drawing(picture.spec, 400), LONG)
    assert isinstance(drawn, Drawn)
    assert drawn.svg == app.state.live.drawn(picture, 400)


def test_one_process_does_job_after_job_and_says_what_is_wrong(job: Job, processes: Processes) -> None:
    list(processes.do(job, LONG))
    (first,) = processes._idle
    list(processes.do(job, LONG))
    assert processes._idle == [first]
    with pytest.raises(NotThere):
        list(processes.do(Job(job.url, Asked("nosuch", "en")), LONG))


def test_a_job_whose_time_is_over_is_ended(job: Job, processes: Processes) -> None:
    list(processes.do(job, LONG))
    (process,) = processes._idle
    with pytest.raises(TookTooLong):
        list(processes.do(job, 0.0))
    assert not process.alive
    assert not processes._idle


def test_a_process_that_was_killed_is_no_end(job: Job, processes: Processes) -> None:
    list(processes.do(job, LONG))
    (process,) = processes._idle
    process._child.kill()
    until(lambda: not process.alive, "the end of the process")
    assert len(list(processes.do(job, LONG))) == 4


def test_the_studio_takes_its_processes_along(job: Job, processes: Processes) -> None:
    parts = processes.do(job, LONG)
    next(parts)
    (process,) = processes._busy
    processes.stop()
    with pytest.raises(Ended):
        list(parts)
    assert not process.alive
    with pytest.raises(Ended):
        list(processes.do(job, LONG))


def test_a_process_ends_when_nobody_sends_jobs(job: Job, processes: Processes) -> None:
    """As after SIGKILL of the studio: the pipe is closed."""
    list(processes.do(job, LONG))
    (process,) = processes._idle
    assert process._child.stdin is not None
    process._child.stdin.close()
    until(lambda: not process.alive, "the end of the process")
