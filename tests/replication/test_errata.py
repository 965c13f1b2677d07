"""Errata: each names a command, and the command shows what is claimed."""

from __future__ import annotations

import shlex
from collections.abc import Callable
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


@pytest.fixture
def lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Erratum, Path], list[str]]:
    """What is not in the output of the command, with the data in a folder."""

    def run(erratum: Erratum, data: Path) -> list[str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PLAINLY_DATA", str(data))
        monkeypatch.setenv("COLUMNS", "1000")
        assert main(words(erratum)) == 0
        out = capsys.readouterr().out
        return [text for text in erratum.shows if text not in out]

    return run


@pytest.mark.slow
@each_erratum
def test_the_command_shows_it(erratum: Erratum, shared: Path, lacking: Callable[[Erratum, Path], list[str]]) -> None:
    assert erratum.shows
    assert lacking(erratum, shared / "data") == []


@pytest.mark.parametrize("erratum", [one for _, one in ERRATA if one.printed], ids=lambda one: one.name)
def test_printed_numbers_alone_show_it(
    erratum: Erratum, tmp_path: Path, lacking: Callable[[Erratum, Path], list[str]]
) -> None:
    assert lacking(erratum, tmp_path / "empty") == []
