"""The command, run as its users run it, and a small test set in files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from plainly.cli import main
from plainly.demo import demo_corpus

COMMAND = Path(sys.executable).parent / "plainly"

SOURCES = [
    "The committee postponed the vote because several members were absent.",
    "Owing to the inclement weather, the match was abandoned at half-time.",
    "The museum, which reopened in 2019, houses an extensive collection of maps.",
    "Residents are requested to refrain from parking on the pavement.",
    "The physician prescribed antibiotics to combat the infection.",
    "He relinquished his position in order to attend to his family.",
]
REFERENCES = [
    [
        "The committee put off the vote because some members were away.",
        "The match was stopped at half-time because of bad weather.",
        "The museum opened again in 2019. It has many maps.",
        "Please do not park on the pavement.",
        "The doctor gave antibiotics for the infection.",
        "He gave up his job to look after his family.",
    ],
    [
        "The committee delayed the vote. Several members were absent.",
        "Because of the bad weather, the match ended at half-time.",
        "The museum reopened in 2019 and has a large collection of maps.",
        "Residents are asked not to park on the pavement.",
        "The doctor prescribed antibiotics to fight the infection.",
        "He left his position to care for his family.",
    ],
]
OUTPUTS = {
    "mine": [
        "The committee delayed the vote because members were away.",
        "The match was stopped at half-time because of the weather.",
        "The museum reopened in 2019. It has many maps.",
        "Please do not park on the pavement.",
        "The doctor prescribed antibiotics to fight the infection.",
        "",
    ],
    "other": [
        "The committee postponed the vote.",
        "Owing to the inclement weather, the match was abandoned at half-time.",
        "The museum houses an extensive collection of maps.",
        "Residents are requested to refrain from parking.",
        "The physician prescribed antibiotics.",
        "He relinquished his position to attend to his family.",
    ],
}


@dataclass(frozen=True)
class Run:
    """What a run of the command left behind."""

    status: int
    out: str
    err: str

    @property
    def printed(self) -> str:
        """What a run that went well printed."""
        assert self.status == 0, self.err
        return self.out

    @property
    def json(self) -> Any:
        """The same as JSON, in which NaN and Infinity do not exist."""
        return json.loads(self.printed, parse_constant=_no_such_number)

    @property
    def rows(self) -> list[Any]:
        """The same as JSON Lines."""
        return [json.loads(line, parse_constant=_no_such_number) for line in self.printed.splitlines()]

    @property
    def refusal(self) -> str:
        """The one line that a run on bad input printed."""
        assert self.status == 2, (self.status, self.err)
        assert self.out == ""
        assert self.err.startswith("plainly: ")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        return self.err.removeprefix("plainly: ").removesuffix("\n")


def _no_such_number(name: str) -> NoReturn:
    raise AssertionError(f"{name} is not JSON")


Plainly = Callable[..., Run]


@pytest.fixture
def plainly(capsys: pytest.CaptureFixture[str]) -> Plainly:
    """Runs the command in this process."""

    def run(*arguments: object) -> Run:
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:  # --help and --version
            status = int(end.code or 0)
        out, err = capsys.readouterr()
        return Run(status, out, err)

    return run


@pytest.fixture
def command() -> Plainly:
    """Runs the installed command in a process of its own."""

    def run(*arguments: object, stdin: bytes = b"", **environment: str) -> Run:
        done = subprocess.run(
            [COMMAND, *map(str, arguments)], input=stdin, capture_output=True, env={**os.environ, **environment}
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The test set as line files, and the arguments that name them."""
    _write("src.txt", SOURCES)
    _write("ref.0", REFERENCES[0])
    _write("ref.1", REFERENCES[1])
    arguments = ["--sources", "src.txt", "--references", "ref.0", "--references", "ref.1"]
    for system, texts in OUTPUTS.items():
        _write(f"{system}.txt", texts)
        arguments += ["--system", f"{system}={system}.txt"]
    return arguments


@pytest.fixture
def many_files(tmp_path: Path) -> list[str]:
    """2500 segments, which are more than one chunk; no two neighbours are alike."""
    places = range(2500)
    _write("src.txt", [_varied(SOURCES, i) for i in places])
    _write("ref.0", [_varied(REFERENCES[0], i) for i in places])
    _write("mine.txt", [_varied(OUTPUTS["mine"], i) for i in places])
    return ["--sources", "src.txt", "--references", "ref.0", "--system", "mine=mine.txt"]


def _varied(texts: list[str], i: int) -> str:
    return f"{texts[i % len(texts)]} Number {i} of {texts[i * i % 5]}"


def _write(name: str, lines: list[str]) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@dataclass(frozen=True)
class TestSet:
    """The test set in memory."""

    __test__ = False
    sources = SOURCES
    references = tuple(zip(*REFERENCES, strict=True))
    outputs = OUTPUTS


@pytest.fixture
def test_set() -> TestSet:
    return TestSet()


@pytest.fixture
def demo_files() -> list[str]:
    """The demo set as files, and a system that ran three times."""
    corpus = demo_corpus("en")
    Path("src.txt").write_text("".join(f"{text}\n" for text in corpus.sources), "utf-8")
    for place in range(3):
        lines = (group[place] for group in corpus.references)
        Path(f"ref.{place}").write_text("".join(f"{text}\n" for text in lines), "utf-8")
    for name, texts in corpus.outputs.items():
        Path(f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    draw = np.random.default_rng(1)
    better, worse = corpus.outputs["careful-writer"], corpus.outputs["splitter"]
    for seed in (1, 2, 3):
        mixed = [b if draw.random() < 0.8 else w for b, w in zip(better, worse, strict=True)]
        Path(f"seed{seed}.txt").write_text("".join(f"{text}\n" for text in mixed), "utf-8")
    return ["--sources", "src.txt", *(item for i in range(3) for item in ("--references", f"ref.{i}"))]
