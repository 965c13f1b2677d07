"""One vocabulary: an option of one name is the same thing in every command; help that fits a screen."""

from __future__ import annotations

import argparse
import inspect
import shlex
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cases import each

from plainly.cli.help import USUAL
from plainly.cli.options import Parser
from plainly.cli.parser import COMMANDS, SECTIONS, build_parser
from plainly.cli.vocabulary import MEANINGS

LINES = 40  # of a screen, at 100 columns

OWN_DEFAULTS = {
    "--all": "metaeval names the folder in which all data sets lie",
    "--coefficient": "operations follow a paper that took Spearman's",
    "--format": "three commands decide it when all options are known",
    "--output": "a page must have a name",
    "--runs": "each kind of study has its own precision",
    "--seconds": "a judgement and an answer take different times",
    "--seed": "gaming, filter and operations train keep the seed of their published numbers; a campaign draws one",
    "--tagger": "what is trained cannot be chosen by itself",
    "--test-set": "a sample of texts is drawn from several",
}
OWN_CHOICES = {
    "--table": "each study has its own tables",
    "--tagger": "rules cannot be trained",
}
OWN_FORMS = {
    "--all": "metaeval names the folder in which all data sets lie",
    "--participants": "a plan is for one number, a curve of power has several",
    "--test-set": "a sample of texts is drawn from several",
}
"""Options that differ in one way, and why."""


def leaves(parser: argparse.ArgumentParser) -> Iterator[Parser]:
    assert isinstance(parser, Parser)
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for own in action.choices.values():
                yield from leaves(own)


ROOT = build_parser()
PARSERS = {parser.prog: parser for parser in leaves(ROOT)}
OPTIONS: dict[str, dict[str, argparse.Action]] = defaultdict(dict)
for program, one in PARSERS.items():
    for found in one._actions:
        if found.option_strings and found.option_strings[-1] not in ("--help", "--help-all"):
            OPTIONS[found.option_strings[-1]][program] = found
SHARED = {name: actions for name, actions in OPTIONS.items() if len(actions) > 1}


def form(action: argparse.Action) -> tuple[object, ...]:
    """How values are given: once or several times, how many, of which kind."""
    several = isinstance(action, (argparse._AppendAction, argparse._ExtendAction))
    return action.dest, several, action.nargs, action.type, tuple(action.option_strings)


def differing(kind: Any, own: dict[str, str]) -> set[str]:
    return {name for name, actions in SHARED.items() if len({kind(one) for one in actions.values()}) > 1} ^ set(own)


def test_the_same_name_takes_the_same_value() -> None:
    assert differing(form, OWN_FORMS) == set()


def test_the_same_name_has_the_same_default() -> None:
    def usual(action: argparse.Action) -> str:
        return str(None if action.default == argparse.SUPPRESS else action.default)

    assert differing(usual, OWN_DEFAULTS) == set()


def test_the_same_name_has_the_same_choices() -> None:
    assert differing(lambda action: tuple(action.choices or ()), OWN_CHOICES) == set()


def test_the_same_name_has_the_same_meaning() -> None:
    meaningless = {}
    for name, actions in SHARED.items():
        helps = {str(action.help) for action in actions.values()}
        if name not in MEANINGS and len(helps) > 1:
            meaningless[name] = helps
        if name in MEANINGS:
            assert all(text.startswith(MEANINGS[name]) for text in helps), name
    assert meaningless == {}


def test_the_address_of_the_studio_is_not_that_of_a_model() -> None:
    said = {program: action.help or "" for program, action in OPTIONS["--url"].items()}
    assert {program for program, text in said.items() if "OpenAI" in text} == set(said) - {"plainly studio"}


def test_every_word_is_used() -> None:
    assert set(MEANINGS) <= set(OPTIONS)


def test_every_argument_has_help() -> None:
    silent = [
        (program, action.dest)
        for program, parser in PARSERS.items()
        for action in parser._actions
        if not action.help and not isinstance(action, argparse._SubParsersAction)
    ]
    assert silent == []


def test_help_fits_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    long = {program: len(parser.format_help().splitlines()) for program, parser in PARSERS.items()}
    assert {program: lines for program, lines in long.items() if lines > LINES} == {}


@each("program", [program for program in PARSERS if program != "plainly"])
def test_every_help_has_an_example_that_parses(program: str) -> None:
    _, _, text = (PARSERS[program].epilog or "").partition("\n")
    calls = [line for line in inspect.cleandoc(text).replace("\\\n", "").splitlines() if "plainly " in line]
    assert calls
    for call in calls:
        words = shlex.split(call)
        ROOT.parse_args(words[words.index("plainly") + 1 :])


def test_all_options_are_one_word_away(plainly: Any) -> None:
    usual, everything = (plainly("score", word).printed for word in ("--help", "--help-all"))
    assert "plainly score --help-all shows" in usual
    assert "--fail-under" not in usual
    every = {action.option_strings[-1] for action in PARSERS["plainly score"]._actions}
    assert all(name in everything for name in every)
    assert set(USUAL) <= set(PARSERS)


def test_every_command_has_a_place_in_the_help(plainly: Any) -> None:
    placed = [name for names in SECTIONS.values() for name in names]
    assert len(placed) == len(set(placed))
    assert {name for name in COMMANDS if name} <= set(placed)
    printed = plainly("--help").printed
    assert printed.index("score and compare") < printed.index("judgements by people")
    for name in COMMANDS:
        assert f"\n  {name} " in printed
