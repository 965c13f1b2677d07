"""The options of `plainly filter`."""

from __future__ import annotations

from plainly.cli.options import (
    Commands,
    add_command,
    add_data_columns,
    add_engine_options,
    add_format_option,
    add_setting_options,
    seed_number,
)


def add_filter(commands: Commands) -> None:
    command = add_command(
        commands,
        "filter",
        "keep the pairs of a file that pass conditions on scores and columns",
        "  plainly filter --data pairs.parquet --keep 'compression_ratio < 1.2 and levenshtein_similarity > 0.4' \\\n"
        "      --unique source,output -o kept.parquet --dropped dropped.parquet",
        "filter.pairs",
    )
    files = command.add_argument_group("input")
    files.add_argument("--data", metavar="FILE", required=True, help="or a folder of Parquet")
    files.add_argument("--data-format", choices=["jsonl", "csv", "tsv", "parquet"])
    add_data_columns(files)
    files.add_argument("--of", metavar="SYSTEM", help="whose outputs, where there are several systems")
    files.add_argument(
        "--empty-reference",
        choices=["error", "missing", "keep"],
        default="error",
    )
    what = command.add_argument_group("what is kept")
    what.add_argument(
        "--keep",
        metavar="CONDITION",
        action="append",
        default=[],
        help="as 'sari > 30 and fkgl < 8': rows for which it is true; may be repeated, all must be true",
    )
    what.add_argument("--unique", metavar="NAMES", help="of rows that are alike in these columns, only the first")
    metrics = command.add_argument_group("metrics")
    add_setting_options(metrics)
    output = command.add_argument_group("output")
    output.add_argument("-o", "--output", metavar="FILE", help="the rows that are kept")
    output.add_argument("--dropped", metavar="FILE", help="write the other rows, with the reasons")
    output.add_argument(
        "--with-scores",
        metavar="NAMES",
        nargs="?",
        const="",
        help="add scores as columns: those named, or those that --keep names",
    )
    output.add_argument("--dry-run", action="store_true", help="the summary, and no rows are written")
    output.add_argument(
        "--examples", type=int, default=0, metavar="N", help="show so many dropped pairs for each condition"
    )
    output.add_argument("--seed", type=seed_number, default=0, help="default: 0")
    add_format_option(output, "of the summary (default: table)")
    output.add_argument("--quiet", action="store_true")
    add_engine_options(command, resume=False)
