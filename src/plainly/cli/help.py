"""How help looks: a screen of usual options, or all of them by group."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plainly.cli.options import Parser

WIDTH = 100  # longer lines are hard to read
COLUMN = 30  # where the explanations begin

TEXTS = ("--sources", "--references", "--system", "--data", "--test-set")
ANNOTATED = ("--annotations", "--sources", "--targets")
WRITTEN = ("--format", "--output")
USUAL: Mapping[str, Sequence[str]] = {
    f"plainly {command}": options
    for command, options in {
        "score": (*TEXTS, "--demo", "--metrics", "--lang", "--tokenizer", "--list", "--per-segment", *WRITTEN),
        "compare": (*TEXTS, "--metrics", "--lang", "--baseline", "--by", "--table", "--test", *WRITTEN),
        "report": (*TEXTS, "--metrics", "--lang", "--baseline", "--operations", "--gaming", "--title", "--output"),
        "filter": ("--data", "--keep", "--unique", "--lang", "--dropped", "--with-scores", "--dry-run", "--output"),
        "gaming": (*TEXTS, "--metrics", "--edits", "--list", "--strengths", "--deceive", "--table", *WRITTEN),
        "operations stats": (*ANNOTATED, "--crp", "--alias", "--beside", "--erroneous", "--table", *WRITTEN),
        "operations correlate": (
            *(*ANNOTATED, "--references", "--metrics", "--classes", "--presence", "--coefficient", "--regress"),
            *("--table", *WRITTEN),
        ),
        "operations subset": (
            *ANNOTATED,
            "--system",
            "--metrics",
            "--subset",
            "--within",
            "--write",
            "--table",
            *WRITTEN,
        ),
        "operations tag": (*TEXTS, "--lang", "--tokenized", "--tagger", "--model", "--workers", "--output"),
        "operations train": (
            *ANNOTATED,
            "--lang",
            "--tagger",
            "--leave-out",
            "--cross-validate",
            "--folds",
            "--output",
        ),
        "operations agreement": (*ANNOTATED, "--gold", "--errors", "--merge", "--table", "--annotator", *WRITTEN),
        "ranking sample": (
            *("--corpus", "--test-set", "--domain", "--lang", "--count", "--longest", "--mend", "--rounds"),
            *("--licence", "--add-scores", "--output"),
        ),
        "ranking simulate": (
            *("--count", "--pair-counts", "--method", "--pairing", "--accuracy", "--per-pair", "--target-rho"),
            *("--raters", "--runs", *WRITTEN),
        ),
        "ranking rate": (
            *("--judgements", "--winner", "--texts", "--votes", "--method", "--uncertainty"),
            *("--cross-validate", "--fewer-raters", *WRITTEN),
        ),
        "simplicity compare": (
            *("--judgements", "--winner", "--texts", "--test-texts", "--scores", "--high", "--embeddings"),
            *("--test-embeddings", "--encoder", "--learners", *WRITTEN),
        ),
        "ranking agreement": (
            *("--judgements", "--winner", "--texts", "--gold", "--yardstick", "--ties", "--by", "--table", *WRITTEN),
        ),
        "ranking report": ("--judgements", "--winner", "--texts", "--method", "--by", "--title", "--output"),
        "ranking judge": (
            *("--texts", "--pairs", "--url", "--model", "--key-variable", "--strategy", "--dry-run", "--max-cost"),
            *("--scores", "--output"),
        ),
        "ratings score": (
            *("--scales", "--columns", "--range", "--reference", "--by", "--values", "--checks", "--table", *WRITTEN),
        ),
        "comprehension score": (
            *("--experiment", "--faults", "--formula", "--guessing", "--outliers", "--baseline", "--table", *WRITTEN),
        ),
        "comprehension report": (
            *("--experiment", "--faults", "--by", "--guessing", "--outliers", "--baseline", "--table", "--title"),
            *WRITTEN,
        ),
        "comprehension simulate": (
            *("--experiment", "--correct", "--difference", "--faster", "--participants", "--power", "--runs"),
            *("--records", *WRITTEN),
        ),
        "metaeval": (
            *("--ratings", "--columns", "--ratings-set", "--ratings-folder", "--all", *TEXTS[:4], "--metrics"),
            *("--dimension", "--by", "--list", "--output"),
        ),
        "metaeval train": (
            *("--ratings", "--ratings-set", "--ratings-folder", *TEXTS[:4], "--dimension", "--inputs", "--held-out"),
            "--output",
        ),
    }.items()
}
"""What --help shows of commands whose options do not fit on a screen; --help-all has the rest."""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Explanations begin early enough to fit beside most options."""

    def __init__(self, prog: str) -> None:
        width = min(WIDTH, shutil.get_terminal_size().columns) - 2
        super().__init__(prog, max_help_position=COLUMN, width=width)

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        """FILE ... for one or more."""
        if action.nargs == "+" and action.option_strings:
            return f"{action.metavar or default_metavar} ..."
        return super()._format_args(action, default_metavar)


def help_of(parser: Parser, everything: bool) -> str:
    """The help of a command: `everything`, or its usual options alone."""
    formatter = parser._get_formatter()
    formatter.add_usage(_usage(parser), parser._actions, [])
    formatter.add_text(parser.description)
    for title, about, actions in _groups(parser) if everything else _usual(parser):
        formatter.start_section(title)
        formatter.add_text(about)
        formatter.add_arguments(actions)
        formatter.end_section()
    if not everything:
        rest = sum(bool(action.option_strings) for action in parser._actions) - len(USUAL[parser.prog])
        formatter.add_text(f"{parser.prog} --help-all shows {rest} more options, by group.")
    formatter.add_text(parser.epilog)
    return formatter.format_help()


def _usage(parser: Parser) -> str:
    """One line: what must be given, in order."""
    named = [action for action in parser._actions if action.required and action.option_strings]
    placed = [_placed(action) for action in parser._get_positional_actions()]
    needed = [f"{action.option_strings[-1]} {action.metavar or action.dest.upper()}" for action in named]
    return " ".join([parser.prog, *placed, *needed, "[options]"])


def _placed(action: argparse.Action) -> str:
    """How an argument without a name is written."""
    name = str(action.metavar or action.dest)
    forms = {"+": f"{name} [{name} ...]", "*": f"[{name} ...]", "?": f"[{name}]"}
    if isinstance(action, argparse._SubParsersAction) and not action.required:
        return f"[{name}]"
    return forms.get(str(action.nargs), name)


def _usual(parser: Parser) -> Iterator[tuple[str, str | None, Sequence[argparse.Action]]]:
    """What --help shows of many options; all that stands without a name."""
    shown = [parser._option_string_actions[name] for name in USUAL[parser.prog]]
    for title, about, actions in _groups(parser):
        if any(not action.option_strings for action in actions):
            yield title, about, [action for action in actions if not action.option_strings]
    yield "usual options", None, shown


def _groups(parser: Parser) -> Iterator[tuple[str, str | None, Sequence[argparse.Action]]]:
    """All arguments by group; where commands have titles, those stand first."""
    for group in parser._action_groups:
        commands = [one for one in group._group_actions if isinstance(one, argparse._SubParsersAction)]
        if commands and parser.sections:
            known: dict[str, Any] = {one.dest: one for one in commands[0]._choices_actions}
            for title, names in parser.sections.items():
                yield title, None, [known[name] for name in names if name in known]
        elif not parser.sections:
            yield group.title or "", group.description, group._group_actions
