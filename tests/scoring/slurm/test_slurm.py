"""Workers that are jobs of a real SLURM."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.scoring.engines import slurm as jobs
from plainly.scoring.engines.dask import DaskEngine
from plainly.scoring.engines.slurm import Slurm

from ...waiting import until

pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(find_spec("dask_jobqueue") is None, reason="needs plainly[cluster]"),
]

HERE = Path(__file__).parent.parent
PROLOGUE = (f"export PYTHONPATH={HERE}",)


def queued() -> list[str]:
    told = subprocess.run(["squeue", "--noheader", "--format=%A"], capture_output=True, text=True, check=True)
    return told.stdout.split()


def test_jobs_work_and_are_replaced_and_end(
    slurm: Path, work: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "REFILL", 3.0)
    settings = Slurm(cores=2, memory="2GB", jobs=2, queue="short", prologue=PROLOGUE, log_directory=str(tmp_path))
    said: list[str] = []
    with DaskEngine.slurm(settings, said.append) as engine:
        assert said == ["waiting for the first of 2 SLURM jobs to start"]
        until(lambda: engine.workers == 4, "four workers")
        first = queued()
        assert len(first) == 2
        assert set(engine.run(work.where, range(60))) == set(first)
        made = []
        for done, square in enumerate(engine.run(work.slowly, range(600))):
            made.append(square)
            if done == 20:
                subprocess.run(["scancel", "--signal=KILL", first[0]], check=True)
        assert sorted(made) == [n * n for n in range(600)]
        now = queued()
        assert first[1] in now
        assert first[0] not in now
        assert len(now) == 2
    until(lambda: queued() == [], "the end of the jobs")


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"queue": "nope"}, "SLURM does not take the jobs: invalid partition specified: nope"),
        ({"gpus": 1}, r"SLURM does not take the jobs: Invalid generic resource \(gres\) specification"),
        ({"directives": ("--bogus",)}, "SLURM does not take the jobs: .*unrecognized option '--bogus'"),
        ({"prologue": ("exit 3",)}, "the SLURM jobs ended before they had a worker; their logs in .* say why"),
    ],
)
def test_jobs_that_cannot_be(slurm: Path, tmp_path: Path, wrong: dict[str, Any], complaint: str) -> None:
    settings = Slurm(**{"cores": 1, "memory": "1GB", "log_directory": str(tmp_path), **wrong})
    with pytest.raises(PlainlyError, match=complaint) as caught:
        DaskEngine.slurm(settings)
    assert "\n" not in str(caught.value)


def test_encrypted_between_nodes(slurm: Path, work: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cryptography")
    monkeypatch.chdir(tmp_path)  # where the keys lie while the jobs run
    settings = Slurm(cores=1, memory="1GB", prologue=PROLOGUE, log_directory=str(tmp_path / "logs"), encrypted=True)
    with DaskEngine.slurm(settings) as engine:
        assert engine._client.scheduler.address.startswith("tls://")
        assert sorted(engine.run(work.square, range(20))) == [n * n for n in range(20)]
    assert not list(tmp_path.glob(".dask-jobqueue*"))
