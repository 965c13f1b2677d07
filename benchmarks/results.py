"""The file of figures that `make bench` writes: docs/speed.md is made of it, the next run held against it.

It holds sections, each with the commit that was measured. So a run can be made bit by bit, where a machine is busy.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, Times, timed
from plainly.base.version import __version__

RESULTS = Path(__file__).parent / "results.json"
TOLERANCE = 0.25
"""A smaller change is taken for noise: on a busy machine processor time differs by so much from run to run."""
BUSY = "machine busy: wall-clock times are not kept"
IDLE = "machine idle: processor time and wall-clock time"

Results = dict[str, Any]
Section = dict[str, Any]


def busy() -> bool:
    """Whether others compute here too: they would take half a core or more, by the load of the last minute."""
    return os.getloadavg()[0] > 0.5


def section(rows: Sequence[Row], was_busy: bool, yardstick: float) -> Section:
    """Plain data of a benchmark. `yardstick` is what `fixed_work` took beside it."""
    return {
        "clock": BUSY if was_busy else IDLE,
        "plainly": __version__,
        "commit": _commit(),
        "yardstick": _rounded(yardstick),
        "rows": [_plain(row, was_busy) for row in rows],
    }


def results(sections: Mapping[str, Section], data: str, last: Results | None = None) -> Results:
    """A file of these sections, and of those that the last one has beside them, if it is of the same machine."""
    machine = {"processor": _processor(), "cores": os.cpu_count(), "python": platform.python_version()}
    origin = {"machine": machine, "data": data}
    beside = last["sections"] if last and origin.items() <= last.items() else {}
    return {**origin, "sections": {**beside, **sections}}


def fixed_work() -> float:
    """Seconds of processor time of the same plain Python on every machine: it tells how fast a machine is."""
    text = " ".join(str(number * 7919 % 10007) for number in range(100_000))

    def work() -> int:
        counts: dict[str, int] = {}
        for word in text.split(" "):
            counts[word] = counts.get(word, 0) + len(word)
        return sum(sorted(counts.values()))

    return timed(work, 20).processor


def changes(name: str, last: Results | None, now: Results, tolerance: float = TOLERANCE) -> list[str]:
    """What became slower in a section by more than the tolerance, or that nothing did, in words."""
    if last is None or name not in last["sections"]:
        return [f"{name}: there is nothing to compare with"]
    old, new = last["sections"][name], now["sections"][name]
    if differ := [origin for origin in ("machine", "data") if last[origin] != now[origin]]:
        return [f"{name}: not compared with {old['commit']}: another {origin}" for origin in differ]
    within = f"{name}: nothing became slower by more than {tolerance:.0%} since {old['commit']}"
    return [f"{name}: {line}" for line in _slower(old, new, tolerance)] or [within]


def _slower(last: Section, now: Section, tolerance: float) -> Iterator[str]:
    """A figure with a peer in both runs is judged by the ratio to it, any other by the ratio to fixed work.

    It must itself have grown, too: else the peer or the fixed work was quicker than last time, or disturbed less.
    """
    before = {_named(row): row for row in last["rows"]}
    for row in now["rows"]:
        old = before.get(_named(row))
        if old is None:
            continue
        beside_peer = _live(old) and _live(row)
        then, today = (
            one["ratio"] if beside_peer else run["yardstick"] / one["ours"]["processor"]
            for one, run in ((old, last), (row, now))
        )
        if today * (1 + tolerance) < then and row["ours"]["processor"] > old["ours"]["processor"]:
            peer = row["peer"] if beside_peer else "fixed work"
            said = f"the ratio to {peer} was {then:.3g}, and is {today:.3g}"
            yield f"{', '.join(filter(None, _named(row)))}: {then / today - 1:.0%} slower: {said}"


def _named(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["what"], row.get("peer", ""), str(row.get("segments", ""))


def read(path: Path) -> Results:
    found: Results = json.loads(path.read_text("utf-8"))
    return found


def write(path: Path, found: Results) -> None:
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _live(row: Mapping[str, Any]) -> bool:
    return row.get("ratio") is not None and not row.get("recorded")


def _plain(row: Row, was_busy: bool) -> dict[str, Any]:
    """What there is to say of a row."""
    fields: dict[str, Any] = {"what": row.what, "ours": _seconds(row.ours, was_busy)}
    if row.theirs is not None:
        fields |= {"peer": row.peer, "theirs": _seconds(row.theirs, was_busy), "ratio": _rounded(row.ratio or 0)}
        if row.recorded:
            fields["recorded"] = True
    if row.segments is not None:
        fields["segments"] = row.segments
    if row.memory is not None:
        fields["megabytes"] = round(row.memory)
    return fields


def _seconds(times: Times, was_busy: bool) -> dict[str, float]:
    if was_busy:
        times = replace(times, wall=None)
    return {name: _rounded(value) for name, value in vars(times).items() if value is not None}


def _rounded(value: float) -> float:
    """Three digits are more than a clock is good for."""
    return float(f"{value:.3g}")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _commit() -> str | None:
    """The commit that is checked out, with a + where files differ from it."""
    try:
        said = [
            subprocess.run(["git", *command], cwd=RESULTS.parent, check=True, capture_output=True, text=True).stdout
            for command in (["rev-parse", "--short=10", "HEAD"], ["status", "--porcelain", "--", "../src"])
        ]
    except (OSError, subprocess.CalledProcessError):
        return None
    return said[0].strip() + ("+" if said[1] else "")
