"""The actions of `plainly statistics` and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

from plainly.cli.options import (
    Commands,
    MetricNames,
    Parser,
    add_actions,
    add_command,
    add_groups,
    add_resampling_options,
    add_table_options,
)


def add_statistics(commands: Commands) -> None:
    """The command with all its actions."""
    actions = add_actions(
        commands,
        "statistics",
        "look at, cut and put together what plainly score --write-statistics wrote, without scoring again",
        "  plainly statistics show stats\n"
        "  plainly statistics score stats --by domain\n"
        "  plainly statistics merge monday tuesday -o week",
        "statistics",
    )
    show = add_command(
        actions, "show", "say what a statistics folder holds", "  plainly statistics show stats", "statistics.show"
    )
    show.add_argument("folder", metavar="DIR", help="a folder that plainly score --write-statistics wrote")
    add_table_options(show)
    _add_score(actions)
    _add_merge(actions)


def _add_score(actions: Commands) -> None:
    score = add_command(
        actions,
        "score",
        "scores with intervals, of all segments or of each group of them",
        "  plainly statistics score stats --by domain\n"
        "  plainly statistics score stats --by domain,year:4 --where 'domain!=news' --metrics sari",
        "statistics.score",
    )
    score.add_argument("folder", metavar="DIR", help="a statistics folder")
    chosen = score.add_argument_group("groups")
    add_groups(chosen, "of the data, document, id, or length (of the source); NAME:N makes N bands of a number")
    chosen.add_argument(
        "--where",
        metavar="CONDITION",
        action="append",
        default=[],
        help="of the segments; system=NAME chooses systems",
    )
    chosen.add_argument(
        "--metrics", metavar="NAME", nargs="+", action=MetricNames, help="default: all that were measured"
    )
    chosen.add_argument("--profile", metavar="NAME", help="refused if it was measured otherwise")
    add_resampling_options(score).add_argument("--no-intervals", action="store_true")
    add_table_options(score)


def _add_merge(actions: Commands) -> None:
    merge = add_command(
        actions,
        "merge",
        "put folders together: more segments, or more systems and metrics of the same segments",
        "  plainly statistics merge monday tuesday -o week\n  plainly statistics merge mine theirs -o both",
        "statistics.merge",
    )
    merge.add_argument("folders", metavar="DIR", nargs="+", help="statistics folders, two or more")
    output = merge.add_argument_group("output")
    output.add_argument("-o", "--output", metavar="FOLDER", required=True, help="the new folder")
    output.add_argument("--quiet", action="store_true")


def add_statistics_input(command: Parser) -> None:
    """Statistics in place of texts, for commands that compare and report."""
    command.add_argument_group("statistics").add_argument(
        "--statistics",
        metavar="FOLDER",
        nargs="+",
    )
