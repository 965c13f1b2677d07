"""An ending that a command cannot write is refused before the work, with those that it can."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plainly.cli.options import OneOfEndings, WrittenTo
from plainly.cli.parser import COMMANDS, build_parser

NO_TABLES = {
    "filter": "rows in the format of the data",
    "operations convert": "refused by the writer of annotations",
    "operations tag": "refused by the writer of annotations",
    "operations train": "weights",
    "comprehension design": "refused by the command",
    "ranking sample": "a folder",
    "replicate": "tables, a picture of one figure, or a folder: refused by the command",
    "score": "tables or scores of segments: refused by the command",
    "statistics merge": "a folder",
    "studio export": "a folder or an archive",
}
"""Commands whose output is not decided when options are read, and why."""


def outputs(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, argparse.Action]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, own in action.choices.items():
                yield from outputs(own, f"{name} {word}".strip())
        elif "-o" in action.option_strings:
            yield name, action


FOUND = [one for command in COMMANDS if command for one in outputs(build_parser(command))]
FOUND = [(name, action) for name, action in dict(FOUND).items()]


def test_every_output_is_accounted_for() -> None:
    others = {name for name, action in FOUND if not isinstance(action, (OneOfEndings, WrittenTo))}
    assert others == set(NO_TABLES)


@pytest.mark.parametrize("name", [name for name, action in FOUND if isinstance(action, OneOfEndings)])
def test_files_that_are_no_findings(plainly: Any, name: str) -> None:
    run = plainly(*name.split(), "-o", "x.pdf")
    assert run.status == 2
    assert "is written as" in run.err
    assert "for x.pdf choose such an ending" in run.err


@pytest.mark.parametrize("words", [["report"], ["score"], ["score", "--list"], ["compare"], ["gaming"]])
def test_nothing_is_computed_or_written(plainly: Any, words: list[str]) -> None:
    run = plainly(*words, "--demo", "-o", "x.pdf")
    assert run.status == 2
    assert "html" in run.err
    assert not Path("x.pdf").exists()
