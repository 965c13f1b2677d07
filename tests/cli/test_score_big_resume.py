"""A run in parts that is broken off: killed, stopped by Ctrl-C, or ended by bad input. It goes on where it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..waiting import LONG, until

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

COMMAND = str(Path(sys.executable).parent / "plainly")
YIELDING = ["nice", "-n", "19", COMMAND]
"""A run that gives way to the test which breaks it off: else it may end before a busy machine lets the test go on."""
Plainly = Callable[..., Any]
FILES = 24
METRICS = "sari,bleu,fkgl,lexical-complexity"


def write_data(files: int = FILES, rows: int = 400) -> None:
    Path("data").mkdir()
    words = "our small boat sailed slowly past green hills towards the distant harbour before any storm could break"
    vocabulary = words.split()
    for file in range(files):
        records = []
        for i in range(file * rows, (file + 1) * rows):
            text = [vocabulary[i * step % len(vocabulary)] for step in range(1, 20)]
            records.append(
                {
                    "source": f"{' '.join(text)} {i}.",
                    "reference": f"{' '.join(text[:9])} {i}.",
                    "output": f"{' '.join(text[3:14])}. {i}.",
                }
            )
        parquet.write_table(pyarrow.Table.from_pylist(records), f"data/{file:03}.parquet")


def arguments(name: str, workers: int = 2) -> list[str]:
    outputs = ["-o", f"{name}.parquet", "--write-statistics", f"{name}-stats", "--per-segment"]
    return ["score", "--data", "data", "--metrics", METRICS, *outputs, "--workers", str(workers), "--quiet"]


def broken_off(name: str, how: signal.Signals, after: int) -> subprocess.CompletedProcess[str]:
    """Start a run and send it a signal when some partitions are done."""
    process = subprocess.Popen(
        [*YIELDING, *arguments(name)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    work = Path(f"_{name}.parquet.unfinished")
    until(lambda: process.poll() is not None or len(list(work.glob("*/done-*.json"))) >= after, f"{after} partitions")
    assert process.poll() is None, process.communicate()
    if how == signal.SIGKILL:
        process.kill()  # only the first process: the others must notice by themselves
    else:
        os.killpg(process.pid, how)  # as a terminal does
    out, err = process.communicate(timeout=LONG)
    return subprocess.CompletedProcess([], process.returncode, out, err)


def contents(name: str) -> dict[str, bytes]:
    files = [Path(f"{name}.parquet"), *sorted(Path(f"{name}-stats").iterdir())]
    return {path.name.removeprefix(name): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes], str]:
    """The data, and the files and the table that a run leaves which nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    before = Path.cwd()
    os.chdir(folder)
    try:
        write_data()
        done = subprocess.run([COMMAND, *arguments("calm", workers=1)], capture_output=True, text=True, check=True)
        return folder, contents("calm"), done.stdout
    finally:
        os.chdir(before)


@pytest.mark.slow
def test_killed_and_resumed_it_ends_with_the_same_bytes(
    plainly: Plainly, undisturbed: tuple[Path, dict[str, bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, expected, table = undisturbed
    monkeypatch.chdir(folder)
    for after in (1, 12):
        broken_off("killed", signal.SIGKILL, after) if after == 1 else _resume_and_kill("killed", after)
        assert not Path("killed.parquet").exists()
        assert not Path("killed-stats/manifest.json").exists()
        refusal = plainly(*arguments("killed")).refusal
        assert (
            refusal
            == "there is an unfinished run in _killed.parquet.unfinished; say --resume to go on with it, or delete it"
        )
    found = plainly(*arguments("killed"), "--resume").printed
    assert found == table
    assert contents("killed") == expected
    assert not Path("_killed.parquet.unfinished").exists()


def _resume_and_kill(name: str, after: int) -> None:
    process = subprocess.Popen([*YIELDING, *arguments(name), "--resume"], stdout=subprocess.PIPE)
    work = Path(f"_{name}.parquet.unfinished")
    until(lambda: process.poll() is not None or len(list(work.glob("*/done-*.json"))) >= after, f"{after} partitions")
    assert process.poll() is None
    process.kill()
    process.communicate()


@pytest.mark.slow
def test_ctrl_c_ends_all_processes_in_one_line(
    plainly: Plainly, undisturbed: tuple[Path, dict[str, bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, expected, _ = undisturbed
    monkeypatch.chdir(folder)
    stopped = broken_off("stopped", signal.SIGINT, after=3)
    told = "plainly: stopped; say --resume to go on\n"
    assert (stopped.returncode, stopped.stdout, stopped.stderr) == (130, "", told)
    assert plainly(*arguments("stopped"), "--resume").printed
    assert contents("stopped") == expected


@pytest.mark.slow
def test_a_damaged_checkpoint_or_a_lost_part_is_done_again(
    plainly: Plainly, undisturbed: tuple[Path, dict[str, bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, expected, _ = undisturbed
    monkeypatch.chdir(folder)
    broken_off("damaged", signal.SIGKILL, after=4)
    done = sorted(Path("_damaged.parquet.unfinished").glob("*/done-*.json"))
    done[0].write_bytes(done[0].read_bytes()[:100])
    number = json.loads(done[1].read_text())["number"]
    next(Path("damaged-stats/_unfinished").glob(f"*/part-{number:05}.parquet")).unlink()
    assert plainly(*arguments("damaged"), "--resume").printed
    assert contents("damaged") == expected


@pytest.mark.slow
def test_another_run_is_not_resumed(plainly: Plainly) -> None:
    write_data(files=3, rows=30)
    parquet.write_table(pyarrow.table({"source": [" "], "output": ["a"], "reference": ["b"]}), "data/zz.parquet")
    assert "zz.parquet: row 1: empty source" in plainly(*arguments("x")).refusal
    work = Path("_x.parquet.unfinished")
    assert (work / "manifest.json").exists()
    other = [word.replace(",fkgl", "") for word in arguments("x")]
    refusal = plainly(*other, "--resume").refusal
    assert refusal == (
        "cannot resume: the run in _x.parquet.unfinished was begun with other metrics or settings; "
        "delete it, or say what it said"
    )
    assert "begun with other options" in plainly(*arguments("x"), "--resume", "--baselines", "identity").refusal
    write = pyarrow.table({"source": ["a b"], "output": ["a"], "reference": ["b"]})
    parquet.write_table(write, "data/zz.parquet")
    assert "with other files, or they were changed since" in plainly(*arguments("x"), "--resume").refusal
    (work / "manifest.json").write_text("{")
    assert "is damaged; delete" in plainly(*arguments("x"), "--resume").refusal


def test_what_stopped_at_bad_input_may_go_on_without_it(plainly: Plainly) -> None:
    write_data(files=3, rows=30)
    parquet.write_table(pyarrow.table({"source": [" "], "output": ["a"], "reference": ["b"]}), "data/zz.parquet")
    assert "zz.parquet: row 1: empty source" in plainly(*arguments("x", workers=1)).refusal
    run = plainly(*arguments("x", workers=1), "--resume", "--on-error", "skip")
    assert run.printed
    assert run.err == "left out: 1 for: empty source (data/zz.parquet: row 1)\n"
    assert parquet.read_table("x.parquet").num_rows == 90


def test_resuming_what_was_never_begun_begins(plainly: Plainly) -> None:
    write_data(files=2, rows=20)
    assert plainly(*arguments("new", workers=1), "--resume").printed
    assert parquet.read_table("new.parquet").num_rows == 40
