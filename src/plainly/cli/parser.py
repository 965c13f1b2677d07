"""All commands and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn

from plainly.errors import PlainlyError, UnknownName
from plainly.tables import FORMS
from plainly.version import __version__

Run = Callable[[argparse.Namespace], int | None]


class _StoreOnce(argparse._StoreAction):
    """Stores the value of an option; a second value is an error, not a silent replacement."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        given = namespace.__dict__.setdefault("given", set())
        if self.dest in given and option_string:
            parser.error(f"{option_string} is given twice")
        given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints fit on one line and name the nearest thing that it knows."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.register("action", None, _StoreOnce)

    def error(self, message: str) -> NoReturn:
        raise PlainlyError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, unknown = super().parse_known_args(args, namespace)
        if unknown and unknown[0].startswith("-"):
            raise UnknownName("option", unknown[0].partition("=")[0], self._option_string_actions)
        if unknown:
            self.error(f"what is {unknown[0]!r}? No argument is expected here")
        return options, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            kind = f"value of {action.option_strings[-1]}" if action.option_strings else "command"
            raise UnknownName(kind, str(value), action.choices)


def build_parser() -> Parser:
    parser = Parser(prog="plainly", description="Measure text simplification.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"plainly {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser, required=True)
    _add_score(commands)
    _add_compare(commands)
    _add_report(commands)
    _add_signatures(commands)
    _add_doctor(commands)
    _add_data(commands)
    _add_plugins(commands)
    _add_gaming(commands)
    return parser


def _command(
    commands: argparse._SubParsersAction[Parser], name: str, summary: str, example: str, home: str
) -> Parser:
    command = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )

    def load() -> Run:
        run: Run = import_module(f"plainly.cli.{home}").run
        return run

    command.set_defaults(load=load)
    return command


def _add_score(commands: argparse._SubParsersAction[Parser]) -> None:
    score = _command(
        commands,
        "score",
        "score the outputs of one or more systems",
        "  plainly score --sources src.txt --references ref.0 --references ref.1 \\\n"
        "      --system mine=out.txt --system other=out2.txt --metrics sari,bleu,fkgl --format json",
        "score",
    )
    metrics = add_request_options(score)
    metrics.add_argument("--list", action="store_true", help="list every metric with its facts and stop")
    metrics.add_argument(
        "--explain-sari",
        nargs="*",
        metavar="X",
        help="SARI under all settings; with two numbers or settings (variant,tokenizer,lower|cased): why they differ",
    )
    sampling = _add_resampling_options(score)
    sampling.add_argument("--no-intervals", action="store_true", help="scores only")
    output = score.add_argument_group("output")
    output.add_argument("--format", choices=FORMS, help="default: table (--per-segment: json, as JSONL)")
    output.add_argument("--components", action="store_true", help="show the parts of each score in tables too")
    output.add_argument("--per-segment", action="store_true", help="one row a segment and system (json or csv)")
    output.add_argument("-o", "--output", metavar="FILE", help="write to FILE, all or nothing")
    _add_run_options(output)


