"""What the commands have in common: a parser that speaks plainly, and options that mean the same everywhere."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from plainly.base.errors import PlainlyError, UnknownName, nearest
from plainly.base.patterns import home
from plainly.cli.help import USUAL, HelpFormatter, help_of
from plainly.cli.patterns import Files
from plainly.cli.vocabulary import COMMANDS_OTHERWISE, OTHERWISE, described

if TYPE_CHECKING:
    from plainly.inference import Resampling

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
Run = Callable[[argparse.Namespace], int | None]

TYPES = {"int": int, "float": float}  # of the values of options
BY_ENDING = "default: by the ending of FILE, else table"


class _StoreOnce(argparse._StoreAction):
    """Stores the value of an option; a second value is an error, not a silent replacement."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        given = namespace.__dict__.setdefault("given", set())
        if self.dest in given and option_string:
            parser.error(f"{option_string} is given twice")
        given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


class MetricNames(argparse.Action):
    """Names of metrics, in any case: several words, commas and repeats are the same thing."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        from plainly.metrics.registry import as_registered

        namespace.__dict__.setdefault("given", set()).add(self.dest)
        before = [getattr(namespace, self.dest) or ""]
        words = [as_registered(name.strip()) for value in values for name in value.split(",")]
        setattr(namespace, self.dest, ",".join(filter(None, [*before, *words])))


SEVERAL = ("references", "reference")
"""Of these, a table may have several columns."""


class ColumnNames(argparse.Action):
    """What columns are called, as NAME=COLUMN: commas and repeats are the same thing."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        namespace.__dict__.setdefault("given", set()).add(self.dest)
        found = dict(getattr(namespace, self.dest) or {})
        for part in values.split(","):
            name, equals, column = (word.strip() for word in part.partition("="))
            if not (name and equals and column):
                raise PlainlyError(f"{option_string} takes NAME=COLUMN, as {self.metavar}, not {part!r}")
            if name in found:
                several = f"; several of them are {name}={found[name]}+{column}" if name in SEVERAL else ""
                raise PlainlyError(f"{option_string} says twice which column {name} is{several}")
            found[name] = column
        setattr(namespace, self.dest, found)


def add_columns(options: argparse._ArgumentGroup, example: str, about: str) -> None:
    """What the columns of a table are called; `example` has its usual names."""
    options.add_argument("--columns", metavar=example, action=ColumnNames, help=about)


def add_faults(options: argparse._ArgumentGroup) -> None:
    """What becomes of answers of readers that cannot be right."""
    options.add_argument(
        "--faults",
        choices=["refuse", "apart"],
        default="refuse",
        help="rows that cannot be right: refuse the file (default), or keep them apart, listed and counted",
    )


