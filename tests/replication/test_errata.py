"""Errata: each names a command, and the command shows what is claimed."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from plainly.cli import main
from plainly.cli.parser import build_parser
from plainly.replication import Erratum, load, names

ERRATA = [(name, erratum) for name in names() for erratum in load(name).errata]
each_erratum = pytest.mark.parametrize(
    "erratum", [one for _, one in ERRATA], ids=[f"{name}: {one.name}" for name, one in ERRATA]
)


def words(erratum: Erratum) -> list[str]:
    program, *rest = shlex.split(erratum.command)
    assert program == "plainly"
    return rest


@each_erratum
def test_the_command_is_one_of_ours(erratum: Erratum) -> None:
    arguments = words(erratum)
    build_parser(arguments[0]).parse_args(arguments)


@pytest.mark.slow
@each_erratum
def test_the_command_shows_it(
    erratum: Erratum,
    shared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    monkeypatch.setenv("COLUMNS", "1000")
    assert main(words(erratum)) == 0
    out = capsys.readouterr().out
    assert [text for text in erratum.shows if text not in out] == []