def add_request_options(command: Parser) -> argparse._ArgumentGroup:
    """What to score and how, the same for every command that scores; returns the group of metric options."""
    files = command.add_argument_group("input", "line files, or one file of records; FILE may be - (standard input)")
    files.add_argument("--sources", metavar="FILE", help="source texts, one a line")
    files.add_argument(
        "--references",
        metavar="FILE",
        action="append",
        default=[],
        help="references, one a line; may be repeated",
    )
    files.add_argument(
        "--system",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help="outputs of a system, one a line; may be repeated",
    )
    files.add_argument("--data", metavar="FILE", help="records: JSONL, CSV, TSV or Parquet (also .gz)")
    files.add_argument("--data-format", choices=["jsonl", "csv", "tsv", "parquet"], help="if not by file ending")
    files.add_argument(
        "--empty-reference",
        choices=["error", "missing", "keep"],
        default="error",
        help="what an empty reference is: an error (default), missing, or an empty text to be kept",
    )
    files.add_argument(
        "--unit",
        choices=["segment", "document"],
        default="segment",
        help="what to score: segments as they are (default), or documents, joined from the records of each",
    )
    files.add_argument("--test-set", metavar="NAME", help="a published test set; see plainly data list")
    files.add_argument(
        "--against", choices=["published"], help="with --test-set: also score the systems published with it"
    )
    files.add_argument("--demo", action="store_true", help="score the bundled demo systems on the demo test set")
    metrics = command.add_argument_group("metrics")
    metrics.add_argument(
        "--metrics",
        metavar="NAMES",
        help="comma-separated, NAME or NAME:VARIANT, or 'all' (default: sari,bleu,fkgl)",
    )
    metrics.add_argument("--lang", help="language of the texts (default: en, or that of the test set)")
    metrics.add_argument("--tokenizer", help="13a (default), intl, none, char, moses or penn")
    case = metrics.add_mutually_exclusive_group()
    case.add_argument(
        "--lowercase", action="store_true", default=None, help="lower-case first (default of sari and bleu)"
    )
    case.add_argument("--cased", dest="lowercase", action="store_false", help="keep upper and lower case apart")
    metrics.add_argument(
        "--empty-operation",
        metavar="RULE",
        help="SARI where nothing is to be done: zero (default), one or skip",
    )
    metrics.add_argument(
        "--reference-weighting",
        metavar="RULE",
        help="SARI with unequal references: segments (default) or counts",
    )
    metrics.add_argument("--model", help="bertscore, meaning: a folder or a name in the cache of the model hub")
    metrics.add_argument("--layer", type=int, metavar="N", help="bertscore: the layer of the model")
    metrics.add_argument("--idf", action="store_true", help="bertscore: tokens rare in the references weigh more")
    metrics.add_argument("--baseline-file", metavar="FILE", help="bertscore: rescale by this table (LAYER,P,R,F)")
    metrics.add_argument("--device", help="bertscore, meaning: auto (default), cpu, cuda or another device of torch")
    metrics.add_argument(
        "--baselines",
        metavar="NAMES",
        help="comma-separated: identity, truncate, reference (scored as systems)",
    )
    return metrics


def _add_run_options(output: argparse._ArgumentGroup) -> None:
    output.add_argument("--threads", type=int, metavar="N", help="threads to use (default: all cores)")
    output.add_argument("--quiet", action="store_true", help="no notes and no progress on standard error")


def _add_resampling_options(command: Parser) -> argparse._ArgumentGroup:
    sampling = command.add_argument_group("resampling")
    sampling.add_argument(
        "--resamples", type=int, metavar="B", help="how many (default: 1000, or what the number of tests needs)"
    )
    sampling.add_argument("--seed", type=_seed, default=12345, help="of the random numbers (default: 12345)")
    sampling.add_argument("--level", type=float, default=0.95, help="of the intervals (default: 0.95)")
    sampling.add_argument("--interval", choices=["percentile", "bca"], default="percentile")
    return sampling


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 on, not {text!r}")
    return int(text)


def _add_test_options(sampling: argparse._ArgumentGroup) -> None:
    sampling.add_argument("--test", choices=["bootstrap", "randomisation"], default="bootstrap")
    sampling.add_argument("--baseline", metavar="NAME", help="test every system against this one, not all pairs")


def _add_compare(commands: argparse._SubParsersAction[Parser]) -> None:
    compare = _command(
        commands,
        "compare",
        "compare systems: intervals, ranks and paired tests",
        "  plainly compare --sources src.txt --references ref.0 --references ref.1 \\\n"
        "      --system mine=out.txt --system other=out2.txt --baseline other --format latex",
        "compare",
    )
    add_request_options(compare)
    _add_test_options(_add_resampling_options(compare))
    output = compare.add_argument_group("output")
    output.add_argument("--format", choices=FORMS, default="table")
    output.add_argument("--pairs", action="store_true", help="the table of pairs instead of the table of systems")
    output.add_argument("-o", "--output", metavar="FILE", help="write to FILE, all or nothing")
    _add_run_options(output)


