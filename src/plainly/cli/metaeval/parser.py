"""`plainly metaeval` and its options. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse

from plainly.cli.options import (
    Commands,
    Parser,
    WrittenTo,
    add_columns,
    add_command,
    add_faults,
    add_files,
    add_format_option,
    add_groups,
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
        "  plainly metaeval --ratings-set simplicity-da --ratings-folder data --metrics sari,bleu,fkgl\n"
        "  plainly metaeval --ratings-set simplicity-da --ratings-folder data --reference-set asset\n"
        "  plainly metaeval --comprehension answers.csv --experiment experiment.yaml --metrics fkgl,fre,words\n"
        "  plainly metaeval --all data --metrics sari,bleu,fkgl -o results.html",
        "metaeval.study",
    )
    actions: Commands = command.add_subparsers(title="actions", metavar="ACTION", dest="action", required=False)
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
        help="a page if it ends in .html",
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
    add_files(judged, "--ratings", words=False)
    judged.add_argument("--scales", metavar="NAMES")
    add_columns(
        judged,
        "rater=COLUMN,...",
        "in --ratings, as rater=worker,source=orig; other names are scales. With --data: source and others of that"
        if several
        else "in --ratings, as rater=worker; other names are scales. With --data or --comprehension: names of that",
    )
    judged.add_argument(
        "--less-is-better",
        metavar="DIMENSIONS",
    )
    judged.add_argument(
        "--first-segment",
        type=int,
        choices=[0, 1],
    )
    listed = "several, comma-separated" if several else "see --list"
    judged.add_argument("--ratings-set", metavar="NAME", help=listed)
    judged.add_argument("--ratings-folder", metavar="FOLDER")
    judged.add_argument("--values", choices=["raw", "z"], help="default: raw; published ratings: as their paper does")
    if not several:
        judged.add_argument(
            "--comprehension",
            metavar="FILE",
            help="answers of readers: C-Scores in the place of ratings; --ratings then stand beside the metrics",
        )
        judged.add_argument("--experiment", metavar="FILE", help="with the texts of --comprehension")
        add_faults(judged)
        judged.add_argument(
            "--all",
            metavar="DIR",
            help="all data sets below it, as a page (.html, .md, .json)",
        )
        judged.add_argument("--list", action="store_true", help="here published ratings")


def _add_study(command: Parser) -> None:
    study: argparse._ArgumentGroup = command.add_argument_group("study")
    study.add_argument("--dimension", metavar="NAMES", help="default: all")
    study.add_argument(
        "--systems", action="store_true", help="correlations of the means of systems, in place of those of outputs"
    )
    add_groups(study, "system, quality, references, or a field of the data")
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
        metavar="TAGGER",
        nargs="?",
        const="auto",
        help="or FILE.jsonl; which of them do metrics and people reward?",
    )
