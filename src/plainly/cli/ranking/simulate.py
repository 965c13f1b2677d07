"""`plainly ranking simulate`: how many judgements, raters and hours does a ranking need?"""

from __future__ import annotations

import argparse
import math
from datetime import date

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable, writing
from plainly.cli.printing import ProgressLine, note_aside, print_findings
from plainly.ranking.planning import (
    ACCURACY,
    Plans,
    find_plans,
    usual_combination,
    usual_crowds,
    usual_pairs,
)
from plainly.ranking.planning_findings import plan_findings, simulation_findings
from plainly.ranking.simulation import Simulation, simulate
from plainly.ranking.studies import Method, Setting
from plainly.report.assets import chart_library
from plainly.report.planning import planning_page


def run(options: argparse.Namespace) -> None:
    if not options.seconds > 0 or not math.isfinite(options.seconds):
        raise PlainlyError(f"--seconds must be above 0, not {options.seconds:g}")
    if options.raters is not None and options.target_rho is None:
        raise PlainlyError("--raters goes with --target-rho; --votes says how many judge each pair")
    page = str(options.output or "").endswith(".html")
    if page:
        if options.target_rho is not None:
            raise PlainlyError(f"{options.output}: a page shows curves; with --target-rho choose another ending")
        chart_library()  # if it is missing, say so before the work
    check_writable(options.output)
    line = ProgressLine(options.quiet)
    try:
        found = _plans(options, line) if options.target_rho is not None else _curves(options, line)
    finally:
        line.end()
    if isinstance(found, Plans):
        print_findings(options, plan_findings(found))
        return
    findings = simulation_findings(found, options.seconds)
    if not page:
        print_findings(options, findings)
        return
    with writing(options.output) as out:
        out.write(planning_page(found, options.seconds, date.today().isoformat()))
    note_aside(options, findings)


def _curves(options: argparse.Namespace, line: ProgressLine) -> Simulation:
    method: Method = options.method or "elo"
    pairing = options.pairing or "random"
    setting = Setting(
        options.texts,
        _pairs(options.pairs) if options.pairs else usual_pairs(options.texts, pairing),
        options.runs,
        method,
        pairing,
        options.error,
        options.combine or usual_combination(method),
        options.k,
        options.seed,
    )
    return simulate(
        setting,
        usual_crowds(setting.combination, _accuracies(options.accuracy), options.votes),
        threads=options.threads,
        progress=lambda done, all_: line.show(f"simulated {done} of {all_} blocks of studies"),
    )


def _plans(options: argparse.Namespace, line: ProgressLine) -> Plans:
    if options.pairs:
        raise PlainlyError("--target-rho finds the number of pairs; leave --pairs out")
    return find_plans(
        Setting(texts=options.texts, runs=options.runs, error=options.error, k=options.k, seed=options.seed),
        options.target_rho,
        raters=options.raters,
        votes=options.votes,
        accuracy=next(iter(_accuracies(options.accuracy)), ACCURACY),
        method=options.method,
        pairing=options.pairing,
        combination=options.combine,
        seconds=options.seconds,
        threads=options.threads,
        searching=lambda method, pairing: line.show(f"searching: {method} with {pairing} pairs"),
    )


def _accuracies(text: str | None) -> list[float]:
    try:
        return [float(part) for part in text.split(",")] if text else []
    except ValueError:
        raise PlainlyError(f"--accuracy takes shares above 0.5 and up to 1, as 0.9,0.75, not {text!r}") from None


def _pairs(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise PlainlyError(f"--pairs takes whole numbers, as 94,188,376, not {text!r}") from None
