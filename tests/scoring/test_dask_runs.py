"""Whole runs on a Dask cluster: the same bits as on this machine, whatever happens to workers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main
from plainly.corpus.readers.inputs import Inputs
from plainly.metrics import get
from plainly.scoring.engines import Engine, Item, Made
from plainly.scoring.engines.dask import DaskEngine
from plainly.scoring.engines.processes import Processes
from plainly.scoring.partitioned import job_for
from plainly.scoring.partitions import plan
from plainly.scoring.runs import Run, Summary

pyarrow = pytest.importorskip("pyarrow", reason="needs plainly[cluster]")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs plainly[cluster]")
pytest.importorskip("distributed", reason="needs plainly[cluster]")

WORDS = [
    "rain",
    "falls",
    "on",
    "old",
    "stone",
    "bridges",
    "while",
    "seven",
    "tired",
    "sailors",
    "carry",
    "heavy",
    "crates",
    "towards",
    "their",
    "small",
    "boat",
]
METRICS = ("sari", "bleu", "fkgl", "levenshtein-similarity", "compression-ratio", "lexical-complexity")


def write_pairs(path: Path, count: int) -> str:
    """Pairs of different lengths, made of a seed."""
    chance = random.Random(7)

    def text() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(3, 25))).capitalize() + "."

    columns = {name: [text() for _ in range(count)] for name in ("source", "output", "reference")}
    parquet.write_table(pyarrow.table(columns), path, row_group_size=700)
    return str(path)


@dataclass
class Killing:
    """An engine that kills a worker of its cluster after some results, and starts another."""

    engine: DaskEngine
    cluster: Any
    times: list[int]

    @property
    def workers(self) -> int:
        return self.engine.workers

    def run(self, work: Callable[[Item], Made], items: Any) -> Iterator[Made]:
        chance = random.Random(3)
        for done, made in enumerate(self.engine.run(work, items)):
            if done in self.times:
                self.times.remove(done)
                self.cluster.add_worker()
                self.cluster.kill_worker(chance.randrange(len(self.cluster.workers) - 1))
            yield made


def measured(engine: Any, data: str, folder: Path, rows: int) -> Summary:
    """A run that leaves scores and statistics in the folder."""
    folder.mkdir()
    planned = plan(Inputs(data=data), rows=rows)
    job = job_for(planned, [get(name) for name in METRICS])
    run = Run(planned, job, str(folder / "scores.parquet"), str(folder / "statistics"))
    run.prepare(resume=False)
    summary = run.measure(engine)
    run.finish(summary)
    return summary


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def same(one: Summary, other: Summary) -> bool:
    mine = {system: [total.to_json() for total in totals] for system, totals in one.sums.totals.items()}
    return mine == {system: [total.to_json() for total in totals] for system, totals in other.sums.totals.items()}


def check_same(engine: Engine, folder: Path, count: int, rows: int) -> None:
    data = write_pairs(folder / "pairs.parquet", count)
    there = measured(engine, data, folder / "there", rows)
    with Processes(1) as here_only:
        here = measured(here_only, data, folder / "here", rows)
    assert there.sums.segments == count
    assert same(here, there)
    assert files(folder / "here") == files(folder / "there")


def test_a_run_on_a_cluster_is_that_on_this_machine(cluster: Any, tmp_path: Path) -> None:
    with DaskEngine.connect(cluster.address) as engine:
        check_same(engine, tmp_path, 1500, rows=200)


def test_the_command_on_a_cluster(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # workers are in another folder, and find the files nevertheless
    write_pairs(tmp_path / "pairs.parquet", 300)
    command = ["score", "--data", "pairs.parquet", "--metrics", "sari,fkgl", "--quiet", "--per-segment"]
    assert not main([*command, "--scheduler", cluster.address, "-o", "there.parquet"])
    there = capsys.readouterr()
    assert not main([*command, "--workers", "1", "-o", "here.parquet"])
    assert capsys.readouterr() == there
    assert Path("there.parquet").read_bytes() == Path("here.parquet").read_bytes()
    assert main([*command, "--scheduler", "tcp://127.0.0.1:1", "-o", "none.parquet"]) == 2
    assert capsys.readouterr() == (
        "",
        "plainly: no Dask scheduler at tcp://127.0.0.1:1: Connection refused\n",
    )
    assert not list(tmp_path.glob("none*"))


@pytest.mark.slow
def test_five_workers_killed_in_mid_run(
    make_cluster: Callable[..., Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cluster = make_cluster(3)
    times = [3, 20, 37, 54, 70]
    with DaskEngine.connect(cluster.address) as engine:
        check_same(Killing(engine, cluster, times), tmp_path, 45_000, rows=500)  # type: ignore[arg-type]
    assert times == []
    assert capfd.readouterr() == ("", "")  # Dask would say which results it makes again
