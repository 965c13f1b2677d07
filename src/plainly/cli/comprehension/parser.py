"""The actions of `plainly comprehension` and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

from plainly.base.patterns import home
from plainly.cli.comprehension.planning_parser import add_planning
from plainly.cli.options import (
    Commands,
    Parser,
    add_actions,
    add_columns,
    add_command,
    add_faults,
    add_groups,
    add_interval_options,
    add_table_options,
)

DRAWN = "intervals draw participants, each with all answers; tests exchange versions, or groups"
TITLE = "What did readers understand?"
SCORE_TABLES = ("texts", "pairs", "hypotheses", "reading", "reading-tests", "counts", "apart")
TABLES = (
    *("texts", "pairs", "hypotheses", "reading", "reading-tests", "participants", "groups", "group-tests", "items"),
    *("types", "distractors", "counts", "apart"),
)


def add_comprehension(commands: Commands) -> None:
    """The command with all its actions."""
    actions = add_actions(
        commands,
        "comprehension",
        "say what readers understand of texts: the C-Score, and experiments to find it out",
        "  plainly comprehension score answers.csv --experiment experiment.yaml",
        "comprehension.score",
    )
    _add_score(actions)
    _add_report(actions)
    add_planning(actions)


def _add_score(actions: Commands) -> None:
    score = add_command(
        actions,
        "score",
        "C-Scores of texts, with intervals, and the test of two hypotheses",
        "  plainly comprehension score answers.csv --experiment experiment.yaml\n"
        "  plainly comprehension score answers.csv --formula tables --table texts --format csv\n"
        "  plainly comprehension score answers.csv --where native_language=Basque,Turkish --where 'age<45'",
        "comprehension.score",
    )
    _add_records(score)
    _add_rules(score)
    _add_resampling(score)
    add_table_options(score, SCORE_TABLES)


def _add_report(actions: Commands) -> None:
    report = add_command(
        actions,
        "report",
        "all that the answers tell: texts, pairs of versions, groups of readers, questions",
        "  plainly comprehension report answers.csv --experiment experiment.yaml --by age:45 --by level\n"
        "  plainly comprehension report answers.csv --experiment experiment.yaml -o report.html",
        "comprehension.report",
    )
    _add_records(report)
    _add_rules(report)
    add_groups(
        report.add_argument_group("readers"), "readers by a column, or by numbers in it, as age:45 or age:25:45"
    )
    _add_resampling(report)
    output = add_table_options(report, TABLES)
    output.add_argument("--title", metavar="TEXT", help=f"if FILE ends in .html (default: {TITLE})")


def _add_records(action: Parser) -> None:
    records = action.add_argument_group("input")
    records.add_argument("records", metavar="RECORDS", type=home, help="answers, as CSV, TSV or JSONL (also .gz)")
    add_columns(records, "user=COLUMN,...", "as user=PROLIFIC_PID,answer=response")
    records.add_argument("--experiment", metavar="FILE", help="for correct answers and wording")
    add_faults(records)


def _add_resampling(action: Parser) -> None:
    add_interval_options(action, DRAWN).add_argument(
        "--permutations", type=int, default=20_000, metavar="N", help="random exchanges of each test (default: 20000)"
    )


def _add_rules(action: Parser) -> None:
    rules = action.add_argument_group("scores")
    rules.add_argument(
        "--where",
        metavar="CONDITION",
        action="append",
        default=[],
        help="of what participants said of themselves, as 'age<45'",
    )
    rules.add_argument(
        "--time-unit", metavar="UNIT", default="seconds", help="seconds (default), milliseconds, minutes or a number"
    )
    rules.add_argument(
        "--formula", choices=["plain", "tables"], default="plain", help="as the equations, or as the paper's tables"
    )
    rules.add_argument(
        "--guessing", action="store_true", help="correct for guessing; needs --experiment (default: no correction)"
    )
    rules.add_argument(
        "--outliers",
        metavar="RULE",
        default="none",
        help="times left out: none (default), range:LOW,HIGH in seconds, sd:K or fences:K of log times by question",
    )
    rules.add_argument(
        "--unfinished", choices=["keep", "drop"], default="keep", help="participants who stopped (default: keep)"
    )
    rules.add_argument(
        "--unanswered",
        choices=["apart", "wrong"],
        default="apart",
        help="questions without an answer: not counted (default), or wrong",
    )
    rules.add_argument(
        "--baseline",
        metavar="NAME",
        help="a version (default: every two, complex or the first as the baseline)",
    )