class _Form(_StoreOnce):
    """Stores in which form findings are printed. The forms are asked for only here: --help stays quick."""

    def __init__(self, *arguments: Any, more: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._more = more

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        from plainly.findings import forms

        known = [*forms(), *self._more]
        if values not in known:
            raise UnknownName(f"value of {option_string}", values, known)
        super().__call__(parser, namespace, values, option_string)


class WrittenTo(_StoreOnce):
    """Stores the name of the file that findings are written to; its ending says the form, unless --format does."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        super().__call__(parser, namespace, values, option_string)
        namespace.written_to = values  # until all options are read: --format may come later


FILES = ("--sources", "--references", "--system")
PAGE = ("html", "htm")
PICTURES = (".svg", ".pdf")


class OneOfEndings(_StoreOnce):
    """Stores the name of a file that is not made of findings; an ending that cannot be written is refused at once."""

    def __init__(self, *arguments: Any, what: str = "", endings: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._what = what
        self._endings = endings

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        insist_ending(values, self._what, self._endings)
        super().__call__(parser, namespace, values, option_string)


def insist_ending(path: str | None, what: str, endings: Sequence[str]) -> None:
    """A name without an ending may hold anything; one with another ending says what is not true."""
    ending = Path(path or "").suffix.lower().removeprefix(".")
    if ending and ending not in endings:
        raise PlainlyError(f"{what} is written as {' or '.join(endings)}; for {path} choose such an ending")


def form_for(path: str | None, others: Iterable[str] = ()) -> str:
    """The form that the ending of a file says, which might be one of `others`; without one, that for people."""
    from plainly.findings import form_of

    return form_of(path, others) if path and Path(path).suffix else "table"


class _Actions(argparse._SubParsersAction):  # type: ignore[type-arg]
    """Actions of a command. Options before the action are refused: they would be lost without a word."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        usual: dict[str, Any] = {}
        for option in parser._actions:
            if option.option_strings:
                usual.setdefault(option.dest, option.default)  # of two options of one name, the first has the default
        given = {name for name, default in usual.items() if getattr(namespace, name, default) != default}
        given |= getattr(namespace, "given", set())
        if not all(_keeps(self.choices[values[0]], name) for name in given):
            parser.error(f"options go after {values[0]}: {parser.prog} {values[0]} ...")
        super().__call__(parser, namespace, values, option_string)


def _keeps(parser: argparse.ArgumentParser, name: str) -> bool:
    """Whether an action, or one of its own, leaves a value as it was: its option has no default."""
    return any(
        any(_keeps(own, name) for own in option.choices.values())
        if isinstance(option, argparse._SubParsersAction)
        else option.dest == name and option.default is argparse.SUPPRESS
        for option in parser._actions
    )


class Group(argparse._ArgumentGroup):
    """Options under one title. What a name means everywhere begins its help; `~` may begin files to be read."""

    def add_argument(self, *names: Any, **arguments: Any) -> argparse.Action:
        if names[-1:] and names[-1].startswith("--"):
            arguments["help"] = described(names[-1], arguments.get("help"))
        if arguments.get("metavar") == "FILE" and "nargs" not in arguments and names[-1] != "--output":
            arguments.setdefault("type", home)
        return super().add_argument(*names, **arguments)


class UnknownOption(PlainlyError):
    """An option that the command does not have; another may."""

    def __init__(self, said: str, meant: str, command: str, options: Sequence[str]) -> None:
        super().__init__(f"{said}{meant or f' (see {command} --help)'}")
        self.said = f"{said}{meant}"
        self.options = tuple(options)


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints fit on one line and name the nearest thing that it knows.

    Its --help has the usual options where there are many; --help-all has all of them, by group.
    """

    sections: Mapping[str, Sequence[str]] = MappingProxyType({})
    """Titles of commands in the help, by what a user wants."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": HelpFormatter, "allow_abbrev": False, **settings})
        self.register("action", None, _StoreOnce)
        self.register("action", "parsers", _Actions)
        if self.prog in USUAL:
            self.add_argument("--help-all", action=_HelpAll, nargs=0, help="show all options, by group, and exit")

    def add_subparsers(self, **settings: Any) -> Any:
        return super().add_subparsers(**settings, parser_class=Parser)

    def format_help(self) -> str:
        return help_of(self, everything=self.prog not in USUAL)

    def add_argument_group(self, *arguments: Any, **settings: Any) -> Group:
        group = Group(self, *arguments, **settings)
        self._action_groups.append(group)
        return group

    def error(self, message: str) -> NoReturn:
        raise PlainlyError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, unknown = super().parse_known_args(args, namespace)
        path = options.__dict__.pop("written_to", None)
        if path is not None and "format" not in options.given:
            ending = Path(path).suffix.lower()
            drawn = PICTURES if getattr(options, "picture", None) is not None else ()
            if ending in drawn:
                options.picture = ending
            else:
                options.format = form_for(path, drawn)
        if unknown:
            self._refuse(unknown)
        return options, unknown

    def _refuse(self, words: Sequence[str]) -> NoReturn:
        """Says what is wrong with words that nobody expects, and what was probably meant."""
        known = {name: name for name in self._option_string_actions}
        other = {word: name for word, name in OTHERWISE.items() if name.partition(" ")[0] in known}
        dashed = [one.partition("=")[0] for one in words if one.startswith("-")]
        near = [nearest(word.lower(), {**other, **known}) for word in dashed]
        meant = ", ".join(repr({**known, **other}[word]) for word in near if word)
        if dashed:
            said = f"unknown option{'s' if len(dashed) > 1 else ''} {', '.join(map(repr, dashed))}"
            raise UnknownOption(said, f"; did you mean {meant}?" if meant else "", self.prog, dashed)
        named = [f"{name} {words[0]}" for name in FILES if name in known]
        hint = f"Say what it is: {', '.join(named)}" if named else "No argument is expected here"
        self.error(f"what is {words[0]!r}? {hint}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            if isinstance(action, argparse._SubParsersAction):
                raise UnknownName("command", str(value), action.choices, COMMANDS_OTHERWISE)
            raise UnknownName(f"value of {(*action.option_strings, action.dest)[0]}", str(value), action.choices)


class _HelpAll(argparse.Action):
    """Prints all options, by group."""

    def __call__(self, parser: Any, *given: Any) -> None:
        parser._print_message(help_of(parser, everything=True), sys.stdout)
        parser.exit()


def add_command(commands: Commands, name: str, summary: str, example: str, home: str) -> Parser:
    """A command or an action of one; `home` is the module under `plainly.cli` whose `run` does it."""
    command = commands.add_parser(
        name, help=summary, description=summary[0].upper() + summary[1:] + ".", epilog=f"example:\n{example}"
    )

    def load() -> Run:
        run: Run = import_module(f"plainly.cli.{home}").run
        return run

    command.set_defaults(load=load)
    return command


def add_request_options(command: Parser, baselines: str = "none", columns: bool = True) -> argparse._ArgumentGroup:
    """What to score and how, the same for every command that scores; returns the group of metric options.

    Without `columns`, the command has names of columns itself, for other tables, too.
    """
    add_text_options(command, columns)
    metrics = add_metric_options(command, "sari,bleu,fkgl")
    metrics.add_argument(
        "--baselines",
        metavar="NAMES",
        help=f"default: {baselines}",
    )
    return metrics


def add_text_options(command: Parser, columns: bool = True) -> None:
    """Which texts, and what to make of them."""
    files = add_text_files(command, columns=columns)
    files.add_argument(
        "--empty-reference",
        choices=["error", "missing", "keep"],
        default="error",
    )
    files.add_argument(
        "--unit",
        choices=["segment", "document"],
        default="segment",
    )
    files.add_argument("--test-set", metavar="NAME")
    files.add_argument("--against", choices=["published"])
    files.add_argument("--demo", action="store_true")


def add_text_files(command: Parser, references: str | None = None, columns: bool = True) -> argparse._ArgumentGroup:
    """Which texts; `references` says what becomes of references."""
    files = command.add_argument_group("input", "line files, or one file of records; FILE may be - (standard input)")
    files.add_argument("--sources", metavar="FILE")
    add_files(files, "--references", references)
    add_systems(files)
    files.add_argument("--data", metavar="FILE")
    files.add_argument("--data-format", choices=["jsonl", "csv", "tsv", "parquet"])
    if columns:
        add_data_columns(files)
    return files


def add_data_columns(files: argparse._ArgumentGroup) -> None:
    """What the columns of --data are called."""
    add_columns(
        files,
        "source=COLUMN,...",
        "in --data: source, references (several as a+b), output, id, system; another NAME is a system, as "
        "source=src,references=ref,muss=muss_out",
    )


def add_systems(files: argparse._ArgumentGroup) -> None:
    """The outputs of systems."""
    files.add_argument("--system", metavar="NAME=FILE", nargs="+", action="extend", default=[])


def add_repeated(options: argparse._ArgumentGroup, name: str, metavar: str, about: str | None = None) -> None:
    """An option that may be given several times; without it, the list is empty."""
    options.add_argument(name, metavar=metavar, action="append", default=[], help=about)


def add_files(
    options: argparse._ArgumentGroup,
    name: str,
    about: str | None = None,
    metavar: str = "FILE",
    required: bool = False,
    words: bool = True,
) -> None:
    """Files, by repeats and patterns; a metavar with a name takes NAME=FILE.

    With `words`, also several at once: not where other words may follow, as the name of an action.
    """
    default: list[str] | None = None if required else []
    options.add_argument(
        name,
        metavar=metavar,
        nargs="+" if words else None,
        action=Files,
        named="=" in metavar,
        required=required,
        default=default,
        help=about,
    )


def add_groups(options: argparse._ArgumentGroup, groups: str) -> None:
    """Groups that results are told for; `groups` says which there are."""
    options.add_argument("--by", metavar="NAMES", type=_listed, action="extend", default=[], help=groups)


def _listed(text: str) -> list[str]:
    """What stands between the commas."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("names no column")
    return names


def add_metric_options(command: Parser, default: str) -> argparse._ArgumentGroup:
    """Which metrics, with which settings."""
    metrics = command.add_argument_group("metrics")
    metrics.add_argument(
        "--metrics",
        metavar="NAME",
        nargs="+",
        action=MetricNames,
        help=f"default: {default}",
    )
    add_setting_options(metrics)
    return metrics


@cache
def setting_options() -> list[tuple[str, dict[str, Any]]]:
    """The options of settings of plainly's metrics, and what `add_argument` is told of each; `dest` is the setting.

    They are generated from the metrics (docs/generate.py), so that no metric need be imported for them.
    """
    found: list[tuple[str, dict[str, Any]]] = json.loads(
        Path(__file__).with_name("metric_options.json").read_text("utf-8")
    )
    return found


def add_setting_options(metrics: argparse._ArgumentGroup) -> None:
    """The settings of metrics, whichever they are."""
    metrics.add_argument("--profile", metavar="NAME")
    metrics.add_argument("--lang", help="default: en, or that of the profile or the test set")
    for _, same in groupby(setting_options(), lambda one: one[1]["dest"]):  # a switch and its opposite set the same
        either = metrics.add_mutually_exclusive_group()
        for option, arguments in same:
            kind = {"type": TYPES[arguments["type"]]} if "type" in arguments else {}
            either.add_argument(option, **{**arguments, **kind, "help": described(option, arguments["help"])})
    metrics.add_argument("--idf", action="store_true", help="bertscore: tokens rare in the references weigh more")
    add_repeated(metrics, "--set", "METRIC.NAME=VALUE")


def add_run_options(output: argparse._ArgumentGroup) -> None:
    output.add_argument("--threads", type=int, metavar="N")
    output.add_argument("--quiet", action="store_true")


def add_resampling_options(command: Parser) -> argparse._ArgumentGroup:
    sampling = add_interval_options(command, None)
    sampling.add_argument("--interval", metavar="METHOD", default="percentile")
    return sampling


def seed_number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 on, not {text!r}")
    return int(text)


def add_actions(commands: Commands, name: str, summary: str, example: str, home: str) -> Commands:
    """A command that consists of actions; what it returns takes them by `add_command`."""
    command = add_command(commands, name, summary, example, home)
    actions: Commands = command.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    return actions


def add_interval_options(
    action: Parser,
    drawn: str | None,
    title: str = "resampling",
) -> argparse._ArgumentGroup:
    """How intervals are made; `drawn` says what a study draws anew. Tests may draw more than is usual."""
    sampling = action.add_argument_group(title, drawn)
    sampling.add_argument("--resamples", type=int, metavar="B")
    sampling.add_argument("--seed", type=seed_number, default=12345, help="default: 12345")
    sampling.add_argument("--confidence", type=float, default=0.95)
    return sampling


def studied_resampling(options: argparse.Namespace, unit: str) -> Resampling:
    """What `add_interval_options` says of intervals; `unit` is what the study draws."""
    from plainly.inference import RESAMPLES, Resampling  # when a command runs: --help stays quick

    resamples = RESAMPLES if options.resamples is None else options.resamples
    return Resampling(resamples, options.seed, options.confidence, unit=unit)


def add_table_options(
    action: Parser, tables: Sequence[str] = (), *, pictures: bool = False
) -> argparse._ArgumentGroup:
    """In which form tables are printed, and where; and which of them, where there are several.

    With `pictures`, what is found has charts too: `-o FILE.svg` draws one.
    """
    action.set_defaults(picture="" if pictures else None)
    output = action.add_argument_group("output")
    if tables:
        output.add_argument("--table", choices=tables, help="default: all")
    add_form_options(output)
    output.add_argument("--quiet", action="store_true")
    return output


def add_file_options(action: Parser, about: str, required: bool = False) -> None:
    """The file of records that are written; `about` says what is in it."""
    output = action.add_argument_group("output")
    output.add_argument("-o", "--output", metavar="FILE", required=required, help=about)
    output.add_argument("--quiet", action="store_true")


def add_format_option(
    output: argparse._ActionsContainer,
    about: str = BY_ENDING,
    default: str | None = "table",
    more: Sequence[str] = (),
) -> None:
    """The form of findings alone; `more` are forms of what is printed in their place."""
    output.add_argument("--format", metavar="FORM", action=_Form, more=more, default=default, help=about)


def add_form_options(output: argparse._ArgumentGroup, more: str | None = None) -> None:
    """The form of a table, and the file that it is written to."""
    add_format_option(output)
    output.add_argument("-o", "--output", metavar="FILE", action=WrittenTo, help=more)


def add_judgement_options(action: Parser, *, required: bool = True) -> argparse._ArgumentGroup:
    """Which judgements to read, the same for every action that reads them (`cli.judgement_inputs` reads them)."""
    files = action.add_argument_group(
        "judgements", "CSV, TSV or JSONL (also .gz) with first, second, winner, rater; or histories of ARTS"
    )
    add_files(files, "--judgements", metavar="[RATER=]FILE")
    if required:  # as most people type it: without the option
        files.add_argument(
            "judgements", metavar="[RATER=]FILE", nargs="*", action=Files, named=True, default=[], help="the same"
        )
    files.add_argument("--winner", metavar="MEANING")
    files.add_argument("--texts", metavar="FILE", help="judgements of others are refused")
    add_columns(
        files,
        "first=COLUMN,...",
        "as first=left,second=right,winner=preferred,rater=worker; id and text: of --texts",
    )
    return files


def add_engine_options(command: Parser, resume: bool = True) -> argparse._ArgumentGroup:
    """On how many cores or machines, and what happens to input that cannot be used."""
    group = command.add_argument_group("big runs", "in parts, on many cores or machines")
    group.add_argument("--workers", type=int, metavar="N")
    where = group.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="URL", help="run on a Dask cluster, as tcp://HOST:8786")
    where.add_argument("--slurm", metavar="FILE", help="run on a SLURM cluster, as a TOML file describes it")
    if resume:
        group.add_argument("--resume", action="store_true", help="go on with a run that was broken off")
    group.add_argument("--on-error", choices=["stop", "skip"])
    return group
