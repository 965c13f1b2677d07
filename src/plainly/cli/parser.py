"""All commands and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence

from plainly.base.errors import PlainlyError
from plainly.base.version import __version__
from plainly.cli.comprehension.parser import add_comprehension
from plainly.cli.filter.parser import add_filter
from plainly.cli.metaeval.parser import add_metaeval
from plainly.cli.metaeval.train_parser import add_train
from plainly.cli.operations.parser import add_operations
from plainly.cli.options import (
    BY_ENDING,
    PAGE,
    Commands,
    OneOfEndings,
    Parser,
    UnknownOption,
    WrittenTo,
    add_actions,
    add_columns,
    add_command,
    add_engine_options,
    add_form_options,
    add_format_option,
    add_groups,
    add_interval_options,
    add_request_options,
    add_resampling_options,
    add_run_options,
    add_table_options,
    seed_number,
)
from plainly.cli.ranking.parser import add_ranking
from plainly.cli.ratings.parser import add_ratings
from plainly.cli.simplicity.parser import add_simplicity
from plainly.cli.statistics.parser import add_statistics, add_statistics_input
from plainly.cli.studio.parser import add_studio

SOME = 3
"""Of so many commands that have an option, each is named."""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """What a command line says. Of an option that only a few other commands have, they are named."""
    try:
        return build_parser(words[0] if words else None).parse_args(words)
    except UnknownOption as error:
        option = error.options[0]
        every = every_command(build_parser())
        homes = [command.prog for command in every if option in command._option_string_actions]
        if len(error.options) > 1 or not 0 < len(homes) <= SOME:
            raise
        link = " " if error.said.endswith("?") else "; "
        has = "has" if len(homes) == 1 else "have"
        raise PlainlyError(f"{error.said}{link}{' and '.join(homes)} {has} {option}") from None


def every_command(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser of all, and those of its commands and their actions."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from every_command(command)


def build_parser(chosen: str | None = None) -> Parser:
    """The parser of all commands; where one is chosen, of that one alone: a start need not make all options."""
    parser = Parser(prog="plainly", description="Measure text simplification.", epilog=EXAMPLES)
    parser.sections = SECTIONS
    parser.add_argument("--version", action="version", version=f"plainly {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in [COMMANDS[chosen]] if chosen in COMMANDS else COMMANDS.values():
        add(commands)
    return parser


def _add_score(commands: Commands) -> None:
    score = add_command(
        commands,
        "score",
        "score the outputs of one or more systems",
        "  plainly score --sources src.txt --references ref.0 --references ref.1 \\\n"
        "      --system mine=out.txt --system other=out2.txt --metrics sari,bleu,fkgl --format json",
        "score",
    )
    metrics = add_request_options(score)
    metrics.add_argument("--list", action="store_true", help="here every metric with its facts")
    metrics.add_argument(
        "--explain-sari",
        nargs="*",
        metavar="X",
        help="SARI under all settings; with two numbers or settings (variant,tokenizer,lower|cased): why they differ",
    )
    sampling = add_resampling_options(score)
    sampling.add_argument("--no-intervals", action="store_true")
    output = score.add_argument_group("output")
    add_format_option(output, f"{BY_ENDING}; --per-segment: json, as JSONL, csv or parquet", None, ["parquet"])
    output.add_argument("--components", action="store_true")
    output.add_argument(
        "--per-segment", action="store_true", help="one row a segment and system: json, csv, or -o FILE.parquet"
    )
    for option, bound in (("--fail-under", "below"), ("--fail-over", "above")):
        output.add_argument(
            option,
            metavar="METRIC=NUMBER",
            action="append",
            default=[],
            help=f"exit status 1 where the score of a system is {bound} the number; may be repeated",
        )
    output.add_argument(
        "--write-statistics", metavar="FOLDER", help="also write the statistics of all segments there"
    )
    output.add_argument("-o", "--output", metavar="FILE")
    add_run_options(output)
    add_engine_options(score)


def _add_test_options(sampling: argparse._ArgumentGroup) -> None:
    sampling.add_argument("--test", choices=["bootstrap", "bootstrap-plain", "randomisation"], default="bootstrap")
    sampling.add_argument("--baseline", metavar="NAME")


def _add_compare(commands: Commands) -> None:
    compare = add_command(
        commands,
        "compare",
        "compare systems: intervals, ranks and paired tests",
        "  plainly compare --sources src.txt --references ref.0 --references ref.1 \\\n"
        "      --system mine=out.txt --system other=out2.txt --baseline other --format latex",
        "compare",
    )
    add_request_options(compare, "identity, where there are sources; none: ''")
    compare.add_argument(
        "--profiles",
        metavar="NAME",
        nargs="+",
        help="ranks under two or more profiles side by side, and the systems that turn round, as easse-de,easse",
    )
    add_statistics_input(compare)
    _add_test_options(add_resampling_options(compare))
    output = compare.add_argument_group("output")
    output.add_argument(
        "--table",
        choices=["systems", "pairs", "runs", "slices", "ranks", "agreement", "turned"],
        help="systems (default): scores and ranks; pairs: the test of every pair; runs: the score of every run; "
        "slices: those of --by alone; with --profiles: ranks (default), agreement (of every two profiles) or turned "
        "(pairs of systems that turn round)",
    )
    add_groups(output, "columns of the records, length (of the source), operation (what the references do)")
    output.add_argument(
        "--tagger",
        choices=["auto", "rules", "learned", "encoder"],
        default="auto",
        help="for --by operation (default: auto, the strongest one here); tags are kept",
    )
    output.add_argument(
        "--fail-if-worse",
        metavar="METRICS",
        nargs="?",
        const="",
        help="exit status 1 where a system is worse than --baseline beyond chance, by the first metric or by these",
    )
    output.add_argument(
        "--how-to-report", action="store_true", help="below the table: a paragraph for a paper, and BibTeX to cite"
    )
    add_form_options(output)
    add_run_options(output)


def _add_report(commands: Commands) -> None:
    report = add_command(
        commands,
        "report",
        "write one HTML page with scores, charts and all segments",
        "  plainly report --sources src.txt --references ref.0 --references ref.1 \\\n"
        "      --system mine=out.txt --system other=out2.txt --baseline other -o report.html",
        "report",
    )
    add_request_options(report, "all that the data allow; none: ''")
    add_statistics_input(report)
    studies = report.add_argument_group("studies", "more sections")
    studies.add_argument("--gaming", action="store_true", help="how easily the metrics are fooled (plainly gaming)")
    studies.add_argument(
        "--operations",
        metavar="TAGGER",
        nargs="?",
        const="auto",
    )
    _add_test_options(add_resampling_options(report))
    output = report.add_argument_group("output")
    output.add_argument("--title", metavar="TEXT", help="default: a question")
    output.add_argument(
        "-o",
        "--output",
        action=OneOfEndings,
        what="the report",
        endings=PAGE,
        default="report.html",
        metavar="FILE",
        help="default: report.html",
    )
    output.add_argument("--figures", metavar="DIR", help="also write every chart there, as SVG and PDF")
    add_run_options(output)


def _add_replicate(commands: Commands) -> None:
    replicate = add_command(
        commands,
        "replicate",
        "compute the tables and figures of papers anew, beside what was printed",
        "  plainly replicate --list\n"
        "  plainly replicate cardon-2022 --table 4\n"
        "  plainly replicate tanprasert-kauchak-2021 --figure 2 -o figure2.svg\n"
        "  plainly replicate --all -o replicated/",
        "replicate",
    )
    what = replicate.add_argument_group("what")
    what.add_argument(
        "paper", metavar="PAPER", nargs="?", help="its name in --list, or a recipe of your own, as TOML"
    )
    what.add_argument("--list", action="store_true", help="here every table and figure, and which data it needs")
    what.add_argument("--all", action="store_true", help="of all papers, unless one is named")
    what.add_argument(
        "--errata",
        metavar="NAME",
        nargs="?",
        const="",
        help="published numbers and claims that do not hold: all of them, or one",
    )
    what.add_argument("--table", metavar="NAME", help="the table with this number (default: a summary of all)")
    what.add_argument("--figure", metavar="NAME", help="the figure with this number")
    add_interval_options(replicate, None)
    output = replicate.add_argument_group("output")
    add_format_option(output, default=None)
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="of a figure also FILE.svg or FILE.pdf; with --all a folder",
    )
    output.add_argument("--quiet", action="store_true")


def _add_run(commands: Commands) -> None:
    study = add_command(
        commands,
        "run",
        "do a whole study from one file; what was measured before is kept",
        "  plainly run --init\n  plainly run study.toml --dry-run\n  plainly run study.toml",
        "run",
    )
    given = study.add_argument_group("study")
    given.add_argument(
        "file", metavar="FILE", nargs="?", default="study.toml", help="the study file (default: study.toml)"
    )
    what = given.add_mutually_exclusive_group()
    what.add_argument(
        "--dry-run", action="store_true", help="only say what would be done: what is kept, measured and written"
    )
    what.add_argument("--init", action="store_true", help="write a first study file from what is in its folder")
    given.add_argument("--lang", help="with --init")
    output = study.add_argument_group("output")
    add_form_options(output)
    add_run_options(output)


def _add_signatures(commands: Commands) -> None:
    compare = add_command(
        commands,
        "compare-signatures",
        "say whether two numbers can be compared, and if not, why",
        "  plainly compare-signatures 'sari|lang:en|tok:13a|case:lower|refs:10|variant:easse|plainly:0.1.0' \\\n"
        "      'sari|lang:en|tok:none|case:mixed|refs:8|variant:star|plainly:0.1.0'\n"
        "  plainly compare-signatures 'SARI (EASSE 0.2.4)' 'sari|tok:13a|case:lower|refs:10|variant:star'",
        "signatures",
    )
    compare.add_argument(
        "first", metavar="A", help="a signature of plainly or sacrebleu, or words as 'SARI (EASSE 0.2.4)'"
    )
    compare.add_argument("second", metavar="B", help="another signature")
    add_table_options(compare)


def _add_doctor(commands: Commands) -> None:
    doctor = add_command(
        commands,
        "doctor",
        "say what can run on this machine, and what each missing thing needs",
        "  plainly doctor --lang en\n  plainly doctor --lang de --try",
        "doctor",
    )
    doctor.add_argument(
        "--try",
        dest="really",
        action="store_true",
        help="run every part and metric on a small text (some seconds), instead of looking whether it is there",
    )
    looked = doctor.add_argument_group("what")
    looked.add_argument("--lang", help="default: en")
    output = add_table_options(doctor)
    tables = ["parts", "language_parts", "metrics", "profiles"]
    output.add_argument("--table", choices=tables, help="default: all")


def _add_data(commands: Commands) -> None:
    actions = add_actions(
        commands,
        "data",
        "find, fetch and check test sets and published outputs",
        "  plainly data list\n  plainly data fetch asset-test --accept-licence\n  plainly data verify asset-test",
        "data",
    )
    listing = add_command(actions, "list", "list all test sets", "  plainly data list --format markdown", "data")
    add_table_options(listing)
    about = "say all that is known of a data set, or of a published system"
    examples = "  plainly data show asset-test\n  plainly data show BLOOM-zero"
    show = add_command(actions, "show", about, examples, "data")
    show.add_argument("name", metavar="NAME", help="a data set, or a published system, as BLOOM-zero")
    add_table_options(show)
    show.add_argument("--bibtex", action="store_true", help="only the citation")
    fetch = add_command(
        actions,
        "fetch",
        "fetch test sets into the data folder; the only command that uses the network",
        "  plainly data fetch asset-test turkcorpus-test --accept-licence\n"
        "  PLAINLY_DATA=~/sets PLAINLY_DATA_MIRROR=http://mirror.example/sets plainly data fetch pwkp-test",
        "data",
    )
    fetch.add_argument("names", metavar="NAME", nargs="+", help="a test set")
    fetch.add_argument("--accept-licence", action="store_true", help="accept terms that forbid commercial use")
    fetch.add_argument_group("output").add_argument("--quiet", action="store_true")
    path = add_command(
        actions,
        "path",
        "print where the files of a test set are, one a line",
        "  plainly data path asset-test --only reference",
        "data",
    )
    path.add_argument("name", metavar="NAME", help="a test set")
    path.add_argument(
        "--only",
        choices=[
            *("source", "reference", "system", "table", "metadata", "texts", "pairs", "judgements", "scores"),
            *("annotations", "subset", "licence"),
        ],
        help="files of one role",
    )
    verify = add_command(
        actions,
        "verify",
        "check that all files of test sets are there and have the right checksums",
        "  plainly data verify asset-test",
        "data",
    )
    verify.add_argument("names", metavar="NAME", nargs="+", help="a test set")
    convert = add_command(
        actions,
        "convert",
        "turn a Python pickle of a table into CSV or JSONL, without running what it says",
        "  plainly data convert history.pkl -o history.csv\n"
        "  plainly data convert history.pkl --columns match_id=key -o history.csv",
        "data",
    )
    convert.add_argument("file", metavar="FILE", help="a pickle of lists and dicts, or of numpy and pandas")
    table = convert.add_argument_group("the table")
    add_columns(table, "NAME=COLUMN,...", "names for columns of the pickle, as first_id=1,second_id=2,winner_id=3")
    table.add_argument("--number", metavar="NAME", help="a column more: the number of each row, from 0")
    output = convert.add_argument_group("output")
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=OneOfEndings,
        what="the table",
        endings=("csv", "jsonl"),
        help="default: standard output, as CSV",
    )
    output.add_argument("--quiet", action="store_true")


def _add_plugins(commands: Commands) -> None:
    actions = add_actions(
        commands,
        "plugins",
        "set up learned metrics, each in an environment of its own",
        "  plainly plugins list\n  plainly plugins install lens\n  plainly plugins check lens",
        "plugins",
    )
    listing = add_command(actions, "list", "list all plug-ins", "  plainly plugins list --format markdown", "plugins")
    add_table_options(listing)
    install = add_command(
        actions,
        "install",
        "make the environment of a plug-in and check that it works; uses the network",
        "  plainly plugins install lens\n  plainly plugins install ./my-plugin.toml",
        "plugins",
    )
    install.add_argument("name", metavar="NAME", help="a plug-in, or the TOML file of one of your own")
    install.add_argument("--python", metavar="PROGRAM", help="the Python to make the environment with")
    install.add_argument_group("output").add_argument("--quiet", action="store_true")
    for name, summary in (
        ("check", "check that an installed plug-in works"),
        ("remove", "remove the environment of a plug-in"),
    ):
        action = add_command(actions, name, summary, f"  plainly plugins {name} lens", "plugins")
        action.add_argument("name", metavar="NAME", help="a plug-in")


SHELLS = (
    "what it prints goes into ~/.local/share/bash-completion/completions/plainly (bash), ~/.zfunc/_plainly (zsh, "
    "with ~/.zfunc in fpath) or ~/.config/fish/completions/plainly.fish"
)


def _add_completion(commands: Commands) -> None:
    completion = add_command(
        commands,
        "completion",
        "print a script that completes words in your shell",
        "  plainly completion bash",
        "completion",
    )
    completion.add_argument("shell", choices=["bash", "zsh", "fish"], help=SHELLS)


def _add_gaming(commands: Commands) -> None:
    gaming = add_command(
        commands,
        "gaming",
        "edit outputs in ways that improve nothing, and see what metrics make of it",
        "  plainly gaming --sources src.txt --references ref.0 --system mine=out.txt \\\n"
        "      --edits random-period,replace-longest --strengths 0,10,50,100 --metrics fkgl,bleu,sari",
        "gaming",
    )
    add_request_options(gaming)
    edits = gaming.add_argument_group("edits")
    edits.add_argument(
        "--edits", default="all", metavar="NAMES", help="comma-separated, or joined by + (default: all)"
    )
    edits.add_argument("--list", action="store_true", help="here every edit")
    edits.add_argument(
        "--strengths", default="0,10,50,100", metavar="LIST", help="per cent of the segments edited (0,10,50,100)"
    )
    edits.add_argument("--trials", type=int, default=100, metavar="N", help="random trials at each strength (100)")
    edits.add_argument("--seed", type=seed_number, default=0, help="default: 0")
    edits.add_argument(
        "--independent-strengths",
        action="store_true",
        help="draw each strength anew; else higher strengths hold the lower ones",
    )
    output = gaming.add_argument_group("output")
    shown = output.add_mutually_exclusive_group()
    shown.add_argument(
        "--deceive", metavar="A,B", help="the cheapest edit that lifts the worse of two systems above the other"
    )
    shown.add_argument(
        "--post-hoc", action="store_true", help="no edits: sentence length, syllables and splits, in place of FKGL"
    )
    output.add_argument(
        "--table",
        choices=["curves", "rules", "verdicts", "deceptions"],
        help="curves (default): scores by strength; rules: which each metric keeps, with all segments edited; "
        "verdicts: the same for each system, with the gains; deceptions: what --deceive finds (its default)",
    )
    output.add_argument("--components", action="store_true")
    add_format_option(output, default=None)
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=WrittenTo,
        help="FILE.html is a page with charts",
    )
    add_run_options(output)


EXAMPLES = """examples:
  plainly score --demo
  plainly compare --sources src.txt --references 'ref.*' --system mine=out.txt --system other=out2.txt
