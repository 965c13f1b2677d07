"""What only a process of its own shows: pipes, signals, the encoding of the terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plainly.metrics import names

pytestmark = pytest.mark.service  # commands in processes of their own

COMMAND = str(Path(sys.executable).parent / "plainly")
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def test_the_installed_command(command: Any, plainly: Any, files: list[str]) -> None:
    arguments = ["score", *files, "--format", "json"]
    assert command(*arguments).printed == plainly(*arguments).printed


def test_bad_input(command: Any, files: list[str]) -> None:
    Path("r.json").write_text("old")
    Path("ref.1").write_text("One line.\n")
    run = command("score", *files, "--output", "r.json")
    assert run.refusal == "ref.1: line 2 is missing: it has 1 line, but src.txt has 6"
    assert Path("r.json").read_text() == "old"


def test_head_ends_a_long_run_quietly(many_files: list[str]) -> None:
    """As in `plainly score --per-segment | head -1`: the rows fill the pipe long before they end."""
    arguments = [COMMAND, "score", *many_files, "--per-segment", "--quiet"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=BUFFERED) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())["segment"] == 0
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize(
    "arguments", [["--help"], ["score", "--list"], ["score", "--demo", "--quiet"], ["compare-signatures", "a", "b"]]
)
def test_a_reader_that_has_gone_is_no_fault(arguments: list[str]) -> None:
    """A short output goes out with the last flush, when Python itself would complain."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run([COMMAND, *arguments], stdout=closed, stderr=subprocess.PIPE, env=BUFFERED)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_standard_output_on_a_full_disk() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [COMMAND, "score", "--demo", "--quiet"], stdout=full, stderr=subprocess.PIPE, env=BUFFERED
        )
    assert (done.returncode, done.stderr) == (2, b"plainly: [Errno 28] No space left on device\n")


# A process that is started in the background would ignore Control-C.
AT_A_TERMINAL = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from plainly.cli import main; sys.exit(main())"
)


@pytest.mark.parametrize("more", [[], ["--per-segment"]])
def test_control_c(more: list[str], tmp_path: Path) -> None:
    """Comes while a stream without end is read; the old result stays and nothing lies beside it."""
    (tmp_path / "r.json").write_text("old")
    arguments = ["score", "--system", "mine=-", "--metrics", "fkgl", "--output", "r.json", *more]
    with subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        block = b"The cat sat on the mat and slept.\n" * 10_000
        for _ in range(3):  # far more than a pipe holds: when this has gone, reading and scoring are under way
            process.stdin.write(block)
        process.send_signal(signal.SIGINT)
        with suppress(BrokenPipeError):
            while True:
                process.stdin.write(block)
        assert process.stdout.read() == b""
        assert process.stderr.read() == b"plainly: stopped\n"
        assert process.wait() == 130
    assert (tmp_path / "r.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


def test_control_c_in_a_study(tmp_path: Path) -> None:
    """Comes when texts were read and trials without end begin: the old result stays and nothing lies beside it."""
    (tmp_path / "r.csv").write_text("old")
    text = b"The cat sat on the mat and slept.\n" * 10_000
    files = {name: tmp_path.parent / f"{tmp_path.name}-{name}" for name in ("sources", "references")}
    for path in files.values():
        path.write_bytes(text)
    arguments = [
        *("gaming", "--sources", str(files["sources"]), "--references", str(files["references"])),
        *("--system", "mine=-", "--trials", "20000", "--output", str(tmp_path / "r.csv")),
    ]
    with subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        process.stdin.write(text)  # far more than a pipe holds: when this has gone, reading is under way
        process.stdin.close()
        process.stdin = None
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate()
    assert (process.returncode, printed, said) == (130, b"", b"plainly: stopped\n")
    assert (tmp_path / "r.csv").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["r.csv"]


def test_a_file_that_cannot_be_written_is_said_before_the_work(command: Any) -> None:
    done = command("gaming", "--demo", "--trials", "1000000", "--output", "/no/such/r.csv")
    assert done.refusal == "cannot write /no/such/r.csv: No such file or directory"


def test_a_terminal_without_arrows(command: Any, files: list[str]) -> None:
    printed = command("score", *files, "--quiet", "--no-intervals", PYTHONIOENCODING="ascii").printed
    assert printed.splitlines()[0].split() == ["system", "SARI", r"\u2191", "BLEU", r"\u2191", "FKGL", r"\u2193"]


@pytest.mark.parametrize("output", [[], ["--output", "r.json"]])
def test_a_system_whose_name_is_no_text(output: list[str], command: Any, files: list[str]) -> None:
    """File names may hold any byte; Python shows such a byte as half a surrogate pair."""
    arguments = ["score", "--system", "\udcff=mine.txt", "--metrics", "fkgl", "--format", "json", *output]
    done = subprocess.run([COMMAND, *(os.fsencode(a) for a in arguments)], capture_output=True, env=BUFFERED)
    assert done.returncode == 0
    printed = Path("r.json").read_bytes() if output else done.stdout
    assert list(json.loads(printed)["systems"]) == ["\udcff"]


def test_results_and_notes_go_different_ways(command: Any) -> None:
    run = command("score", "--demo", "--metrics", "sari,fkgl", "--format", "json")
    assert "careful-writer" in run.json["systems"]
    assert run.err.startswith("caution: FKGL ")
    assert run.err.count("\n") == 1


def test_list(command: Any) -> None:
    run = command("score", "--list")
    assert [line.split()[0] for line in run.printed.splitlines()[2:]] == names()
    assert run.err == ""
