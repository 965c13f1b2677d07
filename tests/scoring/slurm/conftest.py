"""A real SLURM of one node on this machine, in a folder of its own: munged, slurmctld and slurmd, on loopback."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")

CONFIGURATION = """
ClusterName=plainly
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
NodeName=node1 NodeAddr=127.0.0.1 NodeHostname=localhost Port={node} CPUs=4 RealMemory=8000 State=UNKNOWN
PartitionName=short Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@pytest.fixture(scope="session")
def slurm() -> Iterator[Path]:
    """The folder of the SLURM that runs now; SLURM_CONF points its commands to it."""
    lacking = [name for name in PROGRAMS if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None]
    if lacking:
        pytest.skip(f"needs SLURM (Debian: apt-get install slurm-wlm munge); not here: {', '.join(lacking)}")
    if os.getuid() != 0:
        pytest.skip("a SLURM of one's own needs root")
    folder = Path(tempfile.mkdtemp(prefix="plainly-slurm-", dir="/tmp"))  # a socket's path must be short
    folder.chmod(0o755)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    configuration = folder / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, controller=free_port(), node=free_port()))
    before = os.environ.get("SLURM_CONF")
    os.environ["SLURM_CONF"] = str(configuration)
    munge = [f"--{name}={folder}/munge.{name.split('-')[0]}" for name in ("pid-file", "log-file", "seed-file")]
    commands = [
        ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket", *munge],
        ["slurmctld", "-D", "-c"],
        ["slurmd", "-D", "-N", "node1"],
    ]
    processes = []
    try:
        for command in commands:
            path = shutil.which(command[0], path=os.environ["PATH"] + ":/usr/sbin") or command[0]
            with (folder / f"{command[0]}.out").open("wb") as log:
                processes.append(subprocess.Popen([path, *command[1:]], stdout=log, stderr=log, cwd=folder))
            time.sleep(0.5)
        for _ in range(60):
            told = subprocess.run(["sinfo", "--noheader", "--format=%t"], capture_output=True, text=True, check=False)
            if told.stdout.strip() == "idle":
                break
            time.sleep(0.5)
        else:
            pytest.skip(f"SLURM did not start: {told.stdout} {told.stderr}")
        yield folder
    finally:
        for process in reversed(processes):  # slurmd asks munged until its end
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if before is None:
            del os.environ["SLURM_CONF"]
        else:
            os.environ["SLURM_CONF"] = before
        shutil.rmtree(folder)