def _add_report(commands: argparse._SubParsersAction[Parser]) -> None:
    report = _command(
        commands,
        "report",
        "write one HTML page with scores, charts and all segments",
        "  plainly report --sources src.txt --references ref.0 --references ref.1 \\\n"
        "      --system mine=out.txt --system other=out2.txt --baseline other -o report.html",
        "report",
    )
    add_request_options(report)
    report.add_argument_group("benchmark").add_argument(
        "--benchmark",
        metavar="NAME",
        help="instead: the tables of a benchmark, bundled (german) or described by a TOML file",
    )
    report.add_argument_group("gaming").add_argument(
        "--gaming", action="store_true", help="add a section: how easily the metrics are fooled (plainly gaming)"
    )
    sampling = _add_resampling_options(report)
    sampling.add_argument("--test", choices=["bootstrap", "randomisation"], default="bootstrap")
    sampling.add_argument(
        "--baseline", metavar="NAME", help="mark how every system does against this one (default: identity)"
    )
    output = report.add_argument_group("output")
    output.add_argument("--title", default="Which text is simpler?", metavar="TEXT", help="the title of the page")
    output.add_argument(
        "-o", "--output", default="report.html", metavar="FILE", help="write to FILE (default: report.html)"
    )
    _add_run_options(output)


def _add_signatures(commands: argparse._SubParsersAction[Parser]) -> None:
    compare = _command(
        commands,
        "compare-signatures",
        "say whether two numbers can be compared, and if not, why",
        "  plainly compare-signatures 'sari|lang:en|tok:13a|case:lower|refs:10|variant:easse|plainly:0.1.0' \\\n"
        "      'sari|lang:en|tok:none|case:mixed|refs:8|variant:star|plainly:0.1.0'",
        "signatures",
    )
    compare.add_argument("first", metavar="A", help="a signature, short or long")
    compare.add_argument("second", metavar="B", help="another signature")
    compare.add_argument("--format", choices=FORMS, default="table")


def _add_doctor(commands: argparse._SubParsersAction[Parser]) -> None:
    doctor = _command(
        commands,
        "doctor",
        "say what can run on this machine, and what each missing thing needs",
        "  plainly doctor --lang en",
        "doctor",
    )
    doctor.add_argument("--lang", default="en", help="for which language (default: en)")
    doctor.add_argument("--format", choices=FORMS, default="table")


def _add_data(commands: argparse._SubParsersAction[Parser]) -> None:
    data = _command(
        commands,
        "data",
        "find, fetch and check test sets and published outputs",
        "  plainly data list\n  plainly data fetch asset-test --accept-licence\n  plainly data verify asset-test",
        "data",
    )
    actions = data.add_subparsers(
        title="actions", metavar="ACTION", dest="action", parser_class=Parser, required=True
    )
    listing = _command(actions, "list", "list all test sets", "  plainly data list --format markdown", "data")
    listing.add_argument("--format", choices=FORMS, default="table")
    show = _command(actions, "show", "say all that is known of a test set", "  plainly data show asset-test", "data")
    show.add_argument("name", metavar="NAME", help="a test set")
    show.add_argument("--format", choices=FORMS, default="table")
    show.add_argument("--bibtex", action="store_true", help="only the citation")
    fetch = _command(
        actions,
        "fetch",
        "fetch test sets into the data folder; the only command that uses the network",
        "  plainly data fetch asset-test turkcorpus-test --accept-licence\n"
        "  PLAINLY_DATA=~/sets PLAINLY_DATA_MIRROR=http://mirror.example/sets plainly data fetch pwkp-test",
        "data",
    )
    fetch.add_argument("names", metavar="NAME", nargs="+", help="a test set")
    fetch.add_argument("--accept-licence", action="store_true", help="accept terms that forbid commercial use")
    fetch.add_argument("--quiet", action="store_true", help="print nothing if all goes well")
    path = _command(
        actions,
        "path",
        "print where the files of a test set are, one a line",
        "  plainly data path asset-test --role reference",
        "data",
    )
    path.add_argument("name", metavar="NAME", help="a test set")
    path.add_argument(
        "--role",
        choices=["source", "reference", "system", "table", "metadata", "licence"],
        help="only files of one kind",
    )
    verify = _command(
        actions,
        "verify",
        "check that all files of test sets are there and have the right checksums",
        "  plainly data verify asset-test",
        "data",
    )
    verify.add_argument("names", metavar="NAME", nargs="+", help="a test set")


