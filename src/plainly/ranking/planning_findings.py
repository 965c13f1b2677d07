"""What simulated studies tell, as every face prints it."""

from __future__ import annotations

from collections.abc import Iterator

from plainly.findings import Column, Findings, Message, Note, Table, message
from plainly.ranking.findings import column
from plainly.ranking.pairing import PAIRINGS
from plainly.ranking.planning import SECONDS, Plan, Plans
from plainly.ranking.simulation import Simulation
from plainly.ranking.studies import Setting

COMBINED = {"majority": "majority", "votes": "shares"}
"""What several votes become, in words."""


def simulation_findings(found: Simulation, seconds: float = SECONDS) -> Findings:
    """How well rankings of so many judgements fit the truth, if one takes so many seconds."""
    return Findings(
        tables=(_curves(found, seconds),),
        notes=tuple(_cautions(found.setting)),
        data={"seconds": seconds, **found.data},
    )


def plan_findings(found: Plans) -> Findings:
    """How many judgements plans take to reach the goal."""
    return Findings(
        tables=(_plans(found),),
        notes=[*map(_not_reached, (plan for plan in found.plans if plan.answer is None)), *_cautions_of(found)],
        data=found.data,
    )


def _curves(found: Simulation, seconds: float) -> Table:
    setting = found.setting
    return Table(
        "curves",
        message("ranking.curves", "How close does a ranking of so many judgements come to the truth?"),
        [
            column("raters"),
            *(column("pairs", "count"), column("judgements", "count"), column("minutes a rater", "number", 1)),
            *(Column("rho", "number", 4), Column("sd", "number", 4)),
            *(column(name, "number", 4) for name in ("low", "high", "error")),
        ],
        [
            [
                *(crowd.name, point.pairs, point.judgements),
                point.pairs * seconds / 60,  # every rater judges every pair
                *(point.rho.value, point.sd, point.rho.low, point.rho.high, point.error),
            ]
            for crowd in found.crowds
            for point in found.curve(crowd.name)
        ],
        legend=[
            message(
                "ranking.rho",
                "rho: rank correlation with the truth, mean over {runs} runs; sd, low, high: of one run "
                "(95 % of them); error: of the mean",
                runs=setting.runs,
            ),
            message(
                "ranking.design",
                "{method}, {pairing} pairs, of several votes the {combined}; {run}",
                method=setting.method,
                pairing=setting.pairing,
                combined=message(f"ranking.combined.{setting.combination}", COMBINED[setting.combination]),
                run=_run_in(setting, seconds),
            ),
        ],
    )


def _plans(found: Plans) -> Table:
    return Table(
        "plans",
        message("ranking.plans", "How many judgements does the goal take, by which plan?"),
        [
            *(column("rated by"), column("votes"), column("pairing")),
            *(column(name, "count") for name in ("pairs", "from", "to", "judgements")),
            *(column("hours", "number", 1), column("hours a rater", "number", 1)),
            *(Column("rho", "number", 4), column("runs above", "number", 2)),
        ],
        [_plan_row(plan, found) for plan in found.plans],
        legend=[
            message(
                "ranking.goal",
                "mean rho of {target:g} or more; raters: {raters}, votes a pair: {votes}, each right in {right:g} % "
                "of the pairs; from, to: what the runs leave open; runs above: share of the runs that reach it",
                target=found.target,
                raters=found.raters,
                votes=found.crowd.votes,
                right=100 * found.crowd.accuracy,
            ),
            _run_in(found.plans[0].setting, found.seconds),
        ],
    )


def _plan_row(plan: Plan, found: Plans) -> list[str | float | None]:
    setting, answer = plan.setting, plan.answer
    named = [setting.method, setting.combination, setting.pairing]
    if answer is None:
        return [*named, *([None] * 8)]
    hours = answer.hours(found.seconds)
    return [
        *(*named, answer.pairs, answer.low, answer.high, answer.judgements),
        *(hours, hours / found.raters, answer.rho, answer.share),
    ]


def _not_reached(plan: Plan) -> Note:
    return Note(
        message(
            "ranking.not-reached",
            "{method} with {pairing} pairs: {why}",
            method=plan.setting.method,
            pairing=plan.setting.pairing,
            why=plan.why_not,
        )
    )


def _cautions_of(found: Plans) -> list[Note]:
    return list(dict.fromkeys(note for plan in found.plans for note in _cautions(plan.setting)))


def _cautions(setting: Setting) -> Iterator[Note]:
    if PAIRINGS[setting.pairing].adaptive and setting.method != "bradley-terry":
        said = "with adaptive pairs Elo's order can get worse as judgements are added; use bradley-terry"
        yield Note(message("ranking.adaptive-elo", said), "caution", aside=True)


def _run_in(setting: Setting, seconds: float) -> Message:
    return message(
        "ranking.run",
        "{texts} texts, {error} error, {seconds:g} s a judgement; {runs} runs, seed {seed}",
        texts=setting.texts,
        error=message(f"ranking.error.{setting.error}", setting.error),
        seconds=seconds,
        runs=setting.runs,
        seed=setting.seed,
    )
