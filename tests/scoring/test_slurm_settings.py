"""The TOML file that describes the jobs of a SLURM cluster."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.scoring.engines.slurm import Slurm, SlurmJobs, _options, read_settings

GOOD = '[cluster]\ncores = 8\nmemory = "32GB"\n'


def settings(folder: Path, text: str) -> Slurm:
    path = folder / "slurm.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(str(path))


def test_all_of_them(tmp_path: Path) -> None:
    found = settings(
        tmp_path,
        GOOD
        + """
jobs = 10
queue = "short"
account = "nlp"
walltime = "02:30:00"
prologue = ["module load python", "source ~/plainly/bin/activate"]
directives = ["--constraint=avx2"]
interface = "ib0"
log_directory = "logs"
wait_minutes = 5
""",
    )
    assert found == Slurm(
        cores=8,
        memory="32GB",
        jobs=10,
        queue="short",
        account="nlp",
        walltime="02:30:00",
        prologue=("module load python", "source ~/plainly/bin/activate"),
        directives=("--constraint=avx2",),
        interface="ib0",
        log_directory="logs",
        wait_minutes=5,
    )
    assert found.workers == 8  # of one thread each


def test_the_script_of_a_job(tmp_path: Path) -> None:
    """What SLURM is given: the options of sbatch are those of its manual."""
    jobqueue = pytest.importorskip("dask_jobqueue", reason="needs plainly[cluster]")
    found = settings(
        tmp_path, GOOD + 'gpus = 1\nqueue = "gpu"\naccount = "nlp"\nprologue = ["module load cuda"]\npython = "/p"\n'
    )
    assert found.workers == 1  # which holds the one GPU
    options = {key: value for key, value in _options(found).items() if key != "scheduler_options"}
    lines = jobqueue.slurm.SLURMJob("tcp://10.0.0.1:8786", "w", **options).job_script().splitlines()
    for line in (
        *("#SBATCH -p gpu", "#SBATCH -A nlp", "#SBATCH --cpus-per-task=8", "#SBATCH --mem=30G"),  # 32e9 / 2**30 < 30
        *("#SBATCH -t 01:00:00", "#SBATCH --gpus=1", "module load cuda"),
    ):
        assert line in lines
    assert lines[-1].startswith("/p -m distributed.cli.dask_worker tcp://10.0.0.1:8786 --name w --nthreads 1 ")
    assert lines.index("module load cuda") < len(lines) - 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", r"the table \[cluster\] is missing"),
        ("cluster = 1", r"the table \[cluster\] is missing"),
        ("[cluster", r"slurm\.toml: "),
        ("[cluster]\ncores = 8\n", "memory is missing"),
        (GOOD + "[other]\n", "'other' is not known here"),
        (GOOD + 'jobs = "2"', "jobs must be of type int"),
        (GOOD + "jobs = 0", "jobs must be at least 1"),
        (GOOD + "gpus = 4", "one GPU a job"),
        (GOOD + "processes = 9", "processes must be from 0 to the number of cores"),
        (GOOD + 'walltime = "long"', "walltime must be as in"),
        (GOOD.replace("32GB", "much"), "memory must be as in"),
        (GOOD + 'queue = "a\\n#SBATCH --mem=1T"', "queue must be on one line"),
        (GOOD + 'directives = ["a\\nb"]', "directives must be on one line"),
        (GOOD + "prologue = [1]", "prologue must hold texts"),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(PlainlyError, match=complaint) as caught:
        settings(tmp_path, text)
    assert str(tmp_path / "slurm.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("name", "meant"), [("quue", "queue"), ("nodes", "jobs"), ("partition", "queue"), ("env_extra", "prologue")]
)
def test_an_unknown_setting_and_the_nearest(tmp_path: Path, name: str, meant: str) -> None:
    with pytest.raises(UnknownName, match=rf"slurm\.toml: '{name}'; did you mean '{meant}'"):
        settings(tmp_path, GOOD + f'{name} = "x"')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match=r"cannot read .*: No such file or directory"):
        read_settings(str(tmp_path / "none.toml"))
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    with pytest.raises(PlainlyError, match=r"latin\.toml: this is not UTF-8"):
        read_settings(str(tmp_path / "latin.toml"))


def test_no_slurm_and_no_dask_jobqueue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if "dask_jobqueue" in sys.modules or pytest.importorskip("dask_jobqueue"):
        with pytest.raises(PlainlyError, match="there is no sbatch here"):
            SlurmJobs(Slurm(1, "1GB"))
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    with pytest.raises(MissingResource, match=r"SLURM needs dask-jobqueue; .*pip install 'plainly\[cluster\]'"):
        SlurmJobs(Slurm(1, "1GB"))
