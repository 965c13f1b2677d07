"""A Dask cluster of SLURM jobs: its settings, read from a TOML file and checked, and how it is started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from plainly.base.declarations import Fault, insist, made, read
from plainly.base.errors import MissingResource, PlainlyError, UnknownName

_MEMORY = re.compile(r"[0-9]+(\.[0-9]+)?\s*[KMGT]i?B", re.IGNORECASE)
_WALLTIME = re.compile(r"([0-9]+-)?[0-9]{1,2}(:[0-9]{2}){1,2}|[0-9]+")
REFILL = 30.0  # seconds between looks for jobs that are gone
_ANSWER = 60.0  # seconds
_OTHER = {  # what SLURM and others call them
    **{"nodes": "jobs", "workers": "jobs", "partition": "queue", "project": "account", "time": "walltime"},
    **{"mem": "memory", "cpus": "cores", "cpus_per_task": "cores", "gres": "gpus", "extra": "directives"},
    **{"job_extra_directives": "directives", "job_script_prologue": "prologue", "env_extra": "prologue"},
}


@dataclass(frozen=True)
class Slurm:
    """What each job asks for, and how many there are. Empty texts leave a choice to SLURM."""

    cores: int
    memory: str  # of a job, such as "32GB"
    jobs: int = 1
    queue: str = ""
    account: str = ""
    walltime: str = "01:00:00"
    gpus: int = 0
    processes: int = 0  # 0: one for each core, or one where there is a GPU
    prologue: tuple[str, ...] = ()  # lines of shell that a job runs before its workers
    directives: tuple[str, ...] = ()  # more #SBATCH lines, without that word
    python: str = ""  # on the nodes; empty: the same path as here
    interface: str = ""  # of the network between nodes, such as "ib0"
    local_directory: str = ""  # on the nodes, for what a worker keeps for itself
    log_directory: str = ""
    encrypted: bool = False
    wait_minutes: int = 60  # for the first job to start, and while no job runs

    @property
    def workers(self) -> int:
        """Worker processes of a job, of one thread each."""
        return self.processes or (1 if self.gpus else self.cores)


def read_settings(path: str) -> Slurm:
    """The settings in the table [cluster] of a TOML file."""
    try:
        table = read(Path(path).read_text(encoding="utf-8"))
        insist(isinstance(table.get("cluster"), dict), "the table [cluster] is missing")
        for name in table:
            insist(name == "cluster", f"{name!r} is not known here, only the table [cluster]")
        known = [field.name for field in fields(Slurm)]
        for name in table["cluster"]:
            if name not in known:
                raise UnknownName(f"setting of {path}:", name, known, _OTHER)
        settings = made(Slurm, table["cluster"], "[cluster]")
        _check(settings)
    except OSError as error:
        raise PlainlyError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise PlainlyError(f"{path}: this is not UTF-8") from error
    except Fault as fault:
        raise PlainlyError(f"{path}: {fault}") from fault
    return settings


def _check(settings: Slurm) -> None:
    for name in ("cores", "jobs", "wait_minutes"):
        insist(getattr(settings, name) >= 1, f"{name} must be at least 1")
    insist(0 <= settings.processes <= settings.cores, "processes must be from 0 to the number of cores")
    insist(settings.gpus in (0, 1), "gpus must be 0 or 1: ask for one GPU a job, and for more jobs")
    insist(_MEMORY.fullmatch(settings.memory) is not None, 'memory must be as in "32GB"')
    insist(_WALLTIME.fullmatch(settings.walltime) is not None, 'walltime must be as in "02:30:00" or "1-12:00:00"')
    for field in fields(settings):
        value = getattr(settings, field.name)
        for text in value if isinstance(value, tuple) else (value,):
            odd = isinstance(text, str) and not text.isprintable() and field.name != "prologue"
            insist(not odd, f"{field.name} must be on one line")


class SlurmJobs:
    """A scheduler in this process, and jobs in SLURM's queue that are, or will be, its workers."""

    def __init__(self, settings: Slurm) -> None:
        try:
            from dask_jobqueue import SLURMCluster
        except ImportError:
            raise MissingResource(
                "SLURM needs dask-jobqueue; install it with: pip install 'plainly[cluster]'"
            ) from None
        if shutil.which("sbatch") is None:
            raise PlainlyError("there is no sbatch here; run this where SLURM takes jobs, such as a login node")
        self._settings = settings
        try:
            self.cluster = SLURMCluster(**_options(settings))
        except Exception as error:
            raise PlainlyError(f"no scheduler could be started here: {' '.join(str(error).split())}") from error
        self._looked = time.monotonic()
        try:
            _ask(self.cluster.job_script())
            self.cluster.scale(jobs=settings.jobs)
        except BaseException:
            self.close()
            raise

    def refill(self) -> None:
        """Submit new jobs for those that are gone: their time was over, or a node failed.

        dask-jobqueue would do so for jobs of one process only.
        """
        if time.monotonic() - self._looked < REFILL:
            return
        gone = self._gone()
        for name in gone:
            self.cluster.workers.pop(name, None)
            self.cluster.worker_spec.pop(name, None)
        if gone:
            self.cluster.scale(jobs=self._settings.jobs)
        self._looked = time.monotonic()

    def check(self) -> None:
        """An error if all jobs are gone before a worker has come out of one."""
        if len(self._gone()) >= self._settings.jobs:
            where = self._settings.log_directory or "this folder (slurm-*.out)"
            raise PlainlyError(f"the SLURM jobs ended before they had a worker; their logs in {where} say why")

    def _gone(self) -> list[str]:
        """The names of the jobs that were submitted and are no longer in the queue."""
        submitted = {name: job.job_id for name, job in list(self.cluster.workers.items()) if job.job_id}
        if not submitted:
            return []
        queued = _told(["squeue", "--noheader", "--format=%A", f"--user={os.getuid()}"])
        if queued.returncode:  # SLURM is busy; it may answer the next time
            return []
        there = set(queued.stdout.split())
        return [name for name, job in submitted.items() if job not in there]

    def close(self) -> None:
        """End the jobs and the scheduler, and delete the keys, which dask-jobqueue would leave to chance."""
        self.cluster.close()
        for name in ("ca_file", "cert", "key"):
            if (file := getattr(self.cluster, f"_job_{name}", None)) is not None:
                file.close()


