"""`plainly ranking simulate`: how many judgements, raters and hours does a ranking need?"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell, render, with_lines
from plainly.base.version import __version__
from plainly.cli.notes import ProgressLine, note
from plainly.corpus.readers.checks import plural
from plainly.ranking.pairing import PAIRINGS
from plainly.ranking.simulation import Answer, Simulation, needed, simulate
from plainly.ranking.studies import PAPER, Crowd, Setting
from plainly.report.assets import chart_library
from plainly.report.planning import planning_page

# What is compared when only a target is given: the design of the paper first, the one with fewest judgements last.
PLANS = (("elo", "random"), ("elo", "balanced"), ("bradley-terry", "balanced"), ("bradley-terry", "swiss"))


def run(options: argparse.Namespace) -> None:
    if not options.seconds > 0 or not math.isfinite(options.seconds):
        raise PlainlyError(f"--seconds must be above 0, not {options.seconds:g}")
    if options.raters is not None and options.target_rho is None:
        raise PlainlyError("--raters goes with --target-rho; --votes says how many judge each pair")
    if _is_page(options):
        if options.target_rho is not None:
            raise PlainlyError(f"{options.output}: a page shows curves; with --target-rho choose another ending")
        chart_library()  # if it is missing, say so before the work
    line = ProgressLine(options.quiet)
    try:
        text = _plans(options, line) if options.target_rho is not None else _curves(options, line)
    finally:
        line.end()
    with writing(options.output) as out:
        out.write(text)
    if (
        options.pairing
        and PAIRINGS[options.pairing].adaptive
        and (options.method or "elo") != "bradley-terry"
        and not options.quiet
    ):
        note("caution: with adaptive pairs Elo's order can get worse as judgements are added; use bradley-terry")


def _curves(options: argparse.Namespace, line: ProgressLine) -> str:
    method = options.method or "elo"
    setting = _setting(options, method, options.pairing or "random", {"pairs": _pairs(options)})
    found = simulate(
        setting,
        _crowds(options, setting.combination),
        threads=options.threads,
        progress=lambda done, all_: line.show(f"simulated {done} of {all_} blocks of studies"),
    )
    if _is_page(options):
        return planning_page(found, options.seconds, date.today().isoformat())
    if options.format == "json":
        content = {"plainly": __version__, "seconds": options.seconds, **found.to_dict()}
        return _json(content)
    headers = ["raters", "pairs", "judgements", "minutes a rater", "rho", "sd", "low", "high", "error"]
    rows = list(_curve_rows(found, options.seconds))
    lines = [
        f"rho: rank correlation with the truth, mean over {setting.runs} runs; sd, low, high: of one run "
        "(95 % of them); error: of the mean",
        f"{setting.method}, {setting.pairing} pairs, of several votes the "
        f"{'majority' if setting.combination == 'majority' else 'shares'}; {_run_in(setting, options.seconds)}",
    ]
    return with_lines(render(headers, rows, options.format, [0, 0, 0, 1, 4, 4, 4, 4, 4]), lines, options.format)


def _curve_rows(found: Simulation, seconds: float) -> Iterator[list[Cell]]:
    for crowd in found.crowds:
        for point in found.curve(crowd.name):
            minutes = point.pairs * seconds / 60  # every rater judges every pair
            numbers: list[Cell] = [point.mean, point.sd, point.low, point.high, point.error]
            yield [crowd.name, point.pairs, point.judgements, minutes, *numbers]


def _plans(options: argparse.Namespace, line: ProgressLine) -> str:
    raters = options.raters or options.votes or 1
    votes = options.votes or raters
    if votes > raters:
        raise PlainlyError(f"{votes} votes a pair need as many raters, not {raters}")
    if options.pairs:
        raise PlainlyError("--target-rho finds the number of pairs; leave --pairs out")
    accuracy = _accuracies(options.accuracy)[0] if options.accuracy else 0.75
    crowd = Crowd(f"{votes} at {accuracy:g}", accuracy, votes)
    plans = [
        (method, pairing)
        for method, pairing in PLANS
        if options.method in (None, method) and options.pairing in (None, pairing)
    ] or [(options.method or "bradley-terry", options.pairing or "balanced")]
    answers: list[tuple[Setting, Answer | str]] = []
    for method, pairing in plans:
        setting = _setting(options, method, pairing, {"pairs": (options.texts // 2 or 1,)})
        line.show(f"searching: {method} with {pairing} pairs")
        try:
            answers.append((setting, needed(setting, crowd, options.target_rho, threads=options.threads)))
        except PlainlyError as error:
            if len(plans) == 1:
                raise
            answers.append((setting, error.message))
    if all(isinstance(answer, str) for _, answer in answers):
        raise PlainlyError(str(answers[-1][1]))
    if options.format == "json":
        content = {
            "plainly": __version__,
            "target_rho": options.target_rho,
            "raters": raters,
            "seconds": options.seconds,
            "plans": [_plan_content(setting, answer, raters, options.seconds) for setting, answer in answers],
        }
        return _json(content)
    headers = ["rated by", "votes", "pairing", "pairs", "from", "to", "judgements", "hours", "hours a rater"]
    headers += ["rho", "runs above"]
    rows = [_plan_row(setting, answer, raters, options.seconds) for setting, answer in answers]
    lines = [
        f"mean rho of {options.target_rho:g} or more; {plural(raters, 'rater')}, {plural(votes, 'vote')} a pair, "
        f"each right in {100 * accuracy:g} % of the pairs; from, to: what the runs leave open",
        _run_in(answers[0][0], options.seconds),
    ]
    decimals = [0, 0, 0, 0, 0, 0, 0, 1, 1, 4, 0]
    return with_lines(render(headers, rows, options.format, decimals), lines, options.format)


def _plan_row(setting: Setting, answer: Answer | str, raters: int, seconds: float) -> list[Cell]:
    if isinstance(answer, str):
        return [setting.method, setting.combination, setting.pairing, *([None] * 7), "not reached"]
    hours = answer.hours(seconds)
    numbers: list[Cell] = [answer.pairs, answer.low, answer.high, answer.judgements, hours, hours / raters]
    return [setting.method, setting.combination, setting.pairing, *numbers, answer.rho, f"{answer.share:.0%}"]


def _plan_content(setting: Setting, answer: Answer | str, raters: int, seconds: float) -> dict[str, Any]:
    plan: dict[str, Any] = {name: value for name, value in asdict(setting).items() if name != "pairs"}
    if isinstance(answer, str):
        return {**plan, "reached": False, "why": answer}
    hours = answer.hours(seconds)
    return {
        **plan,
        "reached": True,
        **asdict(answer),
        "judgements": answer.judgements,
        "hours": hours,
        "hours_a_rater": hours / raters,
    }


def _setting(options: argparse.Namespace, method: str, pairing: str, more: dict[str, Any]) -> Setting:
    combination = options.combine or ("votes" if method == "bradley-terry" else "majority")
    given: dict[str, Any] = {
        "texts": options.texts,
        "runs": options.runs,
        "method": method,
        "pairing": pairing,
        "error": options.error,
        "combination": combination,
        "k": options.k,
        "seed": options.seed,
    }
    return Setting(**given, **more)


def _crowds(options: argparse.Namespace, combination: str) -> list[Crowd]:
    if not options.accuracy and not options.votes:
        if combination == "majority":
            return list(PAPER)
        return [replace(crowd, name=crowd.name.replace("majority of 16", "16 raters")) for crowd in PAPER]
    votes = options.votes or 1
    who = "one rater" if votes == 1 else f"{votes} raters"
    accuracies = _accuracies(options.accuracy or "0.75")
    return [Crowd("oracle" if share == 1 else f"{who}, {100 * share:g} %", share, votes) for share in accuracies]


def _accuracies(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise PlainlyError(f"--accuracy takes shares above 0.5 and up to 1, as 0.9,0.75, not {text!r}") from None


def _pairs(options: argparse.Namespace) -> tuple[int, ...]:
    if not options.pairs:
        if options.texts < 2:
            raise PlainlyError(f"a simulation needs at least 3 texts, not {options.texts}")
        one_round = options.texts // 2
        most = (
            options.texts * (options.texts - 1) // 2
            if options.pairing and PAIRINGS[options.pairing].adaptive
            else math.inf
        )
        return tuple(one_round * rounds for rounds in (1, 2, 4, 6, 8, 10, 12, 16, 20) if one_round * rounds <= most)
    try:
        return tuple(int(part) for part in options.pairs.split(","))
    except ValueError:
        raise PlainlyError(f"--pairs takes whole numbers, as 94,188,376, not {options.pairs!r}") from None


def _run_in(setting: Setting, seconds: float) -> str:
    return (
        f"{setting.texts} texts, {setting.error} error, {seconds:g} s a judgement; {setting.runs} runs, "
        f"seed {setting.seed}"
    )


def _is_page(options: argparse.Namespace) -> bool:
    return str(options.output or "").endswith(".html")


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