def _add_plugins(commands: argparse._SubParsersAction[Parser]) -> None:
    plugins = _command(
        commands,
        "plugins",
        "set up learned metrics, each in an environment of its own",
        "  plainly plugins list\n  plainly plugins install lens\n  plainly plugins check lens",
        "plugins",
    )
    actions = plugins.add_subparsers(
        title="actions", metavar="ACTION", dest="action", parser_class=Parser, required=True
    )
    listing = _command(actions, "list", "list all plug-ins", "  plainly plugins list --format markdown", "plugins")
    listing.add_argument("--format", choices=FORMS, default="table")
    install = _command(
        actions,
        "install",
        "make the environment of a plug-in and check that it works; uses the network",
        "  plainly plugins install lens\n  plainly plugins install ./my-plugin.toml",
        "plugins",
    )
    install.add_argument("name", metavar="NAME", help="a plug-in, or the TOML file of one of your own")
    install.add_argument("--python", metavar="PROGRAM", help="the Python to make the environment with")
    install.add_argument("--quiet", action="store_true", help="print nothing if all goes well")
    check = _command(
        actions, "check", "check that an installed plug-in works", "  plainly plugins check lens", "plugins"
    )
    check.add_argument("name", metavar="NAME", help="a plug-in")
    remove = _command(
        actions, "remove", "remove the environment of a plug-in", "  plainly plugins remove lens", "plugins"
    )
    remove.add_argument("name", metavar="NAME", help="a plug-in")


def _add_gaming(commands: argparse._SubParsersAction[Parser]) -> None:
    gaming = _command(
        commands,
        "gaming",
        "edit outputs in ways that improve nothing, and see what metrics make of it",
        "  plainly gaming --sources src.txt --references ref.0 --system mine=out.txt \\\n"
        "      --edits random-period,replace-longest --levels 0,10,50,100 --metrics fkgl,bleu,sari",
        "gaming",
    )
    add_request_options(gaming)
    edits = gaming.add_argument_group("edits")
    edits.add_argument(
        "--edits", default="all", metavar="NAMES", help="comma-separated, or joined by + (default: all)"
    )
    edits.add_argument("--list", action="store_true", help="list every edit and stop")
    edits.add_argument(
        "--levels", default="0,10,50,100", metavar="LIST", help="per cent of the segments edited (0,10,50,100)"
    )
    edits.add_argument("--trials", type=int, default=100, metavar="N", help="random trials at each level (100)")
    edits.add_argument("--seed", type=_seed, default=0, help="of the random numbers (default: 0)")
    edits.add_argument(
        "--independent-levels",
        action="store_true",
        help="draw each level anew; else higher levels hold the lower ones",
    )
    edits.add_argument("--profile", metavar="NAME", help="metrics exactly as in a paper: tanprasert-kauchak-2021")
    output = gaming.add_argument_group("output")
    shown = output.add_mutually_exclusive_group()
    shown.add_argument(
        "--verdicts", action="store_true", help="which rules each metric keeps, with all segments edited"
    )
    shown.add_argument(
        "--deceive", metavar="A,B", help="the cheapest edit that lifts the worse of two systems above the other"
    )
    shown.add_argument(
        "--post-hoc", action="store_true", help="no edits: sentence length, syllables and splits, in place of FKGL"
    )
    output.add_argument("--by-system", action="store_true", help="with --verdicts: one row a system, with the gains")
    output.add_argument("--components", action="store_true", help="show the parts of each score in the table too")
    output.add_argument("--format", choices=FORMS, help="default: table")
    output.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, all or nothing; FILE.html is a page with charts"
    )
    _add_run_options(output)