def _options(settings: Slurm) -> dict[str, Any]:
    """The settings in the words of dask-jobqueue."""
    options: dict[str, Any] = {
        "cores": settings.workers,  # one thread a process
        "job_cpu": settings.cores,
        "processes": settings.workers,
        "memory": settings.memory,
        "walltime": settings.walltime,
        "queue": settings.queue or None,
        "account": settings.account or None,
        "python": settings.python or None,
        "interface": settings.interface or None,
        "local_directory": settings.local_directory or None,
        "log_directory": settings.log_directory or None,
        "job_script_prologue": list(settings.prologue),
        "job_extra_directives": [*(["--gpus=1"] if settings.gpus else []), *settings.directives],
        "job_name": "plainly",
        "scheduler_options": {"dashboard_address": "127.0.0.1:0"},
    }
    if settings.encrypted:
        options |= {"security": True, "shared_temp_directory": str(Path.cwd())}
    return options


def _ask(script: str) -> None:
    """Whether SLURM would take the job: what it says when jobs are submitted, dask-jobqueue only logs."""
    with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        asked = _told(["sbatch", "--test-only", file.name])
    if asked.returncode:
        reason = " ".join(asked.stderr.replace("sbatch: error:", "").replace("allocation failure:", "").split())
        raise PlainlyError(f"SLURM does not take the jobs: {reason or f'sbatch ended with {asked.returncode}'}")


def _told(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="replace", timeout=_ANSWER, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PlainlyError(f"SLURM does not answer: {error}") from error