plainly COMMAND --help says more of a command; plainly --version says which plainly this is."""

SECTIONS: Mapping[str, Sequence[str]] = {
    "score and compare outputs": ("score", "compare", "report", "run", "compare-signatures"),
    "judgements by people": ("ranking", "ratings", "comprehension", "metaeval", "studio"),
    "what metrics and systems do": ("gaming", "operations", "simplicity", "statistics", "replicate"),
    "data, and this machine": ("data", "filter", "doctor", "plugins", "completion"),
}
"""The commands by what a user wants."""

COMMANDS: Mapping[str | None, Callable[[Commands], None]] = {
    "score": _add_score,
    "compare": _add_compare,
    "report": _add_report,
    "run": _add_run,
    "compare-signatures": _add_signatures,
    "doctor": _add_doctor,
    "data": _add_data,
    "plugins": _add_plugins,
    "filter": add_filter,
    "gaming": _add_gaming,
    "replicate": _add_replicate,
    "statistics": add_statistics,
    "operations": add_operations,
    "ranking": add_ranking,
    "ratings": add_ratings,
    "simplicity": add_simplicity,
    "comprehension": add_comprehension,
    "metaeval": lambda commands: add_train(add_metaeval(commands)),
    "studio": add_studio,
    "completion": _add_completion,
}
