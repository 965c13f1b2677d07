"""The actions of `plainly ratings` and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

from plainly.cli.options import (
    Commands,
    add_actions,
    add_columns,
    add_command,
    add_groups,
    add_interval_options,
    add_repeated,
    add_table_options,
)
from plainly.cli.patterns import Files


def add_ratings(commands: Commands) -> None:
    """The command with all its actions."""
    actions = add_actions(
        commands,
        "ratings",
        "how good outputs are on scales such as fluency, meaning and simplicity, as people rated them",
        "  plainly ratings score ratings.csv",
        "ratings",
    )
    _add_score(actions)


def _add_score(actions: Commands) -> None:
    score = add_command(
        actions,
        "score",
        "means of systems with intervals, differences, agreement, and raters who look careless",
        "  plainly ratings score ratings.csv --checks drop\n"
        "  plainly ratings score ratings.csv --table pairs --values z\n"
        "  plainly ratings score ratings.csv --by audience\n"
        "  plainly ratings score theirs.csv --scales fluency,meaning --columns rater=worker,item=id",
        "ratings.score",
    )
    files = score.add_argument_group(
        "ratings", "CSV, TSV or JSONL (also .gz) with rater, item, system, scale, value, one row a rating"
    )
    files.add_argument("files", metavar="FILE", nargs="+", action=Files, help="several, or a pattern")
    files.add_argument("--scales", metavar="NAMES")
    add_columns(
        files,
        "rater=COLUMN,...",
        "item=id; other names are scales",
    )
    beyond = "values beyond are refused, with their row; may be repeated"
    add_repeated(files, "--range", "[SCALE=]LOW..HIGH", beyond)
    add_repeated(
        files, "--reference", "SYSTEM", "a system whose outputs show the ceiling, as texts by people; may be repeated"
    )
    add_groups(files, "columns that say who a rater is, as audience")
    rules = score.add_argument_group("rules")
    rules.add_argument("--values", choices=["raw", "z"], help="default: raw")
    rules.add_argument(
        "--checks",
        choices=["keep", "drop"],
        default="keep",
        help="raters who failed attention checks count (default), or do not; both are shown",
    )
    rules.add_argument(
        "--most-failed",
        type=int,
        default=0,
        metavar="N",
        help="with --checks drop: so many may be failed (default: 0)",
    )
    rules.add_argument(
        "--measurement",
        choices=["auto", "ordinal", "interval"],
        default="auto",
        help="how far apart two values are (default: ordinal up to 11 different values, else interval)",
    )
    sampling = add_interval_options(score, "items and raters are drawn anew, independently", "intervals")
    sampling.add_argument(
        "--draw",
        choices=["both", "items", "raters"],
        default="both",
        help="what is drawn: with items alone, conclusions are about these raters only (default: both)",
    )
    add_table_options(score).add_argument(
        "--table",
        choices=[
            "systems",
            "pairs",
            "agreement",
            "raters",
            "contested",
            "groups",
            "group-pairs",
            "contrasts",
            "texts",
        ],
        help="systems (default); pairs: every two systems with difference and p-values; agreement: how far raters "
        "agree on each scale; raters: times, habits, failed checks and flags of each; "
        "contested: the outputs on which raters differ most. With --by: groups (default), "
        "group-pairs: two systems for one group; contrasts: does it depend on the group which is "
        "better; texts: every text for each group",
    )
