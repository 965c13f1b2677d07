"""Where a big run is done, as the options of `add_engine_options` say, and what is heard of it meanwhile."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plainly.base.errors import BadInput, PlainlyError, Remedy
from plainly.cli.printing import ProgressLine, note

if TYPE_CHECKING:
    from plainly.scoring.engines import Engine


def engine_of(options: argparse.Namespace) -> Engine:
    """The engine that the options ask for."""
    if options.workers is not None and options.workers < 1:
        raise PlainlyError("--workers must be at least 1")
    for option, value in (("--scheduler", options.scheduler), ("--slurm", options.slurm)):
        if value is not None and not value.strip():
            raise PlainlyError(f"{option} is empty; say where the cluster is, or leave it out")
    if options.scheduler or options.slurm:
        if options.workers is not None:
            raise PlainlyError("--workers is for this machine; a cluster has as many as it has")
        from plainly.scoring.engines.dask import DaskEngine
        from plainly.scoring.engines.slurm import read_settings

        if options.scheduler:
            return DaskEngine.connect(options.scheduler)
        return DaskEngine.slurm(read_settings(options.slurm), (lambda _: None) if options.quiet else note)
    from plainly.scoring.engines.processes import Processes

    return Processes(options.workers)


def as_workers_find_it(path: str, options: argparse.Namespace) -> str:
    """A path as it is on a cluster, whose workers are in other folders."""
    from plainly.base.places import absolute

    return absolute(path) if options.scheduler or options.slurm else path


@contextmanager
def advice_to_skip() -> Iterator[None]:
    """Whoever has bad input hears how to do without it."""
    try:
        yield
    except BadInput as error:
        skip = Remedy("on_error", "skip", f"to leave such {error.what} out")
        raise PlainlyError(error.message, place=error.place, remedy=(*error.remedies, skip)) from None


class RowsProgress:
    """Rows done, rows a second and the time left, on a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._line = ProgressLine(quiet)
        self._start = time.monotonic()

    def __call__(self, rows: int, total: int | None, restored: int = 0) -> None:
        """So many rows are done, of so many if that is known; an earlier run had done the restored ones."""
        rate = (rows - restored) / max(time.monotonic() - self._start, 1e-9)
        text = f"{rows:,} rows" if total is None else f"{rows:,} of {total:,} rows ({rows / max(total, 1):.0%})"
        text += f", {rate:,.0f} a second"
        if total is not None and rate > 0:
            text += f", {duration((total - rows) / rate)} left"
        self._line.show(text)

    def end(self) -> None:
        """What is printed next begins on a line of its own."""
        self._line.end()


def duration(seconds: float) -> str:
    """As people say it: 40 s, 3 min, 2 h 5 min."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
