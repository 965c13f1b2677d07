"""The actions of `plainly comprehension` that come before the readers: check, design, simulate."""

from __future__ import annotations

from plainly.cli.options import Commands, add_command, add_file_options, add_form_options, add_repeated, seed_number


def add_planning(actions: Commands) -> None:
    """The actions that plan an experiment."""
    _add_check(actions)
    _add_design(actions)
    _add_simulate(actions)


def _add_check(actions: Commands) -> None:
    check = add_command(
        actions,
        "check",
        "say what to change in an experiment's texts, questions and answers",
        "  plainly comprehension check experiment.yaml\n"
        "  plainly comprehension check experiment.yaml --words 150-170\n"
        "  plainly comprehension check experiment.yaml --strict --format json",
        "comprehension.check",
    )
    check.add_argument_group("input").add_argument("experiment", metavar="FILE", help="the experiment: YAML")
    check.add_argument_group("rules").add_argument(
        "--words",
        metavar="LOW-HIGH",
        help="words that each text should have; in Temnikova and Maneva (2013) 150-170 (default: up to 250)",
    )
    output = check.add_argument_group("output", "the exit status is 1 if there are errors")
    output.add_argument("--strict", action="store_true", help="advice counts as an error")
    add_form_options(output)
    output.add_argument("--quiet", action="store_true")


def _add_design(actions: Commands) -> None:
    design = add_command(
        actions,
        "design",
        "say who reads which version of which passage, in which order: a balanced plan",
        "  plainly comprehension design experiment.yaml --participants 104 -o plan.csv",
        "comprehension.design",
    )
    design.add_argument_group("input").add_argument("experiment", metavar="FILE", help="the experiment: YAML")
    plan = design.add_argument_group("plan")
    plan.add_argument("--participants", type=int, required=True, metavar="N", help="at most")
    plan.add_argument("--seed", type=seed_number, default=12345, help="default: 12345; kept in the plan")
    add_file_options(design, "the plan: CSV, or JSONL by the ending")


def _add_simulate(actions: Commands) -> None:
    simulate = add_command(
        actions,
        "simulate",
        "say how many participants a difference needs, or make up answers with a known difference",
        "  plainly comprehension simulate --difference 10 --faster 15\n"
        "  plainly comprehension simulate --experiment experiment.yaml --participants 40,80,103\n"
        "  plainly comprehension simulate --participants 103 --records answers.csv",
        "comprehension.simulate",
    )
    files = simulate.add_argument_group("experiment", "a file, or one that is made up")
    files.add_argument("--experiment", metavar="FILE", help="its passages, questions and answers are taken")
    files.add_argument("--passages", type=int, metavar="N", help="made up: how many (default: 4)")
    files.add_argument("--questions", metavar="NUMBERS", help="made up: in each passage, in turn (default: 4,5)")
    files.add_argument("--answers", metavar="NUMBERS", help="made up: to each question, in turn (default: 4)")
    truth = simulate.add_argument_group("truth", "what is true of readers and texts")
    truth.add_argument(
        "--correct", type=float, default=60.0, metavar="PERCENT", help="correct with the first version (default: 60)"
    )
    truth.add_argument(
        "--difference", type=float, default=10.0, metavar="POINTS", help="more correct with the second (default: 10)"
    )
    truth.add_argument(
        "--seconds", type=float, default=20.0, metavar="SECONDS", help="the median, first version (default: 20)"
    )
    truth.add_argument(
        "--faster", type=float, default=10.0, metavar="PERCENT", help="time that the second saves (default: 10)"
    )
    truth.add_argument(
        "--lucky", type=float, metavar="PERCENT", help="right guesses (default: 100 / number of answers)"
    )
    truth.add_argument(
        "--dropouts", type=float, metavar="PERCENT", help="records: participants who stop early (default: 0)"
    )
    spreads = "in logits of ability (1) and ease (0.8), in log seconds of speed (0.3), length (0.25) and noise (0.5)"
    add_repeated(truth, "--spread", "NAME=SD", f"standard deviations, {spreads}; may be repeated")
    study = simulate.add_argument_group("study")
    study.add_argument(
        "--participants",
        metavar="NUMBERS",
        help="several, as 40,80, to see the power with so many (default: how many are needed)",
    )
    study.add_argument("--power", type=float, metavar="SHARE", help="that is wanted (default: 0.8)")
    study.add_argument("--alpha", type=float, default=0.05, metavar="P", help="of the tests (default: 0.05)")
    study.add_argument("--runs", type=int, default=1000, metavar="N", help="default: 1000")
    study.add_argument("--seed", type=seed_number, default=12345, help="default: 12345")
    output = simulate.add_argument_group("output")
    output.add_argument("--records", metavar="FILE", help="instead: one simulated experiment's answers, CSV or JSONL")
    output.add_argument("--truth", metavar="FILE", help="with --records: what is true of each question (CSV)")
    add_form_options(output)
    output.add_argument("--quiet", action="store_true")
