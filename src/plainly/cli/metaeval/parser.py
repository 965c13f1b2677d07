"""`plainly metaeval` and its options. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse

from plainly.cli.options import (
    Commands,
    Parser,
    WrittenTo,
    add_columns,
    add_command,
    add_files,
    add_format_option,
    add_interval_options,
    add_request_options,
    add_run_options,
)


def add_metaeval(commands: Commands) -> Commands:
    """The command; what it returns takes its actions."""
    command = add_command(
        commands,
        "metaeval",
        "say which metric agrees with people: correlations with human judgements, and how far to trust them",
        "  plainly metaeval --ratings ratings.csv --sources src.txt --references ref.0 \\\n"
        "      --system mine=out.txt --system other=out2.txt --metrics sari,bleu,fkgl\n"
        "  plainly metaeval --dataset simplicity-da --folder data --metrics sari,bleu,fkgl --dimension simplicity\n"
        "  plainly metaeval --dataset simplicity-da --folder data --reference-set asset --reference-set turkcorpus\n"
        "  plainly metaeval --all data --metrics sari,bleu,fkgl -o results.html",
        "metaeval.study",
    )
    actions = command.add_subparsers(
        title="actions", metavar="ACTION", dest="action", parser_class=Parser, required=False
    )
    add_judgements(command)
    add_request_options(command, columns=False)
    _add_study(command)
    add_interval_options(command, "segments are drawn anew as wholes, and systems too where those are compared")
    output = command.add_argument_group("output")
    output.add_argument(
        "--table",
        choices=["correlations", "pairs", "ceiling", "operations"],
        help="correlations (default, and operations where they are asked for); pairs: taus with ties and pairwise "
        "accuracy; ceiling: how far raters agree; operations: what metrics reward",
    )
    add_format_option(output, default=None)
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=WrittenTo,
        help="write to FILE, all or nothing; a page if it ends in .html",
    )
    output.add_argument(
        "--also",
        metavar="FILE",
        action="append",
        default=[],
        help="write the same to FILE, too, in the format of its ending; may be repeated",
    )
    output.add_argument(
        "--scatter",
        metavar="METRICS",
        help="comma-separated: whose points a page shows (default: the best of each dimension)",
    )
    output.add_argument("--pictures", metavar="DIR", help="draw pictures into this folder, for Markdown")
    add_run_options(output)
    return actions


def add_judgements(command: Parser, several: bool = False) -> None:
    """What people said of which texts; of one set, or of several."""
    judged = command.add_argument_group(
        "judgements", "a file of ratings and the texts rated, or a published data set"
    )
    about = "CSV, TSV or JSONL with segment, system, rater, dimension, value; may be repeated, or a pattern"
    add_files(judged, "--ratings", about, words=False)
    judged.add_argument(
        "--scales", metavar="NAMES", help="comma-separated: these columns of --ratings hold values, one row an output"
    )
    add_columns(
        judged,
        "rater=COLUMN,...",
        "what columns are called in --ratings, as rater=worker,segment=id,source=orig,output=simp; other names are "
        "scales. With --data, source, references, output, id and document are columns of that",
    )
    judged.add_argument(
        "--less-is-better",
        metavar="DIMENSIONS",
        help="comma-separated: of these, low values of --ratings are the good ones, as of difficulty",
    )
    judged.add_argument(
        "--first-segment",
        type=int,
        choices=[0, 1],
        help="the number of the first segment in --ratings, where texts have no ids (default: 0)",
    )
    if several:
        judged.add_argument("--dataset", metavar="NAMES", help="comma-separated: published data sets, from --folder")
    else:
        judged.add_argument("--dataset", metavar="NAME", help="a published data set, read from --folder; see --list")
    judged.add_argument("--folder", metavar="DIR", help="the files of the data set, in this folder or below it")
    judged.add_argument(
        "--values",
        choices=["raw", "z"],
        help="as given, or as z-scores of each rater (default: raw; a data set: as its paper does)",
    )
    if not several:
        judged.add_argument(
            "--all",
            metavar="DIR",
            help="every data set that lies in this folder or below it, in one page (.html, .md, .json)",
        )
        judged.add_argument("--list", action="store_true", help="list the data sets that can be read, and stop")


def _add_study(command: Parser) -> None:
    study: argparse._ArgumentGroup = command.add_argument_group("study")
    study.add_argument("--dimension", metavar="NAMES", help="comma-separated: what was judged (default: all)")
    study.add_argument(
        "--systems", action="store_true", help="correlations of the means of systems, in place of those of outputs"
    )
    study.add_argument(
        "--by",
        metavar="FIELDS",
        help="comma-separated: a table for each group; by system, quality, references, or a field of the data",
    )
    study.add_argument(
        "--reference-set",
        metavar="NAME[=FILES]",
        action="append",
        default=[],
        help="judge by these references, a row for each set and for all pooled; NAME:3 takes three; may be repeated",
    )
    study.add_argument(
        "--control",
        metavar="METRICS",
        help="what partial correlations remove: comma-separated metrics, or none (default: words)",
    )
    study.add_argument(
        "--coefficient",
        choices=["pearson", "spearman", "kendall"],
        default="pearson",
        help="the one that says which metric is best (default: pearson)",
    )
    study.add_argument(
        "--operations",
        metavar="LEVEL",
        nargs="?",
        const="auto",
        help="which operations metrics and people reward; found by the tagger (auto, rules, learned, encoder), "
        "or read from FILE.jsonl",
    )
