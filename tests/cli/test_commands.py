"""compare-signatures, --version and the help of every command."""

from __future__ import annotations

import csv
import io
import json
import shlex
from typing import Any

import pytest

import plainly as package
from plainly.cli.parser import build_parser

SARI = "sari|lang:en|tok:13a|case:lower|refs:10|variant:easse|plainly:0.1.0"
OTHER = "sari|lang:en|tok:none|case:mixed|refs:8|variant:star|plainly:0.1.0"
COMMANDS = next(list(action.choices) for action in build_parser()._actions if isinstance(action.choices, dict))


def test_version(plainly: Any) -> None:
    assert plainly("--version").printed == f"plainly {package.__version__}\n"


def test_help_names_every_command(plainly: Any) -> None:
    assert {"score", "compare-signatures", "doctor"} <= set(COMMANDS)
    printed = plainly("--help").printed
    for command in COMMANDS:
        assert f"\n  {command} " in printed


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_that_parse(command: str, plainly: Any) -> None:
    printed = plainly(command, "--help").printed
    _, _, example = printed.partition("\nexample:\n")
    lines = example.replace("\\\n", "").strip().splitlines()
    assert lines
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == "plainly"
        assert arguments[0] == command
        build_parser().parse_args(arguments)


def test_equal_signatures(plainly: Any) -> None:
    assert plainly("compare-signatures", SARI, SARI).printed.startswith("Same settings: ")
    content = plainly("compare-signatures", SARI, SARI, "--format", "json").json
    assert content == {"plainly": package.__version__, "comparable": True, "differences": []}


def test_short_and_long_signatures_are_the_same(plainly: Any, files: list[str]) -> None:
    result = plainly("score", *files, "--cased", "--format", "json").json["systems"]["mine"]["bleu"]
    short, long = result["signature"], result["long_signature"]
    fields = plainly("compare-signatures", short, long, "--format", "json").json["differences"]
    assert not {"tokenizer", "lowercase", "references", "lang", "metric"} & {found["field"] for found in fields}


def test_different_signatures(plainly: Any) -> None:
    run = plainly("compare-signatures", SARI, OTHER, "--format", "json")
    assert run.status == 1
    content = json.loads(run.out)
    assert content["comparable"] is False
    assert [(d["field"], d["first"], d["second"]) for d in content["differences"]] == [
        ("tokenizer", "13a", "none"),
        ("lowercase", "lower", "mixed"),
        ("references", "10", "8"),
        ("variant", "easse", "star"),
    ]
    assert all(found["meaning"] for found in content["differences"])
    table = plainly("compare-signatures", SARI, OTHER).out.splitlines()
    assert table[0].startswith("Not comparable: ")
    assert table[2].split() == ["setting", "A", "B", "what", "it", "means"]
    assert len(table) == 8
    rows = list(csv.DictReader(io.StringIO(plainly("compare-signatures", SARI, OTHER, "--format", "csv").out)))
    assert [row["setting"] for row in rows] == ["tokenizer", "lowercase", "references", "variant"]


@pytest.mark.parametrize("bad", ["", "sari|13a", "tok:13a", "|tok:13a"])
def test_what_is_no_signature(bad: str, plainly: Any) -> None:
    assert plainly("compare-signatures", SARI, bad).refusal.startswith(f"not a signature: {bad!r}")


def test_two_signatures_are_needed(plainly: Any) -> None:
    assert "required: B" in plainly("compare-signatures", SARI).refusal
