"""The actions of `plainly ranking` and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse

from plainly.cli.options import (
    PAGE,
    Commands,
    OneOfEndings,
    Parser,
    add_actions,
    add_command,
    add_files,
    add_format_option,
    add_groups,
    add_interval_options,
    add_judgement_options,
    add_repeated,
    add_table_options,
    seed_number,
)
from plainly.cli.ranking.planning_parser import add_planning


def add_ranking(commands: Commands) -> None:
    """The command with all its actions."""
    actions = add_actions(
        commands,
        "ranking",
        "rank texts by how hard they are to read, from judgements of pairs",
        "  plainly ranking rate --judgements ours.csv --winner harder",
        "ranking",
    )
    add_planning(actions)
    _add_rate(actions)
    _add_agreement(actions)
    _add_report(actions)
    _add_judge(actions)


def add_vote_options(action: Parser) -> argparse._ArgumentGroup:
    """Whether all votes count, or one a match."""
    votes = action.add_argument_group("votes")
    votes.add_argument(
        "--votes",
        choices=["all", "majority"],
        default="all",
        help="every judgement counts (default), or what most raters said of each match",
    )
    votes.add_argument("--ties", choices=["first", "random", "drop", "half"])
    return votes


def add_rating_options(action: Parser) -> argparse._ArgumentGroup:
    """By which method ratings are made."""
    rating = action.add_argument_group("rating")
    rating.add_argument(
        "--method",
        metavar="NAME",
        help="bradley-terry (default), elo, elo-mean, glicko or openskill; several, comma-separated, to compare them",
    )
    rating.add_argument("--k", type=float, metavar="POINTS")
    rating.add_argument("--start", type=float, help="elo, elo-mean: the first rating of every text (default: 1200)")
    rating.add_argument("--orders", type=int, metavar="N", help="elo-mean: random orders (default: 200)")
    rating.add_argument(
        "--prior-sd",
        type=float,
        metavar="SD",
        help="bradley-terry: how far ratings spread, in logits (default: by the evidence)",
    )
    rating.add_argument("--period", type=int, metavar="N", help="glicko: judgements that count at once (default: 1)")
    rating.add_argument(
        "--openskill", choices=["bradley-terry", "thurstone-mosteller"], help="its model (default: bradley-terry)"
    )
    rating.add_argument(
        "--position", action="store_true", help="bradley-terry: estimate what it helps to be shown first"
    )
    return rating


def _add_rate(actions: Commands) -> None:
    rate = add_command(
        actions,
        "rate",
        "ratings, ranks and scores of texts, with intervals",
        "  plainly ranking rate --judgements ours.csv --winner harder\n"
        "  plainly ranking rate --judgements ours.csv --method elo --votes majority --ties first --scale min-max\n"
        "  plainly ranking rate --judgements ours.csv --cross-validate --method elo,bradley-terry",
        "ranking.rate",
    )
    add_judgement_options(rate)
    add_vote_options(rate)
    add_rating_options(rate).add_argument("--disconnected", action="store_true")
    intervals = add_interval_options(rate, "of ratings and ranks", "intervals")
    intervals.add_argument(
        "--uncertainty",
        choices=["posterior", "orders", "bootstrap-judgements", "bootstrap-raters", "none"],
        help="what the method believes (default of bradley-terry, glicko, openskill), random orders (elo, elo-mean; "
        "default of elo-mean), resampled judgements (default of elo) or raters, or none",
    )
    studies = rate.add_argument_group("studies", "instead of ratings")
    studies.add_argument("--cross-validate", action="store_true", help="methods foretell judgements of new pairs")
    studies.add_argument("--folds", type=int, default=10, metavar="N")
    studies.add_argument("--repeats", type=int, default=1, metavar="N")
    studies.add_argument(
        "--fewer-raters",
        metavar="NUMBERS",
        help="how well so many raters rank, as 1,3,5; --method NAME:majority rates their majority",
    )
    add_files(studies, "--gold", "for --fewer-raters (default: the raters left out)")
    studies.add_argument("--draws", type=int, default=60, metavar="N", help="fewer raters: draws (default: 60)")
    add_table_options(rate).add_argument(
        "--scale",
        choices=["ranks", "ranks-over-n", "min-max"],
        default="ranks",
        help="scores from 0 to 1: (rank - 1) / (n - 1) (default), (rank - 1) / n, or ratings from least to greatest",
    )


def _add_agreement(actions: Commands) -> None:
    agreement = add_command(
        actions,
        "agreement",
        "how far raters agree: with the majority, with each other, by group; and who looks careless",
        "  plainly ranking agreement --judgements ours.csv --winner harder --by level\n"
        "  plainly ranking agreement --judgements ana=a.csv --judgements ben=b.csv --gold gold.csv\n"
        "  plainly ranking agreement --judgements ours.csv --scores scores.csv --high harder --table scores",
        "ranking.agreement",
    )
    add_judgement_options(agreement)
    yardstick = agreement.add_argument_group("yardstick")
    add_files(yardstick, "--gold")
    yardstick.add_argument(
        "--yardstick",
        choices=["others", "majority"],
        help="without gold: what most of the other raters say (default), or of all raters",
    )
    yardstick.add_argument("--ties", choices=["first", "random", "drop", "half"])
    add_groups(yardstick, "alpha, as by level")
    yardstick.add_argument(
        "--alpha-kind",
        choices=["krippendorff", "two-orders"],
        default="krippendorff",
        help="Krippendorff's (default), or with every match half in one order of its texts and half in the other",
    )
    scores = agreement.add_argument_group("scores", "of single texts, by a formula or a model, beside the raters")
    scores.add_argument("--scores", metavar="FILE", help="to hold against the yardstick; or their positions")
    scores.add_argument(
        "--high",
        metavar="MEANING",
        help="a late position in a ranking, the same",
    )
    add_rating_options(agreement)
    add_interval_options(agreement, "matches are drawn, each with all of its judgements", "intervals")
    output = add_table_options(agreement)
    output.add_argument(
        "--table", choices=["raters", "habits", "groups", "scores", "contested", "votes"], help="default: all"
    )
    output.add_argument("--top", type=int, default=10, metavar="N", help="disputed pairs")


def _add_report(actions: Commands) -> None:
    report = add_command(
        actions,
        "report",
        "one HTML page with the ranking, the raters and what they disagree about",
        "  plainly ranking report --judgements ours.csv --winner harder --texts texts.jsonl -o ranking.html",
        "ranking.report",
    )
    add_judgement_options(report)
    add_rating_options(report).add_argument("--disconnected", action="store_true")
    add_interval_options(report, "of ratings, ranks and agreement", "intervals")
    output = report.add_argument_group("output")
    add_groups(output, "alpha, as by level")
    output.add_argument("--title", metavar="TEXT", help="default: the question")
    output.add_argument(
        "-o",
        "--output",
        default="ranking.html",
        metavar="FILE",
        action=OneOfEndings,
        what="the report",
        endings=PAGE,
        help="default: ranking.html",
    )
    output.add_argument("--quiet", action="store_true")


def _add_judge(actions: Commands) -> None:
    judge = add_command(
        actions,
        "judge",
        "let a language model decide which text of a pair is easier, or another question",
        "  plainly ranking judge --texts texts.jsonl --pairs pairs.csv -o judgements.csv \\\n"
        "      --url http://localhost:11434/v1 --model llama3.2 --store replies.jsonl\n"
        "  plainly ranking judge --texts texts.jsonl --pairs pairs.csv --dry-run \\\n"
        "      --url https://api.example.com/v1 --model NAME --key-variable API_KEY --price-in 0.15 --price-out 0.6",
        "ranking.judge",
    )
    files = judge.add_argument_group("input")
    files.add_argument("--texts", metavar="FILE", required=True)
    files.add_argument("--pairs", metavar="FILE", help="which texts to compare (first, second): CSV, TSV or JSONL")
    model = judge.add_argument_group("judge", "any server that speaks the protocol of OpenAI's chat completions")
    model.add_argument(
        "--url",
        metavar="URL",
        required=True,
        help="one that speaks the protocol of OpenAI; as a rule, it ends in /v1",
    )
    model.add_argument("--model", metavar="NAME", required=True, help="as it is called there")
    model.add_argument("--key-variable", metavar="NAME")
    add_repeated(model, "--setting", "NAME=VALUE")
    asking = judge.add_argument_group("questions")
    asking.add_argument(
        "--strategy",
        choices=["both-orders", "pairwise", "score", "rank-all"],
        default="both-orders",
        help="each pair in both orders (default) or once, each text alone, or all texts at once",
    )
    asking.add_argument(
        "--prompt",
        metavar="NAME",
        help="another prompt than that of the strategy: your file.toml, or a name, as pairwise-de",
    )
    asking.add_argument("--reader", metavar="TEXT", help="judge as this reader, in your own words")
    asking.add_argument("--reader-topic", metavar="TEXT", help="judge as a reader who is an expert on it")
    asking.add_argument("--reader-level", metavar="TEXT", help="judge as a reader of this language level, as B1")
    asking.add_argument("--reader-age", type=int, metavar="YEARS", help="judge as a reader of this age")
    asking.add_argument("--repeats", type=int, default=1, metavar="N")
    asking.add_argument(
        "--attempts", type=int, default=3, metavar="N", help="ask again where the reply is no answer (default: 3)"
    )
    asking.add_argument(
        "--seed", type=seed_number, default=12345, help="default: 12345; rank-all: they order the texts"
    )
    _add_spending_options(judge)
    output = judge.add_argument_group("output")
    add_format_option(output, "of the summary that is printed")
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=OneOfEndings,
        what="judgements",
        endings=("csv", "jsonl"),
        help="the judgements: CSV, or JSONL by the ending",
    )
    output.add_argument("--scores", metavar="FILE", help="of score and rank-all, 0 to 1 (CSV)")
    output.add_argument("--rater", metavar="NAME", help="what the rater is called (default: the model)")
    output.add_argument("--quiet", action="store_true")


def _add_spending_options(action: Parser) -> None:
    limits = action.add_argument_group("limits", "replies are kept: what was answered once is never paid for again")
    limits.add_argument("--dry-run", action="store_true", help="what it would take; nothing is asked")
    limits.add_argument("--yes", action="store_true", help="go ahead with more than 1000 calls, or a cost above 1")
    limits.add_argument("--max-calls", type=int, metavar="N")
    limits.add_argument("--max-cost", type=float, metavar="MONEY", help="stop before it costs more; needs the prices")
    limits.add_argument("--price-in", type=float, metavar="MONEY", help="of a million tokens read by the model")
    limits.add_argument("--price-out", type=float, metavar="MONEY", help="of a million tokens written by the model")
    limits.add_argument("--concurrency", type=int, default=4, metavar="N", help="questions at a time (default: 4)")
    limits.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS", help="for a reply (default: 120)")
    limits.add_argument("--tries", type=int, default=6, metavar="N", help="while a server is busy (default: 6)")
    limits.add_argument("--store", metavar="FILE")
